"""S0.9: guards of a tenant: cooldown, jobs of a run, concurrent jobs, and a ceiling past which raw memories are served.

The same over several processes: tests/acceptance/test_guards.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from steps import TEA, rows, summaries_of, tell, the_summary, with_engine

from precis.app import App
from precis.app.refreshing import work_run
from precis.bootstrap import Runtime, open_runtime
from precis.database.jobs import TICKS_PER_TENANT
from precis.engine.spending import Guards
from precis.jobs.worker import running_worker
from precis.makers import Draft, Request
from precis.settings import Settings
from precis.store.ledger import PostgresRuns
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting
from precis.testing.model_server import ModelServer, model_server
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: One call with these prompts costs about a tenth of a cent.
PRICES = {"precis-test": {"input_per_million": 1.0, "output_per_million": 4.0}}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def runtime(rooms_folder: Path) -> AsyncIterator[Runtime]:
    """A database of its own: a worker in the shared one would do what other tests have left undone."""
    async with open_runtime(Settings(data_dir=with_database(rooms_folder / "guards"))) as running:
        yield running


class Counting(Quoting):
    """Quotes slowly and notes how many of its calls were under way at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.most = 0

    async def summarize(self, request: Request) -> Draft:
        """One slow call."""
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(0.15)
            return await super().summarize(request)
        finally:
            self.now -= 1


@asynccontextmanager
async def with_model(runtime: Runtime, server: ModelServer, **settings: Any) -> AsyncIterator[Runtime]:
    """The shared database served by a precis that has a model."""
    update = {"model": "precis-test", "model_base_url": server.base_url, "prices": PRICES} | settings
    async with open_runtime(runtime.settings.model_copy(update=update), follows=False) as other:
        yield other


async def spent(runtime: Runtime, tenant: str) -> float:
    """What the tenant's calls took, in US dollars."""
    return float(sum(row["cost"] for row in await runtime.ledger.costs(tenant)))


async def test_at_most_three_jobs_of_a_tenant_at_once(runtime: Runtime, tenant: str, app: App) -> None:
    """Twelve due clusters and eight workers: three calls at once, no more, and all twelve are made."""
    for n in range(12):
        await app.memories.add(rows([f"{text} ({n})" for text in TEA[:3]], user_id=f"u{n}"), summarize="deferred")
    model = Counting()
    slow = replace(runtime, engine=replace(runtime.engine, summarizer=model))
    async with running_worker(slow), asyncio.timeout(60):
        while len(await summaries_of(app)) < 12:
            await asyncio.sleep(0.1)
    assert 1 <= model.most <= TICKS_PER_TENANT == 3


async def test_a_burst_of_writes_queues_no_more_than_its_slots(runtime: Runtime, tenant: str, app: App) -> None:
    """Twenty writes that each leave work behind hint at most three ticks: other tenants keep their workers."""
    for n in range(20):
        await app.memories.add(rows(user_id=f"u{n}"), summarize="deferred")
    async with runtime.database.directory() as connection:
        asked = await connection.execute("SELECT lock FROM procrastinate_jobs WHERE lock LIKE %s", [f"{tenant}:%"])
        locks = [row["lock"] for row in await asked.fetchall()]
    assert 1 <= len(locks) == len(set(locks)) <= TICKS_PER_TENANT


async def run(runtime: Runtime, tenant: str, clock: FrozenClock) -> int:
    """One scheduler run under the document's figures; answers how many groups it refreshed."""
    engine = replace(runtime.engine, clock=clock)
    runs = PostgresRuns(runtime.database, Guards())
    outcomes = await work_run(engine, runs, tenant, until=clock() + timedelta(seconds=1))
    return len(outcomes)


