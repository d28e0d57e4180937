"""Summaries, their statements, what people say of them, what refreshing takes, and costs, as callers are answered."""

from collections.abc import Mapping
from datetime import date, datetime
from functools import partial
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field

from precis import summary, trust
from precis.app.rollups import Made, PeriodName, Rollup
from precis.app.summaries import Verdict
from precis.engine.drafted import Outcome
from precis.engine.plan import Action
from precis.engine.segments import Kind, Node
from precis.engine.spending import Estimate
from precis.rest.answers import Answer, Camel, MemoryList, RowBody, found_at


def _by_reason(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Every reason is named, also where it holds of no source."""
    return {reason.value: counts.get(reason.value, 0) for reason in summary.SET_ASIDE}


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
    source_class: trust.SourceClass = Field(description="the least trusted of its sources'")


class SummaryBody(RowBody):
    """A summary with its statements."""

    policy: str
    group_id: str
    title: str | None = Field(description="what it is about, in the words of its sources")
    text: str
    leaf_source_ids: tuple[str, ...] = Field(description="the memories it rests on, through every level")
    #: Those that a newer one displaced are not served.
    statements: Annotated[list[StatementBody], BeforeValidator(partial(summary.served_of, served_from=0.0))]
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


class MarkedBody(Answer):
    """A statement that feedback is about."""

    text: str | None = Field(description="null once a memory it rested on was forgotten")
    source_ids: tuple[str, ...]


class FeedbackBody(Answer):
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


class FeedbackPage(Answer):
    """Some feedback, newest first."""

    feedback: list[FeedbackBody] = Field(validation_alias="rows")
    next_cursor: str | None


class FeedbackAnswer(Answer):
    """Feedback, and what came of it."""

    feedback: FeedbackBody
    withdrawn: int = Field(description="statements withdrawn, in every summary that said it")
    summary_ids: tuple[str, ...] = Field(description="the summaries that said it")
    outcomes: tuple[Outcome, ...] = Field(description="those made anew before this answer; a worker makes the others")


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
    def of(cls, rollup: Rollup, *, named: bool) -> Self:
        """The body for a row; ``named`` says whose it is."""
        names = [name for name in cls.model_fields if named or name != "user_id"]
        return cls.model_validate({name: getattr(rollup, name) for name in names})


#: Named only where there are any.
_WHERE_ANY = ("days_kept", "notes_kept")


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
    def of(cls, summarized: Made) -> Self:
        """The body for a run."""
        fields = {name: getattr(summarized, name) for name in cls.model_fields}
        return cls.model_validate({name: value for name, value in fields.items() if value or name not in _WHERE_ANY})


class ClusterBody(Answer):
    """A cluster and the figures its tuning goes by."""

    group_id: str
    user_id: str = found_at("scope", "user_id")
    project_id: str = found_at("scope", "project_id")
    environment: str = found_at("scope", "environment")
    extracted_type: str
    extracted_key: str | None = Field(description="the subject; null where no member names one")
    title: str | None = Field(description="what its summary is about, in its members' words; null without a summary")
    size: int = Field(description="memories in it")
    sparse: bool = Field(description="too few memories for a summary")
    churn: int = Field(description="refreshes in the last hour")
    last_refresh: datetime | None = Field(description="when the summary that stands was made")
    summary_id: str | None
    stale: bool = Field(description="its memories changed since")


class ClusterPage(Answer):
    """Some clusters, the largest first."""

    clusters: list[ClusterBody] = Field(validation_alias="rows")
    next_cursor: str | None


def _leaf_ids(node: Node) -> tuple[str, ...]:
    return tuple(leaf.id for leaf in node.leaves())


class StepBody(Answer):
    """One node that a refresh would make."""

    kind: Kind = found_at("node", "kind")
    sources: Annotated[tuple[str, ...], BeforeValidator(_leaf_ids)] = Field(validation_alias="node")
    reason: str


class PlanBody(Answer):
    """What refreshing one group would do and take."""

    group_id: str = found_at("plan", "group_id")
    policy: str
    action: Action = found_at("plan", "action")
    reason: str = found_at("plan", "reason")
    rejected: Annotated[bool, BeforeValidator(bool)] = found_at(
        "plan", "rejections", description="the last draft of this was rejected; why it is not tried now is the reason"
    )
    summary_id: str | None = found_at("plan", "summary_id")
    steps: list[StepBody] = found_at("plan", "steps")
    estimate: Estimate


class CostBody(Answer):
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


class CostAnswer(Answer):
    """Spend by month and policy, newest first."""

    costs: list[CostBody]
    monthly_ceiling: float | None = Field(description="US dollars; null is no ceiling")
