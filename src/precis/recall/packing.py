"""What of a memory is worth its tokens in a context: how likely it is evidence, and in which of its sentences. Pure.

The figures are round ones near what was fitted on four data sets, each left out once (docs/why/recall.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from precis.language import tables
from precis.language.chitchat import hollow, is_small_talk, uncalled
from precis.language.sentences import is_question, sentences
from precis.language.words import content

_WHEN = re.compile(rf"\b(?:{tables.choices('questions.when')})\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d")
#: A shout has at most so many words.
_SHOUT = 3
#: The least and the most likely relevance that says anything.
_EDGE = 1e-3


def chance(score: float, relevance: float | None, rank: int) -> float:
    """How likely the row of this rank is evidence; None where nobody knows its relevance."""
    weight = 0.5 * score + 0.6 / (1 + rank) - 0.9 * math.log1p(rank) - 0.2
    if relevance is not None:
        weight += 0.6 * math.log((relevance + _EDGE) / (1 - relevance + _EDGE))
    return 1 / (1 + math.exp(-weight))


def is_filler(sentence: str) -> bool:
    """Whether it takes no room: it greets, thanks or praises, or only calls somebody."""
    if is_small_talk(sentence):
        return True
    short = len(sentence.split()) <= _SHOUT and not _FIGURE.search(sentence)
    return short and (hollow(sentence) or not content(uncalled(sentence)))


class Asking:
    """The question, against which the sentences of a memory are held."""

    def __init__(self, query: str, rows: Iterable[frozenset[str]]) -> None:
        """``rows`` are the stems of each memory: what many hold says little."""
        self._terms = content(query)
        self._when = bool(_WHEN.search(query))
        holding = Counter(term for stems in rows for term in stems & self._terms)
        number = 1 + max(holding.values(), default=0)
        self._rarity = {term: math.log(1 + number / (1 + holding[term])) for term in self._terms}

    def shares(self, parts: Sequence[str], stems: Sequence[frozenset[str]], dated: Sequence[bool]) -> list[float]:
        """How likely each sentence is the one that matters, if one is: together 1. Nothing for what takes no room."""
        holds = [sum(self._rarity[term] for term in terms & self._terms) for terms in stems]
        best = max(holds, default=0.0)
        weights = [
            math.exp(self._weight(part, worth / best if best else 0.0, len(terms), is_dated))
            if worth or not is_filler(part)
            else 0.0
            for part, worth, terms, is_dated in zip(parts, holds, stems, dated, strict=True)
        ]
        total = sum(weights)
        return [weight / total if total else 0.0 for weight in weights]

    def _weight(self, part: str, worth: float, terms: int, is_dated: bool) -> float:  # noqa: FBT001 - beside figures
        weight = 1.8 * worth + 0.9 * math.log1p(terms) - 0.7 * hollow(part)
        if is_dated or _FIGURE.search(part):
            weight += 0.8 if self._when else 0.3
        return weight - (1.0 if is_question(part) and not worth and self._terms else 0.0)


def parts_of(text: str) -> list[str]:
    """The sentences of a memory, each in one line."""
    return [" ".join(part.split()) for part in sentences(text)] or [" ".join(text.split())]
