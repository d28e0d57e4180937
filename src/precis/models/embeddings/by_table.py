"""The default embedder: a table of vectors of word pieces, shipped with precis, and what cuts a text into them."""

from __future__ import annotations

import asyncio
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from precis import patterns as re
from precis.language.chitchat import topical
from precis.language.words import kept_where_short
from precis.models.embeddings.by_letters import wording
from precis.tracing import embedding

Vectors = NDArray[np.float32]

#: Below so many characters a batch is quicker than handing it to a thread; token vectors gathered at a time: 8 MB.
_SMALL_BATCH, _GATHERED = 4_000, 8_192
#: Shares of letters in words of the table's language: below the one it is read as another language, above the other
#: as its own. Of English queries and chats 1 in 100 lies between them, of other languages 1 in 1,000.
_READ_FROM, _READ_WHOLLY = 0.55, 0.75
_TELLING = 26  # letters from which a text tells its language
_loading = threading.Lock()


class StaticEmbedder:
    """The default: the normalized sum of one learned vector a word piece. No model, no network.

    The table was learned from English. Of a text in another language it would say only that it is in one, and all such
    texts would be alike: it gets a vector of its words' letters, like that of texts that share words with it
    (``by_letters``). ``knows`` tells which it is. All instances, in any number of threads, share one table.
    """

    version = "static-minilm-256@2"
    dimensions = 256

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """One unit vector a text, in order; large batches are worked off the event loop."""
        vectors: list[list[float]] = (await self.arrays(texts)).tolist()
        return vectors

    async def arrays(self, texts: Sequence[str]) -> Vectors:
        """The same as an array of one row a text."""
        with embedding(self.version, texts):
            if sum(map(len, texts)) < _SMALL_BATCH and _table.cache_info().currsize:
                return self.vectors(texts)
            return await asyncio.to_thread(self.vectors, texts)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The same as an array of one row a text, at once."""
        return self._of(texts, [self.knows(text) for text in texts])

    def topics(self, texts: Sequence[str]) -> Vectors:
        """The same of those words alone that may say what each text is about; zeros for a text without any."""
        return self._of([topical(text) for text in texts], [self.knows(text) for text in texts])

    def _of(self, texts: Sequence[str], known: Sequence[float]) -> Vectors:
        """One row a text, each read so far by meanings."""
        pieces, rows = _shared_table()
        sums = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start, batch in _batches([pieces.ids(text) for text in texts]):
            _add_up(rows, batch, sums[start : start + len(batch)])
        vectors = unit(sums)
        unread = [place for place, share in enumerate(known) if share < 1]
        if unread:
            shares = np.asarray([[known[place]] for place in unread], dtype=np.float32)
            letters = wording([texts[place] for place in unread], self.dimensions)
            vectors[unread] = unit(shares * vectors[unread] + (1 - shares) * letters)
        return vectors

    def word_vectors(self, words: Sequence[str]) -> Vectors:
        """The sum of the vectors of the pieces of each word, whatever its language; zeros for one of no piece."""
        pieces, rows = _shared_table()
        ids = [pieces.ids(word) for word in words]
        vectors: Vectors = rows[[of_word[0] if of_word else 0 for of_word in ids]]
        for place, of_word in enumerate(ids):
            if len(of_word) != 1:
                vectors[place] = rows[of_word].sum(axis=0)
        return vectors

    def knows(self, text: str) -> float:
        """How far the vector of a text goes by meanings (1) rather than by the letters of its words (0).

        A few plain letters tell no language ("allergies" is spelled from fragments, as foreign words are): such a text
        is read as if it went on in words that are known.
        """
        share = _share_known(text)
        letters = sum(map(str.isalpha, text))
        if 0 < letters < _TELLING and text.isascii():
            share = (share * letters + _TELLING - letters) / _TELLING
        return min(1.0, max(0.0, (share - _READ_FROM) / (_READ_WHOLLY - _READ_FROM)))

    def words(self) -> list[str]:
        """The pieces of the table that are words as a whole, and some that only begin one."""
        return _shared_table()[0].pieces()

    def is_word(self, word: str) -> bool:
        """Whether a word is frequent enough in English to be a piece of the table as a whole."""
        return len(_shared_table()[0].ids(word)) == 1


@kept_where_short
def _share_known(text: str) -> float:
    """Of a text that is written this is asked with its vector, its topic and its cluster."""
    return _shared_table()[0].knows(text)


def _shared_table() -> tuple[WordPiece, Vectors]:
    """The pieces and their vectors, read once a process whoever asks first."""
    with _loading:
        return _table()


@lru_cache(maxsize=1)
def _table() -> tuple[WordPiece, Vectors]:
    with as_file(files("precis.models") / "tables" / "minilm-256.npz") as path, np.load(path) as stored:
        rows = stored["steps"].astype(np.float32) * stored["scales"].astype(np.float32)[:, None]
        return WordPiece(stored["pieces"].tobytes().decode("utf-8").split("\n")), rows


def _batches(texts: list[list[int]]) -> Iterator[tuple[int, list[list[int]]]]:
    """Neighbors whose token vectors fit in memory together, each with the place of the first."""
    start = tokens = 0
    for place, ids in enumerate(texts):
        if tokens and tokens + len(ids) > _GATHERED:
            yield start, texts[start:place]
            start, tokens = place, 0
        tokens += len(ids)
    yield start, texts[start:]


def _add_up(rows: Vectors, batch: list[list[int]], sums: Vectors) -> None:
    """Write the sum of each text's token vectors into ``found``; a text of no tokens stays zero."""
    if len(batch) == 1:
        counts = sorted(Counter(batch[0]).items())
        sums[0] = np.array([n for _, n in counts], np.float32) @ rows[[id_ for id_, _ in counts]] if counts else 0
        return
    filled = [place for place, ids in enumerate(batch) if ids]
    if filled:
        lengths = [len(batch[place]) for place in filled]
        starts = np.cumsum([0, *lengths[:-1]])
        flat = np.fromiter((number for ids in batch for number in ids), dtype=np.int64, count=sum(lengths))
        sums[filled] = np.add.reduceat(rows[flat], starts, axis=0)


