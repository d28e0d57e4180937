"""The worker: ticks that work a tenant's stalest groups, and a sweep that finds groups whose tick was lost.

procrastinate is the pump: it wakes workers on any machine and tells a dead one by its heartbeat. The work list is the
group rows themselves, so a lost, doubled or late tick loses nothing and does nothing twice. What a tenant's ticks may
do is counted in the database, too: see precis.store.ledger.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from procrastinate import App as JobApp
from procrastinate import JobContext, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Status

from precis.app.refreshing import work_run
from precis.bootstrap import Runtime, scheduled
from precis.database.connections import RECONNECTING
from precis.database.jobs import TICK, Hints, tenant_of
from precis.jobs.upkeep import going_on, now_and_then, read_forever, renew_forever, run_due, settle_forever
from precis.jobs.worker_process import Paced
from precis.language.words import let_go
from precis.makers import Clock
from precis.store.rows import HEAD_START
from precis.tracing import span

_log = structlog.get_logger(__name__)
#: How long a tick works before it makes room for other tenants.
SLICE = timedelta(milliseconds=500)
#: How often a lost tick is noticed, and the pause after tenants that had cooled down were woken, in seconds.
SWEEP_SECONDS, WAKE_SECONDS = 20.0, 0.05
#: How long a committed refresh is remembered: the figures for tuning look at no more.
KEEP_REFRESHES = timedelta(days=35)
#: How often a worker looks whether a policy's pass is due, in seconds.
PASS_SECONDS = 30.0
#: Tenants whose passes one worker makes at once.
PASSES = 3
#: How long a worker may take to end, each time it is told to. First it has its own grace for what it does.
_ENDING_SECONDS = (12.0, 3.0, 3.0)
#: How long a worker waits for a connection before it fails and begins again.
_CONNECTION_SECONDS = 5.0
#: The logger of procrastinate for tasks that end with a worker.
_SIDE_TASKS = "procrastinate.utils"
#: How often a worker says that it is alive; it counts as dead after three beats without a word.
HEARTBEAT_SECONDS = 5.0


def job_app(runtime: Runtime, alarm: Alarm) -> JobApp:
    """procrastinate with the tick as its only task, on a few connections of its own."""
    logging.getLogger(_SIDE_TASKS).addFilter(_is_news)
    conninfo = runtime.database.pool.conninfo
    connector = PsycopgConnector(conninfo=conninfo, min_size=1, max_size=4, timeout=_CONNECTION_SECONDS, **RECONNECTING)
    app = JobApp(connector=connector)

    @app.task(name=TICK, pass_context=True, queue="default")
    async def tick(context: JobContext) -> None:
        """Go on with the tenant's run for a while; ask for another tick, which goes on with it or ends it."""
        lock = context.job.lock or ""
        tenant_id, engine = tenant_of(lock), runtime.engine
        with span("tick", kind="consumer") as tracing:
            paced = Paced(runtime.runs, runtime.pressure)
            outcomes = await work_run(engine, paced, tenant_id, until=engine.clock() + SLICE)
            if outcomes:
                await hint(runtime, tenant_id)
            else:
                await wake(runtime, tenant_id, alarm)
            tracing.note({"precis.refreshed": len(outcomes)})
        _log.info("tick", tenant_id=tenant_id, refreshed=len(outcomes))

    return app


def _is_news(record: logging.LogRecord) -> bool:
    """Not that a side task of a worker that ends had lost its connection: the worker was stopped, or begins again."""
    return not (record.exc_info and isinstance(record.exc_info[1], ConnectorException))


async def hint(runtime: Runtime, tenant_id: str) -> None:
    """Ask for a tick of the tenant."""
    async with runtime.database.tx(tenant_id) as tx:
        await Hints(runtime.settings.concurrent_jobs).hint(tx)


