"""Vectors of texts by the letters of their words, for what the table of meanings cannot read.

Each beginning of a word and each run of letters in it adds to four of the dimensions, chosen by a hash (feature
hashing, Weinberger et al. 2009). Texts that share words, also inflected ones, are near; others are about as far apart
as chance has it. No list of words and no language is needed.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from precis.language.words import kept_of_words, kept_where_short, runs

Vectors = NDArray[np.float32]

#: Dimensions a feature adds to; a byte of the hash names the dimension, another the sign.
_PLACES = 4
#: What a feature adds, by the byte of its hash.
_SIGNS = np.where(np.arange(256) & 1, 1.0, -1.0) / _PLACES**0.5


class _Script(NamedTuple):
    """How much of a word says what it is about, which is less where one letter stands for more."""

    #: Letters that inflected forms of a word mostly share from the beginning on.
    stem: int
    #: Letters of the runs that a word is cut into.
    run: int
    #: From so many letters on a word has its whole weight; shorter ones are mostly grammar.
    long: int


_ALPHABET = _Script(stem=5, run=4, long=8)
_SYLLABLES = _Script(stem=2, run=2, long=3)
_CONSONANTS = _Script(stem=4, run=3, long=5)
#: First and last letters of the scripts that are denser than alphabets: Hebrew to Syriac, Ethiopic, Hangul.
_DENSE = (
    (re.compile(r"[\u0590-\u07ff\u1200-\u139f]"), _CONSONANTS),
    (re.compile(r"[\uac00-\ud7af]"), _SYLLABLES),
)


def wording(texts: Sequence[str], dimensions: int) -> Vectors:
    """One row of length one a text; zero for a text without a letter or digit. At most 256 dimensions."""
    rows = np.zeros((len(texts), dimensions), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        weights = _weights(text)
        if weights:
            hashes = np.frombuffer(b"".join(map(_hashed, weights)), dtype=np.uint8).reshape(-1, 2, _PLACES)
            # The dimensions a feature adds to, and what it adds.
            places, signs = hashes[:, 0].ravel().astype(np.int64), _SIGNS[hashes[:, 1].ravel()]
            scaled = signs * np.repeat(np.fromiter(weights.values(), np.float64, len(weights)), _PLACES)
            sums = np.bincount(places % dimensions, weights=scaled, minlength=dimensions)
            row[:] = sums / (math.sqrt(sums @ sums) or 1.0)
    return rows


def _weights(text: str) -> dict[str, float]:
    """Each feature once, with the most that a word gives it: a word said three times says no more."""
    weights: dict[str, float] = {}
    for run, spaced in runs(text):
        for feature, weight in _of_word(run) if spaced else _of_run(run):
            if weight > weights.get(feature, 0.0):
                weights[feature] = weight
    return weights


@kept_where_short
def _of_word(word: str) -> Sequence[tuple[str, float]]:
    """Its beginning, and its runs of letters, which together weigh as much."""
    script = next((script for letters, script in _DENSE if letters.match(word)), _ALPHABET)
    weight = min(len(word), script.long) / script.long
    marked = "^" + word
    count = max(1, len(marked) - script.run + 1)
    of_runs = (("r" + marked[start : start + script.run], weight / count**0.5) for start in range(count))
    return ("b" + word[: script.stem], weight), *of_runs


def _of_run(run: str) -> Iterator[tuple[str, float]]:
    """Neighboring characters, two and three at a time, of a script that sets no words apart."""
    for size in (2, 3) if len(run) > 1 else (1,):
        for start in range(len(run) - size + 1):
            yield "u" + run[start : start + size], 1.0


@kept_of_words
def _hashed(feature: str) -> bytes:
    """So many bytes that tell the dimensions a feature adds to, and as many for what it adds."""
    return hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=2 * _PLACES).digest()
