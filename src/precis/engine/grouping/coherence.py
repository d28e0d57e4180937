"""Who keeps no company in a cluster: a memory that is not about what the others are about. Pure.

Two memories are linked by the words that both hold, the rarer in this scope the more, and by how like the words are
that say what each is about. A member that is linked to hardly anybody came because of its tone, or of a word that means
something else there. It leaves, and stays the memory that it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from precis.engine.grouping.likeness import UNSEEN, Candidate

#: A member is held against so many of the others, those it is linked to most.
_COMPANY = 2
#: Less than this, on average, is no company.
_LEAST = 0.5
#: A cluster of fewer has no summary: who is in it may be there.
_SPARSE = 3
#: What a shared word counts that is no subject by itself: a verb, one of mood. And all shared words at most.
_VERB, _MOOD, _MOST = 0.5, 0.35, 1.0
#: Of so many words the likeness counts in full: that of two cheers is high, and tells nothing.
_FEW = 3

Links = NDArray[np.float64]


def strays(rows: Sequence[Candidate], places: Sequence[int]) -> list[int]:
    """The places in ``rows`` of those that leave their clusters, which are named by ``places``."""
    if not rows:
        return []
    members: dict[int, list[int]] = {}
    for at, place in enumerate(places):
        members.setdefault(place, []).append(at)
    links = _Links(rows)
    return [
        together[at]
        for together in members.values()
        if len(together) >= _SPARSE
        for at in _leaving([rows[at] for at in together], links.between(together))
    ]


def _leaving(rows: Sequence[Candidate], links: Links) -> list[int]:
    """Those with the least company, one after the other, as long as more than a pair is left."""
    staying, leaving = list(range(len(rows))), list[int]()
    while len(staying) >= _SPARSE:
        company = _company(links[np.ix_(staying, staying)])
        alone = [(company[at], -at) for at, row in enumerate(staying) if _can_be_judged(rows[row])]
        least, place = min(alone, default=(_LEAST, 0))
        if least >= _LEAST:
            break
        leaving.append(staying.pop(-place))
    return leaving


def _can_be_judged(row: Candidate) -> bool:
    """Whether its words are known, and its vector is of what they mean."""
    return not row.lettered and bool(row.words or row.verbs or row.moods)


def _company(links: Links) -> list[float]:
    """How each is linked to those it is linked to most."""
    best = np.sort(links, axis=1)[:, -_COMPANY:]
    # Rounded, so that no two machines order them differently.
    return [round(float(mean), 5) for mean in best.mean(axis=1)]


class _Links:
    """How much any two memories of a scope have in common."""

    def __init__(self, rows: Sequence[Candidate]) -> None:
        self._rows = rows
        self._weights = [
            dict.fromkeys(row.moods, _MOOD) | dict.fromkeys(row.verbs, _VERB) | dict.fromkeys(row.words, 1.0)
            for row in rows
        ]
        standing = Counter(word for weights in self._weights for word in weights)
        # What all of a few memories share is not yet what everything shares.
        size = len(rows) + UNSEEN
        self._rarity = {word: math.log(size / number) / math.log(size / _COMPANY) for word, number in standing.items()}
        topics = np.array([row.vector if row.topic is None else row.topic for row in rows], dtype=np.float64)
        topics -= topics.sum(axis=0) / size
        lengths = np.linalg.norm(topics, axis=1, keepdims=True)
        self._topics = topics / np.where(lengths > 0, lengths, 1.0)

    def between(self, together: Sequence[int]) -> Links:
        """The links of these with each other; of each with itself none."""
        rows = [self._rows[at] for at in together]
        topics = self._topics[list(together)]
        numbers = np.array([len(row.words) + len(row.verbs) for row in rows])
        sure = np.minimum(1.0, np.minimum.outer(numbers, numbers) / _FEW)
        keys = np.array([[row.key is not None and row.key == other.key for other in rows] for row in rows])
        links: Links = np.minimum(_MOST, self._shared(together)) + keys + topics @ topics.T * sure
        np.fill_diagonal(links, -np.inf)
        return links

    def _shared(self, together: Sequence[int]) -> Links:
        """What the words count that each two hold."""
        shared = np.zeros((len(together), len(together)))
        holders: dict[str, dict[int, float]] = {}
        for place, at in enumerate(together):
            for word, weight in self._weights[at].items():
                holders.setdefault(word, {})[place] = weight
        # In order, so that no two runs add them up differently.
        for word in sorted(word for word, weights in holders.items() if len(weights) > 1):
            places, weights = list(holders[word]), list(holders[word].values())
            shared[np.ix_(places, places)] += self._rarity[word] * np.minimum.outer(weights, weights)
        return shared