async def wake(runtime: Runtime, tenant_id: str, alarm: Alarm | None = None) -> bool:
    """Hint a tick for the tenant if any of its groups is due; or set the alarm: it cools down, or a writer is at it.

    Answers whether a tick was hinted.
    """
    now, due = runtime.engine.clock(), partial(runtime.store.summaries.due, policies=scheduled(runtime.engine.policies))
    soon = now + HEAD_START
    if not await due(tenant_id, now=soon):
        return False
    ready_at = await runtime.runs.ready_at(tenant_id, now=now, lasts=runtime.engine.lease_lasts)
    if ready_at is None and not await due(tenant_id, now=now):
        ready_at = soon
    if ready_at is None:
        await hint(runtime, tenant_id)
    elif alarm is not None:
        alarm.set(tenant_id, ready_at)
    return ready_at is None


async def sweep(runtime: Runtime, alarm: Alarm | None = None) -> int:
    """Wake every tenant that has something due and clear away what is over; answers how many were woken.

    It erases keys where a process died in the middle of a forget, drops readings of texts that another may have
    forgotten, calls that were lost, conversations past their time and old figures. What fails waits for the next sweep.
    """
    let_go()
    woken = 0
    for tenant_id in await runtime.store.tenants.list():
        with going_on("finish_failed", tenant_id):
            await runtime.store.restoring.finish(tenant_id)
        with going_on("sweep_failed", tenant_id):
            await runtime.ledger.reap(tenant_id)
            await runtime.app(tenant_id).conversations.sweep()
            await runtime.store.rule_groups.sweep(tenant_id, now=runtime.engine.clock())
            await runtime.store.summaries.prune(tenant_id, before=runtime.engine.clock() - KEEP_REFRESHES)
            woken += await wake(runtime, tenant_id, alarm)
    return woken


async def run_worker(runtime: Runtime, *, concurrency: int = 2, install_signal_handlers: bool = True) -> None:
    """Work until cancelled or signalled; what runs is finished or given back."""
    async with _connected(runtime) as (app, alarm):
        await _run(app, runtime, alarm, concurrency, install_signal_handlers=install_signal_handlers)


@asynccontextmanager
async def running_worker(runtime: Runtime) -> AsyncIterator[None]:
    """A worker inside another process, for the length of a block."""
    # Connected before the block: a pool that is cancelled while it connects would not end.
    async with _connected(runtime) as (app, alarm):
        task = asyncio.create_task(_run(app, runtime, alarm, 2, install_signal_handlers=False))
        try:
            yield
        finally:
            await end_worker(task)


async def end_worker(working: asyncio.Task[None]) -> None:
    """Cancel a worker and wait: it finishes what it does or gives it back. Raises what a worker ended with by itself.

    A cancellation can get lost while the worker connects, and without a database nothing can be given back: so it is
    cancelled again, and abandoned where that does not help either. The group rows know what is still to do.
    """
    for seconds in _ENDING_SECONDS:
        working.cancel()
        await asyncio.wait({working}, timeout=seconds)
        if working.done():
            with suppress(asyncio.CancelledError):
                working.result()
            return
    _log.error("worker_did_not_end")


@asynccontextmanager
async def _connected(runtime: Runtime) -> AsyncIterator[tuple[JobApp, Alarm]]:
    """procrastinate over open connections, and an alarm for tenants that cool down."""
    alarm = Alarm(runtime.engine.clock)
    app = job_app(runtime, alarm)
    async with app.open_async():
        yield app, alarm


async def _run(app: JobApp, runtime: Runtime, alarm: Alarm, concurrency: int, *, install_signal_handlers: bool) -> None:
    """Work over open connections, and sweep meanwhile."""
    besides = [
        asyncio.create_task(_sweep_forever(runtime, alarm)),
        asyncio.create_task(_wake_forever(runtime, alarm)),
        asyncio.create_task(renew_forever(runtime)),
        asyncio.create_task(settle_forever(runtime)),
        asyncio.create_task(_pass_forever(runtime)),
        asyncio.create_task(read_forever(runtime)),
        asyncio.create_task(_bury_forever(app)),
    ]
    try:
        await _work_on(app, _options(concurrency, install_signal_handlers=install_signal_handlers))
    finally:
        for task in besides:
            task.cancel()
        await asyncio.gather(*besides, return_exceptions=True)


