"""What "last Friday", "this month" and "next summer" mean: units, days, months, seasons and holidays that are near."""

from collections.abc import Sequence
from datetime import date
from enum import Enum, auto

from precis import patterns as re
from precis.language import dates, grammar, tables
from precis.language.dating import doubts, reports
from precis.language.dating.patterns import UNIT, WEEKDAY
from precis.language.dating.phrases import Phrase
from precis.language.dating.spans import (
    DAY,
    Span,
    Spans,
    day_after,
    day_before,
    days,
    month_of,
    season,
    weekend_of,
    whole,
    year,
)
from precis.language.dating.tense import Tense


def near(phrase: Phrase) -> Spans:
    """Read "last Friday", "this month", "next summer"."""
    which = "last" if "past" in phrase.words else "coming" if "coming" in phrase.words else phrase.words[0]
    rest = phrase.text.split(" ", 2 if phrase.words[1] in ("past", "coming") else 1)[-1]
    unit, today = rest.split()[0], phrase.today
    weekday = phrase.weekday()
    if weekday is not None:
        return _near_weekday(which, weekday, phrase)
    if _FEAST.fullmatch(rest):
        return _near_holiday(which, rest, today)
    if unit in dates.SEASONS:
        return _near_season(which, unit, today)
    if unit.strip(".") in dates.MONTHS:
        return _near_month(which, phrase.month(), today)
    if unit == "weekend":
        return _near_weekend(which, phrase)
    spans = whole(unit, today, {"last": -1, "this": 0}.get(which, 1))
    # "On time every day this week", said on a Monday: what was done is of the one before, or of both.
    begins = which == "this" and spans[0].first == today and not phrase.before.lower().endswith("earlier ")
    return () if begins and _was_done(phrase) else spans


def _was_done(phrase: Phrase) -> bool:
    """Whether what is told was done, also again and again: "rain every day"."""
    return phrase.tense is Tense.PAST or phrase.stands(doubts.is_counted_over, doubts.is_perfect)


def _near_weekday(which: str, weekday: int, phrase: Phrase) -> Spans:
    today = phrase.today
    past, ahead = day_before(today, weekday), day_after(today, weekday)
    if which == "last":
        return (days(past - 7 * DAY), days(past)) if (today - past).days == 1 else (days(past),)
    if which == "next":
        return (days(ahead), days(ahead + 7 * DAY)) if weekday > today.weekday() else (days(ahead),)
    if which == "this" and weekday == today.weekday():
        return ()
    return (days(past if which == "this" and weekday < today.weekday() and phrase.tense is Tense.PAST else ahead),)


def _near_weekend(which: str, phrase: Phrase) -> Spans:
    today, this = phrase.today, weekend_of(phrase.today)
    if which == "last":
        return (weekend_of(today - 7 * DAY),)
    if which == "next":
        later = weekend_of(today + 7 * DAY)
        return (later,) if today >= this.first else (this, later)
    early = today.weekday() < dates.WEEKDAYS["thursday"]
    return (weekend_of(today - 7 * DAY) if early and phrase.tense is Tense.PAST else this,)


def _near_month(which: str, number: int, today: date) -> Spans:
    back, ahead = (today.month - number) % 12, (number - today.month) % 12
    if which == "this":
        return (year(today.year),)
    near = 3
    if which == "last":
        return year_of(month_of(today, -(back or 12))) if not 0 < back < near else ()
    return year_of(month_of(today, ahead or 12)) if which == "coming" or not 0 < ahead < near else ()


def year_of(span: Span) -> Spans:
    """A phrase that names the month lacks only the year."""
    return (year(span.first.year),)


def _near_season(which: str, name: str, today: date) -> Spans:
    near = [season(name, today.year + step) for step in (-2, -1, 0, 1)]
    if which == "last":
        return ([span for span in near if span.last < today][-1],)
    later = [span for span in near if span.first > today]
    if which == "this":
        running = [span for span in near if span.first <= today <= span.last]
        return tuple(running or [span for span in near if span.first.year == today.year])
    return (later[0],) if later[0].first.year > today.year else (later[0], season(name, today.year + 1))


def _near_holiday(which: str, name: str, today: date) -> Spans:
    near = [dates.day_of(name, today.year + step) for step in (-1, 0, 1)]
    if which == "this":
        return (days(near[1]),)
    past, ahead = [day for day in near if day < today], [day for day in near if day > today]
    return (days(past[-1] if which == "last" else ahead[0]),)


