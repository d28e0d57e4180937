"""What an animal or a thing that was asked for is called: where another says "Pepper is our cat", "Hotel Podewils"."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from precis.finding.about.questions import PEOPLE
from precis.finding.capitals import calendar
from precis.finding.kinds import is_animal
from precis.finding.names import match_name, survey
from precis.finding.parts import Subject
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, read_words, words_before
from precis.finding.tables import all_words, name_words, sayings, words_of
from precis.finding.together.pronouns import names_introduced
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.beings import is_being
from precis.finding.written.caseless import is_given
from precis.finding.written.speaking import RELATIONS
from precis.language.words import STOP_WORDS

#: What Turkish writes behind a name.
_CASE = re.compile("['\u2019].*")
#: In Japanese a name behind a relative; and in Chinese what opens none.
_NAME_JA = re.compile(
    "\u306e(?P<name>[\u30a1-\u30fc]{2,8}|[\u3400-\u9fff]{1,3}|[\u3041-\u309f]{2,5}?)(?=\u3055\u3093|\u3061\u3083\u3093|[\u541b\u306f\u304c\u3092\u306b\u3068\u3082\u306e\u3001\u3002,.!?]|$)"
)
_NO_NAME_ZH = name_words("chinese_no_name")
_BY_LENGTH = sorted(words_of("ko", "behind"), key=len, reverse=True)


def doubt_by_name(rows: Sequence[Row], matches: dict[str, Match], subject: Subject, own_names: Collection[str]) -> None:
    """Put in doubt what has the name of an animal or a thing that another memory says it has."""
    if subject.language != "en":
        _doubt_by_name_abroad(rows, matches, subject, own_names)
    thing = _is_thing(subject)
    if not (_is_animal(subject) or thing):
        return
    called = _called_behind if thing else _called
    aside = {*own_names, *(word for name in subject.names for word in name)}
    names = {low for row in rows for low in called(row, matches) if low not in aside}
    for row in rows if names else ():
        if matches[row.id].level < Level.DOUBTFUL and any(
            word.capital and word.low in names for word in read_words(row.text)
        ):
            matches[row.id] = Match(level=Level.DOUBTFUL, why="it has a name that may be theirs")


def _doubt_by_name_abroad(
    rows: Sequence[Row], matches: dict[str, Match], subject: Subject, own_names: Collection[str]
) -> None:
    """The same of an animal or a relative in other languages: "la gata se llama Luna", "Kuzenim Berk"."""
    kin = bool(subject.parts) and all(part.is_of(RELATIONS | {"pet"}) for part in subject.parts)
    if subject.names or subject.clause or subject.identifiers or not (kin or _is_animal(subject)):
        return
    rows_named = [row for row in rows if matches[row.id].level >= Level.DOUBTFUL and matches[row.id].spans]
    rest = [row for row in rows if matches[row.id].level < Level.DOUBTFUL]
    names = {name for row in rows_named for name in _introduced(row, matches[row.id].spans, rest)}
    names -= {folded(name) for name in own_names}
    known = survey({(name,) for name in names}, rows, subject.language, ())
    for row in rest if names else ():
        match = max((match_name((name,), row, known[(name,)]) for name in names), key=lambda it: it.level)
        if match.level >= Level.DOUBTFUL:
            matches[row.id] = Match(level=Level.DOUBTFUL, why="it has a name that may be theirs", spans=match.spans)


def _introduced(row: Row, spans: Sequence[Span], others: Sequence[Row]) -> Iterator[str]:
    """What is said to be the name of who stands at these places, and what stands right behind as one."""
    for pattern in sayings("introducing"):
        for match in re.finditer(pattern, row.text, re.IGNORECASE):
            name = folded(_CASE.sub("", match["name"]))
            yield from [name] if match["name"][0].isupper() or (not name.isascii() and _is_caseless(name)) else []
    words = read_words(row.text)
    for _, end in spans:
        if UNSPACED.search(row.text[max(0, end - 1) : end]):
            yield from _behind_unspaced(row.text[end:], others)
            continue
        word = next((word for word in words if word.start >= end and word.gap == " "), None)
        if word is None or row.text[end : word.start].strip() or word.low in STOP_WORDS:
            continue
        if word.capital:
            yield word.low
        elif HANGUL.search(word.text):
            ending = next((it for it in _BY_LENGTH if word.low.endswith(it) and len(word.low) - len(it) > 1), "")
            yield word.low.removesuffix(ending)
        elif is_given(word):
            yield word.low


def _behind_unspaced(behind: str, others: Sequence[Row]) -> Iterator[str]:
    """A name right behind a relative, where no spaces part words: one that another memory has as well."""
    match = _NAME_JA.match(behind)
    if match:
        yield folded(match["name"])
        return
    for length in (3, 2):
        name = behind[:length]
        bare = len(name) == length and all(map(UNSPACED.match, name)) and name[0] not in _NO_NAME_ZH
        if bare and any(name in row.text for row in others):
            yield folded(name)
            return


def _is_caseless(name: str) -> bool:
    return name == name.upper()


def _is_animal(subject: Subject) -> bool:
    """Whether all of an animal, or of all animals, is asked for."""
    if len(subject.parts) != 1 or subject.names or subject.clause or subject.old or subject.identifiers:
        return False
    part = subject.parts[0]
    return part.is_of(frozenset({"pet"})) or is_animal(part.word)


def _is_thing(subject: Subject) -> bool:
    """Whether a thing is asked for of which there may be one with a name: "the hotel in Gdansk", "my car"."""
    plain = not (subject.clause or subject.states or subject.numbered or subject.identifiers or subject.old)
    return (
        plain and len(subject.parts) == 1 and not subject.parts[0].is_of(PEOPLE) and not is_being(subject.parts[0].word)
    )


def _called_behind(row: Row, matches: Mapping[str, Match]) -> frozenset[str]:
    """The name that stands right behind the thing: "Hotel Podewils"."""
    match = matches[row.id]
    ends = {end for _, end in match.spans} if match.level >= Level.DOUBTFUL else set[int]()
    aside = name_words("given") | name_words("titles") | name_words("prepositions") | STOP_WORDS
    return frozenset(
        word.low
        for before, word in pairwise(read_words(row.text))
        if before.end in ends and word.capital and word.gap == " " and not calendar(word.low)
        if before.low[:1].isalpha() and aside.isdisjoint({before.low, word.low})
    )


def _called(row: Row, matches: Mapping[str, Match]) -> frozenset[str]:
    match = matches[row.id]
    if match.level < Level.DOUBTFUL or not match.spans:
        return frozenset()
    words = read_words(row.text)
    subjects = (_said_to_be(words, words_before(words, start)) for start, _ in match.spans)
    return frozenset((*names_introduced(row.text, match.spans), *filter(None, subjects)))


def _said_to_be(words: Sequence[Word], place: int) -> str:
    """Who or what is said to be the thing at a place, where that has a capital: "Pepper is our cat"."""
    at = place - 1
    while at > 0 and words[at].low in name_words("introduces") | name_words("copulas") | all_words("first"):
        at -= 1
    if at < 0 or at + 1 >= place or words[at + 1].low not in name_words("copulas"):
        return ""
    named = (
        words[at].capital
        and not calendar(words[at].low)
        and words[at].low not in STOP_WORDS | all_words("third") | name_words("pointing")
    )
    return words[at].low if named and (at == 0 or words[at].opens) else ""
