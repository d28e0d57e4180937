"""How long a tenant with one stale group waits behind another tenant with a backlog of thousands.

The backlog's groups share three memories, so that it is made fast; refreshing each is the real work, drafts, checks and
commits included. The same worker process first serves the small tenant alone: the delay is the difference.

    python benchmarks/fairness.py --groups 20000 --rounds 20
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from precis.bootstrap import Runtime, open_runtime, system_clock
from precis.settings import Settings

_BACKLOG = """
    INSERT INTO groups (tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, members, added,
                        version, due_at, created_at)
    SELECT 'crowd', 'backlog-' || n, 'clusters', 'ana', '', 'production', 'fact', 3, 3, 1, %(now)s, %(now)s
    FROM generate_series(1, %(groups)s) AS n"""
_MEMBERS = """
    INSERT INTO members (tenant_id, group_id, memory_id)
    SELECT 'crowd', 'backlog-' || n, m.memory_id FROM generate_series(1, %(groups)s) AS n,
        (SELECT memory_id FROM memories WHERE tenant_id = 'crowd' AND NOT is_summary) AS m"""


async def backlog(runtime: Runtime, groups: int) -> None:
    """A tenant with this many stale groups."""
    await runtime.store.tenants.create("crowd", name="crowd", now=system_clock())
    texts = ("Ana bought a boat.", "The boat is called Puffin.", "The boat lies in Oban.")
    rows = [{"user_id": "ana", "type": "fact", "key": "boat", "text": text} for text in texts]
    await runtime.app("crowd").memories.add(rows)
    async with runtime.database.tenant("crowd") as connection:
        await connection.execute(_BACKLOG, {"groups": groups, "now": system_clock()})
        await connection.execute(_MEMBERS, {"groups": groups})
    await runtime.store.jobs.wake("crowd")


async def wait(runtime: Runtime, at: int) -> float:
    """Seconds from a deferred write of the small tenant to its summary."""
    app = runtime.app("small")
    rows = [
        {"user_id": f"ben-{at}", "type": "fact", "key": "violin", "text": f"Ben {did} the violin."}
        for did in ("found", "cleaned", "sold")
    ]
    before = len((await app.summaries.list(limit=1000)).rows)
    began = perf_counter()
    await app.memories.add(rows, summarize="deferred")
    while len((await app.summaries.list(limit=1000)).rows) == before:
        await asyncio.sleep(0.02)
    return perf_counter() - began


@asynccontextmanager
async def worker(folder: Path) -> AsyncIterator[None]:
    """A worker process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "precis.cli", "worker", "--data-dir", str(folder), stderr=DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


async def measure(groups: int, rounds: int) -> None:
    """Alone, then behind the backlog."""
    with tempfile.TemporaryDirectory(prefix="precis-fairness-") as name:
        Path(name).chmod(0o755)
        async with open_runtime(Settings(data_dir=Path(name) / "data")) as runtime:
            await runtime.store.tenants.create("small", name="small", now=system_clock())
            async with worker(runtime.settings.data_dir):
                await wait(runtime, 0)
                alone = [await wait(runtime, at) for at in range(1, rounds + 1)]
                await backlog(runtime, groups)
                await asyncio.sleep(3)
                behind = [await wait(runtime, at) for at in range(rounds + 1, 2 * rounds + 1)]
            left = (await runtime.app("crowd").jobs.counts()).waiting
    print(f"{groups} stale groups of another tenant, {left} of them left at the end; seconds to a summary")
    for what, took in (("alone", alone), ("behind the backlog", behind)):
        print(f"{what:20} median {median(took):.2f}  worst {max(took):.2f}")
    print(f"{'delay':20} median {median(behind) - median(alone):.2f}  worst {max(behind) - median(alone):.2f}")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    asyncio.run(measure(given.groups, given.rounds))


if __name__ == "__main__":
    main()
