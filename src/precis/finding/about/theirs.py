"""What stays of a sentence that goes on with whom it tells of: "Ana has asthma, and her brother builds kites".

Without the asthma it is "Ana \u2013 her brother builds kites": the name stays before the word that takes it up. Of
"... and she sings" it is "Ana sings".
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from precis.finding.capitals import finite
from precis.finding.kinds import is_animal, is_person
from precis.finding.names import people
from precis.finding.reading import Word, read_words, unelided, users_of
from precis.finding.tables import name_words
from precis.finding.values import Span
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import relations_of
from precis.language.words import STOP_WORDS

_JOINT = re.compile(r"(?:,\s+|\s+)(?:and|und|et|y|e|en|och|i|\u0438)\s+|[;,]\s+", re.IGNORECASE)
#: So many words the subject of a clause has at most; and what one may begin with.
_SUBJECT, _OWNERS = 5, frozenset("his her its their my our the".split())
#: So many words a clause behind a joint has at least.
_LEAST = 3
#: What takes up the user in a second clause.
_OF_USER = frozenset("he she they his her their".split())


def of_theirs(text: str, going: Span, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The one name of a sentence, and what it tells of somebody or something of theirs; none where another is named.

    ``going`` is the sentence, ``spans`` say where what is to be forgotten stands in it.
    """
    start, end = going
    words = [word for word in read_words(text) if start <= word.start < end]
    names = [(start + first, start + last) for first, last, _ in people(text[start:end])]
    if not words or words[0].owns or words[0].start not in _starts(words[0], names, spans):
        return ()
    last = max(place for place, word in enumerate(words) if all(it.capital for it in words[: place + 1]))
    name = (words[0].start, words[last].end)
    joints = [*_JOINT.finditer(text, name[1], end)]
    whose = [joint for joint in joints if _opens_theirs(text[joint.end() : end])]
    if len(whose) != 1:
        return ()
    opened = _opens_theirs(text[whose[0].end() : end])
    before, behind = (name[1], whose[0].start()), (whose[0].end() + opened - 1, end)
    touched = any(behind[0] < last and first < behind[1] for first, last in spans)
    if touched or not any(name[1] <= first < before[1] or (first < name[1] < last) for first, last in spans):
        return ()
    named = {first for first, last in names if name[1] <= first < before[1] and not text[first:last].isupper()}
    if language_of([word.low for word in words], text) == "de":
        # Each noun has a capital there: behind an article it names nobody.
        named -= {word.start for ahead, word in pairwise(words) if ahead.low in name_words("articles")}
    telling = [word for word in words if name[1] <= word.start < before[1]]
    if language_of([word.low for word in words], text) != "en":
        # "sein" takes up a dog or a table as well: nothing but a number that was asked for may stand there.
        numbers = (span for span in spans if any(map(str.isdigit, text[slice(*span)])))
        meant = {at for first, last in numbers for at in range(first, last)}
        named |= {
            word.start for word in telling[1:] if word.start not in meant and word.low not in name_words("articles")
        }
    if named or any(is_animal(word.low) or is_person(word.low) for word in telling):
        return ()  # "Ana met Eva and her brother": it may be Eva's
    return name, behind


def _starts(opening: Word, names: Sequence[Span], spans: Sequence[Span]) -> set[int]:
    """Where a name may begin: what has a capital, and is known for a name or was asked for."""
    return {start for start, _ in (*names, *spans)} if opening.capital and opening.low not in STOP_WORDS else set()


def _opens_theirs(clause: str) -> int:
    """One more than where a clause goes on that has a verb of its own and is about somebody named before.

    That is its beginning for something of theirs, and behind "she" for themselves; 0 where it is neither.
    """
    words = read_words(clause)
    english = bool(words) and words[0].low in STOP_WORDS and language_of([it.low for it in words], clause) == "en"
    if len(words) >= _LEAST and words[0].low in name_words("possessives"):
        verbal = any(finite(word) for word in words[2:]) if english else len(words) > _LEAST
        return int(verbal)
    if len(words) >= _LEAST and words[0].low in name_words("singular_persons"):
        return words[1].start + 1 if not english or finite(words[1]) else 0
    return 0


def beside_joint(text: str, going: Span, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The clause on the other side of a joint than all that goes: of "I sing, and thieves came" what is before it.

    What is behind it stays where it takes up nobody but the user: "User's blood type is B, his shoe size is 44".
    """
    start, end = going
    words = [word for word in read_words(text) if start <= word.start < end]
    for joint in _JOINT.finditer(text, start, end):
        first = [word for word in words if word.start < joint.start()]
        second = [word for word in words if word.start >= joint.end()]
        acts = any(map(finite, first[1:])) or (bool(first) and first[0].low in {"i", "we"})
        behind = any(map(finite, second[1:_SUBJECT]))
        if not acts or not behind or second[0].low in STOP_WORDS - _OWNERS - _OF_USER:
            continue
        verb = next((word.start for word in first[1:] if finite(word)), joint.start())
        if joint.end() <= min((begin for begin, _ in spans if begin >= verb), default=0):
            return ((start, joint.start()),)
        if max(last for _, last in spans) <= joint.start() and goes_on_about_user(text)(text[joint.end() : end]):
            return ((joint.end(), end),)
    return ()


def goes_on_about_user(text: str) -> Callable[[str], bool]:
    """What says whether a clause goes on about the user, of whom alone a text tells: "User is deaf, his son is not"."""
    words = read_words(text)
    place = 1 if words and words[0].low == "the" else 0
    alone = place < len(words) and words[place].low in users_of(()) and not _names_person(words[place + 1 :], text)

    def taken_up(clause: str) -> bool:
        opening = next(iter(read_words(clause)), None)
        return alone and opening is not None and opening.low in _OF_USER

    return taken_up


def opens_with_user(text: str) -> bool:
    """Whether a text begins with the user by a name: "Der Nutzer wohnt in Hamburg"."""
    lows = [unelided(word.low) for word in read_words(text)[:2]]
    return bool(lows) and any(low in users_of(()) for low in lows[: 1 + (lows[0] in name_words("articles"))])


def leans(text: str, piece: Span, language: str) -> bool:
    """Whether a part behind what goes takes up somebody of it: "Ida hates it", "sein Fell ist grau"."""
    words = read_words(text[slice(*piece)])
    opening = language != "en" and bool(words) and words[0].low in name_words("possessives")
    return takes_up_object(words) or (opening and not opens_with_user(text))


def takes_up_object(words: Sequence[Word]) -> bool:
    """Whether a clause tells of something done to whoever was named before: "likes her a lot", not "loves her dog"."""
    objects, before = name_words("object_pronouns"), name_words("clitics")
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else None
        if at and word.low in objects and (behind is None or behind.gap != " " or behind.low in objects):
            return True
        helped = behind is not None and behind.gap == " " and behind.low in name_words("behind_clitics")
        if word.low in {"him", "them"} or (helped and word.low in before):
            return True
        ends = behind is None or behind.gap != " " or behind.low in STOP_WORDS or behind.low.endswith("ly")
        if word.low in {"her", "it"} and (ends or word.low == "it"):
            return True
    return False


def _names_person(words: Sequence[Word], text: str) -> bool:
    """Whether somebody else is in it whom "he" or "she" may be."""
    named = {start for start, _, _ in people(text)}
    others = (word for word in words if len(word.low) > 1 and word.low not in _OF_USER)
    return any(word.start in named or word.low in name_words("persons") or relations_of(word) for word in others)
