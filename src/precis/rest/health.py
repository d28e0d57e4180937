"""What watches a server: ``/healthz``, ``/readyz`` and ``/v1/health``, open to everybody, and ``/metrics``.

The client of the wire asks ``/v1/health`` first. ``/metrics`` has figures of this process and of the database for
Prometheus; who may read them is said here too.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import Literal

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.routing import Route

from precis.bootstrap import Runtime
from precis.errors import StoreUnavailable, Unauthorized
from precis.rest.http import answer_to
from precis.watch.health import Census, wrongs

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


async def wrong_lines(runtime: Runtime) -> list[str]:
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
        return answer_to(StoreUnavailable("; ".join(map(str, faults))))
    return Ready(wrong=[str(fault) for fault in faults])


@health_router.get("/v1/health", tags=["wire: health"])
async def health(request: Request) -> Health:
    """Answer while requests can be served: the database answers."""
    runtime: Runtime = request.app.state.runtime
    await runtime.database.ping()
    return Health(now=round(runtime.engine.clock().timestamp() * 1000))


METRICS = "/metrics"
_NOT_ITS_KEY = (
    "the figures are of all tenants, so no tenant's key opens them: "
    "set PRECIS_METRICS_KEY and send it as Authorization: Bearer"
)


def metrics_route(runtime: Runtime, *, timer: Callable[[], float] = time.monotonic) -> Route:
    """Where Prometheus scrapes."""
    census = Census(runtime, timer=timer)

    async def scrape(request: Request) -> Response:
        del request
        return Response(await census.text(), media_type=CONTENT_TYPE_LATEST)

    return Route(METRICS, scrape, methods=["GET"])


def refuse_scraper(headers: Headers, *, key: str | None, has_keys: bool) -> None:
    """Raises Unauthorized unless the scraper's key was sent; without one, a server without keys tells this computer."""
    if key is None and not has_keys:
        return
    scheme, _, sent = headers.get("authorization", "").partition(" ")
    is_key = scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode(), (key or "").encode())
    if key is None or not is_key:
        raise Unauthorized(_NOT_ITS_KEY)