def feast(phrase: Phrase) -> Spans:
    """Read "on Christmas Eve", "before Easter": by the tense, as a month is."""
    name, today = dates.feast_in(phrase.text), phrase.today
    if phrase.stands(doubts.is_of_any_year, doubts.is_custom) or _NO_DAY_OF_FEAST.search(phrase.before):
        return ()
    if phrase.words[-1] == "year":
        return (days(dates.day_of(name, today.year + {"last": -1, "this": 0, "next": 1}[phrase.words[-2]])),)
    options = [dates.day_of(name, today.year + step) for step in (-1, 0, 1)]
    if phrase.words[0] == "since":
        return tuple(days(day) for day in options if day < today)[-1:]
    is_bare = _BARE_FEAST.match(phrase.text) is not None
    if is_bare and (not phrase.bare or phrase.stands(doubts.is_watched) or phrase.tense is Tense.UNKNOWN):
        return ()
    if phrase.words[0] in ("before", "after") and _COUNTED_TO.search(phrase.before):
        return ()
    spans = nearest(phrase, options)
    # "I got a bike for Christmas": that was on the last, or is for the next.
    return () if phrase.tense is Tense.PAST and spans and spans[0].first > phrase.today else spans


_FEAST = re.compile(dates.FEAST)
_BARE_FEAST = re.compile(dates.DAY_OF_FEAST)
_NO_DAY_OF_FEAST = re.compile(rf"\b(?:{tables.choices('doubts.no_day_of_feast')}) $", re.IGNORECASE)
#: "The day after Christmas" is another one.
_COUNTED_TO = re.compile(rf"\b(?:{UNIT}|night|morning|evening|{WEEKDAY})s? (?:right |just |shortly )?$", re.IGNORECASE)
#: One of two days is meant where the other is so many times as far.
_MUCH_FARTHER = 4
#: Of what is held for a day.
_FARTHER = 2
#: Days for which something is found, picked or planned are mostly no further off.
_SOON = 60
#: Nobody books so many days ahead without a year.
_HALF_A_YEAR = 183


def nearest(phrase: Phrase, options: Sequence[date]) -> Spans:
    """The one before or after today that the tense tells; without a tense one that is much nearer than the other."""
    today, tense = phrase.today, phrase.tense
    past = max((day for day in options if day <= today), default=None)
    ahead = min((day for day in options if day >= today), default=None)
    if past is None or ahead is None:
        return ()
    back, on = (today - past).days, (ahead - today).days
    if phrase.stands(reports.is_moved):
        return (days(ahead),) if _MUCH_FARTHER * on < back else ()
    if tense is Tense.PAST:
        return _was(phrase, past, ahead)
    if tense is Tense.FUTURE:
        return (days(ahead),)
    if on < back and (phrase.stands(reports.is_over) or _may_be_past(phrase)):
        return ()
    return (days(past if back < on else ahead),) if _MUCH_FARTHER * min(back, on) < max(back, on) else ()


def _may_be_past(phrase: Phrase) -> bool:
    """Whether the verb has one form for both: "I quit smoking on 1 January"."""
    form = grammar.FORMS.get(phrase.verb)
    return phrase.tense is Tense.UNKNOWN and form is not None and form.kinds >= {"past", "base"}


def _was(phrase: Phrase, past: date, ahead: date) -> Spans:
    """What a past verb says of a day: that it was then, or that something was set for then.

    "They closed the road until 2 September", "I bought a ticket for 14 September": such a day may be still to come, and
    is where it is much nearer than the one before.
    """
    back, on = (phrase.today - past).days, (ahead - phrase.today).days
    is_next = _MUCH_FARTHER * on < back
    if phrase.stands(reports.is_over):
        return (days(past),)
    if is_next and phrase.stands(reports.is_to_be_done):
        return ()
    if past != ahead and phrase.number() > 0 and (may_be := _may_be_ahead(phrase, back, on)):
        return (days(ahead),) if may_be is _Ahead.SURELY else ()
    if phrase.beside.was_set:
        return (days(ahead),) if is_next else ()
    if past == ahead or back <= on or not phrase.beside.leads_on:
        return (days(past),)
    return (days(ahead),) if is_next else ()


class _Ahead(Enum):
    """Whether a day is still to come for which a past verb got or set something."""

    PERHAPS = auto()
    SURELY = auto()


def _may_be_ahead(phrase: Phrase, back: int, on: int) -> _Ahead | None:
    """Whether it may be, so many days back and on; None where the day of the verb itself is meant."""
    if on < _HALF_A_YEAR and phrase.stands(reports.is_held):
        # "I found flights on 4 July": who found them on a day that was tells of it then.
        return _Ahead.SURELY if _FARTHER * on < back else _Ahead.PERHAPS
    is_next, is_nearer = _MUCH_FARTHER * on < back, on < back
    may_be_set = is_nearer or (on <= _SOON and _MUCH_FARTHER * back >= on)
    if (may_be_set and phrase.stands(reports.is_set)) or (is_nearer and phrase.stands(reports.is_found)):
        return _Ahead.SURELY if is_next and phrase.beside.leads_on else _Ahead.PERHAPS
    return None


def was_in(phrase: Phrase, number: int) -> Spans:
    """The same of a month, by its number."""
    on = (number - phrase.today.month) % 12
    back = (12 - on) % 12
    if not phrase.beside.was_set:
        return year_of(month_of(phrase.today, -back))
    return year_of(month_of(phrase.today, on)) if 0 < _MUCH_FARTHER * on < back else ()
