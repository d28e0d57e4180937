"""Parts of groups, and texts that may go: laws 4 to 7 over days, weeks and months."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from period_steps import (
    BATCHES,
    MONDAY,
    PLACED,
    day_note,
    group_of_policy,
    month_made,
    only_summary_of,
    summaries_of,
    work_off,
    write_day,
)
from store_steps import LASTS, POLICY

from precis.app.refreshing import freeze_leased, refresh_leased, retire
from precis.engine.drafted import Result
from precis.engine.engine import Engine
from precis.engine.policy import Place
from precis.errors import ModelUnavailable
from precis.memory import RetentionState
from precis.store.postgres import PostgresStore
from precis.store.upkeep.retention import Overdue
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Clusters, periods and batches; on the evening of the Monday. For the fixtures.
POLICIES, BEGINS = PLACED, MONDAY + timedelta(hours=8)


async def test_forgetting_corrects_every_level(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """At once in day, week and month; and they are made anew, the week before the month."""
    ids = await month_made(store, engine, tenant, clock)
    receipt = await store.memories.forget(tenant, ids[:1], now=clock())
    assert len(receipt.summaries) == 3
    for policy in ("day", "week", "month"):
        summary = await only_summary_of(store, tenant, policy)
        assert "apple" not in summary.text
        assert ids[0] not in summary.leaf_source_ids
        assert summary.stale
    assert await work_off(engine, tenant) == [Result.COMMITTED] * 3
    for policy in ("day", "week", "month"):
        assert not (await only_summary_of(store, tenant, policy)).stale


async def test_a_compacted_day_lets_its_notes_go(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str, model: Quoting
) -> None:
    """Frozen without a call in day and week, by the week for the month; then the texts go, and it all stands."""
    ids = await month_made(store, engine, tenant, clock)
    said = [(await only_summary_of(store, tenant, policy)).text for policy in ("day", "week", "month")]
    asked = len(model.requests)
    before = Overdue(ends_before=(MONDAY + timedelta(days=1)).date())
    retired = await retire(engine, store, tenant, "day", before)
    assert (set(ids), ()) == (set(retired.expired), retired.waiting)
    assert len(model.requests) == asked
    rows = await store.memories.get(tenant, ids)
    assert all((None, RetentionState.EXPIRED) == (row.text, row.retention_state) for row in rows.values())
    assert said == [(await only_summary_of(store, tenant, policy)).text for policy in ("day", "week", "month")]
    assert await work_off(engine, tenant) == []
    assert (await retire(engine, store, tenant, "day", before)).expired == ()


async def test_an_expired_note_is_forgotten_like_any(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """What rests on it leaves every level."""
    ids = await month_made(store, engine, tenant, clock)
    await retire(engine, store, tenant, "day", Overdue())
    await store.memories.forget(tenant, ids[1:2], now=clock())
    await work_off(engine, tenant)
    for policy in ("day", "week", "month"):
        summary = await only_summary_of(store, tenant, policy)
        assert "greenhouse" not in summary.text
        assert "ladder" in summary.text or policy != "day"
        assert not summary.stale


async def test_a_day_that_says_as_much_keeps_its_notes(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Where a summary counts no fewer tokens than its notes, they stay, and the store says which day it is."""
    await month_made(store, engine, tenant, clock)
    chosen = Overdue(saving=True)
    assert await store.retention.overdue(tenant, "day", chosen, besides=(), limit=10) == []
    assert await store.retention.not_saving(tenant, "day", chosen) == [("ada", MONDAY.date().isoformat())]


