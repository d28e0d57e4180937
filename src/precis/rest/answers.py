"""What callers are answered."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from precis.app.feedback import GivenFeedback, Verdict
from precis.app.recall import Result
from precis.app.rollups import Made, PeriodName, Rollup
from precis.app.summaries import Planned
from precis.engine.commit import Outcome
from precis.engine.estimates import Estimate
from precis.engine.forgetting import Receipt
from precis.lineage import SET_ASIDE, Counts
from precis.memory import Memory, MemoryType, RetentionState, Tier
from precis.recall.assembly import Context, Line, Section
from precis.store.clusters import Cluster
from precis.store.feedback import Feedback
from precis.store.jobs import JobCounts
from precis.store.memories import Added
from precis.summary import Summary


class _Scoped(BaseModel):
    """What memories and summaries tell alike."""

    id: str
    user_id: str
    project_id: str
    environment: str
    extracted_type: str | None
    extracted_key: str | None = Field(description="the subject")
    importance: float = Field(description="0 to 1")
    created_at: datetime
    updated_at: datetime
    tier: Tier
    embedding_version: str | None = Field(description="which embedder read the text; null where none has")
    parent_id: tuple[str, ...] = Field(description="direct source rows of a summary, oldest first")
    summarized_memory_ids: tuple[str, ...] | None = Field(
        default=None, description="of a summary of the archive: the originals it stands for, oldest first"
    )
    summarized_until: date | None = Field(
        default=None, description="of a summary of the archive: the day (UTC) of its newest original"
    )


class MemoryBody(_Scoped):
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
    access_count: int
    last_accessed: datetime | None

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """The body for a memory."""
        until = memory.summarized_until
        stands = {
            "summarized_memory_ids": memory.summarized_memory_ids,
            "summarized_until": until.astimezone(UTC).date() if until else None,
        }
        return cls(**_taken(cls, memory) | stands)


class CountsBody(BaseModel):
    """What became of the sources of a summary: represented, set aside and left out add up to the total."""

    total: int = Field(description="sources selected")
    read: int = Field(description="of those, in the input of the summary")
    represented: int = Field(description="in the lineage of a served statement")
    set_aside: dict[str, int] = Field(
        description="in no lineage, by the reason a check found: small_talk, question, repetition or overruled"
    )
    left_out: int = Field(description="in no lineage and without a reason, or not read; their originals stay")
    capped: int = Field(description="read in part; counted in one of the others as well")

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """The body for counts."""
        return cls(
            total=counts.total, read=counts.read, represented=counts.represented,
            set_aside={reason.value: counts.set_aside.get(reason.value, 0) for reason in SET_ASIDE},
            left_out=counts.left_out, capped=counts.capped,
        )  # fmt: skip


class StatementBody(BaseModel):
    """One claim of a summary and the memories it rests on."""

    text: str
    importance: float
    source_ids: tuple[str, ...]


class SummaryBody(_Scoped):
    """A summary with its statements."""

    policy: str
    group_id: str
    text: str
    leaf_source_ids: tuple[str, ...] = Field(description="the memories it rests on, through every level")
    statements: list[StatementBody]
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

    @classmethod
    def of(cls, summary: Summary) -> Self:
        """The body for a summary; statements that a newer one displaced are not served."""
        served = [
            StatementBody(text=one.text, importance=one.importance, source_ids=one.source_ids)
            for one in summary.statements
            if one.superseded_by is None
        ]
        stands = {"summarized_memory_ids": summary.parent_id, "summarized_until": summary.ends_on}
        own = {"statements": served, "counts": CountsBody.of(summary.counts)}
        return cls(**_taken(cls, summary) | own | (stands if summary.tier is Tier.ARCHIVE else {}))


def _taken(body: type[_Scoped], row: Memory | Summary) -> dict[str, Any]:
    """The fields of a body, from the row or else from its scope."""
    own = [name for name in body.model_fields if not name.startswith("summarized_")]
    return {name: getattr(row if hasattr(row, name) else row.scope, name) for name in own}


class WrittenBody(BaseModel):
    """What became of one memory of a write."""

    id: str
    created: bool = Field(description="false when it was there already with the same content")
    group_id: str | None = Field(description="the cluster it joined")

    @classmethod
    def of(cls, added: Added) -> Self:
        """The body for one row of a write."""
        return cls(id=added.id, created=added.created, group_id=added.group_id)


class WriteAnswer(BaseModel):
    """What a write did."""

    memories: list[WrittenBody]
    summaries: tuple[str, ...] = Field(description="summaries made or refreshed before this answer")
    waiting: tuple[str, ...] = Field(description="groups whose summary a worker makes next")


class MemoryPage(BaseModel):
    """Some memories, newest first."""

    memories: list[MemoryBody]
    next_cursor: str | None


class MemoryList(BaseModel):
    """All of them."""

    memories: list[MemoryBody]


class SourceList(MemoryList):
    """The source rows of a summary, and what became of all that it rests on."""

    counts: CountsBody = Field(description="of the summary, through every level")


class EditAnswer(BaseModel):
    """The memory as it is now, and what left with its old text."""

    memory: MemoryBody
    receipt: Receipt


class SummaryPage(BaseModel):
    """Some summaries, the newest refresh first."""

    summaries: list[SummaryBody]
    next_cursor: str | None


class ClusterBody(BaseModel):
    """A cluster and the figures its tuning goes by."""

    group_id: str
    user_id: str
    project_id: str
    environment: str
    extracted_type: str
    extracted_key: str | None = Field(description="the subject; null where no member names one")
    size: int = Field(description="memories in it")
    sparse: bool = Field(description="too few memories for a summary")
    churn: int = Field(description="refreshes in the last hour")
    last_refresh: datetime | None = Field(description="when the summary that stands was made")
    summary_id: str | None
    stale: bool = Field(description="its memories changed since")

    @classmethod
    def of(cls, cluster: Cluster) -> Self:
        """The body for a cluster."""
        return cls(
            **{name: getattr(cluster if hasattr(cluster, name) else cluster.scope, name) for name in cls.model_fields}
        )


class ClusterPage(BaseModel):
    """Some clusters, the largest first."""

    clusters: list[ClusterBody]
    next_cursor: str | None


class ScoreParts(BaseModel):
    """What a score is the sum of; a part is 0 where it does not apply."""

    keyword: float = Field(description="words of the row, and in part those of its neighbors in the session")
    vector: float = Field(description="likeness in meaning, of the row and its neighbors")
    speaker: float = Field(description="the question names who said it")
    date: float = Field(description="the question names its date")
    summary: float = Field(description="a summary that answers the question rests on it")
    newest: float = Field(description="newest of the rows found on its subject")
    importance: float
    recency: float
    preference: float = Field(description="a raw row of the last days, or a summary of what lies long back")


class RecalledBody(BaseModel):
    """One row of an answer."""

    memory: MemoryBody
    score: float
    parts: ScoreParts
    source_ids: tuple[str, ...] = Field(description="for a summary: its source rows")
    sources: list[MemoryBody] | None = Field(default=None, description="those rows, when expand was asked for")
    folded: list[RecalledBody] = Field(description="rows found that are shown under this one, when fold was asked for")

    @classmethod
    def of(cls, result: Result, *, expand: bool) -> Self:
        """The body for one row of an answer."""
        return cls(
            memory=MemoryBody.of(result.memory),
            score=result.score.total,
            parts=ScoreParts(**result.score.parts),
            source_ids=result.source_ids,
            sources=[MemoryBody.of(source) for source in result.sources] if expand else None,
            folded=[cls.of(one, expand=expand) for one in result.folded],
        )


class RecallAnswer(BaseModel):
    """The best rows, best first."""

    results: list[RecalledBody]


class StepBody(BaseModel):
    """One node that a refresh would make."""

    kind: str
    sources: tuple[str, ...]
    reason: str


class PlanBody(BaseModel):
    """What refreshing one group would do and take."""

    group_id: str
    policy: str
    action: str
    reason: str
    rejected: bool = Field(description="the last draft of this was rejected; why it is not tried now is the reason")
    summary_id: str | None
    steps: list[StepBody]
    estimate: Estimate

    @classmethod
    def of(cls, planned: Planned) -> Self:
        """The body for a plan."""
        plan = planned.plan
        steps = [
            StepBody(kind=step.node.kind, sources=tuple(leaf.id for leaf in step.node.leaves()), reason=step.reason)
            for step in plan.steps
        ]
        return cls(
            group_id=plan.group_id, policy=planned.policy, action=plan.action, reason=plan.reason,
            rejected=plan.rejections > 0, summary_id=plan.summary_id, steps=steps, estimate=planned.estimate,
        )  # fmt: skip


class PlanAnswer(BaseModel):
    """Plans of a scope, longest waiting first."""

    plans: list[PlanBody]


class CostBody(BaseModel):
    """What the models took for one policy of the tenant in one month (UTC)."""

    tenant_id: str
    policy: str
    month: date
    calls: int = Field(description="attempts: failed ones and retries count")
    failed: int = Field(description="calls that brought no usable answer, lost ones included")
    lost: int = Field(description="calls whose process died; they count with all they may have taken")
    tokens_in: int
    tokens_out: int
    tokens_cached: int = Field(description="of tokens_in, what the provider had in its cache")
    cost: float = Field(description="US dollars; a call under way counts with what it may cost at most")


class CostAnswer(BaseModel):
    """Spend by month and policy, newest first."""

    costs: list[CostBody]
    monthly_ceiling: float | None = Field(description="US dollars; null is no ceiling")


class JobAnswer(BaseModel):
    """A group with something to do: its refresh is the job."""

    group_id: str
    policy: str
    user_id: str
    state: Literal["waiting", "running", "scheduled", "retrying", "rejected", "failed"] = Field(
        description="scheduled: at due_at; retrying: again at due_at, after a failure; rejected: no draft passed the "
        "checks, again at due_at or, without one, when its sources change or somebody asks; failed: until somebody "
        "retries"
    )
    members: int
    summary_id: str | None = Field(description="the summary that stands meanwhile")
    attempts: int = Field(description="failures since the last good refresh")
    error: str | None = Field(description="what went wrong last; never a text of a memory")
    due_at: datetime | None
    failed_at: datetime | None
    lease_until: datetime | None = Field(description="until when whoever refreshes it has the right to")


class JobsAnswer(BaseModel):
    """The work list, failed jobs first."""

    counts: JobCounts
    jobs: list[JobAnswer]


class RetryAnswer(BaseModel):
    """The jobs that are due again, by group id."""

    retried: list[str]


class Up(BaseModel):
    """A sign of life."""

    status: Literal["ok"] = "ok"


class LineBody(BaseModel):
    """One line of the context and where it is from."""

    number: int = Field(description="what it is cited by in the text")
    section: Section
    tier: Tier
    id: str = Field(description="the memory, or the summary that says it")
    date: datetime
    text: str
    source_ids: tuple[str, ...] = Field(description="the memories it rests on")
    score: float

    @classmethod
    def of(cls, line: Line) -> Self:
        """The body for a line."""
        piece = line.piece
        return cls(
            number=line.number, section=piece.section, tier=piece.tier, id=piece.id, date=piece.created_at,
            text=piece.text, source_ids=piece.source_ids, score=piece.score,
        )  # fmt: skip


class ContextAnswer(BaseModel):
    """A context that fits its budget."""

    text: str
    tokens: int
    token_budget: int
    lines: list[LineBody]
    left_out: dict[Section, int] = Field(description="found and not there, by part: no room, or nothing called for it")
    already_said: int = Field(description="lines left out because a line says the same, or speaks for them")

    @classmethod
    def of(cls, context: Context, budget: int) -> Self:
        """The body for a context."""
        return cls(
            text=context.text, tokens=context.tokens, token_budget=budget,
            lines=[LineBody.of(line) for line in context.lines], left_out=dict(context.left_out),
            already_said=context.already_said,
        )  # fmt: skip


class Camel(BaseModel):
    """Named as the document names it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)


