"""Groups that follow a rule: who is a member, what is due when, what is derived."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from period_steps import (
    MONDAY,
    PLACED,
    TEXTS,
    day_note,
    month_made,
    move_to,
    only_summary_of,
    summaries_of,
    work_off,
    write_day,
)
from store_steps import LASTS, POLICY, draft

from new_rows import new_memory
from precis.engine.drafted import Result
from precis.engine.engine import Engine
from precis.engine.pipeline import commit, plan
from precis.engine.policy import Place
from precis.memory import Scope, Tier
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Clusters, periods and batches; on the evening of the Monday. For the fixtures.
POLICIES, BEGINS = PLACED, MONDAY + timedelta(hours=8)


async def test_a_period_is_due_when_it_is_over(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """A write places the notes; nothing is made before the day is over, then the day, later week and month."""
    await write_day(store, tenant, clock)
    assert await work_off(engine, tenant) == []
    clock.advance(timedelta(hours=5))
    assert await work_off(engine, tenant) == [Result.COMMITTED]
    day = await only_summary_of(store, tenant, "day")
    assert (Tier.DAY, MONDAY.date(), MONDAY.date()) == (day.tier, day.starts_on, day.ends_on)
    clock.advance(timedelta(days=40))
    assert await work_off(engine, tenant) == [Result.COMMITTED] * 2
    assert await work_off(engine, tenant) == []
    week, month = [await only_summary_of(store, tenant, policy) for policy in ("week", "month")]
    assert month.parent_id == (week.id,)
    assert month.leaf_source_ids == tuple(f"n{at}" for at in range(5)) == week.parent_id


async def test_writing_the_same_again_makes_nothing_due(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """A repeated write joins nothing."""
    await month_made(store, engine, tenant, clock)
    await write_day(store, tenant, clock)
    assert await work_off(engine, tenant) == []


async def test_a_late_note_re_makes_its_periods(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str, model: Quoting
) -> None:
    """Day, week and, because the week says something new, the month."""
    await month_made(store, engine, tenant, clock)
    late = day_note(tenant, "late", "The gate of the lower orchard was painted green.", importance=0.9)
    await store.memories.add(tenant, [late], policy=POLICY, now=clock())
    asked = len(model.requests)
    assert await work_off(engine, tenant) == [Result.COMMITTED] * 3
    assert len(model.requests) == asked + 3
    month = await only_summary_of(store, tenant, "month")
    assert len(month.leaf_source_ids) == 6


async def test_what_matters_little_is_kept_and_not_served(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """The week serves statements from 0.5 on; the month reads all of them."""
    await month_made(store, engine, tenant, clock, importance=0.48)
    day, week, month = [await only_summary_of(store, tenant, policy) for policy in ("day", "week", "month")]
    assert (5, 0) == (len(day.statements), len(week.statements))
    assert "" == week.text
    assert month.statements
    row = (await store.memories.get(tenant, [week.id]))[week.id]
    assert "" == row.text


async def test_an_emptied_period_goes(store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str) -> None:
    """Nothing is left of a period whose notes were all forgotten."""
    ids = await month_made(store, engine, tenant, clock)
    await store.memories.forget(tenant, ids, now=clock())
    page = await store.summaries.list(tenant, Filter(), policy=None, limit=10, cursor=None)
    assert page.rows == ()
    assert await work_off(engine, tenant) == []


async def test_members_leave_when_their_time_is_over(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """A rolling window: the group is stale without them; the last one takes the group along."""
    ids = await write_day(store, tenant, clock)
    window = Place(policy="day", name="window", user_id="ada", due_at=clock())
    leaving = [clock() + timedelta(days=at + 1) for at in range(5)]
    pairs = [(id_, replace(window, leaves_at=at)) for id_, at in zip(ids, leaving, strict=True)]
    assert await store.rule_groups.put(tenant, pairs, now=clock()) == 5
    assert await store.rule_groups.put(tenant, pairs, now=clock()) == 0
    assert await work_off(engine, tenant) == [Result.COMMITTED]
    clock.advance(timedelta(days=2))
    assert await store.rule_groups.sweep(tenant, now=clock()) == 2
    await work_off(engine, tenant)
    page = await store.summaries.list(tenant, Filter(), policy="day", limit=10, cursor=None)
    mine = [row for row in page.rows if row.group_id == window.group_id]
    assert [tuple(ids[2:])] == [row.leaf_source_ids for row in mine]
    clock.advance(timedelta(days=9))
    assert await store.rule_groups.sweep(tenant, now=clock()) == 3
    page = await store.summaries.list(tenant, Filter(), policy="day", limit=10, cursor=None)
    assert window.group_id not in [row.group_id for row in page.rows]


async def test_an_edit_moves_a_note_to_other_periods(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """The same text of another day: the periods it left do not say it any more, the others do."""
    ids = await write_day(store, tenant, clock)
    clock.advance(timedelta(days=60))
    await work_off(engine, tenant)
    await move_to(store, tenant, clock, ids[0], MONDAY + timedelta(days=9))
    assert await work_off(engine, tenant) == [Result.COMMITTED] * 5
    for policy in ("day", "week"):
        left, joined = await summaries_of(store, tenant, policy)
        assert (set(ids[1:]), set(ids[:1])) == (set(left.leaf_source_ids), set(joined.leaf_source_ids))
        assert ("apple" in left.text, "apple" in joined.text) == (False, True)
    month = await only_summary_of(store, tenant, "month")
    assert set(ids) == set(month.leaf_source_ids)
    assert len(month.parent_id) == 2


async def test_a_period_whose_last_note_moves_away_goes(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Group and summary; the month of it is made anew of what is left."""
    await store.memories.add(tenant, [day_note(tenant, "n0", TEXTS[0])], policy=POLICY, now=clock())
    clock.advance(timedelta(days=90))
    await work_off(engine, tenant)
    await move_to(store, tenant, clock, "n0", MONDAY + timedelta(days=40))
    await work_off(engine, tenant)
    for policy in ("day", "week", "month"):
        assert MONDAY.date() < ((await only_summary_of(store, tenant, policy)).ends_on or MONDAY.date())