async def test_what_a_killed_pass_sealed_goes_with_the_next(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """A frozen node speaks for these notes already: that their day is no shorter by now keeps them no longer."""
    ids = await month_made(store, engine, tenant, clock)
    day = await group_of_policy(store, tenant, "day")
    lease = await engine.groups.claim(tenant, now=clock(), lasts=LASTS, group_id=day)
    assert lease is not None
    await freeze_leased(engine, lease, ids)
    await work_off(engine, tenant)
    saving = Overdue(saving=True, rendered=10_000)
    assert set(ids) == set((await retire(engine, store, tenant, "day", saving)).expired)


async def test_no_model_no_expiry(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str, model: Quoting
) -> None:
    """While the model is down nothing is replaced: a stand-in's summary lets nothing go."""
    await write_day(store, tenant, clock)
    model.error = ModelUnavailable()
    clock.advance(timedelta(days=40))
    await work_off(engine, tenant)
    assert (await only_summary_of(store, tenant, "day")).fallback
    assert (await retire(engine, store, tenant, "day", Overdue())).expired == ()


async def test_what_leaves_a_group_with_frozen_members_takes_its_statements(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """The frozen node keeps what it says of the others, whose texts are gone."""
    ids = await write_day(store, tenant, clock)
    window = Place(policy=BATCHES.name, name="window", user_id="ada", due_at=clock())
    pairs = [(id_, window) for id_ in ids[1:]]
    pairs.append((ids[0], replace(window, leaves_at=clock() + timedelta(days=50))))
    await store.rule_groups.put(tenant, pairs, now=clock())
    clock.advance(timedelta(days=40))
    await work_off(engine, tenant)
    retired = await retire(engine, store, tenant, BATCHES.name, Overdue())
    assert set(ids) == set(retired.expired)
    clock.advance(timedelta(days=20))
    assert await store.rule_groups.sweep(tenant, now=clock()) == 1
    await work_off(engine, tenant)
    summary = await only_summary_of(store, tenant, BATCHES.name)
    assert ("apple" in summary.text, "greenhouse" in summary.text) == (False, True)
    assert tuple(ids[1:]) == summary.leaf_source_ids
    assert "apple" in (await only_summary_of(store, tenant, "month")).text


async def test_a_whole_does_not_wait_for_a_part_that_failed(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """The month reads the notes of a week that nobody could make; and that week once it is made."""
    ids = await write_day(store, tenant, clock)
    clock.advance(timedelta(days=40))
    week, month = await group_of_policy(store, tenant, "week"), await group_of_policy(store, tenant, "month")
    lease = await engine.groups.claim(tenant, now=clock(), lasts=LASTS, group_id=week)
    assert lease is not None
    await store.groups.release(lease, retry_at=None, error="poisoned", now=clock())
    assert await work_off(engine, tenant) == [Result.COMMITTED] * 2
    assert tuple(ids) == (await only_summary_of(store, tenant, "month")).parent_id
    assert [week] == list(await store.jobs.retry(tenant, group_id=None, now=clock()))
    assert await work_off(engine, tenant) == [Result.COMMITTED] * 2
    made = {one.group_id: one for one in await summaries_of(store, tenant, None)}
    assert (made[week].id,) == made[month].parent_id


async def test_a_whole_waits_for_a_part_that_somebody_makes(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Two processes claim: each group goes to one of them, and the month to nobody while its week is made."""
    await write_day(store, tenant, clock)
    clock.advance(timedelta(days=40))
    found = await asyncio.gather(*(engine.groups.claim(tenant, now=clock(), lasts=LASTS) for _ in range(2)))
    leases = [lease for lease in found if lease is not None]
    assert {"day", "week"} == {lease.policy for lease in leases}
    assert await engine.groups.claim(tenant, now=clock(), lasts=LASTS) is None
    for lease in leases:
        await refresh_leased(engine, lease)
    last = await engine.groups.claim(tenant, now=clock(), lasts=LASTS)
    assert last is not None
    assert "month" == last.policy


async def test_a_deleted_part_is_read_no_more(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """The month is made anew of the notes; the week stays away, and the month, once deleted, stays away too."""
    ids = await month_made(store, engine, tenant, clock)
    week = await only_summary_of(store, tenant, "week")
    await store.summaries.delete(tenant, week.id, now=clock())
    assert (await only_summary_of(store, tenant, "month")).stale
    assert await work_off(engine, tenant) == [Result.COMMITTED]
    month = await only_summary_of(store, tenant, "month")
    assert (tuple(ids), False) == (month.parent_id, month.stale)
    await store.summaries.delete(tenant, month.id, now=clock())
    assert await work_off(engine, tenant) == []


async def test_a_deleted_part_leaves_what_it_keeps_of_expired_notes(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Law 5: the month reads the frozen node of a week without a summary."""
    ids = await month_made(store, engine, tenant, clock)
    await retire(engine, store, tenant, "day", Overdue())
    await store.summaries.delete(tenant, (await only_summary_of(store, tenant, "week")).id, now=clock())
    assert await work_off(engine, tenant) == [Result.COMMITTED]
    month = await only_summary_of(store, tenant, "month")
    assert all(word in month.text for word in ("apple", "greenhouse", "ladder", "plumber", "quinces"))
    assert tuple(ids) == month.leaf_source_ids


async def test_who_comes_without_a_text_is_left_out(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Law 7: an expired note that joins a group nobody has frozen it for is counted as not read."""
    ids = await month_made(store, engine, tenant, clock)
    await retire(engine, store, tenant, "day", Overdue())
    await write_day(store, tenant, clock, first=5)
    batch = Place(policy=BATCHES.name, name="batch", user_id="ada", due_at=clock())
    alone = Place(policy=BATCHES.name, name="alone", user_id="ada", due_at=clock())
    pairs = [(ids[0], batch), ("n5", batch), (ids[1], alone)]
    assert await store.rule_groups.put(tenant, pairs, now=clock()) == 3
    await work_off(engine, tenant)
    made = {one.group_id: one for one in await summaries_of(store, tenant, BATCHES.name)}
    assert alone.group_id not in made
    summary = made[batch.group_id]
    assert (("n5",), 1, 2) == (summary.leaf_source_ids, summary.included, summary.total)


async def test_a_rejected_draft_lets_nothing_go(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str, model: Quoting
) -> None:
    """Law 6: what stands has not read the frozen node, though nothing is due."""
    ids = await month_made(store, engine, tenant, clock)
    rows = [day_note(tenant, "n9", "Ada mended the garden gate")]
    await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    for policy in ("day", "week", "month"):
        lease = await engine.groups.claim(
            tenant, now=clock(), lasts=LASTS, group_id=await group_of_policy(store, tenant, policy)
        )
        assert lease is not None
        await freeze_leased(engine, lease, ["n9"])
    model.says = ("Zebulon Quartermaine bought 77 yachts in Ulaanbaatar.",)
    assert Result.REJECTED in await work_off(engine, tenant)
    assert () == await store.retention.expire(tenant, [*ids, "n9"], now=clock())
