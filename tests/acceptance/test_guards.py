"""S0.9 over several processes: slots, runs of the scheduler with their share of jobs, the cooldown between them."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import living
import pytest
from crowd import THINGS, asking, crowd, story, with_model

from precis.app import App
from precis.app.refreshing import work_run
from precis.bootstrap import Runtime, build_guards
from precis.engine.drafted import Result
from precis.engine.lease import Lease
from precis.engine.spending import Guards
from precis.jobs.worker import Alarm, running_worker, wake
from precis.settings import Settings
from precis.store.ledger import PostgresRuns
from precis.testing.clock import FrozenClock
from precis.testing.model_server import ModelServer, model_server

pytestmark = pytest.mark.asyncio(loop_scope="session")

LASTS = timedelta(seconds=60)
#: Seconds between two runs; in half of them a busy computer has looked at what the first one made.
COOLDOWN = 6.0
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gus", "Hana")


async def summaries_of(app: App) -> list[str]:
    """The users of all summaries, one each."""
    page = await app.summaries.list(limit=1000)
    return sorted(one.scope.user_id for one in page.rows)


async def until_made(app: App, number: int, seconds: float = 120) -> None:
    """Wait until so many summaries stand."""
    async with asyncio.timeout(seconds):
        while len(await summaries_of(app)) < number:
            await asyncio.sleep(0.2)


async def a_call_is_under_way(server: ModelServer) -> None:
    """Wait for the first one."""
    async with asyncio.timeout(30):
        while not server.stats.most_at_once:
            await asyncio.sleep(0.01)


async def defer(app: App, user: str, keys: int, project: str | None = None) -> None:
    """Leave so many clusters of a user to the scheduler."""
    rows = [row for thing in THINGS[:keys] for row in story(user, thing, project)]
    await app.memories.add(rows, summarize="deferred")


async def take(runs: PostgresRuns, tenant: str, now: datetime) -> Lease | None:
    """What the scheduler may work on at that time."""
    return await runs.claim(tenant, now=now, lasts=LASTS)


async def finish(app: App, lease: Lease | None, now: datetime) -> None:
    """Give the lease back as a refresh does that found nothing to do."""
    assert lease is not None
    await app.parts.engine.groups.release(lease, retry_at=None, error=None, now=now)


# --- slots ---


async def test_three_calls_at_once_over_all_processes(runtime: Runtime, tenant: str) -> None:
    """Three processes write for one tenant, six clusters each at once: three calls are under way, never a fourth."""
    async with model_server() as server, crowd(runtime, tenant, 3, asking(server, inline_deadline=40)) as members:
        server.behave("stall", seconds=0.2)
        orders = [[story(f"{name}{n}") for name in NAMES[:6]] for n in range(3)]
        answers = await asyncio.gather(*(one.order(order) for one, order in zip(members, orders, strict=True)))
        assert answers == [[3] * 6] * 3
        assert len(await summaries_of(runtime.app(tenant))) == 18
        assert (server.stats.chat_calls, server.stats.most_at_once) == (18, 3)


async def test_slots_are_a_setting(runtime: Runtime, tenant: str) -> None:
    """With one, eight concurrent writers call one after the other."""
    async with model_server() as server, with_model(runtime, server, concurrent_jobs=1) as single:
        server.behave("stall", seconds=0.03)
        await asyncio.gather(*(single.app(tenant).memories.add(story(name)) for name in NAMES))
        assert (server.stats.chat_calls, server.stats.most_at_once) == (8, 1)


async def test_tenants_do_not_wait_for_each_other(runtime: Runtime, tenant: str) -> None:
    """The slots of one are in use: another's call goes out at once."""
    other = f"{tenant}-other"
    await runtime.store.tenants.create(other, name="other", now=runtime.engine.clock())
    async with model_server() as server, with_model(runtime, server, concurrent_jobs=1) as single:
        server.behave("stall", seconds=60)
        writing = [asyncio.create_task(single.app(one).memories.add(story("Ana"))) for one in (tenant, other)]
        async with asyncio.timeout(30):
            while server.stats.most_at_once < 2:
                await asyncio.sleep(0.01)
        server.close()
        await asyncio.gather(*writing)


