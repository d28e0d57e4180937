"""What callers of conversations hand in and get back: names, messages, contexts and turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

import numpy as np
import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema, model_validator
from pydantic.json_schema import SkipJsonSchema

from precis import ids, trust, typed
from precis.app.conversing import chat_shapes, content_parts
from precis.app.inputs import FUTURE
from precis.conversation import CARRIED, Address, Loaded, Message, Remembering, memory_id
from precis.engine.engine import Engine
from precis.errors import InvalidInput
from precis.language.labels import extract
from precis.memory import RENDERED, TURN, Memory, MemoryType, Scope
from precis.policies.conversations import HandOver
from precis.store.conversation_rows import NewMessage
from precis.store.rows import NewMemory
from precis.summary import Counts, Statement

_PARTS = 2000
_NOTHING = "(nothing)"
#: Of the payload of a message, or of one call in it: a photo of 18 megabytes, as models take them.
MAX_JSON_BYTES = 24 * 2**20
Named = str | Address
_WHERE = tuple(field.name for field in fields(Address) if field.name != "session_id")

Json = Annotated[dict[str, Any], AfterValidator(partial(ids.checked_json, limit=MAX_JSON_BYTES))]


class MessageInput(BaseModel):
    """One message as a caller writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Annotated[typed.Storable, Field(min_length=1, max_length=64)]
    content: Annotated[
        typed.Storable, Field(max_length=chat_shapes.MAX_CHARS), WithJsonSchema(chat_shapes.CONTENT_SCHEMA)
    ] = Field(default="", description="words, or parts as chat APIs have them; null beside tool_calls")
    id: typed.AnyId | None = Field(default=None, description="unique within the conversation; made when not given")
    name: typed.Word | None = Field(default=None, description="who speaks, where the role does not say it")
    created_at: typed.When | None = None
    tool_calls: tuple[Json, ...] = Field(
        default=(), description="calls it asks for, each with an id; they and their results are never parted"
    )
    tool_call_id: str | None = Field(default=None, description="the call that it is the result of")
    opens: tuple[str, ...] = Field(default=(), description="ids of calls and approvals it asks for, besides tool_calls")
    closes: tuple[str, ...] = Field(default=(), description="ids of those it settles, besides tool_call_id")
    payload: Json | None = Field(default=None, description="the message as your library knows it")
    handed_in_as: SkipJsonSchema[Json | None] = Field(default=None, description="fields that come back as they came")
    is_read: bool = Field(default=True, description="false: no facts are looked for in it")
    is_recalled: bool = Field(default=True, description="false: no recall answers it; it stays in the conversation")

    @model_validator(mode="before")
    @classmethod
    def _of_a_chat_api(cls, value: Any) -> Any:
        return chat_shapes.from_chat_api(value) if isinstance(value, Mapping) else value

    @model_validator(mode="after")
    def _says_something(self) -> MessageInput:
        if not self.told and trust.class_of_role(self.role) is not trust.SourceClass.AGENT:
            raise ValueError("Message content cannot be empty")
        return self

    @property
    def opened(self) -> tuple[str, ...]:
        """Every call and approval it asks for."""
        calls = [id_ for call in self.tool_calls if isinstance(id_ := call.get("id"), str)]
        return tuple(dict.fromkeys([*calls, *self.opens]))

    @property
    def closed(self) -> tuple[str, ...]:
        """Everything it settles."""
        return tuple(dict.fromkeys([*([self.tool_call_id] if self.tool_call_id else []), *self.closes]))

    @property
    def called(self) -> Mapping[str, str]:
        """Names of tools by the ids of their calls."""
        calls = ((call.get("id"), content_parts.function_of(call).get("name")) for call in self.tool_calls)
        return {id_: name for id_, name in calls if isinstance(id_, str) and isinstance(name, str)}

    @property
    def speaker(self) -> str:
        """Who says it."""
        return self.name or self.role

    @property
    def spoken(self) -> bool:
        """Whether somebody is spoken to. Beside the result of a call Anthropic's API has what the user says."""
        role = trust.role_in_chats(self.role)
        return not self.opened and (role == "user" or (role == "assistant" and not self.closed))

    @property
    def told(self) -> str:
        """What a summarizer reads; of a tool that answers nothing, that."""
        calls = [content_parts.call_in_words(call) for call in self.tool_calls]
        if not self.content.strip() and not calls and self.payload is not None:
            calls = [orjson.dumps(content_parts.without_data(self.payload)).decode()[:_PARTS]]
        return " ".join(filter(None, [self.content.strip() and self.content, *calls])) or _NOTHING * bool(self.closed)

    @property
    def kept(self) -> dict[str, Any] | None:
        """What the memory has no field for."""
        calls = {"tool_calls": list(self.tool_calls)} if self.tool_calls else {}
        result = {"tool_call_id": self.tool_call_id} if self.tool_call_id else {}
        payload = {"payload": self.payload} if self.payload is not None else {}
        content = {"content": self.content} if calls or payload else {}
        return {**calls, **result, **payload, **content, **(self.handed_in_as or {})} or None


