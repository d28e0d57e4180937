"""Feedback, as callers are answered."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from precis.app.summaries import Verdict
from precis.engine.commit import Outcome
from precis.rest.answers.answer import Answer


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
