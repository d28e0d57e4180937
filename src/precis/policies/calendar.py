"""Days, weeks and months as a user lives them, and the run that is the first to see each of them whole. Pure.

All dates are local ones. A day is 23 to 25 hours long where clocks are changed, and a zone may skip one altogether.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_DAY = timedelta(days=1)
#: Weekday of the last day of a week: the run is on Sunday, and a week is the 7 whole days before it.
_SATURDAY = 5


class PeriodKind(StrEnum):
    """What is summarized as a whole; each is a policy of the same name."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, kw_only=True, slots=True)
class Period:
    """One day, week or month."""

    kind: PeriodKind
    starts_on: date
    #: Inclusive.
    ends_on: date

    @property
    def name(self) -> str:
        """``2026-02-17`` for a day, ``2026-02-15`` for the week that begins then, ``2026-02`` for a month."""
        return self.starts_on.isoformat()[: 7 if self.kind is PeriodKind.MONTH else 10]

    def runs_on(self, *, retain_days: int) -> date:
        """The date of its run: a week's Sunday, the first after a month, and for a day when all of it is old enough."""
        wait = retain_days if self.kind is PeriodKind.DAY else 0
        return self.ends_on + _DAY * (wait + 1)

    def before(self) -> Period:
        """The period before this one."""
        return period_of(self.kind, self.starts_on - _DAY)


def zone_named(name: str) -> tzinfo:
    """The time zone of an IANA name. Raises ValueError where there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError) as error:
        raise ValueError(f"{name!r} is no time zone; one is named like Europe/Berlin, or UTC") from error


def period_of(kind: PeriodKind, day: date) -> Period:
    """The period of this kind that a day lies in."""
    match kind:
        case PeriodKind.DAY:
            return Period(kind=kind, starts_on=day, ends_on=day)
        case PeriodKind.WEEK:
            end = day + _DAY * ((_SATURDAY - day.weekday()) % 7)
            return Period(kind=kind, starts_on=end - 6 * _DAY, ends_on=end)
        case PeriodKind.MONTH:
            return Period(kind=kind, starts_on=day.replace(day=1), ends_on=_month_end(day))


def periods_of(kind: PeriodKind, day: date) -> tuple[Period, ...]:
    """The periods of this kind that read what was noted on a day: one day, one week, and one or two months.

    A month reads the weeks that end in it. The days after its last week are told in it day by day, and once more in
    the next month, as a part of the week that ends there.
    """
    own = period_of(kind, day)
    if kind is not PeriodKind.MONTH:
        return (own,)
    of_week = month_of_week(day)
    return (own,) if own == of_week else (own, of_week)


def month_of_week(day: date) -> Period:
    """The month that reads the week of a day: the one in which the week ends."""
    return period_of(PeriodKind.MONTH, period_of(PeriodKind.WEEK, day).ends_on)


def run_at(day: date, zone: tzinfo, at: time) -> datetime:
    """The moment, in UTC, of the run of a local date.

    A time that the change of clocks leaves out comes as much later as the clocks were put forward; of one that comes
    twice, it is the first.
    """
    return datetime.combine(day, at, tzinfo=zone).astimezone(UTC)


def next_run(now: datetime, zone: tzinfo, at: time) -> datetime:
    """The first run after ``now``."""
    today = now.astimezone(zone).date()
    return next(run for step in range(-1, 4) if (run := run_at(today + _DAY * step, zone, at)) > now)


def last_whole(kind: PeriodKind, now: datetime, zone: tzinfo) -> Period:
    """The last period of this kind that is over."""
    return period_of(kind, now.astimezone(zone).date()).before()


def _month_end(day: date) -> date:
    next_month = day.replace(day=28) + 4 * _DAY
    return next_month - _DAY * next_month.day
