"""The verbs /v1/summarize and /v1/check: texts in, an answer out, nothing stored."""

import asyncio

from pydantic import Field

from precis.models.tokens import counter
from precis.rest import answers, auth, summary_answers
from precis.texts import drafting, inputs, public

router = auth.keyed_router("/v1", tag="drafting")
#: From how many characters on the checks leave the event loop.
_LARGE = 20_000


class SummarizedStatementBody(answers.Answer):
    """One claim of a summary."""

    text: str
    importance: float = Field(description="0 to 1")
    sources: tuple[int, ...] = Field(description="places in the list of texts, from 0")


class SummarizedBody(answers.Answer):
    """A checked summary of texts that are not stored."""

    text: str = Field(description="the statements as one paragraph, within the limits")
    statements: list[SummarizedStatementBody]
    quality: float = Field(description="score of the checks, 0 to 1")
    made_by: str
    included: int = Field(description="texts read, of total; offline, texts that give orders to a model are not")
    total: int
    counts: summary_answers.CountsBody = Field(description="what became of the texts")


class CheckedStatementBody(answers.Answer):
    """What the checks found about one sentence of the summary."""

    text: str
    score: float = Field(description="0 to 1; below 0.3 a statement of a draft is dropped")
    reasons: tuple[str, ...] = Field(description="what is wrong; empty where nothing is")


class CheckedBody(answers.Answer):
    """A summary after the checks."""

    score: float = Field(description="the summary as a whole, 0 to 1")
    statements: list[CheckedStatementBody]


@router.post(
    "/summarize",
    response_model=SummarizedBody,
    responses={
        402: {"description": "The tenant is over its monthly ceiling."},
        503: {"description": "The model gave no draft that passes the checks."},
    },
)
async def summarize_texts(app: auth.Tenant, body: inputs.SummarizeInput) -> drafting.Summarized:
    """Summarize texts that are not stored: each statement with the texts it rests on.

    Texts are strings, or objects with `text`, `speaker` and `created_at`. What the checks do not find in the texts is
    dropped, and a draft that loses more than half of its statements is an error. The limits hold for `text`.
    """
    engine = app.parts.engine
    return await drafting.summarize(
        body,
        summarizer=None if engine.offline else engine.summarizer,
        count=engine.count if body.model is None else counter(body.model),
        tenant_id=app.parts.tenant_id,
    )


@router.post("/check", response_model=CheckedBody)
async def check(body: inputs.CheckInput) -> public.CheckedSummary:
    """Check each sentence of a summary against its sources. No model is asked and nothing is stored."""
    size = len(body.summary) + sum(len(source.text) for source in body.sources)
    return public.check_summary(body) if size < _LARGE else await asyncio.to_thread(public.check_summary, body)
