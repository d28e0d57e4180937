"""Relative dates in words: "yesterday" said on 8 May 2023 is 7 May 2023. Pure; the date of the text is passed in."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = {
    word: value
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {"a": 1, "an": 1, "a couple of": 2, "a couple": 2}
_COUNT = r"\d{1,3}|a couple(?: of)?|an?|" + "|".join(word for word in _NUMBERS if len(word) > 2 and " " not in word)
_RELATIVE = re.compile(
    r"\b(?:(?P<day>the day before yesterday|the day after tomorrow|yesterday|tomorrow|today|tonight|last night"
    r"|this (?:morning|afternoon|evening))"
    rf"|(?P<which>last|next|this|past|this past|this coming) (?P<unit>week|weekend|month|year|{'|'.join(_WEEKDAYS)})"
    rf"|(?P<count>{_COUNT}) (?P<units>day|week|month|year)s? (?P<way>ago|from now))\b(?!\s*[(\u2019'])",
    re.IGNORECASE,
)
_DAY_STEPS = {
    "yesterday": -1,
    "last night": -1,
    "tomorrow": 1,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
}


def dated(text: str, when: datetime) -> str:
    """The text with the calendar date behind each relative one: ``yesterday (7 May 2023)``. Each date once."""
    seen: set[str] = set()

    def add(match: re.Match[str]) -> str:
        said = _resolved(match, when.date())
        if not said or said in seen:
            return match.group()
        seen.add(said)
        return f"{match.group()} ({said})"

    return _RELATIVE.sub(add, text)


def dates_meant(text: str, when: datetime) -> frozenset[str]:
    """The calendar dates behind its relative ones, in the words in which ``dated`` writes them."""
    return frozenset(said for match in _RELATIVE.finditer(text) if (said := _resolved(match, when.date())) is not None)


def in_words(day: date) -> str:
    """A day as it is written in a statement: ``7 May 2023``."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _resolved(match: re.Match[str], today: date) -> str | None:
    try:
        if match["day"]:
            return in_words(today + timedelta(days=_DAY_STEPS.get(match["day"].lower(), 0)))
        if match["unit"]:
            return _period(match["which"].lower(), match["unit"].lower(), today)
        return _counted(match["count"].lower(), match["units"].lower(), match["way"].lower(), today)
    except (OverflowError, ValueError):
        return None


def _period(which: str, unit: str, today: date) -> str | None:
    """Name the period: "this Friday" looks ahead and "last Friday" back, never at today."""
    step = {"last": -1, "past": -1, "this past": -1, "next": 1}.get(which, 0)
    if unit == "year":
        return str(_real_year(today.year + step))
    if unit == "month":
        return _month(today, step)
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        return f"week of {in_words(monday)}"
    if unit == "weekend":
        return f"weekend of {in_words(_saturday(today, step))}"
    if which == "next":
        return None
    ahead = (_WEEKDAYS.index(unit) - today.weekday()) % 7
    return in_words(
        today + timedelta(days=(ahead or 7) - (7 if step < 0 else 0) - (7 if step < 0 and not ahead else 0))
    )


def _saturday(today: date, step: int) -> date:
    """Saturday of this weekend (the running one on a Sunday), or of the one before or after."""
    running = today + timedelta(days=5 - today.weekday())
    if step < 0:
        return running - timedelta(weeks=1)
    return running + timedelta(weeks=step)


def _counted(count: str, unit: str, way: str, today: date) -> str | None:
    number = int(count) if count.isdigit() else _NUMBERS[count]
    step = -number if way == "ago" else number
    if unit == "year":
        return f"about {_real_year(today.year + step)}"
    if unit == "month":
        return f"about {_month(today, step)}"
    if unit == "week":
        return f"about {in_words(today + timedelta(weeks=step))}"
    return in_words(today + timedelta(days=step))


def _month(today: date, step: int) -> str:
    months = today.year * 12 + today.month - 1 + step
    return f"{_MONTHS[months % 12]} {_real_year(months // 12)}"


def _real_year(year: int) -> int:
    """The year, if a calendar has it."""
    return date(year, 1, 1).year
