"""What English phrases for a time mean on the day on which they are said: of two that may be meant both, or none."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import date
from itertools import islice
from typing import NamedTuple

from precis.language import tables
from precis.language.dates import FEAST_WORDS, MONTHS, SEASONS, WEEKDAYS
from precis.language.dating import doubts, patterns, reports
from precis.language.dating.counted import ago, ahead, further, lasting, since_long, spanning
from precis.language.dating.doubts import is_of_that_time
from precis.language.dating.near import feast, near, nearest, was_in, year_of
from precis.language.dating.patterns import ANY
from precis.language.dating.phrases import Phrase
from precis.language.dating.spans import DAY, Spans, day_after, day_before, days, month_of, weekend_of, whole, year
from precis.language.dating.tense import Tense

#: Words for a time as they are typed in a hurry: "2moro", "last wknd", "3 yrs", "next fri".
_WRITTEN = list(tables.section("calendar.shorthand").items())
#: "mon" and "sat" are weekdays only behind such a word.
_WEEKDAY = (
    r"(?:(?<=next )|(?<=last ))(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b"
    r"|(?:(?<=this )|(?<=on )|(?<=by )|(?<=til )|(?<=until ))(?:mon|tues?|weds?|thu(?:rs?)?|fri)\b"
)
_SHORTHAND = re.compile(
    r"(?<![^\W\d_])(?<!['\u2019])(?:" + "|".join(f"(?P<w{at}>{spelling})" for at, (_, spelling) in enumerate(_WRITTEN))
    + rf"|(?P<weekday>{_WEEKDAY}))(?!\w)"
)  # fmt: skip
#: A text without any of these words has no such phrase: most have none.
_ANCHORS = {
    *tables.words("calendar.dating"), *SEASONS, *MONTHS, *WEEKDAYS,
    *(f"{name}s" for name in WEEKDAYS), *(FEAST_WORDS & set(tables.words("calendar.anchors"))),
}  # fmt: skip
_TOKEN = re.compile(r"[^\W_]+")
_AN_NTH = re.compile(r"\d(?:st|nd|rd|th)\b", re.IGNORECASE)


class _InFull(NamedTuple):
    """A text without shorthand, and where it is longer than what was written."""

    text: str
    #: Ends of the words that were put in, and by how much the text is longer up to there.
    ends: Sequence[int]
    longer: Sequence[int]

    def place(self, end: int) -> int:
        """The place in what was written."""
        at = bisect_right(self.ends, end)
        return end - (self.longer[at - 1] if at else 0)


def _in_full(text: str) -> _InFull:
    """The text with the words that are meant."""
    parts: list[str] = []
    ends, longer = [], []
    start = size = 0
    for match in _SHORTHAND.finditer(text):
        word = _word(match)
        parts += [text[start : match.start()], word]
        size += match.start() - start + len(word)
        start = match.end()
        ends.append(size)
        longer.append(size - start)
    return _InFull("".join([*parts, text[start:]]) if parts else text, ends, longer)


def _word(match: re.Match[str]) -> str:
    if match.lastgroup == "weekday":
        return match.group().capitalize()
    word = _WRITTEN[int(str(match.lastgroup)[1:])][0]
    glued = match.start() > 0 and match.string[match.start() - 1].isdigit()
    return f" {word}" if glued else word


def meant_in(text: str, today: date) -> list[tuple[int, Spans]]:
    """(where the phrase ends, the days it means) of every phrase whose meaning is known, in order."""
    phrases: list[tuple[int, Spans]] = []
    full = _in_full(text)
    if _ANCHORS.isdisjoint(_TOKEN.findall(full.text.lower())) and not _AN_NTH.search(full.text):
        return phrases
    for match in islice(ANY.finditer(full.text), _MOST):
        spans = _read(Phrase(match, today), str(match.lastgroup))
        if spans:
            owned = _OWNED.match(full.text, match.end())
            phrases.append((full.place(owned.end() if owned else match.end()), spans))
    return phrases


def _read(phrase: Phrase, kind: str) -> Spans:
    try:
        if phrase.is_part or phrase.means_no_day or (kind in _FROM_TODAY and phrase.stands(reports.is_reported)):
            return ()
        if kind in _OF_SOME_TIME and phrase.stands(is_of_that_time):
            return ()
        return _READERS[kind](phrase)
    except (OverflowError, ValueError, LookupError):  # no calendar has it, or nobody writes it so
        return ()


#: Phrases that count from the day on which they are said.
_FROM_TODAY = frozenset("day of_week twice since_long near further ago ahead range weekday bare weekend edge".split())
#: Phrases that are of the nearest such time, unless a sentence tells of another.
_OF_SOME_TIME = frozenset("month_day month weekday_nth nth weekday bare weekend edge feast range".split())
_OWNED = re.compile(r"['\u2019]s\b")
#: Phrases of one text that are read.
_MOST = 200


_STEPS = {
    "the day before yesterday": -2, "the night before last": -2, "last night": -1, "the day after tomorrow": 2,
}  # fmt: skip


def _day(phrase: Phrase) -> Spans:
    first = phrase.words[0]
    if phrase.text == "last night" and phrase.stands(doubts.is_last_of_several):
        return ()
    step = _STEPS.get(phrase.text, {"yesterday": -1, "tomorrow": 1}.get(first, 0))
    return (days(phrase.today + step * DAY),)


def _of_week(phrase: Phrase) -> Spans:
    step = -1 if "last" in phrase.words else 1 if "next" in phrase.words else 0
    weekday, weeks = phrase.weekday(), whole("week", phrase.today, step)
    # A week may begin with its Sunday.
    if weekday is None or WEEKDAYS["sunday"] in (weekday, phrase.today.weekday()):
        return weeks
    return (days(weeks[0].first + weekday * DAY),)


def _twice(phrase: Phrase) -> Spans:
    way = -2 if phrase.text.endswith("last") else 2
    weekday = phrase.weekday()
    if weekday is None:
        return whole(phrase.words[1], phrase.today, way)
    if way > 0:
        return ()
    return (days(day_before(phrase.today, weekday) - 7 * DAY),)


def _dates(numbers: list[tuple[int, int]], day: int) -> list[date]:
    """Those (year, month) that have such a day."""
    return [date(y, m, day) for y, m in numbers if 1 <= day <= (month_of(date(y, m, 1)).last.day)]


def _month_day(phrase: Phrase) -> Spans:
    if phrase.stands(doubts.is_of_any_year) or phrase.beside.ends_range:
        return ()
    years = [(phrase.today.year + step, phrase.month()) for step in (-1, 0, 1)]
    options, weekday = _dates(years, phrase.number()), phrase.beside.weekday
    if weekday is not None:
        options = [day for day in options if day.weekday() == weekday]
        return tuple(year(day.year) for day in options[:1])
    if phrase.before.lower().endswith("since "):
        return tuple(year(day.year) for day in options if day <= phrase.today)[-1:]
    return tuple(year(span.first.year) for span in nearest(phrase, options))


def _month(phrase: Phrase) -> Spans:
    if phrase.stands(doubts.is_of_any_year):
        return ()
    number, today = phrase.month(), phrase.today
    if phrase.words[0] == "since":
        return year_of(month_of(today, -((today.month - number) % 12))) if today.month != number else ()
    if phrase.tense is Tense.PAST:
        return was_in(phrase, number)
    return year_of(month_of(today, (number - today.month) % 12)) if phrase.tense is Tense.FUTURE else ()


def _around(today: date) -> list[tuple[int, int]]:
    return [(span.first.year, span.first.month) for span in (month_of(today, step) for step in range(-3, 4))]


def _weekday_nth(phrase: Phrase) -> Spans:
    fitting = [day for day in _dates(_around(phrase.today), phrase.number()) if day.weekday() == phrase.weekday()]
    return (days(min(fitting, key=lambda day: abs((day - phrase.today).days))),) if fitting else ()


def _nth(phrase: Phrase) -> Spans:
    if phrase.stands(doubts.recurs, patterns.is_floor_or_rank, patterns.is_monthly):
        return ()
    # "On 9 October, back on the 25th": of the month that was named, and not of the nearest.
    if phrase.beside.has_month_before:
        ahead = phrase.beside.month_ahead if phrase.tense is not Tense.PAST else None
        near = ahead is not None and (ahead - phrase.today.month) % 12 <= _HALF_A_YEAR
        months = [(phrase.today.year + (ahead < phrase.today.month), ahead)] if ahead and near else []
        return tuple(days(day) for day in _dates(months, phrase.number()) if day >= phrase.today)
    options = _dates(_around(phrase.today), phrase.number())
    if phrase.words[0] == "since":
        options = [day for day in options if day < phrase.today][-1:]
        return tuple(map(days, options))
    if phrase.words[0] == "from" and phrase.tense is Tense.UNKNOWN:
        return ()
    spans = nearest(phrase, options)
    # "Surgery on the 27th." has no verb: said on the 2nd it is hardly of last month, and may be of this one.
    is_past = bool(spans) and spans[0].first < phrase.today
    return () if is_past and phrase.stands(doubts.lacks_verb) else spans


def _weekday(phrase: Phrase) -> Spans:
    weekday, today = phrase.weekday(), phrase.today
    if (
        weekday is None
        or weekday == today.weekday()
        or phrase.beside.has_date
        or phrase.stands(doubts.recurs, reports.is_moved)
    ):
        return ()
    if phrase.words[0] not in _LEADS and phrase.stands(patterns.is_weekly):
        return ()
    if phrase.words[0] == "since" or (phrase.tense is Tense.PAST and not phrase.beside.was_set):
        return (days(day_before(today, weekday)),)
    return (days(day_after(today, weekday)),) if phrase.tense is Tense.FUTURE else ()


#: A month that is named ahead of a day is hardly further off.
_HALF_A_YEAR = 6
_LEADS = frozenset("since until till by before after from".split())


def _bare(phrase: Phrase) -> Spans:
    return _weekday(phrase) if phrase.bare and not phrase.stands(doubts.is_watched, reports.is_picked) else ()


def _weekend(phrase: Phrase) -> Spans:
    today, this = phrase.today, weekend_of(phrase.today)
    if phrase.stands(doubts.recurs) or today >= this.first:
        return ()
    if phrase.tense is Tense.PAST:
        return (weekend_of(today - 7 * DAY),)
    return (this,) if phrase.tense is Tense.FUTURE else ()


def _edge(phrase: Phrase) -> Spans:
    return () if phrase.stands(doubts.recurs) else whole(phrase.words[-1], phrase.today, 0)


_READERS: dict[str, Callable[[Phrase], Spans]] = {
    "day": _day, "of_week": _of_week, "twice": _twice, "since_long": since_long, "near": near, "ago": ago,
    "ahead": ahead, "lasting": lasting, "month_day": _month_day, "month": _month, "weekday_nth": _weekday_nth,
    "nth": _nth, "weekday": _weekday, "bare": _bare, "weekend": _weekend, "edge": _edge,
    "feast": feast, "further": further, "range": spanning,
}  # fmt: skip
