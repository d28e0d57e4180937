"""What callers send: bodies and queries. What a memory may hold is in app/inputs.py."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal, Self

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator

from precis.app.feedback import NOTE_CHARS, Verdict
from precis.app.inputs import AnyId, Label, MemoryInput, Query, Summarize, Word
from precis.app.recall import SummariesMode
from precis.app.typed import Published, TypedBody
from precis.errors import InvalidInput
from precis.memory import MemoryType
from precis.store.filtering import Filter

#: Any text without a null character, which PostgreSQL cannot compare with.
_Plain = Annotated[str, Field(pattern=r"^[^\x00]*$")]
_Project = Annotated[_Plain, Field(max_length=200)]
#: What a list answered as ``next_cursor``.
_Cursor = Annotated[str, Field(max_length=1000, description="next_cursor of the page before")]
#: The policies of a deployment; the app refuses other names.
POLICIES = ("archive", "clusters", "conversations", "day", "month", "views", "week")
_Policy = Annotated[Word, Published(enum=list(POLICIES))]
_Limit = Annotated[int, Field(ge=1, le=1000, description="rows of a page")]


class _Given(BaseModel):
    """Sent by a caller: what it does not know is an error, so that a misspelled filter never widens an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# --- queries ---


class GroupFilter(_Given):
    """Which groups or summaries; what is not given is not filtered by."""

    user_id: AnyId | None = None
    project_id: _Project | None = None
    environment: Word | None = None
    extracted_type: Word | None = None

    def fields(self) -> dict[str, Any]:
        """Those given, named as the app names them."""
        given = {one.name: getattr(self, one.name, None) for one in fields(Filter)}
        return {name: value for name, value in given.items() if value is not None}


class RowFilter(GroupFilter):
    """Which rows."""

    namespace: Label | None = None
    session_id: Label | None = None
    agent_id: Word | None = None
    run_id: Word | None = None
    memory_type: MemoryType | None = None


class MemoryQuery(RowFilter):
    """A page of memories."""

    is_summary: bool | None = None
    limit: _Limit = 50
    cursor: _Cursor | None = None


class SummaryQuery(GroupFilter):
    """A page of summaries."""

    policy: _Policy | None = None
    limit: _Limit = 50
    cursor: _Cursor | None = None


class PlanQuery(GroupFilter):
    """Which groups to plan."""

    policy: _Policy | None = None
    all: bool = Field(default=False, description="current groups too, not only stale ones")
    limit: _Limit = 1000


class ClustersQuery(GroupFilter):
    """A page of clusters."""

    key: Annotated[Word | None, Field(description="a subject, in any of its spellings")] = None
    sparse: bool | None = Field(
        default=None, description="only those with too few memories for a summary, or with enough"
    )
    limit: _Limit = 50
    cursor: _Cursor | None = None


class FeedbackQuery(_Given):
    """A page of feedback."""

    summary_id: AnyId | None = None
    user_id: AnyId | None = None
    verdict: Verdict | None = None
    limit: _Limit = 50
    cursor: _Cursor | None = None


class StatsQuery(_Given):
    """Whose clusters to count."""

    user_id: AnyId | None = None


class JobsQuery(_Given):
    """Which jobs to list."""

    state: Literal["waiting", "running", "scheduled", "retrying", "rejected", "failed"] | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


# --- bodies in ---


class NewMemories(_Given):
    """Memories to write: all of them or none."""

    memories: Annotated[list[MemoryInput], Field(min_length=1)]
    summarize: Summarize = Field(
        default="inline",
        description="inline: clusters that became due are summarized before the answer; deferred: by a worker",
    )


class Forget(_Given):
    """Memories to forget."""

    ids: Annotated[list[AnyId], Field(min_length=1, max_length=1000)]


class Question(TypedBody, RowFilter):
    """What to recall, and where from."""

    query: Query
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    expand: bool = Field(default=False, description="answer the source rows of each summary with it")
    fold: bool = Field(
        default=False,
        description="show a summary and those of its sources that were found as one; a detail's source comes first",
    )
    summaries: SummariesMode | None = Field(
        default=None,
        description="with (the default): raw rows and summaries; without: raw rows; "
        "only: summaries, and raw rows that none of their user has read",
    )
    include_summaries: bool | None = Field(default=None, description="false means summaries: without")

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        without = self.summaries == "without"
        if None not in (self.summaries, self.include_summaries) and self.include_summaries is without:
            raise ValueError("summaries and include_summaries contradict each other; give one of them")
        return self

    @property
    def mode(self) -> SummariesMode:
        """``summaries`` as it was meant."""
        return self.summaries or ("without" if self.include_summaries is False else "with")


class GiveFeedback(_Given):
    """What a person says of a summary."""

    verdict: Verdict
    note: Annotated[_Plain | None, Field(max_length=NOTE_CHARS, description="why, in the person's words")] = None


class GiveStatementFeedback(GiveFeedback):
    """What a person says of a statement."""

    text: Annotated[_Plain | None, Field(description="what the statement says; 409 where it says something else")] = (
        None
    )


class Refresh(TypedBody, _Given):
    """How to refresh."""

    force: bool = Field(default=False, description="also what is current, was rejected, or was deleted by request")


def _no_query(request: Request) -> None:
    """Refuse what would be ignored: somebody who writes ``DELETE ...?dry_run=true`` means it."""
    for name in request.query_params:
        message = f"query.{name}: there is no such parameter here"
        raise InvalidInput(message, field=f"query.{name}")


def once(request: Request) -> None:
    """Refuse a parameter that is given twice where one is read: the other would be ignored, in a DELETE as well."""
    names = [name for name, _ in request.query_params.multi_items()]
    for name in names:
        if names.count(name) > 1 and name not in _REPEATED:
            message = f"query.{name}: it is given more than once; give it once"
            raise InvalidInput(message, field=f"query.{name}")


#: What is a list, one value a parameter.
_REPEATED = frozenset({"memory_ids"})
#: For routes that take no query at all.
NO_QUERY = [Depends(_no_query)]
