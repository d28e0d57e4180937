"""Memories as the wire writes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from precis.app.inputs import NOT_BLANK, UnownedInput, invalid
from precis.app.long_term import Recorded
from precis.app.long_term_search import Mode, Scored
from precis.app.typed import Published, TypedBody
from precis.errors import InvalidInput
from precis.ids import storable
from precis.memory import Memory, MemoryType
from precis.rest.redis.filters import Moment

#: Where a memory's metadata keeps what only the wire knows.
WIRE = "wire"
#: What is passed on as it came, where it came.
_PASSED = ("id", "text", "namespace", "session_id", "memory_type", "event_date", "pinned", "topics", "entities")
_ONLY_HERE = ("extracted_from", "extraction_strategy", "extraction_strategy_config", "discrete_memory_extracted")


class Given(TypedBody):
    """Sent by a client: what precis does not know is ignored."""

    numbers_as_text = True

    model_config = ConfigDict(extra="ignore", frozen=True)


def _uncut(value: str) -> str:
    if "," in value:
        raise ValueError("it holds a comma, which separates the words of a list")
    return storable(value)


_Tag = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_uncut), Published(pattern=r"^[^,\x00]*$")]
_Tags = tuple[_Tag, ...]


class NewRecord(Given):
    """A memory as a client writes it."""

    id: Annotated[str, Field(min_length=1)]
    text: Annotated[str, NOT_BLANK]
    session_id: str | None = None
    user_id: str | None = None
    namespace: str | None = None
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
        given = {name: getattr(self, name) for name in _PASSED if name in self.model_fields_set}
        given |= {"created_at": self.created_at, "user_id": self.user_id or "", "metadata": self._metadata(now)}
        try:
            memory = UnownedInput.model_validate({name: one for name, one in given.items() if one not in (None, "")})
        except ValidationError as error:
            raise invalid(error, prefix=f"memories.{at}") from error
        return Recorded(memory=memory, last_accessed=self.last_accessed)

    def _metadata(self, now: datetime) -> dict[str, Any]:
        plain = type(self).model_fields
        own = {name: getattr(self, name) for name in _ONLY_HERE if name in self.model_fields_set}
        kept = {
            n: one
            for n, one in own.items()
            if one is not None and one != plain[n].get_default(call_default_factory=True)
        }
        return {**self.metadata, WIRE: {**kept, "persisted_at": now.isoformat()}}


class Record(BaseModel):
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

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """The record of a memory that has its text."""
        return cls(**_fields(memory))


class Result(Record):
    """A record as it is found."""

    dist: float = Field(description="cosine distance, 0 to 2; of the other modes 1 less the score; 0 in a list")
    score: float | None = Field(description="0 to 1; null in a list")
    score_type: Mode | None

    @classmethod
    def found(cls, row: Scored) -> Self:
        """One row of an answer."""
        return cls(**_fields(row.memory), dist=row.distance, score=row.score, score_type=row.mode)


def _fields(memory: Memory) -> dict[str, Any]:
    wire = memory.metadata.get(WIRE)
    own: Mapping[str, Any] = wire if isinstance(wire, Mapping) else {}
    text = memory.text or ""
    return {
        "id": memory.id,
        "text": text,
        "session_id": memory.session_id,
        "user_id": memory.scope.user_id or None,
        "namespace": memory.namespace,
        "last_accessed": memory.last_accessed or memory.created_at,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "pinned": memory.pinned,
        "access_count": memory.access_count,
        "topics": memory.topics,
        "entities": memory.entities,
        "memory_hash": _hash(memory, text),
        "discrete_memory_extracted": own.get("discrete_memory_extracted", "t"),
        "memory_type": memory.memory_type,
        "persisted_at": own.get("persisted_at", memory.created_at),
        "extracted_from": own.get("extracted_from", ()),
        "event_date": memory.event_date,
        "extraction_strategy": own.get("extraction_strategy", "discrete"),
        "extraction_strategy_config": own.get("extraction_strategy_config", {}),
        "metadata": {name: value for name, value in memory.metadata.items() if name != WIRE},
        "is_summary": memory.is_summary,
        "source_ids": memory.parent_id,
    }


def _hash(memory: Memory, text: str) -> str:
    """Tells whether two records say the same; made as the original server makes it."""
    fields = {
        "text": text,
        "user_id": memory.scope.user_id or None,
        "session_id": memory.session_id,
        "namespace": memory.namespace,
        "memory_type": memory.memory_type.value,
    }
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()
