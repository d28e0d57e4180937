"""Feedback on summaries and their statements: /v1/summaries/{id}/feedback and /v1/feedback."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from precis.app.inputs import Id
from precis.engine.commit import Outcome
from precis.rest.answers import FeedbackAnswer, FeedbackBody, FeedbackPage
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY, FeedbackQuery, GiveFeedback, GiveStatementFeedback
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["feedback"], route_class=StrictRoute)
#: The number of a statement, as the summary lists them.
_Number = Annotated[int, Path(ge=0, le=1_000_000, description="its place in the summary's statements, from 0")]


class TakenBack(BaseModel):
    """What came of taking feedback back."""

    id: str
    outcomes: tuple[Outcome, ...] = Field(description="summaries made anew before this answer")


@router.post("/summaries/{summary_id}/feedback", status_code=201, dependencies=NO_QUERY)
async def give(app: Tenant, summary_id: Id, body: GiveFeedback) -> FeedbackAnswer:
    """Mark a summary as wrong or good. All it says is withdrawn where it is wrong, and made anew without it."""
    return FeedbackAnswer.of(await app.feedback.give(summary_id, body.verdict, note=body.note))


@router.post("/summaries/{summary_id}/statements/{number}/feedback", status_code=201, dependencies=NO_QUERY)
async def give_on_statement(
    app: Tenant, summary_id: Id, number: _Number, body: GiveStatementFeedback
) -> FeedbackAnswer:
    """Mark a statement as wrong or good. A wrong one leaves every summary at once, and does not come back."""
    given = await app.feedback.give(summary_id, body.verdict, statement=number, note=body.note, text=body.text)
    return FeedbackAnswer.of(given)


@router.get("/feedback")
async def page(app: Tenant, query: Annotated[FeedbackQuery, Query()]) -> FeedbackPage:
    """List feedback, newest first."""
    found = await app.feedback.list(**query.model_dump(exclude_none=True))
    return FeedbackPage(feedback=[FeedbackBody.of(row) for row in found.rows], next_cursor=found.next_cursor)


@router.get("/feedback/{feedback_id}", dependencies=NO_QUERY)
async def read(app: Tenant, feedback_id: Id) -> FeedbackBody:
    """Read one."""
    return FeedbackBody.of(await app.feedback.get(feedback_id))


@router.delete("/feedback/{feedback_id}", dependencies=NO_QUERY)
async def take_back(app: Tenant, feedback_id: Id) -> TakenBack:
    """Take it back, as if it had never been given: what was marked may be said again."""
    return TakenBack(id=feedback_id, outcomes=tuple(await app.feedback.take_back(feedback_id)))
