"""Law 8: what was acknowledged survives ``kill -9``; its summary is committed once, and calls are bounded.

A writer process acknowledges each memory on its standard output and is killed at random moments; the database goes on
under the test, which joined it first. Then a worker drains what the kills left behind.
"""

from __future__ import annotations

import asyncio
import random
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.ids import new_id
from precis.jobs.worker import running_worker
from precis.settings import Settings
from precis.summary import Summary
from precis.testing.model_server import ModelServer, model_server
from rooms import with_database
from warm import Forked, fork

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Clusters a writer fills: few enough that each crosses its minimum.
SUBJECTS = 8
#: So many writers fill the clusters of one user: few enough that a refresh is one call.
WRITERS_A_USER = 5
#: A call of the dead holds its slot no longer than that; the model here answers in a fraction of it.
RESERVATION_LASTS = 2.0
#: How far ahead the draining worker's clock is: the leases of the dead have run out.
LATER = timedelta(hours=1)

#: Another process: writes one memory after the other, each into the next cluster, and says each id once it is safe.
WRITER = """
import asyncio, sys
from pathlib import Path
import structlog
from precis.bootstrap import open_runtime
from precis.settings import Settings

structlog.configure(logger_factory=structlog.ReturnLoggerFactory())

async def main(folder, url, tenant, lasts, mark, user, subjects):
    settings = Settings(
        data_dir=Path(folder), model="precis-test", model_base_url=url, reservation_lasts=lasts
    )
    async with open_runtime(settings) as runtime:
        app = runtime.app(tenant)
        print("ready", flush=True)
        for n in range(10_000):
            id_ = f"{mark}-{n}"
            row = {"id": id_, "text": f"Ana noted item {id_} about subject {n % subjects}.", "user_id": user,
                   "type": "fact", "key": f"subject {'abcdefgh'[n % subjects] * 6}"}
            await app.memories.add([row])
            print(id_, flush=True)

asyncio.run(main(*sys.argv[1:7], int(sys.argv[7])))
"""


@asynccontextmanager
async def joined(folder: Path, server: ModelServer) -> AsyncIterator[Runtime]:
    """precis in this process, over the same folder and model as the writers."""
    settings = Settings(
        data_dir=folder,
        model="precis-test",
        model_base_url=server.base_url,
        reservation_lasts=RESERVATION_LASTS,
        cooldown=0,
    )
    async with open_runtime(settings) as runtime:
        yield runtime


class Writers:
    """Writer processes of one test; none outlives it."""

    def __init__(self, folder: Path, server: ModelServer, tenant: str) -> None:
        self._where = (str(folder), server.base_url, tenant, str(RESERVATION_LASTS))
        self._started: list[Forked] = []

    async def start(self, number: int) -> Forked:
        """A writer that is about to write memories w0-0, w0-1, ... or w1-0, w1-1, ..."""
        who = (f"w{number}", f"ana{number // WRITERS_A_USER}")
        process = await fork(*self._where, *who, str(SUBJECTS), program=WRITER, stdout=PIPE)
        self._started.append(process)
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        return process

    async def end(self) -> None:
        """Kill those a failed test left behind."""
        for process in self._started:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


@asynccontextmanager
async def writing(folder: Path, server: ModelServer, tenant: str) -> AsyncIterator[Writers]:
    """Writers for the length of a block."""
    writers = Writers(folder, server, tenant)
    try:
        yield writers
    finally:
        await writers.end()


async def killed(process: Forked) -> list[str]:
    """Kill -9, and everything that was acknowledged before."""
    process.kill()
    out, _ = await process.communicate()
    assert process.returncode == -9
    # What follows the last line end was not said in full.
    return [line.decode() for line in out.splitlines(keepends=True) if line.endswith(b"\n") for line in [line.strip()]]


async def drain(runtime: Runtime, tenant: str, seconds: float = 60) -> None:
    """A real worker, after the leases of the dead ran out, until nothing is due."""
    engine = replace(runtime.engine, clock=lambda: datetime.now(UTC) + LATER)
    later = replace(runtime, engine=engine)
    async with running_worker(later), asyncio.timeout(seconds):
        while await runtime.store.summaries.due(tenant, now=engine.clock()) or await leased(runtime, tenant):
            await asyncio.sleep(0.1)


async def leased(runtime: Runtime, tenant: str) -> bool:
    """Whether the worker is at something."""
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute(
            "SELECT 1 FROM groups WHERE lease_until > %s LIMIT 1", [datetime.now(UTC) + LATER]
        )
        return await asked.fetchone() is not None


async def members(runtime: Runtime, tenant: str) -> dict[str, set[str]]:
    """Who is in each group, from the table itself."""
    async with runtime.database.tenant(tenant) as connection:
        rows = await (await connection.execute("SELECT group_id, memory_id FROM members")).fetchall()
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["group_id"], set()).add(row["memory_id"])
    return found


