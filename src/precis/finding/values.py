"""The values that finding passes around: rows as it reads them, and what it says of each."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Protocol

#: Part of a text, from a first character to behind a last one.
Span = tuple[int, int]


class Kin(Protocol):
    """Nearness of words in meaning."""

    def __call__(self, first: str, second: str) -> float:
        """Of two words or texts, -1 to 1."""

    def near(self, word: str, least: float) -> re.Pattern[str]:
        """Words that are at least so near to a word, in small letters."""


class Level(IntEnum):
    """How well a row fits what was asked. Of several conditions on a row the worst counts."""

    NO = 0
    #: Looks like it and is not: shown, so that nobody wonders.
    NEAR = 1
    #: May be meant.
    DOUBTFUL = 2
    SURE = 3


#: Why a row stays, whatever else of a request finds it: the request itself names what is to stay, or to be so now.
STAYS, MAY_STAY, SO_NOW = (
    "it was to be left alone", "it may be what was to be left alone", "the request says that it is so now"
)  # fmt: skip
LEFT_ALONE = frozenset({STAYS, MAY_STAY, SO_NOW})
#: Why a row is somebody's that does not name them.
SPOKEN = "they said it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A memory as it is looked through."""

    id: str
    text: str
    created_at: datetime
    event_date: datetime | None = None
    session_id: str | None = None
    speaker: str | None = None
    #: Where it comes from, in the caller's words: values of its metadata, its namespace, agent and run.
    origins: frozenset[str] = frozenset()
    #: Subject, topics and entities that it was filed under, in small letters.
    labels: frozenset[str] = frozenset()
    #: Cosine to each phrase of the request, in their order; empty where the row has no vector.
    likeness: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """How well one condition holds of a row, and why; the parts of the text that it is about."""

    level: Level
    why: str = ""
    spans: tuple[Span, ...] = ()
    #: How likely what is in doubt is meant, 0 to 1, beside others that are in doubt.
    likelihood: float = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What is said of a row that is meant, may be meant, or is near."""

    id: str
    level: Level
    #: In words, without a word of the memory itself.
    why: str
    #: What stays of its text where only a part is meant; empty where it goes whole.
    keeps: tuple[Span, ...] = ()
    #: Whether it also speaks of somebody or something else, and goes whole all the same.
    shared: bool = False
    #: How likely what is in doubt is meant, 0 to 1, beside others that are in doubt.
    likelihood: float = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Findings:
    """Everything worth showing, the oldest memory first."""

    rows: tuple[Finding, ...] = field(default_factory=tuple)
    #: What was asked for besides, and of which no row tells: of "my salary and my pin" the pin.
    missing: tuple[str, ...] = ()

    def of(self, level: Level) -> tuple[Finding, ...]:
        """Those of one level; what is in doubt by how likely it is meant."""
        rows = [finding for finding in self.rows if finding.level is level]
        return tuple(sorted(rows, key=lambda it: -it.likelihood) if level is Level.DOUBTFUL else rows)
