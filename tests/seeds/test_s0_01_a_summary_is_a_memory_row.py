"""S0.1: a summary is a memory row with a vector, a tier, a retention state and an importance, recalled as one."""

from __future__ import annotations

import pytest
from steps import TEA, ids, rows, stored, tell, the_summary

from precis.app import App
from precis.bootstrap import Runtime
from precis.memory import RetentionState, Tier

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_columns_are_those_of_the_document(runtime: Runtime, tenant: str, app: App) -> None:
    """``is_summary``, ``parent_id``, text in ``summary_ciphertext``, ``text_ciphertext`` null, the rest of a row."""
    given = rows()
    written = await tell(app, given)
    row = await stored(runtime, tenant, written.summaries[0])
    assert row["is_summary"] is True
    assert row["parent_id"] == ids(given)
    assert row["text_ciphertext"] is None
    assert row["summary_ciphertext"] is not None
    assert row["embedding"] is not None
    assert row["embedding_version"] == app.parts.engine.embedder.version
    assert (row["tier"], row["retention_state"]) == ("cluster", "live")
    assert row["importance"] == pytest.approx((await the_summary(app)).importance)


async def test_a_raw_row_is_the_reverse(runtime: Runtime, tenant: str, app: App) -> None:
    """What was told has its text in ``text_ciphertext`` and no parents."""
    given = rows()
    await tell(app, given)
    row = await stored(runtime, tenant, given[0]["id"])
    assert row["is_summary"] is False
    assert row["text_ciphertext"] is not None
    assert row["summary_ciphertext"] is None
    assert row["parent_id"] is None
    assert row["tier"] == "raw"


async def test_it_is_read_and_listed_as_a_memory(app: App) -> None:
    """The verbs over memories answer it with its text, its tier and its sources."""
    given = rows()
    written = await tell(app, given)
    memory = await app.memories.get(written.summaries[0])
    assert memory.is_summary
    assert memory.text == (await the_summary(app)).text
    assert memory.parent_id == tuple(ids(given))
    assert (memory.tier, memory.retention_state) == (Tier.CLUSTER, RetentionState.LIVE)
    listed = await app.memories.list(user_id="ana")
    assert {row.id for row in listed.rows} == {*ids(given), memory.id}


async def test_it_takes_part_in_recall_by_both_arms(app: App) -> None:
    """A search finds it by its words and by its vector, beside the rows it was made from."""
    await tell(app, rows())
    results = await app.recall.search("green tea in the morning", user_id="ana")
    found = {result.memory.is_summary: result.score for result in reversed(results)}
    assert set(found) == {True, False}
    assert found[True].keyword > 0
    assert found[True].vector > 0


async def test_it_says_what_its_sources_say(app: App) -> None:
    """The offline summary of three short notes leaves none of them out."""
    await tell(app, rows())
    text = (await the_summary(app)).text
    assert [word for word in ("green", "oolong", "harbor") if word not in text] == []
    assert len(text) <= 2 * sum(map(len, TEA[:3]))
