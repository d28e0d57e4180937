"""Where a number of weeks counts from the day before it: "Samstag in einer Woche", "aujourd'hui en huit"."""

import re
from collections.abc import Sequence
from datetime import date

from precis.language.dating.spans import DAY, Span, Unit, day_after, day_before, days

#: Where a phrase begins, where it ends, the days it means.
Place = tuple[int, int, Sequence[Span]]
_WEEK = 7
#: Days from today that have words of their own: "tomorrow", "the day before yesterday".
_NEAR = 3
#: "Eight days" and "fifteen" are a week and two behind a day.
_COUNTED_WITH_TODAY = {8: 7, 15: 14}


def combined(
    text: str, places: Sequence[Place], weekdays: Sequence[re.Pattern[str]], idioms: Sequence[Place], today: date
) -> list[Place]:
    """The places, those united that are one: a day with the weeks behind it. Where that is unclear, neither is there.

    ``idioms`` are numbers of days that mean so only behind a day, as spans from today.
    """
    read: list[Place] = []
    for start, end, spans in sorted([*places, *idioms], key=lambda place: place[0]):
        is_idiom = (start, end, spans) in idioms
        if read and any(start < before_end for _, before_end, _ in read[-1:]):
            continue
        step = _step(spans, today)
        base = read[-1] if read and read[-1][1] < start and text[read[-1][1] : start].isspace() else None
        weekday = _weekday_before(text, start, weekdays)
        if step and base is not None and _is_near(base[2], today):
            read[-1] = (base[0], end, _from_day(base[2][0].first, step, today))
        elif step and weekday is not None:
            number, at = weekday
            read.append((at, end, _from_weekday(number, step, today)))
        elif not is_idiom:
            read.append((start, end, spans))
    return [place for place in read if place[2]]


def _step(spans: Sequence[Span], today: date) -> int:
    """By how many days a phrase is from today, if it is some weeks or is counted in such days; else 0."""
    if len(spans) != 1 or spans[0].unit is not Unit.DAYS or spans[0].first != spans[0].last:
        return 0
    step = (spans[0].first - today).days
    return step if step % _WEEK == 0 or abs(step) in _COUNTED_WITH_TODAY else 0


def _is_near(spans: Sequence[Span], today: date) -> bool:
    return len(spans) == 1 and spans[0].first == spans[0].last and abs((spans[0].first - today).days) <= _NEAR


def _from_day(day: date, step: int, today: date) -> Sequence[Span]:
    if abs(step) in _COUNTED_WITH_TODAY or (day < today) != (step < 0 and day != today):
        return ()
    return (days(day + step * DAY),)


def _from_weekday(number: int, step: int, today: date) -> Sequence[Span]:
    if number == today.weekday():
        return ()
    whole = _COUNTED_WITH_TODAY.get(abs(step), abs(step)) * (1 if step > 0 else -1)
    return (days((day_after if step > 0 else day_before)(today, number) + whole * DAY),)


def _weekday_before(text: str, start: int, weekdays: Sequence[re.Pattern[str]]) -> tuple[int, int] | None:
    """The number of the weekday that stands right before a place, and where it begins."""
    word = re.search(r"(?<!\w)[^\W\d_]+(?:-feira)? $", text[:start])
    if word is None:
        return None
    spoken = word.group().strip().removesuffix("-feira")
    number = next((at % _WEEK for at, name in enumerate(weekdays) if name.fullmatch(spoken)), None)
    return None if number is None else (number, word.start())
