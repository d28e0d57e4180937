"""What whoever runs a server asks of it: signs of life, figures for Prometheus, /v1/costs and /v1/jobs.

``/healthz``, ``/readyz`` and ``/v1/health`` are open to everybody; the client of the wire asks the last one first.
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field
from starlette.routing import Route

from precis import bootstrap, errors, typed
from precis.app.operating import State
from precis.database.jobs import JobCounts
from precis.rest import auth, callers, http
from precis.rest.answers import Answer
from precis.rest.summary_answers import CostAnswer, CostBody
from precis.watch.census import Census
from precis.watch.health import wrongs

health_router = APIRouter()


class Health(BaseModel):
    """A sign of life."""

    now: int = Field(description="milliseconds since 1970")


class Up(BaseModel):
    """A sign of life."""

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """Requests are served."""

    status: Literal["ok"] = "ok"
    wrong: list[str] = Field(description="what is wrong all the same, a line each: no worker, a disk nearly full")


async def wrong_lines(runtime: bootstrap.Runtime) -> list[str]:
    """What is wrong now, a line each."""
    return [str(fault) for fault in await wrongs(runtime)]


@health_router.get("/healthz", tags=["health"])
async def alive() -> Up:
    """Answer while the process is up."""
    return Up()


@health_router.get(
    "/readyz", tags=["health"], response_model=Ready, responses={503: {"description": "What keeps it from serving."}}
)
async def ready(request: Request) -> Response | Ready:
    """Answer while requests can be served, and what is wrong: database, migrations, keys, worker, disk."""
    faults = await wrongs(request.app.state.runtime)
    if any(fault.stops for fault in faults):
        return http.answer_to(errors.StoreUnavailable("; ".join(map(str, faults))))
    return Ready(wrong=[str(fault) for fault in faults])


@health_router.get("/v1/health", tags=["wire: health"])
async def health(request: Request) -> Health:
    """Answer while requests can be served: the database answers."""
    runtime: bootstrap.Runtime = request.app.state.runtime
    await runtime.database.ping()
    return Health(now=round(runtime.engine.clock().timestamp() * 1000))


for path, look in (("/healthz", alive), ("/readyz", ready), ("/v1/health", health)):
    # Monitors and `curl -I` ask for the status alone.
    health_router.add_api_route(
        path, look, methods=["HEAD"], tags=["health"], response_model=None, include_in_schema=False
    )


def metrics_route(runtime: bootstrap.Runtime, *, timer: Callable[[], float] = time.monotonic) -> Route:
    """Where Prometheus scrapes."""
    census = Census(runtime, timer=timer)

    async def scrape(request: Request) -> Response:
        del request
        return Response(await census.text(), media_type=CONTENT_TYPE_LATEST)

    return Route(callers.METRICS, scrape, methods=["GET"])


costs_router = auth.keyed_router("/v1", tag="costs")


@costs_router.get("/costs", name="read")
async def costs(app: auth.Tenant) -> CostAnswer:
    """Answer what the models took, by month and policy."""
    spending = await app.costs.spending()
    ceiling = app.parts.settings.monthly_ceiling
    return CostAnswer(costs=[CostBody.of(month) for month in spending], monthly_ceiling=ceiling)


jobs_router = auth.keyed_router("/v1", tag="jobs")


class JobsQuery(typed.StrictBody):
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
async def jobs(app: auth.Tenant, query: Annotated[JobsQuery, Query()]) -> JobsAnswer:
    """Answer what waits, runs, is tried again or failed, and why: failed ones first."""
    rows = await app.jobs.list(state=query.state, limit=query.limit)
    return JobsAnswer(counts=await app.jobs.counts(), jobs=[JobAnswer.of(job) for job in rows])


@jobs_router.post("/jobs/retry")
async def retry_all(app: auth.Tenant) -> RetryAnswer:
    """Make every failed job due again."""
    return RetryAnswer(retried=list(await app.jobs.retry()))


@jobs_router.post("/jobs/{group_id}/retry")
async def retry(app: auth.Tenant, group_id: typed.Id) -> RetryAnswer:
    """Make one failed job due again."""
    return RetryAnswer(retried=list(await app.jobs.retry(group_id)))
