"""S3.7: so many new memories of a user begin a pass for that user, beside the timetable."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from archiving import TODAY, batches_of, chroma_store, fill, old_rows, on_day, remember

from precis.app import App
from precis.app.archive import archive_passes
from precis.bootstrap import Runtime
from precis.jobs.upkeep import run_due
from precis.settings import Settings
from precis.settings_file import PoolSettings
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


def scheduled(runtime: Runtime, clock: FrozenClock, **settings: object) -> Runtime:
    """A worker whose archive is on, with everything it does on its timetable."""
    chosen = runtime.settings.model_copy(update={"archive_enabled": True, **settings})
    engine = replace(runtime.engine, clock=clock, summarizer=Quoting())
    return replace(runtime, engine=engine, settings=chosen, passes=tuple(archive_passes(chosen)))


async def test_fifty_new_memories_begin_a_pass(runtime: Runtime, app: App, tenant: str) -> None:
    """Of that user only, and though the timetable's next pass is a day away; then counting begins anew."""
    clock = FrozenClock(TODAY)
    worker = scheduled(runtime, clock)
    assert {"archive", "count of precis"} == set(await run_due(worker, tenant))
    today, _ = on_day(app)
    await remember(today, old_rows(49))
    await remember(today, old_rows(20, user_id="ben"))
    made = []
    for more in ((), old_rows(1, newest_days=100), (), old_rows(49, newest_days=200), old_rows(1, newest_days=300)):
        await remember(today, more)
        clock.advance(timedelta(minutes=1))
        assert ["count of precis"] == await run_due(worker, tenant)
        made.append(len(await batches_of(today)))
    assert [0, 1, 1, 1, 2] == made
    assert {"ana"} == {batch.scope.user_id for batch in await batches_of(today)}
    assert TODAY + timedelta(days=1) == (await runtime.store.schedules.list(tenant))["archive"].next_run


async def test_what_was_forgotten_does_not_hide_what_is_new(runtime: Runtime, app: App, tenant: str) -> None:
    """Thirty go and fifty come: fifty are new, though there are only twenty more than before."""
    clock = FrozenClock(TODAY)
    worker = scheduled(runtime, clock)
    today, _ = on_day(app)
    ids = await remember(today, old_rows(50))
    await run_due(worker, tenant)
    await today.memories.forget(ids[:30])
    for step in range(2):
        clock.advance(timedelta(minutes=1))
        await run_due(worker, tenant)
        if step == 0:
            await remember(today, old_rows(50, newest_days=200))
    assert 50 == sum(len(batch.parent_id) for batch in await batches_of(today) if not set(batch.parent_id) & set(ids))


async def test_the_number_is_a_setting(runtime: Runtime, app: App, tenant: str) -> None:
    """50 unless told otherwise; 0 leaves everything to the timetable, as switching the archive off does."""
    assert 50 == Settings().archive_after_memories
    clock = FrozenClock(TODAY)
    worker = scheduled(runtime, clock, archive_after_memories=3)
    await run_due(worker, tenant)
    today, _ = on_day(app)
    await remember(today, old_rows(3))
    clock.advance(timedelta(minutes=1))
    await run_due(worker, tenant)
    assert 1 == len(await batches_of(today))
    names = [
        {one.name for one in archive_passes(runtime.settings.model_copy(update=update))}
        for update in ({"archive_enabled": True, "archive_after_memories": 0}, {"archive_enabled": False})
    ]
    assert [{"archive"}, set()] == names


async def test_a_pool_is_counted_too(runtime: Runtime, app: App, tenant: str, tmp_path: Path) -> None:
    """Every hour, since it has to be read for it."""
    store = chroma_store(tmp_path)
    named = PoolSettings(name="notes", kind="chroma", path=tmp_path, tenant=tenant, keep_in_precis=True)
    clock = FrozenClock(TODAY)
    worker = scheduled(runtime, clock, archive_pools=[named], archive_after_memories=5)
    made = set(await run_due(worker, tenant))
    assert {"archive notes", "count of notes"} <= made
    fill(store, old_rows(4))
    fill(store, old_rows(6, user_id="ben"))
    clock.advance(timedelta(hours=1))
    assert "count of notes" in await run_due(worker, tenant)
    today, _ = on_day(app)
    kept = [row for row in (await today.memories.list(limit=100)).rows if row.metadata.get("kind") == "pool_summary"]
    assert ["ben"] == [row.scope.user_id for row in kept]
