"""S1.3: key insights are found by their words, and rollups are tiers of the search like any other."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from nights import NOTES, SUNDAY, Nights, Scoring

from precis.memory import Tier
from precis.recall.assembly import Section
from precis.store.filtering import Filter

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_key_insight_is_found_by_a_word_of_it(nights: Nights) -> None:
    """Without a vector that is near: by keyword, in the week and in the month."""
    await nights.week()
    await nights.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    found = await nights.app.recall.search("pgvector", user_id="mara", summaries="only")
    assert {Tier.WEEK, Tier.MONTH} <= {hit.memory.tier for hit in found}
    assert all("pgvector" in (hit.memory.text or "") for hit in found if hit.memory.tier in (Tier.WEEK, Tier.MONTH))


async def test_what_is_no_insight_is_not_found_in_a_week(nights: Nights) -> None:
    """A statement below the threshold leaves no word in the index of the week."""
    scored = nights.but(summarizer=Scoring({"frost": 0.9, "pump": 0.2}))
    await scored.note(NOTES[6], SUNDAY)
    await scored.note(NOTES[2], SUNDAY)
    await scored.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    (week,) = await scored.summaries("week")
    engine, query = scored.runtime.engine, "tractor seal pump"
    hits = await scored.runtime.store.search.search(
        scored.tenant, Filter(user_id="mara"), query=query, vector=None,
        embedding_version=engine.embedder.version, limit=10,
    )  # fmt: skip
    by_words = {hit.memory.id for hit in hits if hit.bm25 > 0}
    assert by_words
    assert week.id not in by_words


@pytest.mark.parametrize("other", [{"namespace": "public"}, {"session_id": "s2"}, {"agent_id": "clerk"}])
async def test_an_insight_is_told_within_its_filter(nights: Nights, other: dict[str, str]) -> None:
    """Notes of one namespace, session and agent: a context of another knows nothing of their week."""
    await nights.week(namespace="private", session_id="s1", agent_id="gardener")
    await nights.until(datetime(2026, 2, 22, 5, tzinfo=UTC))

    async def insights(**chosen: Any) -> list[str]:
        made = await nights.app.context.assemble("Who pays the pear trees?", token_budget=400, user_id="mara", **chosen)
        return [line.text for line in made.lines if line.piece.section is Section.INSIGHTS]

    assert any("pear trees" in text for text in await insights())
    assert await insights(namespace="private", session_id="s1") == await insights()
    assert await insights(**other) == []


async def test_a_week_stands_beside_its_notes(nights: Nights) -> None:
    """It carries the ids of its notes, and expands to them in one read."""
    ids = await nights.week()
    await nights.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    found = await nights.app.recall.search("frost on the plum trees", user_id="mara", expand=True)
    (week,) = [hit for hit in found if hit.memory.tier is Tier.WEEK]
    assert tuple(ids) == week.source_ids
    assert list(NOTES) == [source.text for source in week.sources]
    assert ids[6] in {hit.memory.id for hit in found}
