"""Who somebody of the user's is by name: "my daughter's grades" are Lea's, where a memory says that Lea is she."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from precis.finding.kinds import is_person
from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, folded, read_words, words_before
from precis.finding.tables import all_words, any_group
from precis.finding.together.pronouns import names_introduced
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.speaking import RELATIONS, relations_of


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
        names = _names(kin[0], rows, own_names)
        if len(names) == 1:
            yield at, replace(subject, names=((names.pop(),),), parts=others, mine=False)


def unless_another(subject: Subject, row: Row, match: Match) -> Match:
    """The match of a name, in doubt where it has somebody else before it: "Pastor Mark" and not "my brother Mark"."""
    if match.level is Level.SURE and _is_called_otherwise(subject, row, match.spans):
        return replace(match, level=Level.DOUBTFUL, why="it may be somebody else of that name")
    return match


def _is_called_otherwise(subject: Subject, row: Row, spans: Collection[Span]) -> bool:
    own = {part for name in subject.names for part in name}
    asked = [word for word in read_words(subject.text) if is_person(word.low) and word.low not in own]
    words = read_words(row.text)
    places = (words_before(words, start) for start, _ in spans)
    called = [words[at - 1] for at in places if at and words[at].gap == " " and is_person(words[at - 1].low)]
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
