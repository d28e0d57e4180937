"""S0.10: a summary's importance comes from its cluster; it carries its source ids; below three raw rows come back."""

from __future__ import annotations

import pytest
from steps import TEA, TRAINS, ids, rows, tell, the_summary

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_importance_is_the_mean_of_the_sources(app: App) -> None:
    """Three importances in, their mean out."""
    given = [row | {"importance": value} for row, value in zip(rows(), (0.2, 0.4, 0.9), strict=True)]
    await tell(app, given)
    assert (await the_summary(app)).importance == pytest.approx(0.5)


async def test_importance_follows_a_refresh_and_a_forget(app: App) -> None:
    """A fourth member moves the mean, and a forgotten one no longer counts, before anything is re-made."""
    values = (0.2, 0.4, 0.6, 1.0)
    given = [row | {"importance": value} for row, value in zip(rows(TEA[:4]), values, strict=True)]
    await tell(app, given)
    assert (await the_summary(app)).importance == pytest.approx(0.55)
    await app.memories.forget(given[0]["id"])
    assert (await the_summary(app)).importance == pytest.approx(2 / 3)


async def test_important_clusters_score_higher(app: App) -> None:
    """Two summaries alike in everything but the importance of their sources: the important one ranks first."""
    for user, value in (("low", 0.1), ("high", 0.9)):
        await tell(app, [row | {"importance": value} for row in rows(user_id=user)])
    results = await app.recall.search("green tea every morning", summaries="only")
    found = {r.memory.scope.user_id: r for r in results if r.memory.is_summary}
    assert found["high"].score.importance > found["low"].score.importance
    assert found["high"].score.total > found["low"].score.total


async def test_a_returned_summary_expands_in_one_read(app: App) -> None:
    """The ids in the answer are those of the sources; one read by id, one expansion or one flag brings the rows."""
    given = rows()
    await tell(app, given)
    (found,) = [r for r in await app.recall.search("tea", user_id="ana") if r.memory.is_summary]
    assert found.source_ids == tuple(ids(given))
    read = await app.memories.get_many(found.source_ids)
    expanded = await app.summaries.expand(found.memory.id)
    (flagged,) = [r for r in await app.recall.search("tea", user_id="ana", expand=True) if r.memory.is_summary]
    for sources in (read.values(), expanded, flagged.sources):
        assert sorted(memory.text or "" for memory in sources) == sorted(TEA[:3])


@pytest.mark.parametrize("summaries", ["with", "only"])
async def test_sparse_clusters_answer_raw(app: App, summaries: str) -> None:
    """Two members: the rows themselves, also for a caller who wants summaries only."""
    given = rows(TEA[:2])
    await tell(app, given)
    results = await app.recall.search("tea", user_id="ana", summaries=summaries)  # type: ignore[arg-type]
    assert {r.memory.id for r in results} == set(ids(given))


async def test_only_answers_summaries_where_they_stand(app: App) -> None:
    """One full and one sparse cluster: the summary of the one and the raw rows of the other."""
    tea, trains = rows(), rows(TRAINS[:2], key="train")
    await tell(app, tea)
    await tell(app, trains)
    results = await app.recall.search("Ana", user_id="ana", summaries="only")
    raw = {r.memory.id for r in results if not r.memory.is_summary}
    assert raw == set(ids(trains))
    assert [r.source_ids for r in results if r.memory.is_summary] == [tuple(ids(tea))]


async def test_a_summary_never_lowers_its_sources(app: App) -> None:
    """The raw rows score the same whether or not summaries are asked for."""
    await tell(app, rows())
    question = "What does Ana drink in the morning?"
    alone = {r.memory.id: r.score for r in await app.recall.search(question, summaries="without")}
    beside = await app.recall.search(question, summaries="with")
    ranked = [r.memory.id for r in beside if not r.memory.is_summary]
    assert ranked == sorted(alone, key=lambda id_: (-alone[id_].total, id_))
