"""The days that a phrase means, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from precis.language.dates import MONTH_NAMES, SEASONS, in_words

DAY = timedelta(days=1)


class Unit(StrEnum):
    """How exactly the days are known."""

    DAYS = "days"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """The days from the first to the last."""

    first: date
    last: date
    unit: Unit = Unit.DAYS
    #: What stands before it: "about", "since about", "by".
    lead: str = ""


#: What a phrase may mean: nothing that is known, one time, or one of two.
Spans = tuple[Span, ...]


def days(first: date, last: date | None = None, lead: str = "") -> Span:
    """A day, or some."""
    return Span(first=first, last=last or first, lead=lead)


def week_of(day: date) -> Span:
    """From its Monday to its Sunday."""
    monday = day - day.weekday() * DAY
    return days(monday, monday + 6 * DAY)


def weekend_of(day: date) -> Span:
    """Saturday and Sunday of its week."""
    monday = day - day.weekday() * DAY
    return days(monday + 5 * DAY, monday + 6 * DAY)


def month_of(day: date, step: int = 0, lead: str = "") -> Span:
    """The month so many after that of a day. Raises ValueError for none that a calendar has."""
    months = day.year * 12 + day.month - 1 + step
    first = date(months // 12, months % 12 + 1, 1)
    last = date((months + 1) // 12, (months + 1) % 12 + 1, 1) - DAY
    return Span(first=first, last=last, unit=Unit.MONTH, lead=lead)


def year(number: int, lead: str = "") -> Span:
    """A year. Raises ValueError for none that a calendar has."""
    return Span(first=date(number, 1, 1), last=date(number, 12, 31), unit=Unit.YEAR, lead=lead)


def _month(day: date) -> str:
    return MONTH_NAMES[day.month].capitalize()


def written(spans: Sequence[Span]) -> str:
    """In English words; of several, any may be meant: ``7 July or 14 July 2023``."""
    parts = [_written(span) for span in spans]
    if len({part.rsplit(" ", 1)[-1] for part in parts}) == 1 and all(span.unit is Unit.DAYS for span in spans):
        parts = [*(part.rsplit(" ", 1)[0] for part in parts[:-1]), parts[-1]]
    return " or ".join(parts)


def _written(span: Span) -> str:
    first, last = span.first, span.last
    match span.unit:
        case Unit.YEAR:
            text = str(first.year)
        case Unit.MONTH:
            text = f"{_month(first)} {first.year}"
        case Unit.SEASON:
            text = str(first.year) if first.year == last.year else f"{first.year}\u2013{last.year}"
        case Unit.DAYS if first == last:
            text = in_words(last)
        case Unit.DAYS if (first.year, first.month) == (last.year, last.month):
            text = f"{first.day}\u2013{in_words(last)}"
        case Unit.DAYS:
            opening = f"{first.day} {_month(first)}" if first.year == last.year else in_words(first)
            text = f"{opening}\u2013{in_words(last)}"
    return f"{span.lead} {text}".strip()


def in_figures(spans: Sequence[Span]) -> str:
    """The same for texts in other languages: ``2023-05-07``."""
    return " / ".join(_in_figures(span) for span in spans)


def _in_figures(span: Span) -> str:
    if span.unit is Unit.YEAR:
        return f"{span.first.year:04}"
    if span.unit is Unit.MONTH:
        return span.first.isoformat()[:7]
    return span.first.isoformat() if span.first == span.last else f"{span.first}\u2013{span.last}"


def day_before(today: date, weekday: int) -> date:
    """The last day of that name before today."""
    return today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY


def day_after(today: date, weekday: int) -> date:
    """The first day of that name after today."""
    return today + ((weekday - today.weekday() - 1) % 7 + 1) * DAY


def whole(unit: str, today: date, step: int) -> tuple[Span, ...]:
    """The week, weekend, month or year so many after this one."""
    if unit == "year":
        return (year(today.year + step),)
    if unit == "month":
        return (month_of(today, step),)
    return ((week_of if unit == "week" else weekend_of)(today + 7 * step * DAY),)


def season(name: str, number: int) -> Span:
    """The season that begins in a year."""
    months = SEASONS[name]
    first = date(number, months[0], 1)
    return replace(month_of(first, 2), first=first, unit=Unit.SEASON)
