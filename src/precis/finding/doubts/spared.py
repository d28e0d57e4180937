"""What an exception may mean besides what has its words: "except my dog" the greyhound, and what has its name."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from precis.finding.kinds import are_akin, is_animal
from precis.finding.names import people
from precis.finding.parts import Subject
from precis.finding.reading import folded, places_of, read_words
from precis.finding.tables import calendar_words
from precis.finding.together.following import going_on
from precis.finding.together.pronouns import names_introduced
from precis.finding.values import Level, Match, Row, Span

#: Words that begin alike in so many letters may be of one thing: a cellist plays the cello.
_BEGINS = 4


def spared(
    keeps: Sequence[Subject], rows: Sequence[Row], kept: Mapping[str, Match], own_names: frozenset[str]
) -> frozenset[str]:
    """The ids of rows that may tell of what is to be left alone, of another kind or by its name.

    ``own_names`` are the names of the user, and what was asked for.
    """
    parts = [part for subject in keeps for part in subject.parts]
    animals = [part.word for part in parts if is_animal(part.word)]
    pets = not animals and any("pet" in part.roots for part in parts)
    meant: dict[str, list[Span]] = {}
    for row in rows:
        match = kept[row.id]
        spans = list(match.spans) if match.level >= Level.DOUBTFUL else []
        spans += _animals(row.text, animals, every=pets)
        if spans or match.level >= Level.DOUBTFUL:
            meant[row.id] = spans
    texts = {row.id: row.text for row in rows}
    names = {name for id_, spans in meant.items() for name in names_introduced(texts[id_], spans)} - own_names
    named = {row.id for row in rows for word in read_words(row.text) if word.capital and word.low in names}
    things = [part.word for subject in keeps if not subject.names for part in subject.parts if not part.groups]
    stems = tuple(word[: max(_BEGINS, len(word) - 1)] for word in things if len(word) > _BEGINS)
    derived = {
        row.id
        for row in rows
        if any(it.low.startswith(stems) and it.low not in things for it in (read_words(row.text) if stems else ()))
    }
    by_name = {row.id for row in rows if _is_by_name(row, keeps, own_names)}
    return frozenset(named | meant.keys() | derived | by_name | going_on(rows, meant))


def _is_by_name(row: Row, keeps: Sequence[Subject], own_names: Collection[str]) -> bool:
    """Whether it has a word of what is to be left alone: "Lumo: ..." or "the contract ..." of "the Lumo contract".

    That is a name that was not asked for, a day, and a thing where nobody else is named.
    """
    words, called = read_words(row.text), [subject for subject in keeps if subject.names and subject.parts]
    names = {word for subject in called for name in subject.names for word in name} - {*own_names}
    days = {word.low for subject in called for word in read_words(subject.text)} & calendar_words()
    if any((word.capital and word.low in names) or word.low in days for word in words):
        return True
    things = [part.word for subject in called for part in subject.parts if part.word not in own_names]
    others = any(low not in names for _, _, low in people(row.text)) or any(word.owns for word in words)
    return bool(names) and not others and any(places_of(thing, folded(row.text)) for thing in things)


def _animals(text: str, kinds: Collection[str], *, every: bool) -> Iterator[Span]:
    """Where a text names animals that are one of these, or of which one of these is one; all of them for ``every``."""
    for word in read_words(text) if kinds or every else ():
        if not word.capital and is_animal(word.low) and (every or any(are_akin(word.low, kind) for kind in kinds)):
            yield word.start, word.end
