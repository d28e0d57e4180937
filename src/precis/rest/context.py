"""The resource /v1/context."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BeforeValidator, ConfigDict, Field

from precis.app.context import FEWEST_TOKENS, MOST_TOKENS
from precis.app.inputs import Query
from precis.app.typed import TypedBody, not_a_flag
from precis.memory import Tier
from precis.recall.assembly import Quotas
from precis.rest.answers import ContextAnswer
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY, RowFilter
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["recall"], route_class=StrictRoute)
_Share = Annotated[float, BeforeValidator(not_a_flag), Field(ge=0, le=1)]


class QuotasBody(TypedBody):
    """The largest shares of the budget; what one part does not use is left to the next."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    insights: _Share = Quotas().insights
    summaries: _Share = Quotas().summaries
    memories: _Share = Quotas().memories
    tiers: dict[Tier, _Share] = Field(default={}, description="of single tiers, such as month, in whichever part")


class ContextQuestion(TypedBody, RowFilter):
    """What the context is for, and where from."""

    query: Query
    token_budget: Annotated[int, Field(ge=FEWEST_TOKENS, le=MOST_TOKENS)] = 1000
    quotas: QuotasBody = QuotasBody()


@router.post("/context", dependencies=NO_QUERY)
async def context(app: Tenant, body: ContextQuestion) -> ContextAnswer:
    """The best context for a question that fits a token budget: key insights, what current summaries say, memories.

    Each line has a number, the id it is from and the memories it rests on. What was found and is not there is counted.
    """
    made = await app.context.assemble(
        body.query, token_budget=body.token_budget, quotas=Quotas(**body.quotas.model_dump()), **body.fields()
    )
    return ContextAnswer.of(made, body.token_budget)
