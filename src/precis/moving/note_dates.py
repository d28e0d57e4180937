"""The dates of notes: in file names, front matter, headings, and before what is written. Pure.

What stands further in makes a date more exact: ``2024/05/07.md``, or ``## 7 May`` under ``# 2024``.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from typing import Any

from precis.language.dates import MONTH_NAMES, MONTHS, SHORT_NAMES, WEEKDAYS, Day, days_in, spelled_out
from precis.moving.arrivals import moment

#: Notes of a day without a time: at noon, so that the day is the same in nearly every zone.
NOON = time(12)
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?(?!\d)")
_SPACED = re.compile(r"(?<!\d)((?:19|20)\d\d)[_ ](\d{1,2})[_ ](\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)(?!\d)")
_WEEK = re.compile(r"\b((?:19|20)\d\d)-?W(\d{1,2})\b", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?(?!\d)", re.IGNORECASE)
_SHORT = re.compile(rf"\b({'|'.join(name.capitalize() for name in MONTHS)})\b\.?")
_WORD = re.compile(r"[^\W\d_]+")
_DATE_WORDS = frozenset({*MONTHS, *WEEKDAYS, *SHORT_NAMES, *(name[:3] for name in WEEKDAYS), "of", "the", "week", "w"})
_ENDINGS = frozenset({"st", "nd", "rd", "th", "t", "z"})
#: A date or a time before the words of a note, with what parts them.
_LEAD = re.compile(r"\W{0,3}(?P<lead>[\w ,./-]{3,30}?)(?:\*\*|__|\])?\s*(?:[:\u2013\u2014]|\s-|\]|\*\*)\s+(?=\S)")
_TIME = re.compile(r"\W{0,3}(\d{1,2}):(\d{2})(?::\d{2})?(?:\s*([ap])\.?m\b\.?)?(?!\d)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class When:
    """What is known of when something was written."""

    day: Day = field(default_factory=Day)
    #: The Monday of a week, where only that is known.
    monday: date | None = None
    at: time | None = None
    #: To the second, with a zone: front matter says so.
    moment: datetime | None = None

    @property
    def is_known(self) -> bool:
        """Whether there is any date."""
        return self.moment is not None or self.day.year is not None or self.monday is not None

    @property
    def is_exact(self) -> bool:
        """Whether the day is known."""
        return self.moment is not None or None not in (self.day.year, self.day.month, self.day.day)

    def written(self) -> datetime | None:
        """The moment it stands for; a month or a year alone stands for its first day."""
        if self.moment is not None:
            return self.moment
        try:
            day = self.monday or date(self.day.year or 0, self.day.month or 1, self.day.day or 1)
        except ValueError:
            return None
        return datetime.combine(day, self.at or NOON, tzinfo=UTC)


def narrowed(outer: When, text: str) -> When:
    """With the date that a name or heading gives. Where the day is known, only a date and nothing else changes it."""
    week = _week_in(text)
    if week is not None:
        return When(monday=week)
    weekday = text.strip().lower()
    if outer.monday is not None and weekday in WEEKDAYS:
        return _exactly(date.fromordinal(outer.monday.toordinal() + WEEKDAYS[weekday]))
    if outer.is_exact and not is_date_alone(text):
        return outer
    days = sorted(days_in(_spelled(text)), key=_unknown)
    number = _NUMBER.match(text.strip())
    if not days and number and is_date_alone(text):
        return _numbered(outer, int(number[1]))
    return _with(outer, days[0]) if days else outer


def is_date_alone(text: str) -> bool:
    """Whether a text says a date and nothing else."""
    words = {word.lower() for word in _WORD.findall(text)}
    return any(map(str.isdigit, text)) and words <= _DATE_WORDS | _ENDINGS


def led(outer: When, text: str) -> When:
    """With the date or the time of day that stands before the words of a note."""
    lead = _LEAD.match(text)
    when = narrowed(outer, lead["lead"]) if lead and is_date_alone(lead["lead"]) else outer
    clock = _TIME.match(text[lead.end() :] if lead and when is not outer else text)
    if clock and when.is_exact and when.moment is None:
        hour = int(clock[1]) % 12 + (12 if clock[3] in "pP" else 0) if clock[3] else int(clock[1])
        if hour < 24 and int(clock[2]) < 60:
            return replace(when, at=time(hour, int(clock[2])))
    return when


def declared(value: Any) -> When:
    """The date of front matter, as YAML reads it or as a person writes it."""
    if isinstance(value, datetime):
        return When(moment=moment(value))
    if isinstance(value, date):
        return _exactly(value)
    if isinstance(value, str) and "T" in value and moment(value) is not None:
        return When(moment=moment(value))
    return led(narrowed(When(), value), "") if isinstance(value, str) else When()


def _exactly(day: date) -> When:
    return When(day=Day(year=day.year, month=day.month, day=day.day))


def _week_in(text: str) -> date | None:
    match = _WEEK.search(text)
    try:
        return date.fromisocalendar(int(match[1]), int(match[2]), 1) if match else None
    except ValueError:
        return None


def _spelled(text: str) -> str:
    """With dates in figures as ISO writes them, and the full names of months."""
    text = _SHORT.sub(lambda month: MONTH_NAMES[MONTHS[month[1].lower()]].capitalize(), text)
    text = _SPACED.sub(r"\1-\2-\3", _COMPACT.sub(r"\1-\2-\3", text))
    return spelled_out(_DAY_FIRST.sub(_in_order, text))


def _in_order(match: re.Match[str]) -> str:
    """``7.5.2024`` has the day first; ``5/7/2024`` may be either, and is no date."""
    first, mark, second, year = int(match[1]), match[2], int(match[3]), match[4]
    if mark == "." or first > 12:
        day, month = first, second
    elif second > 12:
        day, month = second, first
    else:
        return " "
    return f"{year}-{month:02}-{day:02}" if 1 <= month <= 12 and 1 <= day <= 31 else " "


def _unknown(day: Day) -> int:
    """How many of its parts are not known."""
    return [day.year, day.month, day.day].count(None)


def _numbered(outer: When, number: int) -> When:
    """A folder or heading that is a number: the month of the year around it, or the day of the month."""
    if outer.day.year is not None and outer.day.month is None and 1 <= number <= 12:
        return When(day=replace(outer.day, month=number))
    if outer.day.month is not None and outer.day.day is None and 1 <= number <= 31:
        return When(day=replace(outer.day, day=number))
    return outer


def _with(outer: When, inner: Day) -> When:
    if outer.is_exact and inner.day is None:
        return outer
    if inner.year is not None:
        # A year alone takes nothing away from the same year.
        return outer if inner == Day(year=outer.day.year) else When(day=inner)
    if outer.day.year is None or (inner.day is None and outer.day.month is not None):
        return outer
    return When(day=replace(inner, year=outer.day.year))
