"""An old value that a request names itself, in other languages than English: "Glöm min gamla bank, Nordhavet".

What is meant then are the memories that have that value, whether another one is known or not, and what tells of the
new one is not. Of an address, what only names its street or town may tell of something else there.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from precis.finding.owners import match_owner
from precis.finding.parts import Subject
from precis.finding.reading import UNSPACED, folded, read_words
from precis.finding.tables import languages, name_words, patterns, raw, sayings
from precis.finding.values import Level, Match, Row, Span
from precis.finding.wording import EDGE
from precis.finding.written import alike, clauses, speaking
from precis.finding.written.languages import language_of

_UNCASED = frozenset({"zh", "ja", "ko"})
_HOME = "home"
_EARLIER = re.compile("|".join(sayings("earlier_abroad")), re.IGNORECASE)


def with_old_value(subjects: tuple[Subject, ...], text: str) -> tuple[Subject, ...]:
    """The subjects of a request, as one where they are something of the user's that was and what that was called."""
    if not 0 < len(subjects) < 3 or any(it.clause or it.identifiers for it in subjects):
        return subjects
    first, last = subjects[0], subjects[-1]
    language = first.language
    if language == "en" or not (any(it.old for it in subjects) or says_age(text, language, "old")):
        return subjects
    if any(it.current for it in subjects) or says_age(text, language, "current"):
        return subjects
    last = _as_name(last) if last is not first else last
    roots = {root for part in first.parts for root in part.roots}
    own = first.mine or (language in _UNCASED and not name_words("users_unspaced").intersection(text.split()))
    if not own or roots & speaking.RELATIONS or (first is not last and (first.names or last.parts)):
        return subjects
    names = _called(last, first, text)
    if not names:
        return subjects
    value = "place" if _HOME in roots else "name"
    return (Subject(text=last.text, names=names, mine=True, language=language, value=value),)


def _as_name(subject: Subject) -> Subject:
    """The same with nouns of German that no table knows as a name: "meine alte Bank, die Norbank"."""
    unknown = [part.word for part in subject.parts if not (part.groups or part.kinds)]
    if subject.language != "de" or subject.names or len(unknown) != len(subject.parts) or not unknown:
        return subject
    return replace(subject, names=((*unknown,),), parts=())


def leaves_out_age(subjects: Sequence[Subject], text: str, language: str) -> bool:
    """Whether a request in another language speaks of an old value of something, and nothing of that was read."""
    if language == "en" or not subjects or any(it.old or it.value or it.names or it.current for it in subjects):
        return False
    named = {part.word for it in subjects for part in it.parts}
    rest = " ".join(word for word in text.split() if folded(word.strip(EDGE)) not in named)  # "mein Alter" is an age
    return any(part.groups for it in subjects for part in it.parts) and says_age(rest, language, "old")


def says_age(text: str, language: str, age: str) -> bool:
    """Whether it speaks of an old value, or of the current one."""
    if language == "ko" and age == "old":
        return any(map(_was, text.split()))
    begins = "" if language in {"zh", "ja"} else r"(?<!\w)"
    return any(re.search(rf"{begins}(?:{pattern})", text, re.IGNORECASE) for pattern in patterns(language, age))


def tells_earlier(text: str, spans: Sequence[Span]) -> bool:
    """Whether it says in another language than English of what stands at these places that it was so earlier.

    "Antes vivía en Gijón"; "la mia vecchia macchina", right beside the place.
    """
    words = read_words(text)
    language = language_of([word.low for word in words], text)
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    pairs = [pair for pair in pairwise(words) if pair[0].end in ends or pair[1].start in starts]
    beside = any(says_age(f"{word.text} ", language, "old") for pair in pairs for word in pair)
    return language != "en" and (beside or _EARLIER.search(text) is not None)


def without_age(text: str) -> tuple[str, ...]:
    """The text as a request without the words that say it is of an old value, in each language that has such a word.

    "Mein altes Auto" is "Vergiss mein Auto".
    """
    requests = dict[str, None]()
    for language in languages():
        order = raw(language, "order")
        if order and says_age(text, language, "old"):
            requests[order.format(_without_age(text, language))] = None
    return tuple(requests)


def _without_age(text: str, language: str) -> str:
    if language == "ko":
        return " ".join(word for word in text.split() if not _was(word))
    begins = "" if language in {"zh", "ja"} else r"(?<!\w)"
    for pattern in patterns(language, "old"):
        text = re.sub(rf"{begins}(?:{pattern})", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def _was(word: str) -> bool:
    """Whether a Korean word says of the next one what it was, or when: "살던", "예전에"."""
    olds = "|".join(old.partition("(?=")[0] for old in patterns("ko", "old"))
    return (word.endswith("던") and len(word) > 1) or re.fullmatch(rf"(?:{olds})에?", word) is not None


def _called(last: Subject, first: Subject, text: str) -> tuple[tuple[str, ...], ...]:
    """What the old value is called; nothing where only somebody is named, of whom everything is meant."""
    if first.language == "ko":
        named = (tuple(word for word in name if not _was(word)) for name in last.names)
        return tuple(filter(None, named)) if first.parts else ()
    if first.language not in _UNCASED:
        return last.names if first.parts else ()
    names = [_bare(name[0]) for name in last.names]
    if not (first.parts or len(names) > 1):
        return ()
    return ((names[-1],),) if names and names[-1] and UNSPACED.search(names[-1]) and names[-1] in text else ()


def _bare(name: str) -> str:
    """A name in Chinese or Japanese without what points at it: "就是朝阳路那个"."""
    before = None
    while before != name:
        before = name
        for aside in sorted(name_words("value_asides"), key=len, reverse=True):
            name = name.removeprefix(aside).removesuffix(aside)
    return name


def match_value(subject: Subject, row: Row, spans: Sequence[Span], own_names: Collection[str]) -> Match:
    """Whether a memory that has the old value tells of the user's, and of an address, not only of the place."""
    words = read_words(row.text)
    now = [piece for piece in clauses.clauses_of(row.text) if alike.tells_now(row.text[slice(*piece)])]
    if any(first < end and last > start for start, end in now for first, last in spans):
        return Match(level=Level.DOUBTFUL, why="it may tell of the one of now as well")
    if subject.value == "place" and not any(sign.isdigit() for sign in row.text):
        return Match(level=Level.DOUBTFUL, why="it may tell of something else there")
    owner = match_owner(row, spans, set(), own_names, subject.language)
    known = name_words("others") | name_words("given")
    somebody = any(speaking.relations_of(word) or word.low in known for word in words)
    if owner.level is Level.NEAR:
        return owner
    return Match(level=Level.DOUBTFUL if somebody else Level.SURE, why="it may be somebody else's")
