"""Law 10: past the monthly ceiling nothing is called and nothing fails; spent is what the server would charge."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from crowd import THINGS, asking, cost_of, crowd, story, with_model

from precis.app import App
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.engine.drafted import Result
from precis.engine.spending import Guards, month_of
from precis.errors import BudgetExhausted, NoSlot
from precis.makers import Request, Usage
from precis.store.ledger import PostgresLedger
from precis.summary import Summary
from precis.testing.clock import FrozenClock
from precis.testing.model_server import model_server

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOON = timedelta(seconds=20)


def ledger_of(runtime: Runtime, clock: FrozenClock, ceiling: float | None, **guards: Any) -> PostgresLedger:
    """A ledger of its own over the shared database."""
    limits = Guards(monthly_ceiling=ceiling, slot_wait=timedelta(0), **guards)
    return PostgresLedger(runtime.database, clock, guards=limits, model="", margin=lambda _: 1.0)


def call_of(tenant: str, **fields: Any) -> Request:
    """A request of a tenant."""
    return Request(items=(), max_tokens=10, prompt="", tenant_id=tenant, policy="clusters", group_id="g", **fields)


def dollars(cost: float) -> Usage:
    """A call of that price."""
    return Usage(calls=1, cost=cost)


async def all_of(app: App) -> dict[str, Summary]:
    """Every summary by its subject."""
    return {str(one.extracted_key): one for one in (await app.summaries.list(limit=1000)).rows}


# --- under load ---


async def test_three_processes_stay_below_the_ceiling(runtime: Runtime, tenant: str) -> None:
    """Eighteen writers in three processes, a ceiling of some ten calls: each is answered, and not a cent too much."""
    ceiling = 0.012
    async with model_server() as server:
        settings = asking(server, monthly_ceiling=ceiling, inline_deadline=40)
        async with crowd(runtime, tenant, 3, settings) as members:
            server.behave("stall", seconds=0.2)
            orders = [[story(f"Ana{n}", thing) for thing in THINGS[:6]] for n in range(3)]
            answers = await asyncio.gather(*(one.order(order) for one, order in zip(members, orders, strict=True)))
        app = runtime.app(tenant)
        budget = await app.costs.budget()
        assert answers == [[3] * 6] * 3
        assert budget.spent <= ceiling
        assert cost_of(server) == pytest.approx(budget.spent)
        made = (await app.summaries.list(limit=1000)).rows
        assert len(made) == 18
        called = [one for one in made if not one.fallback]
        assert len(called) == server.stats.chat_calls
        assert 5 <= len(called) < 18
        results = await app.recall.search("Who lent the violin?", user_id="Ana0", summaries="without")
        assert "Ana0 lent the violin to a neighbor for a week." in [one.memory.text for one in results]


async def test_a_hundred_reservations_at_once(runtime: Runtime, tenant: str) -> None:
    """Reserved one by one: as many as fit, and not one more."""
    ledger = ledger_of(runtime, FrozenClock(), 1.0, kept_share=0.0, concurrent_jobs=1000)
    tried = (ledger.reserve(call_of(tenant), dollars(0.0625)) for _ in range(100))
    answers = await asyncio.gather(*tried, return_exceptions=True)
    refused = [one for one in answers if isinstance(one, BudgetExhausted)]
    assert (len(answers), len(refused)) == (100, 84)
    assert await ledger.spent(tenant) == 1.0


async def test_a_hundred_ask_for_three_slots(runtime: Runtime, tenant: str) -> None:
    """The three are given, the others are told to come again."""
    ledger = ledger_of(runtime, FrozenClock(), None)
    tried = (ledger.reserve(call_of(tenant), dollars(1)) for _ in range(100))
    answers = await asyncio.gather(*tried, return_exceptions=True)
    assert sum(isinstance(one, NoSlot) for one in answers) == 97


# --- what counts ---


async def test_failed_attempts_and_retries_count(runtime: Runtime, tenant: str) -> None:
    """A broken connection may have been worked for: it is in the ledger with its price, a refused one without."""
    async with model_server() as server, with_model(runtime, server) as model:
        server.behave("drop", times=1)
        server.behave("status", status=503, retry_after=0.01, times=1)
        app = model.app(tenant)
        await app.memories.add(story("Ana"))
        good, refused, broken = await app.costs.calls()
        assert (good.outcome, refused.outcome, broken.outcome) == ("ok", "status 503", "connection")
        assert broken.cost > good.cost > refused.cost == 0
        (spend,) = await app.costs.spending()
        assert (spend.calls, spend.failed, spend.lost) == (3, 2, 0)
        assert spend.cost == pytest.approx(good.cost + broken.cost)
        (summary,) = (await app.summaries.list()).rows
        assert (good.summary_id, good.model, good.policy) == (summary.id, "precis-test", "clusters")
        assert good.latency_ms is not None


async def test_a_foreign_tokenizer_is_reserved_for_with_a_margin(runtime: Runtime, tenant: str) -> None:
    """A model may count more tokens than we do, so more is set aside; what is settled is what it says."""
    clock = FrozenClock()
    guards = Guards(monthly_ceiling=1.0, kept_share=0.0)
    ledger = PostgresLedger(runtime.database, clock, guards=guards, model="theirs", margin=lambda _: 1.5)
    with pytest.raises(BudgetExhausted):
        await ledger.reserve(call_of(tenant), dollars(0.7))
    token = await ledger.reserve(call_of(tenant), dollars(0.5))
    assert await ledger.spent(tenant) == 0.75
    await ledger.settle(token, dollars(0.5), "ok", 0.1)
    assert await ledger.spent(tenant) == 0.5


async def test_a_lost_reservation_is_settled_as_spent(runtime: Runtime, tenant: str) -> None:
    """Nobody settles it: after its time it counts with all it may have taken, and its slot is free."""
    clock = FrozenClock()
    ledger = ledger_of(runtime, clock, 10.0, concurrent_jobs=1, reservation_lasts=timedelta(seconds=120))
    await ledger.reserve(call_of(tenant), dollars(2))
    clock.advance(timedelta(seconds=119))
    assert await ledger.reap(tenant) == 0
    with pytest.raises(NoSlot):
        await ledger.reserve(call_of(tenant), dollars(2))
    clock.advance(timedelta(seconds=1))
    assert await ledger.reap(tenant) == 1
    assert await ledger.spent(tenant) == 2
    await ledger.reserve(call_of(tenant), dollars(2))
    assert {call.state: call.cost for call in await ledger.calls(tenant, limit=9)} == {"reserved": 2, "lost": 2}


async def test_a_call_that_comes_back_late_is_settled_after_all(runtime: Runtime, tenant: str) -> None:
    """It was taken for lost; what it says it took counts, once."""
    clock = FrozenClock()
    ledger = ledger_of(runtime, clock, 10.0)
    token = await ledger.reserve(call_of(tenant), dollars(2))
    clock.advance(timedelta(minutes=5))
    assert await ledger.reap(tenant) == 1
    await ledger.settle(token, dollars(0.5), "ok", 300.0)
    await ledger.settle(token, dollars(9), "ok", 300.0)
    assert await ledger.spent(tenant) == 0.5


async def test_a_canceled_wait_leaves_nothing_behind(runtime: Runtime, tenant: str) -> None:
    """Whoever gives up at any moment of a reservation holds no slot and spends nothing."""
    ledger = ledger_of(runtime, FrozenClock(), 10.0, concurrent_jobs=1)
    for pause in range(12):
        reserving = asyncio.create_task(ledger.reserve(call_of(tenant), dollars(2)))
        await asyncio.sleep(pause * 0.0007)
        if reserving.cancel():
            with pytest.raises(asyncio.CancelledError):
                await reserving
        else:
            await ledger.settle(await reserving, dollars(0), "ok", 0.0)
    assert await ledger.spent(tenant) == 0
    assert await ledger.reserve(call_of(tenant), dollars(2))


# --- months ---


async def test_a_month_begins_anew_in_utc(runtime: Runtime, tenant: str) -> None:
    """The last second of a month is full, the first of the next is free; a call counts where it began."""
    clock = FrozenClock(datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC))
    ledger = ledger_of(runtime, clock, 1.0, kept_share=0.0)
    token = await ledger.reserve(call_of(tenant), dollars(1.0))
    with pytest.raises(BudgetExhausted):
        await ledger.reserve(call_of(tenant), dollars(0.01))
    clock.advance(timedelta(seconds=1))
    await ledger.settle(token, dollars(0.9), "ok", 1.0)
    assert await ledger.spent(tenant) == 0
    await ledger.settle(await ledger.reserve(call_of(tenant), dollars(1.0)), dollars(0.4), "ok", 1.0)
    rows = await ledger.costs(tenant)
    assert [(row["month"].isoformat(), row["cost"]) for row in rows] == [("2026-02-01", 0.4), ("2026-01-01", 0.9)]


async def test_the_month_is_that_of_utc() -> None:
    """Whatever zone the clock is of."""
    east = datetime.fromisoformat("2026-03-01T01:30:00+02:00")
    assert month_of(east) == datetime(2026, 2, 1, tzinfo=UTC)


# --- what is kept for re-derivation ---


async def test_a_tenth_is_kept_for_rederivation(runtime: Runtime, tenant: str) -> None:
    """Nine tenths are for everybody, the last one for what follows a forget."""
    ledger = ledger_of(runtime, FrozenClock(), 1.0)
    await ledger.reserve(call_of(tenant), dollars(0.875))
    with pytest.raises(BudgetExhausted):
        await ledger.reserve(call_of(tenant), dollars(0.0625))
    await ledger.reserve(call_of(tenant, rederives=True), dollars(0.0625))
    with pytest.raises(BudgetExhausted):
        await ledger.reserve(call_of(tenant, rederives=True), dollars(0.125))
    assert await ledger.spent(tenant) == 0.9375


async def test_forgetting_is_followed_by_the_model_when_others_may_not_call(runtime: Runtime, tenant: str) -> None:
    """Over nine tenths: a new memory waits, a forgotten one is derived anew by the model."""
    async with model_server() as server:
        async with with_model(runtime, server) as rich:
            written = await rich.app(tenant).memories.add(story("Ana", "violin") + story("Ana", "kettle"))
            extra = await rich.app(tenant).memories.add(story("Ana", "kettle")[:1] + story("Ana", "violin")[:1])
            assert len(extra.summaries) == 2
            spent = (await rich.app(tenant).costs.budget()).spent
        calls = server.stats.chat_calls
        # Most of it is kept here, so that a whole call fits into what is kept.
        async with with_model(runtime, server, monthly_ceiling=3 * spent, ceiling_kept_share=0.7) as poor:
            app = poor.app(tenant)
            budget = await app.costs.budget()
            assert budget.left == 0
            assert budget.left_to_rederive == pytest.approx(2 * spent)
            more = [{"text": "Ana polishes the kettle on Sundays.", "user_id": "Ana", "type": "fact", "key": "kettle"}]
            waiting = await app.memories.add(more)
            assert (waiting.summaries, len(waiting.waiting)) == ((), 1)
            assert server.stats.chat_calls == calls
            await app.memories.forget(written.memories[2].id)
            outcomes = await work(poor.engine, tenant, until=poor.engine.clock() + SOON)
            assert [one.result for one in outcomes if one.result is Result.COMMITTED] == [Result.COMMITTED]
            assert server.stats.chat_calls == calls + 1
            standing = await all_of(app)
            assert not standing["violin"].fallback
            assert not standing["violin"].stale
            assert "neighbor" not in standing["violin"].text
            assert standing["kettle"].stale


async def test_the_work_is_done_when_there_is_money_again(runtime: Runtime, tenant: str) -> None:
    """Past the ceiling a stand-in was made; in the next month the model redoes it, without anybody asking."""
    async with model_server() as server:
        async with with_model(runtime, server, monthly_ceiling=0.0) as broke:
            await broke.app(tenant).memories.add(story("Ana"))
            assert (await all_of(broke.app(tenant)))["violin"].fallback
        async with with_model(runtime, server, monthly_ceiling=1.0) as rich:
            # Its turn comes by itself, after a while: here the lease is taken then and given back for now.
            turn = rich.engine.clock() + timedelta(hours=2)
            lease = await rich.engine.groups.claim(tenant, now=turn, lasts=timedelta(minutes=2))
            assert lease is not None
            await rich.engine.groups.release(lease, retry_at=rich.engine.clock(), error=None, now=turn)
            await work(rich.engine, tenant, until=rich.engine.clock() + SOON)
            assert not (await all_of(rich.app(tenant)))["violin"].fallback
