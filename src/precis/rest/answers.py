"""What every answer is, and memories, what was recalled of them, and a context, as callers are answered.

Each field is read off the frozen value that a verb answers: by its own name, or by the name that the field gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import partial
from hashlib import blake2b
from typing import Any, Self

from pydantic import AliasPath, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from precis.engine.forgetting import Receipt
from precis.memory import Memory, MemoryType, RetentionState, Tier
from precis.recall.assembly import Section
from precis.recall.naming import Doubtful
from precis.trust import SourceClass


class Answer(BaseModel):
    """A route returns a value, and its ``response_model`` is the answer that is read off the value."""

    model_config = ConfigDict(from_attributes=True, populate_by_name=True)

    @classmethod
    def of(cls, value: object, **more: Any) -> Self:
        """The answer for a value; ``more`` are fields that the value does not have, or not like this."""
        return cls.model_validate(_Completed(value, more) if more else value)


class _Completed:
    """A value with more attributes than it has."""

    def __init__(self, value: object, more: Mapping[str, Any]) -> None:
        self.__dict__.update(more)
        self._value = value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._value, name)


def found_at(part: str, *names: str, **more: Any) -> Any:
    """A field that is read off a part of the value."""
    return Field(validation_alias=AliasPath(part, *names), **more)


class Camel(BaseModel):
    """Named as the document names it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, from_attributes=True, frozen=True)


class RowBody(Answer):
    """What memories and summaries tell alike; the id comes first."""

    id: str
    user_id: str = found_at("scope", "user_id")
    project_id: str = found_at("scope", "project_id")
    environment: str = found_at("scope", "environment")
    extracted_type: str | None
    extracted_key: str | None = Field(description="the subject")
    importance: float = Field(description="0 to 1")
    created_at: datetime
    updated_at: datetime
    tier: Tier
    source_class: SourceClass = Field(
        description="from whom it is: user, agent, imported, document, tool; of a summary the least trusted it has read"
    )
    embedding_version: str | None = Field(description="which embedder read the text; null where none has")
    parent_id: tuple[str, ...] = Field(
        description="direct source rows of a summary, messages that a fact rests on; oldest first"
    )
    summarized_memory_ids: tuple[str, ...] | None = Field(
        default=None, description="of a summary of the archive: the originals it stands for, oldest first"
    )
    summarized_until: date | None = Field(
        default=None,
        validation_alias="summarized_day",
        description="of a summary of the archive: the day (UTC) of its newest original",
    )


class MemoryBody(RowBody):
    """A memory. The text of a summary is its statements; that of an expired row is null."""

    namespace: str | None
    session_id: str | None
    agent_id: str | None
    run_id: str | None
    memory_type: MemoryType
    text: str | None
    event_date: datetime | None
    metadata: dict[str, Any]
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    retention_state: RetentionState
    is_summary: bool
    pinned: bool
    supersedes: tuple[str, ...] = Field(description="ids of the memories that it replaces")
    superseded_by: tuple[str, ...] = Field(
        description="ids of the memories that replace it: it is out of recall and context while one of them is there"
    )
    superseded_at: datetime | None = Field(description="from when on the first of those holds")
    access_count: int
    last_accessed: datetime | None


class MemoryList(Answer):
    """All of them."""

    memories: list[MemoryBody]


class WrittenBody(Answer):
    """What became of one memory of a write."""

    id: str
    created: bool = Field(description="false when it was there already with the same content")
    group_id: str | None = Field(description="the cluster it joined")
    supersedes: tuple[str, ...] = Field(description="ids of the memories that it replaces")
    superseded_by: tuple[str, ...] = Field(description="ids of the memories that replace it")
    doubtful: tuple[Doubtful, ...] = Field(
        description="memories that the words in supersedes may name; none of them was replaced: name it by its id"
    )


class WriteAnswer(Answer):
    """What a write did."""

    memories: list[WrittenBody]
    summaries: tuple[str, ...] = Field(description="summaries made or refreshed before this answer")
    waiting: tuple[str, ...] = Field(description="groups whose summary a worker makes next")


class MemoryPage(Answer):
    """Some memories, newest first."""

    memories: list[MemoryBody] = Field(validation_alias="rows")
    next_cursor: str | None


