"""S1.1: old days are compacted at night, a week is told on Sunday, a month on the first; weeks and months stay."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from nights import NOTES, SUNDAY, Nights, Scoring

from precis.language.dating.resolving import dated
from precis.memory import Memory, RetentionState, Tier

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: A day on which enough is said, some of it twice, that it can be told in fewer words.
LONG_DAY = (
    *NOTES,
    "Mara met the baker about the cider, and he wants 30 bottles a week from September on.",
    "The baker of the harbor wants 30 bottles of cider a week from September on, Mara says.",
    "Tomas drove the old tractor to the workshop in Ystad because of its clutch.",
)


async def long_day(nights: Nights, day: date) -> list[str]:
    """Ten notes between eight and five."""
    at = datetime(day.year, day.month, day.day, 8, tzinfo=UTC)
    return [await nights.note(text, at + timedelta(hours=step)) for step, text in enumerate(LONG_DAY)]


async def test_a_week_is_made_on_sunday_at_five(nights: Nights) -> None:
    """Not a minute before, and of the seven whole days from Sunday to Saturday."""
    nights.clock.now = datetime(2026, 2, 21, 13, tzinfo=UTC)
    ids = await nights.week()
    await nights.until(datetime(2026, 2, 22, 4, 59, tzinfo=UTC))
    assert await nights.summaries("week") == ()
    nights.clock.now += timedelta(seconds=30)
    outside = await nights.note("This belongs to the next week.", datetime(2026, 2, 22, 0, 10, tzinfo=UTC))
    await nights.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    (week,) = await nights.summaries("week")
    assert (SUNDAY, SUNDAY + timedelta(days=6)) == (week.starts_on, week.ends_on)
    assert tuple(ids) == week.parent_id == week.leaf_source_ids
    assert outside not in week.leaf_source_ids
    assert Tier.WEEK == week.tier


async def test_the_month_is_made_on_the_first_of_its_weeks(nights: Nights) -> None:
    """Its direct sources are the weeks that ended in it and the notes of the days after them; its leaves the notes."""
    nights.clock.now = datetime(2026, 3, 31, 22, tzinfo=UTC)
    first = await nights.week(date(2026, 3, 15))
    late = [await nights.note(text, date(2026, 3, 30)) for text in NOTES[:2]]
    await nights.until(datetime(2026, 4, 1, 5, tzinfo=UTC))
    (week,) = await nights.summaries("week")
    (month,) = await nights.summaries("month")
    assert (date(2026, 3, 1), date(2026, 3, 31)) == (month.starts_on, month.ends_on)
    assert (week.id, *late) == month.parent_id
    assert (*first, *late) == month.leaf_source_ids
    assert set(first) & {id_ for s in month.statements for id_ in s.source_ids}


async def test_the_last_days_are_in_the_next_month_as_well(nights: Nights) -> None:
    """The week of the 29th of March ends in April: April tells it as a week, March its first three days."""
    nights.clock.now = datetime(2026, 4, 4, 22, tzinfo=UTC)
    ids = await nights.week(date(2026, 3, 29))
    await nights.until(datetime(2026, 5, 1, 5, tzinfo=UTC))
    march, april = await nights.summaries("month")
    (week,) = await nights.summaries("week")
    assert tuple(ids[:3]) == march.parent_id
    assert (week.id,) == april.parent_id
    assert tuple(ids) == april.leaf_source_ids


def expired(rows: Iterable[Memory]) -> set[str]:
    """Those whose text is gone."""
    return {row.id for row in rows if row.retention_state is RetentionState.EXPIRED and row.text is None}


async def test_old_days_are_replaced_by_their_compacted_form(nights: Nights) -> None:
    """After 30 whole days the notes that the day says in full are gone; it has fewer tokens, and is recalled."""
    nights.clock.now = datetime(2026, 2, 15, 18, tzinfo=UTC)
    ids = await long_day(nights, SUNDAY)
    await nights.until(datetime(2026, 3, 18, 4, 59, tzinfo=UTC))
    assert await nights.summaries("day") == ()
    await nights.nightly(date(2026, 3, 18), 1)
    (day,) = await nights.summaries("day")
    count = nights.runtime.engine.count
    assert (SUNDAY, SUNDAY) == (day.starts_on, day.ends_on)
    assert count(day.text) < sum(map(count, LONG_DAY))
    rows = await nights.app.memories.get_many(ids)
    gone = expired(rows.values())
    assert len(gone) >= 0.8 * len(ids)
    # Nothing is said twice on this day, so what there is no room for stays as it was written.
    texts = dict(zip(ids, LONG_DAY, strict=True))
    assert all(dated(texts[id_], SUNDAY) in day.text for id_ in gone)
    assert {texts[id_] for id_ in set(ids) - gone} == {row.text for row in rows.values() if row.text is not None}
    hits = await nights.app.recall.search("cider for the baker", user_id="mara")
    assert day.id in {hit.memory.id for hit in hits}


async def test_younger_days_keep_their_notes(nights: Nights) -> None:
    """A day younger than the setting is not touched; another setting, another night."""
    nights.clock.now = datetime(2026, 2, 16, 18, tzinfo=UTC)
    ids = await long_day(nights, SUNDAY)
    short = nights.set(rollups_retain_days=7)
    await short.nightly(date(2026, 2, 22), 1)
    assert all(row.text for row in (await nights.app.memories.get_many(ids)).values())
    await short.nightly(date(2026, 2, 23), 1)
    assert len(expired((await nights.app.memories.get_many(ids)).values())) >= 0.8 * len(ids)


async def test_a_day_that_would_not_be_shorter_keeps_its_notes(nights: Nights) -> None:
    """Two short notes that say different things: nothing is replaced, and the run says so."""
    nights.clock.now = datetime(2026, 2, 15, 18, tzinfo=UTC)
    ids = [await nights.note(text, SUNDAY) for text in NOTES[:2]]
    await nights.nightly(date(2026, 3, 18), 2)
    assert list(NOTES[:2]) == [(await nights.app.memories.get(id_)).text for id_ in ids]
    made = await nights.app.rollups.summarize("mara", "daily")
    assert (SUNDAY,) == made.days_kept


async def test_weeks_and_months_are_kept(nights: Nights) -> None:
    """Two years later they say what they said, although every note of theirs has expired."""
    nights.clock.now = datetime(2026, 2, 15, 18, tzinfo=UTC)
    ids = await long_day(nights, SUNDAY)
    await nights.nightly(date(2026, 2, 22), 40)
    before = [await nights.summaries(policy) for policy in ("week", "month")]
    await nights.nightly(date(2028, 3, 1), 3)
    assert len(expired((await nights.app.memories.get_many(ids)).values())) >= 0.8 * len(ids)
    after = [await nights.summaries(policy) for policy in ("week", "month")]
    assert [[s.text for s in one] for one in before] == [[s.text for s in one] for one in after]
    assert all(one and one[0].text for one in after)


async def test_only_notes_are_rolled_up(nights: Nights) -> None:
    """A semantic memory, an episodic one of another kind and a message belong to no day."""
    others: tuple[dict[str, Any], ...] = ({"memory_type": "semantic"}, {"metadata": {"kind": "log"}}, {"metadata": {}})
    for fields in others:
        await nights.note(NOTES[0], SUNDAY, **fields)
    await nights.until(datetime(2026, 5, 1, 5, tzinfo=UTC))
    for policy in ("day", "week", "month"):
        assert await nights.summaries(policy) == ()


async def test_other_kinds_can_be_notes(nights: Nights) -> None:
    """As configured."""
    journal = nights.set(rollups_note_kinds=["journal"])
    await journal.note(NOTES[0], SUNDAY, metadata={"kind": "journal"})
    await journal.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    assert len(await journal.summaries("week")) == 1


async def test_users_and_projects_do_not_mix(nights: Nights) -> None:
    """Each has a week of its own."""
    await nights.note(NOTES[0], SUNDAY)
    await nights.note(NOTES[1], SUNDAY, user_id="tomas")
    await nights.note(NOTES[2], SUNDAY, project_id="orchard")
    await nights.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    weeks = await nights.summaries("week")
    assert {("mara", ""), ("tomas", ""), ("mara", "orchard")} == {(w.scope.user_id, w.scope.project_id) for w in weeks}
    assert [1, 1, 1] == [len(week.leaf_source_ids) for week in weeks]


async def test_nights_without_notes_make_nothing(nights: Nights) -> None:
    """No empty summaries, and no model call for them."""
    model = Scoring({})
    quiet = nights.but(summarizer=model)
    assert await quiet.nightly(date(2026, 2, 22), 10) == []
    assert [] == model.requests
