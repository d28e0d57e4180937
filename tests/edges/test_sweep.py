"""What a worker's sweep clears away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from precis.app import App, app_over
from precis.bootstrap import Runtime
from precis.jobs.worker import sweep
from precis.language import words
from precis.store.conversation_rows import Properties
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")

TRIPS = ("Ana takes the early train.", "Ana books window seats.", "Ana missed the night train.")


async def refreshes(runtime: Runtime, app: App) -> Sequence[datetime]:
    """When the tenant's refreshes were committed."""
    async with runtime.database.tenant(app.parts.tenant_id) as connection:
        found = await connection.execute("SELECT committed_at FROM refreshes ORDER BY committed_at")
        return [row["committed_at"] for row in await found.fetchall()]


async def test_refreshes_are_remembered_for_35_days(runtime: Runtime, app: App) -> None:
    """Older ones go with the sweep; the summaries they made stay."""
    now = runtime.engine.clock()
    for user_id, age in (("ana", 36), ("ben", 34)):
        clock = FrozenClock(now - timedelta(days=age))
        then = app_over(replace(app.parts, engine=replace(app.parts.engine, clock=clock)))
        await then.memories.add([{"text": text, "user_id": user_id, "key": "train"} for text in TRIPS])
    assert len(await refreshes(runtime, app)) == 2
    await sweep(runtime)
    assert await refreshes(runtime, app) == [now - timedelta(days=34)]
    assert len((await app.summaries.list()).rows) == 2


async def test_a_conversation_past_its_time_is_forgotten(runtime: Runtime, app: App) -> None:
    """Nobody needs to use one for that; those whose time is not over stay."""
    clock = FrozenClock(runtime.engine.clock() - timedelta(minutes=5))
    then = app_over(replace(app.parts, engine=replace(app.parts.engine, clock=clock)))
    for name, seconds in (("short", 60), ("long", 3600)):
        said = [{"role": "user", "content": f"Ana says something {name}."}]
        await then.conversations.turn(name, said, user_id="ana", properties=Properties(values={}, ttl_seconds=seconds))
    await sweep(runtime)
    async with runtime.database.tenant(app.parts.tenant_id) as connection:
        rows = await (await connection.execute("SELECT session_id FROM conversations")).fetchall()
    assert [row["session_id"] for row in rows] == ["long"]
    left = await app.memories.list(turns=True)
    assert [row.text for row in left.rows] == ["Ana says something long."]


async def test_a_tenant_that_fails_keeps_no_other_waiting(
    runtime: Runtime, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it fails at: the sweep goes on with the next one."""
    await runtime.store.tenants.create(f"a-{app.parts.tenant_id}", name="first", now=runtime.engine.clock())
    reaped: list[str] = []

    async def refuse(tenant_id: str) -> None:
        reaped.append(tenant_id)
        if tenant_id != app.parts.tenant_id:
            raise RuntimeError("of another kind than precis's own")

    monkeypatch.setattr(runtime.ledger, "reap", refuse)
    await app.memories.add([{"text": text, "user_id": "ana", "key": "train"} for text in TRIPS], summarize="deferred")
    assert await sweep(runtime) == 1
    assert len(reaped) > 1
    assert sorted(reaped) == sorted(await runtime.store.tenants.list())


@pytest.mark.parametrize("watched", [False, True])
async def test_what_became_due_by_a_clock_that_was_ahead_is_due(runtime: Runtime, app: App, watched: bool) -> None:
    """Whether this process saw the clock put back, or began afterwards: nobody waits until the clock is right."""
    now, tenant_id = runtime.engine.clock(), app.parts.tenant_id
    ahead = FrozenClock(now + timedelta(hours=1))
    then = app_over(replace(app.parts, engine=replace(app.parts.engine, clock=ahead)))
    await then.memories.add([{"text": text, "user_id": "ana", "key": "train"} for text in TRIPS], summarize="deferred")
    if watched:
        await runtime.store.rule_groups.sweep(tenant_id, now=ahead())
    assert not await runtime.store.summaries.due(tenant_id, now=now)
    await runtime.store.rule_groups.sweep(tenant_id, now=now)
    assert await runtime.store.summaries.due(tenant_id, now=now)


async def test_a_sweep_drops_what_was_read_of_texts(runtime: Runtime) -> None:
    """Another process may have forgotten them: neither a text's readings nor its words stay in memory."""
    word = "xyzzy" + "fern"
    assert list(words.words(f"The {word} blooms.")) == ["the", word, "blooms"]
    assert words.stem(word) == word
    caches: tuple[Any, ...] = (words._words_once, words.stem)
    assert all(cache.cache_info().currsize for cache in caches)
    await sweep(runtime)
    assert not any(cache.cache_info().currsize for cache in caches)
