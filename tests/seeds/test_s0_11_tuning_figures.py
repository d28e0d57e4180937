"""S0.11: sparse-cluster ratio, refresh churn and tokens per summary are served; a setting slows refreshes down."""

from __future__ import annotations

from datetime import timedelta

import pytest
from steps import TEA, TRAINS, rows, tell, the_summary, with_engine, with_policy

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.policies.clusters import clusters
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting, count_words

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_empty_tenant_has_zeros(app: App) -> None:
    """No division by nothing."""
    stats = await app.summaries.stats()
    assert (stats.clusters, stats.sparse_ratio, stats.churn, stats.tokens_per_summary) == (0, 0.0, 0.0, 0.0)


async def test_the_sparse_ratio_counts_clusters_below_the_minimum(app: App) -> None:
    """One cluster of three, one of two and one of one: two of three are sparse."""
    await tell(app, rows())
    await tell(app, rows(TRAINS[:2], key="train"))
    await tell(app, rows(["Ana plays the cello."], key="cello"))
    stats = await app.summaries.stats()
    assert (stats.clusters, stats.sparse, stats.members, stats.summaries) == (3, 2, 6, 1)
    assert stats.sparse_ratio == pytest.approx(2 / 3)
    assert (await app.summaries.stats(user_id="nobody")).clusters == 0


async def test_churn_counts_refreshes_of_the_last_hour(app: App) -> None:
    """Four refreshes of one cluster in an hour; two hours later none."""
    clock = FrozenClock()
    timed = with_engine(app, clock=clock)
    for row in rows(TEA):
        await timed.memories.add([row])
        clock.advance(timedelta(minutes=5))
    group_id = (await the_summary(timed)).group_id
    stats = await timed.summaries.stats()
    assert dict(stats.refreshes_last_hour) == {group_id: 4}
    assert stats.churn == 4.0
    clock.advance(timedelta(hours=2))
    assert (await timed.summaries.stats()).churn == 0.0


async def test_tokens_per_summary_is_what_the_model_took(app: App) -> None:
    """Input and output of each committed refresh, on average."""
    watched = with_engine(app, summarizer=Quoting())
    await tell(watched, rows(TEA[:4]))
    words = list(map(count_words, TEA))
    first, second = sum(words[:3]) + 3, sum(words[:4]) + 4
    stats = await watched.summaries.stats()
    assert stats.tokens_per_summary == pytest.approx((first + second) / 2)


async def test_offline_summaries_take_no_tokens(app: App) -> None:
    """Nobody was asked, nothing is counted."""
    await tell(app, rows())
    assert (await app.summaries.stats()).tokens_per_summary == 0.0


async def test_a_refresh_waits_for_more_new_members(runtime: Runtime, tenant: str) -> None:
    """With ``refresh_after`` 3 the first summary comes at three members, the next at six, and a forget never waits."""
    async with open_runtime(runtime.settings.model_copy(update={"refresh_after": 3}), follows=False) as slow:
        model = Quoting()
        app = with_engine(slow.app(tenant), summarizer=model)
        given = rows(TEA)
        calls = []
        for row in given:
            written = await app.memories.add([row])
            calls.append(len(model.requests))
            assert written.waiting == ()
        assert calls == [0, 0, 1, 1, 1, 2]
        receipt = await app.memories.forget(given[0]["id"])
        assert len(receipt.refreshes_queued) == 1


async def test_summaries_that_wait_for_members_say_how_far_they_reach(runtime: Runtime, tenant: str) -> None:
    """Between two refreshes the standing summary names the members it covers and counts as stale."""
    async with open_runtime(runtime.settings.model_copy(update={"refresh_after": 3}), follows=False) as slow:
        app = slow.app(tenant)
        await tell(app, rows(TEA[:4]))
        summary = await the_summary(app)
        assert (len(summary.parent_id), summary.stale) == (3, True)


async def test_the_minimum_behind_the_ratio_is_the_one_of_the_writes(app: App) -> None:
    """Two members are sparse under the default of three, and not where two are enough."""
    await tell(app, rows(TEA[:2]))
    two = with_policy(app, clusters(min_members=2))
    assert ((await app.summaries.stats()).sparse, (await two.summaries.stats()).sparse) == (1, 0)
