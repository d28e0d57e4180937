"""What the app needs of a store for conversations. The port beside precis.store.ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

from precis.engine.commit import MadeNode
from precis.engine.conversation import Address, Loaded, Message
from precis.engine.plan import Plan
from precis.engine.segments import Leaf
from precis.engine.transcript import Line
from precis.lineage import Counts
from precis.store.ports import NewMemory
from precis.store.ports import Store as BareStore


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMessage:
    """A message on its way in, and the memory it is."""

    message: Message
    row: NewMemory


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredLine(Line):
    """A message that is stored, as far as it takes to recognize it and to answer it."""

    given: str
    #: Of the memory that it is.
    id: str
    seq: int
    created_at: datetime
    tokens: int
    opens: tuple[str, ...]
    closes: tuple[str, ...]
    fingerprint: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Computed:
    """A summary that was made and checked, and that nobody has written yet."""

    plan: Plan
    #: Nodes below the summary, children first; and the summary itself.
    nodes: tuple[MadeNode, ...]
    root: MadeNode
    vector: Sequence[float]
    embedding_version: str
    counts: Counts

    def plan_at(self, version: int) -> Plan:
        """The plan as if it had been made of the group at this version."""
        return replace(self.plan, version=version)


@dataclass(frozen=True, kw_only=True, slots=True)
class Properties:
    """What a caller keeps beside the messages; replaces what was there."""

    values: Mapping[str, Any] = field(default_factory=dict)
    ttl_seconds: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewTurn:
    """Everything one turn writes, in one transaction."""

    address: Address
    messages: Sequence[NewMessage] = ()
    #: Ids of messages that leave the conversation; they may be written again.
    removed: Sequence[str] = ()
    #: Ids, new ones included, that come behind everything else in this order; those of new messages where it is empty.
    order: Sequence[str] = ()
    #: Ids of the messages that the summary is to speak for from now on.
    hand_over: Sequence[str] = ()
    #: Place of the newest message that was covered when this was decided.
    after: int = 0
    #: Of those and of what it covered before; None: none was made.
    computed: Computed | None = None
    #: When a worker is to make the summary, where it was not made or cannot be written.
    due_at: datetime | None = None
    #: None leaves them as they are.
    properties: Properties | None = None
    #: Refuse with Conflict when the conversation has another version.
    expected_version: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Persisted:
    """What a turn wrote."""

    conversation_id: str
    version: int
    #: Ids that were not there before.
    created: tuple[str, ...]
    #: The summary, where it was written with them; and why not, where one had been made.
    summary_id: str | None = None
    discarded: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sessions:
    """A page of names."""

    names: tuple[str, ...]
    total: int


class Conversations(Protocol):
    """Conversations. Each method is one transaction."""

    async def load(self, tenant_id: str, address: Address, *, at_least: int, now: datetime) -> Loaded | None:
        """The summary, what it has not read, and at least so many messages; None where there is none of that name.

        Raises Conflict where several conversations have it. What the summary covers is not read.
        """
        ...

    async def read(self, tenant_id: str, ids: Sequence[str]) -> Sequence[Message]:
        """These messages with their text and payload, in order; the ones that are gone are absent."""
        ...

    async def stubs(self, tenant_id: str, conversation_id: str, *, before: int | None, limit: int) -> Sequence[Message]:
        """A page of a conversation, newest first, without text."""
        ...

    async def lines(
        self, tenant_id: str, conversation_id: str, *, ids: Sequence[str] | None = None
    ) -> Sequence[StoredLine]:
        """What a conversation consists of, in order, without text; or only the messages with these ids of memories."""
        ...

    def marks(self, tenant_id: str, texts: Sequence[str]) -> Sequence[int]:
        """What tells these texts from others, as the lines have it."""
        ...

    def is_same(self, tenant_id: str, line: StoredLine, *, speaker: str, text: str) -> bool:
        """Whether the stored message says this."""
        ...

    def leaves(self, tenant_id: str, messages: Sequence[NewMessage]) -> Sequence[Leaf]:
        """Messages as sources, before they are written."""
        ...

    async def persist(self, tenant_id: str, turn: NewTurn, *, now: datetime) -> Persisted:
        """Messages, summary and title, all or none; a summary that a race has outdated is left out and stays due.

        Raises Conflict (an id exists with other content or elsewhere, or another version), Forgotten.
        """
        ...

    async def sessions(
        self, tenant_id: str, *, user_id: str | None, namespace: str | None, limit: int, offset: int, now: datetime
    ) -> Sessions:
        """Names, the latest written first."""
        ...

    async def ended(self, tenant_id: str, *, first: str, limit: int, now: datetime) -> Sequence[str]:
        """Ids of conversations whose time is over; ``first`` is the first of them if it is one."""
        ...

    async def message_ids(self, tenant_id: str, conversation_id: str) -> Sequence[str]:
        """Every message of one."""
        ...

    async def delete(self, tenant_id: str, conversation_id: str) -> None:
        """The row; its messages are forgotten as memories are."""
        ...


class Store(BareStore, Protocol):
    """A store that keeps conversations, too."""

    @property
    def conversations(self) -> Conversations:
        """Conversations and their messages."""
        ...
