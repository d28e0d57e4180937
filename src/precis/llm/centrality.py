"""Choosing for common opinion: the sentences most like all the others, not like each other.

Degree centrality over tf-idf (Erkan and Radev, 2004, without the threshold: it is then one product with the sum of all
vectors, so no matrix is needed), with the redundancy term of maximal marginal relevance (Carbonell and Goldstein,
1998).
Common words stay in the vectors: how people say a thing is part of what they agree on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from precis.llm.standalone import Candidate
from precis.words import stem, words

#: How much of its worth a sentence loses when it says what was chosen already.
_REDUNDANCY = 0.6
#: Long sentences are near to everything; this takes the advantage back.
_LENGTH = -0.25

Vector = NDArray[np.float64]


def central(found: Sequence[Candidate], take: Callable[[Sequence[int]], bool]) -> list[int]:
    """Indices in the order chosen; ``take`` says whether a candidate fits and books it."""
    if not found:
        return []
    space = _Space([Counter(map(stem, words(one.text))) for one in found])
    lengths = np.array([max(1, one.length + one.lead_length) for one in found], dtype=np.float64)
    worth = space.degrees() * lengths**_LENGTH
    near = np.zeros(len(found))
    left = worth > 0
    chosen: list[int] = []
    while left.any():
        best = int(np.argmax(np.where(left, worth * (1 - _REDUNDANCY * near), -1.0)))
        left[best] = False
        if take([best]):
            chosen.append(best)
            near = np.maximum(near, space.likeness(best))
    return chosen


class _Space:
    """Unit tf-idf vectors, kept by word."""

    def __init__(self, bags: Sequence[Counter[str]]) -> None:
        self._size = len(bags)
        seen = Counter(word for bag in bags for word in bag)
        rarity = {word: math.log(1 + self._size / times) for word, times in seen.items()}
        self._vectors = [_unit({word: times * rarity[word] for word, times in bag.items()}) for bag in bags]
        where: dict[str, tuple[list[int], list[float]]] = {}
        for index, vector in enumerate(self._vectors):
            for word, weight in vector.items():
                places, weights = where.setdefault(word, ([], []))
                places.append(index)
                weights.append(weight)
        self._postings = {word: (np.array(places), np.array(weights)) for word, (places, weights) in where.items()}

    def degrees(self) -> Vector:
        """Mean cosine of each vector to all."""
        total = np.zeros(self._size)
        for places, weights in self._postings.values():
            total[places] += weights * weights.sum()
        return total / self._size

    def likeness(self, index: int) -> Vector:
        """Cosine of one vector to each."""
        total = np.zeros(self._size)
        for word, weight in self._vectors[index].items():
            places, weights = self._postings[word]
            total[places] += weight * weights
        return np.minimum(total, 1.0)


def _unit(vector: dict[str, float]) -> dict[str, float]:
    norm = math.hypot(*vector.values()) if vector else 0.0
    return {word: weight / norm for word, weight in vector.items()} if norm else {}
