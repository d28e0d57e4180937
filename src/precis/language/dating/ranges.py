"""What "from Monday to Thursday", "between the 3rd and the 7th", "a week on Tuesday" and "Tuesday week" mean."""

import re
from datetime import date

from precis.language import tables
from precis.language.dates import WEEKDAYS
from precis.language.dating import doubts
from precis.language.dating.counted import count_of
from precis.language.dating.phrases import Phrase, is_weekday, weekday_of
from precis.language.dating.reports import MOVING
from precis.language.dating.spans import DAY, Span, Spans, day_after, day_before, days, month_of
from precis.language.dating.tense import Tense, lasted, recurs

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
    if phrase.stands(recurs) or _PER_WEEK.search(phrase.before):
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
