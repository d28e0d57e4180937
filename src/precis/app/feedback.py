"""app.feedback: what people say of summaries. What is marked as wrong is withdrawn at once and not said again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from precis.app.inputs import checked_limit
from precis.app.parts import Parts
from precis.app.refreshing import refresh_inline
from precis.engine.commit import Outcome
from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.store.feedback import Feedback, Given
from precis.store.paging import Page

Verdict = Literal["wrong", "good"]
_VERDICTS = ("wrong", "good")
#: Longest note, in characters.
NOTE_CHARS = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenFeedback:
    """Feedback, and what came of it."""

    feedback: Feedback
    #: Statements that were withdrawn, in every summary that said it.
    withdrawn: int
    #: The summaries that said it.
    summary_ids: tuple[str, ...]
    #: How far they are made anew already; a worker makes the others.
    outcomes: tuple[Outcome, ...]


class Feedbacks:
    """Verbs over the feedback of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def give(
        self, summary_id: str, verdict: Verdict, *, statement: int | None = None, note: str | None = None,
        text: str | None = None,
    ) -> GivenFeedback:  # fmt: skip
        """Mark a statement (by its number, from 0) or a whole summary as ``wrong`` or ``good``.

        What is wrong leaves every read at once, in every summary over the same memories; they are made anew without
        it, and no draft that says the same brings it back while it rests on the same memories. With ``text`` the
        statement has to say that. Raises NotFound, Conflict, InvalidInput.
        """
        if verdict not in _VERDICTS:
            raise InvalidInput(f"verdict: {verdict!r} is not wrong or good", field="verdict")
        if note is not None and len(checked_name(note, "note")) > NOTE_CHARS:
            raise InvalidInput(f"note: it has {len(note)} characters; at most {NOTE_CHARS} are kept", field="note")
        given = Given(summary_id=summary_id, verdict=verdict, statement=statement, note=note or None, text=text)
        parts = self._parts
        done = await parts.store.feedback.give(parts.tenant_id, given, now=parts.engine.clock())
        outcomes = await self._refresh(done.group_ids)
        return GivenFeedback(
            feedback=await self.get(done.feedback_id), withdrawn=done.statements, summary_ids=done.summary_ids,
            outcomes=tuple(outcomes),
        )  # fmt: skip

    async def get(self, feedback_id: str) -> Feedback:
        """One of them. Raises NotFound."""
        return await self._parts.store.feedback.get(self._parts.tenant_id, feedback_id)

    async def list(
        self, *, summary_id: str | None = None, user_id: str | None = None, verdict: Verdict | None = None,
        limit: int = 50, cursor: str | None = None,
    ) -> Page[Feedback]:  # fmt: skip
        """Newest first; ``limit`` is 1 to 1000. Raises InvalidInput."""
        for name, value in (("summary_id", summary_id), ("user_id", user_id)):
            if value is not None:
                checked_name(value, name)
        if verdict is not None and verdict not in _VERDICTS:
            raise InvalidInput(f"verdict: {verdict!r} is not wrong or good", field="verdict")
        return await self._parts.store.feedback.list(
            self._parts.tenant_id, summary_id=summary_id, user_id=user_id, verdict=verdict, limit=checked_limit(limit),
            cursor=cursor,
        )  # fmt: skip

    async def take_back(self, feedback_id: str) -> Sequence[Outcome]:
        """As if it had never been said: the summaries are made anew, and may say it again. Raises NotFound."""
        parts = self._parts
        return await self._refresh(
            await parts.store.feedback.take_back(parts.tenant_id, feedback_id, now=parts.engine.clock())
        )

    async def _refresh(self, group_ids: Sequence[str]) -> Sequence[Outcome]:
        """As far as the deadline of a write goes; they are due, and a worker makes the rest."""
        parts = self._parts
        return await refresh_inline(parts.engine, parts.tenant_id, group_ids, deadline=parts.settings.inline_deadline)
