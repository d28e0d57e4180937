"""How near words are in meaning, by the table of the default embedder.

The vector of a whole text says what it is about; whether it has something near to one word of a question it does not
tell. ``WordByWord`` counts each word of a question with the word of a text that comes nearest to it, as in late
interaction (Khattab and Zaharia 2020), with the vectors of single words. ``Kinship`` compares two words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from precis.language.words import STOP_WORDS
from precis.makers import READABLE
from precis.models.embeddings.by_table import StaticEmbedder, Vectors, unit

_PLAIN = re.compile(r"[a-z]{3,}")
_WORD = re.compile(r"[^\W_]{2,}")
#: So many different words of a text are read; a longer one has something near to anything.
_MOST_WORDS = 200


class WordByWord:
    """The words of one question, but for the small ones and ``besides``, in small letters.

    Says 0 for every text where the table does not read the question, or no word of it is left.
    """

    def __init__(self, question: str, *, besides: Collection[str] = ()) -> None:
        self._table = StaticEmbedder()
        asked = [word for word in _content(question) if word not in besides]
        self._asked: Vectors | None = None
        if asked and self._table.knows(question) >= READABLE:
            vectors = self._table.word_vectors(asked)
            # A frequent word has a short vector, and counts less.
            lengths = np.linalg.norm(vectors, axis=1)
            self._asked, self._shares = unit(vectors), lengths / (lengths.sum() or 1.0)

    def nearness(self, texts: Sequence[str]) -> list[float]:
        """Of each text the mean nearness of its words to those of the question, -1 to 1; 0 for one without words."""
        nearness = [0.0] * len(texts)
        spoken = {at: of_text for at, text in enumerate(texts) if (of_text := _content(text)[:_MOST_WORDS])}
        if self._asked is None or not spoken:
            return nearness
        places = {word: at for at, word in enumerate(dict.fromkeys(chain.from_iterable(spoken.values())))}
        # One row a word of the question, one column a word of the texts.
        cosines = self._asked @ unit(self._table.word_vectors(list(places))).T
        columns = [places[word] for of_text in spoken.values() for word in of_text]
        starts = np.cumsum([0, *map(len, spoken.values())])[:-1]
        nearest = self._shares @ np.maximum.reduceat(cosines[:, columns], starts, axis=1)
        for at, near in zip(spoken, nearest.tolist(), strict=True):
            nearness[at] = near
        return nearness


def _content(text: str) -> list[str]:
    """The different words of a text in small letters, but for the small ones."""
    return [word for word in dict.fromkeys(_WORD.findall(text.lower())) if word not in STOP_WORDS]


class Kinship:
    """Nearness by vectors. The words of one request are known as long as it lasts, and then by nobody."""

    def __init__(self, embedder: StaticEmbedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        self._near: dict[tuple[str, float], re.Pattern[str]] = {}

    def __call__(self, first: str, second: str) -> float:
        """Cosine of two words or texts, -1 to 1."""
        return float(self._vector(first) @ self._vector(second))

    def near(self, word: str, least: float) -> re.Pattern[str]:
        """Words of English that are at least so near to a word, as one expression."""
        if (word, least) not in self._near:
            words, vectors = _vocabulary()
            readable = word.isascii() and word.isalpha()
            places = (vectors @ self._vector(word) >= least).nonzero()[0].tolist() if readable else []
            listed = [words[at] for at in places if words[at] not in STOP_WORDS]
            self._near[word, least] = re.compile(rf"\b(?:{'|'.join(listed)})\b" if listed else r"(?!)")
        return self._near[word, least]

    def _vector(self, text: str) -> Vectors:
        if text not in self._known:
            self._known[text] = self._embedder.vectors([text])[0]
        return self._known[text]


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[list[str], Vectors]:
    """The words of the table and their vectors, at length one."""
    embedder = StaticEmbedder()
    words = [piece for piece in embedder.words() if _PLAIN.fullmatch(piece)]
    return words, embedder.vectors(words)


def kin_by(embedder: StaticEmbedder) -> Kinship:
    """Nearness of words for one request."""
    return Kinship(embedder)
