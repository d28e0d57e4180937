"""precis without a database: two functions over texts. What is in them is kept nowhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from precis.app import drafting
from precis.app.checking import CheckedSummary, check_summary
from precis.app.drafting import OFFLINE, Summarized
from precis.app.inputs import invalid
from precis.app.texts import CheckInput, SummarizeInput, TextInput
from precis.errors import ConfigurationError
from precis.makers import Summarizer
from precis.models.chat import ChatSummarizer
from precis.models.pricing import Prices
from precis.models.tokens import counter
from precis.settings import Settings

#: A string, or a mapping with text, speaker and created_at.
Text = str | Mapping[str, Any] | TextInput
_Given = TypeVar("_Given", bound=BaseModel)
_CEILING = (
    "a monthly ceiling is set, and nothing here keeps the books that it needs: summarize over REST or the command "
    "line, pass a summarizer with a meter of its own, or model='extractive'"
)


async def summarize(
    texts: Sequence[Text],
    *,
    max_words: int | None = None,
    max_tokens: int | None = None,
    prompt: str | None = None,
    model: str | None = None,
    settings: Settings | None = None,
    summarizer: Summarizer | None = None,
) -> Summarized:
    """Summarize texts. Offline unless the settings name a model, or ``summarizer`` is given.

    Both limits hold where both are given; without any the summary has a fifth of the words, at least 40. A model may
    be named where an endpoint is set. Raises InvalidInput, ConfigurationError, DraftFailed, ModelUnavailable.
    """
    given = {"max_words": max_words, "max_tokens": max_tokens, "prompt": prompt, "model": model}
    wanted = read(SummarizeInput, {"texts": _plain(texts), **given})
    if summarizer is not None:
        return await drafting.summarize(wanted, summarizer=summarizer, count=counter(model or summarizer.name))
    chosen = settings or Settings()
    if model in OFFLINE or not has_endpoint(chosen, model):
        return await drafting.summarize(wanted, summarizer=None, count=counter())
    if chosen.monthly_ceiling is not None:
        raise ConfigurationError(_CEILING)
    async with _chat(chosen, model) as chat:
        return await drafting.summarize(wanted, summarizer=chat, count=counter(chat.name))


def check(summary: str, sources: Sequence[Text]) -> CheckedSummary:
    """Check each sentence of a summary against its sources. Pure. Raises InvalidInput."""
    return check_summary(read(CheckInput, {"summary": summary, "sources": _plain(sources)}))


def has_endpoint(settings: Settings, model: str | None) -> bool:
    """Whether the settings say where a model is to be asked; a model named by the caller needs an address or a key."""
    if settings.model is not None:
        return True
    return model is not None and bool({"model_base_url", "model_api_key"} & settings.model_fields_set)


def read(kind: type[_Given], given: Mapping[str, Any]) -> _Given:
    """The input, validated. Raises InvalidInput naming the first field that is wrong, without what was sent."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise invalid(error) from error


def _plain(texts: object) -> object:
    """A list for pydantic: a lone string is a sequence too, and surely not meant as one."""
    if isinstance(texts, Sequence) and not isinstance(texts, str):
        return [dict(one) if isinstance(one, Mapping) else one for one in texts]
    return texts


@asynccontextmanager
async def _chat(settings: Settings, model: str | None) -> AsyncIterator[ChatSummarizer]:
    key = settings.model_api_key
    chat = ChatSummarizer(
        model=model or settings.model or "",
        base_url=settings.model_base_url,
        api_key=key.get_secret_value() if key else None,
        prices=Prices.of(settings.prices),
    )
    try:
        yield chat
    finally:
        await chat.aclose()
