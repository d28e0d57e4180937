"""Subjects that come back again and again: memories that have several others nearer than chance. Pure.

Whoever asks a bank, a shop or an assistant asks for the same few things in many words. There a memory says less of its
subject than it and those nearest to it do, so each is taken with its neighbors; then the two clusters whose members
are on average most alike become one, and so on (UPGMA, Sokal and Michener 1958). Talk has few such memories: where
those of a cluster are no nearer than the best of so many chance likenesses, it is left to the rest of grouping.
"""

import math
from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from precis.engine.grouping.clusters import Candidate, Grouping
from precis.engine.grouping.likeness import UNSEEN

Vectors = NDArray[np.float32]
Places = NDArray[np.int64]

#: With so many of those nearest to it a memory is taken, and so often: the neighbors have neighbors.
_NEIGHBORS, _ROUNDS = 10, 2
#: How alike two clusters are on average (-1..1, each memory with its neighbors) that become one.
_ALIKE = 0.72
#: A memory that comes back has so many neighbors nearer than chance; so large a share of a cluster are such memories.
#: Each member has one at least.
_RETURNS, _MOSTLY, _COMPANY = 3, 0.5, 1
#: A cluster of fewer has no summary.
_FEWEST = 3
#: Rows of which the likeness to all others is in memory at once.
_AT_ONCE = 1_000
_NOTHING = 1e-9


def returning(rows: Sequence[Candidate], grouping: Grouping) -> list[int | None]:
    """The cluster of each row by a number; none for a row that is of no subject which comes back.

    Rows of one cluster are about one person, and of types that may be in one cluster. A row with a key, or whose vector
    is of letters, is in none.
    """
    places: list[int | None] = [None] * len(rows)
    apart: dict[tuple[str | None, str], list[int]] = {}
    for at in _comparable(rows):
        row = rows[at]
        kind = "" if row.loose and row.type in grouping.types else row.type
        apart.setdefault((row.person, kind), []).append(at)
    least = 1 - (1 - _ALIKE) * grouping.distance / Grouping().distance
    for members in apart.values():
        if len(members) > _NEIGHBORS:
            vectors = np.array([rows[at].vector for at in members], dtype=np.float32)
            for at, place in zip(members, _clusters(vectors, least), strict=True):
                places[at] = None if place is None else members[place]
    return places


def _comparable(rows: Sequence[Candidate]) -> list[int]:
    """Those with a vector of meanings and no key; and no first name that two people have."""
    called = {name for row in rows for name in row.called}
    namesakes = {first for first, number in Counter(first for first, _ in called).items() if number > 1}
    return [
        at
        for at, row in enumerate(rows)
        if row.key is None
        and not row.lettered
        and row.vector.any()
        and namesakes.isdisjoint(first for first, _ in row.called)
    ]


def _clusters(vectors: Vectors, least: float) -> list[int | None]:
    """The first member of the cluster of each, where most of that come back."""
    taken = _unit(vectors - vectors.sum(axis=0) / (len(vectors) + UNSEEN))
    chance = _chance(taken)
    nearest, near = _nearest(taken)
    company = (near >= chance).sum(axis=1)
    returns = company >= _RETURNS
    if returns.sum() < _FEWEST:
        return [None] * len(vectors)
    for again in range(_ROUNDS):
        if again:
            nearest, near = _nearest(taken)
        weights = np.maximum(near, 0)
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), _NOTHING)
        taken = _unit(taken + sum(weights[:, [at]] * taken[nearest[:, at]] for at in range(_NEIGHBORS)))
    linked = _Linkage(_unit(taken - taken.mean(axis=0)), nearest, least).joined()
    sizes, coming = Counter(linked), Counter(place for place, comes in zip(linked, returns, strict=True) if comes)
    return [
        place if others >= _COMPANY and sizes[place] >= _FEWEST and coming[place] >= _MOSTLY * sizes[place] else None
        for place, others in zip(linked, company, strict=True)
    ]


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, _NOTHING), dtype=np.float32)


def _chance(vectors: Vectors) -> float:
    """The largest of so many likenesses that chance alone would give: their deviation tells."""
    count = len(vectors)
    pairs = count * (count - 1)
    shared = vectors.T @ vectors
    total = vectors.sum(axis=0)
    mean = (float(total @ total) - count) / pairs
    square = (float((shared * shared).sum()) - count) / pairs
    return math.sqrt(max(0.0, square - mean * mean) * 2 * math.log(count))


def _nearest(vectors: Vectors) -> tuple[Places, Vectors]:
    """The places of those nearest to each, and how like they are."""
    nearest = np.empty((len(vectors), _NEIGHBORS), dtype=np.int64)
    near = np.empty((len(vectors), _NEIGHBORS), dtype=np.float32)
    for start in range(0, len(vectors), _AT_ONCE):
        likeness = vectors[start : start + _AT_ONCE] @ vectors.T
        rows = np.arange(len(likeness))
        likeness[rows, start + rows] = -np.inf
        best = np.argpartition(-likeness, _NEIGHBORS - 1, axis=1)[:, :_NEIGHBORS]
        nearest[start : start + _AT_ONCE] = best
        near[start : start + _AT_ONCE] = np.take_along_axis(likeness, best, axis=1)
    return nearest, near


class _Linkage:
    """Clusters of which those join that are on average most alike, as far as they have neighbors in each other."""

    def __init__(self, vectors: Vectors, nearest: Places, least: float) -> None:
        self._least = least
        self._sums = vectors.astype(np.float64)
        self._sizes = np.ones(len(vectors))
        self._linked: list[set[int]] = [set() for _ in vectors]
        for at, others in enumerate(nearest.tolist()):
            for other in others:
                self._linked[at].add(other)
                self._linked[other].add(at)
        self._places = list(range(len(vectors)))

    def joined(self) -> list[int]:
        """The place of each row's cluster: that of one of its members."""
        heap = [offer for at in range(len(self._places)) for offer in self._offers(at) if offer[1] == at]
        heapify(heap)
        while heap:
            _, one, other, size, other_size = heappop(heap)
            # Those that have grown meanwhile, or are gone, have made another offer.
            if (size, other_size) == (self._sizes[one], self._sizes[other]):
                for offer in self._offers(self._join(one, other)):
                    heappush(heap, offer)
        return [self._root(at) for at in range(len(self._places))]

    def _offers(self, at: int) -> list[tuple[float, int, int, float, float]]:
        """Whom this cluster may join, with the sizes of both."""
        others = sorted(self._linked[at])
        if not others:
            return []
        alike = self._sums[others] @ self._sums[at] / (self._sizes[others] * self._sizes[at])
        # Rounded, so that no two machines order them differently.
        return [
            (-round(mean, 5), one, another, self._sizes[one], self._sizes[another])
            for mean, one, another in (
                (mean, min(at, other), max(at, other)) for mean, other in zip(alike.tolist(), others, strict=True)
            )
            if mean >= self._least
        ]

    def _join(self, one: int, other: int) -> int:
        """Make one of two; the larger stays."""
        place, gone = (one, other) if self._sizes[one] >= self._sizes[other] else (other, one)
        self._sums[place] += self._sums[gone]
        self._sizes[place] += self._sizes[gone]
        self._sizes[gone] = 0
        self._places[gone] = place
        for other_place in self._linked[gone] - {place}:
            self._linked[other_place].discard(gone)
            self._linked[other_place].add(place)
            self._linked[place].add(other_place)
        self._linked[place].discard(gone)
        self._linked[gone] = set()
        return place

    def _root(self, at: int) -> int:
        while self._places[at] != at:
            at = self._places[at]
        return at
