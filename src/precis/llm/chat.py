"""The summarizer that asks a chat model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from precis.engine.ports import Draft, DraftStatement, Request, TokenCounter, Usage
from precis.errors import ModelUnavailable
from precis.llm import tokens
from precis.llm.answers import Unusable, read
from precis.llm.breaker import Breaker
from precis.llm.ladder import Dialect, Ladder
from precis.llm.pricing import Prices
from precis.llm.rendering import Message, message_tokens, messages, prompt_tokens, render, repair
from precis.llm.setbacks import Patience, Remedy, Setback, of_answer, of_connection, of_status, of_unreadable

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletion

__all__ = ["ChatSummarizer", "Meter", "Patience", "Unmetered", "messages", "prompt_tokens", "render"]


class Meter(Protocol):
    """Reserves the price of an attempt before it is made, and settles it afterwards."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Set aside what the attempt may take at most. Raises BudgetExhausted when there is not enough."""
        ...

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """What it took. ``outcome`` is ``ok`` or what went wrong; ``latency`` is in seconds."""
        ...


class Unmetered:
    """The meter of somebody who does not count."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Always granted."""
        del request, estimate
        return None

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """Nothing to note."""
        del token, usage, outcome, latency


@dataclass(kw_only=True, slots=True)
class _Call:
    """One request on its way: what has been tried and spent so far."""

    request: Request
    model: str
    count: TokenCounter
    dialect: Dialect
    conversation: list[Message]
    #: Length allowed to the answer, JSON included, in tokens.
    limit: int
    #: On the monotonic clock.
    deadline: float
    spent: Usage = Usage()
    retries: int = 0
    repaired: bool = False


