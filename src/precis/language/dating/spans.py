"""The days that a phrase means, how they are written, and what is told of several days in the same words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from precis.language.dates import MONTH_NAMES, MONTHS, SEASONS, in_words

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
    lead = "~" if span.lead == "about" else ""
    return f"{lead}{span.first}" if span.first == span.last else f"{span.first}\u2013{span.last}"


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


# --- what is told of several days in the same words: these days behind the words, and the words of each day ---

_IN_WORDS = r"\d{1,2} [A-Z][a-z]+(?: \d{4})?"
_IN_FIGURES = r"\d{4}-\d\d-\d\d"
#: Days behind what means them, as ``dated`` writes one of them.
_DAYS = re.compile(rf"\(({_IN_WORDS}(?:(?:, | and ){_IN_WORDS})*|{_IN_FIGURES}(?:, {_IN_FIGURES})*)\)")
_DAY = re.compile(r"(\d{1,2}) ([A-Z][a-z]+)(?: (\d{4}))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Dated:
    """A text with the days that one place of it means."""

    before: str
    behind: str
    days: frozenset[date]
    #: Whether they stand in figures, as in other languages than English.
    in_figures: bool

    @property
    def wording(self) -> str:
        """What it says of each of its days."""
        return f"{self.before}({'0' if self.in_figures else ''}){self.behind}"

    def on(self, days: Iterable[date]) -> str:
        """The text with these days in the place of its own: ``28 February, 1 March and 2 March 2026``.

        Each has its month: a figure by itself may count anything.
        """
        listed = sorted(days)
        if self.in_figures:
            return f"{self.before}({', '.join(day.isoformat() for day in listed)}){self.behind}"
        last_of_year = {day.year: day for day in listed}
        parts = [in_words(day) if day == last_of_year[day.year] else in_words(day)[:-5] for day in listed]
        return f"{self.before}({' and '.join(filter(None, (', '.join(parts[:-1]), parts[-1])))}){self.behind}"


def dated_once(text: str) -> Dated | None:
    """The text with its days, where these stand in one place of it alone."""
    places = list(_DAYS.finditer(text))
    days = _days_in(places[0][1]) if len(places) == 1 else None
    if not days:
        return None
    (place,) = places
    return Dated(before=text[: place.start()], behind=text[place.end() :], days=days, in_figures=place[1][:4].isdigit())


def of_each_day(text: str) -> tuple[str, ...]:
    """What a text says of each of its days, where these are several."""
    read = dated_once(text)
    return tuple(read.on([day]) for day in sorted(read.days)) if read is not None and len(read.days) > 1 else ()


def _days_in(listed: str) -> frozenset[date] | None:
    """The days of a list; the last of them that are of one year names it."""
    try:
        if listed[:4].isdigit():
            return frozenset(map(date.fromisoformat, listed.split(", ")))
        days, year = set[date](), ""
        for day, month, own in reversed(_DAY.findall(listed)):
            year = own or year
            days.add(date(int(year), MONTHS[month.casefold()], int(day)))
        return frozenset(days)
    except (KeyError, ValueError):
        return None
