"""Lists of vectors that are near each other: their centers, and how many of them a search has to read.

An inverted file (Sivic and Zisserman 2003; Jégou, Douze and Schmid 2011): k-means parts the vectors, a search reads the
lists whose centers are nearest to the question, and all of each of them.
"""

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

#: Vectors in a list, in the mean; and how many of them are read for its center.
PER_LIST, SAMPLED = 150, 20
#: How much of the nearest the lists that are read hold, in the mean over the questions that are tried; and how many are
#: tried, and how many of the nearest are looked for.
_ENOUGH, _TRIED, _NEAREST = 0.99, 512, 60
_ROUNDS, _WIDE, _SLICE = 6, 128, 8_192


def centers(sample: Vectors, number: int) -> Vectors:
    """So many unit centers, or fewer: by k-means on the sphere, of parts of parts where they are many."""
    if number <= _WIDE:
        return _centers(sample, number)
    above = _centers(sample, int(number**0.5))
    parts = [sample[nearest(sample, above) == part] for part in range(len(above))]
    return np.concatenate(
        [_centers(part, max(1, round(number * len(part) / len(sample)))) for part in parts if len(part)]
    )


def _centers(sample: Vectors, number: int) -> Vectors:
    dice = np.random.default_rng(17)
    means = unit(sample[dice.choice(len(sample), min(number, len(sample)), replace=False)])
    for _ in range(_ROUNDS):
        sums = np.zeros_like(means)
        np.add.at(sums, nearest(sample, means), sample)
        empty = ~sums.any(axis=1)
        sums[empty] = sample[dice.choice(len(sample), int(empty.sum()))]
        means = unit(sums)
    return means


def nearest(vectors: Vectors, means: Vectors) -> NDArray[np.intp]:
    """For each vector the place of its nearest center."""
    slices = [(vectors[at : at + _SLICE] @ means.T).argmax(axis=1) for at in range(0, len(vectors), _SLICE)]
    return np.concatenate(slices) if slices else np.zeros(0, dtype=np.intp)


def unit(vectors: Vectors) -> Vectors:
    """Each at a length of one; what is all zeros stays so."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled


def probes(sample: Vectors, means: Vectors, rows: int) -> int:
    """How many of the nearest lists hold enough of what is nearest to a question, tried with rows of the sample.

    ``rows`` is how many the sample stands for: of a tenth of the rows, a tenth as many of the nearest are looked for.
    """
    dice = np.random.default_rng(23)
    tried = dice.choice(len(sample), min(_TRIED, len(sample)), replace=False)
    lists = nearest(sample, means)
    many = max(10, round(_NEAREST * len(sample) / rows))
    places = []
    for at in tried:
        likeness = sample @ sample[at]
        likeness[at] = -2.0
        # The place, in the order of nearness to the question, of the list of each of the nearest.
        order = np.empty(len(means), dtype=np.intp)
        order[np.argsort(-(means @ sample[at]))] = np.arange(len(means))
        best = np.argpartition(-likeness, min(many, len(likeness) - 1))[:many]
        places.append(order[lists[best]])
    return int(np.quantile(np.concatenate(places), _ENOUGH)) + 1