def read_messages(inputs: Sequence[MessageInput | dict[str, Any]], *, latest: datetime) -> list[MessageInput]:
    """Every message validated. Raises InvalidInput naming the first field that is wrong."""
    messages = []
    for at, unread in enumerate(inputs):
        try:
            message = unread if isinstance(unread, MessageInput) else MessageInput.model_validate(unread)
        except ValidationError as error:
            raise typed.invalid(error, prefix=f"messages.{at}") from error
        if message.created_at is not None and message.created_at > latest + FUTURE:
            text = f"messages.{at}.created_at: {message.created_at.isoformat()} lies more than a day in the future"
            raise InvalidInput(text, field=f"messages.{at}.created_at")
        messages.append(message)
    return messages


async def prepare(
    engine: Engine, inputs: Sequence[MessageInput], address: Address, tenant_id: str, *, recalled: bool, read: bool
) -> list[NewMessage]:
    """The memories of these messages; with a vector only where they are to be recalled.

    A summary that came in with a session is no message, and not recalled; nor is what its caller keeps out. With
    ``read``, what was said to somebody is to be read for facts: no call, and no result of one.
    """
    scope, now = address.scope(tenant_id), engine.clock()
    vectors = await engine.embedder.embed([unwritten.told for unwritten in inputs]) if recalled else [[]] * len(inputs)
    messages = []
    for at, (unwritten, vector) in enumerate(zip(inputs, vectors, strict=True)):
        name = unwritten.id or ids.new_id()
        # In the order in which they were handed in, also where several have one time.
        created_at = unwritten.created_at or now + timedelta(microseconds=at)
        memory = _memory(engine, unwritten, address, scope, memory_id(address.conversation_id, name), created_at)
        heard = recalled and unwritten.is_recalled and unwritten.role != CARRIED
        memory = memory if heard else replace(memory, embedding_version=None)
        message = Message(
            id=memory.id, given=name, role=unwritten.role, text=unwritten.told, created_at=created_at,
            tokens=memory.tokens, name=unwritten.name, opens=unwritten.opened, closes=unwritten.closed,
            payload=unwritten.kept,
        )  # fmt: skip
        array = np.asarray(vector, dtype=np.float32) if heard else np.zeros(engine.embedder.dimensions, np.float32)
        row = NewMemory(memory=memory, vector=array, dated=unwritten.created_at is not None)
        messages.append(NewMessage(message=message, row=row, is_read=read and unwritten.spoken and unwritten.is_read))
    return messages


