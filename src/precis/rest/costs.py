"""The resource /v1/costs."""

from __future__ import annotations

from fastapi import APIRouter, Request

from precis.bootstrap import Runtime
from precis.rest.answers import CostAnswer, CostBody
from precis.rest.bodies import NO_QUERY
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["costs"], route_class=StrictRoute)


@router.get("/costs", dependencies=NO_QUERY)
async def costs(request: Request) -> CostAnswer:
    """Answer what the models took, by month and policy."""
    runtime: Runtime = request.app.state.runtime
    rows = await runtime.ledger.costs(request.state.tenant_id)
    return CostAnswer(
        costs=[CostBody.model_validate(row) for row in rows], monthly_ceiling=runtime.settings.monthly_ceiling
    )
