"""``/healthz``, ``/readyz`` and ``/v1/health``, which the client of the wire asks first: open to everybody."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from precis.bootstrap import Runtime
from precis.errors import StoreUnavailable
from precis.rest.http import answer_to
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
        return answer_to(StoreUnavailable("; ".join(map(str, faults))))
    return Ready(wrong=[str(fault) for fault in faults])


@health_router.get("/v1/health", tags=["wire: health"])
async def health(request: Request) -> Health:
    """Answer while requests can be served: the database answers."""
    runtime: Runtime = request.app.state.runtime
    await runtime.database.ping()
    return Health(now=round(runtime.engine.clock().timestamp() * 1000))
