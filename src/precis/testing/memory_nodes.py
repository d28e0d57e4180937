"""Memories, nodes, summaries and groups of the in-memory store, as plain values that change in place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from precis.engine.grouping import Trigger
from precis.engine.plan import NodeStub
from precis.engine.segments import Kind
from precis.lineage import Counts, Fate, Statement, rests_on, standing
from precis.memory import Memory, RetentionState, Scope, Tier
from precis.store.ports import Vector


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
    #: Every memory it read or cites, oldest first; of a frozen node: its members.
    sources: tuple[str, ...]
    redactions: int = 0
    #: Statements below are kept and not served.
    served_from: float = 0.0
    #: Hash of what it says; None once a statement left it.
    content: bytes | None = None
    #: Sources it read in part.
    capped: int = 0
    #: What became of each source, by id.
    fates: Mapping[str, Fate] = field(default_factory=dict)
    prose: str | None = None
    title: str | None = None

    def stub(self, *, part: bool = False) -> NodeStub:
        """The node as the plan sees it, in its own group or as a part of another."""
        kept = part or self.kind is Kind.FROZEN
        return NodeStub(
            id=self.id, key=self.key, kind=Kind.PART if part and self.kind is Kind.ROOT else self.kind,
            definition=self.definition, made_by=self.made_by, fallback=self.fallback, tokens=self.tokens,
            redactions=self.redactions, members=self.sources if kept else (), quality=self.quality,
            content=self.content, capped=self.capped,
        )  # fmt: skip

    def withdraw(self, ids: Collection[str], besides: Callable[[Statement], bool]) -> int:
        """No longer speak of these memories; ``besides`` names more statements to go. Answers how many went."""
        stood = len(self.statements)
        kept = [at for at, one in enumerate(self.statements) if not rests_on(one, ids) and not besides(one)]
        self.statements = _renumbered(self.statements, kept)
        self.sources = tuple(id_ for id_ in self.sources if id_ not in ids)
        # Re-keyed even when nothing was removed: the memory may come back, and then this is not its node.
        self.redactions += 1
        self.content = self.prose = self.title = None
        return stood - len(kept)


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
    #: How many sources it was made of, of how many.
    counts: Counts
    #: What all its living sources have in common, by field: namespace, session_id, agent_id, run_id.
    shared: Mapping[str, str | None] = field(default_factory=dict)


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
    #: By id: when each leaves by itself, if ever.
    members: dict[str, datetime | None] = field(default_factory=dict)
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
    rejections: int = 0
    suppressed: bytes | None = None
    refreshed_at: list[datetime] = field(default_factory=list)
    #: Tokens that models took, in and out.
    tokens_used: int = 0
    #: Its name within policy and scope, where it follows a rule; see precis.engine.placing.Place.
    place: str | None = None
    starts_on: date | None = None
    ends_on: date | None = None
    view_id: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    part_of: str | None = None

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

    @property
    def current(self) -> bool:
        """Whether what stands was made of its members as they are."""
        return self.version == self.refreshed_version

    def joined(self, trigger: Trigger, *, added: int, now: datetime) -> None:
        """New members by nearness."""
        self._changed(added=added)
        self.trigger = trigger
        self.due_at = min(self.due_at or now, now) if self.wants_refresh else None

    def grown(self, *, added: int, due_at: datetime | None) -> None:
        """New members by a rule, which says when they want a refresh."""
        self._changed(added=added)
        self.due_at = earliest(self.due_at, due_at)

    def shrunk(self, now: datetime) -> None:
        """Members left by a rule; a view waits to be asked for."""
        waits = self.view_id is not None or (self.unmade and self.due_at is not None)
        self._changed(lost=True)
        self.rejected, self.rejections = None, 0
        self.due_at = self.due_at if waits else earliest(self.due_at, now)

    def redacted(self, now: datetime) -> None:
        """Members were forgotten or edited."""
        waits = self.unmade and (self.view_id is not None or (self.due_at is not None and self.due_at > now))
        self._changed(lost=True)
        self.rejected, self.rejections = None, 0
        self.due_at = None if not self.wants_refresh else self.due_at if waits else now

    def touched(self, now: datetime) -> None:
        """A part of it changed or went; what was deleted by request stays away, for the members are the same."""
        suppressed = self.suppressed
        self._changed(added=1)
        self.suppressed = suppressed
        if self.summary is not None:
            self.due_at = earliest(self.due_at, now)

    @property
    def unmade(self) -> bool:
        """Whether it follows a rule and has never been made: there is nothing to correct before it is due."""
        return self.place is not None and self.refreshed_version == 0

    def _changed(self, *, added: int = 0, lost: bool = False) -> None:
        """A new version, and whatever kept it from being tried is over."""
        self.version += 1
        self.added += added
        self.lost = self.lost or lost
        self.suppressed, self.failed_at, self.attempts = None, None, 0

    def unlease(self) -> None:
        """Nobody holds it any more."""
        self.lease_token = self.lease_until = None

    def all_nodes(self) -> list[NodeRow]:
        """The root of its summary and everything below."""
        return [*self.nodes.values(), *([self.summary.root] if self.summary else [])]

    def frozen(self) -> frozenset[str]:
        """Members a frozen node speaks for."""
        return frozenset(id_ for one in self.nodes.values() if one.kind is Kind.FROZEN for id_ in one.sources)

    def drop_derived(self) -> int:
        """Summary and nodes go; frozen nodes stay, for their members' text may be gone. Answers how many nodes."""
        below = [id_ for id_, one in self.nodes.items() if one.kind is not Kind.FROZEN]
        for id_ in below:
            del self.nodes[id_]
        self.summary = None
        return len(below)


def earliest(one: datetime | None, other: datetime | None) -> datetime | None:
    """The earlier of two moments, either of which may be never."""
    return min((at for at in (one, other) if at is not None), default=None)


def _renumbered(statements: Sequence[Statement], kept: Sequence[int]) -> tuple[Statement, ...]:
    """The kept statements; one comes back when nothing newer that displaced it is left."""
    places = {old: new for new, old in enumerate(kept)}
    gone = {at: one.superseded_by for at, one in enumerate(statements) if at not in places}

    def newer(at: int | None) -> int | None:
        left = standing(at, gone)
        return None if left is None else places.get(left)

    return tuple(
        Statement(
            text=s.text,
            importance=s.importance,
            source_ids=s.source_ids,
            superseded_by=newer(s.superseded_by),
        )
        for s in (statements[at] for at in kept)
    )
