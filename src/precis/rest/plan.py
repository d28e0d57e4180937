"""The resource /v1/plan."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from precis.rest.answers import PlanAnswer, PlanBody
from precis.rest.auth import Tenant
from precis.rest.bodies import PlanQuery
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["summaries"], route_class=StrictRoute)


@router.get("/plan")
async def plan(app: Tenant, query: Annotated[PlanQuery, Query()]) -> PlanAnswer:
    """Say what refreshing the groups of a scope would do and take, and why. Calls no model and changes nothing."""
    plans = await app.summaries.plan(policy=query.policy, stale_only=not query.all, limit=query.limit, **query.fields())
    return PlanAnswer(plans=[PlanBody.of(one) for one in plans])
