"""The resource /memory/summarize: with a body a user's day, week or month now; without one a pass of the archive."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel, Field

from precis.rest.answers import CountsBody, MadeBody
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY
from precis.rest.memory_summaries import SummarizePeriod, summarize_period
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/memory", tags=["schedules"], route_class=StrictRoute)


class PassDone(BaseModel):
    """What a pass of the archive did."""

    batches: int = Field(description="summaries made")
    memories: int = Field(description="memories that joined a batch")
    deletions: int = Field(description="originals whose text is gone")
    waiting: int = Field(description="originals old enough to go that stay until what they say is safely kept")
    left_out: int = Field(description="of those, the ones that no summary says in full")
    counts: CountsBody = Field(description="what became of the memories of the summaries that were made")
    failed: int = Field(description="batches without a summary; the next pass tries again")
    next_run: datetime | None = Field(description="null while the timetable is switched off")


class ScheduleBody(BaseModel):
    """When a policy's pass ran last and is due next."""

    last_run: datetime | None
    next_run: datetime | None


class ScheduleAnswer(BaseModel):
    """The timetables, by policy."""

    policies: Mapping[str, ScheduleBody]


@router.post(
    "/summarize",
    dependencies=NO_QUERY,
    response_model_exclude_unset=True,
    responses={
        409: {"description": "Somebody else is at it."},
        503: {"description": "The draft failed; what stood stays."},
    },
)
async def summarize(app: Tenant, body: SummarizePeriod | None = None) -> MadeBody | PassDone:
    """Summarize a period of a user's notes now; without a body, make one pass of the archive now, due or not.

    The pass moves the next run. 409 while somebody else makes it; a second request then finds nothing left to do.
    """
    if body is not None:
        return await summarize_period(app, body)
    done = await app.archive.run()
    return PassDone(
        batches=done.batches, memories=done.memories, deletions=done.deletions, waiting=done.waiting,
        left_out=done.left_out, counts=CountsBody.of(done.counts), failed=done.failed,
        next_run=(await app.archive.schedules())["archive"].next_run,
    )  # fmt: skip


@router.get("/summarize", dependencies=NO_QUERY)
async def schedules(app: Tenant) -> ScheduleAnswer:
    """When each policy's pass ran last and is due next."""
    found = await app.archive.schedules()
    return ScheduleAnswer(
        policies={name: ScheduleBody(last_run=one.last_run, next_run=one.next_run) for name, one in found.items()}
    )