async def _work_on(app: JobApp, options: dict[str, Any]) -> None:
    """Until it is stopped. Whoever was thought dead, because it was slow, finds its tick taken away and goes on."""
    while True:
        try:
            return await app.run_worker_async(**options)
        except ConnectorException as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                # It was stopped, and could not say so to the database.
                raise asyncio.CancelledError from error
            _log.warning("worker_begins_again", error=type(error).__name__)
            await asyncio.sleep(1)


def _options(concurrency: int, *, install_signal_handlers: bool) -> dict[str, Any]:
    return {
        "concurrency": concurrency,
        "install_signal_handlers": install_signal_handlers,
        "delete_jobs": "successful",
        "shutdown_graceful_timeout": 10.0,
        "fetch_job_polling_interval": 5.0,
        "update_heartbeat_interval": HEARTBEAT_SECONDS,
        "stalled_worker_timeout": 3 * HEARTBEAT_SECONDS,
    }


async def _sweep_forever(runtime: Runtime, alarm: Alarm) -> None:
    """A sweep now and then: a lost tick and a lapsed lease wait no longer for it than a lease lasts."""
    seconds = min(SWEEP_SECONDS, runtime.settings.lease_seconds)
    await now_and_then("sweep", seconds, lambda: sweep(runtime, alarm))


async def _wake_forever(runtime: Runtime, alarm: Alarm) -> None:
    """The tenants that have cooled down, as soon as they have."""

    async def wake_ready() -> None:
        for tenant_id in await alarm.rung(SWEEP_SECONDS):
            with going_on("wake_failed", tenant_id):
                await wake(runtime, tenant_id, alarm)

    await now_and_then("wake", WAKE_SECONDS, wake_ready)


async def _pass_forever(runtime: Runtime) -> None:
    """The passes of all tenants that are due, a few tenants at once: a long one keeps few others waiting."""
    under_way: dict[str, asyncio.Task[None]] = {}
    limit = asyncio.Semaphore(PASSES)

    async def begin() -> None:
        for tenant_id in await runtime.store.tenants.list():
            if tenant_id not in under_way or under_way[tenant_id].done():
                under_way[tenant_id] = asyncio.create_task(_pass_over(runtime, tenant_id, limit))

    try:
        await now_and_then("passes", PASS_SECONDS, begin)
    finally:
        for task in under_way.values():
            task.cancel()
        await asyncio.gather(*under_way.values(), return_exceptions=True)


async def _pass_over(runtime: Runtime, tenant_id: str, limit: asyncio.Semaphore) -> None:
    async with limit:
        with going_on("passes_failed", tenant_id):
            if await run_due(runtime, tenant_id):
                await wake(runtime, tenant_id)


async def _bury_forever(app: JobApp) -> None:
    """Take away the ticks of workers that died: a tick holds nothing, but its lock keeps others of its slot waiting."""

    async def bury() -> None:
        for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=3 * HEARTBEAT_SECONDS):
            await app.job_manager.finish_job(job=job, status=Status.FAILED, delete_job=True)
            _log.warning("tick_of_dead_worker", lock=job.lock)

    await now_and_then("burial", 2 * HEARTBEAT_SECONDS, bury, at_once=False)


class Alarm:
    """When to wake which tenant. It is kept by one worker process; the sweep of any other finds the same tenants."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ready: dict[str, datetime] = {}
        self._changed = asyncio.Event()

    def set(self, tenant_id: str, at: datetime) -> None:
        """Wake this tenant at that time."""
        self._ready[tenant_id] = at
        self._changed.set()

    async def rung(self, seconds: float) -> list[str]:
        """Wait until the time of a tenant has come; answers those tenants, and none after so many seconds."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + seconds
        while (remaining := give_up - loop.time()) > 0:
            now = self._clock()
            ready = [tenant_id for tenant_id, at in self._ready.items() if at <= now]
            if ready:
                for tenant_id in ready:
                    del self._ready[tenant_id]
                return ready
            soonest = min(((at - now).total_seconds() for at in self._ready.values()), default=remaining)
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), min(remaining, soonest))
        return []
