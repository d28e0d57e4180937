"""A conversation: its name, its messages, and how it is read with the summary that speaks for the older of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from hashlib import blake2b
from typing import Any, Literal

from precis import ids, memory, summary
from precis.checks.trifles import meant
from precis.engine.policy import Place
from precis.engine.titles.title import title_of

#: The policy, and how a group of it is named.
POLICY = "conversations"
Extraction = Literal["off", "rules", "model"]
#: What is looked for in messages, in the words of the wire.
Strategy = Literal["discrete", "summary", "preferences", "custom"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembering:
    """What becomes of the messages of a conversation besides its summary.

    What is None stays as an earlier turn has it, or else as the settings do.
    """

    #: Whether the messages take part in recall.
    recall: bool | None = None
    #: Who finds facts in them.
    extraction: Extraction | None = None
    strategy: Strategy | None = None
    #: What the strategy ``custom`` asks the model.
    prompt: str | None = None

    def over(self, other: Remembering) -> Remembering:
        """This, and what it leaves open as in the other."""
        return Remembering(**{
            field_.name: getattr(other, field_.name) if (value := getattr(self, field_.name)) is None else value
            for field_ in fields(self)
        })  # fmt: skip


#: Nothing said.
AS_SET = Remembering()


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Which conversation, as a caller names it; what is None is not asked about, an empty namespace is none."""

    session_id: str
    user_id: str | None = None
    namespace: str | None = None
    project_id: str | None = None
    environment: str | None = None

    def __post_init__(self) -> None:
        """Raises InvalidInput for a name that no conversation can have."""
        for name in (field_.name for field_ in fields(self)):
            value = getattr(self, name)
            if value is not None or name == "session_id":
                ids.checked_name(value, name)

    def scope(self, tenant_id: str) -> memory.Scope:
        """Whose it is when it is opened under this name."""
        return memory.Scope(
            tenant_id=tenant_id,
            user_id=self.user_id or "",
            project_id=self.project_id or "",
            environment=self.environment or "production",
        )

    @property
    def conversation_id(self) -> str:
        """The id of the conversation that is opened under this name."""
        scope = self.scope("")
        parts = (scope.user_id, scope.project_id, scope.environment, self.namespace or "", self.session_id)
        return blake2b("\x1f".join(parts).encode(), digest_size=16, person=b"precis-talk").hexdigest()


def memory_id(conversation_id: str, name: str) -> str:
    """The id of the memory that a message is."""
    digest = blake2b(f"{conversation_id}\x1f{name}".encode(), digest_size=16, person=b"precis-message")
    return digest.hexdigest()