async def summary_rows(runtime: Runtime, tenant: str) -> tuple[int, int]:
    """How many summary rows there are, and how many root nodes."""
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute(
            "SELECT (SELECT count(*) FROM memories WHERE is_summary) AS rows, "
            "(SELECT count(*) FROM nodes WHERE kind = 'root') AS roots"
        )
        row: Any = await asked.fetchone()
    return row["rows"], row["roots"]


async def every_summary(app: App) -> dict[str, list[Summary]]:
    """The summaries as they are read, by group."""
    found: dict[str, list[Summary]] = {}
    for summary in (await app.summaries.list(limit=1000)).rows:
        found.setdefault(summary.group_id, []).append(summary)
    return found


async def check(runtime: Runtime, tenant: str, acknowledged: list[str]) -> dict[str, set[str]]:
    """Nothing that was said is lost, nothing is there twice, every summary is current; answers the groups."""
    app = runtime.app(tenant)
    readable = await app.memories.get_many(acknowledged)
    assert [id_ for id_ in acknowledged if id_ not in readable or id_ not in (readable[id_].text or "")] == []
    groups = await members(runtime, tenant)
    assert max(Counter(id_ for ids in groups.values() for id_ in ids).values()) == 1
    assert set(acknowledged) <= set().union(*groups.values())
    summaries = await every_summary(app)
    full = {group_id for group_id, ids in groups.items() if len(ids) >= 3}
    assert set(summaries) == full
    for group_id in full:
        (summary,) = summaries[group_id]
        assert set(summary.leaf_source_ids) == set(summary.parent_id) == groups[group_id]
        assert (summary.stale, summary.fallback, summary.made_by) == (False, False, "precis-test")
    assert await summary_rows(runtime, tenant) == (len(full), len(full))
    return groups


def most_calls(groups: dict[str, set[str]], kills: int) -> int:
    """One call for each member from the third of its group on, and one for each kill."""
    return sum(max(0, len(ids) - 2) for ids in groups.values()) + kills


async def run_kills(folder: Path, kills: int, moments: Callable[[], float]) -> None:
    """Kill that many writers, drain, check."""
    tenant, acknowledged = f"t-{new_id()}", []
    async with model_server() as server, joined(folder, server) as runtime:
        # A model takes its time: most moments of a writer are between the commit of a memory and its summary.
        server.behave("stall", seconds=0.03)
        await runtime.store.tenants.create(tenant, name="test", now=runtime.engine.clock())
        async with writing(folder, server, tenant) as writers:
            coming = await writers.start(0)
            for kill in range(1, kills + 1):
                writer = coming
                if kill < kills:
                    coming = await writers.start(kill)
                await asyncio.sleep(moments())
                acknowledged += await killed(writer)
        assert len(acknowledged) > kills
        await drain(runtime, tenant)
        groups = await check(runtime, tenant, acknowledged)
        assert server.stats.spoiled == 0
        assert server.stats.chat_calls <= most_calls(groups, kills)


async def test_five_kills_lose_nothing(disk_folder: Path) -> None:
    """The short form, in every run: two writers at a time, so that they also race each other."""
    chance = random.Random(20260105)  # noqa: S311 - moments, no secrets
    await run_kills(with_database(disk_folder / "killed"), 5, lambda: chance.uniform(0.05, 0.6))


@pytest.mark.soak
async def test_a_hundred_kills_lose_nothing(disk_folder: Path) -> None:
    """The full number, at moments nobody chose."""
    await run_kills(disk_folder / "soaked", 100, lambda: random.uniform(0.0, 0.8))  # noqa: S311


async def test_killed_between_the_commit_and_the_summary(disk_folder: Path) -> None:
    """The very moment: three memories committed, the model asked, the writer dead; a worker makes the summary, once."""
    folder, tenant = disk_folder / "killed", f"t-{new_id()}"
    async with model_server() as server, joined(folder, server) as runtime:
        await runtime.store.tenants.create(tenant, name="test", now=runtime.engine.clock())
        server.behave("stall", times=1, seconds=300)
        async with writing(folder, server, tenant) as writers:
            writer = await writers.start(0)
            async with asyncio.timeout(20):
                while server.stats.most_at_once == 0:
                    await asyncio.sleep(0.01)
            acknowledged = await killed(writer)
        assert len(acknowledged) == 2 * SUBJECTS
        stored = set().union(*(await members(runtime, tenant)).values())
        assert stored - set(acknowledged) == {f"w0-{2 * SUBJECTS}"}
        assert await summary_rows(runtime, tenant) == (0, 0)
        await drain(runtime, tenant)
        groups = await check(runtime, tenant, sorted(stored))
        assert sum(len(ids) >= 3 for ids in groups.values()) == 1
        # The call that was under way when the writer died still stalls; one more was made, and committed.
        assert server.stats.chat_calls == 1
        assert 1 + server.stats.chat_calls <= most_calls(groups, 1) == 2
