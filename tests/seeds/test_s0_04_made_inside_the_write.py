"""S0.4: at SUMMARY_MIN_CLUSTER_ITEMS the summary is made inside the write that crossed it, for that cluster only."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from steps import TEA, TRAINS, ids, rows, summaries_of, tell, the_summary, with_engine

from precis.app import App
from precis.bootstrap import Runtime, build_policies
from precis.settings import Settings
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_third_write_answers_with_the_summary(app: App) -> None:
    """Two members wait; the write of the third returns when the summary stands, and names it."""
    given = rows()
    for row in given[:2]:
        written = await app.memories.add([row])
        assert (written.summaries, written.waiting) == ((), ())
    written = await app.memories.add([given[2]])
    summary = await app.summaries.get(written.summaries[0])
    assert summary.parent_id == tuple(ids(given))
    assert written.waiting == ()


async def test_one_call_over_the_three_members(app: App) -> None:
    """Crossing the threshold costs one call, over exactly the members."""
    model = Quoting()
    given = rows()
    await tell(with_engine(app, summarizer=model), given)
    assert [[item.source_ids[0] for item in request.items] for request in model.requests] == [ids(given)]


async def test_other_clusters_are_not_touched(app: App) -> None:
    """A cluster that waits elsewhere in the same scope is left to its own turn."""
    model = Quoting()
    watched = with_engine(app, summarizer=model)
    waiting = await watched.memories.add(rows(TRAINS, key="train"), summarize="deferred")
    assert len(waiting.waiting) == 1
    await tell(watched, rows())
    assert len(model.requests) == 1
    assert (await the_summary(app)).extracted_key == "tea"


async def test_one_write_may_cross_for_several_clusters(app: App) -> None:
    """A batch that completes two clusters makes both summaries before it answers."""
    written = await app.memories.add(rows() + rows(TRAINS, key="train"))
    assert len(written.summaries) == 2
    assert {s.extracted_key for s in await summaries_of(app)} == {"tea", "train"}


@pytest.mark.parametrize("name", ["SUMMARY_MIN_CLUSTER_ITEMS", "PRECIS_SUMMARY_MIN_CLUSTER_ITEMS"])
async def test_the_minimum_is_a_setting_of_the_deployment(app: App, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """With five, four memories make nothing and the fifth makes the summary."""
    monkeypatch.setenv(name, "5")
    five = with_engine(app, policies=dict(build_policies(Settings())))
    assert not (await tell(five, rows(TEA[:4]))).summaries
    assert (await tell(five, rows(TEA[4:5]))).summaries


async def test_the_default_is_three_and_the_least_two(runtime: Runtime) -> None:
    """One memory is no group: a minimum of one is refused."""
    assert runtime.settings.min_cluster_items == 3
    with pytest.raises(ValidationError):
        Settings(min_cluster_items=1)


async def test_greetings_and_questions_do_not_count(app: App) -> None:
    """Rows that carry nothing worth a summary are kept, and no cluster takes them."""
    texts = ("Hi, good morning!", "Thanks, see you soon!", "What time is it?")
    written = await app.memories.add([{"text": text, "user_id": "ana"} for text in texts])
    assert [one.group_id for one in written.memories] == [None] * 3
