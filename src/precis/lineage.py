"""Lineage: which memories a statement rests on, and what forgetting one of them takes away."""

from __future__ import annotations

from collections.abc import Collection, Iterable
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


def flatten(source_ids: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Several lists of base memories as one, first mention first, each once."""
    return tuple(dict.fromkeys(id_ for ids in source_ids for id_ in ids))
