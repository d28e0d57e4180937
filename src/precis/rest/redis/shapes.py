"""What the wire writes: memories, and sessions as its clients have them and as the app understands them."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import HTTPException, Query
from pydantic import AfterValidator, ConfigDict, Field, ValidationError, model_validator

from precis.app.conversing.chat_shapes import MAX_CHARS
from precis.app.inputs import MAX_METADATA_BYTES, UnownedInput
from precis.app.messages import MessageInput
from precis.app.redis.long_term import Recorded
from precis.app.redis.long_term_search import Mode, Scored
from precis.app.redis.working_memory import Written
from precis.conversation import Address, Remembering
from precis.errors import InvalidInput
from precis.ids import checked_json, is_blank, storable
from precis.memory import Memory, MemoryType
from precis.rest.answers import Answer
from precis.rest.http import flaw
from precis.rest.redis.filters import Moment
from precis.typed import NOT_BLANK, NOT_LOST, AnyId, Published, Storable, TypedBody, invalid

#: Where a memory's metadata keeps what only the wire knows.
WIRE = "wire"
#: Fields that are passed on as they were sent, where they were sent.
_PASSED = (
    "id", "text", "namespace", "session_id", "memory_type", "event_date", "pinned", "topics", "entities",
)  # fmt: skip
#: Fields that are kept in the metadata where they differ from these defaults.
_DEFAULTS: Mapping[str, Any] = {
    "discrete_memory_extracted": "t", "extracted_from": (), "extraction_strategy": "discrete",
    "extraction_strategy_config": {},
}  # fmt: skip
#: A label of memories in a query.
QueryLabel = Annotated[str | None, Query(max_length=512, pattern=r"^[^\x00]*$")]


class WireBody(TypedBody):
    """Sent by a client: what precis does not know is ignored."""

    numbers_as_text = True

    model_config = ConfigDict(extra="ignore", frozen=True)


def _uncut(value: str) -> str:
    if "," in value:
        raise ValueError("it holds a comma, which separates the words of a list")
    return storable(value)


#: A word of a list.
Tag = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_uncut), Published(pattern=r"^[^,\x00]*$")]
_Tags = tuple[Tag, ...]

#: What is checked where a record becomes a memory, which knows its place in the list. Empty is the same as left out.
_OF_ID = Published(maxLength=512, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$", **NOT_LOST)
_OF_LABEL = Published(maxLength=512, pattern=r"^[^\x00]*$")


class Ack(Answer):
    """Done."""

    status: str = "ok"


class NewRecord(WireBody):
    """A memory as a client writes it."""

    id: Annotated[str, Field(min_length=1), _OF_ID]
    text: Annotated[str, NOT_BLANK]
    session_id: Annotated[str, _OF_LABEL] | None = None
    user_id: Annotated[str, _OF_ID] | None = None
    namespace: Annotated[str, _OF_LABEL] | None = None
    last_accessed: Moment | None = None
    created_at: Moment | None = None
    pinned: bool = False
    topics: _Tags | None = None
    entities: _Tags | None = None
    discrete_memory_extracted: Literal["t", "f"] = "t"
    memory_type: MemoryType = MemoryType.SEMANTIC
    extracted_from: _Tags | None = None
    event_date: Moment | None = None
    extraction_strategy: Annotated[str, Field(min_length=1, max_length=200)] = "discrete"
    extraction_strategy_config: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)

    def recorded(self, at: int, *, now: datetime) -> Recorded:
        """The same as precis writes it. Raises InvalidInput, naming the place in the list."""
        if is_blank(self.text):
            raise InvalidInput(f"Memory at index {at} has empty text", field=f"memories.{at}.text")
        fields = {name: getattr(self, name) for name in _PASSED if name in self.model_fields_set}
        fields |= {"created_at": self.created_at, "user_id": self.user_id or "", "metadata": self._metadata(now)}
        try:
            memory = UnownedInput.model_validate(
                {name: value for name, value in fields.items() if value not in (None, "")}
            )
        except ValidationError as error:
            raise invalid(error, prefix=f"memories.{at}") from error
        return Recorded(memory=memory, last_accessed=self.last_accessed)

    def _metadata(self, now: datetime) -> dict[str, Any]:
        own = self.model_dump(include=set(_DEFAULTS), exclude_defaults=True)
        return {**self.metadata, WIRE: {**own, "persisted_at": now.isoformat()}}


class MemoryRecord(Answer):
    """A memory as it is answered."""

    id: str
    text: str
    session_id: str | None
    user_id: str | None
    namespace: str | None
    last_accessed: datetime
    created_at: datetime
    updated_at: datetime
    pinned: bool
    access_count: int
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    memory_hash: str
    discrete_memory_extracted: str
    memory_type: MemoryType
    persisted_at: datetime
    extracted_from: tuple[str, ...]
    event_date: datetime | None
    extraction_strategy: str
    extraction_strategy_config: dict[str, Any]
    metadata: dict[str, Any]
    is_summary: bool = Field(description="made by precis of the memories in source_ids")
    source_ids: tuple[str, ...]

    @model_validator(mode="before")
    @classmethod
    def _of(cls, value: Any) -> Any:
        return _fields(value) if isinstance(value, Memory) else value


class FoundRecord(MemoryRecord):
    """A record as it is found."""

    dist: float = Field(description="cosine distance, 0 to 2; of the other modes 1 less the score; 0 in a list")
    score: float | None = Field(description="0 to 1; null in a list")
    score_type: Mode | None

    @model_validator(mode="before")
    @classmethod
    def _of_row(cls, value: Any) -> Any:
        if not isinstance(value, Scored):
            return value
        return _fields(value.memory) | {"dist": value.distance, "score": value.score, "score_type": value.mode}


def _fields(memory: Memory) -> dict[str, Any]:
    """Of a memory that has its text."""
    wire = memory.metadata.get(WIRE)
    own = wire if isinstance(wire, Mapping) else {}
    plain = {name: getattr(memory, name) for name in MemoryRecord.model_fields if hasattr(memory, name)}
    kept_apart = {"persisted_at": memory.created_at, **_DEFAULTS}
    return (
        plain
        | {name: own.get(name, default) for name, default in kept_apart.items()}
        | {
            "text": memory.text or "",
            "user_id": memory.scope.user_id or None,
            "last_accessed": memory.last_accessed or memory.created_at,
            "memory_hash": _hash(memory),
            "metadata": {name: value for name, value in memory.metadata.items() if name != WIRE},
            "source_ids": memory.parent_id,
        }
    )


def _hash(memory: Memory) -> str:
    """Tells whether two records say the same; made as the original server makes it."""
    fields = {
        "text": memory.text or "",
        "user_id": memory.scope.user_id or None,
        "session_id": memory.session_id,
        "namespace": memory.namespace,
        "memory_type": memory.memory_type.value,
    }
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


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
        words = _PLACEHOLDERS.sub("", prompt).strip() if isinstance(prompt, str) else ""
        return Remembering(strategy=self.strategy, prompt=words[:_PROMPT_CHARS] or None)


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
    body: WorkingMemory,
    messages: Sequence[MessageInput],
    rows: Sequence[Recorded],
    *,
    seen: frozenset[str] | None = None,
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
