"""What "two weeks ago", "for three years", "from Monday to Thursday" and "a week on Tuesday" mean: time counted."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from precis.language import tables
from precis.language.dates import A_WEEKDAY, WEEKDAYS
from precis.language.dating import doubts
from precis.language.dating.patterns import COUNT, COUNTS, SHORT_DAYS, UNIT
from precis.language.dating.phrases import Phrase, is_weekday, lasted, weekday_of
from precis.language.dating.reports import MOVING
from precis.language.dating.spans import DAY, Span, Spans, Unit, day_after, day_before, days, month_of, weekend_of, year
from precis.language.dating.tense import Tense

WORD_AGO = re.compile(rf"({COUNT}) ({UNIT}|night|{A_WEEKDAY}|(?:{SHORT_DAYS})\b)", re.IGNORECASE)
#: "Over a year ago" is by then.
_MORE = ("over", "more", "least")


def count_of(text: str) -> tuple[float, str]:
    """How many, and of what."""
    amount, unit = WORD_AGO.findall(text)[0]
    in_words = COUNTS.get(amount) or sum(COUNTS.get(part, 0) for part in re.split("[- ]", amount))
    value = 0.5 if amount.startswith("half") else float(amount if amount.isdigit() else in_words)
    value += 0.5 if "and a half" in text else 0.0
    if unit == "decade":
        return 10 * value, "year"
    return (2 * value, "week") if unit == "fortnight" else (value, "day" if unit == "night" else unit)


def lead_of(text: str) -> str:
    """How exact a number is: "over a year ago" is by then."""
    return "by" if any(word in text.split() for word in _MORE) else "about"


def _away(text: str, today: date, way: int, lead: str) -> Span | None:
    """The time so many units from today; what is not counted in days is not exact."""
    value, unit = count_of(text)
    # "A year ago" is about this month, "ten years ago" is a year.
    if unit == "year" and (value != int(value) or value == 1 or lead == "by"):
        value, unit = 12 * value, "month"
    if value != int(value) and unit != "week":
        return None
    step = way * int(value)
    if unit == "year":
        return year(today.year + step, lead)
    if unit == "month":
        return month_of(today, step, lead)
    if unit == "day":
        return days(today + step * DAY, lead=lead.removesuffix("about").strip())
    if unit == "week":
        return days(today + round(7 * way * value) * DAY, lead=lead)
    return None


def _days_ago(start: date, value: float, unit: str) -> Spans:
    """The very day that is so many days, weeks or years before another."""
    step = {"week": 7, "day": 1}.get(unit, 0) * value
    if unit == "year" and value % 1 == 0:
        with suppress(ValueError):  # 29 February
            return (days(start.replace(year=start.year - int(value))),)
    return (days(start - int(step) * DAY),) if step and step % 1 == 0 else ()


def _weeks_from(phrase: Phrase, weekday: int, weeks: float) -> Spans:
    """A day so many weeks behind the next weekday; said on a Friday "a week from Friday" may be either."""
    if not weeks or weeks % 1 or weekday == phrase.today.weekday() or phrase.tense is Tense.PAST:
        return ()
    return (days(day_after(phrase.today, weekday) + 7 * int(weeks) * DAY),)


def ago(phrase: Phrase) -> Spans:
    """Read "two weeks ago", "a week from tomorrow", "two Sundays ago", "ten years ago today"."""
    way = -1 if {"ago", "been"} & set(phrase.words) else 1
    value, unit = count_of(phrase.text)
    weekday = phrase.weekday()
    start = phrase.today + {"yesterday": -1, "tomorrow": 1}.get(phrase.words[-1], 0) * DAY
    if way < 0 and not {"ago", "been"} & {phrase.words[-1], phrase.words[1]}:
        # "A week ago today" is that very day; "two weeks ago Tuesday" may be either.
        return () if weekday is not None else _days_ago(start, value, unit)
    if weekday is not None and way < 0:
        return (days(day_before(phrase.today, weekday) - 7 * int(value - 1) * DAY),)
    if weekday is not None:
        return _weeks_from(phrase, weekday, value if unit == "week" else 0.0)
    if unit == "weekend":
        return (weekend_of(phrase.today + 7 * way * int(value) * DAY),)
    is_unclear = way > 0 and (lead_of(phrase.text) == "by" or phrase.stands(doubts.is_rate))
    if is_unclear or {"under", "less"} & set(phrase.words):
        return ()
    span = _away(phrase.text, start, way, lead_of(phrase.text))
    return (span,) if span else ()


def ahead(phrase: Phrase) -> Spans:
    """Read "in two weeks", "in a month's time": only of what is to come."""
    if not phrase.text.endswith("time"):
        is_awaited = phrase.tense is Tense.UNKNOWN and phrase.stands(doubts.is_awaited)
        lasts = phrase.stands(doubts.may_last, doubts.is_measured, doubts.is_of_terms)
        if not (phrase.tense is Tense.FUTURE or is_awaited) or lasts or phrase.stands(doubts.is_of_any):
            return ()
    is_exact = {"exactly", "precisely"} & set(phrase.words)
    span = _away(phrase.text, phrase.today, 1, "" if is_exact else "about")
    return (span,) if span else ()


def lasting(phrase: Phrase) -> Spans:
    """Read "for three years": since when, only where it goes on, as "now" or the verb tells."""
    if phrase.words[-1] != "now" and not phrase.stands(doubts.is_perfect):
        return ()
    if phrase.stands(doubts.is_wanted):
        return ()
    if lead_of(phrase.text) == "by" or {"under", "less"} & set(phrase.words):
        return ()
    span = _away(phrase.text, phrase.today, -1, "since about")
    return (span,) if span else ()


def since_long(phrase: Phrase) -> Spans:
    """Read "the past year", "these last three months": since then."""
    text = phrase.text if WORD_AGO.search(phrase.text) else f"a {phrase.words[-1]}"
    span = _away(text, phrase.today, -1, "since about")
    return (span,) if span else ()


# Where a number of weeks counts from the day before it: "Samstag in einer Woche", "aujourd'hui en huit".
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


_PER_WEEK = re.compile(rf"(?:\b(?:{tables.choices('doubts.per_week')})|\d) $", re.IGNORECASE)
_WORKING = (WEEKDAYS["monday"], WEEKDAYS["friday"])


def spanning(phrase: Phrase) -> Spans:
    """Read "from Monday to Thursday", "between the 3rd and the 7th": all days, by the tense."""
    if phrase.verb in MOVING or phrase.beside.has_month_before:
        return ()
    if phrase.stands(doubts.is_of_any_year, doubts.is_custom):
        return ()
    numbers = [int(figures) for figures in re.findall(r"\d+", phrase.text)]
    if numbers:
        return _of_month(phrase, *numbers)
    first, last = (weekday_of(word) for word in phrase.words if is_weekday(word))
    return () if first == last else _of_week(phrase, first, last)


def _of_week(phrase: Phrase, first: int, last: int) -> Spans:
    today, tense = phrase.today, phrase.tense
    # Of days among which it is today these may be meant, or those of another week.
    if (today.weekday() - first) % 7 <= (last - first) % 7:
        return ()
    if tense is Tense.PAST and (first, last) != _WORKING:
        end = day_before(today, last)
        return (days(day_before(end, first), end),)
    if tense is Tense.FUTURE and not ((first, last) == _WORKING and "work" in phrase.verb):
        start = day_after(today, first)
        return (days(start, day_after(start, last)),)
    return ()


def _of_month(phrase: Phrase, first: int, last: int) -> Spans:
    spans = [span for step in range(-3, 4) for span in _in_month(month_of(phrase.today, step).first, first, last)]
    running = [span for span in spans if span.first <= phrase.today <= span.last]
    if phrase.tense is Tense.FUTURE:
        return tuple(running or [span for span in spans if span.first > phrase.today])[:1]
    if phrase.tense is not Tense.PAST or running:
        return ()
    was = [span for span in spans if span.last < phrase.today][-1]
    ahead = next(span for span in spans if span.first > phrase.today)
    # "They closed the road from the 3rd to the 7th": that may be still to come.
    is_nearer = phrase.today - was.last <= ahead.first - phrase.today
    return (was,) if phrase.stands(lasted) or is_nearer else ()


def _in_month(month: date, first: int, last: int) -> list[Span]:
    """The days from one number to the other, if there are such; a smaller number is one of the next month."""
    end = month if first < last else month_of(month, 1).first
    try:
        return [days(month.replace(day=first), end.replace(day=last))]
    except ValueError:
        return []


def further(phrase: Phrase) -> Spans:
    """Read "a week today", "two weeks on Tuesday", "Tuesday week", "a week last Sunday"."""
    if phrase.stands(doubts.recurs) or _PER_WEEK.search(phrase.before):
        return ()
    today, words = phrase.today, phrase.words
    is_behind = words[-1] in ("week", "fortnight")
    number, unit = (1.0, words[-1]) if is_behind else count_of(phrase.text)
    step = int(number) * (14 if is_behind and unit == "fortnight" else 7) * DAY
    weekday = phrase.weekday()
    if "last" in words or "yesterday" in words:
        if phrase.tense is Tense.FUTURE:
            return ()
        return (days((today - DAY if weekday is None else day_before(today, weekday)) - step),)
    if phrase.tense is Tense.PAST or (weekday is None and phrase.tense is Tense.UNKNOWN) or weekday == today.weekday():
        return ()
    start = today + DAY * ("tomorrow" in words) if weekday is None else day_after(today, weekday)
    return (days(start + step),)
