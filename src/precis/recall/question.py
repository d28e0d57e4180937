"""What a question asks for: its words, its dates, and how much it counts that a memory is new. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from precis.language import tables
from precis.language.dates import Day, days_in
from precis.language.words import index_terms, spoken_names, terms

#: Longest query that is read whole, in different terms; a longer one is cut to its first ones.
_MOST_TERMS = 512
_PRESENT = re.compile(rf"\b(?:{tables.choices('questions.present')})\b", re.IGNORECASE)
_DETAIL = re.compile(rf"\b(?:{tables.choices('questions.detail')})\b|\d", re.IGNORECASE)
#: A word with a capital that does not begin the question.
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A query as recall reads it."""

    text: str
    #: Its different stemmed content words, in order.
    terms: tuple[str, ...]
    #: Its words as written but in small letters: one of them may be the name of who said it.
    names: tuple[str, ...]
    #: Those of its terms that are names, as their capitals tell: whom it is about, not what.
    named: frozenset[str] = frozenset()
    days: tuple[Day, ...] = ()
    #: It asks how things are now: of two values of a fact the newer one.
    present: bool = False
    #: It asks for a date, a number or a name: a source answers it better than a summary.
    detail: bool = False


def read_question(text: str) -> Question:
    """The question in a text."""
    # "Now" says when, not what: a row that holds it is no likelier to answer.
    without_now = _PRESENT.sub(" ", text)
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(index_terms(without_now) or index_terms(text)))[:_MOST_TERMS],
        names=spoken_names(text)[:_MOST_TERMS],
        named=frozenset(terms(" ".join(_CAPITAL.findall(text)))),
        days=tuple(days_in(text)),
        present=bool(_PRESENT.search(text)),
        detail=bool(_DETAIL.search(text)),
    )


_DAY = 86_400.0
#: Half-lives shorter than this are taken for this.
_SHORTEST = 0.001


@dataclass(frozen=True, kw_only=True, slots=True)
class Recency:
    """Weights of the mix; those of one pair usually sum to 1."""

    #: Of likeness to the question, and of recency.
    semantic_weight: float = 0.8
    recency_weight: float = 0.2
    #: Within recency: of having been read of late, and of being new.
    freshness_weight: float = 0.6
    novelty_weight: float = 0.4
    #: Days after which either has halved.
    half_life_last_access_days: float = 7.0
    half_life_created_days: float = 30.0

    def of(self, *, created: datetime, accessed: datetime | None, now: datetime) -> float:
        """Recency, 0..1. What was never read counts as read when it was created."""
        freshness = _halved(now, accessed or created, self.half_life_last_access_days)
        novelty = _halved(now, created, self.half_life_created_days)
        return min(1.0, max(0.0, self.freshness_weight * freshness + self.novelty_weight * novelty))

    def mixed(self, likeness: float, recency: float) -> float:
        """What rows are ordered by."""
        return self.semantic_weight * likeness + self.recency_weight * recency


def _halved(now: datetime, then: datetime, half_life: float) -> float:
    days = max(0.0, (now - then).total_seconds() / _DAY)
    return float(0.5 ** (days / max(half_life, _SHORTEST)))
