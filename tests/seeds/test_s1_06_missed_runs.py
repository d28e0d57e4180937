"""S1.6: a run that was missed is made up once, not skipped and not doubled; in any zone."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest
from nights import NOTES, SUNDAY, Nights, Scoring

from precis.engine.drafted import Result
from precis.errors import InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_downtime_over_two_sundays_and_a_first(nights: Nights) -> None:
    """Up again on the 3rd of March: two weeks, one month, each once; nothing the second time."""
    await nights.week()
    await nights.week(date(2026, 2, 22))
    outcomes = await nights.until(datetime(2026, 3, 3, 10, tzinfo=UTC))
    # Beside them the cluster of what Mara did.
    assert {Result.COMMITTED} == {outcome.result for outcome in outcomes}
    assert len(outcomes) == len({outcome.group_id for outcome in outcomes})
    assert [2, 1] == [len(await nights.summaries(policy)) for policy in ("week", "month")]
    (month,) = await nights.summaries("month")
    assert 2 == len(month.parent_id)
    assert [] == await nights.until(datetime(2026, 3, 3, 11, tzinfo=UTC))
    assert [] == await nights.until(datetime(2026, 3, 4, 5, tzinfo=UTC))


async def test_weekly_comes_before_monthly(nights: Nights) -> None:
    """The 1st of March 2026 is a Sunday: the month rests on the week of the same night, and is made once."""
    model = Scoring({})
    once = nights.but(summarizer=model)
    await once.week(date(2026, 2, 22))
    await once.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    assert ["week", "month"] == [r.policy for r in model.requests if r.policy in ("week", "month")]
    (week,) = await once.summaries("week")
    (month,) = await once.summaries("month")
    assert (week.id,) == month.parent_id


async def test_several_schedulers_make_it_once(nights: Nights) -> None:
    """Four workers at the same second: each period is made by one of them."""
    model = Scoring({})
    busy = nights.but(summarizer=model)
    for step in range(4):
        await busy.week(SUNDAY + timedelta(days=7 * step))
    busy.clock.now = datetime(2026, 3, 16, 5, tzinfo=UTC)
    made = await asyncio.gather(*(busy.work() for _ in range(4)))
    committed = [one.group_id for outcomes in made for one in outcomes if one.result is Result.COMMITTED]
    assert len(set(committed)) == len(committed)
    asked = [request.policy for request in model.requests]
    assert (4, 1) == (asked.count("week"), asked.count("month"))


async def test_a_late_note_is_told_the_next_night(nights: Nights) -> None:
    """Written on Wednesday for the Monday before: week and month follow in the night, once."""
    await nights.week()
    await nights.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    nights.clock.now = datetime(2026, 3, 4, 12, tzinfo=UTC)
    late = await nights.note("The museum in Malmo buys the cider press on the 9th of May.", date(2026, 2, 16))
    assert [] == await nights.work()
    outcomes = await nights.until(datetime(2026, 3, 5, 5, tzinfo=UTC))
    assert 2 == len(outcomes)
    for policy in ("week", "month"):
        (summary,) = await nights.summaries(policy)
        assert late in summary.leaf_source_ids
        assert "museum" in summary.text
    assert [] == await nights.until(datetime(2026, 3, 6, 5, tzinfo=UTC))


async def test_a_late_note_of_a_compacted_day(nights: Nights) -> None:
    """The day's notes are gone; the new one is told with what they said, and goes as well."""
    for at, text in enumerate((*NOTES, *NOTES)):
        await nights.note(text, datetime(2026, 2, 15, 8, at, tzinfo=UTC))
    await nights.nightly(date(2026, 3, 18), 1)
    (before,) = await nights.summaries("day")
    late = await nights.note("Mara sold the cider press to the Malmo museum.", date(2026, 2, 15))
    await nights.nightly(date(2026, 3, 19), 1)
    (day,) = await nights.summaries("day")
    assert (before.id, 15) == (day.id, len(day.leaf_source_ids))
    assert "museum" in day.text
    assert "pgvector" in day.text
    assert (await nights.app.memories.get(late)).text is None


