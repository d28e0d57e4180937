"""The same for the commonest phrases of French, German, Spanish, Portuguese and Italian, out of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from precis.language import tables
from precis.language.dating.spans import DAY, Span, days, month_of, week_of, weekend_of, year

_MARKS = {name: frozenset(listed.split()) for name, listed in tables.section("words.languages").items()}


class _Tongue:
    """The phrases of one language."""

    def __init__(self, name: str) -> None:
        rows = tables.section(f"elsewhere.{name}")
        self._days = [(_any_case(phrase), int(step)) for phrase, step in _pairs(rows["days"])]
        self._units = [(_any_case(spellings), unit) for unit, spellings in map(_halves, rows["units"].split(";"))]
        self._weekdays = {weekday: number for number, weekday in enumerate(rows["weekdays"].split())}
        numbers = (part.split("=") for part in rows["numbers"].split())
        self._counts = [(_any_case(spellings), int(number)) for spellings, number in numbers]
        units = "|".join([*(unit.pattern for unit, _ in self._units), *self._weekdays])
        slots = {
            "{unit}": rf"(?P<unit>{units})(?:-feira)?",
            "{count}": rf"(?P<count>\d{{1,3}}|{'|'.join(count.pattern for count, _ in self._counts)})",
        }
        self._phrases = [
            (_any_case(rf"(?<!\w){form}(?!\w)"), way)
            for way in ("ago", "last", "next")
            for form in _filled(rows[way], slots)
        ]
        self._any_day = _any_case(rf"(?<![\w-])(?:{'|'.join(day.pattern for day, _ in self._days)})(?![\w-])")

    def meant_in(self, text: str, today: date) -> list[tuple[int, Sequence[Span]]]:
        """As that of English does."""
        meanings: list[tuple[int, int, Sequence[Span]]] = []
        for match in self._any_day.finditer(text):
            step = next(step for day, step in self._days if day.fullmatch(match.group()))
            meanings.append((match.start(), match.end(), (days(today + step * DAY),)))
        for phrase, way in self._phrases:
            for match in phrase.finditer(text):
                span = self._span(match, way, today)
                if span and not any(match.start() < end and start < match.end() for start, end, _ in meanings):
                    meanings.append((match.start(), match.end(), (span,)))
        return [(end, spans) for _, end, spans in sorted(meanings, key=lambda meaning: meaning[0])]

    def _span(self, match: re.Match[str], way: str, today: date) -> Span | None:
        word = match["unit"].lower()
        unit = next((unit for spellings, unit in self._units if spellings.fullmatch(word)), None)
        if way == "ago":
            return self._ago(match["count"], unit, today)
        step = -1 if way == "last" else 1
        if unit is None:
            weekday = self._weekdays[word]
            if way == "last":
                return days(today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY)
            # "Next" may mean the one after that where it still comes in this week.
            return days(today + (weekday + 7 - today.weekday()) * DAY) if weekday <= today.weekday() else None
        span_of = {"week": week_of, "weekend": weekend_of}.get(unit)
        if span_of:
            return span_of(today + 7 * step * DAY)
        return month_of(today, step) if unit == "month" else year(today.year + step) if unit == "year" else None

    def _ago(self, count: str, unit: str | None, today: date) -> Span | None:
        number = int(count) if count.isdigit() else next(n for spelling, n in self._counts if spelling.fullmatch(count))
        if unit in ("day", "week"):
            return days(today - number * (DAY if unit == "day" else 7 * DAY))
        return month_of(today, -number) if unit == "month" else year(today.year - number) if unit == "year" else None


def _any_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _halves(text: str) -> tuple[str, str]:
    unit, _, phrase = text.strip().partition(" ")
    return unit, phrase


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(phrase.strip(), step) for phrase, _, step in (part.strip().rpartition(" ") for part in text.split(";"))]


def _filled(forms: str, slots: Mapping[str, str]) -> list[str]:
    """Forms parted by semicolons, with a pattern in each slot."""
    for slot, pattern in slots.items():
        forms = forms.replace(slot, pattern)
    return [form.strip() for form in forms.split(";")]


_TONGUES = {name: _Tongue(name) for name in tables.entry("elsewhere")}
#: Frequent words of these languages: a text without any is in none of them.
_FOREIGN = frozenset().union(*(marks for name, marks in _MARKS.items() if name in _TONGUES)) - _MARKS["English"]


def meant_elsewhere(text: str, today: date) -> Sequence[tuple[int, Sequence[Span]]]:
    """(where the phrase ends, the days it means), if the text is in one of these languages."""
    spoken = re.findall(r"[^\W\d_]+", text.lower())
    if _FOREIGN.isdisjoint(spoken):
        return ()
    hits = {name: sum(word in marks for word in spoken) for name, marks in _MARKS.items()}
    most = max(hits.values())
    if not most:
        return ()
    readings: list[Sequence[tuple[int, Sequence[Span]]]] = []
    for name in (name for name, number in hits.items() if number == most and name in _TONGUES):
        try:
            readings.append(_TONGUES[name].meant_in(text, today))
        except (OverflowError, ValueError):  # no calendar has it
            continue
    return max(readings, key=len, default=())
