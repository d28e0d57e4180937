"""What is the user's by other memories: "the knee" where another tells of "my knee"."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from precis.finding.about.clauses import bare_thing
from precis.finding.names import people
from precis.finding.parts import Subject
from precis.finding.reading import folded, places_of, read_words
from precis.finding.tables import all_words, name_words
from precis.finding.values import Level, Match, Row
from precis.finding.written.speaking import relations_of


def take_known(rows: Sequence[Row], matches: dict[str, Match], subject: Subject, own_names: Collection[str]) -> None:
    """Make sure what has the word of a thing of the user's with "the" before it, where another row calls it theirs.

    Nobody else may be named in it, and nothing may say which one it is: "the car in front of me".
    """
    several = subject.names or len(subject.parts) != 1
    if several or not subject.mine or subject.clause or subject.foreign or subject.old or subject.current:
        return
    if not any(matches[row.id].level is Level.SURE and matches[row.id].spans for row in rows):
        return
    for row in rows:
        match = matches[row.id]
        exact = {*places_of(subject.parts[0].word, folded(row.text))}
        known = match.level is Level.DOUBTFUL and bool(match.spans) and exact.issuperset(match.spans)
        if known and bare_thing(row.text, match.spans) and not _names_another(row.text, own_names):
            why = "another memory says that it is the user's"
            matches[row.id] = replace(match, level=Level.SURE, why=why)


def _names_another(text: str, own_names: Collection[str]) -> bool:
    """Whether somebody else is named or taken up, or somebody of the user's."""
    words = read_words(text)
    if any(low not in own_names for _, _, low in people(text)):
        return True
    return any(
        word.low in all_words("third") or word.low in name_words("others") or word.owns or relations_of(word)
        for word in words
        if word.low not in own_names
    )