async def test_a_period_that_is_not_over_waits_for_its_end(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Forgetting, editing or moving a note of it is no reason to make it before."""
    ids = await write_day(store, tenant, clock)
    await store.memories.forget(tenant, ids[:1], now=clock())
    await move_to(store, tenant, clock, ids[1], MONDAY + timedelta(days=1))
    changed = day_note(tenant, ids[2], "Ada's neighbor wants the ladder back")
    await store.memories.edit(tenant, changed, policy=POLICY, now=clock())
    assert await work_off(engine, tenant) == []
    clock.advance(timedelta(days=40))
    assert await work_off(engine, tenant) == [Result.COMMITTED] * 4


async def test_what_left_a_group_is_forgotten_there_too(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Law 4: a summary that stands, stale, over what has left says nothing of it once it is forgotten."""
    ids = await write_day(store, tenant, clock)
    clock.advance(timedelta(days=2))
    await work_off(engine, tenant)
    await move_to(store, tenant, clock, ids[0], MONDAY - timedelta(days=30))
    day = (await summaries_of(store, tenant, "day"))[0]
    assert ("apple" in day.text, day.stale) == (True, True)
    receipt = await store.memories.forget(tenant, ids[:1], now=clock())
    assert day.id in {one.id for one in receipt.summaries}
    row = (await store.memories.get(tenant, [day.id]))[day.id]
    assert "apple" not in (row.text or "")


async def test_a_summary_has_what_its_members_share(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Namespace, session, agent and run where all agree; prose and title go with the first thing forgotten."""
    same = {"namespace": "home", "agent_id": "a1", "metadata": {"kind": "note"}}
    rows = [
        day_note(tenant, f"n{at}", text, **same, run_id=f"r{at}", session_id="s" if at else None)
        for at, text in enumerate(TEXTS)
    ]
    await store.memories.add(tenant, rows, policy=POLICY, now=clock())
    clock.advance(timedelta(days=2))
    lease = await engine.groups.claim(tenant, now=clock(), lasts=LASTS)
    assert lease is not None
    planned = await plan(engine, tenant, lease.group_id, lease.policy)
    made = (await draft(engine, lease, planned))[-1]
    await commit(engine, lease, planned, replace(made, prose="Ada was busy.", title="A busy day"))
    day = await only_summary_of(store, tenant, "day")
    assert ("Ada was busy.", "A busy day", "Ada was busy.") == (day.prose, day.title, day.text)
    row = (await store.memories.get(tenant, [day.id]))[day.id]
    assert ("Ada was busy.", "home", "a1") == (row.text, row.namespace, row.agent_id)
    assert (None, None) == (row.run_id, row.session_id)
    await store.memories.forget(tenant, ["n1"], now=clock())
    day = await only_summary_of(store, tenant, "day")
    assert (None, None) == (day.prose, day.title)
    assert "apple" in day.text


async def test_dropped_groups_leave_nothing(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Their summaries go with them; the memories stay."""
    ids = await write_day(store, tenant, clock)
    clock.advance(timedelta(days=2))
    await work_off(engine, tenant)
    day = await only_summary_of(store, tenant, "day")
    await store.rule_groups.drop(tenant, [day.group_id], now=clock())
    assert await store.summaries.get(tenant, [day.id]) == {}
    assert len(await store.memories.get(tenant, ids)) == 5


async def test_timetables(store: PostgresStore, clock: FrozenClock, tenant: str) -> None:
    """One maker at a time; a missed run is due until it is made; asking does not wait for the time."""
    schedules = store.schedules
    await schedules.ensure(tenant, "day", next_run=clock() + timedelta(hours=1))
    await schedules.ensure(tenant, "day", next_run=clock())
    assert await schedules.claim(tenant, "day", now=clock(), lasts=LASTS) is None
    asked = await schedules.claim(tenant, "day", now=clock(), lasts=LASTS, requested=True)
    assert asked is not None
    clock.advance(timedelta(days=3))
    turn = await schedules.claim(tenant, "day", now=clock(), lasts=LASTS)
    assert turn is not None, "the asker died, and its turn has run out"
    assert await schedules.claim(tenant, "day", now=clock(), lasts=LASTS, requested=True) is None
    assert not await schedules.finish(asked, last_run=clock(), next_run=clock())
    assert await schedules.renew(turn, now=clock())
    following = clock() + timedelta(days=1)
    assert await schedules.finish(turn, last_run=clock(), next_run=following)
    listed = (await schedules.list(tenant))["day"]
    assert (clock(), following) == (listed.last_run, listed.next_run)


async def test_an_edit_leaves_a_batch_as_it_is(
    store: PostgresStore, engine: Engine, clock: FrozenClock, tenant: str
) -> None:
    """Another type or subject is another cluster; what a pass put into a batch stays in it."""
    ids = await write_day(store, tenant, clock)
    batch = Place(policy="archive", name="first", user_id="ada", due_at=clock())
    await store.rule_groups.put(tenant, [(id_, batch) for id_ in ids], now=clock())
    await work_off(engine, tenant)
    changed = new_memory(
        ids[0], "Ada sawed the old pear tree down", scope=Scope(tenant_id=tenant, user_id="ada"),
        created_at=MONDAY, key="pear tree", extracted_type="event", metadata={"kind": "note"},
    )  # fmt: skip
    await store.memories.edit(tenant, changed, policy=POLICY, now=clock())
    await work_off(engine, tenant)
    (summary,) = (await store.summaries.list(tenant, Filter(), policy="archive", limit=9, cursor=None)).rows
    assert set(ids) == set(summary.leaf_source_ids)
    assert "pear tree" in summary.text
    assert "apple" not in summary.text


async def test_zones(store: PostgresStore, clock: FrozenClock, tenant: str) -> None:
    """A user's own, the tenant's for the others; setting one tells whose places may have moved."""
    ids = await write_day(store, tenant, clock)
    moved = await store.zones.put(tenant, "ada", "Europe/Berlin", policies=["day"])
    assert ids == list(moved)
    assert [] == list(await store.zones.put(tenant, "", "Asia/Tokyo", policies=["day"]))
    assert {"": "Asia/Tokyo", "ada": "Europe/Berlin"} == dict(await store.zones.list(tenant))
    assert {"": "Asia/Tokyo"} == dict(await store.zones.of(tenant, "bob"))
    await store.zones.put(tenant, "ada", None, policies=["day"])
    assert {"": "Asia/Tokyo"} == dict(await store.zones.list(tenant))