async def test_who_gets_no_slot_is_left_to_a_worker(runtime: Runtime, tenant: str) -> None:
    """The writer waits as long as it may, is answered, and its cluster is due; the loop never stood still."""
    async with model_server() as server:
        async with with_model(runtime, server, concurrent_jobs=1, inline_deadline=0.4) as hurried:
            server.behave("stall", seconds=60, times=1)
            app = hurried.app(tenant)
            # The holder of the slot waits longer than the writer, so it asks the engine itself.
            await app.memories.add(story("Ana"), summarize="deferred")
            holding = asyncio.create_task(app.summaries.refresh_all(user_id="Ana"))
            await a_call_is_under_way(server)
            started, longest, pace = time.monotonic(), 0.0, living.Pace()
            writing = asyncio.create_task(app.memories.add(story("Ben")))
            while not writing.done():
                before = time.monotonic()
                await asyncio.sleep(0.01)
                longest = max(longest, time.monotonic() - before)
            written = await writing
            assert (written.summaries, len(written.waiting)) == ((), 1)
            assert 0.3 < time.monotonic() - started < pace.within(4)
            assert longest < pace.within(0.3)
            assert not holding.done()
            server.close()
            await holding
            async with running_worker(hurried):
                await until_made(app, 2)
        calls = await runtime.app(tenant).costs.calls()
        assert [(call.state, call.outcome) for call in calls] == [("settled", "ok")] * 2


async def test_a_call_that_waits_too_long_is_busy_and_due_at_once(runtime: Runtime, tenant: str) -> None:
    """Outside the inline deadline the wait for a slot is bounded, too; nothing failed and no stand-in was made."""
    async with (
        model_server() as server,
        with_model(runtime, server, concurrent_jobs=1, inline_deadline=0.2) as hurried,
    ):
        server.behave("stall", seconds=60, times=1)
        app = hurried.app(tenant)
        await app.memories.add(story("Ana") + story("Ben"), summarize="deferred")
        first = asyncio.create_task(app.summaries.refresh_all(user_id="Ana"))
        await a_call_is_under_way(server)
        (second,) = await app.summaries.refresh_all(user_id="Ben")
        assert second.result is Result.BUSY
        server.close()
        assert [one.result for one in await first] == [Result.COMMITTED]
        assert [one.plan.action for one in await app.summaries.plan()] == ["make"]
        assert (await app.summaries.stats()).failed == 0


async def test_a_killed_process_loses_its_slot(runtime: Runtime, tenant: str) -> None:
    """kill -9 in the middle of a call: its reservation runs out, counts as spent, and the slot is free."""
    async with model_server() as server:
        server.behave("stall", seconds=60, times=1)
        chosen = asking(server, concurrent_jobs=1, reservation_lasts=1.5)
        async with crowd(runtime, tenant, 1, chosen) as (doomed,):
            await doomed.send([story("Ana")])
            await a_call_is_under_way(server)
            doomed.process.send_signal(signal.SIGKILL)
            await doomed.process.wait()
        async with with_model(runtime, server, concurrent_jobs=1, reservation_lasts=1.5) as second:
            app = second.app(tenant)
            assert [call.state for call in await app.costs.calls()] == ["reserved"]
            written = await app.memories.add(story("Ben"))
            assert len(written.summaries) == 1
            new, lost = await app.costs.calls()
            assert (new.state, lost.state, lost.outcome) == ("settled", "lost", "lost")
            assert lost.cost > new.cost > 0
            (spend,) = await app.costs.spending()
            assert (spend.calls, spend.failed, spend.lost) == (2, 1, 1)
            assert spend.cost == pytest.approx(new.cost + lost.cost)


# --- runs of the scheduler ---


