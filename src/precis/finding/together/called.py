"""What an animal or a thing that was asked for is called: where another says "Pepper is our cat", "Hotel Podewils"."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from precis.finding.about.questions import PEOPLE
from precis.finding.capitals import calendar
from precis.finding.kinds import is_animal
from precis.finding.parts import Subject
from precis.finding.reading import Word, read_words, words_before
from precis.finding.tables import all_words, name_words
from precis.finding.together.pronouns import names_introduced
from precis.finding.values import Level, Match, Row
from precis.finding.written.beings import is_being
from precis.language.words import STOP_WORDS


def doubt_by_name(rows: Sequence[Row], matches: dict[str, Match], subject: Subject, own_names: Collection[str]) -> None:
    """Put in doubt what has the name of an animal or a thing that another memory says it has."""
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
