"""The resources /healthz and /readyz: open to everybody."""

from __future__ import annotations

from fastapi import APIRouter, Request

from precis.bootstrap import Runtime
from precis.rest.answers import Up

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def alive() -> Up:
    """Answer while the process is up."""
    return Up()


@router.get("/readyz", responses={503: {"description": "The database does not answer."}})
async def ready(request: Request) -> Up:
    """Answer while requests can be served: the database answers."""
    runtime: Runtime = request.app.state.runtime
    await runtime.database.ping()
    return Up()
