"""Words for a time as they are typed in a hurry: "2moro", "last wknd", "3 yrs", "next fri"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from precis.language import tables

_WORDS = list(tables.section("calendar.shorthand").items())
#: "mon" and "sat" are weekdays only behind such a word.
_WEEKDAY = (
    r"(?:(?<=next )|(?<=last ))(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b"
    r"|(?:(?<=this )|(?<=on )|(?<=by )|(?<=til )|(?<=until ))(?:mon|tues?|weds?|thu(?:rs?)?|fri)\b"
)
_ANY = re.compile(
    r"(?<![^\W\d_])(?<!['\u2019])(?:" + "|".join(f"(?P<w{at}>{spelling})" for at, (_, spelling) in enumerate(_WORDS))
    + rf"|(?P<weekday>{_WEEKDAY}))(?!\w)"
)  # fmt: skip


class InFull(NamedTuple):
    """A text without shorthand, and where it is longer than what was written."""

    text: str
    #: Ends of the words that were put in, and by how much the text is longer up to there.
    ends: Sequence[int]
    longer: Sequence[int]

    def place(self, end: int) -> int:
        """The place in what was written."""
        at = bisect_right(self.ends, end)
        return end - (self.longer[at - 1] if at else 0)


def in_full(text: str) -> InFull:
    """The text with the words that are meant."""
    parts: list[str] = []
    ends, longer = [], []
    start = size = 0
    for match in _ANY.finditer(text):
        word = _word(match)
        parts += [text[start : match.start()], word]
        size += match.start() - start + len(word)
        start = match.end()
        ends.append(size)
        longer.append(size - start)
    return InFull("".join([*parts, text[start:]]) if parts else text, ends, longer)


def _word(match: re.Match[str]) -> str:
    if match.lastgroup == "weekday":
        return match.group().capitalize()
    word = _WORDS[int(str(match.lastgroup)[1:])][0]
    glued = match.start() > 0 and match.string[match.start() - 1].isdigit()
    return f" {word}" if glued else word
