"""Of one name that somebody and an animal or a thing have: "my cousin Oscar", and "my cat Oscar" where he was meant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from precis.finding.kinds import is_animal
from precis.finding.nouns import names_thing
from precis.finding.parts import Subject
from precis.finding.reading import Word, read_words
from precis.finding.tables import name_words
from precis.finding.values import Level, Match, Row
from precis.finding.written.beings import is_being
from precis.language.words import STOP_WORDS

_CALLED = frozenset({"called", "named"})


def with_bearers(rows: Sequence[Row], matches: dict[str, Match], subject: Subject) -> None:
    """Put in doubt what has the name that was asked for as an animal's or a thing's, where a person has it as well."""
    names = {name[0] for name in subject.names if len(name) == 1}
    words = read_words(subject.text)
    if len(names) != 1 or subject.parts or subject.language != "en" or any(is_being(word.low) for word in words[:-1]):
        return
    (name,) = names
    meant = [row for row in rows if matches[row.id].level is Level.SURE]
    said: Mapping[str, set[bool]] = {row.id: set(_people(read_words(row.text), name)) for row in meant}
    if not any(True in kinds for kinds in said.values()):
        return
    for row in meant:
        if said[row.id] == {False}:
            matches[row.id] = replace(
                matches[row.id], level=Level.DOUBTFUL, why="somebody else has that name as well as what is called so"
            )


def _people(words: Sequence[Word], name: str) -> Iterator[bool]:
    """For each place that says who or what is called so, whether that is a person."""
    for at, word in enumerate(words):
        noun = _noun(words, at) if word.low == name and word.capital else ""
        if noun and is_animal(noun):
            yield False
        elif noun and is_being(noun):
            yield True
        elif noun and names_thing(noun):
            yield False


def _noun(words: Sequence[Word], at: int) -> str:
    """The noun that says what is called so: of "cat Oscar", "a cat called Oscar" or "Oscar is user's cat" the cat."""
    before = [word for word in words[max(0, at - 3) : at] if not word.capital]
    if before and words[at].gap == " " and before[-1] is words[at - 1]:
        nouns = [word.low for word in before if word.low not in _CALLED | name_words("copulas")]
        called = before[-1].low in _CALLED
        plain = not before[-1].owns and before[-1].low not in STOP_WORDS
        if nouns and (called or plain):
            return nouns[-1]
    behind = words[at + 1 : at + 8]
    if len(behind) > 1 and behind[0].low in name_words("copulas") and (behind[1].owns or behind[1].low in STOP_WORDS):
        run = [*takewhile(lambda word: word.gap == " " and word.low not in STOP_WORDS, behind[2:])]
        return run[-1].low if run else ""
    return ""
