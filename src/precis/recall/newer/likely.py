"""Which later rows likely give the newer value of what an earlier one tells, and how likely each. Pure.

Of what is asked no more is read than whether it is over, and nothing is certain: such a row hides nothing.
What counts is whether both are of one speaker, share a word that few others have, have a figure of the same kind, and
whether the later one tells of a change. The figures of likelihood are those of chats in which values change
(benchmarks/changing_chats, the half that was read); no language has words of its own here.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from precis.language.newest.followed import reverses
from precis.language.newest.renewed import renews
from precis.language.newest.signs import figures_of
from precis.language.script import languages_of
from precis.language.sentences import is_question
from precis.language.words import content, kept
from precis.recall.newer.notes import STOOD
from precis.recall.telling import Told, matches, tells_of_change

#: Log-odds of any later row, and what each sign adds to them.
_ANY, _SPEAKER, _CHANGE, _FIGURE, _WORD, _WORDS = -8.7, 2.7, 1.9, 2.2, 2.5, 0.8
#: A word that so many rows at most have is rare.
_RARE = 6
#: What is less likely than this is nothing.
_LEAST = 0.01


class _Read(NamedTuple):
    """What is compared of a row."""

    stems: frozenset[str]
    kinds: frozenset[str]
    changes: bool
    asks: bool


def likely_newer(older: Sequence[str], told: Mapping[str, Told]) -> dict[str, dict[str, float]]:
    """For each row that may give a newer value of one of ``older``: of which, and how likely, 0..1."""
    read = {id_: _read(row.text) for id_, row in told.items()}
    holding = Counter(term for row in read.values() for term in row.stems)
    odds: dict[str, dict[str, float]] = defaultdict(dict)
    for old in older:
        for new, row in told.items():
            if row.said_at.date() <= told[old].said_at.date() or read[new].asks:
                continue
            rare = sum(holding[term] <= _RARE for term in read[old].stems & read[new].stems)
            weight = (
                _ANY
                + _SPEAKER * (row.speaker == told[old].speaker)
                + _CHANGE * read[new].changes
                + _FIGURE * (not read[old].kinds.isdisjoint(read[new].kinds))
                + _WORD * (rare > 0)
                + _WORDS * (rare > 1)
            )
            odds[new][old] = math.exp(weight)
    return _shared(odds)


def _shared(odds: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The chances, where an older row has one newer value at most, and a later row gives that of one.

    What goes with any row goes with none: in a talk of few, most rows of somebody with a figure are as good.
    """
    of_older: dict[str, float] = defaultdict(float)
    for olds in odds.values():
        for old, single in olds.items():
            of_older[old] += single
    later: dict[str, dict[str, float]] = defaultdict(dict)
    for new, olds in odds.items():
        of_new = sum(olds.values())
        for old, single in olds.items():
            chance = single / (1 + of_older[old] + of_new - single)
            if chance >= _LEAST:
                later[new][old] = chance
    return later


def asks_how_it_was(query: str) -> bool:
    """Whether a question has a word of the past: no newer value answers it."""
    languages = languages_of(query)[0]
    return matches("stood", languages, query) if languages else STOOD.search(query) is not None


@kept
def _read(text: str) -> _Read:
    changes = tells_of_change(text, (*languages_of(text)[0], "English")) or reverses(text) or renews(text)
    return _Read(content(text), frozenset(figures_of(text)), changes, is_question(text))
