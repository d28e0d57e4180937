"""Days, weeks and months, and their runs: by example and for every date and zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.ids import zone_named
from precis.policies.rollups import (
    PeriodKind,
    last_whole,
    month_of_week,
    next_run,
    period_of,
    periods_of,
    run_at,
)

DAY, WEEK, MONTH = PeriodKind.DAY, PeriodKind.WEEK, PeriodKind.MONTH
FIVE = time(5)
ONE = timedelta(days=1)
ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Pacific/Kiritimati",
    "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Pago_Pago",
]  # fmt: skip
dates = st.dates(min_value=date(1990, 1, 1), max_value=date(2060, 12, 31))
moments = st.timedeltas(max_value=timedelta(days=20_000), min_value=timedelta(0)).map(
    lambda since: datetime(1990, 1, 1, tzinfo=UTC) + since
)
zones = st.sampled_from(ZONES).map(zone_named)
times = st.times().map(lambda at: at.replace(second=0, microsecond=0))


def berlin(*when: int) -> datetime:
    """A moment in Berlin, in UTC."""
    year, month, day, *time = when
    hour, minute = (*time, 0, 0)[:2]
    return datetime(year, month, day, hour, minute, tzinfo=ZoneInfo("Europe/Berlin")).astimezone(UTC)


# --- by example ---


@pytest.mark.parametrize(
    ("day", "starts_on", "ends_on"),
    [
        (date(2026, 2, 15), date(2026, 2, 15), date(2026, 2, 21)),  # a Sunday begins the next week
        (date(2026, 2, 18), date(2026, 2, 15), date(2026, 2, 21)),
        (date(2026, 2, 21), date(2026, 2, 15), date(2026, 2, 21)),
        (date(2024, 2, 29), date(2024, 2, 25), date(2024, 3, 2)),
        (date(2027, 1, 1), date(2026, 12, 27), date(2027, 1, 2)),
    ],
)
def test_a_week_is_the_seven_days_before_a_sunday(day: date, starts_on: date, ends_on: date) -> None:
    """Sunday to Saturday, told on the next Sunday."""
    week = period_of(WEEK, day)
    assert (starts_on, ends_on) == (week.starts_on, week.ends_on)
    run = week.runs_on(retain_days=30)
    assert run == ends_on + ONE
    assert run.strftime("%A") == "Sunday"


@pytest.mark.parametrize(
    ("day", "last", "run"),
    [
        (date(2024, 2, 10), date(2024, 2, 29), date(2024, 3, 1)),
        (date(2026, 2, 10), date(2026, 2, 28), date(2026, 3, 1)),
        (date(2026, 12, 31), date(2026, 12, 31), date(2027, 1, 1)),
    ],
)
def test_a_month_is_told_on_the_first(day: date, last: date, run: date) -> None:
    """Leap years and the end of the year among them."""
    month = period_of(MONTH, day)
    assert (day.replace(day=1), last) == (month.starts_on, month.ends_on)
    assert run == month.runs_on(retain_days=30)


def test_names_are_unique_within_a_policy() -> None:
    """A day, a week and a month as they are called in the store."""
    day = date(2026, 2, 18)
    assert ["2026-02-18", "2026-02-15", "2026-02"] == [period_of(kind, day).name for kind in PeriodKind]


def test_the_days_after_the_last_week_are_in_two_months() -> None:
    """February 2026 ends on a Saturday; March on a Tuesday, whose week ends in April."""
    assert [period.name for period in periods_of(MONTH, date(2026, 2, 28))] == ["2026-02"]
    assert [period.name for period in periods_of(MONTH, date(2026, 3, 28))] == ["2026-03"]
    assert [period.name for period in periods_of(MONTH, date(2026, 3, 29))] == ["2026-03", "2026-04"]
    assert month_of_week(date(2026, 3, 31)).name == "2026-04"


def test_a_day_is_compacted_when_all_of_it_is_old_enough() -> None:
    """With 30 days, a note from the last minute of a day is 30 days and 5 hours old at the run."""
    run = run_at(period_of(DAY, date(2026, 1, 1)).runs_on(retain_days=30), UTC, FIVE)
    assert datetime(2026, 2, 1, 5, tzinfo=UTC) == run
    assert run - datetime(2026, 1, 1, 23, 59, tzinfo=UTC) > timedelta(days=30)


def test_five_in_the_morning_is_local() -> None:
    """Also right after the clocks were changed."""
    zone = zone_named("Europe/Berlin")
    assert datetime(2026, 3, 28, 4, tzinfo=UTC) == run_at(date(2026, 3, 28), zone, FIVE)
    assert datetime(2026, 3, 29, 3, tzinfo=UTC) == run_at(date(2026, 3, 29), zone, FIVE)
    assert datetime(2026, 10, 25, 4, tzinfo=UTC) == run_at(date(2026, 10, 25), zone, FIVE)
    assert datetime(2026, 1, 9, 23, 30, tzinfo=UTC) == run_at(date(2026, 1, 10), zone_named("Asia/Kolkata"), FIVE)


@pytest.mark.parametrize(
    ("zone", "day", "at", "utc"),
    [
        ("Europe/Berlin", date(2026, 3, 29), time(2, 30), datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),
        ("America/New_York", date(2026, 3, 8), time(2, 30), datetime(2026, 3, 8, 7, 30, tzinfo=UTC)),
        ("Australia/Lord_Howe", date(2026, 10, 4), time(2, 15), datetime(2026, 10, 3, 15, 45, tzinfo=UTC)),
    ],
)
def test_a_time_that_does_not_exist_comes_later(zone: str, day: date, at: time, utc: datetime) -> None:
    """Half past two is left out when the clocks go forward: the run is an hour later on the clock, and there is one."""
    named = zone_named(zone)
    assert utc == run_at(day, named, at)
    assert utc == next_run(utc - timedelta(minutes=1), named, at)
    assert next_run(utc, named, at).astimezone(named).date() == day + ONE


@pytest.mark.parametrize(
    ("zone", "day", "at", "first"),
    [
        ("Europe/Berlin", date(2026, 10, 25), time(2, 30), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        ("America/New_York", date(2026, 11, 1), time(1, 30), datetime(2026, 11, 1, 5, 30, tzinfo=UTC)),
    ],
)
def test_of_a_time_that_comes_twice_the_first_counts(zone: str, day: date, at: time, first: datetime) -> None:
    """The second half past two of an autumn night is no second run."""
    named = zone_named(zone)
    assert first == run_at(day, named, at)
    assert next_run(first, named, at) > first + timedelta(hours=23)


def test_a_day_that_a_zone_skipped_has_no_run_of_its_own() -> None:
    """Samoa went from the 29th of December 2011 to the 31st."""
    zone = zone_named("Pacific/Apia")
    before = run_at(date(2011, 12, 29), zone, FIVE)
    after = next_run(before, zone, FIVE)
    assert (date(2011, 12, 31), 5) == (after.astimezone(zone).date(), after.astimezone(zone).hour)
    assert timedelta(days=1) == after - before
    assert after < next_run(after, zone, FIVE)


def test_the_last_whole_period_is_the_local_one() -> None:
    """At ten in the evening of a Saturday in New York it is Sunday in UTC: the week of New York is not over."""
    late = datetime(2026, 2, 22, 3, tzinfo=UTC)
    assert date(2026, 2, 21) == last_whole(WEEK, late, UTC).ends_on
    assert date(2026, 2, 14) == last_whole(WEEK, late, zone_named("America/New_York")).ends_on
    assert "2026-01" == last_whole(MONTH, late, UTC).name


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "Europe", "/UTC", "UTC\0", "a" * 5000])
def test_what_is_no_zone_is_refused(name: str) -> None:
    """With the name, and with what a name looks like."""
    with pytest.raises(ValueError, match="is no time zone"):
        zone_named(name)


def test_a_zone_in_small_letters_is_told_as_it_is_written() -> None:
    """It is refused all the same: what is stored is a name that every clock knows."""
    with pytest.raises(ValueError, match="'europe/berlin' is no time zone; did you mean Europe/Berlin"):
        zone_named("europe/berlin")


# --- for every date ---


@given(day=dates, kind=st.sampled_from(PeriodKind))
def test_periods_tile(day: date, kind: PeriodKind) -> None:
    """A day lies in its period, the one before ends the day before, and both are the same from any of their days."""
    period = period_of(kind, day)
    assert period.starts_on <= day <= period.ends_on
    assert period == period_of(kind, period.starts_on) == period_of(kind, period.ends_on)
    assert period.before().ends_on + ONE == period.starts_on


@given(day=dates)
def test_every_day_is_in_one_day_and_one_week(day: date) -> None:
    """And in its own month, by day or by week, and at most in the next one besides."""
    assert [1, 1] == [len(periods_of(kind, day)) for kind in (DAY, WEEK)]
    own, *more = periods_of(MONTH, day)
    assert own == period_of(MONTH, day)
    assert [period.before() for period in more] in ([], [own])


@given(day=dates)
def test_a_month_is_covered_without_gaps_and_once(day: date) -> None:
    """Each day of it lies in a week that ends in it, or after the last of those, where it is told by itself."""
    month = period_of(MONTH, day)
    days = [month.starts_on + ONE * step for step in range((month.ends_on - month.starts_on).days + 1)]
    by_week = [one for one in days if month_of_week(one) == month]
    by_day = [one for one in days if len(periods_of(MONTH, one)) == 2]
    assert days == by_week + by_day
    assert len(by_day) <= 6
    weeks = {period_of(WEEK, one) for one in by_week}
    assert all(month.starts_on <= week.ends_on <= month.ends_on for week in weeks)
    assert len(weeks) in (4, 5)
    # The first of them may begin before the month, with the days that the month before told by themselves.
    early = min(week.starts_on for week in weeks)
    assert all(len(periods_of(MONTH, early + ONE * step)) == 2 for step in range((month.starts_on - early).days))


@given(day=dates, zone=zones, at=times)
def test_no_run_sees_a_period_that_is_not_over(day: date, zone: ZoneInfo, at: time) -> None:
    """Whatever is noted on the day is noted before the run of its day, week and month."""
    noon = datetime.combine(day, time(12), tzinfo=zone).astimezone(UTC)
    for kind in PeriodKind:
        for period in periods_of(kind, noon.astimezone(zone).date()):
            assert noon < run_at(period.runs_on(retain_days=0), zone, at)


@given(now=moments, zone=zones, at=times)
def test_the_next_run_is_soon_and_the_first(now: datetime, zone: ZoneInfo, at: time) -> None:
    """Within 26 hours also where clocks are changed; two days where a date is skipped; no other run in between."""
    run = next_run(now, zone, at)
    assert now < run <= now + timedelta(hours=50)
    assert run == next_run(run - timedelta(microseconds=1), zone, at)


@given(now=moments, zone=zones, at=times)
def test_runs_are_a_day_apart(now: datetime, zone: ZoneInfo, at: time) -> None:
    """A week of runs: none twice, none left out."""
    runs = [now]
    for _ in range(8):
        runs.append(next_run(runs[-1], zone, at))
    gaps = [later - earlier for earlier, later in pairwise(runs[1:])]
    assert all(timedelta(hours=22) <= gap <= timedelta(hours=26) for gap in gaps)
