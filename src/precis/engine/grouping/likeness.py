"""Which cluster a row is of: how like its subject is to theirs, less what all memories of the scope share. Pure.

A scope has a mean, which is what its memories have in common: how somebody writes, the project of the year, the
language. What a row differs in from that mean is its subject. Two subjects are as like as the cosine between these
differences is, and the limit rises with the number of clusters, since the best of many chance likenesses is high.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from precis.engine.grouping.clusters import Candidate, Cluster, Grouping, Vector


def assign(
    rows: Sequence[Candidate],
    clusters: Sequence[Cluster],
    *,
    grouping: Grouping,
    new_id: Callable[[], str],
) -> tuple[list[str], list[Cluster]]:
    """The group id of each row in order, and the clusters as they are afterwards (touched and new ones only).

    The rows and clusters are of one scope. A key decides where there is one; the nearest centroid merges spellings of a
    key and places rows without one. Rows that name different people never join (DECISIONS 2), nor do types that bind.
    """
    board = Board(clusters, grouping)
    group_ids = []
    touched: dict[str, Cluster] = {}
    for row in rows:
        cluster = board.clusters[board.place(row, new_id)]
        touched[cluster.group_id] = cluster
        group_ids.append(cluster.group_id)
    return group_ids, list(touched.values())


#: Rows of no likeness that are counted to a scope: what few rows have in common is not yet what all have.
UNSEEN = 10
#: So many members of a cluster are no part of the rest that it and the row are held against.
_APART = 3
#: Where all of a scope are alike, so far below their cosine two are still as like as that says.
_PLAINLY = 0.4
#: Products of squared lengths below this are nothing but rounding, and so are such differences of cosines.
_NOTHING, _ROUNDING = 1e-9, 1e-5


class _Rest(NamedTuple):
    """Of each cluster of a scope, what its likeness to any row is made of; found once for all vectors of a row."""

    apart: NDArray[np.float64]
    rest: NDArray[np.float64]
    common: NDArray[np.float64]
    square: NDArray[np.float64]
    both: NDArray[np.float64]
    length: NDArray[np.float64]


class Board:
    """The clusters of a scope with their means in one matrix, so that a row is compared with all at once."""

    def __init__(self, clusters: Sequence[Cluster], grouping: Grouping) -> None:
        self.clusters: list[Cluster] = []
        self._grouping = grouping
        width, room = clusters[0].centroid.shape[0] if clusters else 0, max(16, 2 * len(clusters))
        self._means: NDArray[np.float32] = np.zeros((room, width), dtype=np.float32)
        self._sizes: NDArray[np.float64] = np.zeros(room)
        #: Sum of the rows of all clusters, how many they are, and the product of the sum with each mean.
        self._total: NDArray[np.float64] = np.zeros(width)
        self._rows = 0.0
        #: Numbers of the people that clusters are about, and whom each is about.
        self._people: dict[str | None, int] = {}
        self._about: NDArray[np.int64] = np.zeros(room, dtype=np.int64)
        self._shared: NDArray[np.float64] = np.zeros(room)
        #: Members of each that count as no part of the rest, and the product of their sum with the mean.
        self._apart: NDArray[np.float64] = np.zeros(room)
        self._alone: NDArray[np.float64] = np.zeros(room)
        if clusters:
            self._fill(clusters)
        self._total = self._sizes @ self._means
        self._shared = self._means @ self._total

    def _fill(self, clusters: Sequence[Cluster]) -> None:
        """Open all of these at once: as ``_open`` and ``_write`` of each."""
        count = len(clusters)
        self.clusters = list(clusters)
        means = self._means[:count]
        np.concatenate([cluster.centroid for cluster in clusters], out=means.reshape(-1))
        sizes = np.array([cluster.members for cluster in clusters], dtype=np.float64)
        means[sizes == 0] = 0
        squares = np.einsum("ij,ij->i", means, means)
        sizes[squares == 0] = 0
        self._sizes[:count], self._rows = sizes, float(sizes.sum())
        self._apart[:count] = np.minimum(sizes, _APART)
        self._alone[:count] = self._apart[:count] * squares
        for at in np.flatnonzero(sizes).tolist():
            self._people.setdefault(clusters[at].person, len(self._people))
        about = np.array([self._people.get(cluster.person, -1) for cluster in clusters], dtype=np.int64)
        self._about[:count] = np.where(sizes > 0, about, -1)

    def place(self, row: Candidate, new_id: Callable[[], str], *, stays: int | None = None, pull: float = 0.0) -> int:
        """Put the row where it belongs; answers the place. ``stays`` is nearer by ``pull`` than it is."""
        near = self._products(row.vector)
        at = self._same_key(row)
        if at is None:
            at = self._nearest(row, near, stays, pull)
        if at is None and stays is not None and not self.clusters[stays].members:
            at = stays
        if at is None:
            at = self.open_for(row, new_id)
        self._put(at, row, near)
        return at

    def open_for(self, row: Candidate, new_id: Callable[[], str]) -> int:
        """Open a cluster without members that is about what the row is about; answers its place."""
        return self._open(
            Cluster(group_id=new_id(), key=row.key, person=row.person, centroid=row.vector, members=0, type=row.type)
        )

    def _put(self, at: int, row: Candidate, near: NDArray[np.float64]) -> None:
        self._shared[: len(near)] += near
        self._count(at, self.clusters[at].joined_by(row), row.vector)

    def _products(self, vector: Vector) -> NDArray[np.float64]:
        """The product of the vector with each mean."""
        return (self._means[: len(self.clusters)] @ vector if self.clusters else np.zeros(0)).astype(np.float64)

    def take(self, at: int, row: Candidate) -> None:
        """Take a row out of the cluster at this place, which may be empty afterwards."""
        self._shared[: len(self.clusters)] -= self._means[: len(self.clusters)] @ row.vector
        self._count(at, self.clusters[at].left_by(row), -row.vector)

    def _same_key(self, row: Candidate) -> int | None:
        """The cluster of this very key, if its person does not differ; the likest person first."""
        if row.key is None:
            return None
        hits = [
            i
            for i, c in enumerate(self.clusters)
            if c.key == row.key and _may_be_one(c.person, row.person) and self._of_type(c, row)
        ]
        return min(hits, key=lambda i: (self.clusters[i].person != row.person, i), default=None)

    def _nearest(self, row: Candidate, near: NDArray[np.float64], stays: int | None, pull: float) -> int | None:
        """The nearest cluster within the limit that the row may join."""
        if not self.clusters or not row.vector.any():
            return None
        rest = self._rest(len(near))
        likeness = self._likeness(row.vector, near, rest)
        if stays is not None:
            likeness[stays] += pull
        about = self._about[: len(near)] == self._people.get(row.person)
        limit = self._grouping.limit(row, int(np.count_nonzero(about)))
        bonds = self._bonds(row, about)
        # Of letters those of small words count as well: a row is as like as its words are that say what it is about.
        topic = row.topic
        alike = self._likeness(topic, self._products(topic), rest) if row.lettered and topic is not None else None
        likeness = (likeness if alike is None else np.maximum(likeness, alike)) + bonds
        near_enough = (about | (bonds > 0)) & (likeness >= 1 - limit - _ROUNDING)
        if topic is not None and near_enough.any():
            alike = self._likeness(topic, self._products(topic), rest) if alike is None else alike
            near_enough &= (bonds > 0) | (alike >= self._grouping.topical)
        # Rounded, so that no two machines order them differently.
        distances = {int(at): round(1 - float(likeness[at]), 5) for at in np.flatnonzero(near_enough)}
        for at in sorted(distances, key=lambda place: (distances[place], place)):
            if distances[at] <= limit and self._joinable(at, row, limit - distances[at]):
                return at
        return None

    def _bonds(self, _row: Candidate, about: NDArray[np.bool_], /) -> NDArray[np.float64]:
        """How much liker a row is to each cluster by words: not at all. ``about``: which are about its person."""
        return np.zeros(len(about))

    def _rest(self, count: int) -> _Rest:
        """The rest of the scope beside each cluster, whose first members are no part of it."""
        shared, apart, alone = self._shared[:count], self._apart[:count], self._alone[:count]
        rest = 1 / (self._rows + UNSEEN - apart)
        others = shared - alone
        common = others * rest
        square = (float(self._total @ self._total) - apart * (shared + others)) * rest * rest
        return _Rest(apart, rest, common, square, 1 + square, 1 + square - 2 * common)

    def _likeness(self, vector: Vector, near: NDArray[np.float64], beside: _Rest) -> NDArray[np.float64]:
        """The cosine to each cluster, both less the mean of the rest."""
        apart, rest, common, square, both, length = beside
        own = (float(self._total @ vector) - apart * near) * rest
        lengths = (both - 2 * own) * length
        likeness = (near + square - own - common) / np.sqrt(np.maximum(lengths, _NOTHING))
        return np.maximum(likeness, near - _PLAINLY, out=likeness)

    def _joinable(self, at: int, row: Candidate, margin: float) -> bool:
        """Near is not enough: types must be the same, and two keys must be spellings of one."""
        cluster = self.clusters[at]
        if not self._of_type(cluster, row):
            return False
        if row.key is None and cluster.key is None:
            return True
        if row.key is None or cluster.key is None:
            return margin >= self._grouping.distance - self._grouping.keyed
        return SequenceMatcher(None, cluster.key, row.key).ratio() >= self._grouping.spelling

    def _of_type(self, cluster: Cluster, row: Candidate) -> bool:
        return cluster.type == row.type or (row.loose and {cluster.type, row.type} <= self._grouping.types)

    def _open(self, cluster: Cluster) -> int:
        """Add a cluster; answers its place."""
        at = len(self.clusters)
        self.clusters.append(cluster)
        width = cluster.centroid.shape[0]
        if self._means.shape[1] == 0:
            self._means, self._total = np.zeros((self._means.shape[0], width), dtype=np.float32), np.zeros(width)
        if at >= self._means.shape[0]:
            self._means = np.vstack([self._means, np.zeros_like(self._means)])
            for name in ("_sizes", "_shared", "_apart", "_alone", "_about"):
                figures = getattr(self, name)
                setattr(self, name, np.concatenate([figures, np.zeros_like(figures)]))
        return at

    def _count(self, at: int, cluster: Cluster, change: Vector) -> None:
        """A row came to this cluster, or left it."""
        self._total += change
        self._write(at, cluster)
        self._shared[at] = float(self._means[at] @ self._total)

    def _write(self, at: int, cluster: Cluster) -> None:
        """Put a cluster into the matrix; one without a mean counts for nothing."""
        before = float(self._sizes[at])
        self.clusters[at] = cluster
        mean = self._means[at]
        mean[:] = cluster.centroid if cluster.members else 0
        square = float(mean @ mean)
        size = cluster.members if square else 0
        self._sizes[at], self._apart[at] = size, min(size, _APART)
        self._alone[at] = min(size, _APART) * square
        # A cluster without a mean is near nobody's rows.
        self._about[at] = self._people.setdefault(cluster.person, len(self._people)) if size else -1
        self._rows += size - before


def _may_be_one(person: str | None, other: str | None) -> bool:
    return person is None or other is None or person == other