class EditAnswer(Answer):
    """The memory as it is now, and what left with its old text."""

    memory: MemoryBody
    receipt: Receipt = Field(
        description="ids and counts of what left with the old text; since nobody asked to forget, it is neither signed "
        "nor kept: number, previous and signature are null, and /v1/receipts does not have it"
    )


class ScoreParts(Answer):
    """What a score is the sum of; a part is 0 where it does not apply."""

    keyword: float = Field(description="words of the row, and in part those of its neighbors in the session")
    vector: float = Field(description="likeness in meaning, of the row and its neighbors")
    stretch: float = Field(description="words of the question that rows around it in its session hold with it")
    shortness: float = Field(description="a turn of next to no words; 0 or less")
    speaker: float = Field(description="the question names who said it")
    named: float = Field(description="the question names somebody, and the row has the name or is said by them")
    date: float = Field(description="the question names its date")
    summary: float = Field(description="a summary that answers the question rests on it")
    newest: float = Field(description="newest of the rows found on its subject")
    importance: float
    recency: float
    preference: float = Field(description="a raw row of the last days, or a summary of what lies long back")
    telling: float = Field(
        description="it has the day, number or place that is asked for, or what a task is to keep to; less if it asks"
    )


class RecalledBody(Answer):
    """One row of an answer."""

    memory: MemoryBody
    dated_text: str | None = Field(
        description="the text with the days that its words mean on the day when it was written, in square brackets: "
        "last weekend [11\u201312 March 2023]; null where it names none"
    )
    score: float = found_at("score", "total")
    parts: ScoreParts = Field(validation_alias="score")
    relevance: float = found_at(
        "relevance",
        "value",
        description="chance that it is evidence for the question, 0 to 1, the same in every answer",
    )
    source_ids: tuple[str, ...] = Field(description="for a summary: its source rows")
    sources: list[MemoryBody] | None = Field(
        default=None, validation_alias="expansion", description="those rows, when expand was asked for"
    )
    folded: list[RecalledBody] = Field(description="rows found that are shown under this one, when fold was asked for")


class UnknownBody(Answer):
    """What an answer as of a moment cannot know."""

    as_of: datetime
    expired: int = Field(description="memories of the scope that were known then and whose text has expired since")
    summaries: int = Field(
        description="summaries of the scope that stood then and say something else now, unless what they said is kept"
    )


class RecallAnswer(Answer):
    """The best rows, best first."""

    results: list[RecalledBody]
    unsure: bool = Field(description="no row is surely relevant: the best has a relevance below 0.07, or there is none")
    unknown: UnknownBody | None = Field(default=None, description="with as_of: what is not among them for that")


_of_piece = partial(found_at, "piece")


class LineBody(Answer):
    """One line of the context and where it is from."""

    number: int = Field(description="what it is cited by in the text")
    section: Section = _of_piece("section")
    tier: Tier = _of_piece("tier")
    id: str = _of_piece("id", description="the memory, or the summary that says it")
    date: datetime = _of_piece("created_at")
    text: str = Field(
        validation_alias="quote", description="its words in the context; what stands in square brackets was added"
    )
    excerpt: bool = Field(description="sentences of the memory that matter less are left out")
    subject: str | None = _of_piece("subject", description="what its summary is about")
    source_ids: tuple[str, ...] = _of_piece("source_ids", description="the memories it rests on")
    source_class: SourceClass = _of_piece("source_class", description="the least trusted of what it rests on")
    score: float = _of_piece("score")


class ContextAnswer(Answer):
    """A context that fits its budget."""

    text: str
    tokens: int
    token_budget: int
    lines: list[LineBody]
    left_out: dict[Section, int] = Field(description="found and not there, by part: no room, or nothing called for it")
    already_said: int = Field(description="lines left out because a line says the same, or speaks for them")
    unsure: bool = Field(
        description="nothing that was recalled is surely relevant: lines are only the closest, and the text says so"
    )
    unknown: UnknownBody | None = Field(default=None, description="with as_of: what is not in it for that")


def tag_of(memory: Memory) -> str:
    """Another one after every edit: by it a caller replaces no other state than the one that was read."""
    return blake2b(memory.fingerprint + memory.updated_at.isoformat().encode(), digest_size=12).hexdigest()


def tags_of(if_match: str) -> frozenset[str]:
    """The tags of an ``If-Match`` header; ``*`` stands for any."""
    return frozenset(tag.strip().removeprefix("W/").strip('"') for tag in if_match.split(","))
