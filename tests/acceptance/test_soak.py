"""Server, worker and database under traffic, each killed at random: nothing is lost, doubled or stuck."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from pathlib import Path

import living
import pytest
import soaking
from soaking import Actor, Deployment

from precis.app.receipts import Verification
from precis.bootstrap import Runtime, open_runtime
from precis.settings import Settings

#: How long the deployment may take after the last kill until nothing is due.
SETTLED_WITHIN = 90.0


async def soak(folder: Path, kills: int, seed: int) -> None:
    """Kill so often, let it settle, and look."""
    chance = random.Random(seed)  # noqa: S311 - moments and victims, no secrets
    async with Deployment(folder=folder) as deployment:
        async with soaking.acting(deployment, seed) as actors:
            await _until_served(actors)
            remaining = kills
            while remaining:
                await asyncio.sleep(chance.uniform(0.1, 1.5))
                remaining -= deployment.kill(chance)
            await _until_served(actors)
        assert sum(deployment.kills.values()) == kills
        async with open_runtime(Settings(data_dir=folder)) as runtime:
            await _settle(runtime)
            await _check_rows(runtime, actors)
            await _check_summaries(runtime)
            await _check_forgotten(runtime, actors)
    assert living.database_processes(folder) == []


async def _until_served(actors: list[Actor]) -> None:
    """Everybody gets answers, within the time a restart may take."""
    before = [actor.answered for actor in actors]
    async with asyncio.timeout(SETTLED_WITHIN):
        while any(actor.answered < reached + 2 for actor, reached in zip(actors, before, strict=True)):
            await asyncio.sleep(0.05)


async def _settle(runtime: Runtime) -> None:
    """The worker makes everything that is due; nothing waits for a person."""
    began = time.monotonic()
    app = runtime.app("default")
    while stale := await app.summaries.plan(stale_only=True):
        waiting = [(one.plan.group_id, one.plan.action, one.plan.reason) for one in stale]
        jobs = await app.jobs.list(limit=5)
        assert time.monotonic() - began < SETTLED_WITHIN, (waiting, jobs)
        await asyncio.sleep(0.2)


async def _check_rows(runtime: Runtime, actors: list[Actor]) -> None:
    """What was acknowledged is there once, with its last text; and nothing else is."""
    expected = {id_: text for actor in actors for id_, text in actor.texts.items()}
    stored = await runtime.app("default").memories.get_many(list(expected))
    assert {id_: memory.text for id_, memory in stored.items()} == expected
    async with runtime.database.tenant("default") as connection:
        rows = await (await connection.execute("SELECT memory_id FROM memories WHERE NOT is_summary")).fetchall()
    assert Counter(row["memory_id"] for row in rows) == Counter(list(expected))


async def _check_summaries(runtime: Runtime) -> None:
    """Each group of three and more has one current summary, over exactly its members."""
    async with runtime.database.tenant("default") as connection:
        asked = (
            "SELECT group_id, memory_id FROM members JOIN groups USING (tenant_id, group_id) WHERE policy = 'clusters'"
        )
        rows = await (await connection.execute(asked)).fetchall()
    assert max(Counter(row["memory_id"] for row in rows).values()) == 1
    groups: dict[str, set[str]] = {}
    for row in rows:
        groups.setdefault(row["group_id"], set()).add(row["memory_id"])
    page = await runtime.app("default").summaries.list(limit=1000)
    current = {summary.group_id: summary for summary in page.rows if summary.policy == "clusters"}
    assert len(current) == len([summary for summary in page.rows if summary.policy == "clusters"])
    assert set(current) == {group_id for group_id, ids in groups.items() if len(ids) >= 3}
    for group_id, summary in current.items():
        assert set(summary.leaf_source_ids) == groups[group_id]
        assert not summary.stale


async def _check_forgotten(runtime: Runtime, actors: list[Actor]) -> None:
    """No word of a forgotten or replaced text is in any row, file or log."""
    canaries = [canary for actor in actors for canary in actor.canaries]
    assert canaries
    looked = await Verification(runtime.database, runtime.settings, "default").look(canaries)
    assert [(place.where, place.places) for place in looked if place.hits] == []
    standing = [text.split()[2] for actor in actors for text in actor.texts.values()]
    looked = await Verification(runtime.database, runtime.settings, "default").look(standing[:5])
    assert sum(place.hits for place in looked) > 0, "the search finds nothing at all"
    verdict = await runtime.app("default").receipts.verify()
    assert (verdict.faults, verdict.receipts > 0) == ((), True)


async def test_a_few_kills_lose_nothing(rooms_folder: Path) -> None:
    """The short form, in every run."""
    await soak(rooms_folder / "soak", 6, 20260411)


@pytest.mark.soak
async def test_a_hundred_kills_of_everything_lose_nothing(rooms_folder: Path) -> None:
    """The full number, at moments nobody chose."""
    await soak(rooms_folder / "soaked-processes", 100, random.SystemRandom().randrange(2**32))
