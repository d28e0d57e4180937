"""Memories as the wire writes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import AfterValidator, ConfigDict, Field, ValidationError, model_validator

from precis.app.inputs import UnownedInput
from precis.app.redis.long_term import Recorded
from precis.app.redis.long_term_search import Mode, Scored
from precis.errors import InvalidInput
from precis.ids import storable
from precis.memory import Memory, MemoryType
from precis.rest.answers.answer import Answer
from precis.rest.redis.filters import Moment
from precis.typed import NOT_BLANK, Published, TypedBody, invalid

#: Where a memory's metadata keeps what only the wire knows.
WIRE = "wire"
#: What is passed on as it came, where it came.
_PASSED = (
    "id", "text", "namespace", "session_id", "memory_type", "event_date", "pinned", "topics", "entities",
)  # fmt: skip
#: What is kept in the metadata where it is not this.
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


_Tag = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_uncut), Published(pattern=r"^[^,\x00]*$")]
_Tags = tuple[_Tag, ...]

#: What is checked where a record becomes a memory, which knows its place in the list. Empty is the same as left out.
_OF_ID = Published(maxLength=512, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")
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
        if not self.text.strip():
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
