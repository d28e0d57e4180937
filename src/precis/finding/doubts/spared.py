"""What an exception may mean besides what has its words: "except my dog" the greyhound, and what has its name."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from precis.finding.kinds import are_akin, is_animal
from precis.finding.parts import Subject
from precis.finding.reading import read_words
from precis.finding.together.pronouns import names_introduced
from precis.finding.values import Level, Match, Row, Span

#: Words that begin alike in so many letters may be of one thing: a cellist plays the cello.
_BEGINS = 4


def spared(
    keeps: Sequence[Subject], rows: Sequence[Row], kept: Mapping[str, Match], own_names: frozenset[str]
) -> frozenset[str]:
    """The ids of rows that may tell of what is to be left alone, of another kind or by its name."""
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
    return frozenset(named | meant.keys() | derived)


def _animals(text: str, kinds: Collection[str], *, every: bool) -> Iterator[Span]:
    """Where a text names animals that are one of these, or of which one of these is one; all of them for ``every``."""
    for word in read_words(text) if kinds or every else ():
        if not word.capital and is_animal(word.low) and (every or any(are_akin(word.low, kind) for kind in kinds)):
            yield word.start, word.end