class RollupBody(Camel):
    """One summary of a period."""

    summary_id: str
    period: PeriodName
    start_date: date
    end_date: date
    key_insights: tuple[str, ...]
    notes_consolidated: int
    counts: CountsBody = Field(description="what became of the notes")
    user_id: str | None = Field(default=None, description="only where nobody was asked for")

    @classmethod
    def of(cls, one: Rollup, *, named: bool) -> Self:
        """The body for a row; ``named`` says whose it is."""
        said = {name: getattr(one, name) for name in cls.model_fields if name not in ("user_id", "counts")}
        said["counts"] = CountsBody.of(one.counts)
        return cls(**said, user_id=one.user_id) if named else cls(**said)


class MadeBody(Camel):
    """What summarizing a period did."""

    summary_id: str | None
    period: PeriodName
    notes_consolidated: int = Field(description="raw notes it rests on, through every level")
    status: Literal["complete", "unchanged", "empty"]
    days_kept: tuple[date, ...] | None = Field(
        default=None, description="days whose notes stay because the compacted form would not be shorter"
    )
    notes_kept: int | None = Field(
        default=None, description="notes old enough to go that stay because no compacted day says all that they say"
    )

    @classmethod
    def of(cls, made: Made) -> Self:
        """The body for a run."""
        said = {name: getattr(made, name) for name in ("summary_id", "period", "notes_consolidated", "status")}
        said |= {name: value for name in ("days_kept", "notes_kept") if (value := getattr(made, name))}
        return cls(**said)


