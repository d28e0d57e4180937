"""One structured question to a chat model behind an OpenAI-compatible endpoint, with all it takes to get an answer."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from precis import errors, metrics, work
from precis.makers import Request, TokenCounter, Usage
from precis.models import rendering, setbacks, structured, tokens
from precis.models.setbacks import Breaker, Patience, Remedy, Sending, Setback, noted, watch, watched
from precis.models.tokens import Meter, Prices, Unmetered
from precis.tracing import chat, note_answer, sent

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletion

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Question(Generic[T]):
    """What a model is asked, and how its answer is read."""

    #: On whose account; its ``model`` goes before the configured one.
    account: Request
    conversation: Sequence[rendering.Message]
    form: structured.Form
    #: What an answer says. Raises Unusable where it says nothing that can be used.
    read: Callable[[str], T]
    #: Length allowed to the answer, JSON included, in tokens.
    limit: int
    #: What is said again after an answer that cannot be used.
    reminder: str
    #: Limit of all attempts together, in seconds, where it is to be less than the asker's patience.
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Answered(Generic[T]):
    """An answer that could be used."""

    value: T
    #: The model.
    made_by: str
    #: Of every attempt.
    usage: Usage


@dataclass(kw_only=True, slots=True)
class _Call(Generic[T]):
    """One question on its way: what has been tried and spent so far."""

    question: Question[T]
    model: str
    count: TokenCounter
    dialect: structured.Dialect
    conversation: Sequence[rendering.Message]
    #: Length allowed to the answer now, in tokens.
    limit: int
    #: On the monotonic clock.
    deadline: float
    spent: Usage = field(default_factory=Usage)
    retries: int = 0
    repaired: bool = False


class Asker:
    """Asks one endpoint. Askers of the same endpoint may share ``breaker``.

    Raises ModelUnavailable where no answer could be had, Unusable (a DraftFailed) where the answer is not what
    was asked for, BudgetExhausted where the meter says so. No message of these quotes a memory.
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str | None = None,
        prices: Prices | None = None,
        meter: Meter | None = None,
        patience: Patience | None = None,
        breaker: Breaker | None = None,
        counter: Callable[[str], TokenCounter] = tokens.counter,
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
        self._ladder = structured.Ladder()
        self._counter = counter
        self._monotonic = monotonic
        self._sleep = sleep
        self._jitter = jitter
        self._opened: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        #: Settlements under way: kept here so that they outlive a canceled caller.
        self._settling: set[asyncio.Task[None]] = set()

    async def ask(self, question: Question[T]) -> Answered[T]:
        """The answer; retries, one repair and the search for a way to ask included."""
        with work.aside(), noted(self, model=self.name, url=self._base_url):
            client, call = await self._client(), self._begin(question)
            while isinstance(result := await self._attempt(call, client), Setback):
                await self._prepare_next(call, result)
        return Answered(value=result, made_by=call.model, usage=call.spent)

    async def aclose(self) -> None:
        """Finish settling and close the connections."""
        metrics.UNANSWERED.discard(self)
        await asyncio.gather(*self._settling)
        if self._opened is not None:
            await self._opened.close()
            self._opened = None

    def _begin(self, question: Question[T]) -> _Call[T]:
        model = question.account.model or self.name
        patience = self._patience.deadline_seconds
        return _Call(
            question=question,
            model=model,
            count=self._counter(model),
            dialect=self._ladder.dialect(model, question.form),
            conversation=question.conversation,
            limit=question.limit,
            deadline=self._monotonic() + min(patience, question.seconds or patience),
        )

    async def _prepare_next(self, call: _Call[T], setback: Setback) -> None:
        """Do what may help before the next attempt; raise the setback's error where nothing does."""
        match setback.remedy:
            case Remedy.REPAIR if not call.repaired:
                call.repaired = True
                reason = setback.error.reason if isinstance(setback.error, structured.Unusable) else ""
                question = call.question
                call.conversation = rendering.again(question.conversation, setback.answer, reason, question.reminder)
                call.limit *= 2 if setback.outcome == "truncated" else 1
            case Remedy.REPHRASE if call.dialect.refused(wants_other_limit=setback.other_limit):
                pass
            case Remedy.WAIT_OR_REPHRASE if call.dialect.broke_down():
                pass
            case Remedy.WAIT | Remedy.WAIT_OR_REPHRASE:
                await self._wait(call, setback)
            case _:
                raise setback.error

    async def _wait(self, call: _Call[T], setback: Setback) -> None:
        seconds = self._patience.wait(call.retries, setback.wait, self._jitter())
        call.retries += 1
        if call.retries >= self._patience.attempts or self._monotonic() + seconds >= call.deadline:
            raise setback.error
        await self._sleep(seconds)

    async def _attempt(self, call: _Call[T], client: AsyncOpenAI) -> T | Setback:
        """One call: permitted by the breaker, reserved before and settled after, whatever happens."""
        if self._monotonic() >= call.deadline:
            raise errors.ModelUnavailable("The model took too long.")
        estimate = self._used(call, rendering.message_tokens(call.conversation, call.count), call.limit, 0)
        with self._breaker.permit() as permit:
            token = await self._meter.reserve(call.question.account, estimate)
            started = self._monotonic()
            outcome, sending = "abandoned", Sending()
            used: Usage | None = None
            try:
                with watched(sending), chat(call.model) as tracing:
                    exchanged = await self._exchange(call, client, estimate, sending)
                    result, used = exchanged
                    outcome = result.outcome if isinstance(result, Setback) else "ok"
                    note_answer(tracing, call.question.account.policy, used.tokens_in, used.tokens_out, outcome)
                if isinstance(result, Setback) and result.fault:
                    permit.failed()
                else:
                    permit.succeeded()
                return result
            finally:
                # Once something was sent the endpoint may have done all of it, unless an answer says otherwise.
                used = used or (estimate if sending.begun else Usage(calls=1))
                call.spent += used
                await self._settle(token, used, outcome, self._monotonic() - started)

    async def _settle(self, token: object, used: Usage, outcome: str, latency: float) -> None:
        task = asyncio.ensure_future(self._meter.settle(token, used, outcome, latency))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        await asyncio.shield(task)

    async def _exchange(
        self, call: _Call[T], client: AsyncOpenAI, estimate: Usage, sending: Sending
    ) -> tuple[T | Setback, Usage]:
        """Send, read and judge; with what it took."""
        answered = await self._send(call, client)
        if isinstance(answered, Setback):
            return answered, estimate if answered.spent and sending.begun else Usage(calls=1)
        self._ladder.worked(call.model, call.question.form, call.dialect)
        text = _text(answered)
        used = self._reported(call, answered, text, estimate)
        try:
            _refuse_broken(answered)
            return call.question.read(text), used
        except structured.Unusable as wrong:
            return setbacks.of_answer(wrong, text), used

    async def _send(self, call: _Call[T], client: AsyncOpenAI) -> ChatCompletion | Setback:
        import openai  # noqa: PLC0415  (needed only where a model is; loaded by now)

        remaining = call.deadline - self._monotonic()
        create = client.chat.completions.create
        # The temperature is left to the provider: some models refuse any value but their own.
        parameters = call.dialect.parameters(call.question.form, call.limit) | {
            "messages": call.conversation,
            "extra_headers": sent() or None,
        }
        try:
            async with asyncio.timeout(min(remaining, self._patience.attempt_seconds)):
                completion: ChatCompletion = await create(model=call.model, **parameters)
        except openai.APIStatusError as refused:
            return setbacks.of_status(refused.status_code, refused.code, str(refused), refused.response.headers)
        except (TimeoutError, openai.APITimeoutError):
            return setbacks.of_connection(timed_out=True)
        except openai.APIConnectionError:
            return setbacks.of_connection(timed_out=False)
        except (openai.OpenAIError, ValueError):
            return setbacks.of_unreadable()
        return completion if getattr(completion, "choices", None) else setbacks.of_unreadable()

    async def _client(self) -> AsyncOpenAI:
        """Opened once, in a thread: the packages take a second to load, and heartbeats must not wait for them."""
        async with self._opening:
            if self._opened is None:
                self._opened = await asyncio.to_thread(self._open)
        return self._opened

    def _open(self) -> AsyncOpenAI:
        import openai  # noqa: PLC0415  (0.6 s, and needed only where a model is)

        # Some releases log whole requests at debug level, and those hold memories.
        logging.getLogger("openai._base_client").setLevel(logging.INFO)
        # The price list is loaded and searched here for the first time.
        self._prices.known(self.name)
        client = openai.AsyncOpenAI(
            base_url=self._base_url,
            # Local endpoints need none, the package insists on one.
            api_key=self._api_key or "none",
            max_retries=0,
            timeout=self._patience.attempt_seconds,
            http_client=openai.DefaultAsyncHttpxClient(event_hooks={"request": [watch]}),
        )
        # The package loads this part of itself when it is first touched.
        _ = client.chat.completions
        return client

    def _reported(self, call: _Call[T], answered: ChatCompletion, text: str, estimate: Usage) -> Usage:
        """As the provider counts; counted here where it does not say."""
        if answered.usage is None:
            return self._used(call, estimate.tokens_in, call.count(text), 0)
        details = answered.usage.prompt_tokens_details
        cached = (details.cached_tokens or 0) if details else 0
        return self._used(call, answered.usage.prompt_tokens, answered.usage.completion_tokens, cached)

    def _used(self, call: _Call[T], tokens_in: int, tokens_out: int, tokens_cached: int) -> Usage:
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
        raise structured.Unusable("refusal", "the model or its provider's filter refused", repairable=False)
    if choice.finish_reason == "length":
        raise structured.Unusable("truncated", "the answer was cut off at its length limit, it must be shorter")
