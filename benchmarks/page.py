"""How long the server takes for each part of the page, for a user with 100,000 memories, beside recall over the same.

The rows are put in by COPY, the clusters of twenty by one statement; some of them are summarized as they always are, a
thousand memories come in by the verb besides, and the user has what a worker makes for a large one. A part is asked for
over HTTP in turns with `POST /v1/recall`; the figure is what the client waits, on a connection that is open. Beside it
stands what processors had to do for it, here and in the database: what is left of the waiting where others use them.

    python benchmarks/page.py
    python benchmarks/page.py --rows 10000 --times 5
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from psycopg import AsyncConnection

import speed
from precis.bootstrap import Runtime, open_runtime
from precis.embedded import server as embedded
from precis.ids import new_id
from precis.jobs.upkeep import settle
from precis.keys.tenants import DEFAULT_TENANT
from precis.rest.server import listening
from precis.settings import Settings

#: Milliseconds that no part may take.
GOAL = 300
#: Clusters of twenty over the rows that were copied; the last rows of the user are the first of them.
CLUSTERS = """
WITH numbered AS (
    SELECT memory_id, (row_number() OVER (ORDER BY created_at, memory_id) - 1) / 20 AS at FROM memories
    WHERE tenant_id = %(tenant_id)s AND user_id = 'ana'
), made AS (
    INSERT INTO groups (tenant_id, group_id, policy, user_id, project_id, environment, extracted_type, created_at,
                        members, added, version, refreshed_version, due_at)
    SELECT %(tenant_id)s, 'bench' || at, 'clusters', 'ana', '', 'production', 'fact', %(now)s, count(*), count(*), 1, 0,
           %(now)s
    FROM numbered GROUP BY at
)
INSERT INTO members (tenant_id, group_id, memory_id) SELECT %(tenant_id)s, 'bench' || at, memory_id FROM numbered
"""


@asynccontextmanager
async def opened(folder: Path | None) -> AsyncIterator[tuple[Runtime, Any]]:
    """precis over a folder that is kept, or over a new one."""
    if folder is None:
        async with speed.opened("page") as both:
            yield both
        return
    async with (
        open_runtime(Settings(data_dir=folder)) as runtime,
        embedded.running(folder) as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
    ):
        yield runtime, owner


async def fill(runtime: Runtime, owner: Any, rows: int, summaries: int) -> None:
    """A user with so many memories, their clusters, and so many summaries."""
    speech = speed.Speech(2)
    if not (await runtime.app(DEFAULT_TENANT).persons.list()).rows:
        await speed.fill(runtime, owner, DEFAULT_TENANT, ["ana"], rows, speech)
    await owner.execute(CLUSTERS, {"tenant_id": DEFAULT_TENANT, "now": runtime.engine.clock()})
    app = runtime.app(DEFAULT_TENANT)
    for at in range(summaries):
        await app.summaries.refresh_group(f"bench{at}")
    texts = [{"id": new_id(), "user_id": "ana", "text": speech.sentence(12)} for _ in range(500)]
    await app.memories.add(texts, summarize="deferred")
    await app.memories.forget(texts[0]["id"])
    await owner.execute("VACUUM ANALYZE")
    await settle(runtime)


def spent(runtime: Runtime) -> float:
    """Milliseconds of processors that this process and those of the database have used until now."""
    postmaster = (runtime.settings.data_dir / "db" / "postmaster.pid").read_text().split()[0]
    nanoseconds = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile
            if (process / "stat").read_text().rpartition(")")[2].split()[1] == postmaster:
                nanoseconds += int((process / "schedstat").read_text().split()[0])
    return time.process_time() * 1000 + nanoseconds / 1e6


async def parts(runtime: Runtime) -> dict[str, str]:
    """The addresses of the page, by what they show."""
    app = runtime.app(DEFAULT_TENANT)
    summary = (await app.summaries.list(user_id="ana", limit=1)).rows[0]
    receipt = (await app.receipts.list(limit=1)).receipts[0]
    tabs = ("all", "memories", "subjects", "days", "weeks", "months", "conversations", "archive")
    person = {f"a person, {tab}": f"/page/person?user=ana&tab={tab}" for tab in tabs}
    return {
        "people": "/page/", **person, "search with context": "/page/search?user=ana&q=garden+music",
        "context, dragged": "/page/context?user=ana&q=garden+music&budget=900",
        "a summary": f"/page/summary?id={summary.id}", "a memory": f"/page/memory?id={summary.leaf_source_ids[0]}",
        "forget": "/page/forget", "receipts": "/page/receipts", "a receipt": f"/page/receipt?id={receipt['id']}",
        "plan and money": "/page/plan", "plan of a user": "/page/plan?user=ana", "work": "/page/work",
        "settings": "/page/settings",
    }  # fmt: skip


async def main() -> int:
    """Fill, ask, print; 1 where a part takes longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--summaries", type=int, default=60)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--data-dir", type=Path, help="is kept, and used again")
    options = parser.parse_args()
    slow = 0
    async with opened(options.data_dir) as (runtime, owner):
        if not (await runtime.app(DEFAULT_TENANT).receipts.list()).receipts:
            await fill(runtime, owner, options.rows, options.summaries)
        await runtime.engine.embedder.embed(["warm up"])
        async with listening(runtime) as url, httpx.AsyncClient(base_url=url, timeout=60) as browser:

            async def recall() -> None:
                await browser.post("/v1/recall", json={"query": "garden music", "user_id": "ana"})

            async def look(address: str) -> None:
                answer = await browser.get(address)
                if answer.status_code != 200:
                    raise SystemExit(f"{address}: {answer.status_code}")

            for name, address in (await parts(runtime)).items():
                took, beside, work = [], [], []
                for turn in range(options.times + 2):
                    before = spent(runtime)
                    await look(address)
                    work.append(spent(runtime) - before)
                    times = (await speed.timed(lambda a=address: look(a)), await speed.timed(recall))  # type: ignore[misc]
                    if turn >= 2:  # the first ones warm up
                        took.append(times[0])
                        beside.append(times[1])
                half, (median, most) = statistics.median(beside), speed.percentiles(took)
                slow += median > GOAL
                print(
                    f"{name}: p50 {median:.0f} ms, p95 {most:.0f} ms, {median / half:.2f} of recall ({half:.0f} ms), "
                    f"processors {statistics.median(work):.0f} ms",
                    flush=True,
                )
    print(f"{options.rows} memories of one user: parts that take longer than {GOAL} ms: {slow}")
    return int(slow > 0)


if __name__ == "__main__":
    began = time.perf_counter()
    status = asyncio.run(main())
    print(f"{time.perf_counter() - began:.0f} s")
    raise SystemExit(status)
