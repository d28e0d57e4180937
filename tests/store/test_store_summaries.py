"""Summaries: reading, listing, deleting, figures."""

from __future__ import annotations

from datetime import timedelta

import pytest
from store_steps import EVERYTHING, TEXTS, claim, make, notes, only_summary, write

from precis.engine.drafted import Result
from precis.engine.engine import Engine
from precis.engine.pipeline import refresh
from precis.errors import NotFound
from precis.memory import Tier
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_summary_is_a_row_as_well(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """SPEC S0.1: id, flag, tier, sources oldest first, and the text of its statements."""
    rows = notes(tenant, clock, importance=0.4)
    group_id = await write(store, tenant, rows[::-1], clock())
    made = await make(engine, tenant, group_id)
    summary = (await store.summaries.get(tenant, [made.summary_id, "nobody"]))[made.summary_id]
    row = (await store.memories.get(tenant, [made.summary_id]))[made.summary_id]
    assert (True, Tier.CLUSTER, summary.text) == (row.is_summary, row.tier, row.text)
    assert ("n0", "n1", "n2") == row.parent_id == summary.parent_id == summary.leaf_source_ids
    assert row.importance == pytest.approx(0.4)
    assert (3, 3, "model@1", group_id) == (summary.included, summary.total, summary.made_by, summary.group_id)
    assert ("fact", "tea", False, False) == (
        summary.extracted_type, summary.extracted_key, summary.stale, summary.fallback,
    )  # fmt: skip
    assert [("n0",), ("n1",), ("n2",)] == [one.source_ids for one in summary.statements]


async def test_a_refresh_keeps_the_id(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """SPEC S0.5: same row, same id, later date."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    first = await make(engine, tenant, group_id)
    before = await only_summary(store, tenant)
    clock.advance(timedelta(hours=1))
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    assert (await only_summary(store, tenant)).stale
    second = await make(engine, tenant, group_id)
    after = await only_summary(store, tenant)
    assert first.summary_id == second.summary_id
    assert (before.created_at, True) == (after.created_at, after.updated_at > before.updated_at)
    assert (4, False) == (len(after.parent_id), after.stale)


async def test_the_list_is_newest_refresh_first(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Pages by refresh, filtered by scope and policy."""
    ids = []
    for at, user in enumerate(["ada", "ben", "eve"]):
        group_id = await write(store, tenant, notes(tenant, clock, user=user, first=10 * at), clock())
        ids.append((await make(engine, tenant, group_id)).summary_id)
        clock.advance(timedelta(minutes=1))
    page = await store.summaries.list(tenant, EVERYTHING, policy="clusters", limit=2, cursor=None)
    rest = await store.summaries.list(tenant, EVERYTHING, policy="clusters", limit=2, cursor=page.next_cursor)
    assert ids[::-1] == [one.id for one in (*page.rows, *rest.rows)]
    assert rest.next_cursor is None
    chosen = await store.summaries.list(tenant, Filter(user_id="ben"), policy=None, limit=9, cursor=None)
    assert [ids[1]] == [one.id for one in chosen.rows]
    assert () == (await store.summaries.list(tenant, EVERYTHING, policy="other", limit=9, cursor=None)).rows


async def test_a_deleted_summary_stays_away(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """DECISIONS 8: its sources are suppressed until they change, also for who asks for a refresh."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    await store.summaries.delete(tenant, made.summary_id, now=clock())
    assert {} == await store.summaries.get(tenant, [made.summary_id])
    assert {} == await store.memories.get(tenant, [made.summary_id])
    assert await claim(engine, tenant) is None
    assert Result.UNCHANGED is (await make(engine, tenant, group_id)).result
    assert len(model.requests) == 1
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    assert Result.COMMITTED is (await make(engine, tenant, group_id)).result


async def test_a_stale_summary_that_is_deleted_stays_away(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """The sources as they are at the deletion are suppressed, not those of the last refresh."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    await store.summaries.delete(tenant, made.summary_id, now=clock())
    assert Result.UNCHANGED is (await make(engine, tenant, group_id)).result


async def test_a_draft_in_flight_does_not_bring_it_back(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine, model: Quoting
) -> None:
    """The lease of whoever drafts ends with the summary."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    await write(store, tenant, notes(tenant, clock, ["hot cocoa"], first=9), clock())
    lease = await claim(engine, tenant, group_id)
    assert lease is not None

    async def delete() -> None:
        await store.summaries.delete(tenant, made.summary_id, now=clock())

    model.meanwhile = delete
    assert (await refresh(engine, lease)).result in {Result.BUSY, Result.DISCARDED}
    page = await store.summaries.list(tenant, EVERYTHING, policy=None, limit=10, cursor=None)
    assert () == page.rows


async def test_unknown_ids(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """There is nothing to delete or to look up; a raw row is not a summary."""
    await write(store, tenant, notes(tenant, clock), clock())
    with pytest.raises(NotFound):
        await store.summaries.delete(tenant, "n0", now=clock())
    with pytest.raises(NotFound):
        await store.summaries.group_of(tenant, "nobody")


async def test_the_group_of_a_summary(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Group and policy, so that a summary can be refreshed."""
    group_id = await write(store, tenant, notes(tenant, clock), clock())
    made = await make(engine, tenant, group_id)
    assert (group_id, "clusters") == await store.summaries.group_of(tenant, made.summary_id)


async def test_groups_of_a_scope(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """Longest due first; ``stale_only`` leaves out those that wait for nothing."""
    mine = await write(store, tenant, notes(tenant, clock), clock())
    clock.advance(timedelta(minutes=1))
    later = await write(store, tenant, notes(tenant, clock, user="ben", first=10), clock())
    listed = await store.summaries.groups(tenant, EVERYTHING, policy=None, stale_only=True, limit=10)
    assert [(mine, "clusters"), (later, "clusters")] == [tuple(one) for one in listed]
    await make(engine, tenant, mine)
    stale = await store.summaries.groups(tenant, EVERYTHING, policy="clusters", stale_only=True, limit=10)
    assert [(later, "clusters")] == [tuple(one) for one in stale]
    chosen = Filter(user_id="ada")
    everyone = await store.summaries.groups(tenant, chosen, policy=None, stale_only=False, limit=10)
    assert [(mine, "clusters")] == [tuple(one) for one in everyone]


async def test_figures_for_tuning(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """SPEC S0.11: sparse ratio, churn of the last hour, tokens a summary."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    await write(store, tenant, notes(tenant, clock, ["one"], key="train", first=20), clock())
    await make(engine, tenant, group_id)
    stats = await store.summaries.stats(tenant, EVERYTHING, min_members=3, now=clock())
    assert (2, 1, 0.5, 6, 1, 0, 0) == (
        stats.clusters, stats.sparse, stats.sparse_ratio, stats.members, stats.summaries, stats.stale, stats.failed,
    )  # fmt: skip
    assert ({group_id: 1}, 1.0) == (dict(stats.refreshes_last_hour), stats.churn)
    # 16 words were read and 5 quotes answered.
    assert stats.tokens_per_summary == pytest.approx(21)
    clock.advance(timedelta(hours=2))
    later = await store.summaries.stats(tenant, EVERYTHING, min_members=3, now=clock())
    assert ({}, 0.0) == (dict(later.refreshes_last_hour), later.churn)
    nobody = await store.summaries.stats(tenant, Filter(user_id="x"), min_members=3, now=clock())
    assert (0, 0.0) == (nobody.clusters, nobody.sparse_ratio)


async def test_importance_follows_the_living(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """DECISIONS 16: the mean of the sources, recomputed in the forget itself."""
    rows = notes(tenant, clock, TEXTS[:3], importance=0.2)
    rows += notes(tenant, clock, TEXTS[3:], importance=0.9, first=3)
    await make(engine, tenant, await write(store, tenant, rows, clock()))
    assert (await only_summary(store, tenant)).importance == pytest.approx(0.48)
    await store.memories.forget(tenant, ["n3", "n4"], now=clock())
    assert (await only_summary(store, tenant)).importance == pytest.approx(0.2)