class MarkedBody(BaseModel):
    """A statement that feedback is about."""

    text: str | None = Field(description="null once a memory it rested on was forgotten")
    source_ids: tuple[str, ...]


class FeedbackBody(BaseModel):
    """What a person said of a summary, or of a statement of it."""

    id: str
    summary_id: str
    policy: str
    user_id: str
    verdict: Verdict
    whole: bool = Field(description="of the summary as a whole")
    note: str | None
    statements: list[MarkedBody]
    created_at: datetime

    @classmethod
    def of(cls, feedback: Feedback) -> Self:
        """The body for feedback."""
        return cls.model_validate(feedback, from_attributes=True)


class FeedbackPage(BaseModel):
    """Some feedback, newest first."""

    feedback: list[FeedbackBody]
    next_cursor: str | None


class FeedbackAnswer(BaseModel):
    """Feedback, and what came of it."""

    feedback: FeedbackBody
    withdrawn: int = Field(description="statements withdrawn, in every summary that said it")
    summary_ids: tuple[str, ...] = Field(description="the summaries that said it")
    outcomes: tuple[Outcome, ...] = Field(description="those made anew before this answer; a worker makes the others")

    @classmethod
    def of(cls, given: GivenFeedback) -> Self:
        """The body for feedback that was just given."""
        return cls(
            feedback=FeedbackBody.of(given.feedback), withdrawn=given.withdrawn, summary_ids=given.summary_ids,
            outcomes=given.outcomes,
        )  # fmt: skip
