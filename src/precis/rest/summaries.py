"""The resources /v1/summaries, /v1/plan, /v1/clusters and /v1/feedback."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel, Field

from precis.app.conversing.extracting import FactsPlan
from precis.app.inputs import AsOf, GroupFilter, MinTrust
from precis.app.summaries import NOTE_CHARS, GivenFeedback, Verdict
from precis.engine.drafted import Outcome, Result
from precis.errors import BudgetExhausted, Conflict, DraftFailed
from precis.rest import summary_answers as bodies
from precis.rest.answers import Answer
from precis.rest.auth import Tenant, keyed_router
from precis.store import feedback, filtering, summaries
from precis.store.changes.history import SummaryHistory
from precis.summary import Summary
from precis.typed import Cursor, Id, KnownId, PageSize, Plain, Published, StrictBody, TypedBody, Word

router = keyed_router("/v1", tag="summaries")
#: The policies of a deployment; the app refuses other names.
POLICIES = ("archive", "clusters", "conversations", "day", "month", "views", "week")
_Policy = Annotated[Word, Published(enum=list(POLICIES))]


class SummaryQuery(GroupFilter):
    """A page of summaries."""

    policy: _Policy | None = None
    min_trust: MinTrust | None = None
    as_of: AsOf | None = None
    limit: PageSize = 50
    cursor: Cursor | None = None


class VersionQuery(StrictBody):
    """Which version of a summary."""

    as_of: AsOf | None = None


class RefreshRequest(TypedBody, StrictBody):
    """How to refresh."""

    force: bool = Field(default=False, description="also what is current, was rejected, or was deleted by request")


class PlanQuery(GroupFilter):
    """Which groups to plan."""

    policy: _Policy | None = None
    all: bool = Field(default=False, description="current groups too, not only stale ones")
    limit: PageSize = 1000


class ClustersQuery(GroupFilter):
    """A page of clusters."""

    key: Annotated[Word | None, Field(description="a subject, in any of its spellings")] = None
    sparse: bool | None = Field(
        default=None, description="only those with too few memories for a summary, or with enough"
    )
    limit: PageSize = 50
    cursor: Cursor | None = None


class StatsQuery(StrictBody):
    """Whose clusters to count."""

    user_id: KnownId | None = None


class PlanAnswer(Answer):
    """Plans of a scope, longest waiting first."""

    plans: list[bodies.PlanBody]
    facts: FactsPlan = Field(description="messages that wait to be read for facts, and what that would take at most")


@router.get("/summaries", response_model=bodies.SummaryPage)
async def page(app: Tenant, query: Annotated[SummaryQuery, Query()]) -> filtering.Page[Summary]:
    """List summaries, the newest refresh first; with ``as_of`` those that stood then, as far as that is kept."""
    return await app.summaries.list(policy=query.policy, limit=query.limit, cursor=query.cursor, **query.fields())


@router.get("/summaries/{summary_id}", response_model=bodies.SummaryBody)
async def read(app: Tenant, summary_id: Id, query: Annotated[VersionQuery, Query()]) -> Summary:
    """Read one summary: each statement with the memories it rests on.

    With ``as_of`` as it stood then; 404 where that is not kept.
    """
    return await app.summaries.get(summary_id, as_of=query.as_of)


@router.get("/summaries/{summary_id}/history", response_model=bodies.HistoryAnswer)
async def history(app: Tenant, summary_id: Id) -> SummaryHistory:
    """Read its last refreshes, the newest first: when and why, what came and went, what it cost.

    Nothing of a forgotten memory is in it: neither its id nor a statement that rested on it.
    """
    return await app.summaries.history(summary_id)


@router.get("/summaries/{summary_id}/sources")
async def sources(app: Tenant, summary_id: Id) -> bodies.SourceList:
    """Read the source rows of a summary, oldest first, and what became of what it rests on."""
    memories = await app.summaries.expand(summary_id)
    return bodies.SourceList.of(await app.summaries.get(summary_id), memories=memories)


@router.post(
    "/summaries/{summary_id}/refresh",
    responses={503: {"description": "It failed; what stood stays, and it is tried again."}},
)
async def refresh(app: Tenant, summary_id: Id, body: RefreshRequest | None = None) -> Outcome:
    """Make one summary current now.

    ``result`` says how it ended; ``unchanged``, ``rejected`` and ``discarded`` leave what stood. 409 while somebody
    else refreshes it.
    """
    outcome = await app.summaries.refresh(summary_id, force=body.force if body else False)
    if outcome.result is Result.FAILED:
        message = f"the refresh failed ({outcome.reason}): what stood stays, and a worker tries again"
        is_over = outcome.reason == BudgetExhausted.__name__
        raise (BudgetExhausted if is_over else DraftFailed)(message)
    return outcome


@router.delete("/summaries/{summary_id}", status_code=204)
async def delete(app: Tenant, summary_id: Id) -> None:
    """Remove a summary. None is made of the same sources until they change."""
    await app.summaries.delete(summary_id)


@router.patch("/summaries/{summary_id}", status_code=409)
async def edit(app: Tenant, summary_id: Id) -> None:
    """Refuse: a summary is derived."""
    await app.summaries.get(summary_id)
    message = f"summary {summary_id!r} is derived: PATCH /v1/memories/<id> of its sources, and it follows"
    raise Conflict(message)


@router.get("/plan")
async def plan(app: Tenant, query: Annotated[PlanQuery, Query()]) -> PlanAnswer:
    """Say what refreshing the groups of a scope would do and take, and why. Calls no model and changes nothing."""
    planned = await app.summaries.plan(
        policy=query.policy, stale_only=not query.all, limit=query.limit, **query.fields()
    )
    waiting = await app.facts.plan(user_id=query.user_id)
    return PlanAnswer(plans=[bodies.PlanBody.of(group) for group in planned], facts=waiting)


class RestingQuery(StrictBody):
    """On which memory."""

    memory_id: KnownId


@router.get("/statements", name="resting")
async def statements(app: Tenant, query: Annotated[RestingQuery, Query()]) -> bodies.RestingAnswer:
    """Answer every statement that rests on a memory, in any summary that stands, the newest refresh first."""
    resting = await app.standing.resting_on([query.memory_id])
    return bodies.RestingAnswer(summaries=[bodies.RestingBody.of(each) for each in resting])


clusters_router = keyed_router("/v1", tag="clusters")


@clusters_router.get("/clusters", response_model=bodies.ClusterPage, name="page")
async def clusters_page(app: Tenant, query: Annotated[ClustersQuery, Query()]) -> filtering.Page[summaries.Cluster]:
    """List clusters, the largest first, with the figures that tuning acts upon."""
    return await app.clusters.list(**query.model_dump(exclude_none=True))


@clusters_router.get("/clusters/stats")
async def stats(app: Tenant, query: Annotated[StatsQuery, Query()]) -> summaries.ClusterStats:
    """Answer the figures for tuning: sparse ratio, churn of the last hour, tokens per summary."""
    return await app.clusters.stats(**query.model_dump(exclude_none=True))


# --- feedback on summaries and their statements: /v1/summaries/{id}/feedback and /v1/feedback ---


feedback_router = keyed_router("/v1", tag="feedback")
#: The number of a statement, as the summary lists them.
_Number = Annotated[int, Path(ge=0, le=1_000_000, description="its place in the summary's statements, from 0")]


class GiveFeedback(StrictBody):
    """What a person says of a summary."""

    verdict: Verdict
    note: Annotated[Plain | None, Field(max_length=NOTE_CHARS, description="why, in the person's words")] = None


class GiveStatementFeedback(GiveFeedback):
    """What a person says of a statement."""

    text: Annotated[Plain | None, Field(description="what the statement says; 409 where it says something else")] = None


class FeedbackQuery(StrictBody):
    """A page of feedback."""

    summary_id: KnownId | None = None
    user_id: KnownId | None = None
    verdict: Verdict | None = None
    limit: PageSize = 50
    cursor: Cursor | None = None


class TakenBack(BaseModel):
    """What came of taking feedback back."""

    id: str
    outcomes: tuple[Outcome, ...] = Field(description="summaries made anew before this answer")


@feedback_router.post("/summaries/{summary_id}/feedback", status_code=201, response_model=bodies.FeedbackAnswer)
async def give(app: Tenant, summary_id: Id, body: GiveFeedback) -> GivenFeedback:
    """Mark a summary as wrong or good. All it says is withdrawn where it is wrong, and made anew without it."""
    return await app.feedback.give(summary_id, body.verdict, note=body.note)


@feedback_router.post(
    "/summaries/{summary_id}/statements/{number}/feedback", status_code=201, response_model=bodies.FeedbackAnswer
)
async def give_on_statement(app: Tenant, summary_id: Id, number: _Number, body: GiveStatementFeedback) -> GivenFeedback:
    """Mark a statement as wrong or good. A wrong one leaves every summary at once, and does not come back."""
    return await app.feedback.give(summary_id, body.verdict, statement=number, note=body.note, text=body.text)


@feedback_router.get("/feedback", response_model=bodies.FeedbackPage, name="page")
async def feedback_page(app: Tenant, query: Annotated[FeedbackQuery, Query()]) -> filtering.Page[feedback.Feedback]:
    """List feedback, newest first."""
    return await app.feedback.list(**query.model_dump(exclude_none=True))


@feedback_router.get("/feedback/{feedback_id}", response_model=bodies.FeedbackBody, name="read")
async def read_feedback(app: Tenant, feedback_id: Id) -> feedback.Feedback:
    """Read one person's feedback."""
    return await app.feedback.get(feedback_id)


@feedback_router.delete("/feedback/{feedback_id}")
async def take_back(app: Tenant, feedback_id: Id) -> TakenBack:
    """Take feedback back, as if it had never been given: what was marked may be said again."""
    return TakenBack(id=feedback_id, outcomes=tuple(await app.feedback.take_back(feedback_id)))
