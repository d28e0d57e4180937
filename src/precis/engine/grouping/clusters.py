"""A row and a cluster as grouping sees them, and the limits within which the one joins the other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

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
    #: Of all its members; None where those of several are in it, which nobody joins. Empty: of none.
    namespace: str | None = ""

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
