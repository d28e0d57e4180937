"""Which cluster a row is of: how like its subject is to theirs, less what all memories of the scope share. Pure.

A scope has a mean, which is what its memories have in common: how somebody writes, the project of the year, the
language. What a row differs in from that mean is its subject. Two subjects are as like as the cosine between these
differences is, and the limit rises with the number of clusters, since the best of many chance likenesses is high.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Grouping:
    """Limits of the nearest-centroid match. The distance (0..2) of a row to a cluster is 1 less their likeness."""

    #: Largest distance that still joins, in a scope of few clusters.
    distance: float = 0.76
    #: The same where only one of row and cluster has a key: a named subject takes in only what is clearly of it.
    keyed: float = 0.66
    #: The same for a row whose vector is of its words' letters: there function words are near, too.
    lettered: float = 0.72
    #: Clusters that are few; of more, chance likenesses grow as the square root of twice their number's logarithm,
    #: times this deviation (the largest of so many normal draws).
    few: int = 20
    deviation: float = 0.18
    #: How like a cluster the words of a row that may say what it is about have to be by themselves (-1..1).
    topical: float = 0.15
    #: How much liker it is to a cluster by a rare word that both hold (``bonds``), and by several at most.
    bond: float = 0.2
    bonded: float = 0.35
    #: Smallest likeness (0..1) of two spellings of one key.
    spelling: float = 0.84
    #: Types that rules give. A row whose type the rules found takes that of its cluster.
    types: frozenset[str] = frozenset({"preference", "fact", "relationship", "plan", "decision", "event", "opinion"})

    def limit(self, row: Candidate, clusters: int) -> float:
        """The largest distance at which the row joins one of so many clusters about its person."""
        widest = min(self.lettered, self.distance) if row.lettered else self.distance
        return widest - self.deviation * max(0.0, _chance(clusters) - _chance(self.few))


def _chance(clusters: int) -> float:
    return math.sqrt(2 * math.log1p(clusters))


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A new row as grouping sees it."""

    #: Normalized subject, when the caller or a rule named one.
    key: str | None
    #: Whom the row is about, when it names somebody.
    person: str | None
    #: Unit vector; all zeros when the embedder knows none of its words.
    vector: Vector
    #: Whether the vector is of the letters of its words, since the embedder does not read the language.
    lettered: bool = False
    type: str = "fact"
    #: Whether a rule found the type, which then follows the subject; else it binds.
    loose: bool = False
    #: Unit vector of those of its words that may say what it is about, all zeros without any; None: not known.
    topic: Vector | None = None
    #: Their stems, where words count (``bonds``).
    words: frozenset[str] = frozenset()
    #: The stems of words that are told with a subject and name none: of what is done, and of mood.
    verbs: frozenset[str] = frozenset()
    moods: frozenset[str] = frozenset()
    #: The stems of the name of its person, and who says it.
    name: frozenset[str] = frozenset()
    speaker: str | None = None
    #: Names of two words in it, where words count.
    called: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """A group as grouping sees it."""

    group_id: str
    key: str | None
    person: str | None
    #: Mean of the members' vectors, not normalized.
    centroid: Vector
    members: int
    type: str = "fact"

    def joined_by(self, row: Candidate) -> Cluster:
        """The cluster with one more member; it learns a key or a person it did not know."""
        return replace(
            self,
            key=self.key or row.key,
            person=self.person or row.person,
            centroid=np.asarray((self.centroid * self.members + row.vector) / (self.members + 1), dtype=np.float32),
            members=self.members + 1,
        )

    def left_by(self, row: Candidate) -> Cluster:
        """The cluster without one of its members."""
        rest = self.members - 1
        mean = (self.centroid * self.members - row.vector) / rest if rest else np.zeros_like(self.centroid)
        return replace(self, centroid=np.asarray(mean, dtype=np.float32), members=rest)


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
            empty = Cluster(
                group_id=new_id(), key=row.key, person=row.person, centroid=row.vector, members=0, type=row.type
            )
            at = self._open(empty)
        self._put(at, row, near)
        return at

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
        likeness = self._likeness(row.vector, near)
        if stays is not None:
            likeness[stays] += pull
        about = self._about[: len(near)] == self._people.get(row.person)
        limit = self._grouping.limit(row, int(np.count_nonzero(about)))
        likeness += (bonds := self._bonds(row, about))
        near_enough = (about | (bonds > 0)) & (likeness >= 1 - limit - _ROUNDING)
        if row.topic is not None and near_enough.any():
            alike = self._likeness(row.topic, self._products(row.topic))
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

    def _likeness(self, vector: Vector, near: NDArray[np.float64]) -> NDArray[np.float64]:
        """The cosine to each cluster, both less the mean of the rest; a cluster's first members are no part of that."""
        count = len(near)
        shared, apart, alone = self._shared[:count], self._apart[:count], self._alone[:count]
        rest = 1 / (self._rows + UNSEEN - apart)
        others = shared - alone
        common = others * rest
        own = (float(self._total @ vector) - apart * near) * rest
        square = (float(self._total @ self._total) - apart * (shared + others)) * rest * rest
        both = 1 + square
        lengths = (both - 2 * own) * (both - 2 * common)
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
        self._means[at] = cluster.centroid if cluster.members else 0
        self._sizes[at] = cluster.members if self._means[at].any() else 0
        self._apart[at] = min(self._sizes[at], _APART)
        self._alone[at] = self._apart[at] * float(self._means[at] @ self._means[at])
        # A cluster without a mean is near nobody's rows.
        self._about[at] = self._people.setdefault(cluster.person, len(self._people)) if self._sizes[at] else -1
        self._rows += float(self._sizes[at]) - before


def _may_be_one(person: str | None, other: str | None) -> bool:
    return person is None or other is None or person == other
