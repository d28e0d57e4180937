"""The rows of the in-memory store: what the tables of PostgreSQL hold, as plain values that change in place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b

import numpy as np

from precis.engine.grouping import Cluster
from precis.engine.plan import NodeStub
from precis.engine.segments import Kind
from precis.engine.trigger import Trigger
from precis.errors import NotFound
from precis.ids import new_id
from precis.lineage import Statement
from precis.memory import Memory, RetentionState, Scope, Tier
from precis.store.ports import Vector
from precis.summary import Summary, assemble
from precis.words import terms

#: Two in-memory stores cut a group alike, so that histories can be compared; PostgreSQL has a secret key a tenant.
_KEY = b"precis in memory"


@dataclass(kw_only=True, slots=True)
class MemoryRow:
    """A raw row."""

    memory: Memory
    #: None once expired.
    vector: Vector | None
    person: str | None
    #: Keyed hashes of its words; they outlive the text, so that forgetting an expired row still finds them.
    terms: frozenset[int]

    @property
    def live(self) -> bool:
        """Whether it still has its text."""
        return self.memory.retention_state is not RetentionState.EXPIRED


@dataclass(kw_only=True, slots=True)
class NodeRow:
    """A committed node; the root has the id of its summary."""

    id: str
    key: bytes
    kind: Kind
    definition: str
    made_by: str
    fallback: bool
    quality: float
    tokens: int
    statements: tuple[Statement, ...]
    #: Every memory it read, oldest first; of a frozen node: its members.
    sources: tuple[str, ...]
    redactions: int = 0

    def stub(self) -> NodeStub:
        """The node as the plan sees it."""
        return NodeStub(
            id=self.id, key=self.key, kind=self.kind, definition=self.definition, made_by=self.made_by,
            fallback=self.fallback, tokens=self.tokens, redactions=self.redactions,
            members=self.sources if self.kind is Kind.FROZEN else (),
        )  # fmt: skip


@dataclass(kw_only=True, slots=True)
class SummaryRow:
    """A committed summary: its root node and what is kept of the row beside it."""

    root: NodeRow
    parent_id: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    importance: float
    #: None while it is redacted and waits for its refresh.
    vector: Vector | None
    embedding_version: str | None


@dataclass(kw_only=True, slots=True)
class GroupRow:
    """A group: the truth about work is here."""

    id: str
    policy: str
    tier: Tier
    scope: Scope
    extracted_type: str
    #: When it is due, as its policy said at the last change.
    trigger: Trigger
    key: str | None = None
    person: str | None = None
    members: dict[str, None] = field(default_factory=dict)
    #: Below the summary, by id.
    nodes: dict[str, NodeRow] = field(default_factory=dict)
    summary: SummaryRow | None = None
    version: int = 0
    refreshed_version: int = 0
    added: int = 0
    lost: bool = False
    due_at: datetime | None = None
    lease_token: str | None = None
    lease_until: datetime | None = None
    attempts: int = 0
    error: str | None = None
    failed_at: datetime | None = None
    rejected: str | None = None
    suppressed: bytes | None = None
    refreshed_at: list[datetime] = field(default_factory=list)
    #: Tokens that models took, in and out.
    tokens_used: int = 0

    @property
    def wants_refresh(self) -> bool:
        """What the trigger says of its figures."""
        return self.trigger.is_due(
            members=len(self.members), has_summary=self.summary is not None, added=self.added, lost=self.lost
        )

    @property
    def stale(self) -> bool:
        """Whether its sources changed since the last commit, or its summary waits to be redone by the model."""
        behind = self.version > self.refreshed_version or self.rejected is not None
        return behind or (self.summary is not None and self.summary.root.fallback)

    def changed(self, trigger: Trigger, *, now: datetime, added: int = 0, lost: bool = False) -> None:
        """Its members changed: a new version, and whatever kept it from being tried is over."""
        self.trigger = trigger
        self.version += 1
        self.added += added
        self.lost = self.lost or lost
        self.suppressed, self.failed_at, self.attempts = None, None, 0
        self.due_at = (self.due_at or now) if self.wants_refresh else None

    def unlease(self) -> None:
        """Nobody holds it any more."""
        self.lease_token = self.lease_until = None

    def drop_derived(self) -> int:
        """Summary and nodes go; frozen nodes stay, for their members' text may be gone. Answers how many nodes."""
        below = [id_ for id_, one in self.nodes.items() if one.kind is not Kind.FROZEN]
        for id_ in below:
            del self.nodes[id_]
        self.summary = None
        return len(below)


@dataclass(kw_only=True, slots=True)
class TenantRows:
    """Everything of one tenant."""

    memories: dict[str, MemoryRow] = field(default_factory=dict)
    groups: dict[str, GroupRow] = field(default_factory=dict)
    #: Ids that were forgotten.
    tombstones: set[str] = field(default_factory=set)

    def group(self, group_id: str) -> GroupRow:
        """Raises NotFound."""
        if group_id not in self.groups:
            raise NotFound
        return self.groups[group_id]

    def holding(self, ids: Collection[str]) -> list[GroupRow]:
        """The groups that have one of these as a member."""
        return [group for group in self.groups.values() if any(id_ in group.members for id_ in ids)]

    def summarized(self) -> Iterator[tuple[GroupRow, SummaryRow]]:
        """Every group with a summary."""
        return ((group, group.summary) for group in self.groups.values() if group.summary is not None)

    def summary(self, summary_id: str) -> tuple[GroupRow, SummaryRow] | None:
        """The summary of this id and its group."""
        return next(((g, s) for g, s in self.summarized() if s.root.id == summary_id), None)

    def cluster(self, group: GroupRow, version: str | None, width: int) -> Cluster:
        """A group as grouping sees it; vectors of another embedder are no measure, so they count as unknown."""
        rows = [self.memories[id_] for id_ in group.members]
        vectors = [r.vector for r in rows if r.vector is not None and r.memory.embedding_version == version]
        return Cluster(
            group_id=group.id,
            key=group.key,
            person=group.person,
            centroid=np.mean(vectors, axis=0) if vectors else np.zeros(width, dtype=np.float32),
            members=len(vectors),
        )

    def relabel(self, group: GroupRow) -> None:
        """Subject and person are those of a member that is still there."""
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


@dataclass(kw_only=True, slots=True)
class Rows:
    """All tenants behind one lock: each method of the store holds it from its first read to its last write."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tenants: dict[str, TenantRows] = field(default_factory=dict)
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
    found = {term for text in texts for term in terms(text)}
    return frozenset(
        int.from_bytes(blake2b(t.encode("utf-8", "surrogatepass"), key=_KEY, digest_size=8).digest()) for t in found
    )


def summary_of(group: GroupRow, row: SummaryRow, memories: Mapping[str, MemoryRow]) -> Summary:
    """The summary as it is read."""
    leaves = [memories[id_].memory for id_ in row.parent_id if id_ in memories]
    return Summary(
        id=row.root.id,
        scope=group.scope,
        policy=group.policy,
        group_id=group.id,
        tier=group.tier,
        statements=tuple(s for s in row.root.statements if s.superseded_by is None),
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
        included=len(row.root.sources),
        total=len(group.members),
    )


def memory_of(group: GroupRow, row: SummaryRow) -> Memory:
    """A summary as a row among memories."""
    return Memory(
        id=row.root.id,
        scope=group.scope,
        text=assemble(row.root.statements),
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
