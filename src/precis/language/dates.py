"""The names of the calendar, and dates in texts as far as they give them: in words and in figures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from precis.language import tables

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

#: The names of the months in other languages.
MONTHS_ELSEWHERE = {language: tuple(text.split()) for language, text in tables.section("calendar.elsewhere").items()}

NUMBERS = tables.words("numbers.count")


def in_words(day: date) -> str:
    """A day as it is written in a statement: ``7 May 2023``."""
    return f"{day.day} {MONTH_NAMES[day.month].capitalize()} {day.year}"


def months_between(days: Sequence[date], *, months: Sequence[str] = (), named: bool = True) -> str | None:
    """From the first to the last of them, by months: "March to May 2026".

    In another language by the names of its ``months`` with a dash; where nothing is ``named``, in figures.
    """
    if not days:
        return None
    first, last = min(days), max(days)
    if months or not named:
        return _elsewhere(first, last, months)
    if first == last:
        return in_words(first)
    begins, ends = MONTH_NAMES[first.month].capitalize(), f"{MONTH_NAMES[last.month].capitalize()} {last.year}"
    if (first.year, first.month) == (last.year, last.month):
        return ends
    return f"{begins} to {ends}" if first.year == last.year else f"{begins} {first.year} to {ends}"


def _elsewhere(first: date, last: date, months: Sequence[str]) -> str:
    """The span without a word of English; a day as a statement of another language has it."""
    if first == last:
        return first.isoformat()
    same = first.year == last.year
    if not months:
        return " \u2013 ".join(dict.fromkeys(f"{day:%Y-%m}" for day in (first, last)))
    begins, ends = months[first.month - 1], f"{months[last.month - 1]} {last.year}"
    if (first.year, first.month) == (last.year, last.month):
        return ends
    return f"{begins} \u2013 {ends}" if same else f"{begins} {first.year} \u2013 {ends}"


# --- dates in figures and in words ---

_FIGURES = re.compile(r"\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b")
_ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_NAMED = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?(?P<month>{A_MONTH})\b"
    r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?(?:,? (?P<year>\d{4})\b)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


def dates_in_figures(text: str) -> list[tuple[str, str, str]]:
    """Year, month and day of each date in figures, as written: ``("2023", "05", "07")``."""
    return _FIGURES.findall(text)


def spelled_out(text: str) -> str:
    """The text with dates in figures in words: ``2023-05-07`` is ``7 May 2023``."""
    return _FIGURES.sub(_in_words, text)


def _in_words(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    name = MONTH_NAMES.get(int(month))
    return f"{int(day)} {name.capitalize()} {year}" if name else match.group()


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