def place_of(conversation_id: str, scope: memory.Scope, *, due_at: datetime | None = None) -> Place:
    """The group whose members its summary speaks for."""
    return Place(
        policy=POLICY, name=conversation_id, user_id=scope.user_id, project_id=scope.project_id,
        environment=scope.environment, due_at=due_at,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """Its row."""

    id: str
    session_id: str
    namespace: str | None
    scope: memory.Scope
    group_id: str
    #: Raised by each write.
    version: int
    summary_id: str | None
    #: Whether members came, changed or left since the summary was made.
    behind: bool
    #: What a caller keeps beside the messages.
    properties: Mapping[str, Any]
    remembering: Remembering
    ttl_seconds: int | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What the standing summary says."""

    id: str
    statements: tuple[summary.Statement, ...]
    #: None while it waits to be made anew.
    title: str | None
    made_by: str
    fallback: bool
    #: Messages it has read.
    covered: int
    #: Law 7: what became of them.
    counts: summary.Counts


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """A conversation at one moment. Its messages come without text: that is read once it is known which are wanted."""

    conversation: Conversation
    spoken: Spoken | None
    #: Messages the summary has not read, oldest first; and before them the newest it has, up to the number asked for.
    open: tuple[Message, ...]
    recent: tuple[Message, ...] = field(default=())
    #: Place of the newest message that the summary has read; 0 where there is none.
    after: int = 0

    @property
    def title(self) -> str | None:
        """The title; where it was withdrawn, one of the statements that are left."""
        return (self.spoken.title or title_of(meant(self.spoken.statements))) if self.spoken else None

    @property
    def total(self) -> int:
        """Messages in the context or behind the summary."""
        return (self.spoken.covered if self.spoken else 0) + len(self.open)


#: The role of a message that carries what somebody else summarized before precis saw the conversation.
CARRIED = "context"


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message, as every door hands it in and gets it back."""

    #: The id of its memory.
    id: str
    #: What the caller calls it, unique within the conversation.
    given: str
    #: user, assistant, system, tool, or what the caller calls it.
    role: str
    #: What a summarizer reads: of a call without words, what was called with what.
    text: str
    created_at: datetime
    #: Of the text, by the tokenizer in use.
    tokens: int
    #: Who speaks, where the role does not say it.
    name: str | None = None
    #: Ids of the tool calls and approvals it asks for, and of those it settles.
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    #: The message as the caller's library knows it; None where role and text are all there is.
    payload: Mapping[str, Any] | None = field(default=None)
    #: Its place in the conversation, from 1; 0 until it is written.
    seq: int = 0
    #: Whether it was read for facts.
    was_read: bool = False
    #: Whether only a part of the text is here: it was longer than the budget.
    shortened: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A message as far as it takes to recognize it."""

    #: What the writer calls it; None where it has no id.
    given: str | None
    role: str
    #: Tells equal texts; None for a text that is gone, which equals none.
    mark: int | None
    #: Whether it was said to somebody, as against a call of a tool or its result.
    spoken: bool = True
    #: Bytes of the text; 0 where nobody asks.
    size: int = 0
    #: Ids of the calls it asks for or settles.
    calls: tuple[str, ...] = ()
    #: None where its writer did not say.
    created_at: datetime | None = None

    @property
    def words(self) -> tuple[str, int] | None:
        """Who says what."""
        return None if self.mark is None else (self.role, self.mark)


def pending(messages: Sequence[Message]) -> dict[str, int]:
    """Calls and approvals nobody has settled yet, with the place of the message that asks for each."""
    open_calls: dict[str, int] = {}
    for place, message in enumerate(messages):
        for settled in message.closes:
            open_calls.pop(settled, None)
        for id_ in message.opens:
            open_calls.setdefault(id_, place)
    return open_calls


def dangling(messages: Sequence[Message]) -> frozenset[str]:
    """Ids of messages with a call nobody settled although a user has spoken since: no model takes them as they are."""
    waiting = pending(messages)
    spoken = max((place for place, message in enumerate(messages) if message.role == "user"), default=-1)
    return frozenset(messages[place].id for place in waiting.values() if place < spoken)


def cuts(messages: Sequence[Message], *, settled: bool = False) -> list[int]:
    """Where the messages may be parted, as numbers of messages before the cut: 0 and ``len(messages)`` included.

    A message that asks for a call stays with whatever settles it, and with all that stands between; one that waits
    for an answer stays with everything behind it, unless ``settled`` says to count it as given up.
    """
    #: For each message, the last one that must stay with it.
    until = list(range(len(messages)))
    open_calls: dict[str, int] = {}
    for place, message in enumerate(messages):
        for id_ in message.closes:
            if id_ in open_calls:
                opened = open_calls.pop(id_)
                until[opened] = max(until[opened], place)
        for id_ in message.opens:
            open_calls.setdefault(id_, place)
    if not settled:
        for opened in open_calls.values():
            until[opened] = len(messages)
    places, furthest = [0], -1
    for place, last in enumerate(until):
        furthest = max(furthest, last)
        if furthest <= place:
            places.append(place + 1)
    return places


def turns(messages: Sequence[Message], places: Iterable[int]) -> list[int]:
    """Those of these cuts that a new turn begins at: somebody else than the assistant takes the word."""
    return [
        place
        for place in places
        if place in (0, len(messages)) or (messages[place].role == "user" and messages[place - 1].role != "user")
    ]


def tokens_of(messages: Iterable[Message]) -> int:
    """Tokens of all these messages."""
    return sum(message.tokens for message in messages)
