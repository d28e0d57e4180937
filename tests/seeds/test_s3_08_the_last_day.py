"""S3.8: what is younger than a day is never summarized, whatever min_age_days says."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from archiving import TODAY, batches_of, chroma_store, fill, old_rows, on_day, pool_in, remember, said

from precis.app import App
from precis.policies.archive import Archive

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Hours before TODAY, on both sides of a day.
HOURS = (1, 12, 23, 25, 30)


def young() -> list[dict[str, object]]:
    """One memory for each of these hours, the youngest first."""
    rows = old_rows(len(HOURS))
    return [row | {"created_at": TODAY - timedelta(hours=hours)} for row, hours in zip(rows, HOURS, strict=True)]


@pytest.mark.parametrize("days", [0, 1])
async def test_the_last_day_is_left_alone(app: App, days: int) -> None:
    """With an age of no days, and of one."""
    today, _ = on_day(app, min_age_days=days)
    ids = await remember(today, young())
    done = await today.archive.run()
    assert (1, 2) == (done.batches, done.memories)
    (batch,) = await batches_of(today)
    assert set(ids[3:]) == set(batch.parent_id)
    assert said(0) not in batch.text


async def test_nor_in_a_pool(app: App, tmp_path: Path) -> None:
    """The same for a store of somebody else."""
    store = chroma_store(tmp_path)
    fill(store, young())
    today, _ = on_day(app, min_age_days=0)
    done = await today.pools.archive(pool_in(tmp_path))
    assert (1, 2) == (done.batches, done.memories)


async def test_it_goes_by_hours_and_not_by_dates() -> None:
    """A day is 24 hours; a larger age stands as it is."""
    assert TODAY - timedelta(days=1) == Archive(min_age_days=0).archived_before(TODAY)
    assert TODAY - timedelta(days=1) == Archive(min_age_days=1).archived_before(TODAY)
    assert TODAY - timedelta(days=9) == Archive(min_age_days=9).archived_before(TODAY)
