"""The rows of the in-memory store: what the tables of PostgreSQL hold, as plain values that change in place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b

import numpy as np

from precis.engine.grouping import Cluster
from precis.engine.policy import Policy
from precis.errors import NotFound
from precis.ids import new_id
from precis.language.words import index_terms
from precis.lineage import counts_of
from precis.memory import Memory, RetentionState
from precis.summary import Summary, assemble, served_of
from precis.testing.memory_nodes import GroupRow, MemoryRow, SummaryRow

#: Two in-memory stores cut a group alike, so that histories can be compared; PostgreSQL has a secret key a tenant.
_KEY = b"precis in memory"
#: Fields of a summary that are its members', where all of them agree.
_SHARED = ("namespace", "session_id", "agent_id", "run_id")


@dataclass(kw_only=True, slots=True)
class ScheduleRow:
    """When a pass was made and is due, and who makes it now."""

    next_run: datetime | None
    last_run: datetime | None = None
    lease_token: str | None = None
    lease_until: datetime | None = None

    def lease(self, token: str, until: datetime) -> None:
        """Somebody makes it."""
        self.lease_token, self.lease_until = token, until


@dataclass(kw_only=True, slots=True)
class TenantRows:
    """Everything of one tenant."""

    memories: dict[str, MemoryRow] = field(default_factory=dict)
    groups: dict[str, GroupRow] = field(default_factory=dict)
    #: Ids that were forgotten.
    tombstones: set[str] = field(default_factory=set)
    #: Which memory each alias names.
    aliases: dict[str, str] = field(default_factory=dict)
    #: Time zones by user id; the tenant's own under the empty name.
    zones: dict[str, str] = field(default_factory=dict)
    #: Timetables by policy.
    schedules: dict[str, ScheduleRow] = field(default_factory=dict)

    def group(self, group_id: str) -> GroupRow:
        """Raises NotFound."""
        if group_id not in self.groups:
            raise NotFound
        return self.groups[group_id]

    def holding(self, ids: Collection[str]) -> list[GroupRow]:
        """The groups that have one of these as a member."""
        return [group for group in self.groups.values() if any(id_ in group.members for id_ in ids)]

    def reading(self, ids: Collection[str]) -> list[GroupRow]:
        """Those, and the groups in which something still rests on one of them though it is a member no more."""
        return [
            group
            for group in self.groups.values()
            if any(id_ in group.members for id_ in ids)
            or any(id_ in ids for one in group.all_nodes() for id_ in one.sources)
        ]

    def parts(self, group: GroupRow) -> list[GroupRow]:
        """The groups whose summaries this one reads."""
        return [one for one in self.groups.values() if one.part_of == group.id]

    def touch_whole(self, part: GroupRow, now: datetime) -> None:
        """What a part says changed: what reads it is stale."""
        whole = self.groups.get(part.part_of or "")
        if whole is not None:
            whole.touched(now)

    def summarized(self) -> Iterator[tuple[GroupRow, SummaryRow]]:
        """Every group with a summary."""
        return ((group, group.summary) for group in self.groups.values() if group.summary is not None)

    def summary(self, summary_id: str) -> tuple[GroupRow, SummaryRow] | None:
        """The summary of this id and its group."""
        return next(((g, s) for g, s in self.summarized() if s.root.id == summary_id), None)

    def cluster(self, group: GroupRow, version: str | None, width: int) -> Cluster:
        """A group as grouping sees it; vectors of another embedder are no measure, so they count as unknown."""
        rows = [self.memories[id_] for id_ in group.members]
        read = [r.vector for r in rows if r.vector is not None and r.memory.embedding_version == version]
        vectors = [vector for vector in read if vector.any()]
        return Cluster(
            group_id=group.id,
            key=group.key,
            person=group.person,
            centroid=np.mean(vectors, axis=0) if vectors else np.zeros(width, dtype=np.float32),
            members=len(vectors),
        )

    def relabel(self, group: GroupRow) -> None:
        """Subject and person are those of a member that is still there; a group that follows a rule has none."""
        if group.place is not None:
            return
        rows = sorted((self.memories[id_] for id_ in group.members), key=lambda r: (r.memory.created_at, r.memory.id))
        keys = [r.memory.extracted_key for r in rows if r.memory.extracted_key is not None]
        people = [r.person for r in rows if r.person is not None]
        if group.key not in keys:
            group.key = next(iter(keys), None)
        if group.person not in people:
            group.person = next(iter(people), None)

    def importance(self, group: GroupRow, otherwise: float) -> float:
        """Mean importance of the living members (DECISIONS 16)."""
        rows = [self.memories[id_] for id_ in group.members]
        living = [row.memory.importance for row in rows if row.live]
        return sum(living) / len(living) if living else otherwise

    def shared(self, group: GroupRow) -> dict[str, str | None]:
        """What all living members have in common, field by field."""
        living = [row.memory for row in (self.memories[id_] for id_ in group.members) if row.live]
        found = {name: {getattr(memory, name) for memory in living} for name in _SHARED}
        return {name: values.pop() if len(values) == 1 else None for name, values in found.items()}


@dataclass(kw_only=True, slots=True)
class Rows:
    """All tenants behind one lock: each method of the store holds it from its first read to its last write."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tenants: dict[str, TenantRows] = field(default_factory=dict)
    #: What decides the places of what is written.
    policies: Mapping[str, Policy] = field(default_factory=dict)
    new_id: Callable[[], str] = new_id

    def of(self, tenant_id: str) -> TenantRows:
        """The rows of a tenant; empty ones for a new tenant."""
        return self.tenants.setdefault(tenant_id, TenantRows())