async def test_a_run_takes_twenty_of_a_user_and_project(runtime: Runtime, tenant: str) -> None:
    """Three workers: one run makes 20 of one scope and all of two others; the next, after the cooldown, the rest."""
    app = runtime.app(tenant)
    await defer(app, "Ana", 23)
    await defer(app, "Ana", 2, "garden")
    await defer(app, "Ben", 3)
    async with model_server() as server:
        server.behave("stall", seconds=0.05)
        settings = asking(server, cooldown=COOLDOWN, inline_deadline=20)
        async with crowd(runtime, tenant, 3, settings) as members:
            assert [await one.order("work") for one in members] == ["working"] * 3
            await until_made(app, 25)
            first_run = time.monotonic()
            await asyncio.sleep(1.5)
            assert len(await summaries_of(app)) == 25
            assert len(await app.summaries.plan()) == 3
            assert Counter(await summaries_of(app)) == {"Ana": 22, "Ben": 3}
            await until_made(app, 28)
            assert COOLDOWN / 2 < time.monotonic() - first_run < COOLDOWN + 60
    # The workers serve every tenant of the database, so the server may have been asked by others, too.
    (spend,) = await app.costs.spending()
    assert (spend.calls, spend.failed) == (28, 0)


async def test_the_share_of_a_run(runtime: Runtime, tenant: str, app: App) -> None:
    """With two jobs a run, five due clusters of one scope take three runs, longest waiting first; none is lost."""
    runs = PostgresRuns(runtime.database, Guards(jobs_per_run=2, cooldown=timedelta(minutes=2)))
    await defer(app, "Ana", 5)
    due = [one.plan.group_id for one in await app.summaries.plan()]
    now, made = datetime.now(UTC) + timedelta(seconds=1), []
    for _ in range(3):
        while (lease := await take(runs, tenant, now)) is not None:
            made.append(lease.group_id)
            await finish(app, lease, now)
        assert await runs.ready_at(tenant, now=now, lasts=LASTS) == now + timedelta(minutes=2)
        now += timedelta(minutes=2)
    assert made == due


async def test_a_run_works_on_what_was_due_when_it_began(runtime: Runtime, tenant: str, app: App) -> None:
    """A stream of new work cannot keep a run going for ever: what comes later waits for the next one."""
    runs = PostgresRuns(runtime.database, Guards(cooldown=timedelta(seconds=30)))
    await defer(app, "Ana", 1)
    began = datetime.now(UTC)
    lease = await take(runs, tenant, began)
    await defer(app, "Ben", 1)
    later = datetime.now(UTC) + timedelta(seconds=1)
    assert await take(runs, tenant, later) is None
    await finish(app, lease, later)
    assert await take(runs, tenant, later) is None
    assert await runs.ready_at(tenant, now=later, lasts=LASTS) == later + timedelta(seconds=30)
    assert await take(runs, tenant, later + timedelta(seconds=29)) is None
    assert await take(runs, tenant, later + timedelta(seconds=30)) is not None


async def test_a_tick_that_finds_nothing_is_no_run(runtime: Runtime, tenant: str, app: App) -> None:
    """After a quiet time the first write is picked up at once, however often somebody looked before."""
    runs = PostgresRuns(runtime.database, Guards())
    for _ in range(3):
        assert await take(runs, tenant, datetime.now(UTC)) is None
    await defer(app, "Ana", 1)
    assert await take(runs, tenant, datetime.now(UTC)) is not None


async def test_a_run_has_three_jobs_under_way(runtime: Runtime, tenant: str, app: App) -> None:
    """A fourth waits, whoever asks for it; it is taken up when one of the three is done."""
    runs = PostgresRuns(runtime.database, Guards())
    await defer(app, "Ana", 5)
    now = datetime.now(UTC)
    leases = [await take(runs, tenant, now) for _ in range(3)]
    assert None not in leases
    assert await take(runs, tenant, now) is None
    await finish(app, leases[0], now)
    assert await take(runs, tenant, now) is not None
    assert await take(runs, tenant, now) is None


async def test_a_run_outlives_its_workers(runtime: Runtime, tenant: str, app: App) -> None:
    """All died: another worker goes on with the run; much later a new run does not wait for anybody."""
    runs = PostgresRuns(runtime.database, Guards(cooldown=timedelta(minutes=2)))
    await defer(app, "Ana", 3)
    now = datetime.now(UTC)
    assert await take(runs, tenant, now) is not None
    assert await take(runs, tenant, now + LASTS / 2) is not None
    much_later = now + LASTS * 10
    assert await runs.ready_at(tenant, now=much_later, lasts=LASTS) is None
    assert [await take(runs, tenant, much_later) is not None for _ in range(3)] == [True] * 3


