"""The stretch of time that a request names: "last week", "in March", "since 5 May 2024", as days of a calendar."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo

from precis.finding.tables import languages, times
from precis.finding.values import Level, Match, Row
from precis.finding.written.spellings import days_in_figures, without_figures
from precis.language.dates import MONTH_NAMES, MONTHS, WEEKDAYS, days_in, spelled_out

_MONTH = "|".join(sorted((name for name in MONTHS if name != "may"), key=len, reverse=True))
_WEEKDAY = "|".join(WEEKDAYS)
_SEASON = "spring|summer|autumn|fall|winter"
_COUNT = r"\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|couple of|several"
_SPELLED = ("a an one", "two", "three few", "four", "five several", "six", "seven", "eight", "nine", "ten")
_COUNTS = {word: number for number, words in enumerate(_SPELLED, start=1) for word in words.split()} | {"couple of": 2}
_DAY = (
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH}|may)(?:,? \d{{4}})?"
    rf"|(?:{_MONTH}|may) \d{{1,2}}(?:st|nd|rd|th)?\b(?!\d)(?:,? \d{{4}})?"
)
_ATOM = (
    r"the day before yesterday|yesterday|today|tonight|last night|this morning"
    rf"|(?:the )?(?:last|past|previous|this|current) (?:week|month|year|weekend|{_WEEKDAY}|{_MONTH}|may)"
    rf"|(?:the )?(?:last|past) (?:(?:{_COUNT}) )?(?:hour|day|week|fortnight|month|year)s?"
    rf"|(?:{_COUNT}) (?:hour|day|week|fortnight|month|year)s? (?:ago|back)"
    rf"|(?:the )?(?:last|past|this) (?:{_SEASON})|(?:the )?(?:{_SEASON}) (?:of )?(?:19|20)\d\d"
    rf"|{_DAY}|(?:{_MONTH}) (?:of )?\d{{4}}|may (?:of )?\d{{4}}|(?<=in )may|(?<=during )may|(?<=since )may|(?:{_MONTH})"
    rf"|(?<=on )(?:{_WEEKDAY})|(?<=since )(?:{_WEEKDAY})|(?<=between )(?:{_WEEKDAY})|(?<=and )(?:{_WEEKDAY})"
    r"|(?<=in )(?:19|20)\d\d|(?<=since )(?:19|20)\d\d"
    r"|(?<=before )(?:19|20)\d\d|(?<=during )(?:19|20)\d\d|(?<=from )(?:19|20)\d\d|(?<=after )(?:19|20)\d\d"
)
_PERIOD = re.compile(
    rf"(?:\b(?P<which>since|before|after|until|till|between)\s+|\b(?:(?:on|in|during|over|within|from|of|for)\s+)?(?:(?:earlier|later|late|early|this)\s+(?=today|yesterday|this|last|past))?)"
    rf"\b(?P<first>{_ATOM})\b(?:(?:\s+(?:and|to|until|till)|\s*[-\u2013])\s+(?P<last>{_ATOM})\b)?(?:'s)?",
    re.IGNORECASE,
)
#: A month that stands alone may as well be somebody: "everything about April".
_NAMED = re.compile(r"\s*(?:on\s+)?(?:April|June|August)(?:'s)?$")
#: "1 to 15 July": the month stands once.
_DAYS_OF_A_MONTH = re.compile(
    r"\b(?P<first>\d{1,2})(?:st|nd|rd|th)?(?P<joint>\s+(?:and|to|until|till)|\s*[-\u2013])\s*"
    rf"(?P<last>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>(?:{_MONTH}|may)(?:,? \d{{4}})?)\b",
    re.IGNORECASE,
)
#: "Older than a year", "from more than two weeks ago"; "newer than" is the contrary.
_AGE = rf"(?:{_COUNT})\s+(?:hour|day|week|fortnight|month|year)"
_OLDER = re.compile(
    rf"\b(?P<which>older|newer|younger|more recent)\s+than\s+(?P<age>{_AGE})s?\b(?:\s+old)?"
    rf"|\b(?:more than|over)\s+(?P<past>{_AGE})s?\s+(?:ago|back|old)\b",
    re.IGNORECASE,
)
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 31, "year": 366}
#: By their first month, in the north.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
#: A year that is told as one, and is no number.
_IN_YEAR = re.compile(
    r"\b(?:in|of|since|from|during|until|till|by|around|about|spring|summer|autumn|fall|winter|year|early|mid|late)[ -]"
    r"((?:19|20)\d\d)\b(?![-./]\d)",
    re.IGNORECASE,
)
_SHORT = "|".join(sorted(name for name in MONTHS if name not in MONTH_NAMES.values()))
_SHORT_MONTH = re.compile(rf"(?<=\d )(?:{_SHORT})\b\.?|\b(?:{_SHORT})\b\.?(?= \d)", re.IGNORECASE)
_EVER, _NEVER = date.min, date.max


@dataclass(frozen=True, kw_only=True, slots=True)
class Period:
    """Days from ``first`` to ``last``, both included."""

    first: date
    last: date
    #: The words that named it.
    phrase: str = ""
    #: Not everywhere the same time: it is summer in June, or winter.
    vague: bool = False
    #: A day of which no year was named: the next one may be meant as well as the last.
    yearless: bool = False

    @property
    def is_day(self) -> bool:
        """Whether it is one day of the calendar, named by its number: "3 March", and not "yesterday"."""
        return self.first == self.last and any(map(str.isdigit, self.phrase))

    def holds(self, day: date) -> bool:
        """Whether a day is within."""
        return self.first <= day <= self.last


def read_period(text: str, today: date) -> tuple[Period | None, str]:
    """The period that an English request names, and the request without it."""
    text = _OLDER.sub(lambda match: _dated(match, today), text)
    text, either = without_figures(text)
    text = _DAYS_OF_A_MONTH.sub(r"\g<first> \g<month> \g<joint> \g<last> \g<month>", text)
    for match in _PERIOD.finditer(text):
        period = _period(match, today)
        if period is not None and not _NAMED.match(match.group()):
            phrase = match["first"].lower()
            named = replace(period, phrase=phrase, yearless=re.search(r"\d{4}", phrase) is None)
            named = replace(named, vague=named.vague or either)
            return named, f"{text[: match.start()]} {text[match.end() :]}"
    return None, text


def _period(match: re.Match[str], today: date) -> Period | None:
    try:
        first = _days(match["first"].lower(), today)
        last = _days(match["last"].lower(), today) if match["last"] else first
    except (ValueError, OverflowError):
        return None
    if first is None or last is None:
        return None
    which = (match["which"] or "").lower()
    if which == "since":
        return Period(first=first.first, last=_NEVER)
    if which == "after":
        return Period(first=first.last + timedelta(days=1), last=_NEVER)
    if which in {"before", "until", "till"}:
        return Period(first=_EVER, last=first.first - timedelta(days=1) if which == "before" else first.last)
    return Period(first=first.first, last=last.last, vague=first.vague or last.vague)


def _days(phrase: str, today: date) -> Period | None:
    phrase = phrase.removeprefix("the ")
    steps = {"yesterday": 1, "last night": 1, "today": 0, "tonight": 0, "this morning": 0, "day before yesterday": 2}
    if phrase in steps:
        return _day(today - timedelta(days=steps[phrase]))
    words = phrase.split()
    if words[-1] in {"ago", "back"}:
        return _ago(_number(" ".join(words[:-2])), words[-2].rstrip("s"), today)
    if words[0] in {"last", "past", "previous", "this", "current"}:
        return _relative(words, today)
    return _named(phrase, today)


def _relative(words: list[str], today: date) -> Period | None:
    back = words[0] not in {"this", "current"}
    unit = words[-1]
    if unit in _SEASONS:
        return _season(unit, today, back=back)
    if len(words) > 2 or unit.rstrip("s") in {"hour", "fortnight"}:
        number = _number(" ".join(words[1:-1]) or "a")
        days = number // 24 if unit.startswith("hour") else _DAYS[unit.rstrip("s")] * number
        return Period(first=today - timedelta(days=days), last=today)
    if unit in MONTHS:
        return _named(unit, today)
    if unit in WEEKDAYS:
        since = (today.weekday() - WEEKDAYS[unit]) % 7
        return _day(today - timedelta(days=since or (7 if back else 0)))
    return _unit(unit, today, back=int(back))


def _season(name: str, today: date, *, back: bool) -> Period:
    """The last one that has ended, or the one of this year."""
    period = _season_of(today.year, name)
    return _season_of(today.year - 1, name) if back and period.last >= today else period


def _season_of(year: int, name: str) -> Period:
    first = date(year, _SEASONS[name], 1)
    return Period(first=first, last=_month(year + (first.month > 10), (first.month + 1) % 12 + 1).last, vague=True)


def _unit(unit: str, today: date, *, back: int) -> Period:
    if unit == "week":
        monday = today - timedelta(days=today.weekday(), weeks=back)
        return Period(first=monday, last=monday + timedelta(days=6))
    if unit == "weekend":
        saturday = today - timedelta(days=(today.weekday() + 2) % 7)
        return Period(first=saturday, last=saturday + timedelta(days=1))
    if unit == "month":
        months = today.year * 12 + today.month - 1 - back
        return _month(months // 12, months % 12 + 1)
    return _year(today.year - back)


def _named(phrase: str, today: date) -> Period | None:
    """A day, a month or a year; without a year the last one that has begun."""
    words = phrase.split()
    if words[0] in _SEASONS:
        return _season_of(int(words[-1]), words[0])
    if re.fullmatch(r"\d{4}", phrase):
        return _year(int(phrase))
    if phrase in WEEKDAYS:
        return _day(today - timedelta(days=(today.weekday() - WEEKDAYS[phrase]) % 7))
    days = days_in(re.sub(r"\bmay\b", "May", spelled_out(phrase.replace(" of ", " "))))
    if not days or days[0].month is None:
        return None
    year, month, day = days[0].year, days[0].month, days[0].day
    if year is None:
        year = today.year - ((month, day or 1) > (today.month, today.day))
    return _day(date(year, month, day)) if day else _month(year, month)


def _dated(match: re.Match[str], today: date) -> str:
    """An age as a day: "older than a year" is before the day of a year ago."""
    *count, unit = (match["age"] or match["past"]).lower().split()
    days = _number(" ".join(count)) * (_DAYS | {"hour": 1}).get(unit, 1)
    which = "before" if (match["which"] or "older").lower() == "older" else "since"
    return f"{which} {today - timedelta(days=days)}"


def _ago(count: int, unit: str, today: date) -> Period:
    days = {"hour": 1 / 24, "day": 1, "fortnight": 14}.get(unit)
    return _day(today - timedelta(days=round(count * days))) if days is not None else _unit(unit, today, back=count)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS.get(word, 1)


def _day(day: date) -> Period:
    return Period(first=day, last=day)


def _month(year: int, month: int) -> Period:
    first = date(year, month, 1)
    return Period(first=first, last=(first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


def _year(year: int) -> Period:
    return Period(first=date(year, 1, 1), last=date(year, 12, 31))


def match_period(
    period: Period, row: Row, zone: tzinfo, *, by_writing: bool, said: bool = False, language: str = "en",
    since: date = _EVER,
) -> Match:  # fmt: skip
    """Whether a row is of that time: was written then, or, where the request does not say ``said``, tells of then.

    Of "the flight on 3 March" it is the one whose text has that day, whenever it was written. Its months may be in the
    language of the request. A time before anything was written, ``since``, is only told of.
    """
    row = replace(row, text=in_english(row.text, language)) if language != "en" else row
    written = period.holds(row.created_at.astimezone(zone).date())
    if by_writing and period.is_day and period.first > row.created_at.astimezone(zone).date():
        by_writing = False  # nothing was written on a day that is still to come
    by_writing = by_writing and (said or period.last >= since)
    speaks = None if by_writing else _speaks_of(period, row, zone)
    if not said and period.last < since and not period.is_day:
        level = Level.DOUBTFUL if period.vague else Level.SURE
        speaks = speaks or any(period.holds(date(int(year), 7, 1)) for year in _IN_YEAR.findall(row.text))
        return Match(level=level, why="it tells of that time") if speaks else Match(level=Level.NO)
    if not said and period.is_day and _names(period, row):
        return Match(level=Level.DOUBTFUL if period.vague else Level.SURE, why="it names that day")
    if not by_writing and not written and period.phrase and _says_it(period.phrase, row.text):
        return Match(level=Level.DOUBTFUL, why="it names that time, and was written at another")
    if speaks is None or speaks == written:
        level = (Level.DOUBTFUL if period.vague else Level.SURE) if written else Level.NO
        return Match(level=level, why="it was written then" if written else "it was written at another time")
    return Match(
        level=Level.DOUBTFUL, why="it was written at one time and tells of another, and the request names one of them"
    )


def _says_it(phrase: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def in_english(text: str, language: str) -> str:
    """A text with the months, weekdays and phrases of time of a language in English."""
    for pattern, phrase in times(language) if language in languages() else ():
        text = pattern.sub(rf" {phrase} ", text)
    return " ".join(text.split())


def _in_full(text: str) -> str:
    """A text with its days and months in words: "2023-03-04" and "4 Mar 2023" are "4 March 2023"."""
    return _SHORT_MONTH.sub(lambda match: MONTH_NAMES[MONTHS[match.group().rstrip(".").lower()]], spelled_out(text))


def _names(period: Period, row: Row) -> bool:
    """Whether its text has this day, of this year or of a year that it does not say."""
    day = period.first
    years = {None, day.year, *([day.year + 1] if period.yearless else [])}
    named = [(told.year, told.month, told.day) for told in days_in(_in_full(row.text))]
    named += [(told.year, told.month, told.day) for told, either in days_in_figures(row.text) if not either]
    return any((month, number) == (day.month, day.day) and year in years for year, month, number in named)


def _speaks_of(period: Period, row: Row, zone: tzinfo) -> bool | None:
    if row.event_date is not None:
        return period.holds(row.event_date.astimezone(zone).date())
    days = [period.holds(day) for day in _spoken(row, zone)]
    return any(days) if days else None


def _spoken(row: Row, zone: tzinfo) -> Iterator[date]:
    """The days that its text names in full, or as a month near its own date."""
    written = row.created_at.astimezone(zone).date()
    if not any(char.isdigit() for char in row.text) and not re.search(
        rf"\b(?:{_MONTH}|May)\b", row.text, re.IGNORECASE
    ):
        return
    for day in days_in(_in_full(row.text)):
        if day.month is None and day.day is None:
            continue
        try:
            yield date(day.year or written.year, day.month or 1, day.day or 15)
        except ValueError:
            continue
