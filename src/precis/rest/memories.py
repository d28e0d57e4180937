"""The resources /v1/memories, /v1/recall and /v1/context."""

from typing import Annotated, Self

from fastapi import Header, Response
from fastapi import Query as InUrl
from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from precis.app.context import FEWEST_TOKENS, MOST_TOKENS, TOKENS
from precis.app.inputs import MemoryChange, MemoryInput, Query, RowFilter, Summarize
from precis.app.memories import Written
from precis.app.recall import SummariesMode, is_unsure
from precis.engine.forgetting import Receipt
from precis.errors import Changed, Conflict
from precis.memory import Memory, Tier
from precis.recall.assembly import Quotas
from precis.rest import answers
from precis.rest.auth import Tenant, keyed_router
from precis.store.filtering import Page
from precis.typed import Cursor, KnownId, PageSize, StrictBody, TypedBody, not_a_flag

router = keyed_router("/v1", tag="memories")


class NewMemories(StrictBody):
    """Memories to write: all of them or none."""

    memories: Annotated[list[MemoryInput], Field(min_length=1)]
    summarize: Summarize = Field(
        default="inline",
        description="inline: clusters that became due are summarized before the answer, or by a worker while more "
        "requests wait than are served at once; deferred: by a worker",
    )


class MemoryQuery(RowFilter):
    """A page of memories."""

    is_summary: bool | None = None
    limit: PageSize = 50
    cursor: Cursor | None = None


@router.post("/memories", status_code=201, response_model=answers.WriteAnswer)
async def write(app: Tenant, body: NewMemories) -> Written:
    """Write memories, all of them or none.

    An id that is there with the same content is answered with ``created: false``, so a write may be repeated. 409 for
    an id that is there with other content, 410 for a forgotten id without ``revive``.
    """
    return await app.memories.add(body.memories, summarize=body.summarize)


@router.get("/memories", response_model=answers.MemoryPage)
async def page(app: Tenant, query: Annotated[MemoryQuery, InUrl()]) -> Page[Memory]:
    """List memories and summaries, newest first."""
    return await app.memories.list(limit=query.limit, cursor=query.cursor, **query.fields())


@router.get("/memories/{memory_id:anything}", response_model=answers.MemoryBody)
async def read(app: Tenant, memory_id: KnownId, response: Response) -> Memory:
    """Read one memory, or a summary as the memory it is; its ``ETag`` is for ``If-Match`` of an edit."""
    memory = await app.memories.get(memory_id)
    response.headers["ETag"] = f'"{answers.tag_of(memory)}"'
    return memory


@router.patch("/memories/{memory_id:anything}")
async def edit(
    app: Tenant, memory_id: KnownId, body: MemoryChange, response: Response,
    if_match: Annotated[str | None, Header()] = None,
) -> answers.EditAnswer:  # fmt: skip
    """Replace what the body names. The old text is forgotten at once; summaries that rested on it follow.

    409 for a summary (it is derived: edit its sources) and for an expired memory (its text is gone). With ``If-Match``
    and the ``ETag`` of the memory that was read: 412, and nothing is written, when it is another by now.
    """
    expected = None if if_match is None else await app.memories.get(memory_id)
    if expected and if_match and not answers.tags_of(if_match) & {answers.tag_of(expected), "*"}:
        raise Changed(f"memory {memory_id!r} was edited since it was read: read it again")
    memory, receipt = await app.memories.edit(memory_id, body, expected=expected)
    response.headers["ETag"] = f'"{answers.tag_of(memory)}"'
    return answers.EditAnswer(memory=answers.MemoryBody.of(memory), receipt=receipt)


@router.delete("/memories/{memory_id:anything}")
async def forget(app: Tenant, memory_id: KnownId) -> Receipt:
    """Forget one memory and everything that rests on it; the receipt names what went."""
    try:
        return await app.memories.forget(memory_id)
    except Conflict as error:
        message = f"{memory_id!r} is a summary: forget its sources, or DELETE /v1/summaries/{memory_id}"
        raise Conflict(message) from error


# --- what matters for a question: /v1/recall and /v1/context ---

recall_router = keyed_router("/v1", tag="recall")
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
    token_budget: Annotated[int, Field(ge=FEWEST_TOKENS, le=MOST_TOKENS)] = TOKENS
    quotas: QuotasBody = QuotasBody()
    min_relevance: _Share | None = Field(
        default=None, description=f"{_RELEVANCE}; null is a low bound that keeps what may matter, 0 is none"
    )


@recall_router.post("/recall")
async def recall(app: Tenant, body: Question) -> answers.RecallAnswer:
    """Find what matters for a question, raw memories and summaries together, best first.

    ``parts`` are what the score is the sum of; ``relevance`` is the chance that the row is evidence at all, and means
    the same in every answer. ``source_ids`` of a summary are its source rows; with ``expand`` the
    rows themselves come along. With ``fold`` they are found in ``folded`` and count as rows of the answer.
    """
    results = await app.recall.search(
        body.query, limit=body.limit, expand=body.expand, folded=body.fold, summaries=body.mode,
        min_relevance=body.min_relevance, **body.fields(),
    )  # fmt: skip
    unknown = await app.recall.unknown(**body.fields())
    return answers.RecallAnswer.model_validate({"results": results, "unsure": is_unsure(results), "unknown": unknown})


@recall_router.post("/context")
async def context(app: Tenant, body: ContextQuestion) -> answers.ContextAnswer:
    """The best context for a question that fits a token budget: key insights, what current summaries say, memories.

    Each line has a number, the id it is from and the memories it rests on. What was found and is not there is counted.
    Where nothing is relevant the context is empty.
    """
    assembled = await app.context.assemble(
        body.query, token_budget=body.token_budget, quotas=Quotas(**body.quotas.model_dump()),
        min_relevance=body.min_relevance, **body.fields(),
    )  # fmt: skip
    unknown = await app.recall.unknown(**body.fields())
    return answers.ContextAnswer.of(assembled, token_budget=body.token_budget, unknown=unknown)
