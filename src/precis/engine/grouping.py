"""Which group a new memory joins: by key, else by nearest centroid.

Pure: the store brings the centroids of the scope.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Grouping:
    """Limits of the nearest-centroid match."""

    #: Largest cosine distance (0..2) to a centroid that still joins.
    distance: float = 0.45
    #: The same where only one of row and cluster has a key: a named subject takes in only what is clearly of it.
    keyed: float = 0.3
    #: Smallest likeness (0..1) of two spellings of one key.
    spelling: float = 0.84


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A new row as grouping sees it."""

    #: Normalized subject, when the caller or a rule named one.
    key: str | None
    #: Whom the row is about, when it names somebody.
    person: str | None
    #: Unit vector; all zeros when the embedder knows none of its words.
    vector: Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """A group as grouping sees it."""

    group_id: str
    key: str | None
    person: str | None
    #: Mean of the members' vectors, not normalized.
    centroid: Vector
    members: int

    def joined_by(self, row: Candidate) -> Cluster:
        """The cluster with one more member; it learns a key or a person it did not know."""
        return replace(
            self,
            key=self.key or row.key,
            person=self.person or row.person,
            centroid=np.asarray((self.centroid * self.members + row.vector) / (self.members + 1), dtype=np.float32),
            members=self.members + 1,
        )


def assign(
    rows: Sequence[Candidate],
    clusters: Sequence[Cluster],
    *,
    grouping: Grouping,
    new_id: Callable[[], str],
) -> tuple[list[str], list[Cluster]]:
    """The group id of each row in order, and the clusters as they are afterwards (touched and new ones only).

    The rows and clusters are of one scope and type. A key decides where there is one; the nearest centroid merges
    spellings of a key and places rows without one. Rows that name different people never join (DECISIONS 2).
    """
    board = _Board(clusters)
    chosen = []
    touched: dict[str, Cluster] = {}
    for row in rows:
        at = board.same_key(row)
        if at is None:
            at = board.nearest(row, grouping)
        if at is None:
            at = board.open(Cluster(group_id=new_id(), key=row.key, person=row.person, centroid=row.vector, members=0))
        cluster = board.join(at, row)
        touched[cluster.group_id] = cluster
        chosen.append(cluster.group_id)
    return chosen, list(touched.values())


class _Board:
    """The clusters of a scope with their unit centroids in one matrix, so that a row is compared with all at once."""

    def __init__(self, clusters: Sequence[Cluster]) -> None:
        self.clusters = list(clusters)
        width = clusters[0].centroid.shape[0] if clusters else 0
        self.units: NDArray[np.float32] = np.zeros((max(16, 2 * len(clusters)), width), dtype=np.float32)
        for at, cluster in enumerate(clusters):
            self.units[at] = _unit(cluster.centroid)

    def same_key(self, row: Candidate) -> int | None:
        """The cluster of this very key, if its person does not differ; the likest person first."""
        if row.key is None:
            return None
        hits = [i for i, c in enumerate(self.clusters) if c.key == row.key and _may_be_one(c.person, row.person)]
        return min(hits, key=lambda i: (self.clusters[i].person != row.person, i), default=None)

    def nearest(self, row: Candidate, grouping: Grouping) -> int | None:
        """The nearest centroid within the limit that the row may join."""
        if not self.clusters or not row.vector.any():
            return None
        distances = 1.0 - self.units[: len(self.clusters)] @ row.vector
        for at in np.argsort(distances, kind="stable"):
            if distances[at] > grouping.distance:
                return None
            if _joinable(self.clusters[at], row, float(distances[at]), grouping):
                return int(at)
        return None

    def open(self, cluster: Cluster) -> int:
        """Add a cluster; answers its place."""
        at = len(self.clusters)
        self.clusters.append(cluster)
        if self.units.shape[1] == 0:
            self.units = np.zeros((self.units.shape[0], cluster.centroid.shape[0]), dtype=np.float32)
        if at >= self.units.shape[0]:
            self.units = np.vstack([self.units, np.zeros_like(self.units)])
        return at

    def join(self, at: int, row: Candidate) -> Cluster:
        """Put the row into the cluster at this place."""
        cluster = self.clusters[at].joined_by(row)
        self.clusters[at] = cluster
        self.units[at] = _unit(cluster.centroid)
        return cluster


def _joinable(cluster: Cluster, row: Candidate, distance: float, grouping: Grouping) -> bool:
    """Near is not enough: the people must be the same, and two keys must be spellings of one."""
    if cluster.person != row.person:
        return False
    if row.key is None and cluster.key is None:
        return True
    if row.key is None or cluster.key is None:
        return distance <= grouping.keyed
    return SequenceMatcher(None, cluster.key, row.key).ratio() >= grouping.spelling


def _may_be_one(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector
