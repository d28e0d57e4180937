"""The worker: ticks that work a tenant's stalest groups, and a sweep that finds groups whose tick was lost.

procrastinate is the pump: it wakes workers on any machine and tells a dead one by its heartbeat. The work list is the
group rows themselves, so a lost, doubled or late tick loses nothing and does nothing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import structlog
from procrastinate import App as JobApp
from procrastinate import JobContext, PsycopgConnector

from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.errors import PrecisError
from precis.store.hints import TICK, Hints, tenant_of

_log = structlog.get_logger(__name__)
#: How long a tick works before it makes room for other tenants.
SLICE = timedelta(milliseconds=500)
#: How often a lost tick is noticed, in seconds.
SWEEP_SECONDS = 60.0


def job_app(runtime: Runtime) -> JobApp:
    """procrastinate with the tick as its only task, on a few connections of its own."""
    app = JobApp(connector=PsycopgConnector(conninfo=runtime.database.pool.conninfo, min_size=1, max_size=4))

    @app.task(name=TICK, pass_context=True, queue="default")
    async def tick(context: JobContext) -> None:
        """Work the stalest groups of one tenant for a while; ask for another tick where something is left."""
        lock = context.job.lock or ""
        tenant_id = tenant_of(lock)
        outcomes = await work(runtime.engine, tenant_id, until=runtime.engine.clock() + SLICE)
        if outcomes:
            await wake(runtime, tenant_id)
        _log.info("tick", tenant_id=tenant_id, refreshed=len(outcomes))

    return app


async def wake(runtime: Runtime, tenant_id: str) -> bool:
    """Hint a tick for the tenant if any of its groups is due; answers whether it did."""
    due = await runtime.store.summaries.due(tenant_id, now=runtime.engine.clock())
    if due:
        async with runtime.database.tenant(tenant_id) as connection:
            await Hints().hint(connection, tenant_id)
    return due


async def sweep(runtime: Runtime) -> int:
    """Wake every tenant that has something due; answers how many."""
    woken = [await wake(runtime, tenant_id) for tenant_id in await runtime.store.tenants.list()]
    return sum(woken)


async def run_worker(runtime: Runtime, *, concurrency: int = 2, install_signal_handlers: bool = True) -> None:
    """Work until cancelled or signalled; what runs is finished or given back."""
    app = job_app(runtime)
    async with app.open_async():
        sweeping = asyncio.create_task(_sweep_forever(runtime))
        try:
            await app.run_worker_async(**_options(concurrency, install_signal_handlers=install_signal_handlers))
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping


def _options(concurrency: int, *, install_signal_handlers: bool) -> dict[str, Any]:
    return {
        "concurrency": concurrency,
        "install_signal_handlers": install_signal_handlers,
        "delete_jobs": "successful",
        "shutdown_graceful_timeout": 10.0,
        "fetch_job_polling_interval": 5.0,
    }


async def _sweep_forever(runtime: Runtime) -> None:
    while True:
        try:
            await sweep(runtime)
        except PrecisError as error:
            _log.warning("sweep_failed", error=type(error).__name__)
        await asyncio.sleep(SWEEP_SECONDS)


@asynccontextmanager
async def running_worker(runtime: Runtime) -> AsyncIterator[None]:
    """A worker inside another process, for the length of a block."""
    task = asyncio.create_task(run_worker(runtime, install_signal_handlers=False))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
