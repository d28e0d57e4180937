"""The resources /v1/costs and /v1/jobs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from precis.app.inputs import Id
from precis.rest.answers import CostAnswer, CostBody, JobAnswer, JobsAnswer, RetryAnswer
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY, StrictBody, StrictRoute

router = APIRouter(prefix="/v1", tags=["costs"], route_class=StrictRoute)


@router.get("/costs", dependencies=NO_QUERY)
async def costs(app: Tenant) -> CostAnswer:
    """Answer what the models took, by month and policy."""
    spending = await app.costs.spending()
    ceiling = app.parts.settings.monthly_ceiling
    return CostAnswer(costs=[CostBody.of(month) for month in spending], monthly_ceiling=ceiling)


jobs_router = APIRouter(prefix="/v1", tags=["jobs"], route_class=StrictRoute)


class JobsQuery(StrictBody):
    """Which jobs to list."""

    state: Literal["waiting", "running", "scheduled", "retrying", "rejected", "failed"] | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


@jobs_router.get("/jobs")
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