def _memory(
    engine: Engine, unwritten: MessageInput, address: Address, scope: Scope, id_: str, created_at: datetime
) -> Memory:
    labels = extract(unwritten.told[:_PARTS], speaker=unwritten.name)
    return Memory(
        id=id_, scope=scope, text=unwritten.told, created_at=created_at, updated_at=engine.clock(),
        memory_type=MemoryType.MESSAGE, namespace=address.namespace or None, session_id=address.session_id,
        speaker=unwritten.speaker, extracted_type=labels.type, importance=labels.importance,
        metadata={"kind": TURN, "role": unwritten.role}, tokens=engine.count(unwritten.told) + RENDERED,
        embedding_version=engine.embedder.version, source_class=trust.class_of_role(unwritten.role),
    )  # fmt: skip


def restored(message: Message) -> dict[str, Any]:
    """A message as it was handed in, as far as a chat API knows it."""
    kept = dict(message.payload or {})
    content = kept.pop("content", message.text)
    name = {"name": message.name} if message.name else {}
    kept.pop("payload", None)
    return {"id": message.given, "role": message.role, "content": content, **name, **kept}


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
    #: Messages of the conversation; those that the summary has read; and those of these that no statement rests on.
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
    messages: tuple[Message, ...]
    #: Ids that were not there before; and those that a person forgot, as their writer gave them: they are left out. One
    #: without an id is named by its place in the list: ``messages.0``.
    created: tuple[str, ...]
    forgotten: tuple[str, ...] = ()
    #: Whether the summary was extended in the same transaction; and its id.
    summarized: bool
    summary_id: str | None
    title: str | None
    #: A summary was needed and could not be made in time: what stood stays, and a worker makes it.
    degraded: bool
    #: Why a summary was needed, or what went wrong.
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Grown:
    """A later version of a message, and the memory that the stored one is."""

    message: MessageInput
    memory: Memory
    #: Whether it is to be read for facts.
    is_read: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedTurn:
    """Conversation, new messages and verdict: what the summarize and the persist step go on with."""

    address: Address
    loaded: Loaded | None
    #: The messages that were handed in, each once, as they are stored or will be; and those that are not stored yet.
    messages: tuple[Message, ...]
    new: tuple[NewMessage, ...]
    #: Ids of messages that leave the conversation, and of those that come last in it.
    removed: tuple[str, ...]
    order: tuple[str, ...]
    verdict: HandOver
    #: Ids of the messages that are to leave the context.
    hand_over: tuple[str, ...]
    #: What the turn said of recall and of facts, over what was said before; None where it says nothing.
    remembering: Remembering | None = None
    #: What was handed in of what a person forgot, as a Turned names it: it is left out; and what says more by now.
    forgotten: tuple[str, ...] = ()
    grown: tuple[Grown, ...] = ()
    #: The version it must have where some are known by their words: what is new is so until somebody else writes it.
    bound: int | None = None

    @property
    def changes_nothing(self) -> bool:
        """Whether all of it is stored already; a conversation that ends by itself is kept up by each write."""
        known = self.loaded is not None and self.loaded.conversation.ttl_seconds is None
        return known and not (self.new or self.removed or self.order or self.grown or self.verdict.needed)


def named(conversation: Named, where: Mapping[str, str | None]) -> Address:
    """An address, as far as it is told. Raises InvalidInput."""
    if name := next((name for name in where if name not in _WHERE), None):
        raise InvalidInput(f"{name}: a conversation is named by its session and {', '.join(_WHERE)}", field=name)
    return conversation if isinstance(conversation, Address) else Address(session_id=conversation, **where)


def exact(address: Address) -> Address:
    """The one conversation that is opened under this name, whatever else has it."""
    return _full(address.session_id, address.scope(""), address.namespace)


def address_of(loaded: Loaded) -> Address:
    """The full name of a conversation."""
    conversation = loaded.conversation
    return _full(conversation.session_id, conversation.scope, conversation.namespace)


def _full(session_id: str, scope: Scope, namespace: str | None) -> Address:
    return Address(
        session_id=session_id, user_id=scope.user_id, namespace=namespace or "", project_id=scope.project_id,
        environment=scope.environment,
    )  # fmt: skip
