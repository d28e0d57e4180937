"""Who somebody of the user's is by name: "my daughter's grades" are Lea's, where a memory says that Lea is she."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, takewhile

from precis.finding.doubts.bearers import of_first_name, of_role, of_title
from precis.finding.kinds import is_person
from precis.finding.names import Name, people
from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, folded, read_words, word_from, words_before
from precis.finding.tables import all_words, any_group, groups
from precis.finding.together.pronouns import names_introduced
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.speaking import RELATIONS, relations_of
from precis.language.words import STOP_WORDS

_ARTICLE = re.compile(r"^(?:the|a|an|my|our) ", re.IGNORECASE)
#: Of these somebody has one at a time.
_ONE = frozenset(
    "husband wife spouse partner fiance fiancé fiancee fiancée boyfriend girlfriend mother father mom mum dad boss"
    " manager landlord landlady ex-husband ex-wife".split()
)


#: Between somebody and who they are; so many words lie within; and groups of who somebody is.
_COPULAS, _ROLE_WITHIN = frozenset("is ist est es e \u00e8 \u00e9 \u00e4r er jest".split()), 6
_NEAR = 4
_ROLES = RELATIONS | {"doctor", "role"}


def by_name(
    subjects: Sequence[Subject], rows: Sequence[Row], own_names: Collection[str]
) -> Iterator[tuple[int, Subject]]:
    """Subjects that ask for something of a relative of the user's, and of which one, asked for by the name.

    Only where all memories that say what such a relative is called say the same name.
    """
    for at, subject in enumerate(subjects):
        kin = [part for part in subject.parts if part.is_of(RELATIONS)]
        others = tuple(part for part in subject.parts if part not in kin)
        if len(kin) != 1 or not others or not subject.mine or subject.clause or subject.names:
            continue
        names = _names(kin[0], rows, own_names) - {part.word for part in others}
        if len(names) == 1:
            yield at, replace(subject, names=((names.pop(),),), parts=others, mine=False)


def by_role(subject: Subject, name: Name, row: Row, own_names: Collection[str]) -> Match | None:
    """The match of a row that says who somebody is to the user, as the request does: "my husband Greg", "my husband".

    None where it says nothing of the kind, or names somebody else. Of brothers there may be two: that is in doubt.
    """
    asked = read_words(subject.text)
    place = next((at for at, word in enumerate(asked) if at and word.low == name[0]), 0)
    role = asked[place - 1] if place and asked[place].gap == " " else None
    if role is None or not subject.mine or subject.parts or not is_person(role.low) or people(row.text):
        return None
    words, own = read_words(row.text), all_words("first") | {*own_names}
    for before, word in pairwise(words):
        if word.low == role.low and not word.owns and before.low in own:
            level = Level.SURE if role.low in _ONE else Level.DOUBTFUL
            return Match(level=level, why=f"it says {role.low}", spans=((word.start, word.end),))
    return None


def word_for_word(subject: Subject, name: Name, row: Row, match: Match) -> Match:
    """The match of a name, sure where the row has the thing word for word, "the Smith contract", or says who it is."""
    words = read_words(row.text)
    whole = (start for start, end in match.spans if word_from(words, end) - word_from(words, start) == len(name))
    if match.level is Level.DOUBTFUL and any(_is_said_to_be(words, start) for start in whole):
        return replace(match, level=Level.SURE, why="it has that name")
    phrase = _ARTICLE.sub("", subject.text).strip()
    if match.level is not Level.DOUBTFUL or not subject.parts or " " not in phrase:
        return match
    place = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", row.text)
    if place is None or not any(start >= place.start() and end <= place.end() for start, end in match.spans):
        return match
    return replace(match, level=Level.SURE, why="it has the very words")


def _is_said_to_be(words: Sequence[Word], start: int) -> bool:
    """Whether it is said to be somebody to the user: "Penny is my accountant", "Rosa ist meine Zahn\u00e4rztin"."""
    place = words_before(words, start)
    inside = words[place + 1 : place + _ROLE_WITHIN]
    if not inside or inside[0].low not in _COPULAS or any(word.gap != " " for word in inside[:-1]):
        return False
    own = next((at for at, word in enumerate(inside[1:3], start=1) if word.low in all_words("first")), 0)
    noun = [*takewhile(lambda word: word.low not in STOP_WORDS, inside[own + 1 :])] if own else []
    return bool(noun) and _says_role(noun[-1].low)  # "my favorite season" is nobody, though a favorite may be


@cache
def _says_role(low: str) -> bool:
    """Whether a noun says who somebody is to somebody."""
    named = (name for name in groups() if name.partition(".")[0] in _ROLES)
    return is_person(low) or any(expression.fullmatch(low) for name in named for expression in groups()[name])


def unless_another(subject: Subject, row: Row, match: Match, *, several: bool = False) -> Match:
    """The match of a name, in doubt where it has somebody else before it: "Pastor Mark" and not "my brother Mark".

    ``several`` says that more than one person is known by that name.
    """
    match = of_first_name(subject, row.text, of_role(subject, row.text, match, several=several))
    match = of_title(subject, row.text, match)
    if match.level is Level.SURE and _is_called_otherwise(subject, row, match.spans):
        return replace(match, level=Level.DOUBTFUL, why="it may be somebody else of that name")
    if match.level is Level.SURE and match.spans and _is_where(subject, row, match.spans):
        return replace(match, level=Level.DOUBTFUL, why="there it may be a place")
    return match


def _is_where(subject: Subject, row: Row, spans: Collection[Span]) -> bool:
    """Whether somebody is meant, "my nephew Chase", and all that has the name is where something is: "at Chase"."""
    words = read_words(row.text)
    places = [words_before(words, start) for start, _ in spans]
    person = any(is_person(word.low) for word in read_words(subject.text))
    return person and all(at and words[at - 1].low == "at" and at < len(words) and not words[at].owns for at in places)


def _is_called_otherwise(subject: Subject, row: Row, spans: Collection[Span]) -> bool:
    own = {part for name in subject.names for part in name}
    asked = [word for word in read_words(subject.text) if is_person(word.low) and word.low not in own]
    words = read_words(row.text)
    places = [words_before(words, start) for start, _ in spans]
    called = [words[at - 1] for at in places if at and words[at].gap == " " and is_person(words[at - 1].low)]
    # "My grandmother's name was Catherine" names nobody else.
    before = (word for at in places for word in words[max(0, at - _NEAR) : at] if word.owns and word.low != "user")
    called += [word for word in before if is_person(word.low)]
    same = {word.low for word in asked}.union(*map(relations_of, asked))
    return bool(asked and called) and all(same.isdisjoint({word.low, *relations_of(word)}) for word in called)


def _names(kin: Part, rows: Sequence[Row], own_names: Collection[str]) -> set[str]:
    """What such a relative of the user's is called."""
    named: set[str] = set()
    for row in rows:
        low = folded(row.text)
        spans = [match.span() for match in any_group(kin.groups, plain=low.isascii()).finditer(low)]
        if spans and len(low) == len(row.text) and _is_users(read_words(row.text), spans, own_names):
            named.update(low for low in names_introduced(row.text, spans) if low not in own_names)
    return named


def _is_users(words: Sequence[Word], spans: Sequence[Span], own_names: Collection[str]) -> bool:
    """Whether all of them are called the user's: "my daughter", "user's daughter"."""
    own = all_words("first") | {*own_names}
    befores = [words_before(words, start) - 1 for start, _ in spans]
    return all(place >= 0 and words[place].low in own for place in befores)
