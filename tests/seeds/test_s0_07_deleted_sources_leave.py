"""S0.7: deleted sources leave the summary and never resurface; the others stay live and recallable beside it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from steps import TEA, TRAINS, ids, raw_rows, rows, tell, the_summary, with_engine

from precis.app import App
from precis.app.refreshing import work
from precis.errors import Forgotten, NotFound
from precis.memory import RetentionState
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")

SECRET = "Ana hides the marzipan behind the teapot."


async def everything_said(app: App) -> str:
    """All that a reader can see: every row, every summary, and what recall finds for the secret's own words."""
    listed = (await app.memories.list(limit=1000)).rows
    summaries = (await app.summaries.list()).rows
    recalled = await app.recall.search("marzipan behind the teapot", expand=True)
    texts = [row.text for row in listed] + [s.text for summary in summaries for s in summary.statements]
    texts += [memory.text for result in recalled for memory in (result.memory, *result.sources)]
    return "\n".join(text or "" for text in texts)


async def test_gone_when_the_call_returns_and_after_the_refresh(app: App, tenant: str) -> None:
    """The forgotten fact is nowhere at once, and the refreshed summary covers the survivors only."""
    given = rows([*TEA[:3], SECRET])
    await tell(app, given)
    assert "marzipan" in (await the_summary(app)).text
    receipt = await app.memories.forget(given[3]["id"])
    assert "marzipan" not in await everything_said(app)
    assert receipt.statements_removed >= 1
    engine = app.parts.engine
    await work(engine, tenant, until=engine.clock() + timedelta(seconds=20))
    summary = await the_summary(app)
    assert (summary.parent_id, summary.stale) == (tuple(ids(given[:3])), False)
    assert "marzipan" not in await everything_said(app)


async def test_later_refreshes_do_not_bring_it_back(app: App) -> None:
    """A model that quotes all it is given never gets the forgotten text again."""
    model = Quoting()
    watched = with_engine(app, summarizer=model)
    given = rows([*TEA[:3], SECRET, *TEA[3:5]])
    await tell(watched, given[:4])
    await watched.memories.forget(given[3]["id"])
    seen = len(model.requests)
    await tell(watched, given[4:])
    assert len(model.requests) > seen
    assert [i.text for request in model.requests[seen:] for i in request.items if "marzipan" in i.text] == []


async def test_a_wrongly_cited_statement_goes_too(app: App) -> None:
    """A model that cites another source for the secret cannot save it from being forgotten."""
    model = Quoting()
    model.says = (*TEA[:3], SECRET)
    watched = with_engine(app, summarizer=model)
    given = rows([*TEA[:3], SECRET])
    await watched.memories.add(given)
    assert "marzipan" in (await the_summary(app)).text
    await app.memories.forget(given[3]["id"])
    assert "marzipan" not in await everything_said(app)


async def test_sources_stay_live_and_recallable(app: App) -> None:
    """Making a summary demotes nobody: same text, same state, found by their own words."""
    given = rows()
    await tell(app, given)
    assert {row.retention_state for row in await raw_rows(app)} == {RetentionState.LIVE}
    assert {row.text for row in await raw_rows(app)} == set(TEA[:3])
    for row in given:
        results = await app.recall.search(row["text"], user_id="ana", summaries="without")
        assert results[0].memory.id == row["id"]


async def test_an_edited_source_takes_its_old_words_along(app: App) -> None:
    """After an edit the old fact is nowhere and the summary follows the new one."""
    given = rows([*TEA[:2], SECRET])
    await tell(app, given)
    await app.memories.edit(given[2]["id"], {"text": "Ana bakes scones for tea.", "type": "preference", "key": "tea"})
    assert "marzipan" not in await everything_said(app)
    await app.summaries.refresh_all()
    assert "scones" in (await the_summary(app)).text


async def test_other_clusters_keep_their_summaries(app: App) -> None:
    """Forgetting in one cluster leaves the other's summary as it stood."""
    tea, trains = rows(), rows(TRAINS, key="train")
    await tell(app, tea)
    await tell(app, trains)
    before = {s.extracted_key: s for s in (await app.summaries.list()).rows}
    await app.memories.forget(tea[0]["id"])
    assert (await app.summaries.list()).rows == (before["train"],)


async def test_a_forgotten_id_is_refused_until_revived(app: App) -> None:
    """Writing the same row again brings it back only when that is said."""
    (row,) = rows([SECRET])
    await app.memories.add([row])
    await app.memories.forget(row["id"])
    with pytest.raises(NotFound):
        await app.memories.get(row["id"])
    with pytest.raises(Forgotten):
        await app.memories.add([row])
    await app.memories.add([row | {"revive": True}])
    assert (await app.memories.get(row["id"])).text == SECRET
