"""S3.6: writing asks no model, neither here nor in a pool."""

from __future__ import annotations

from datetime import timedelta

import pytest
from archiving import TODAY, old_rows, on_day

from precis.app import App
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_write_makes_no_archive(app: App) -> None:
    """200 old memories of as many subjects, written one by one: no request, no batch, nothing due."""
    model = Quoting()
    today, _ = on_day(app, summarizer=model, enabled=True)
    for row in old_rows(60):
        await today.memories.add([row])
    assert [] == [one for one in model.requests if one.policy == "archive"]
    assert [] == list(await today.summaries.plan(policy="archive", stale_only=False))


async def test_a_late_memory_waits_for_the_next_pass(app: App) -> None:
    """Written after its time was archived: the next pass takes it up, in a batch of its own; no summary is touched."""
    model = Quoting()
    today, clock = on_day(app, summarizer=model)
    for row in old_rows(5):
        await today.memories.add([row], summarize="deferred")
    await today.archive.run()
    calls = len(model.requests)
    (late,) = old_rows(1, newest_days=31)
    await today.memories.add([late | {"created_at": TODAY - timedelta(days=32)}], summarize="deferred")
    assert calls == len(model.requests)
    clock.advance(timedelta(days=1))
    done = await today.archive.run()
    assert (1, 1) == (done.batches, done.memories)
