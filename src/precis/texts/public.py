"""precis without a database: two functions over texts. What is in them is kept nowhere."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from precis import errors, makers, typed
from precis.checks import Verdict
from precis.checks import check as check_draft
from precis.checks.gate import overall
from precis.language.orders import is_order
from precis.language.sentences import sentences
from precis.models.chat import ChatSummarizer
from precis.models.tokens import Prices, counter
from precis.settings import Settings
from precis.texts import drafting
from precis.texts.drafting import OFFLINE, Summarized
from precis.texts.inputs import CheckInput, SummarizeInput, TextInput, items_of

_CEILING = (
    "a monthly ceiling is set, and nothing here keeps the books that it needs: summarize over REST or the command "
    "line, pass a summarizer with a meter of its own, or model='extractive'"
)
#: Statements of one summary that is checked.
MAX_STATEMENTS = 1_000
#: A string, or a mapping with text, speaker and created_at.
Text = str | Mapping[str, Any] | TextInput


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedStatement:
    """What the checks found about one sentence of the summary."""

    text: str
    #: 0..1; a statement of a draft would be dropped below 0.3.
    score: float
    #: What is wrong, in the words of docs/reference/checks.md; empty where nothing is.
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedSummary:
    """A summary after the checks."""

    #: The summary as a whole, 0..1: the mean of its statements, drawn a quarter towards the worst.
    score: float
    #: One a sentence, in order.
    statements: tuple[CheckedStatement, ...]


async def summarize(
    texts: Sequence[Text],
    *,
    max_words: int | None = None,
    max_tokens: int | None = None,
    prompt: str | None = None,
    model: str | None = None,
    settings: Settings | None = None,
    summarizer: makers.Summarizer | None = None,
) -> Summarized:
    """Summarize texts. Offline unless the settings name a model, or ``summarizer`` is given.

    Both limits hold where both are given; without any the summary has a fifth of the words, at least 40. A model may
    be named where an endpoint is set. Raises InvalidInput, ConfigurationError, DraftFailed, ModelUnavailable.
    """
    limits = {"max_words": max_words, "max_tokens": max_tokens, "prompt": prompt, "model": model}
    inputs = typed.validated(SummarizeInput, {"texts": _plain(texts), **limits})
    if summarizer is not None:
        return await drafting.summarize(inputs, summarizer=summarizer, count=counter(model or summarizer.name))
    settings = settings or Settings()
    if model in OFFLINE or not has_endpoint(settings, model):
        return await drafting.summarize(inputs, summarizer=None, count=counter())
    if settings.monthly_ceiling is not None:
        raise errors.ConfigurationError(_CEILING)
    async with chat_of(settings, model) as chat:
        return await drafting.summarize(inputs, summarizer=chat, count=counter(chat.name))


def check(summary: str, sources: Sequence[Text]) -> CheckedSummary:
    """Check each sentence of a summary against its sources. Pure. Raises InvalidInput."""
    return check_summary(typed.validated(CheckInput, {"summary": summary, "sources": _plain(sources)}))


def has_endpoint(settings: Settings, model: str | None) -> bool:
    """Whether the settings say where a model is to be asked; a model named by the caller needs an address or a key."""
    if settings.model is not None:
        return True
    return model is not None and bool({"model_base_url", "model_api_key"} & settings.model_fields_set)


def _plain(texts: object) -> object:
    """A list for pydantic: a lone string is a sequence too, and surely not meant as one."""
    if isinstance(texts, Sequence) and not isinstance(texts, str):
        return [dict(text) if isinstance(text, Mapping) else text for text in texts]
    return texts


@asynccontextmanager
async def chat_of(settings: Settings, model: str | None = None) -> AsyncIterator[ChatSummarizer]:
    """The model of the settings, or another at the same address, for as long as the block lasts."""
    key = settings.model_api_key
    chat = ChatSummarizer(
        model=model or settings.model or "",
        base_url=settings.model_base_url,
        api_key=key.get_secret_value() if key else None,
        prices=Prices.of(settings.prices),
    )
    async with aclosing(chat):
        yield chat


def check_summary(inputs: CheckInput) -> CheckedSummary:
    """Each sentence of the summary against all sources. Raises InvalidInput for too many sentences."""
    texts = sentences(inputs.summary)
    if len(texts) > MAX_STATEMENTS:
        message = f"summary: {len(texts)} sentences; the limit is {MAX_STATEMENTS}. Check it in parts."
        raise errors.InvalidInput(message, field="summary")
    items = items_of(inputs.sources)
    everywhere = tuple(range(len(items)))
    claims = tuple(makers.DraftStatement(text=text, importance=0.5, sources=everywhere) for text in texts)
    answer = makers.Draft(statements=claims, made_by="")
    verdicts = check_draft(answer, items).verdicts
    return CheckedSummary(
        score=overall(verdicts),
        statements=tuple(CheckedStatement(text=v.text, score=v.score, reasons=_reasons(v)) for v in verdicts),
    )


def _reasons(verdict: Verdict) -> tuple[str, ...]:
    instructs = "instruction" not in verdict.reasons and is_order(verdict.text)
    return (*verdict.reasons, "instruction") if instructs else verdict.reasons
