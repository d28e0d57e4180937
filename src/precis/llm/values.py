"""Values a sentence states, in which two can disagree: times, days, counted things, names behind a preposition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from precis.words import stem

_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DIGITS = {word: str(n) for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}
_TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?:[ap]\.?m\b\.?|o'clock|in the (?:morning|evening|afternoon))"
    r"|\b(?P<hour2>\d{1,2}):(?P<minute2>\d\d)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b(?:(?:next |this |last )?(?:{_DAYS})(?: next week)?|today|tomorrow|tonight|(?:the )?day after tomorrow"
    rf"|(?:{_MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})"
    r"|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of (?:this|next) month)?)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(rf"\b(?P<many>\d+|{'|'.join(_DIGITS)})\s+(?P<what>[a-z]{{3,}})", re.IGNORECASE)
_PARTY = re.compile(
    rf"\b(?:table|reservation|seats?|tickets?|room|party) (?:for|of) (\d+|{'|'.join(_DIGITS)})\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?P<place>at|in|to|from|with|try|by|called|named|is|about)\s+(?:the (?:city |restaurant )?)?"
    r"(?P<name>[A-Z0-9][\w'\u2019&.-]*(?:\s+(?:[A-Z0-9&][\w'\u2019.&-]*))*)"
)
#: Units that count on the clock or the calendar: no values of a subject.
_UNITS = frozenset(
    "am pm day days week weeks hour hours minute minutes time times more other others thing things".split()
)
_NO_NAMES = re.compile(rf"(?:i|i'm|{_DAYS}|{_MONTHS}|\d[\d:.,]*|[ap]m)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Value:
    """One value: what kind of answer it is, and the answer in a form that can be compared."""

    kind: str
    said: str


def values(text: str) -> frozenset[Value]:
    """Every value of a sentence."""
    found = {Value(kind="time", said=_clock(match)) for match in _TIME.finditer(text)}
    found |= {Value(kind="date", said=match.group().lower().removeprefix("the ")) for match in _DATE.finditer(text)}
    found |= {Value(kind="count people", said=_digit(match[1])) for match in _PARTY.finditer(text)}
    for match in _COUNT.finditer(text):
        what = match["what"].lower()
        if what not in _UNITS:
            counted = "people" if what in {"person", "people", "guests", "seats", "us"} else stem(what)
            found.add(Value(kind=f"count {counted}", said=_digit(match["many"])))
    return frozenset(found | set(_names(text)))


def frame(terms: frozenset[str], stated: frozenset[Value]) -> frozenset[str]:
    """The content words of a sentence without those of its values."""
    said = {stem(part) for value in stated for part in re.findall(r"\w+", value.said)}
    return frozenset(term for term in terms if term not in said and not term[0].isdigit())


def _names(text: str) -> list[Value]:
    found = []
    for match in _NAME.finditer(text):
        name = match["name"].rstrip(".'\u2019-")
        if not _NO_NAMES.fullmatch(name.split()[0]):
            found.append(Value(kind=f"name {match['place'].lower()}", said=name.lower()))
    return found


def _clock(match: re.Match[str]) -> str:
    """Minutes on a clock of twelve hours: ``7 pm`` is ``7 in the evening``."""
    hour, minute = int(match["hour"] or match["hour2"]), int(match["minute"] or match["minute2"] or 0)
    return f"{hour % 12}:{minute:02}"


def _digit(said: str) -> str:
    return _DIGITS.get(said.lower(), said)
