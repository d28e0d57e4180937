"""Lineage: which memories a statement rests on, and what forgetting one of them takes away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One sentence-sized claim of a summary."""

    text: str
    #: 0..1
    importance: float
    #: Base memories it rests on, flattened through every level, in order of first support.
    source_ids: tuple[str, ...]
    #: Position of the newer statement that displaced this one: kept, not served.
    superseded_by: int | None = None


def rests_on(statement: Statement, memory_ids: Collection[str]) -> bool:
    """Whether any of these memories supports the statement."""
    return any(source in memory_ids for source in statement.source_ids)


def standing(position: int | None, gone: Mapping[int, int | None]) -> int | None:
    """The first statement that is left in a line of displaced ones, from ``position`` on; None when none is.

    ``gone`` says of the positions that were taken away by which newer one each had been displaced.
    """
    passed = set()
    while position is not None and position in gone and position not in passed:
        passed.add(position)
        position = gone[position]
    return None if position in passed else position


def flatten(source_ids: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Several lists of base memories as one, first mention first, each once."""
    return tuple(dict.fromkeys(id_ for ids in source_ids for id_ in ids))
