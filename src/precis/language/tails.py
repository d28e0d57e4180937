"""Where the value of a clause ends, and what stands behind it: other facts, conditions, days, what is over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from precis.language.tables import CONDITIONS, ENDINGS
from precis.language.tokens import Token, text_of
from precis.language.values import DAYS, MONTHS
from precis.language.words import STOP_WORDS, terms

TIME_WORDS = re.compile(
    rf"(?:(?:{DAYS}|{MONTHS}|early|late|mid|the|start|end|beginning|of|last|this|next|past|week|weekend|month|year|spring"
    r"|summer|autumn|fall|winter|today|yesterday|tomorrow|tonight|ago|days?|weeks?|months?|years?|hours?|minutes?|a|an|few"
    r"|couple|one|two|three|four|five|six|seven|eight|nine|ten|morning|afternoon|evening|night|then|childhood|birth"
    r"|\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d)\s*)+",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(rf"\b(?:19|20)\d\d\b|\b(?:{MONTHS})\b", re.IGNORECASE)
WHEN = frozenset("yesterday today tomorrow tonight ago last this next".split())
_HABIT = re.compile(
    rf"\b(?:{DAYS})s\b|\b(?:weekdays|weekends|night|mornings?|evenings?|afternoons?|noon|winter|summer|spring|autumn"
    r"|mornings|holidays|vacation|school days)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tail:
    """What stands behind a value."""

    extra: frozenset[str] = frozenset()
    condition: frozenset[str] = frozenset()
    ended: frozenset[str] = frozenset()
    dated: bool = False


def value_and_tail(words: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """The value that opens these words, and the tail."""
    for place, word in enumerate(words):
        if word.small and (word.low in ENDINGS or word.low in ",;:-\u2013\u2014"):
            return list(words[:place]), list(words[place:])
        if word.low in WHEN and word.small:
            return list(words[:place]), list(words[place:])
    return list(words), []


def tail_of(words: Sequence[Token]) -> Tail:
    """What stands behind a value, sorted by what it says."""
    extra: set[str] = set()
    condition: set[str] = set()
    ended: set[str] = set()
    dated = False
    for before, segment in _segments(words):
        wording = text_of(segment)
        telling = " ".join(word.text for word in segment if word.low not in STOP_WORDS)
        if TIME_WORDS.fullmatch(wording) and not _HABIT.search(wording):
            dated = dated or (before not in {"since", "from"} and _ABSOLUTE.search(wording) is not None)
        elif before in {"from", "rather", "not"}:
            ended |= set(terms(telling))
        elif before in CONDITIONS or _HABIT.search(wording):
            condition |= set(terms(telling)) or {before}
        else:
            extra |= set(terms(telling))
    return Tail(extra=frozenset(extra), condition=frozenset(condition), ended=frozenset(ended), dated=dated)


def _segments(words: Sequence[Token]) -> list[tuple[str, list[Token]]]:
    """The tail cut before each preposition and conjunction."""
    result: list[tuple[str, list[Token]]] = []
    for word in words:
        if word.small and word.low in ENDINGS | {"not"}:
            result.append((word.low, []))
        elif word.low not in ",;:-\u2013\u2014":
            if not result:
                result.append(("", []))
            result[-1][1].append(word)
    return result
