"""Turns of a conversation: what the rows around a row in its session add to it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from operator import ne

import numpy as np
from numpy.typing import NDArray

from precis.recall.pool import Candidate, Floats, Pool, rarity_of

#: How many candidates of its session, to either side, stand around a row; and how many terms a turn has that says much.
_AROUND, _WORDED = 8, 6


def stretches(pool: Pool, rows: Sequence[Candidate], counts: Floats) -> Floats:
    """The share of the question's words that each row holds with the candidates around it in its session.

    Of a long row those of one passage count: as a whole it holds some word of any question.
    """
    rarity = np.where(np.asarray(pool.holding) > 0, rarity_of(pool), 0.0)
    holds = np.minimum(1.0, counts)
    for at, row in enumerate(rows):
        if row.passages:
            of_passages = np.minimum(1.0, np.asarray(row.passages, dtype=np.float64))
            holds[at] = of_passages[(of_passages * rarity).sum(axis=1).argmax()]
    around = _read_together(rows, holds)
    shares: Floats = (around * rarity).sum(axis=1) / max(rarity.sum(), 1e-9)
    return shares


def _read_together(rows: Sequence[Candidate], holds: Floats) -> Floats:
    """What each row holds, or a candidate that stands around it in its session."""
    order = sorted((row.session, row.created_at, row.id, at) for at, row in enumerate(rows) if row.session is not None)
    if not order:
        return holds
    sessions, _, _, turns = map(list, zip(*order, strict=True))
    # All sessions in one column, with so many empty lines between two that none reaches into the next.
    begins = [False, *map(ne, sessions, sessions[1:])]
    lines = np.arange(len(turns)) + _AROUND * np.cumsum(begins)
    column = np.zeros((lines[-1] + 1 + 2 * _AROUND, holds.shape[1]), dtype=np.bool_)
    column[lines + _AROUND] = holds[turns] > 0
    # A line stands for itself, then for 2, 4, 8, 16 and 17 from it on: with eight before it, for eight to either side.
    for step in (1, 2, 4, 8, 1):
        column = column[:-step] | column[step:]
    around = holds.copy()
    around[turns] = column[lines]
    return around


def shortness(rows: Sequence[Candidate], lengths: Floats) -> Floats:
    """How near each row is to a turn of no words, 0..1; what is no turn was written to be kept, however short."""
    turns = np.asarray([row.session is not None for row in rows])
    short: Floats = np.where(turns, 1.0 - np.minimum(1.0, np.log1p(lengths) / np.log1p(_WORDED)), 0.0)
    return short


def places(links: Mapping[str, str], at: Mapping[str, int]) -> NDArray[np.int64]:
    """Where the linked row of each row stands; -1 for none."""
    linked = map(links.get, at, repeat(""))
    return np.fromiter(map(at.get, linked, repeat(-1)), dtype=np.int64, count=len(at))


def of_neighbors(values: Floats, before: NDArray[np.int64], after: NDArray[np.int64]) -> Floats:
    """The sum of the values of each row's neighbors."""
    padded = np.concatenate([values, np.zeros_like(values[:1])])
    neighbors: Floats = padded[before] + padded[after]
    return neighbors


def mean_neighbors(before: NDArray[np.int64], after: NDArray[np.int64]) -> float:
    """How many neighbors a row that has any has, on average."""
    having = (before >= 0) | (after >= 0)
    return float(((before >= 0).sum() + (after >= 0).sum()) / max(1, having.sum()))