def fingerprint(memory: Memory) -> bytes:
    """Keyed hash of the id and every field a prompt renders."""
    digest = blake2b(key=_KEY, digest_size=16)
    for part in (memory.id, memory.created_at.isoformat(), memory.speaker or "", memory.text or ""):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8) + encoded)
    return digest.digest()


def keyed_terms(texts: Iterable[str]) -> frozenset[int]:
    """Keyed hashes of the words of these texts."""
    found = {term for text in texts for term in index_terms(text)}
    return frozenset(
        int.from_bytes(blake2b(t.encode("utf-8", "surrogatepass"), key=_KEY, digest_size=8).digest()) for t in found
    )


def summary_of(group: GroupRow, row: SummaryRow, memories: Mapping[str, MemoryRow]) -> Summary:
    """The summary as it is read."""
    leaves = [memories[id_].memory for id_ in row.root.sources if id_ in memories]
    leaves.sort(key=lambda memory: (memory.created_at, memory.id.encode()))
    return Summary(
        id=row.root.id,
        scope=group.scope,
        policy=group.policy,
        group_id=group.id,
        tier=group.tier,
        statements=served_of(row.root.statements, row.root.served_from),
        parent_id=row.parent_id,
        leaf_source_ids=tuple(memory.id for memory in leaves),
        created_at=row.created_at,
        updated_at=row.updated_at,
        importance=row.importance,
        quality=row.root.quality,
        made_by=row.root.made_by,
        fallback=row.root.fallback,
        stale=group.stale,
        extracted_type=group.extracted_type,
        extracted_key=group.key,
        rejected=group.rejected is not None,
        counts=counts_of(
            row.root.sources,
            served_of(row.root.statements, row.root.served_from),
            row.root.fates,
            unread=row.counts.total - row.counts.read,
            capped=row.counts.capped,
        ),
        prose=row.root.prose,
        title=row.root.title,
        starts_on=group.starts_on,
        ends_on=group.ends_on,
        view_id=group.view_id,
        labels=group.labels,
    )


def memory_of(group: GroupRow, row: SummaryRow) -> Memory:
    """A summary as a row among memories."""
    return Memory(
        id=row.root.id,
        scope=group.scope,
        text=row.root.prose or assemble(served_of(row.root.statements, row.root.served_from)),
        created_at=row.created_at,
        updated_at=row.updated_at,
        extracted_type=group.extracted_type,
        extracted_key=group.key,
        importance=row.importance,
        tier=group.tier,
        is_summary=True,
        parent_id=row.parent_id,
        fingerprint=row.root.key,
        tokens=row.root.tokens,
        embedding_version=row.embedding_version,
        **row.shared,  # type: ignore[arg-type]
    )


def expired(memory: Memory) -> Memory:
    """The stub that stays: id, fingerprint, tokens, dates, subject."""
    return replace(
        memory,
        text=None,
        topics=(),
        entities=(),
        embedding_version=None,
        retention_state=RetentionState.EXPIRED,
    )
