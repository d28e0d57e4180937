"""The resources /v1/costs and /v1/jobs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Query
from pydantic import Field

from precis.app.operating import State
from precis.database.jobs import JobCounts
from precis.rest.answers import Answer
from precis.rest.auth import Tenant
from precis.rest.callers import keyed_router
from precis.rest.http import NO_QUERY, StrictRoute
from precis.rest.summary_answers import CostAnswer, CostBody
from precis.typed import Id, StrictBody

router = keyed_router("/v1", tag="costs", route_class=StrictRoute)


@router.get("/costs", dependencies=NO_QUERY, name="read")
async def costs(app: Tenant) -> CostAnswer:
    """Answer what the models took, by month and policy."""
    spending = await app.costs.spending()
    ceiling = app.parts.settings.monthly_ceiling
    return CostAnswer(costs=[CostBody.of(month) for month in spending], monthly_ceiling=ceiling)


jobs_router = keyed_router("/v1", tag="jobs", route_class=StrictRoute)


class JobsQuery(StrictBody):
    """Which jobs to list."""

    state: State | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class JobAnswer(Answer):
    """A group with something to do: its refresh is the job."""

    group_id: str
    policy: str
    user_id: str
    state: State = Field(
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


class JobsAnswer(Answer):
    """The work list, failed jobs first."""

    counts: JobCounts
    jobs: list[JobAnswer]


class RetryAnswer(Answer):
    """The jobs that are due again, by group id."""

    retried: list[str]


@jobs_router.get("/jobs", name="list")
async def jobs(app: Tenant, query: Annotated[JobsQuery, Query()]) -> JobsAnswer:
    """Answer what waits, runs, is tried again or failed, and why: failed ones first."""
    rows = await app.jobs.list(state=query.state, limit=query.limit)
    return JobsAnswer(counts=await app.jobs.counts(), jobs=[JobAnswer.of(job) for job in rows])


@jobs_router.post("/jobs/retry", dependencies=NO_QUERY)
async def retry_all(app: Tenant) -> RetryAnswer:
    """Make every failed job due again."""
    return RetryAnswer(retried=list(await app.jobs.retry()))


@jobs_router.post("/jobs/{group_id}/retry", dependencies=NO_QUERY)
async def retry(app: Tenant, group_id: Id) -> RetryAnswer:
    """Make one failed job due again."""
    return RetryAnswer(retried=list(await app.jobs.retry(group_id)))
