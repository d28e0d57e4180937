"""What a worker's sweep clears away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from precis.app import App, app_over
from precis.bootstrap import Runtime
from precis.jobs.worker import sweep
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
