"""The resource /v1/costs."""

from __future__ import annotations

from fastapi import APIRouter

from precis.rest.answers import CostAnswer, CostBody
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["costs"], route_class=StrictRoute)


@router.get("/costs", dependencies=NO_QUERY)
async def costs(app: Tenant) -> CostAnswer:
    """Answer what the models took, by month and policy."""
    spending = await app.costs.spending()
    ceiling = app.parts.settings.monthly_ceiling
    return CostAnswer(
        costs=[CostBody.model_validate(one, from_attributes=True) for one in spending], monthly_ceiling=ceiling
    )