async def test_a_year_that_is_imported_is_made_in_one_night(nights: Nights) -> None:
    """Back-filled notes of the past: every week and month of theirs, once."""
    nights.clock.now = datetime(2026, 2, 18, 12, tzinfo=UTC)
    rows = [
        {
            "text": text, "user_id": "mara", "memory_type": "episodic", "metadata": {"kind": "note"},
            "created_at": datetime(2025, 3, 2, 9, tzinfo=UTC) + timedelta(weeks=week),
        }
        for week in range(48)
        for text in NOTES[:2]
    ]  # fmt: skip
    await nights.app.memories.add(rows, summarize="deferred")
    assert [] == [one for one in await nights.work() if one.result is not Result.COMMITTED]
    assert () == await nights.summaries("week")
    await nights.nightly(date(2026, 2, 19), 2)
    weeks, months = await nights.summaries("week"), await nights.summaries("month")
    assert [date(2025, 3, 2) + timedelta(weeks=week) for week in range(48)] == [week.starts_on for week in weeks]
    assert [f"2025-{month:02}" for month in range(3, 13)] + ["2026-01"] == [
        month.starts_on.isoformat()[:7] for month in months if month.starts_on
    ]
    assert 96 == sum(len(week.leaf_source_ids) for week in weeks)


async def test_a_forget_does_not_make_a_week_before_its_time(nights: Nights) -> None:
    """A note of the running week is forgotten: the week is made on Sunday all the same, without it."""
    ids = await nights.week(SUNDAY)
    nights.clock.now = datetime(2026, 2, 21, 13, tzinfo=UTC)
    await nights.app.memories.forget(ids[0])
    await nights.work()
    assert () == await nights.summaries("week")
    await nights.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    (week,) = await nights.summaries("week")
    assert tuple(ids[1:]) == week.leaf_source_ids


async def test_a_forgotten_note_leaves_day_week_and_month(nights: Nights) -> None:
    """At once, also when its text had expired; and they are made anew without it."""
    texts = (*NOTES, *(f"Mara weighed {kind}: 12 crates." for kind in ("pears", "plums", "figs")))
    ids = [await nights.note(text, datetime(2026, 2, 15, 8, at, tzinfo=UTC)) for at, text in enumerate(texts)]
    await nights.nightly(date(2026, 2, 22), 1)
    await nights.nightly(date(2026, 3, 1), 1)
    await nights.nightly(date(2026, 3, 18), 1)
    receipt = await nights.app.memories.forget(ids[0])
    assert receipt.statements_removed
    for _ in range(2):
        for policy in ("day", "week", "month"):
            (summary,) = await nights.summaries(policy)
            assert "pgvector" not in summary.text
            assert ids[0] not in summary.leaf_source_ids
        await nights.work()


async def test_an_edited_note_is_told_anew(nights: Nights) -> None:
    """The old text leaves week and month at once; what is no note any more leaves them altogether."""
    ids = await nights.week(date(2026, 2, 15))
    await nights.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    await nights.app.memories.edit(ids[0], {"text": "Mara chose a paper card index for the orchard catalog."})
    for policy in ("week", "month"):
        (summary,) = await nights.summaries(policy)
        assert "pgvector" not in summary.text
    await nights.work()
    for policy in ("week", "month"):
        (summary,) = await nights.summaries(policy)
        assert "card index" in summary.text
    await nights.app.memories.edit(ids[0], {"metadata": {"kind": "draft"}})
    await nights.work()
    for policy in ("week", "month"):
        (summary,) = await nights.summaries(policy)
        assert tuple(ids[1:]) == summary.leaf_source_ids
        assert "card index" not in summary.text


async def test_a_week_that_failed_lands_later_and_the_month_follows(nights: Nights) -> None:
    """The model refuses on Sunday; when it answers again, week and month are put right, each once."""
    model = Scoring({})
    failing = nights.but(summarizer=model, fallback=model, retry_after=lambda attempts: timedelta(hours=30))
    await failing.week(date(2026, 2, 22))
    model.error = OSError("down")
    await failing.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    assert () == await failing.summaries("week")
    model.error = None
    await failing.until(datetime(2026, 3, 2, 12, tzinfo=UTC))
    (week,) = await failing.summaries("week")
    (month,) = await failing.summaries("month")
    assert (week.id,) == month.parent_id


async def test_no_note_goes_before_its_week_was_told(nights: Nights) -> None:
    """With one day of retention, Monday's note is compacted on Wednesday and stays until Sunday's week has read it."""
    short = nights.set(rollups_retain_days=1)
    ids = [await short.note(text, datetime(2026, 2, 16, 8, at, tzinfo=UTC)) for at, text in enumerate((*NOTES, *NOTES))]
    await short.nightly(date(2026, 2, 18), 4)
    assert 1 == len(await short.summaries("day"))
    assert all(row.text for row in (await short.app.memories.get_many(ids)).values())
    await short.nightly(date(2026, 2, 22), 1)
    (week,) = await short.summaries("week")
    assert set(ids) == set(week.leaf_source_ids)
    assert {None} == {row.text for row in (await short.app.memories.get_many(ids)).values()}
    await short.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    (month,) = await short.summaries("month")
    assert (week.id,) == month.parent_id