async def test_two_minutes_between_two_runs(runtime: Runtime, tenant: str, app: App) -> None:
    """What falls due after a run waits until two minutes after its end; nothing of it is lost."""
    clock = FrozenClock()
    timed = with_engine(app, clock=clock)
    await timed.memories.add(rows(), summarize="deferred")
    assert await run(runtime, tenant, clock) == 1
    await timed.memories.add(rows(user_id="bob"), summarize="deferred")
    clock.advance(timedelta(seconds=119))
    assert await run(runtime, tenant, clock) == 0
    clock.advance(timedelta(seconds=1))
    assert await run(runtime, tenant, clock) == 1
    assert len(await summaries_of(app)) == 2


async def test_writes_do_not_cool_down(runtime: Runtime, tenant: str, app: App) -> None:
    """The cooldown binds the scheduler only: right after a run a write still makes its summary at once."""
    clock = FrozenClock()
    timed = with_engine(app, clock=clock)
    await timed.memories.add(rows(), summarize="deferred")
    assert await run(runtime, tenant, clock) == 1
    assert (await timed.memories.add(rows(user_id="bob"))).summaries


async def test_twenty_jobs_of_a_user_and_project_in_a_run(runtime: Runtime, tenant: str, app: App) -> None:
    """Twenty-three due clusters of one project and two of another: twenty and two now, three in the next run."""
    clock = FrozenClock()
    timed = with_engine(app, clock=clock)
    for n in range(23):
        await timed.memories.add(rows(type=f"kind {n}", project_id="atlas"), summarize="deferred")
    for n in range(2):
        await timed.memories.add(rows(type=f"kind {n}", project_id="borealis"), summarize="deferred")
    assert await run(runtime, tenant, clock) == 22
    assert len(await summaries_of(app, project_id="atlas")) == 20
    assert len(await summaries_of(app, project_id="borealis")) == 2
    clock.advance(timedelta(minutes=2))
    assert await run(runtime, tenant, clock) == 3


async def test_past_the_ceiling_nothing_is_called_and_nothing_fails(runtime: Runtime, tenant: str) -> None:
    """The ceiling is spent: writes go on, no call is made, recall serves the raw rows, and no error is seen."""
    async with model_server() as server, with_model(runtime, server, monthly_ceiling=0.0) as capped:
        app = capped.app(tenant)
        written = await tell(app, rows())
        assert server.stats.chat_calls == 0
        assert [one.created for one in written.memories] == [True]
        results = await app.recall.search("green tea", user_id="ana", summaries="without")
        assert TEA[0] in [result.memory.text for result in results]
        assert (await the_summary(app)).fallback
        assert await spent(capped, tenant) == 0


async def test_what_stands_stays_past_the_ceiling(runtime: Runtime, tenant: str) -> None:
    """A summary made while there was money is served unchanged when there is none left, and is marked stale."""
    async with model_server() as server:
        async with with_model(runtime, server) as rich:
            await tell(rich.app(tenant), rows())
            before = await the_summary(rich.app(tenant))
            cost = await spent(rich, tenant)
        async with with_model(runtime, server, monthly_ceiling=cost) as poor:
            written = await poor.app(tenant).memories.add(rows(TEA[3:4]))
            after = await the_summary(poor.app(tenant))
            assert len(written.waiting) == 1
            assert server.stats.chat_calls == 1
            assert (after.id, after.text, after.stale) == (before.id, before.text, True)
            assert await spent(poor, tenant) == cost > 0


async def test_the_ceiling_is_never_exceeded(runtime: Runtime, tenant: str) -> None:
    """Concurrent writers under a ceiling of a few calls: what is spent stays below it, and other tenants may go on."""
    ceiling = 0.006
    async with model_server() as server, with_model(runtime, server, monthly_ceiling=ceiling) as capped:
        app, other = capped.app(tenant), capped.app(f"{tenant}-other")
        await capped.store.tenants.create(f"{tenant}-other", name="other", now=capped.engine.clock())
        await asyncio.gather(*(app.memories.add(rows(user_id=f"u{n}")) for n in range(12)))
        assert 0 < await spent(capped, tenant) <= ceiling
        made = await summaries_of(app)
        assert {summary.fallback for summary in made} == {True, False}
        await other.memories.add(rows())
        assert not (await the_summary(other)).fallback
