"""S1.2: consolidation where the newest value wins, importance scores with their threshold, key insights."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from nights import NOTES, SUNDAY, Nights, Scoring

from precis.prompts import load

pytestmark = pytest.mark.asyncio(loop_scope="session")
FIRST_SUNDAY = datetime(2026, 2, 22, 5, tzinfo=UTC)


async def test_the_most_recent_value_wins(nights: Nights) -> None:
    """Two notes disagree about a price: the week says the later one."""
    await nights.note("The cider press costs 4,000 crowns.", SUNDAY)
    await nights.note("The cider press costs 3,500 crowns.", SUNDAY + timedelta(days=2))
    await nights.until(FIRST_SUNDAY)
    (week,) = await nights.summaries("week")
    assert "3,500" in week.text
    assert "4,000" not in week.text.replace("no longer 4,000", "")


async def test_what_is_said_twice_is_said_once(nights: Nights) -> None:
    """The same note on three days is one statement that rests on all of them, or on one."""
    ids = [await nights.note(NOTES[0], SUNDAY + timedelta(days=step)) for step in range(3)]
    await nights.until(FIRST_SUNDAY)
    (week,) = await nights.summaries("week")
    assert 1 == week.text.count("pgvector")
    assert tuple(ids) == week.leaf_source_ids


async def test_unimportant_statements_are_left_out_of_week_and_month_and_kept_in_the_day(nights: Nights) -> None:
    """A statement of .48 beside one of .9."""
    model = Scoring({"frost": 0.9, "pump": 0.48}, otherwise=0.6)
    scored = nights.but(summarizer=model)
    await scored.note(NOTES[6], SUNDAY)
    await scored.note(NOTES[2], SUNDAY)
    await scored.until(FIRST_SUNDAY)
    await scored.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    made = await scored.app.rollups.summarize("mara", "daily", day=SUNDAY)
    assert "complete" == made.status
    for policy in ("week", "month"):
        (summary,) = await scored.summaries(policy)
        assert [NOTES[6]] == [s.text for s in summary.statements]
        assert NOTES[2] not in summary.text
        assert 2 == len(summary.leaf_source_ids)
    (day,) = await scored.summaries("day")
    assert {NOTES[2], NOTES[6]} == {s.text for s in day.statements}


async def test_it_rises_when_the_more_important_one_is_forgotten(nights: Nights) -> None:
    """The .48 is scored anew without the .9, in day, week and month."""
    scored = nights.but(summarizer=Scoring({"frost": 0.9, "pump": 0.48}))
    frost = await scored.note(NOTES[6], SUNDAY)
    await scored.note(NOTES[2], SUNDAY)
    await scored.until(FIRST_SUNDAY)
    await scored.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    await scored.app.rollups.summarize("mara", "daily", day=SUNDAY)
    await scored.app.memories.forget(frost)
    for policy in ("day", "week", "month"):
        assert all("frost" not in summary.text for summary in await scored.summaries(policy)), policy
    await scored.work()
    for policy in ("day", "week", "month"):
        (summary,) = await scored.summaries(policy)
        assert NOTES[2] == summary.text, policy


async def test_key_insights_are_the_best_ten(nights: Nights) -> None:
    """Four of five, best first, none below the threshold, at most as many as configured."""
    texts = [f"Mara counted {kind} in the upper field." for kind in "apples pears plums quinces cherries figs".split()]
    scores = {"apples": 0.55, "pears": 0.95, "plums": 0.3, "quinces": 0.7, "cherries": 0.5, "figs": 0.8}
    scored = nights.but(summarizer=Scoring(scores))
    for step, text in enumerate(texts):
        await scored.note(text, SUNDAY + timedelta(days=step))
    await scored.until(FIRST_SUNDAY)
    (row,) = (await scored.app.rollups.list("weekly", user_id="mara")).rows
    best = ["pears", "figs", "quinces", "apples"]
    assert [f"Mara counted {kind} in the upper field." for kind in best] == list(row.key_insights)
    few = scored.set(rollups_max_insights=2)
    (row,) = (await few.app.rollups.list("weekly", user_id="mara")).rows
    assert 2 == len(row.key_insights)


async def test_a_days_insights_are_those_above_the_threshold(nights: Nights) -> None:
    """The day keeps the others as statements only."""
    scored = nights.but(summarizer=Scoring({"frost": 0.9, "pump": 0.2}))
    await scored.note(NOTES[6], SUNDAY)
    await scored.note(NOTES[2], SUNDAY)
    await scored.app.rollups.summarize("mara", "daily", day=SUNDAY)
    (row,) = (await scored.app.rollups.list("daily")).rows
    assert (NOTES[6],) == row.key_insights
    assert 2 == row.notes_consolidated


@pytest.mark.parametrize("name", ["day", "week", "month"])
async def test_the_prompts_ask_for_it(nights: Nights, name: str) -> None:
    """Merging, the most recent value, every distinct fact and the score, in one call."""
    prompt = load(name).lower()
    for said in ("most recent", "every distinct fact", "importance, 0 to 1"):
        assert said in prompt
    model = Scoring({})
    scored = nights.but(summarizer=model)
    for text in NOTES:
        await scored.note(text, SUNDAY)
    await scored.until(datetime(2026, 3, 18, 5, tzinfo=UTC))
    (asked,) = [request for request in model.requests if request.policy == name]
    assert load(name) == asked.prompt


async def test_a_month_reads_what_its_weeks_left_out(nights: Nights) -> None:
    """The month rests on all statements of a week, also on those the week does not show."""
    model = Scoring({"frost": 0.9, "pump": 0.48})
    scored = nights.but(summarizer=model)
    await scored.note(NOTES[6], SUNDAY)
    await scored.note(NOTES[2], date(2026, 2, 17))
    await scored.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    (asked,) = [request for request in model.requests if request.policy == "month"]
    assert {NOTES[2], NOTES[6]} == {item.text for item in asked.items}
