"""S0.5: later writes refresh the summary in place; the same union costs nothing; below the minimum it goes."""

from __future__ import annotations

import pytest
from steps import TEA, ids, raw_rows, rows, summaries_of, tell, the_summary, with_engine

from precis.app import App
from precis.engine.drafted import Result
from precis.errors import NotFound
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_same_row_covers_the_grown_union(app: App) -> None:
    """The fourth member: same id, same beginning, new text over all four, oldest first."""
    given = rows(TEA[:4])
    await tell(app, given[:3])
    before = await the_summary(app)
    written = await app.memories.add([given[3]])
    after = await the_summary(app)
    assert written.summaries == (before.id,)
    assert (after.id, after.created_at) == (before.id, before.created_at)
    assert after.parent_id == tuple(ids(given))
    assert "sugar" in after.text
    assert "sugar" not in before.text
    assert after.updated_at > before.updated_at


async def test_an_identical_union_is_no_call(app: App) -> None:
    """Refreshing what is current changes nothing and asks nobody."""
    model = Quoting()
    watched = with_engine(app, summarizer=model)
    await tell(watched, rows())
    before = await the_summary(app)
    outcome = await watched.summaries.refresh(before.id)
    assert outcome.result is Result.UNCHANGED
    assert len(model.requests) == 1
    assert await the_summary(app) == before


async def test_writing_the_same_rows_again_is_no_call(app: App) -> None:
    """A repeated write is answered as known, and the union it leaves is the same."""
    model = Quoting()
    watched = with_engine(app, summarizer=model)
    given = rows()
    await tell(watched, given)
    again = await watched.memories.add(given)
    assert [one.created for one in again.memories] == [False] * 3
    assert len(model.requests) == 1


async def test_below_the_minimum_the_summary_goes(app: App) -> None:
    """Two of three left: no summary, and recall answers with the raw rows."""
    given = rows()
    await tell(app, given)
    summary = await the_summary(app)
    receipt = await app.memories.forget(given[0]["id"])
    assert [(one.id, one.state) for one in receipt.summaries] == [(summary.id, "deleted")]
    with pytest.raises(NotFound):
        await app.summaries.get(summary.id)
    results = await app.recall.search("tea from Kyoto and the harbor market", user_id="ana")
    assert {result.memory.id for result in results} == set(ids(given[1:]))


async def test_a_third_member_brings_it_back(app: App) -> None:
    """The cluster itself stays: the next memory that fits makes a summary of the survivors."""
    given = rows(TEA[:4])
    await tell(app, given[:3])
    await app.memories.forget(given[0]["id"])
    await app.memories.add([given[3]])
    assert (await the_summary(app)).parent_id == tuple(ids(given[1:]))


async def test_there_is_no_upper_cap(app: App) -> None:
    """A hundred and twenty members are one cluster with one summary, and each is counted as read."""
    texts = [f"Ana drank a pot of tea number {n} with guest {n}." for n in range(120)]
    given = rows(texts)
    written = await app.memories.add(given, summarize="deferred")
    assert len({row.group_id for row in written.memories}) == 1
    await app.summaries.refresh_all()
    summary = await the_summary(app)
    assert sorted(summary.parent_id) == sorted(ids(given))
    assert sorted(summary.leaf_source_ids) == sorted(ids(given))
    assert (summary.included, summary.total) == (120, 120)


async def test_no_second_summary_is_ever_made(app: App) -> None:
    """Six writes, one summary row."""
    await tell(app, rows(TEA))
    assert len(await summaries_of(app)) == 1
    assert len(await raw_rows(app)) == len(TEA)
