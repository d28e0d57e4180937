"""The resources /v1/recall and /v1/context."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from precis.app.context import FEWEST_TOKENS, MOST_TOKENS
from precis.app.inputs import Query, RowFilter
from precis.app.recall import SummariesMode
from precis.memory import Tier
from precis.recall.assembly import Quotas
from precis.rest.answers import ContextAnswer, RecallAnswer
from precis.rest.auth import Tenant, keyed_router
from precis.typed import TypedBody, not_a_flag

router = keyed_router("/v1", tag="recall")
_Share = Annotated[float, Field(ge=0, le=1), BeforeValidator(not_a_flag)]
_RELEVANCE = "chance that a row is evidence for the question, 0 to 1; what is below is left out"


class Question(TypedBody, RowFilter):
    """What to recall, and where from."""

    query: Query
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    min_relevance: _Share = Field(default=0.0, description=_RELEVANCE)
    expand: bool = Field(default=False, description="answer the source rows of each summary with it")
    fold: bool = Field(
        default=False,
        description="show a summary and those of its sources that were found as one; a detail's source comes first",
    )
    summaries: SummariesMode | None = Field(
        default=None,
        description="with (the default): raw rows and summaries; without: raw rows; "
        "only: summaries, and raw rows that none of their user has read",
    )
    include_summaries: bool | None = Field(default=None, description="false means summaries: without")

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        without = self.summaries == "without"
        if None not in (self.summaries, self.include_summaries) and self.include_summaries is without:
            raise ValueError("summaries and include_summaries contradict each other; give one of them")
        return self

    @property
    def mode(self) -> SummariesMode:
        """``summaries`` as it was meant."""
        return self.summaries or ("without" if self.include_summaries is False else "with")


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
    min_relevance: _Share | None = Field(
        default=None, description=f"{_RELEVANCE}; null is a low bound that keeps what may matter, 0 is none"
    )


@router.post("/recall")
async def recall(app: Tenant, body: Question) -> RecallAnswer:
    """Find what matters for a question, raw memories and summaries together, best first.

    ``parts`` are what the score is the sum of; ``relevance`` is the chance that the row is evidence at all, and means
    the same in every answer. ``source_ids`` of a summary are its source rows; with ``expand`` the
    rows themselves come along. With ``fold`` they are found in ``folded`` and count as rows of the answer.
    """
    results = await app.recall.search(
        body.query, limit=body.limit, expand=body.expand, folded=body.fold, summaries=body.mode,
        min_relevance=body.min_relevance, **body.fields(),
    )  # fmt: skip
    return RecallAnswer.model_validate({"results": results, "unknown": await app.recall.unknown(**body.fields())})


@router.post("/context")
async def context(app: Tenant, body: ContextQuestion) -> ContextAnswer:
    """The best context for a question that fits a token budget: key insights, what current summaries say, memories.

    Each line has a number, the id it is from and the memories it rests on. What was found and is not there is counted.
    Where nothing is relevant the context is empty.
    """
    assembled = await app.context.assemble(
        body.query, token_budget=body.token_budget, quotas=Quotas(**body.quotas.model_dump()),
        min_relevance=body.min_relevance, **body.fields(),
    )  # fmt: skip
    unknown = await app.recall.unknown(**body.fields())
    return ContextAnswer.of(assembled, token_budget=body.token_budget, unknown=unknown)
