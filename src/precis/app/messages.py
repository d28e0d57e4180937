"""Messages as callers hand them in, and as the memories that they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any

import numpy as np
import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from precis.app.inputs import FUTURE, STORABLE, AnyId, When, Word, invalid
from precis.engine.conversation import Address, Message, memory_id
from precis.engine.pipeline import Engine
from precis.errors import InvalidInput
from precis.ids import checked_json, new_id, storable
from precis.language.labels import extract
from precis.memory import Memory, MemoryType, Scope
from precis.policies.conversations import TURN
from precis.store.conversation_rows import NewMessage
from precis.store.rows import NewMemory

#: What a prompt adds to a message: number, who speaks, line break, in tokens.
_RENDERED = 9
MAX_CHARS = 2_000_000
_PARTS = 2000
#: Of the payload of a message, or of one call in it.
MAX_JSON_BYTES = 2**22


def _json(value: dict[str, Any]) -> dict[str, Any]:
    checked: dict[str, Any] = checked_json(value, limit=MAX_JSON_BYTES)
    return checked


Json = Annotated[dict[str, Any], AfterValidator(_json)]


class MessageInput(BaseModel):
    """One message as a caller writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Annotated[str, Field(min_length=1, max_length=64), AfterValidator(storable), STORABLE]
    content: Annotated[str, Field(max_length=MAX_CHARS), AfterValidator(storable), STORABLE] = ""
    id: AnyId | None = Field(default=None, description="unique within the conversation; made when not given")
    name: Word | None = Field(default=None, description="who speaks, where the role does not say it")
    created_at: When | None = None
    tool_calls: tuple[Json, ...] = Field(
        default=(), description="calls it asks for, each with an id; they and their results are never parted"
    )
    tool_call_id: str | None = Field(default=None, description="the call that it is the result of")
    opens: tuple[str, ...] = Field(default=(), description="ids of calls and approvals it asks for, besides tool_calls")
    closes: tuple[str, ...] = Field(default=(), description="ids of those it settles, besides tool_call_id")
    payload: Json | None = Field(default=None, description="the message as your library knows it")

    @model_validator(mode="after")
    def _says_something(self) -> MessageInput:
        if not self.content.strip() and not self.tool_calls and self.payload is None:
            raise ValueError("Message content cannot be empty")
        return self

    @property
    def opened(self) -> tuple[str, ...]:
        """Every call and approval it asks for."""
        calls = (call.get("id") for call in self.tool_calls)
        return tuple(dict.fromkeys([*(id_ for id_ in calls if isinstance(id_, str)), *self.opens]))

    @property
    def closed(self) -> tuple[str, ...]:
        """Everything it settles."""
        return tuple(dict.fromkeys([*([self.tool_call_id] if self.tool_call_id else []), *self.closes]))

    @property
    def speaker(self) -> str:
        """Who says it."""
        return self.name or self.role

    @property
    def told(self) -> str:
        """What a summarizer reads."""
        calls = [_call(call) for call in self.tool_calls]
        if not self.content.strip() and not calls and self.payload is not None:
            calls = [orjson.dumps(self.payload).decode()[:_PARTS]]
        return " ".join(filter(None, [self.content.strip() and self.content, *calls]))

    @property
    def kept(self) -> dict[str, Any] | None:
        """What the memory has no field for."""
        calls = {"tool_calls": list(self.tool_calls)} if self.tool_calls else {}
        result = {"tool_call_id": self.tool_call_id} if self.tool_call_id else {}
        given = {"payload": self.payload} if self.payload is not None else {}
        content = {"content": self.content} if calls or given else {}
        return {**calls, **result, **given, **content} or None


def _call(call: dict[str, Any]) -> str:
    """A call in words: ``[calls search {"query": "tea"}]``."""
    function = call.get("function") if isinstance(call.get("function"), dict) else call
    name = (function or {}).get("name", "a tool")
    arguments = (function or {}).get("arguments", (function or {}).get("args", ""))
    written = arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
    return f"[calls {name} {written[:_PARTS]}]"


def read_messages(given: Sequence[MessageInput | dict[str, Any]], *, latest: datetime) -> list[MessageInput]:
    """Every message validated. Raises InvalidInput naming the first field that is wrong."""
    found = []
    for at, one in enumerate(given):
        try:
            message = one if isinstance(one, MessageInput) else MessageInput.model_validate(one)
        except ValidationError as error:
            raise invalid(error, prefix=f"messages.{at}") from error
        if message.created_at is not None and message.created_at > latest + FUTURE:
            text = f"messages.{at}.created_at: {message.created_at.isoformat()} lies more than a day in the future"
            raise InvalidInput(text, field=f"messages.{at}.created_at")
        found.append(message)
    return found


async def prepare(
    engine: Engine, given: Sequence[MessageInput], address: Address, tenant_id: str, *, recalled: bool
) -> list[NewMessage]:
    """The memories of these messages; with a vector only where they are to be recalled."""
    scope, now = address.scope(tenant_id), engine.clock()
    vectors = await engine.embedder.embed([one.told for one in given]) if recalled else [[]] * len(given)
    made = []
    for at, (one, vector) in enumerate(zip(given, vectors, strict=True)):
        name = one.id or new_id()
        # In the order in which they were handed in, also where several have one time.
        created_at = one.created_at or now + timedelta(microseconds=at)
        memory = _memory(engine, one, address, scope, memory_id(address.conversation_id, name), created_at)
        memory = memory if recalled else replace(memory, embedding_version=None)
        message = Message(
            id=memory.id, given=name, role=one.role, text=one.told, created_at=created_at, tokens=memory.tokens,
            name=one.name, opens=one.opened, closes=one.closed, payload=one.kept,
        )  # fmt: skip
        array = np.asarray(vector, dtype=np.float32) if recalled else np.zeros(engine.embedder.dimensions, np.float32)
        row = NewMemory(memory=memory, vector=array, dated=one.created_at is not None)
        made.append(NewMessage(message=message, row=row))
    return made


def _memory(
    engine: Engine, one: MessageInput, address: Address, scope: Scope, id_: str, created_at: datetime
) -> Memory:
    found = extract(one.told[:_PARTS], speaker=one.name)
    return Memory(
        id=id_,
        scope=scope,
        text=one.told,
        created_at=created_at,
        updated_at=engine.clock(),
        memory_type=MemoryType.MESSAGE,
        namespace=address.namespace or None,
        session_id=address.session_id,
        speaker=one.speaker,
        extracted_type=found.type,
        importance=found.importance,
        metadata={"kind": TURN, "role": one.role},
        tokens=engine.count(one.told) + _RENDERED,
        embedding_version=engine.embedder.version,
    )


def restored(message: Message) -> dict[str, Any]:
    """A message as it was handed in, as far as a chat API knows it."""
    kept = dict(message.payload or {})
    content = kept.pop("content", message.text)
    name = {"name": message.name} if message.name else {}
    kept.pop("payload", None)
    return {"id": message.given, "role": message.role, "content": content, **name, **kept}


def without_text(message: Message) -> Message:
    """The same as a stub."""
    return replace(message, text="", payload=None)
