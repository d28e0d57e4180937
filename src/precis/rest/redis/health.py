"""GET /v1/health of the wire: what its client asks first. Open to everybody."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from precis.bootstrap import Runtime

router = APIRouter(prefix="/v1", tags=["wire: health"])


class Health(BaseModel):
    """A sign of life."""

    now: int = Field(description="milliseconds since 1970")


@router.get("/health")
async def health(request: Request) -> Health:
    """Answer while requests can be served: the database answers."""
    runtime: Runtime = request.app.state.runtime
    await runtime.database.ping()
    return Health(now=round(runtime.engine.clock().timestamp() * 1000))
