"""S0.6: what the inline path did not make a worker makes; a write never fails because a summary could not be made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from steps import app_of, ids, raw_rows, rows, summaries_of, tell, the_summary, with_engine

from precis.app import App
from precis.app.refreshing import work
from precis.bootstrap import Runtime, open_runtime
from precis.errors import ModelUnavailable, StoreUnavailable
from precis.jobs.worker import running_worker, sweep
from precis.settings import Settings
from precis.testing.fakes import Quoting
from precis.work import ended
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def runtime(rooms_folder: Path) -> AsyncIterator[Runtime]:
    """A database of its own: a worker in the shared one would do what other tests have left undone."""
    async with open_runtime(Settings(data_dir=with_database(rooms_folder / "worker"))) as running:
        yield running


def broken(app: App, error: Exception) -> App:
    """An app whose summarizer raises this and whose failures may be tried again at once."""
    model = Quoting()
    model.error = error
    return with_engine(app, summarizer=model, retry_after=lambda attempts: timedelta(0))


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    """Wait for something a worker does."""
    async with asyncio.timeout(seconds):
        while not await holds():
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "error", [StoreUnavailable(), RuntimeError("a bug"), OSError("a full disk")], ids=lambda e: type(e).__name__
)
async def test_the_write_stands_when_the_summary_fails(app: App, error: Exception) -> None:
    """Whatever the summarizer raises: the rows are there, the cluster waits, and the answer says so."""
    given = rows()
    written = await tell(broken(app, error), given)
    assert [one.created for one in written.memories] == [True]
    assert written.summaries == ()
    assert written.waiting == (written.memories[0].group_id,)
    assert {row.id for row in await raw_rows(app)} == set(ids(given))
    assert await summaries_of(app) == ()


async def test_the_next_tick_makes_it(app: App, tenant: str) -> None:
    """The work a tick does finds the cluster by its state and makes the summary."""
    given = rows()
    await tell(broken(app, RuntimeError("a bug")), given)
    engine = app.parts.engine
    await work(engine, tenant, until=engine.clock() + timedelta(seconds=20))
    assert (await the_summary(app)).parent_id == tuple(ids(given))


async def test_a_worker_is_woken_by_the_write(runtime: Runtime, app: App) -> None:
    """A real worker, a write that leaves the summary to it, and no sweep in between."""
    async with running_worker(runtime):
        await sweep(runtime)
        written = await app.memories.add(rows(), summarize="deferred")
        assert written.summaries == ()

        async def made() -> bool:
            return len(await summaries_of(app)) == 1

        await until(made)


async def test_a_lost_tick_is_noticed(runtime: Runtime, tenant: str, app: App) -> None:
    """The job of a write is gone from the queue: the sweep finds the cluster by its state."""
    await app.memories.add(rows(), summarize="deferred")
    async with runtime.database.directory() as connection:
        lost = await connection.execute("DELETE FROM procrastinate_jobs WHERE lock LIKE %s", [f"{tenant}:%"])
    assert lost.rowcount == 1
    async with running_worker(runtime):

        async def made() -> bool:
            return len(await summaries_of(app)) == 1

        await until(made)


async def test_a_slow_model_does_not_hold_the_writer(runtime: Runtime, tenant: str) -> None:
    """Past the inline deadline the write is answered, and the cluster waits for a worker at once."""
    model = Quoting()
    hurried = with_engine(app_of(runtime, tenant, inline_deadline=0.3), summarizer=model)
    forever = asyncio.Event()

    async def stall() -> None:
        await forever.wait()

    model.meanwhile = stall
    written = await tell(hurried, rows())
    assert len(written.waiting) == 1
    await ended(20)  # what was cut short gives its lease back behind the answer
    outcomes = await work(hurried.parts.engine, tenant, until=hurried.parts.engine.clock() + timedelta(seconds=20))
    assert [outcome.group_id for outcome in outcomes] == list(written.waiting)
    await the_summary(hurried)


async def test_large_writes_leave_summaries_to_the_worker(runtime: Runtime, tenant: str) -> None:
    """Over the inline limit of rows nothing is made before the answer, and every due cluster is named."""
    few = app_of(runtime, tenant, inline_rows=2)
    written = await few.memories.add(rows())
    assert (written.summaries, len(written.waiting)) == ((), 1)


async def test_without_the_model_a_marked_stand_in_is_made(app: App) -> None:
    """The model is down and nothing stands: an offline summary that says so, to be redone."""
    given = rows()
    written = await tell(broken(app, ModelUnavailable()), given)
    summary = await the_summary(app)
    assert written.summaries == (summary.id,)
    assert (summary.fallback, summary.stale) == (True, True)
    assert summary.made_by == app.parts.engine.fallback.name


async def test_the_stand_in_is_redone_once_the_model_is_back(app: App, tenant: str) -> None:
    """The next tick after the model answers replaces the stand-in, in the same row."""
    away = broken(app, ModelUnavailable())
    await tell(away, rows())
    before = await the_summary(app)
    engine = replace(away.parts.engine, summarizer=Quoting())
    await work(engine, tenant, until=engine.clock() + timedelta(seconds=20))
    after = await the_summary(app)
    assert (after.id, after.fallback, after.made_by) == (before.id, False, "quoting@1")
