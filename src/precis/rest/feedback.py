"""Feedback on summaries and their statements: /v1/summaries/{id}/feedback and /v1/feedback."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from precis.app.inputs import AnyId, Cursor, Id, PageSize, Plain, StrictBody
from precis.app.summaries import NOTE_CHARS, GivenFeedback, Verdict
from precis.engine.commit import Outcome
from precis.rest.answers import FeedbackAnswer, FeedbackBody, FeedbackPage
from precis.rest.auth import Tenant
from precis.rest.http import NO_QUERY, StrictRoute
from precis.store.feedback import Feedback
from precis.store.filtering import Page

router = APIRouter(prefix="/v1", tags=["feedback"], route_class=StrictRoute)
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

    summary_id: AnyId | None = None
    user_id: AnyId | None = None
    verdict: Verdict | None = None
    limit: PageSize = 50
    cursor: Cursor | None = None


class TakenBack(BaseModel):
    """What came of taking feedback back."""

    id: str
    outcomes: tuple[Outcome, ...] = Field(description="summaries made anew before this answer")


@router.post("/summaries/{summary_id}/feedback", status_code=201, dependencies=NO_QUERY, response_model=FeedbackAnswer)
async def give(app: Tenant, summary_id: Id, body: GiveFeedback) -> GivenFeedback:
    """Mark a summary as wrong or good. All it says is withdrawn where it is wrong, and made anew without it."""
    return await app.feedback.give(summary_id, body.verdict, note=body.note)


@router.post(
    "/summaries/{summary_id}/statements/{number}/feedback",
    status_code=201,
    dependencies=NO_QUERY,
    response_model=FeedbackAnswer,
)
async def give_on_statement(app: Tenant, summary_id: Id, number: _Number, body: GiveStatementFeedback) -> GivenFeedback:
    """Mark a statement as wrong or good. A wrong one leaves every summary at once, and does not come back."""
    return await app.feedback.give(summary_id, body.verdict, statement=number, note=body.note, text=body.text)


@router.get("/feedback", response_model=FeedbackPage)
async def page(app: Tenant, query: Annotated[FeedbackQuery, Query()]) -> Page[Feedback]:
    """List feedback, newest first."""
    return await app.feedback.list(**query.model_dump(exclude_none=True))


@router.get("/feedback/{feedback_id}", dependencies=NO_QUERY, response_model=FeedbackBody)
async def read(app: Tenant, feedback_id: Id) -> Feedback:
    """Read one."""
    return await app.feedback.get(feedback_id)


@router.delete("/feedback/{feedback_id}", dependencies=NO_QUERY)
async def take_back(app: Tenant, feedback_id: Id) -> TakenBack:
    """Take it back, as if it had never been given: what was marked may be said again."""
    return TakenBack(id=feedback_id, outcomes=tuple(await app.feedback.take_back(feedback_id)))
