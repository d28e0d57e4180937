"""Values that can be compared: times, dates, amounts with their unit. Each kind of them answers one question."""

from __future__ import annotations

import re

from precis.language.words import stem

DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHORT = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_DIGITS = {word: str(number) for number, word in enumerate(_WORDS)}
TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|\b(?P<hour2>\d{1,2}):(?P<minute2>\d\d)\b|\b(?P<hour3>\d{1,2}) o'clock|\b(?P<word>noon|midnight)\b",
    re.IGNORECASE,
)
DATE = re.compile(
    rf"\b(?:(?P<weekday>(?:{DAYS}))s?|(?P<month>{MONTHS}|{_SHORT})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month2>{MONTHS}|{_SHORT})"
    rf"|(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<ordinal>\d{{1,2}}(?:st|nd|rd|th))|(?<=in )(?P<only>{MONTHS}))\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(
    rf"(?P<sign>[$€£¥₹]) ?(?P<signed>\d[\d.,]*)|\b(?P<number>\d[\d.,]*|{'|'.join(_WORDS)})(?P<gap>[ -]?)"
    r"(?P<unit>[^\W\d_]+|[%€£°])?",
    re.IGNORECASE,
)
_MONEY = frozenset(
    map(
        stem,
        "euro dollar pound yen rupee crown franc peso usd eur gbp chf real yuan won lira zloty krona bucks".split(),
    )
)


def typed(text: str) -> dict[str, frozenset[str]]:
    """Values by the kind of answer they give, each in a form that can be compared."""
    collected: dict[str, set[str]] = {}
    for match in TIME.finditer(text):
        collected.setdefault("time", set()).update(_clock(match))
    rest = TIME.sub(" ", text)
    for match in DATE.finditer(rest):
        kind, value = _date(match)
        collected.setdefault(kind, set()).add(value)
    for match in AMOUNT.finditer(DATE.sub(" ", rest)):
        kind, value = _amount(match)
        collected.setdefault(kind, set()).add(value)
    return {kind: frozenset(values) for kind, values in collected.items()}


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
    if match["weekday"]:
        return "weekday", match["weekday"].lower()
    month, day = match["month"] or match["month2"], match["day"] or match["day2"]
    if month:
        return "date", f"{month[:3].lower()} {int(day)}"
    return ("month", match["only"].lower()) if match["only"] else ("date", (match["iso"] or match["ordinal"]).lower())


def _amount(match: re.Match[str]) -> tuple[str, str]:
    if match["sign"]:
        return "money", match["signed"].rstrip(".,").replace(",", "")
    number = match["number"].lower().rstrip(".,").replace(",", "")
    number, unit = _DIGITS.get(number, number), stem((match["unit"] or "").casefold())
    if unit in _MONEY or unit in {"€", "£"}:
        return "money", number
    return f"amount {unit}".strip(), number
