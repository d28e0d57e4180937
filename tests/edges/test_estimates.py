"""What a plan would take against what the refresh then takes: input to the token, the whole within 15 %."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from precis.app import App, app_over
from precis.app.parts import Parts
from precis.app.summaries import Planned
from precis.bootstrap import Runtime, build_policies
from precis.engine.engine import Engine
from precis.engine.spending import Answers, Estimate, Lengths, NoLedger
from precis.extractive.summarizer import Extractive
from precis.ids import new_id
from precis.makers import Request, Usage
from precis.models.chat import JUDGING, ChatJudge, ChatSummarizer
from precis.models.tokens import Prices, counter
from precis.settings import Settings
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder
from precis.testing.model_server import ModelServer, model_server

pytestmark = pytest.mark.asyncio(loop_scope="session")
PRICES = {
    "precis-test": {"input_per_million": 1.0, "output_per_million": 4.0},
    "precis-test-fast": {"input_per_million": 2.0, "output_per_million": 8.0},
}
THINGS = "violin bicycle kettle ladder telescope carpet piano umbrella".split()
PLACES = "harbor attic garden cellar market library station workshop orchard bakery chapel museum".split()


class Noting(NoLedger):
    """A ledger in memory: what was asked for and what was written, call by call."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.written: list[int] = []
        self.kinds: list[str] = []
        self.cost = 0.0

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Note how long the answer could be."""
        del estimate
        return request

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """Note how long it was."""
        del latency
        assert outcome == "ok"
        assert isinstance(token, Request)
        self.cost += usage.cost
        if token.policy == JUDGING:
            return
        self.kinds.append(token.kind)
        self.asked.append(min(token.max_tokens, token.tokens_read))
        self.written.append(usage.tokens_out)

    async def answers(self, tenant_id: str, *, policy: str, model: str) -> Answers:
        """All of them."""
        del tenant_id, policy, model
        found: dict[str, Lengths] = {}
        for kind, asked, written in zip(self.kinds, self.asked, self.written, strict=True):
            before = found.get(kind, Lengths())
            found[kind] = Lengths(allowed=before.allowed + asked, written=before.written + written)
        return Answers(found)


@asynccontextmanager
async def precis_over(
    runtime: Runtime, server: ModelServer, *, judge: str = "off"
) -> AsyncIterator[tuple[App, Noting]]:
    """precis for a tenant of its own, with a model, and a judge if one is named."""
    settings = Settings(
        model="precis-test", model_base_url=server.base_url, prices=PRICES, inline_deadline=60, judge=judge
    )  # fmt: skip
    ledger, policies = Noting(), build_policies(settings)
    model = ChatSummarizer(
        model="precis-test", base_url=server.base_url, prices=Prices.of(settings.prices), meter=ledger
    )
    engine = Engine(
        groups=runtime.store.groups, policies=dict(policies), summarizer=model, fallback=Extractive(),
        embedder=HashEmbedder(), count=counter("precis-test"), clock=FrozenClock(),
        judge=None if judge == "off" else ChatJudge(asker=model, model=judge),
    )  # fmt: skip
    try:
        yield (
            app_over(
                Parts(tenant_id=f"t-{new_id()}", store=runtime.store, engine=engine, settings=settings, ledger=ledger)
            ),
            ledger,
        )
    finally:
        await model.aclose()


def seeded(seed: int) -> random.Random:
    """The same sequence each time."""
    return random.Random(seed)  # noqa: S311 - no secret hangs on it


def told(rng: random.Random, user: str, thing: str, number: int, *, first: int = 0) -> list[dict[str, Any]]:
    """Memories of one subject, of 15 to 60 tokens each, no two alike."""
    texts = (
        " ".join(
            f"{user} took the {thing} number {rng.randrange(10_000)} to the {rng.choice(PLACES)}."
            for _ in range(rng.randint(1, 4))
        )
        for _ in range(number)
    )
    return [
        {"id": f"{user}-{thing}-{at:05}", "text": text, "user_id": user, "type": "fact", "key": thing}
        for at, text in enumerate(texts, start=first)
    ]


async def tell(app: App, rng: random.Random, users: Sequence[str], number: int) -> None:
    """Leave a due cluster of each subject to each of these users."""
    for user in users:
        for thing in THINGS:
            await app.memories.add(told(rng, user, thing, number), summarize="deferred")


def total(plans: Sequence[Planned]) -> Estimate:
    """The sum of several estimates."""
    each = [one.estimate for one in plans]
    return Estimate(
        calls=sum(one.calls for one in each),
        tokens_in=sum(one.tokens_in for one in each),
        tokens_out=sum(one.tokens_out for one in each),
        cost=sum(one.cost for one in each),
    )


async def test_the_input_of_a_prompt_is_exact(runtime: Runtime) -> None:
    """One prompt a cluster: planned to the token, dates, speakers and framing included."""
    async with model_server() as server, precis_over(runtime, server) as (app, _):
        rows = told(seeded(1), "Ana", "violin", 12)
        for day, row in enumerate(rows, start=1):
            row |= {
                "created_at": f"2025-12-{day // 2 + 1:02}T10:00:00Z",
                "metadata": {"speaker": ("Ben", "Cleo")[day % 2]},
            }
        await app.memories.add(rows, summarize="deferred")
        planned = total(await app.summaries.plan())
        (outcome,) = await app.summaries.refresh_all()
        assert (planned.calls, planned.tokens_in) == (outcome.usage.calls, outcome.usage.tokens_in)
        assert (server.stats.chat_calls, server.stats.tokens_in) == (1, planned.tokens_in)


async def test_an_append_is_exact_too(runtime: Runtime) -> None:
    """The prefix stands, so the refresh of a long cluster reads it and the tail: known to the token."""
    async with model_server() as server, precis_over(runtime, server) as (app, _):
        rng = seeded(2)
        await app.memories.add(told(rng, "Ana", "violin", 150), summarize="deferred")
        await app.summaries.refresh_all()
        exact = 0
        for at in range(150, 158):
            await app.memories.add(told(rng, "Ana", "violin", 1, first=at), summarize="deferred")
            (planned,) = await app.summaries.plan()
            (outcome,) = await app.summaries.refresh_all()
            if len(planned.plan.steps) == 1:
                assert planned.estimate.tokens_in == outcome.usage.tokens_in
                exact += 1
        assert exact >= 3


@pytest.mark.parametrize("seed", [3, 4, 5])
@pytest.mark.parametrize("length", [60, 100])
async def test_within_15_percent_of_what_it_costs(runtime: Runtime, seed: int, length: int) -> None:
    """Answers of any length within 50 % up and down: after some refreshes the next ones cost what was planned."""
    rng = seeded(seed)
    async with model_server(seed=seed) as server, precis_over(runtime, server) as (app, ledger):
        server.behave("extractive", length=length, spread=0.5)
        await tell(app, rng, ["Ana", "Ben", "Cleo"], 9)
        await app.summaries.refresh_all()
        before = ledger.cost
        await tell(app, rng, ["Dora", "Emil"], 9)
        planned = total(await app.summaries.plan())
        outcomes = await app.summaries.refresh_all()
        cost = ledger.cost - before
        assert planned.calls == len(outcomes) == 2 * len(THINGS)
        assert planned.tokens_in == sum(one.usage.tokens_in for one in outcomes)
        assert planned.cost == pytest.approx(cost, rel=0.15)
        lengths = ledger.written[-2 * len(THINGS) :]
        assert max(lengths) > 1.5 * min(lengths), "the lengths did spread"


@pytest.mark.parametrize("length", [60, 100, None])
async def test_the_judge_is_in_the_plan(runtime: Runtime, length: int | None) -> None:
    """Its calls are planned as well, at the price of its own model."""
    async with model_server(seed=6) as server, precis_over(runtime, server, judge="precis-test-fast") as (app, ledger):
        rng = seeded(6)
        server.behave("extractive", length=length, spread=0.5)
        await tell(app, rng, ["Ana", "Ben", "Cleo"], 9)
        await app.summaries.refresh_all()
        before, calls = ledger.cost, server.stats.chat_calls
        await tell(app, rng, ["Dora", "Emil"], 9)
        planned = total(await app.summaries.plan())
        await app.summaries.refresh_all()
        assert planned.calls == server.stats.chat_calls - calls == 4 * len(THINGS)
        assert planned.cost == pytest.approx(ledger.cost - before, rel=0.15)


async def test_trees_are_within_15_percent(runtime: Runtime) -> None:
    """Long clusters are made anew: segments, prefix and summary; nodes over nodes are estimated by the ratio.

    Answers spread by half, so one tree of some twenty calls may be off by chance; four of them together are not.
    """
    estimated = spent = 0.0
    for seed in range(4):
        rng = seeded(seed)
        async with model_server(seed=seed) as server, precis_over(runtime, server) as (app, ledger):
            server.behave("extractive", spread=0.5)
            await tell(app, rng, ["Ana", "Ben"], 9)
            await app.memories.add(told(rng, "Ana", "violin", 150, first=9), summarize="deferred")
            await app.summaries.refresh_all()
            before = ledger.cost
            await app.memories.add(told(rng, "Ben", "piano", 250, first=9), summarize="deferred")
            (planned,) = await app.summaries.plan()
            (outcome,) = await app.summaries.refresh_all()
            assert planned.estimate.calls == outcome.usage.calls > 10
            estimated += planned.estimate.cost
            spent += ledger.cost - before
    assert estimated == pytest.approx(spent, rel=0.15)


async def test_without_history_the_guess_is_not_far(runtime: Runtime) -> None:
    """The very first plan: input exact, output within a factor of two."""
    async with model_server() as server, precis_over(runtime, server) as (app, _):
        await tell(app, seeded(8), ["Ana"], 9)
        planned = total(await app.summaries.plan())
        outcomes = await app.summaries.refresh_all()
        written = sum(one.usage.tokens_out for one in outcomes)
        assert planned.tokens_in == sum(one.usage.tokens_in for one in outcomes)
        assert 0.5 < planned.tokens_out / written < 2


async def test_nothing_to_do_takes_nothing(runtime: Runtime) -> None:
    """A current cluster is in the plan of all, with zeros; a plan calls nobody."""
    async with model_server() as server, precis_over(runtime, server) as (app, _):
        await tell(app, seeded(9), ["Ana"], 4)
        await app.summaries.plan()
        assert server.stats.calls == 0
        await app.summaries.refresh_all()
        assert total(await app.summaries.plan(stale_only=False)) == Estimate()
