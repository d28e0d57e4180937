"""What the verbs of conversations hand on and answer, and how a conversation is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from precis.engine.conversation import Address, Loaded, Message
from precis.engine.window import Verdict
from precis.errors import InvalidInput
from precis.lineage import Counts, Statement
from precis.store.conversation_rows import NewMessage

#: How a caller names a conversation.
Named = str | Address
#: What tells apart conversations of one session id.
_WHERE = tuple(one.name for one in fields(Address) if one.name != "session_id")


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What a model is to be given of a conversation: the summary, and the messages it does not speak for."""

    conversation_id: str
    session_id: str
    user_id: str
    version: int
    title: str | None
    summary_id: str | None
    #: The statements that fit, assembled.
    summary: str
    statements: tuple[Statement, ...]
    #: Oldest first.
    messages: tuple[Message, ...]
    #: Of both.
    tokens: int
    #: Messages of the conversation; behind the summary; of those, the ones no statement rests on.
    total: int
    covered: int
    set_aside: int
    #: Law 7: what became of the messages that the summary has read.
    counts: Counts
    #: Messages that are in neither; statements that did not fit. They can be read with ``messages`` and ``expand``.
    messages_left: int
    statements_left: int
    #: A summary is overdue, or something had to be left out.
    degraded: bool
    #: A source of the summary was changed or forgotten since.
    stale: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Turned:
    """What a turn did."""

    conversation_id: str
    version: int
    #: The messages as they were written, in order.
    messages: tuple[Message, ...]
    #: Ids that were not there before.
    created: tuple[str, ...]
    #: Whether the summary was extended in the same transaction; and its id.
    summarized: bool
    summary_id: str | None
    title: str | None
    #: A summary was needed and could not be made in time: what stood stays, and a worker makes it.
    degraded: bool
    #: Why a summary was needed, or what went wrong.
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """Conversation, new messages and verdict: what the summarize and the persist step go on with."""

    address: Address
    loaded: Loaded | None
    #: The messages that were handed in, each once, as they are stored or will be; and those that are not stored yet.
    messages: tuple[Message, ...]
    new: tuple[NewMessage, ...]
    #: Ids of messages that leave the conversation, and of those that come last in it.
    removed: tuple[str, ...]
    order: tuple[str, ...]
    verdict: Verdict
    #: Ids of the messages that are to leave the context.
    hand_over: tuple[str, ...]

    @property
    def changes_nothing(self) -> bool:
        """Whether all of it is stored already; a conversation that ends by itself is kept up by each write."""
        known = self.loaded is not None and self.loaded.conversation.ttl_seconds is None
        return known and not self.new and not self.removed and not self.order and not self.verdict.needed


def named(conversation: Named, where: Mapping[str, str | None]) -> Address:
    """An address, as far as it is told. Raises InvalidInput."""
    for name in where:
        if name not in _WHERE:
            raise InvalidInput(f"{name}: a conversation is named by its session and {', '.join(_WHERE)}", field=name)
    return conversation if isinstance(conversation, Address) else Address(session_id=conversation, **where)


def exact(address: Address) -> Address:
    """The one conversation that is opened under this name, whatever else has it."""
    scope = address.scope("")
    return replace(
        address, user_id=scope.user_id, namespace=address.namespace or "", project_id=scope.project_id,
        environment=scope.environment,
    )  # fmt: skip


def address_of(loaded: Loaded) -> Address:
    """The full name of a conversation."""
    found = loaded.conversation
    return Address(
        session_id=found.session_id,
        user_id=found.scope.user_id,
        namespace=found.namespace or "",
        project_id=found.scope.project_id,
        environment=found.scope.environment,
    )
