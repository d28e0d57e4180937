"""A tenant's backlog keeps nobody else waiting: benchmarks/fairness.py has the seconds, here is the order."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

from precis.bootstrap import Runtime, open_runtime, system_clock
from precis.jobs.worker import running_worker
from precis.settings import Settings
from rooms import with_database

BACKLOG = 3_000
#: Groups that share three memories: each refresh is real work, and the list is long at once.
_GROUPS = """
    INSERT INTO groups (tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, members, added,
                        version, due_at, created_at)
    SELECT 'crowd', 'backlog-' || n, 'clusters', 'ana', '', 'production', 'fact', 3, 3, 1, %(due)s, %(due)s
    FROM generate_series(1, %(groups)s) AS n"""
_MEMBERS = """
    INSERT INTO members (tenant_id, group_id, memory_id)
    SELECT 'crowd', 'backlog-' || n, m.memory_id FROM generate_series(1, %(groups)s) AS n,
        (SELECT memory_id FROM memories WHERE tenant_id = 'crowd' AND NOT is_summary) AS m"""
NOTES = [
    {"user_id": "ben", "type": "fact", "key": "violin", "text": text}
    for text in ("Ben found a violin.", "Ben had the violin repaired.", "Ben sold the violin.")
]


async def crowd(runtime: Runtime) -> None:
    """A tenant whose whole backlog has been due for an hour."""
    await runtime.store.tenants.create("crowd", name="crowd", now=system_clock())
    texts = ("Ana bought a boat.", "The boat is called Puffin.", "The boat lies in Oban.")
    rows = [{"user_id": "ana", "type": "fact", "key": "boat", "text": text} for text in texts]
    await runtime.app("crowd").memories.add(rows)
    async with runtime.database.tenant("crowd") as connection:
        await connection.execute(_GROUPS, {"groups": BACKLOG, "due": system_clock() - timedelta(hours=1)})
        await connection.execute(_MEMBERS, {"groups": BACKLOG})
    await runtime.store.jobs.wake("crowd")


async def test_a_backlog_keeps_nobody_else_waiting(rooms_folder: Path) -> None:
    """What was written after thousands of another tenant's groups became due is summarized before most of them."""
    async with open_runtime(Settings(data_dir=with_database(rooms_folder / "fairness"))) as runtime:
        await runtime.store.tenants.create("small", name="small", now=system_clock())
        await crowd(runtime)
        small = runtime.app("small")
        async with running_worker(runtime), asyncio.timeout(60):
            while (await runtime.app("crowd").jobs.counts()).waiting == BACKLOG:
                await asyncio.sleep(0.05)
            await small.memories.add(NOTES, summarize="deferred")
            while not (await small.summaries.list()).rows:
                await asyncio.sleep(0.05)
            left = (await runtime.app("crowd").jobs.counts()).waiting
        assert left > BACKLOG * 0.8
