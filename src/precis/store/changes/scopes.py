"""What a write is held against: the clusters of its scope, kept from one write to the next.

The database is asked of which versions the clusters of a scope are, and for those alone that are not known. A version
is known by its stamp, which no other version of any row has: a cluster that was changed, by whichever process, is read
again. What is kept of clusters that are gone goes with the next write of the scope.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from precis.database.connections import Call, Row, Tx
from precis.engine.grouping import Cluster, Vector
from precis.keys.cipher import Cipher
from precis.makers import About
from precis.memory import Scope
from precis.store.rows import NewMemory, open_attributes

#: Clusters that a process keeps, of all scopes together: about a kilobyte each.
_KEPT = 20_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """Vectors that can be compared: of one embedder, and so of one length."""

    version: str | None
    width: int

    def of(self, stored: Any, version: str | None) -> Vector:
        """A vector as an array; zeros when there is none, or when another embedder made it."""
        array = stored.to_numpy() if hasattr(stored, "to_numpy") else stored
        if array is None or version != self.version or len(array) != self.width:
            return np.zeros(self.width, dtype=np.float32)
        return np.asarray(array, dtype=np.float32)

    def topic_of(self, about: About) -> Vector | None:
        """The vector of the words that a subject may be of; None where that is not known, or of another embedder."""
        same = about.topic is not None and about.version == self.version and len(about.topic) == self.width
        return np.asarray(about.topic, dtype=np.float32) if same else None

    def of_row(self, row: NewMemory) -> Vector:
        """That of a row on its way in."""
        return self.of(row.vector, row.memory.embedding_version)


def measure_of(rows: Sequence[NewMemory]) -> Measure:
    """That of the embedder in use, which is the latest row's."""
    return Measure(version=rows[-1].memory.embedding_version, width=len(rows[-1].vector))


@dataclass(slots=True)
class _Known:
    """The clusters of a scope; None for one that no row can be held against."""

    measure: Measure
    #: As the database wrote them; None once a write has changed a cluster since.
    stamps: str | None = ""
    #: By its stamp and its id, as in a line of the stamps.
    clusters: dict[str, Cluster | None] = field(default_factory=dict)


class ScopeClusters:
    """The clusters of scopes as grouping sees them."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, Scope], _Known] = OrderedDict()

    async def read(
        self, tx: Tx, policy: str, scope: Scope, cipher: Cipher, measure: Measure, stamps: str | None
    ) -> list[Cluster]:
        """All of a scope, in order of their ids. ``stamps`` are those of ``stamps_of``, read under the scope's lock."""
        known = self._known.pop((policy, scope), None)
        if known is None or known.measure != measure:
            known = _Known(measure=measure)
        self._known[policy, scope] = known
        if known.stamps != (stamps or ""):
            await _renew(tx, known, stamps or "", scope, cipher)
            self._make_room()
        return [cluster for cluster in known.clusters.values() if cluster is not None]

    def grown(self, policy: str, scope: Scope, stamp: str, cluster: Cluster) -> None:
        """A cluster is of this version now; where the transaction is undone, no row will be."""
        known = self._known.get((policy, scope))
        if known is not None:
            known.clusters[f"{stamp} {cluster.group_id}"] = cluster
            known.stamps = None  # what they are now is only told by the database: this may be undone, or be gone

    def let_go(self) -> None:
        """Of everything: in another copy of the database a stamp may be that of another version."""
        self._known.clear()

    def _make_room(self) -> None:
        """Let go of the scopes that were written to longest ago."""
        while len(self._known) > 1 and sum(len(known.clusters) for known in self._known.values()) > _KEPT:
            self._known.popitem(last=False)


def stamps_of(policy: str, scope: Scope) -> Call:
    """Which versions the clusters of a scope are of: asked once the scope is locked."""
    return "scope_stamps", {
        "policy": policy, "user_id": scope.user_id, "project_id": scope.project_id, "environment": scope.environment,
    }  # fmt: skip


async def read_stamps(tx: Tx, policy: str, scope: Scope) -> str | None:
    """The answer to ``stamps_of``."""
    ((row,),) = await tx.together(stamps_of(policy, scope))
    stamps: str | None = row["stamps"]
    return stamps


async def _renew(tx: Tx, known: _Known, stamps: str, scope: Scope, cipher: Cipher) -> None:
    """Read what is of another version than is known; let go of what is gone."""
    lines, before = stamps.split("\n") if stamps else [], known.clusters
    changed = sorted(line.partition(" ")[2] for line in lines if line not in before)
    rows = await tx.vectors("read_clusters", ids=changed) if changed else []
    # Who leases a cluster writes to its row: its stamp may be another by now.
    read = {row["group_id"]: row for row in rows}
    known.clusters = {}
    for line in lines:
        if line in before:
            known.clusters[line] = before[line]
        elif row := read.get(line.partition(" ")[2]):
            known.clusters[f"{row['stamp']} {row['group_id']}"] = _cluster(row, scope, cipher, known.measure)
    known.stamps = stamps


def _cluster(row: Row, scope: Scope, cipher: Cipher, measure: Measure) -> Cluster | None:
    """A row of read_clusters; None where neither a vector nor a subject says what it is about."""
    if row["centroid"] is None and row["key_memory_id"] is None:
        return None

    def attributes(of: str) -> Any:
        return open_attributes(
            row[f"{of}_attributes"], cipher, tenant_id=scope.tenant_id, row_id=row[f"{of}_memory_id"]
        )

    return Cluster(
        group_id=row["group_id"],
        key=attributes("key").key,
        person=attributes("person").person,
        centroid=measure.of(row["centroid"], row["centroid_version"]),
        members=row["members"],
        type=row["extracted_type"],
        namespace=namespaces[0] if len(namespaces := row["namespaces"]) == 1 else None,
    )