async def test_nobody_cools_down_until_a_clock_that_was_ahead_is_right(runtime: Runtime, tenant: str, app: App) -> None:
    """A run that ended by a clock an hour ahead: once that is put back, the next one begins."""
    runs = PostgresRuns(runtime.database, Guards(cooldown=timedelta(minutes=2)))
    await defer(app, "Ana", 1)
    ahead = datetime.now(UTC) + timedelta(hours=1)
    await finish(app, await take(runs, tenant, ahead), ahead)
    assert await take(runs, tenant, ahead) is None
    await defer(app, "Ben", 1)
    now = datetime.now(UTC)
    assert await runs.ready_at(tenant, now=now, lasts=LASTS) is None
    assert await take(runs, tenant, now) is not None


async def test_cooldown_binds_no_writer_and_no_request(runtime: Runtime, tenant: str) -> None:
    """Right after a run an inline write is summarized in its answer, and a refresh that is asked for is made."""
    async with model_server() as server, with_model(runtime, server, cooldown=3600) as model:
        app = model.app(tenant)
        await defer(app, "Ana", 1)
        until = model.engine.clock() + timedelta(seconds=20)
        assert len(await work_run(model.engine, model.runs, tenant, until=until)) == 1
        assert len((await app.memories.add(story("Ben"))).summaries) == 1
        await defer(app, "Cleo", 1)
        assert await work_run(model.engine, model.runs, tenant, until=until) == []
        assert [one.result for one in await app.summaries.refresh_all()] == [Result.COMMITTED]


async def test_the_end_of_a_cooldown_is_not_slept_through(runtime: Runtime, tenant: str) -> None:
    """A worker rings for the tenant when it has cooled down: no sweep of a minute lies in between."""
    async with model_server() as server, with_model(runtime, server, cooldown=0.8) as model:
        app = model.app(tenant)
        async with running_worker(model):
            for number, name in enumerate(NAMES[:3], start=1):
                await defer(app, name, 1)
                await until_made(app, number, seconds=15)


async def test_a_cooling_tenant_is_not_hinted(runtime: Runtime, tenant: str) -> None:
    """The sweep sets the alarm instead, for the moment the tenant is ready."""
    async with model_server() as server, with_model(runtime, server, cooldown=3600) as model:
        await defer(model.app(tenant), "Ana", 1)
        until = model.engine.clock() + timedelta(seconds=20)
        await work_run(model.engine, model.runs, tenant, until=until)
        await defer(model.app(tenant), "Ben", 1)
        clock = FrozenClock(model.engine.clock())
        alarm = Alarm(clock)
        assert not await wake(model, tenant, alarm)
        assert await alarm.rung(0.05) == []
        clock.advance(timedelta(hours=2))
        assert await alarm.rung(0.05) == [tenant]
        assert await alarm.rung(0.05) == []


@pytest.mark.parametrize(
    ("given", "seconds"),
    [({}, 0.0), ({"model": "m"}, 120.0), ({"cooldown": 7}, 7.0), ({"model": "m", "cooldown": 0}, 0.0)],
)
async def test_offline_there_is_nothing_to_cool_down_from(given: dict[str, Any], seconds: float) -> None:
    """Two minutes with a model, none without, and what the settings say where they say something."""
    assert build_guards(Settings(**given)).cooldown == timedelta(seconds=seconds)


async def test_the_defaults_are_the_documents() -> None:
    """Three jobs, twenty of a user and project, a tenth kept, no ceiling unless one is set."""
    guards = build_guards(Settings(model="m"))
    assert guards == Guards()
    assert (guards.concurrent_jobs, guards.jobs_per_run, guards.kept_share) == (3, 20, 0.1)
    assert (guards.cooldown, guards.monthly_ceiling) == (timedelta(minutes=2), None)
