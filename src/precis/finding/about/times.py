"""Whether a memory is of a period: was written in it, or tells of it."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date, tzinfo

from precis.finding.periods import Period
from precis.finding.tables import languages, times
from precis.finding.values import Level, Match, Row
from precis.finding.written.spellings import days_in_figures, times_of_day
from precis.language.dates import A_MONTH, MONTH_NAMES, MONTHS, days_in, spelled_out

#: A year that is told as one, and is no number.
_IN_YEAR = re.compile(
    r"\b(?:in|of|since|from|during|until|till|by|around|about|spring|summer|autumn|fall|winter|year|early|mid|late)[ -]"
    r"((?:19|20)\d\d)\b(?![-./]\d)",
    re.IGNORECASE,
)
#: From one year to another.
_YEARS = re.compile(
    r"(?<![\d.-])((?:19|20)\d\d)\s?(?:-|\u2013|\u2014|to|until|till|through|bis|hasta|a|\u00e0|au|al|at\u00e9|\u043f\u043e)\s?((?:19|20)\d\d)\b(?![-./]\d)",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"\b(?:birthdays?|anniversar\w+|name day|born|every year|yearly|annual\w*|geburtstag\w*|jahrestag\w*"
    r"|anniversaire\w*|cumplea\u00f1os|aniversario\w*|anivers\u00e1rio\w*|compleanno"
    r"|verjaardag\w*|urodziny|do\u011fum g\u00fcn\w*)\b",
    re.IGNORECASE,
)
_SHORT = "|".join(sorted(name for name in MONTHS if name not in MONTH_NAMES.values()))
_SHORT_MONTH = re.compile(rf"(?<=\d )(?:{_SHORT})\b\.?|\b(?:{_SHORT})\b\.?(?= \d)", re.IGNORECASE)


def match_period(
    period: Period, row: Row, zone: tzinfo, *, by_writing: bool, said: bool = False, language: str = "en",
    since: date = date.min,
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
    told = None if by_writing or said or row.event_date else _of_years(period, row.text)
    if told is None and not said and period.last < since and not period.is_day:
        level = Level.DOUBTFUL if period.vague else Level.SURE
        speaks = speaks or any(period.holds(date(int(year), 7, 1)) for year in _IN_YEAR.findall(row.text))
        told = Match(level=level, why="it tells of that time") if speaks else Match(level=Level.NO)
    if told is not None:
        return told
    if not said and period.is_day and _names(period, row):
        dated = not _is_yearly(row.text) and _names_year(period, row)
        if (period.past or by_writing) and not written and not dated:
            return Match(level=Level.DOUBTFUL, why="it names that day, perhaps of another year")
        return Match(level=Level.DOUBTFUL if period.vague else Level.SURE, why="it names that day")
    if not by_writing and not written and period.phrase and _says_it(period.phrase, row.text):
        return Match(level=Level.DOUBTFUL, why="it names that time, and was written at another")
    if speaks is None or speaks == written:
        level = (Level.DOUBTFUL if period.vague else Level.SURE) if written else Level.NO
        return Match(level=level, why="it was written then" if written else "it was written at another time")
    return Match(
        level=Level.DOUBTFUL, why="it was written at one time and tells of another, and the request names one of them"
    )


def _of_years(period: Period, text: str) -> Match | None:
    """Whether what was from one year to another was in that time; in doubt where it was so outside of it as well."""
    spans = [(int(first), int(last)) for first, last in _YEARS.findall(text)]
    if not spans:
        return None
    inside = [period.holds(date(first, 12, 31)) and period.holds(date(last, 1, 1)) for first, last in spans]
    meets = [date(first, 1, 1) <= period.last and period.first <= date(last, 12, 31) for first, last in spans]
    if all(inside) and not period.vague:
        return Match(level=Level.SURE, why="it tells of that time")
    if any(meets):
        return Match(level=Level.DOUBTFUL, why="it tells of a time that goes beyond the one that was asked for")
    return Match(level=Level.NO, why="it tells of another time")


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


def _is_yearly(text: str) -> bool:
    """Whether it tells of what comes every year."""
    return _YEARLY.search(text) is not None


def _names_year(period: Period, row: Row) -> bool:
    """Whether its text says the year as well, in which the day is meant."""
    return str(period.first.year) in row.text


def _speaks_of(period: Period, row: Row, zone: tzinfo) -> bool | None:
    if row.event_date is not None:
        return period.holds(row.event_date.astimezone(zone).date())
    days = [period.holds(day) for day in _spoken(row, zone)]
    return any(days) if days else None


def _spoken(row: Row, zone: tzinfo) -> Iterator[date]:
    """The days that its text names in full, or as a month near its own date."""
    written = row.created_at.astimezone(zone).date()
    if not any(char.isdigit() for char in row.text) and not re.search(
        rf"\b(?:{A_MONTH}|{_SHORT})\b", row.text, re.IGNORECASE
    ):
        return
    for day in days_in(_in_full(row.text)):
        if day.month is None and day.day is None:
            continue
        try:
            yield date(day.year or written.year, day.month or 1, day.day or 15)
        except ValueError:
            continue


def match_times(times: Collection[tuple[int, int]], row: Row) -> Match:
    """Whether a row tells of one of these times of day, however it writes it; in doubt where it names none."""
    named = times_of_day(row.text)
    if not named:
        return Match(level=Level.DOUBTFUL, why="it names no time of day")
    if named.isdisjoint(times):
        return Match(level=Level.NO, why="it names another time of day")
    return Match(level=Level.SURE, why="it names that time of day")
