"""The words of a row with their places, and who or what stands around them."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from precis.finding.identifiers import LINKS
from precis.finding.scripts import inflected_places, is_another, is_inflected, plain_alefs
from precis.finding.values import Span
from precis.finding.written.spellings import respelled
from precis.language import tables
from precis.language.sentences import sentences
from precis.language.words import MARKS, is_form, kept, kept_where_short, runs, stem

_WORD = re.compile(rf"[^\W_][\w{MARKS}]*(?:['\u2019-][^\W_][\w{MARKS}]*)*")
_ENDS = re.compile(r"[.!?:;\u2026\n\u201c\u00ab\"(\u2022]")
_PLAIN_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
#: A compound of fewer letters is too often two other words: "to day".
_COMPOUND = 4
#: What a name has behind an apostrophe: "Frank's", "Ahmet'in"; not the end of "O'Brien".
_CASE = re.compile(r"['\u2019](?:s|S|[a-z\u00e7\u011f\u0131\u00f6\u015f\u00fc]{1,5})$")
#: Scripts that set no space between words.
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
HANGUL = re.compile(r"[\uac00-\ud7a3]")
#: Ends a sentence of such a script where it is typed in ASCII.
_STOP_IN_ASCII = re.compile(r"[!?](?=[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff])")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text."""

    text: str
    #: As it is compared: small letters, without accents and the ending behind an apostrophe.
    low: str
    start: int
    end: int
    #: Whether it opens a sentence or a line: then its capital says nothing.
    opens: bool
    #: What stands between it and the word before.
    gap: str

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital."""
        return self.text[0].isupper()

    @property
    def owns(self) -> bool:
        """Whether it is a possessive."""
        return self.text[-2:] in {"'s", "\u2019s"}


#: Letters with a stroke, which are typed without it as accents are.
_STROKES = str.maketrans("\u0142\u00f8\u0111\u0127", "lodh")


@lru_cache(maxsize=65536)
def folded(word: str) -> str:
    """A word as it is compared: small letters, Latin and Cyrillic without accents, Arabic with plain alefs."""
    if word.isascii():
        return word.lower()
    low = unicodedata.normalize("NFKC", word).casefold().replace("\u0131", "i").replace("\u2019", "'")
    parts = unicodedata.normalize("NFD", low)
    bare = "".join(char for char in parts if not ("\u0300" <= char <= "\u036f"))
    return plain_alefs(unicodedata.normalize("NFC", bare)).translate(_STROKES)


_USERS = frozenset(map(folded, tables.words("words.users")))


@kept
def read_words(text: str) -> tuple[Word, ...]:
    """The words in order. Addresses and links are no words: a name in one names nobody."""
    linked = "@" in text or "//" in text or "www." in text.lower() or "(at)" in text or "[at]" in text
    masked = LINKS.sub(lambda match: " " * len(match.group()), text) if linked else text
    words: list[Word] = []
    end = 0
    for match in _WORD.finditer(masked):
        gap = text[end : match.start()]
        written = match.group()
        opens = not words or bool(_ENDS.search(gap))
        words.append(Word(written, folded(_CASE.sub("", written)), match.start(), match.end(), opens, gap))
        end = match.end()
    return tuple(words)


#: French and Italian words before a vowel.
_ELIDED = frozenset("l' d' qu' dell' all' nell' un'".split())


def unelided(word: str) -> str:
    """A word without the French or Italian one before it that lost its vowel: "l'utente"."""
    before, apostrophe, behind = word.partition("'")
    return behind if before + apostrophe in _ELIDED else word


def bare_name(word: Word) -> str:
    """A name without the French or Italian "of" that is written to it: "d'Ida", and not "D'Angelo"."""
    return unelided(word.low) if word.text[0].islower() else word.low


def users_of(own_names: Iterable[str]) -> frozenset[str]:
    """The names of the user whose memories these are, and words for the user as notes have them."""
    return _USERS.union(map(folded, own_names))


def is_caseless(word: str) -> bool:
    """Whether a word is of a script without capitals, as Arabic and Devanagari."""
    return not word.isascii() and word[0].isalpha() and word.upper() == word.lower()


def word_from(words: Sequence[Word], place: int) -> int:
    """The number of the first word that begins at a character or behind it; of all words where none does."""
    return bisect_left(words, place, key=lambda word: word.start)


def joined_spans(text: str, spans: Iterable[Span]) -> list[Span]:
    """Places of words, in their order, those that stand side by side as one: "knee surgery"."""
    places: list[Span] = []
    for start, end in spans:
        if places and not text[places[-1][1] : start].strip():
            places[-1] = (places[-1][0], end)
        else:
            places.append((start, end))
    return places


def words_before(words: Sequence[Word], place: int) -> int:
    """How many words have ended where a character stands."""
    return bisect_right(words, place, key=lambda word: word.end)


@kept_where_short
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences of a text stand."""
    spans, start = [], 0
    for sentence in sentences(text):
        place = text.find(sentence, start)
        if place < 0:
            return ((0, len(text)),)
        ends = [*(it.end() for it in _STOP_IN_ASCII.finditer(sentence)), len(sentence)]
        spans += [(place + first, place + last) for first, last in pairwise([0, *ends])]
        start = place + len(sentence)
    return tuple(spans)


def places_of(word: str, low: str, language: str = "en") -> list[tuple[int, int]]:
    """Where a text in small letters has a word or several together, in any of their forms in a language.

    Where it has none, in another spelling: "colour", "check-up" where it is a "checkup".
    """
    if is_inflected(word):
        return inflected_places(word, low)
    if UNSPACED.search(word) or HANGUL.search(word) or is_caseless(word):
        return [match.span() for match in re.finditer(re.escape(word), low)]
    pieces = [piece for piece, _ in runs(word)]
    if not pieces:
        return []
    places = _forms_in(pieces, low, language) or _joined_in("".join(pieces), low, language)
    others = respelled(word) if not places and language == "en" else ()
    places = places or [place for other in others for place in _forms_in([other], low, language)]
    return [place for place in places if not is_another(low, place[0])]


def _forms_in(pieces: Sequence[str], low: str, language: str) -> list[tuple[int, int]]:
    head = stem(pieces[0])[:3]
    if head not in low or not _begins(head).search(low):
        return []
    placed = [(match.group(), match.span()) for match in _PLAIN_WORD.finditer(low)]
    return [
        (placed[at][1][0], placed[at + len(pieces) - 1][1][1])
        for at in range(len(placed) - len(pieces) + 1)
        if all(is_form(piece, placed[at + step][0], language) for step, piece in enumerate(pieces))
    ]


def _joined_in(joined: str, low: str, language: str) -> list[tuple[int, int]]:
    """Where a compound is written as one word, or as two: "wifi" and "wi-fi"."""
    if len(joined) < _COMPOUND or joined[:2] not in low:
        return []
    placed = [(match.group(), match.span()) for match in _PLAIN_WORD.finditer(low)]
    whole = [span for word, span in placed if is_form(joined, word, language)]
    return whole or [
        (first[1][0], last[1][1])
        for first, last in pairwise(placed)
        if last[1][0] - first[1][1] == 1 and first[0] + last[0] in {joined, f"{joined}s"}
    ]


@lru_cache(maxsize=1024)
def _begins(head: str) -> re.Pattern[str]:
    """Where a word begins so."""
    return re.compile(rf"(?<![^\W_]){re.escape(head)}")
