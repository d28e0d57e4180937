"""The resources /healthz, /readyz and /v1/health, which the client of the wire asks first: open to everybody."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from precis.bootstrap import Runtime

router = APIRouter()


class Health(BaseModel):
    """A sign of life."""

    now: int = Field(description="milliseconds since 1970")


class Up(BaseModel):
    """A sign of life."""

    status: Literal["ok"] = "ok"


@router.get("/healthz", tags=["health"])
async def alive() -> Up:
    """Answer while the process is up."""
    return Up()


@router.get("/readyz", tags=["health"], responses={503: {"description": "The database does not answer."}})
async def ready(request: Request) -> Up:
    """Answer while requests can be served: the database answers."""
    runtime: Runtime = request.app.state.runtime
    await runtime.database.ping()
    return Up()


@router.get("/v1/health", tags=["wire: health"])
async def health(request: Request) -> Health:
    """Answer while requests can be served: the database answers."""
    runtime: Runtime = request.app.state.runtime
    await runtime.database.ping()
    return Health(now=round(runtime.engine.clock().timestamp() * 1000))
