"""A thing that a short number tells apart: "room 12", "bus line 7", "flat 3B"."""

import re
from functools import lru_cache

from precis.finding.parts import Subject
from precis.finding.tables import name_words
from precis.finding.values import Level, Match, Row

_SIGN = r"(?:(?:no\.?|nr\.?|number|#) ?)?"
_ASKED = re.compile(
    rf"(?:(?:the|my|our|that|this) )?(?P<things>[a-z]{{3,}}(?: [a-z]{{3,}}){{0,2}}) {_SIGN}"
    r"(?P<number>\d{1,4}(?:\.\d{1,3}){0,3}-?[a-z]?)$",
    re.IGNORECASE,
)
#: Their number says how many or when, and not which one.
_COUNTED = name_words("counted")


def match_numbered(subject: Subject, row: Row) -> Match | None:
    """SURE for a row with the thing and its number, NEAR for one with another number; None where none is asked for."""
    if subject.foreign or subject.names or subject.clause or subject.old or subject.current:
        return None
    asked = _ASKED.match(subject.text)
    if asked is None or not _COUNTED.isdisjoint(asked["things"].lower().split()):
        return None
    numbers = [*_pattern(asked["things"].lower()).finditer(row.text)]
    same = tuple(it.span() for it in numbers if _plain(it["number"]) == _plain(asked["number"]))
    if same:
        return Match(level=Level.SURE, why="it has this number", spans=same)
    return Match(level=Level.NEAR, why="it has another number") if numbers else None


@lru_cache(maxsize=256)
def _pattern(things: str) -> re.Pattern[str]:
    names = "|".join(re.escape(thing) for thing in things.split())
    return re.compile(rf"\b(?:{names}) {_SIGN}(?P<number>\d+(?:\.\d+){{0,3}}-?[a-z]?)\b(?![.,:/-]\d)", re.IGNORECASE)


def _plain(number: str) -> str:
    return number.replace("-", "").lower()
