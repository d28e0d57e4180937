"""Cuts English text into the pieces of an uncased WordPiece vocabulary: what the embedding table is indexed by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

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
