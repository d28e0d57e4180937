"""The resource /v1/jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from precis.app.inputs import Id
from precis.rest.answers import JobAnswer, JobsAnswer, RetryAnswer
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY, JobsQuery
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["jobs"], route_class=StrictRoute)


@router.get("/jobs")
async def jobs(app: Tenant, query: Annotated[JobsQuery, Query()]) -> JobsAnswer:
    """Answer what waits, runs, is tried again or failed, and why: failed ones first."""
    found = await app.jobs.list(state=query.state, limit=query.limit)
    return JobsAnswer(
        counts=await app.jobs.counts(), jobs=[JobAnswer.model_validate(job, from_attributes=True) for job in found]
    )


@router.post("/jobs/retry", dependencies=NO_QUERY)
async def retry_all(app: Tenant) -> RetryAnswer:
    """Make every failed job due again."""
    return RetryAnswer(retried=list(await app.jobs.retry()))


@router.post("/jobs/{group_id}/retry", dependencies=NO_QUERY)
async def retry(app: Tenant, group_id: Id) -> RetryAnswer:
    """Make one failed job due again."""
    return RetryAnswer(retried=list(await app.jobs.retry(group_id)))
