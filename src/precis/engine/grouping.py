"""Grouping: which rows a policy reads, which group each belongs to, and when a group is due. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from precis.memory import Memory, MemoryType

Vector = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Grouping:
    """Limits of the nearest-centroid match.

    The distance (0..2) of a row to a cluster is 1 less its mean cosine to the members, plus its mean cosine to the rest
    of the scope: what a row has in common with everything says nothing of where it belongs.
    """

    #: Largest distance that still joins.
    distance: float = 0.66
    #: The same where only one of row and cluster has a key: a named subject takes in only what is clearly of it.
    keyed: float = 0.5
    #: The same for a row whose vector is of its words' letters: unrelated ones are hardly ever nearer than 0.9.
    lettered: float = 0.76
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
    #: Whether the vector is of the letters of its words, since the embedder does not read the language.
    lettered: bool = False


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
    group_ids = []
    touched: dict[str, Cluster] = {}
    for row in rows:
        at = board.same_key(row)
        if at is None:
            at = board.nearest(row, grouping)
        if at is None:
            at = board.open(Cluster(group_id=new_id(), key=row.key, person=row.person, centroid=row.vector, members=0))
        cluster = board.join(at, row)
        touched[cluster.group_id] = cluster
        group_ids.append(cluster.group_id)
    return group_ids, list(touched.values())


#: Rows of no likeness that are counted to the rest of a scope: what few rows have in common is not yet what all have.
_UNSEEN = 10


class _Board:
    """The clusters of a scope with their means in one matrix, so that a row is compared with all at once."""

    def __init__(self, clusters: Sequence[Cluster]) -> None:
        self.clusters = list(clusters)
        width = clusters[0].centroid.shape[0] if clusters else 0
        room = max(16, 2 * len(clusters))
        self.means: NDArray[np.float32] = np.zeros((room, width), dtype=np.float32)
        self.sizes: NDArray[np.float32] = np.zeros(room, dtype=np.float32)
        #: Sum of the rows of all clusters, and how many they are.
        self.total: NDArray[np.float64] = np.zeros(width)
        self.rows = 0.0
        for at in range(len(clusters)):
            self._place(at)
        self.total += self.sizes @ self.means

    def same_key(self, row: Candidate) -> int | None:
        """The cluster of this very key, if its person does not differ; the likest person first."""
        if row.key is None:
            return None
        hits = [i for i, c in enumerate(self.clusters) if c.key == row.key and _may_be_one(c.person, row.person)]
        return min(hits, key=lambda i: (self.clusters[i].person != row.person, i), default=None)

    def nearest(self, row: Candidate, grouping: Grouping) -> int | None:
        """The nearest cluster within the limit that the row may join."""
        if not self.clusters or not row.vector.any():
            return None
        distances = self._distances(row.vector)
        (near,) = np.nonzero(distances <= (grouping.lettered if row.lettered else grouping.distance))
        # Rounded, so that no two machines order them differently.
        for at in sorted(near.tolist(), key=lambda place: (round(float(distances[place]), 5), place)):
            if _joinable(self.clusters[at], row, float(distances[at]), grouping):
                return int(at)
        return None

    def _distances(self, vector: Vector) -> NDArray[np.float32]:
        """That of each cluster."""
        sizes = self.sizes[: len(self.clusters)]
        likeness = self.means[: len(self.clusters)] @ vector
        rest = (np.float32(self.total @ vector) - sizes * likeness) / (np.float32(self.rows + _UNSEEN) - sizes)
        distances: NDArray[np.float32] = 1 - likeness + rest
        return distances

    def open(self, cluster: Cluster) -> int:
        """Add a cluster; answers its place."""
        at = len(self.clusters)
        self.clusters.append(cluster)
        width = cluster.centroid.shape[0]
        if self.means.shape[1] == 0:
            self.means, self.total = np.zeros((self.means.shape[0], width), dtype=np.float32), np.zeros(width)
        if at >= self.means.shape[0]:
            self.means = np.vstack([self.means, np.zeros_like(self.means)])
            self.sizes = np.concatenate([self.sizes, np.zeros_like(self.sizes)])
        return at

    def join(self, at: int, row: Candidate) -> Cluster:
        """Put the row into the cluster at this place."""
        self.clusters[at] = self.clusters[at].joined_by(row)
        self._place(at)
        self.total += row.vector
        return self.clusters[at]

    def _place(self, at: int) -> None:
        """Write the mean of a cluster into the matrix; one without a mean counts for nothing."""
        cluster, before = self.clusters[at], float(self.sizes[at])
        self.means[at] = cluster.centroid
        self.sizes[at] = cluster.members if cluster.centroid.any() else 0
        self.rows += float(self.sizes[at]) - before


def _joinable(cluster: Cluster, row: Candidate, distance: float, grouping: Grouping) -> bool:
    """Near is not enough: the people must be the same, and two keys must be spellings of one."""
    if cluster.person != row.person:
        return False
    if row.key is None and cluster.key is None:
        return True
    if row.key is None or cluster.key is None:
        return distance <= grouping.keyed
    return SequenceMatcher(None, cluster.key, row.key).ratio() >= grouping.spelling


def _may_be_one(person: str | None, other: str | None) -> bool:
    return person is None or other is None or person == other


@dataclass(frozen=True, kw_only=True, slots=True)
class Sitting:
    """A member of a cluster as it is stored."""

    memory_id: str
    group_id: str
    #: The row as grouping saw it; None once it has expired: it stays where it is.
    candidate: Candidate | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Regrouping:
    """Who moves where, and how large the clusters are before and after."""

    #: Group id by memory id, of those that move.
    moves: Mapping[str, str]
    #: Members by group id, expired ones included.
    before: Mapping[str, int]
    after: Mapping[str, int]
    #: Clusters that were there before and lose or gain a member, emptied ones included.
    changed: frozenset[str]

    @property
    def opened(self) -> list[str]:
        """Clusters that were not there before."""
        return sorted(set(self.after) - set(self.before))


def regroup(members: Sequence[Sitting], *, grouping: Grouping, new_id: Callable[[], str]) -> Regrouping:
    """Group the living from nothing, in the order given, and move as few of them as it takes.

    The members are of one scope and type, oldest first. A new cluster takes the place of the old one it shares most
    members with, so a cluster that has the same members as before is not touched.
    """
    living = [(member, member.candidate) for member in members if member.candidate is not None]
    drawn = iter(range(len(living)))
    clusters, _ = assign([row for _, row in living], [], grouping=grouping, new_id=lambda: str(next(drawn)))
    places = _places(Counter((new, member.group_id) for new, (member, _) in zip(clusters, living, strict=True)), new_id)
    targets = {member.memory_id: places[new] for new, (member, _) in zip(clusters, living, strict=True)}
    moves = {
        member.memory_id: targets[member.memory_id]
        for member in members
        if targets.get(member.memory_id, member.group_id) != member.group_id
    }
    before = Counter(member.group_id for member in members)
    after = Counter(moves.get(member.memory_id, member.group_id) for member in members)
    losing = {member.group_id for member in members if member.memory_id in moves}
    return Regrouping(
        moves=moves, before=before, after=after, changed=frozenset(losing | (set(moves.values()) & set(before)))
    )


def _places(shared: Mapping[tuple[str, str], int], new_id: Callable[[], str]) -> dict[str, str]:
    """The group id of each new cluster, by how many members it shares with which old one."""
    places: dict[str, str] = {}
    taken: set[str] = set()
    for (new, old), _ in sorted(shared.items(), key=lambda entry: (-entry[1], int(entry[0][0]), entry[0][1])):
        if new not in places and old not in taken:
            places[new] = old
            taken.add(old)
    # In the order in which they were opened, so that ids follow the same order each time.
    return places | {new: new_id() for new in dict.fromkeys(new for new, _ in shared) if new not in places}


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """A filter over raw memories."""

    memory_types: frozenset[MemoryType] = field(default_factory=lambda: frozenset(MemoryType))
    #: Types that carry nothing worth a summary.
    without: frozenset[str] = frozenset({"smalltalk", "question"})
    #: By ``metadata.kind``: the messages of a conversation are its policy's alone.
    without_kinds: frozenset[str] = frozenset({"turn"})

    def takes(self, memory: Memory) -> bool:
        """Whether the policy reads this row."""
        return (
            not memory.is_summary
            and memory.memory_type in self.memory_types
            and memory.extracted_type not in self.without
            # A caller may write anything there, also what cannot be looked up in a set.
            and memory.metadata.get("kind") not in list(self.without_kinds)
        )


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trigger:
    """By count of changes since the last refresh."""

    #: Below this many members there is no summary (SUMMARY_MIN_CLUSTER_ITEMS).
    min_members: int = 3
    #: How many new members a refresh waits for once a summary stands; losing one never waits.
    refresh_after: int = 1
    #: Groups that refresh by themselves do so at multiples of this since 1970; None: as soon as they are due.
    every: timedelta | None = None

    def tick(self, now: datetime) -> datetime:
        """When a group that changed now is due: all processes mean the same moment."""
        return _EPOCH + ((now - _EPOCH) // self.every + 1) * self.every if self.every is not None else now

    def is_due(self, *, members: int, has_summary: bool, added: int, lost: bool) -> bool:
        """Whether a group with these figures wants a refresh now."""
        if not has_summary:
            return members >= self.min_members and (added > 0 or lost)
        return lost or members < self.min_members or added >= self.refresh_after
