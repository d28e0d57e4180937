"""Memories and summaries, as callers are answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import partial
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from precis.lineage import SET_ASIDE
from precis.memory import MemoryType, RetentionState, Tier
from precis.rest.answers.answer import Answer, found_at
from precis.summary import served_of
from precis.trust import SourceClass


class _Row(Answer):
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


class MemoryBody(_Row):
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


def _by_reason(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Every reason is named, also where it holds of no source."""
    return {reason.value: counts.get(reason.value, 0) for reason in SET_ASIDE}


class CountsBody(Answer):
    """What became of the sources of a summary: represented, set aside and left out add up to the total."""

    total: int = Field(description="sources selected")
    read: int = Field(description="of those, in the input of the summary")
    represented: int = Field(description="in the lineage of a served statement")
    set_aside: Annotated[dict[str, int], BeforeValidator(_by_reason)] = Field(
        description="in no lineage, by the reason a check found: small_talk, question, repetition or overruled"
    )
    left_out: int = Field(description="in no lineage and without a reason, or not read; their originals stay")
    capped: int = Field(description="read in part; counted in one of the others as well")


class StatementBody(Answer):
    """One claim of a summary and the memories it rests on."""

    text: str
    importance: float
    source_ids: tuple[str, ...]
    source_class: SourceClass = Field(description="the least trusted of its sources'")


class SummaryBody(_Row):
    """A summary with its statements."""

    policy: str
    group_id: str
    title: str | None = Field(description="what it is about, in the words of its sources")
    text: str
    leaf_source_ids: tuple[str, ...] = Field(description="the memories it rests on, through every level")
    #: Those that a newer one displaced are not served.
    statements: Annotated[list[StatementBody], BeforeValidator(partial(served_of, served_from=0.0))]
    quality: float = Field(description="score of the checks, 0 to 1")
    made_by: str
    fallback: bool = Field(description="made offline because the model could not be used; redone later")
    stale: bool = Field(description="its sources changed since; what it says still rests on living sources")
    rejected: bool = Field(
        description="no draft of its sources as they are passed the checks: tried again after 1, 10 and 60 minutes"
    )
    counts: CountsBody = Field(description="what became of its sources")
    included: int = Field(description="sources read, of total")
    total: int


class MemoryList(Answer):
    """All of them."""

    memories: list[MemoryBody]


class SourceList(MemoryList):
    """The source rows of a summary, and what became of all that it rests on."""

    counts: CountsBody = Field(description="of the summary, through every level")


class SummaryPage(Answer):
    """Some summaries, the newest refresh first."""

    summaries: list[SummaryBody] = Field(validation_alias="rows")
    next_cursor: str | None


class RestingBody(Answer):
    """What a summary says that rests on a memory."""

    summary_id: str = found_at("summary", "id")
    policy: str = found_at("summary", "policy")
    title: str | None = found_at("summary", "title")
    statements: list[StatementBody]


class RestingAnswer(Answer):
    """By summary, the newest refresh first."""

    summaries: list[RestingBody]


class RefreshedBody(Answer):
    """One refresh of a summary."""

    number: int = Field(description="counts from 1")
    refreshed_at: datetime
    reason: str
    made_by: str
    fallback: bool
    came: tuple[str, ...] = Field(description="ids of memories that it read and the refresh before did not")
    went: tuple[str, ...] = Field(description="ids of memories that the refresh before read and this one did not")
    added: list[StatementBody] = Field(description="statements that the summary before did not serve")
    dropped: list[StatementBody] = Field(description="statements that the summary before served and this one does not")
    counts: CountsBody = Field(description="what became of its sources")
    calls: int = Field(description="calls of a model")
    tokens: int
    cost: float = Field(description="US dollars")


class HistoryAnswer(Answer):
    """The last refreshes of a summary, the newest first."""

    summary_id: str
    refreshes: list[RefreshedBody]
