"""The stretch of time that a request names: "last week", "in March", "since 5 May 2024", as days of a calendar."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

from precis import patterns as re
from precis.finding.asked.dated import with_relative_year
from precis.finding.written.spellings import without_figures
from precis.language.dates import MONTHS, WEEKDAYS, days_in, spelled_out

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
    rf"|{_DAY}|(?:{_MONTH}) (?:of )?\d{{4}}|may (?:of )?\d{{4}}|(?<=in )may|(?<=during )may|(?<=since )may"
    r"|(?<=ything from )may(?=\W*$)|(?<=all from )may(?=\W*$)"
    r"|(?<=before )may(?! i\b| we\b)|(?<=after )may(?! i\b| we\b)"
    rf"|may(?= (?:and|to|until|till) (?:{_MONTH})\b)|(?:{_MONTH})"
    rf"|(?<=on )(?:{_WEEKDAY})|(?<=since )(?:{_WEEKDAY})|(?<=between )(?:{_WEEKDAY})|(?<=and )(?:{_WEEKDAY})"
    r"|(?<=in )(?:19|20)\d\d|(?<=since )(?:19|20)\d\d"
    r"|(?<=before )(?:19|20)\d\d|(?<=during )(?:19|20)\d\d|(?<=from )(?:19|20)\d\d|(?<=after )(?:19|20)\d\d"
)
_PERIOD = re.compile(
    rf"(?:\b(?P<which>since|before|after|until|till|between)\s+|\b(?:(?:on|in|during|over|within|from|of|for)\s+)?(?:(?:earlier|later|late|early|this)\s+(?=today|yesterday|this|last|past))?)"
    rf"\b(?P<first>{_ATOM})\b(?:(?:\s+(?:and|to|until|till)|\s*[-\u2013])\s+"
    rf"(?P<last>{_ATOM}|(?<=to )may|(?<=until )may|(?<=till )may|(?(which)may))\b)?(?:'s)?",
    re.IGNORECASE,
)
#: Before a time that was: "what happened on 14 March".
_HAPPENED = re.compile(
    r"\b(?:happened|took place|occurred|what (?:i|we) did|went (?:on|wrong)|events?|were doing|was doing)\b",
    re.IGNORECASE,
)
#: A month that stands alone may as well be somebody: "everything about April".
_NAMED = re.compile(r"\s*(?:on\s+)?(?:April|June|August)(?:'s)?$")
#: It may as well be what she told.
_FROM_MAY = re.compile(r"^from may$", re.IGNORECASE)
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
#: The same of a day or a month: "older than 10 May".
_THAN = re.compile(
    rf"\b(?:(?P<before>older|earlier)|newer|later|more recent) than (?=(?:the )?(?:{_ATOM})\b)", re.IGNORECASE
)
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 31, "year": 366}
#: By their first month, in the north.
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
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
    #: It is asked what happened then: a day that was, and none to come.
    past: bool = False

    @property
    def is_day(self) -> bool:
        """Whether it is one day of the calendar, named by its number: "3 March", and not "yesterday"."""
        return self.first == self.last and any(map(str.isdigit, self.phrase))

    def holds(self, day: date) -> bool:
        """Whether a day is within."""
        return self.first <= day <= self.last


def read_period(text: str, today: date) -> tuple[Period | None, str]:
    """The period that an English request names, and the request without it."""
    text = with_relative_year(text, today)
    text = _OLDER.sub(lambda match: _dated(match, today), text)
    text = _THAN.sub(lambda match: "before " if match["before"] else "after ", text)
    text, either = without_figures(text)
    text = _DAYS_OF_A_MONTH.sub(r"\g<first> \g<month> \g<joint> \g<last> \g<month>", text)
    for match in _PERIOD.finditer(text):
        period = _period(match, today)
        if period is not None and not _NAMED.match(match.group()):
            phrase = match["first"].lower()
            named = replace(period, phrase=phrase, yearless=re.search(r"\d{4}", phrase) is None)
            past = _HAPPENED.search(text[: match.start()]) is not None and named.first <= today
            either = either or _FROM_MAY.search(match.group()) is not None
            named = replace(named, vague=named.vague or either, past=past, yearless=named.yearless and not past)
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
