"""Jobs: a job is a group that waits, runs or failed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from store_steps import TEXTS, claim, make, notes, write

from precis.database.jobs import JobCounts
from precis.engine.engine import Engine
from precis.store.postgres import PostgresStore
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_group_goes_through_its_states(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Waiting until somebody leases it, retrying after a failure, failed when nobody shall try, then due again."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    assert ["waiting"] == await states(store, tenant, clock)
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    assert ["running"] == await states(store, tenant, clock)
    later = clock() + timedelta(minutes=5)
    await store.groups.release(lease, retry_at=later, error="the model is away", now=clock())
    (job,) = await store.jobs.list(tenant, state="retrying", limit=10, now=clock())
    assert (group_id, 1, "the model is away", later) == (job.group_id, job.attempts, job.error, job.due_at)
    lease = await claim(engine, tenant, group_id)
    assert lease is not None
    await store.groups.release(lease, retry_at=None, error="poisoned", now=clock())
    assert ["failed"] == await states(store, tenant, clock)
    assert JobCounts(waiting=0, running=0, scheduled=0, retrying=0, failed=1) == await store.jobs.counts(
        tenant, now=clock()
    )
    assert [group_id] == await store.jobs.retry(tenant, group_id=None, now=clock())
    assert ["waiting"] == await states(store, tenant, clock)
    await make(engine, tenant, group_id)
    assert [] == await states(store, tenant, clock)


async def test_a_failed_group_blocks_nobody(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """The next due group is claimed, the failed one is not; only failed ones are retried."""
    bad = await write(store, tenant, notes(tenant, clock, TEXTS[:3], key="tea"), clock())
    good = await write(store, tenant, notes(tenant, clock, TEXTS[:3], key="train", first=10), clock())
    lease = await claim(engine, tenant, bad)
    assert lease is not None
    await store.groups.release(lease, retry_at=None, error="poisoned", now=clock())
    assert [] == await store.jobs.retry(tenant, group_id=good, now=clock())
    first = await store.groups.claim(tenant, now=clock(), lasts=timedelta(minutes=1))
    assert first is not None
    assert good == first.group_id
    assert await store.groups.claim(tenant, now=clock(), lasts=timedelta(minutes=1)) is None


async def states(store: PostgresStore, tenant: str, clock: FrozenClock) -> list[str]:
    """The states of all jobs."""
    return [job.state for job in await store.jobs.list(tenant, state=None, limit=10, now=clock())]
