"""The calendar: its names, on which day a feast is, dates and times in texts as far as they give them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

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
_SET_FOR = re.compile(
    rf"\b(?:to|till|until) (?:the )?(?:(?P<day>{_NAMED.pattern})|(?P<nth>\d{{1,2}})(?:st|nd|rd|th)\b)", re.IGNORECASE
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


def moved_to(text: str) -> list[Day]:
    """The days to which something is set, with or without the month: "pushed to the 3rd", "moved to 7 July"."""
    return [
        day
        for match in _SET_FOR.finditer(text)
        for day in ([Day(day=int(match["nth"]))] if match["nth"] else days_in(match["day"]))
    ]


def _day(year: str | None, month: int, day: str | None) -> Day:
    return Day(year=int(year) if year else None, month=month, day=int(day) if day else None)


FEASTS = tuple(name for place in ("holidays", "feasts") for name in tables.section(f"calendar.{place}"))


def _bare(name: str) -> str:
    """A name as it may be typed: "new years eve", "st patricks day"."""
    return re.sub(r"['\u2019]", "", name.lower()).replace("st. ", "st ").replace("saint ", "st ")


_FIXED_FEASTS = {_bare(name): tuple(map(int, day.split())) for name, day in tables.section("calendar.holidays").items()}
_FROM_EASTER = {_bare(name): int(step) for name, step in tables.section("calendar.feasts").items()}
#: Words of their names, with and without an ending: "valentine's", "valentines", "valentine".
FEAST_WORDS = frozenset(
    word for name in FEASTS for word in (*_bare(name).split(), *re.split(r" |['\u2019]s?(?= |$)", name)) if word
) | {"saint"}
#: The names, as alternatives of a regular expression; those of more than a word are of one day alone.
_SPELLED_FEASTS = {
    name: name.replace("'", "['\u2019]?").replace("st ", r"(?:st\.?|saint) ") for name in sorted(FEASTS, key=len)[::-1]
}
FEAST, DAY_OF_FEAST = (
    "|".join(_SPELLED_FEASTS.values()),
    "|".join(_SPELLED_FEASTS[name] for name in _SPELLED_FEASTS if " " in name),
)
_ANY_FEAST = re.compile(FEAST, re.IGNORECASE)


def easter(year: int) -> date:
    """Easter Sunday of the Western churches, by the algorithm of J. Meeus, Astronomical Algorithms, chapter 8."""
    century, of_century = divmod(year, 100)
    leaps, rest = divmod(century, 4)
    shift = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * (year % 19) + century - leaps - shift + 15) % 30
    weekday = (32 + 2 * rest + 2 * (of_century // 4) - moon - of_century % 4) % 7
    late = (year % 19 + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def day_of(name: str, year: int) -> date:
    """The day of a feast. Raises LookupError for an unknown name."""
    name = _bare(name)
    if name in _FIXED_FEASTS:
        return date(year, *_FIXED_FEASTS[name])
    return easter(year) + timedelta(days=_FROM_EASTER[name])


def feast_in(text: str) -> str:
    """The first name of a feast in a text. Raises LookupError where there is none."""
    match = _ANY_FEAST.search(text)
    if match is None:
        raise LookupError(text)
    return match.group()


_TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|\b(?P<hour2>\d{1,2}):(?P<minute2>\d\d)\b|\b(?P<hour3>\d{1,2}) o'clock|\b(?P<word>noon|midnight)\b",
    re.IGNORECASE,
)
_IN_FIGURES = r"(?P<iso>\d{4}-\d\d-\d\d)|(?P<ordinal>\d{1,2}(?:st|nd|rd|th))"
_DATE = re.compile(
    rf"\b(?:(?P<weekday>(?:{A_WEEKDAY}))s?|(?P<month>{A_MONTH_OR_SHORT})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month2>{A_MONTH_OR_SHORT})"
    rf"|{_IN_FIGURES}|(?<=in )(?P<only>{A_MONTH}))\b",
    re.IGNORECASE,
)
#: A text of ASCII has a time or a date only with one of these in it: looking for them takes a tenth of the time.
_TIMELY = re.compile(r"\d(?:[:.]\d|\s*[ap]| o)", re.IGNORECASE)
_TIMES = ("noon", "midnight")
_FIGURED = re.compile(rf"\b(?:{_IN_FIGURES})\b", re.IGNORECASE)
_DAILY = re.compile(r"\d(?:st|nd|rd|th|-\d\d-)", re.IGNORECASE)
_CALENDAR = tuple(sorted({name[:3] for name in (*WEEKDAYS, *MONTHS)}))


def moments_in(text: str) -> tuple[dict[str, set[str]], str]:
    """Values by the kind of answer they give, and the text without them."""
    collected: dict[str, set[str]] = {}
    low = text.lower()
    beyond = not text.isascii()
    if beyond or _TIMELY.search(text) or any(map(low.__contains__, _TIMES)):
        times, text = _taken_out(_TIME, text)
        for match in times:
            collected.setdefault("time", set()).update(_clock(match))
    named = beyond or any(map(low.__contains__, _CALENDAR))
    if named or _DAILY.search(text):
        dates, text = _taken_out(_DATE if named else _FIGURED, text)
        for match in dates:
            kind, value = _date(match)
            collected.setdefault(kind, set()).add(value)
    return collected, text


def _taken_out(pattern: re.Pattern[str], text: str) -> tuple[list[re.Match[str]], str]:
    """All that fits, and the text with a space in the place of each."""
    matches = list(pattern.finditer(text))
    ends = [0, *(match.end() for match in matches)]
    starts = [*(match.start() for match in matches), len(text)]
    return matches, " ".join(text[end:start] for end, start in zip(ends, starts, strict=True)) if matches else text


def _clock(match: re.Match[str]) -> frozenset[str]:
    """The time on a clock of 24 hours; both, where morning or evening is not said."""
    if match["word"]:
        return frozenset({match["word"].lower()})
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    minute = int(match["minute"] or match["minute2"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
        return frozenset({f"{hour}:{minute:02}"})
    return frozenset({f"{hour}:{minute:02}", f"{(hour + 12) % 24}:{minute:02}"})


def _date(match: re.Match[str]) -> tuple[str, str]:
    if match["iso"] or match["ordinal"]:
        return "date", match.group().lower()
    if match["weekday"]:
        return "weekday", match["weekday"].lower()
    month, day = match["month"] or match["month2"], match["day"] or match["day2"]
    return ("date", f"{month[:3].lower()} {int(day)}") if month else ("month", match["only"].lower())
