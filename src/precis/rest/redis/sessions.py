"""A session as clients of the wire write it, and the same as the app understands it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import HTTPException
from pydantic import AfterValidator, Field

from precis.app.inputs import MAX_METADATA_BYTES
from precis.app.messages import MAX_CHARS, MessageInput
from precis.app.redis.long_term import Recorded
from precis.app.redis.working_memory import Written
from precis.conversation import Address, Remembering
from precis.ids import checked_json
from precis.rest.http import flaw
from precis.rest.redis.filters import Moment
from precis.rest.redis.shapes import NewRecord, WireBody
from precis.typed import AnyId, Storable

#: How far ahead of the clock a message may be dated.
_AHEAD = timedelta(seconds=300)
#: Bytes of JSON that a session keeps in ``data``, and in the settings of its strategy.
MAX_DATA_BYTES = 2**20
MAX_CONFIG_BYTES = MAX_METADATA_BYTES
#: In a custom prompt of the original: where it puts the messages, and the time.
_PLACEHOLDERS = re.compile(r"\{\w+\}")
_PROMPT_CHARS = 8000
_Text = Annotated[Storable, Field(max_length=MAX_CHARS)]
_Name = Annotated[Storable, Field(max_length=512)]
Owner = AnyId | Literal[""]
_Data = Annotated[dict[str, Any], AfterValidator(partial(checked_json, limit=MAX_DATA_BYTES))]
_Config = Annotated[dict[str, Any], AfterValidator(partial(checked_json, limit=MAX_CONFIG_BYTES))]


class WireMessage(WireBody):
    """One message as a client writes it."""

    role: Annotated[Storable, Field(min_length=1, max_length=64)]
    content: _Text
    id: AnyId | None = None
    created_at: Moment | None = None
    discrete_memory_extracted: Literal["t", "f"] = "f"


class MemoryStrategy(WireBody):
    """How long-term memories are made of the messages; ``config.custom_prompt`` is what ``custom`` asks the model."""

    strategy: Literal["discrete", "summary", "preferences", "custom"] = "discrete"
    config: _Config = Field(default_factory=dict)

    def remembering(self) -> Remembering:
        """The same as precis keeps it. Placeholders of the original stand for what follows a prompt here."""
        prompt = self.config.get("custom_prompt")
        asked = _PLACEHOLDERS.sub("", prompt).strip() if isinstance(prompt, str) else ""
        return Remembering(strategy=self.strategy, prompt=asked[:_PROMPT_CHARS] or None)


class WorkingMemory(WireBody):
    """A session as a client writes it."""

    messages: list[WireMessage] = Field(default_factory=list)
    memories: list[NewRecord] = Field(default_factory=list)
    data: _Data | None = None
    context: _Text | None = None
    user_id: Owner | None = None
    namespace: _Name | None = None
    long_term_memory_strategy: MemoryStrategy = Field(default_factory=MemoryStrategy)
    ttl_seconds: Annotated[int, Field(ge=1, le=10**9)] | None = None


def written_of(
    body: WorkingMemory, messages: Sequence[MessageInput], rows: Sequence[Recorded], *, seen: str | None = None
) -> Written:
    """The same as the app understands it."""
    return Written(
        messages=messages,
        properties={
            "data": body.data,
            "memories": [row.id for row in rows],
            "strategy": body.long_term_memory_strategy.model_dump(),
            "extracted": [sent.id for sent in body.messages if sent.discrete_memory_extracted == "t" and sent.id],
        },
        ttl_seconds=body.ttl_seconds,
        carried=body.context,
        remembering=body.long_term_memory_strategy.remembering(),
        seen=seen,
    )


def inputs_of(messages: Sequence[WireMessage], now: datetime) -> list[MessageInput]:
    """Messages as the app understands them. Raises HTTPException, naming the message."""
    return [_input(message, place, now) for place, message in enumerate(messages)]


def _input(message: WireMessage, place: int, now: datetime) -> MessageInput:
    if not message.content.strip():
        raise HTTPException(status_code=400, detail=f"Message content cannot be empty (message ID: {message.id})")
    if message.created_at is not None and message.created_at > now + _AHEAD:
        reason = "created_at cannot be more than 300 seconds in the future"
        raise flaw(reason, "body", "messages", place, "created_at")
    return MessageInput(id=message.id, role=message.role, content=message.content, created_at=message.created_at,
                        is_read=message.discrete_memory_extracted == "f")  # fmt: skip


def records_of(memories: Sequence[NewRecord], session_id: str, address: Address, now: datetime) -> list[Recorded]:
    """The structured memories of a session are long-term memories at once; the session keeps their ids."""
    owner = {"session_id": session_id, "namespace": address.namespace, "user_id": address.user_id}
    rows = []
    for place, record in enumerate(memories):
        missing = {name: value for name, value in owner.items() if value and not getattr(record, name)}
        rows.append(record.model_copy(update=missing).recorded(place, now=now))
    return rows
