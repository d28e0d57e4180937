"""The calendar, and dates in texts: relative ones with the day they mean, those in words, those in figures.

"Yesterday" said on 8 May 2023 is 7 May 2023. Pure: the date of a text is passed in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from precis.language import tables
from precis.language.words import stem

_SPELLINGS = [spellings.split() for spellings in tables.phrases("calendar.months")]
#: Months by their names and short forms, from 1; weekdays from 0, a Monday; the months of each season.
MONTHS = {spelling: number for number, spellings in enumerate(_SPELLINGS, start=1) for spelling in spellings}
WEEKDAYS = {name: number for number, name in enumerate(tables.words("calendar.weekdays"))}
SEASONS = {name: tuple(map(int, months.split())) for name, months in tables.section("calendar.seasons").items()}
#: The months by number, and the same as alternatives of a regular expression: their names, names and short forms.
MONTH_NAMES = {number: spellings[0] for number, spellings in enumerate(_SPELLINGS, start=1)}
A_MONTH, A_MONTH_OR_SHORT, A_WEEKDAY = "|".join(MONTH_NAMES.values()), "|".join(MONTHS), "|".join(WEEKDAYS)
#: Abbreviations that may be followed by a full stop. "May" is none; "sat" and "sun" mostly are words.
SHORT_NAMES = frozenset(MONTHS) - set(MONTH_NAMES.values()) | set(tables.words("calendar.short_weekdays"))

NUMBERS = tables.words("numbers.count")
_COUNTS = {word: value for value, word in enumerate(NUMBERS[:13])} | dict.fromkeys(("a", "an"), 1)
_COUNT = r"\d{1,3}|a couple(?: of)?|an?|" + "|".join(NUMBERS[:13])


# --- relative dates ---

_RELATIVE = re.compile(
    r"\b(?:(?P<day>the day before yesterday|the day after tomorrow|yesterday|tomorrow|today|tonight|last night"
    r"|this (?:morning|afternoon|evening))"
    rf"|(?P<which>last|next|this|past|this past|this coming) (?P<unit>week|weekend|month|year|{A_WEEKDAY})"
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


def dated(text: str, day: date | None) -> str:
    """The text with the calendar date behind each relative one: ``yesterday (7 May 2023)``. Each date once.

    A text of no known day is left as it is.
    """
    if day is None:
        return text
    written: set[str] = set()

    def add(match: re.Match[str]) -> str:
        meant = _resolved(match, day)
        if not meant or meant in written:
            return match.group()
        written.add(meant)
        return f"{match.group()} ({meant})"

    return _RELATIVE.sub(add, text)


def dates_meant(text: str, day: date) -> frozenset[str]:
    """The calendar dates behind its relative ones, in the words in which ``dated`` writes them."""
    resolved = (_resolved(match, day) for match in _RELATIVE.finditer(text))
    return frozenset(meant for meant in resolved if meant is not None)


def in_words(day: date) -> str:
    """A day as it is written in a statement: ``7 May 2023``."""
    return f"{day.day} {MONTH_NAMES[day.month].capitalize()} {day.year}"


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
        # The running one on a Sunday, or the one before or after.
        return f"weekend of {in_words(today + timedelta(days=5 - today.weekday(), weeks=step))}"
    if which == "next":
        return None
    ahead = (WEEKDAYS[unit] - today.weekday()) % 7
    return in_words(
        today + timedelta(days=(ahead or 7) - (7 if step < 0 else 0) - (7 if step < 0 and not ahead else 0))
    )


def _counted(count: str, unit: str, way: str, today: date) -> str | None:
    number = int(count) if count.isdigit() else _COUNTS.get(count, 2)  # "a couple" is two
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
    return f"{MONTH_NAMES[months % 12 + 1].capitalize()} {_real_year(months // 12)}"


def _real_year(year: int) -> int:
    """The year, if a calendar has it."""
    return date(year, 1, 1).year


# --- which days a text may speak of ---

_MEANT = {phrase: tuple(map(int, days.split())) for phrase, days in tables.section("calendar.meant").items()}


def date_keys(text: str, today: date | None) -> set[str]:
    """The days that a text's own date and its relative words name: stems of calendar words, ``#day`` and ``#year``.

    A text of no known day names none.
    """
    if today is None:
        return set()
    lowered = text.lower()
    days = {today}
    for phrase, (first, last) in _MEANT.items():
        if phrase in lowered:
            days.update(today + timedelta(days=step) for step in range(first, last + 1))
    # The last day of that name: what "on Friday" means in most notes.
    days.update(
        today - timedelta(days=(today.weekday() - number) % 7) for name, number in WEEKDAYS.items() if name in lowered
    )
    weekday_names = tuple(WEEKDAYS)
    keys: set[str] = set()
    for day in days:
        keys |= {MONTH_NAMES[day.month], weekday_names[day.weekday()], f"#{day.day}", f"#{day.year}"}
        keys.update(season for season, months in SEASONS.items() if day.month in months)
    meant = {part for words in dates_meant(text, today) for part in words.lower().split()}
    keys |= {f"#{part}" for part in meant if part.isdigit()}
    keys |= {MONTH_NAMES[MONTHS[part]] for part in meant & set(MONTHS)}
    return {stem(key) for key in keys} | _years(lowered, today)


def _years(lowered: str, today: date) -> set[str]:
    years = {f"#{today.year - 1}"} if "last year" in lowered or "year ago" in lowered else set()
    if "years ago" in lowered:
        years |= {f"#{today.year - back}" for back in range(1, 30)}
    return years | ({f"#{today.year + 1}"} if "next year" in lowered else set())


# --- dates in figures and in words ---

_FIGURES = re.compile(r"\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b")
_ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_NAMED = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?(?P<month>{A_MONTH})\b"
    r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?(?:,? (?P<year>\d{4})\b)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


def spelled_out(text: str) -> str:
    """The text with dates in figures in words: ``2023-05-07`` is ``07 May 2023``."""
    return _FIGURES.sub(_in_words, text)


def _in_words(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    name = MONTH_NAMES.get(int(month))
    return f"{day} {name.capitalize()} {year}" if name else match.group()


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """A date as far as a text gives it."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def fits(self, when: date | datetime) -> bool:
        """Whether a date is this one."""
        pairs = ((self.year, when.year), (self.month, when.month), (self.day, when.day))
        return all(expected is None or expected == actual for expected, actual in pairs)


def days_in(text: str) -> list[Day]:
    """Dates in figures, in words, and years that stand alone. "may" in small letters is a verb."""
    days = [_day(match[1], int(match[2]), match[3]) for match in _ISO.finditer(text)]
    rest = _ISO.sub(" ", text)
    for match in _NAMED.finditer(rest):
        number = match["before"] or match["after"]
        if match["month"] != "may" or number or match["year"]:
            days.append(_day(match["year"], MONTHS[match["month"].lower()], number))
    return [*days, *(Day(year=int(year)) for year in _YEAR.findall(_NAMED.sub(" ", rest)))]


def _day(year: str | None, month: int, day: str | None) -> Day:
    return Day(year=int(year) if year else None, month=month, day=int(day) if day else None)
