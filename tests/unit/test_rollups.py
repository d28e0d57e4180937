"""Where notes belong, when their periods are due, and which insights are key: by example and for every moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.engine.policy import Originals, Place, Placing
from precis.engine.segments import Kind
from precis.ids import zone_named
from precis.memory import Memory, MemoryType, Scope, Tier
from precis.policies.rollups import PeriodKind, Rollups, next_run, places, rollups
from precis.summary import Statement

MOMENTS = st.timedeltas(max_value=timedelta(days=20_000), min_value=timedelta(0)).map(
    lambda since: datetime(1995, 1, 1, tzinfo=UTC) + since
)
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Asia/Kathmandu"])


def note(at: datetime, **fields: Any) -> Memory:
    """A note of that time."""
    given = {"memory_type": MemoryType.EPISODIC, "metadata": {"kind": "note"}} | fields
    scope = Scope(tenant_id="t", user_id="mara")
    return Memory(id="n", scope=scope, text="Frost.", created_at=at, updated_at=at, **given)


def placed(memory: Memory, now: datetime, zone: str = "UTC", settings: Rollups | None = None) -> dict[str, list[Place]]:
    """The places of a note by policy, as the store asks for them."""
    placing = Placing(now=now, zones={"mara": zone})
    found = {name: policy.place for name, policy in rollups(settings).items()}
    return {name: list(place(memory, placing)) for name, place in found.items() if place is not None}


def test_a_note_has_a_day_a_week_and_a_month() -> None:
    """With their dates, when each is due, and that the week is a part of the month."""
    at = datetime(2026, 2, 17, 9, tzinfo=UTC)
    found = placed(note(at), at)
    (day,), (week,), (month,) = found["day"], found["week"], found["month"]
    assert ("2026-02-17", datetime(2026, 3, 20, 5, tzinfo=UTC)) == (day.name, day.due_at)
    assert ("2026-02-15", datetime(2026, 2, 22, 5, tzinfo=UTC)) == (week.name, week.due_at)
    assert ("2026-02", datetime(2026, 3, 1, 5, tzinfo=UTC)) == (month.name, month.due_at)
    assert (month.policy, month.name) == week.part_of
    assert month.group_id == week.whole_id


def test_a_note_of_the_last_days_is_in_two_months() -> None:
    """In its own by day, in the next as a part of the week."""
    at = datetime(2026, 3, 30, 9, tzinfo=UTC)
    found = placed(note(at), at)
    assert [("2026-03", 1), ("2026-04", 1)] == [(one.name, one.due_at.day) for one in found["month"] if one.due_at]
    assert found["month"][1].group_id == found["week"][0].whole_id


@pytest.mark.parametrize(
    "fields",
    [
        {"memory_type": MemoryType.SEMANTIC},
        {"memory_type": MemoryType.MESSAGE},
        {"metadata": {}},
        {"metadata": {"kind": "Note"}},
        {"metadata": {"kind": ["note"]}},
        {"is_summary": True},
    ],
)
def test_what_is_no_note_has_no_place(fields: dict[str, Any]) -> None:
    """Neither a fact nor a message nor a summary, nor an episodic memory of another kind."""
    at = datetime(2026, 2, 17, 9, tzinfo=UTC)
    assert {"day": [], "week": [], "month": []} == placed(note(at, **fields), at)


def test_the_first_year_has_no_calendar() -> None:
    """There is no week before the first: such a note is written, and no period is its."""
    at = datetime(1, 1, 1, tzinfo=UTC)
    assert [] == placed(note(at), at + timedelta(days=800_000), "America/New_York")["week"]
    assert placed(note(at.replace(year=2)), at + timedelta(days=800_000), "America/New_York")["week"]


def test_a_zone_that_is_unknown_here_is_utc() -> None:
    """The write goes on: the name was good where it was set."""
    at = datetime(2026, 2, 17, 23, 30, tzinfo=UTC)
    assert "2026-02-17" == placed(note(at), at, "Moon/Tycho")["day"][0].name
    assert "2026-02-18" == placed(note(at), at, "Europe/Berlin")["day"][0].name


def test_switched_off_nothing_is_due() -> None:
    """But every note keeps its places, to be made up later."""
    at = datetime(2026, 2, 17, 9, tzinfo=UTC)
    off = Rollups(enabled=False)
    assert {None} == {one.due_at for found in placed(note(at), at, settings=off).values() for one in found}
    assert {True} == {policy.paused for policy in rollups(off).values()}


def test_the_policies_are_as_the_document_says() -> None:
    """Notes of a day are replaced; weeks and months leave theirs and show only what matters."""
    found = rollups(Rollups(min_importance=0.6, model="small"))
    assert ["day", "week", "month"] == list(found)
    assert [Tier.DAY, Tier.WEEK, Tier.MONTH] == [policy.tier for policy in found.values()]
    assert [0.0, 0.6, 0.6] == [policy.served_from for policy in found.values()]
    assert [Originals.REPLACE, Originals.KEEP, Originals.KEEP] == [policy.originals for policy in found.values()]
    assert {"small"} == {policy.summarize.model for policy in found.values()}


@given(read=st.integers(min_value=1, max_value=6_000))
def test_a_day_is_shorter_than_its_notes_unless_they_are_few(read: int) -> None:
    """Seven tenths of what it reads; under 120 tokens nothing is pressed out."""
    limit = rollups()["day"].budget.for_kind(Kind.ROOT, read)
    assert limit < read if read > 120 else limit == 120


def test_key_insights_are_sorted_cut_and_current() -> None:
    """Three of four, best first, in their order where they are equal, without what a newer value displaced."""
    scores = (0.5, 0.9, 0.49, 0.7, 0.9, 0.95)
    said = [Statement(text=str(at), importance=score, source_ids=("n",)) for at, score in enumerate(scores)]
    said[5] = replace(said[5], superseded_by=1)
    assert ("1", "4", "3") == Rollups().key_insights(said)
    assert ("1", "4") == Rollups(max_insights=2).key_insights(said)


@given(at=MOMENTS, ago=st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=3000)), zone=ZONES)
def test_a_note_is_never_due_before_its_period_is_over_nor_forgotten(at: datetime, ago: timedelta, zone: str) -> None:
    """Whenever it comes: due after now and after the period, at a run, and in the night when the period is past."""
    now, settings = at + ago, Rollups()
    local = zone_named(zone)
    coming = next_run(now, local, settings.schedule_time)
    for found in placed(note(at), now, zone).values():
        for place in found:
            assert place.due_at is not None
            assert place.ends_on is not None
            assert place.starts_on is not None
            assert place.starts_on <= place.ends_on
            assert now < place.due_at
            assert place.due_at.astimezone(local).date() > place.ends_on
            assert place.due_at == next_run(place.due_at - timedelta(seconds=1), local, settings.schedule_time)
            over = datetime.combine(place.ends_on + timedelta(days=33), time(5), tzinfo=local) < now
            assert not over or coming == place.due_at


@given(at=MOMENTS, zone=ZONES)
def test_every_note_is_in_one_day_one_week_and_one_or_two_months(at: datetime, zone: str) -> None:
    """And its day lies in its week; in its first month by date, in the last by the end of its week."""
    found = placed(note(at), at, zone)
    assert [1, 1] == [len(found["day"]), len(found["week"])]
    assert len(found["month"]) in (1, 2)
    (day,), (week,) = found["day"], found["week"]
    assert day.starts_on is not None
    assert week.starts_on is not None
    assert week.ends_on is not None
    assert week.starts_on <= day.starts_on <= week.ends_on
    assert timedelta(days=6) == week.ends_on - week.starts_on
    assert day.starts_on.strftime("%Y-%m") == found["month"][0].name
    assert week.ends_on.strftime("%Y-%m") == found["month"][-1].name
    assert week.part_of == (PeriodKind.MONTH, found["month"][-1].name)
    assert {"mara"} == {place.user_id for places in found.values() for place in places}


def test_places_take_the_scope_of_the_note() -> None:
    """Two projects never share a week."""
    at = datetime(2026, 2, 17, 9, tzinfo=UTC)
    scope = Scope(tenant_id="t", user_id="mara", project_id="orchard", environment="staging")
    found = places(replace(note(at), scope=scope), Placing(now=at), kind=PeriodKind.WEEK, settings=Rollups())
    assert [("mara", "orchard", "staging")] == [(one.user_id, one.project_id, one.environment) for one in found]
