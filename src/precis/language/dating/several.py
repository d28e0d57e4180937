"""What is told of several days in the same words: these days behind the words, and the words of each day. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from precis.language.dates import MONTHS, in_words

_IN_WORDS = r"\d{1,2} [A-Z][a-z]+(?: \d{4})?"
_IN_FIGURES = r"\d{4}-\d\d-\d\d"
#: Days behind what means them, as ``dated`` writes one of them.
_DAYS = re.compile(rf"\(({_IN_WORDS}(?:(?:, | and ){_IN_WORDS})*|{_IN_FIGURES}(?:, {_IN_FIGURES})*)\)")
_DAY = re.compile(r"(\d{1,2}) ([A-Z][a-z]+)(?: (\d{4}))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Dated:
    """A text with the days that one place of it means."""

    before: str
    behind: str
    days: frozenset[date]
    #: Whether they stand in figures, as in other languages than English.
    in_figures: bool

    @property
    def wording(self) -> str:
        """What it says of each of its days."""
        return f"{self.before}({'0' if self.in_figures else ''}){self.behind}"

    def on(self, days: Iterable[date]) -> str:
        """The text with these days in the place of its own: ``28 February, 1 March and 2 March 2026``.

        Each has its month: a figure by itself may count anything.
        """
        listed = sorted(days)
        if self.in_figures:
            return f"{self.before}({', '.join(day.isoformat() for day in listed)}){self.behind}"
        last_of_year = {day.year: day for day in listed}
        parts = [in_words(day) if day == last_of_year[day.year] else in_words(day)[:-5] for day in listed]
        return f"{self.before}({' and '.join(filter(None, (', '.join(parts[:-1]), parts[-1])))}){self.behind}"


def dated_once(text: str) -> Dated | None:
    """The text with its days, where these stand in one place of it alone."""
    places = list(_DAYS.finditer(text))
    days = _days_in(places[0][1]) if len(places) == 1 else None
    if not days:
        return None
    (place,) = places
    return Dated(before=text[: place.start()], behind=text[place.end() :], days=days, in_figures=place[1][:4].isdigit())


def of_each_day(text: str) -> tuple[str, ...]:
    """What a text says of each of its days, where these are several."""
    read = dated_once(text)
    return tuple(read.on([day]) for day in sorted(read.days)) if read is not None and len(read.days) > 1 else ()


def _days_in(listed: str) -> frozenset[date] | None:
    """The days of a list; the last of them that are of one year names it."""
    try:
        if listed[:4].isdigit():
            return frozenset(map(date.fromisoformat, listed.split(", ")))
        days, year = set[date](), ""
        for day, month, own in reversed(_DAY.findall(listed)):
            year = own or year
            days.add(date(int(year), MONTHS[month.casefold()], int(day)))
        return frozenset(days)
    except (KeyError, ValueError):
        return None