async def test_pinned_notes_stay(nights: Nights) -> None:
    """Whatever becomes of the rest of their day."""
    pinned = await nights.note("Mara's blood group is 0 negative.", SUNDAY, pinned=True)
    for at, text in enumerate((*NOTES, *NOTES)):
        await nights.note(text, datetime(2026, 2, 15, 8, at, tzinfo=UTC))
    await nights.nightly(date(2026, 3, 18), 2)
    assert (await nights.app.memories.get(pinned)).text


# --- zones ---


async def test_five_in_the_morning_where_the_user_lives(nights: Nights) -> None:
    """In New York Sunday begins at five in UTC, and its run is at ten."""
    await nights.app.rollups.set_zone("America/New_York", user_id="mara")
    saturday = await nights.note(NOTES[0], datetime(2026, 2, 22, 3, tzinfo=UTC))
    sunday = await nights.note(NOTES[1], datetime(2026, 2, 22, 5, 30, tzinfo=UTC))
    await nights.until(datetime(2026, 2, 22, 9, 59, tzinfo=UTC))
    assert () == await nights.summaries("week")
    await nights.until(datetime(2026, 2, 22, 10, tzinfo=UTC))
    (week,) = await nights.summaries("week")
    assert (saturday,) == week.leaf_source_ids
    assert sunday not in week.leaf_source_ids


async def test_the_tenants_zone_is_everybodys_who_has_none(nights: Nights) -> None:
    """A user's own is stronger; unset, it is the tenant's again."""
    rollups = nights.app.rollups
    await rollups.set_zone("Asia/Kolkata")
    await rollups.set_zone("Europe/Berlin", user_id="tomas")
    assert {"": "Asia/Kolkata", "tomas": "Europe/Berlin"} == await rollups.zones()
    at = datetime(2026, 2, 21, 19, tzinfo=UTC)
    for user in ("mara", "tomas"):
        await nights.note(NOTES[0], at, user_id=user)
    await nights.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    starts = {week.scope.user_id: week.starts_on for week in await nights.summaries("week")}
    assert {"mara": date(2026, 2, 22), "tomas": SUNDAY} == starts
    await rollups.set_zone(None, user_id="tomas")
    assert {"": "Asia/Kolkata"} == await rollups.zones()


async def test_a_changed_zone_moves_notes(nights: Nights) -> None:
    """A note of Saturday evening in UTC is one of Sunday in Berlin: both weeks are put right in the next night."""
    ids = await nights.week()
    late = await nights.note("Mara sold the old cider press.", datetime(2026, 2, 21, 23, 30, tzinfo=UTC))
    await nights.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    (week,) = await nights.summaries("week")
    assert late in week.leaf_source_ids
    assert 1 == await nights.app.rollups.set_zone("Europe/Berlin", user_id="mara")
    await nights.until(datetime(2026, 3, 2, 5, tzinfo=UTC))
    first, second = await nights.summaries("week")
    assert (tuple(ids), (late,)) == (first.leaf_source_ids, second.leaf_source_ids)
    assert "cider press" not in first.text
    assert 0 == await nights.app.rollups.set_zone("Europe/Berlin", user_id="mara")


async def test_notes_that_were_compacted_stay_in_their_day(nights: Nights) -> None:
    """Their day is told; a changed zone moves what is still there."""
    for at, text in enumerate((*NOTES, *NOTES)):
        await nights.note(text, datetime(2026, 2, 15, 23, at, tzinfo=UTC))
    await nights.nightly(date(2026, 3, 18), 1)
    (before,) = await nights.summaries("day")
    assert 0 == await nights.app.rollups.set_zone("Asia/Tokyo", user_id="mara")
    await nights.nightly(date(2026, 3, 19), 2)
    (after,) = await nights.summaries("day")
    assert (before.text, before.starts_on) == (after.text, after.starts_on)


async def test_the_night_the_clocks_change(nights: Nights) -> None:
    """In Berlin the 29th of March 2026 is a Sunday of 23 hours: its run is at three in UTC, not at four."""
    await nights.app.rollups.set_zone("Europe/Berlin", user_id="mara")
    await nights.week(date(2026, 3, 22))
    await nights.until(datetime(2026, 3, 29, 2, 59, tzinfo=UTC))
    assert () == await nights.summaries("week")
    await nights.until(datetime(2026, 3, 29, 3, tzinfo=UTC))
    assert 1 == len(await nights.summaries("week"))


async def test_what_is_no_zone_is_refused(nights: Nights) -> None:
    """And changes nothing."""
    with pytest.raises(InvalidInput, match="Olympus"):
        await nights.app.rollups.set_zone("Mars/Olympus", user_id="mara")
    assert {} == await nights.app.rollups.zones()
