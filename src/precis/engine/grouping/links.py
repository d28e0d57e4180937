"""How much any two memories have in common: the words that both hold, and what each is about. Pure.

The rarer a word is in this scope, the more it links, and so does how like the words are that say what each is about.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from precis.engine.grouping.clusters import Candidate
from precis.engine.grouping.likeness import UNSEEN

#: What a shared word counts that is no subject by itself: a verb, one of mood. And all shared words at most.
_VERB, _MOOD, _EVERY = 0.5, 0.35, 1.0
#: So much less are two linked of whom somebody else says each, unless both are about one person.
_STRANGE = 0.5
#: Of so many words the likeness counts in full: that of two cheers is high, and tells nothing.
_FEW = 3
#: A word that so many memories hold links them in full, and the more hold it the less. Where words alone tell, one word
#: has to be enough for a subject of several.
_PAIR, _SEVERAL = 2, 3

Matrix = NDArray[np.float64]


def _strange(row: Candidate, other: Candidate) -> bool:
    """Whether two people say them, of whom neither tells of the other or of one third person."""
    about = row.person is not None and row.person == other.person
    return None not in (row.speaker, other.speaker) and row.speaker != other.speaker and not about


class Links:
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
        rarest = _SEVERAL if sum(row.lettered for row in rows) * 2 > len(rows) else _PAIR
        self._rarity = {
            word: min(1.0, math.log(size / number) / math.log(size / rarest)) for word, number in standing.items()
        }
        topics = np.array([row.vector if row.topic is None else row.topic for row in rows], dtype=np.float64)
        topics -= topics.sum(axis=0) / size
        lengths = np.linalg.norm(topics, axis=1, keepdims=True)
        self._topics = topics / np.where(lengths > 0, lengths, 1.0)

    def between(self, together: Sequence[int]) -> Matrix:
        """The links of these with each other; of each with itself none."""
        rows = [self._rows[at] for at in together]
        topics = self._topics[list(together)]
        numbers = np.array([len(row.words) + len(row.verbs) for row in rows])
        sure = np.minimum(1.0, np.minimum.outer(numbers, numbers) / _FEW)
        keys = np.array([[row.key is not None and row.key == other.key for other in rows] for row in rows])
        links: Matrix = np.minimum(_EVERY, self._shared(together)) + keys + topics @ topics.T * sure
        links -= _STRANGE * np.array([[_strange(row, other) for other in rows] for row in rows])
        np.fill_diagonal(links, -np.inf)
        return links

    def _shared(self, together: Sequence[int]) -> Matrix:
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
