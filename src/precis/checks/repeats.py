"""Equal statements are one: a draft that says a thing again says it once, on all the sources it named for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from precis.language.sentences import sentences
from precis.language.words import normal
from precis.lineage import Statement, flatten
from precis.makers import Draft, DraftStatement

#: Signs at the end and the beginning of a statement that say nothing. A question mark does.
_EDGES = ' .!;,\u2026\u3002"\u201c\u201d\u00ab\u00bb*'


def united(draft: Draft) -> Draft:
    """The draft with each sentence of a statement once, and equal statements as one that rests on all their sources."""
    kept: dict[str, DraftStatement] = {}
    for statement in draft.statements:
        text = once(statement.text)
        key = alike(text) or text
        first = kept.get(key)
        kept[key] = (
            replace(statement, text=text)
            if first is None
            else replace(
                first,
                importance=max(first.importance, statement.importance),
                sources=tuple(dict.fromkeys((*first.sources, *statement.sources))),
            )
        )
    return replace(draft, statements=tuple(kept.values()))


def once(text: str) -> str:
    """The text with each of its sentences once; as it was where none comes twice."""
    parts = sentences(text)
    kept = {alike(part) or part: part for part in reversed(parts)}
    return text if len(kept) == len(parts) else " ".join(reversed(kept.values()))


def united_statements(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The same of statements that rest on base memories; displaced ones stay where they are."""
    place: dict[str, int] = {}
    kept: list[Statement] = []
    moved: dict[int, int] = {}
    for at, statement in enumerate(statements):
        key = alike(statement.text)
        first = place.get(key) if statement.superseded_by is None and key else None
        if first is None:
            moved[at] = len(kept)
            kept.append(statement)
            if statement.superseded_by is None and key:
                place[key] = moved[at]
            continue
        moved[at] = first
        older = kept[first]
        kept[first] = replace(
            older,
            importance=max(older.importance, statement.importance),
            source_ids=flatten([older.source_ids, statement.source_ids]),
        )
    return tuple(replace(s, superseded_by=None if s.superseded_by is None else moved[s.superseded_by]) for s in kept)


def alike(text: str) -> str:
    """What two spellings of one statement share: all but case, space, quotation marks and the full stop."""
    return " ".join(normal(text).casefold().split()).strip(_EDGES)
