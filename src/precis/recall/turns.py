"""Turns of a conversation: what the rows around a row in its session add to it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

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
    around = holds.copy()
    sessions: dict[Hashable, list[int]] = defaultdict(list)
    for at in sorted(range(len(rows)), key=lambda at: (rows[at].created_at, rows[at].id)):
        if rows[at].session is not None:
            sessions[rows[at].session].append(at)
    for turns in sessions.values():
        of_turns = holds[turns]
        for step in range(1, min(_AROUND + 1, len(turns))):
            around[turns[step:]] = np.maximum(around[turns[step:]], of_turns[:-step])
            around[turns[:-step]] = np.maximum(around[turns[:-step]], of_turns[step:])
    shares: Floats = (around * rarity).sum(axis=1) / max(rarity.sum(), 1e-9)
    return shares


def shortness(rows: Sequence[Candidate], lengths: Floats) -> Floats:
    """How near each row is to a turn of no words, 0..1; what is no turn was written to be kept, however short."""
    turns = np.asarray([row.session is not None for row in rows])
    short: Floats = np.where(turns, 1.0 - np.minimum(1.0, np.log1p(lengths) / np.log1p(_WORDED)), 0.0)
    return short


def places(links: Mapping[str, str], at: Mapping[str, int]) -> NDArray[np.int64]:
    """Where the linked row of each row stands; -1 for none."""
    positions = np.full(len(at), -1, dtype=np.int64)
    for id_, linked in links.items():
        if id_ in at and linked in at:
            positions[at[id_]] = at[linked]
    return positions


def of_neighbors(values: Floats, before: NDArray[np.int64], after: NDArray[np.int64]) -> Floats:
    """The sum of the values of each row's neighbors."""
    padded = np.concatenate([values, np.zeros_like(values[:1])])
    neighbors: Floats = padded[before] + padded[after]
    return neighbors


def mean_neighbors(before: NDArray[np.int64], after: NDArray[np.int64]) -> float:
    """How many neighbors a row that has any has, on average."""
    having = (before >= 0) | (after >= 0)
    return float(((before >= 0).sum() + (after >= 0).sum()) / max(1, having.sum()))
