"""The resource /memory/summaries: days, weeks and months, in the names of the document."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import ConfigDict, Field

from precis.app.inputs import AnyId
from precis.app.rollups import PeriodName
from precis.rest.answers import Camel, RollupBody
from precis.rest.auth import Tenant
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/memory", tags=["rollups"], route_class=StrictRoute)
#: Where a list of bare rows says where the next one begins.
NEXT_CURSOR = "X-Next-Cursor"


class _Given(Camel):
    model_config = ConfigDict(extra="forbid")


class RollupsQuery(_Given):
    """Which summaries."""

    period: PeriodName
    user_id: AnyId | None = Field(default=None, description="of everybody without it, and then with userId in each")
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    cursor: Annotated[str | None, Field(max_length=1000, description=f"what {NEXT_CURSOR} said")] = None


@router.get("/summaries", response_model_exclude_unset=True)
async def page(app: Tenant, query: Annotated[RollupsQuery, Query()], response: Response) -> list[RollupBody]:
    """List the summaries of a period, newest first; the header X-Next-Cursor says where the next page begins."""
    found = await app.rollups.list(query.period, user_id=query.user_id, limit=query.limit, cursor=query.cursor)
    if found.next_cursor is not None:
        response.headers[NEXT_CURSOR] = found.next_cursor
    return [RollupBody.of(row, named=query.user_id is None) for row in found.rows]