def unit(vectors: Vectors) -> Vectors:
    """Rows of length one; zero stays zero."""
    # As np.linalg.norm does it, without what that looks at first: of one text it took half of the time.
    lengths: Vectors = np.sqrt(np.add.reduce(vectors * vectors, axis=1, keepdims=True))
    lengths[lengths == 0] = 1
    unit: Vectors = vectors / lengths
    return unit


# --- the pieces of words that the table is indexed by ---

#: Digits and letters of the Latin script, accents stripped.
_LATIN = "a-z0-9\u00df-\u024f"
#: Ideographs and kana stand alone, as each is a word or close to one.
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
#: A Latin run, one ideograph, a run of letters of another script, or one sign.
_RUNS = re.compile(rf"[{_LATIN}]+|[{_ALONE}]|[^\W_{_LATIN}{_ALONE}]+|[^\w\s]|_")
#: One ideograph, or letters without digits and signs.
_WORDS = re.compile(rf"[{_ALONE}]|[^\W\d_{_ALONE}]+")
_SINGLE_WORDS = frozenset("ai")
#: Letters a piece has, on average, in words that English makes of others.
_LONG_PIECE = 4
_IS_ALONE = re.compile(f"[{_ALONE}]")
#: Longer runs are keys, hashes or encoded bytes; their pieces mean nothing.
_LONGEST_WORD = 100
_REMEMBERED_WORDS = 200_000


class WordPiece:
    """Greedy longest match over a vocabulary; continuation pieces carry the prefix ``##``.

    Words it cannot spell become the piece ``unknown``, or nothing when that is None or not in the vocabulary.
    Safe to share between threads: the memory of words is only ever added to or replaced whole.
    """

    def __init__(self, vocabulary: Iterable[str], *, unknown: str | None = None) -> None:
        self._ids: Mapping[str, int] = {piece: number for number, piece in enumerate(vocabulary)}
        self._unknown = (self._ids[unknown],) if unknown in self._ids else ()
        self._seen: dict[str, tuple[int, ...]] = {}

    def pieces(self) -> list[str]:
        """Every piece of the vocabulary."""
        return list(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def number(self, piece: str) -> int:
        """The number of one piece. Raises KeyError where the vocabulary lacks it."""
        return self._ids[piece]

    def ids(self, text: str) -> list[int]:
        """Numbers of the pieces of a text, in order."""
        numbers: list[int] = []
        for run in _RUNS.findall(_folded(text)):
            pieces = self._seen.get(run)
            numbers += self._remember(run) if pieces is None else pieces
        return numbers

    def knows(self, text: str) -> float:
        """Share of the letters of a text that stand in words the vocabulary has as words; 0 without any.

        A word that has to be spelled from short fragments is of another language, or a name; so is one with accents
        or of another script, of which the vocabulary has single letters. An ideograph says at least what two letters
        do, and counts as two.
        """
        known = total = 0
        for word in _WORDS.findall(text.lower()):
            size = 2 if _IS_ALONE.match(word) else len(word)
            total += size
            known += size if self._is_word(word) else 0
        return known / total if total else 0.0

    def _is_word(self, word: str) -> bool:
        """Whether a word is a piece of its own, or made of long ones: "kayak" and "##ing" are, "za" and "##hn" not."""
        if not word.isascii() or (len(word) == 1 and word not in _SINGLE_WORDS):
            return False
        pieces = self._seen.get(word)
        pieces = self._remember(word) if pieces is None else pieces
        return pieces != self._unknown and (len(pieces) == 1 or len(word) / len(pieces) >= _LONG_PIECE)

    def _remember(self, run: str) -> tuple[int, ...]:
        """The pieces of a run, kept for the next time; a full memory starts anew."""
        pieces = self._split(run)
        if len(self._seen) >= _REMEMBERED_WORDS:
            self._seen = {}
        self._seen[run] = pieces
        return pieces

    def _split(self, run: str) -> tuple[int, ...]:
        """Longest pieces from the left; the unknown piece alone when some part cannot be spelled."""
        if len(run) > _LONGEST_WORD:
            return self._unknown
        pieces: list[int] = []
        start = 0
        while start < len(run):
            prefix = "##" if start else ""
            end = len(run)
            while end > start and prefix + run[start:end] not in self._ids:
                end -= 1
            if end == start:
                return self._unknown
            pieces.append(self._ids[prefix + run[start:end]])
            start = end
        return tuple(pieces)


def _folded(text: str) -> str:
    """Lower case without accents."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    decomposed = unicodedata.normalize("NFD", lowered)
    return "".join(sign for sign in decomposed if unicodedata.category(sign) != "Mn")