class ChatSummarizer:
    """Drafts by a chat model. Summarizers of the same endpoint may share ``breaker`` and ``ladder``.

    Raises ModelUnavailable where no answer could be had, Unusable (a DraftFailed) where the answer is no
    summary, BudgetExhausted where the meter says so. No message of these quotes a memory.
    """

    def __init__(  # noqa: PLR0913  (one value each; a settings object would only move them)
        self,
        *,
        model: str,
        base_url: str,
        api_key: str | None = None,
        prices: Prices | None = None,
        meter: Meter | None = None,
        patience: Patience | None = None,
        breaker: Breaker | None = None,
        ladder: Ladder | None = None,
        counter: Callable[[str], TokenCounter] = tokens.counter,
        temperature: float | None = None,
        thinking_tokens: int = 0,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.name = model
        self._base_url = base_url
        self._api_key = api_key
        self._prices = prices or Prices()
        self._meter: Meter = meter or Unmetered()
        self._patience = patience or Patience()
        self._breaker = breaker or Breaker(monotonic=monotonic)
        self._ladder = ladder or Ladder()
        self._counter = counter
        # Left to the provider unless given: some models refuse any value but their own.
        self._sampling = {} if temperature is None else {"temperature": temperature}
        #: Room for what a reasoning model thinks before it answers.
        self._thinking_tokens = thinking_tokens
        self._monotonic = monotonic
        self._sleep = sleep
        self._jitter = jitter
        self._opened: AsyncOpenAI | None = None
        #: Settlements under way: kept here so that they outlive a canceled caller.
        self._settling: set[asyncio.Task[None]] = set()

    async def summarize(self, request: Request) -> Draft:
        """One draft; retries, one repair and the search for a way to ask included."""
        call = self._begin(request)
        while True:
            result = await self._attempt(call)
            if not isinstance(result, Setback):
                return Draft(statements=result, made_by=call.model, usage=call.spent)
            await self._prepare_next(call, result)

    async def aclose(self) -> None:
        """Finish settling and close the connections."""
        await asyncio.gather(*self._settling)
        if self._opened is not None:
            await self._opened.close()
            self._opened = None

    def _begin(self, request: Request) -> _Call:
        model = request.model or self.name
        return _Call(
            request=request,
            model=model,
            count=self._counter(model),
            dialect=self._ladder.dialect(model),
            conversation=messages(request),
            # JSON around the texts costs about as much again, and citations grow with the items.
            limit=2 * request.max_tokens + 4 * len(request.items) + 200 + self._thinking_tokens,
            deadline=self._monotonic() + self._patience.deadline_seconds,
        )

    async def _prepare_next(self, call: _Call, setback: Setback) -> None:
        """Do what may help before the next attempt; raise the setback's error where nothing does."""
        match setback.remedy:
            case Remedy.REPAIR if not call.repaired:
                call.repaired = True
                reason = setback.error.reason if isinstance(setback.error, Unusable) else ""
                call.conversation = repair(call.request, setback.answer, reason)
                call.limit *= 2 if setback.outcome == "truncated" else 1
            case Remedy.REPHRASE if call.dialect.refused(wants_other_limit=setback.other_limit):
                pass
            case Remedy.WAIT_OR_REPHRASE if call.dialect.broke_down():
                pass
            case Remedy.WAIT | Remedy.WAIT_OR_REPHRASE:
                await self._wait(call, setback)
            case _:
                raise setback.error

    async def _wait(self, call: _Call, setback: Setback) -> None:
        seconds = self._patience.wait(call.retries, setback.wait, self._jitter())
        call.retries += 1
        if call.retries >= self._patience.attempts or self._monotonic() + seconds >= call.deadline:
            raise setback.error
        await self._sleep(seconds)

    async def _attempt(self, call: _Call) -> tuple[DraftStatement, ...] | Setback:
        """One call: permitted by the breaker, reserved before and settled after, whatever happens."""
        if self._monotonic() >= call.deadline:
            raise ModelUnavailable("The model took too long.")
        estimate = self._used(call, message_tokens(call.conversation, call.count), call.limit, 0)
        with self._breaker.permit() as permit:
            token = await self._meter.reserve(call.request, estimate)
            started = self._monotonic()
            # Unless an answer says otherwise the endpoint may have done all of it, so all of it is spent.
            outcome, used = "abandoned", estimate
            try:
                result, used = await self._exchange(call, estimate)
                outcome = result.outcome if isinstance(result, Setback) else "ok"
                if isinstance(result, Setback) and result.fault:
                    permit.failed()
                else:
                    permit.succeeded()
                return result
            finally:
                call.spent = _plus(call.spent, used)
                await self._settle(token, used, outcome, self._monotonic() - started)

    async def _settle(self, token: object, used: Usage, outcome: str, latency: float) -> None:
        task = asyncio.ensure_future(self._meter.settle(token, used, outcome, latency))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        await asyncio.shield(task)

    async def _exchange(self, call: _Call, estimate: Usage) -> tuple[tuple[DraftStatement, ...] | Setback, Usage]:
        """Send, read and judge; with what it took."""
        answered = await self._send(call)
        if isinstance(answered, Setback):
            nothing = Usage(calls=1)
            return answered, estimate if answered.spent else nothing
        self._ladder.worked(call.model, call.dialect)
        text = _text(answered)
        used = self._reported(call, answered, text, estimate)
        try:
            _refuse_broken(answered)
            return read(text, call.request.items), used
        except Unusable as wrong:
            return of_answer(wrong, text), used

    async def _send(self, call: _Call) -> ChatCompletion | Setback:
        import openai  # noqa: PLC0415  (0.4 s, and needed only where a model is)

        left = call.deadline - self._monotonic()
        create = self._client().chat.completions.create
        asked = call.dialect.parameters(call.limit) | self._sampling
        try:
            async with asyncio.timeout(min(left, self._patience.attempt_seconds)):
                # Messages are plain dicts: the package's own types come with its import.
                talk: Any = call.conversation
                completion: ChatCompletion = await create(model=call.model, messages=talk, **asked)
        except openai.APIStatusError as refused:
            return of_status(refused.status_code, refused.code, str(refused), refused.response.headers)
        except (TimeoutError, openai.APITimeoutError):
            return of_connection(timed_out=True)
        except openai.APIConnectionError:
            return of_connection(timed_out=False)
        except (openai.OpenAIError, ValueError):
            return of_unreadable()
        return completion if getattr(completion, "choices", None) else of_unreadable()

    def _client(self) -> AsyncOpenAI:
        import openai  # noqa: PLC0415  (as above)

        if self._opened is None:
            # Some releases log whole requests at debug level, and those hold memories.
            logging.getLogger("openai._base_client").setLevel(logging.INFO)
            self._opened = openai.AsyncOpenAI(
                base_url=self._base_url,
                # Local endpoints need none, the package insists on one.
                api_key=self._api_key or "none",
                max_retries=0,
                timeout=self._patience.attempt_seconds,
            )
        return self._opened

    def _reported(self, call: _Call, answered: ChatCompletion, text: str, estimate: Usage) -> Usage:
        """As the provider counts; counted here where it does not say."""
        if answered.usage is None:
            return self._used(call, estimate.tokens_in, call.count(text), 0)
        details = answered.usage.prompt_tokens_details
        cached = (details.cached_tokens or 0) if details else 0
        return self._used(call, answered.usage.prompt_tokens, answered.usage.completion_tokens, cached)

    def _used(self, call: _Call, tokens_in: int, tokens_out: int, tokens_cached: int) -> Usage:
        cost = self._prices.cost(call.model, tokens_in, tokens_out, tokens_cached)
        return Usage(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=tokens_cached, cost=cost)


def _text(answered: ChatCompletion) -> str:
    """The arguments of a tool call or else the content."""
    message = answered.choices[0].message
    for tool in message.tool_calls or []:
        if tool.type == "function":
            return tool.function.arguments
    return message.content or ""


def _refuse_broken(answered: ChatCompletion) -> None:
    """What the envelope alone says against an answer."""
    choice = answered.choices[0]
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise Unusable("refusal", "the model or its provider's filter refused", repairable=False)
    if choice.finish_reason == "length":
        raise Unusable("truncated", "the answer was cut off at its length limit, it must be shorter")


def _plus(one: Usage, other: Usage) -> Usage:
    return Usage(
        calls=one.calls + other.calls,
        tokens_in=one.tokens_in + other.tokens_in,
        tokens_out=one.tokens_out + other.tokens_out,
        tokens_cached=one.tokens_cached + other.tokens_cached,
        cost=one.cost + other.cost,
    )
