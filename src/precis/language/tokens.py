"""A sentence as a list of words with their spelling, contractions written out, and phrases taken out of it."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from precis.language.words import MARKS, normal

_TOKEN = re.compile(
    rf"[$€£¥₹]?\d[\w.,:/%€£°-]*(?<![.,:/-])|[\w{MARKS}]+(?:['.&\u2010-][\w{MARKS}]+)*'?|[$€£¥₹]"
    r"|[,;:!?\u2013\u2014\u060c\u3001]|(?<=\s)-(?=\s)"
)
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SHORT = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_DENIED = {"can't": ("can", "not"), "won't": ("will", "not"), "cannot": ("can", "not"), "shan't": ("shall", "not")}
#: After these, "'s" is short for "is" and no possessive.
_PRONOUNS = frozenset("he she it that this there here what who where".split())


class Token(NamedTuple):
    """One word."""

    #: As written, and with small letters.
    text: str
    low: str

    @property
    def small(self) -> bool:
        """Whether it is written with a small letter, or in a script that has none."""
        return self.text == self.low


def token(word: str) -> Token:
    """A word as a token."""
    return Token(word, word.casefold())


def tokens(sentence: str) -> list[Token]:
    """The words of a sentence without what stands in brackets."""
    words: list[Token] = []
    for match in _TOKEN.finditer(_ASIDE.sub(" ", normal(sentence))):
        words += (part for part in _written_out(match.group()) if part.text)
    return words


def _written_out(word: str) -> list[Token]:
    low = word.casefold()
    if "'" not in low:
        return [Token(word, low)] if low != "cannot" else [token("can"), token("not")]
    if low in _DENIED:
        return [token(part) for part in _DENIED[low]]
    if low.endswith("n't"):
        return [Token(word[:-3], low[:-3]), token("not")]
    for ending, full in _SHORT.items():
        if low.endswith(ending):
            return [Token(word[: -len(ending)], low[: -len(ending)]), token(full)]
    if low.endswith("'s") and low[:-2] in _PRONOUNS:
        return [Token(word[:-2], low[:-2]), token("is")]
    return [Token(word, low)]


Phrases = Mapping[str, Sequence[tuple[str, ...]]]


def phrase_at(words: Sequence[Token], place: int, phrases: Phrases) -> int:
    """How many words at this place are one of the phrases."""
    for phrase in phrases.get(words[place].low, ()):
        if tuple(word.low for word in words[place : place + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def opens_on(words: Sequence[Token], phrase: Sequence[str]) -> bool:
    """Whether the words open on these, in small letters."""
    return [word.low for word in words[: len(phrase)]] == list(phrase)


def without(words: Sequence[Token], phrases: Phrases) -> list[Token]:
    """The words without those of the phrases."""
    kept: list[Token] = []
    place = 0
    while place < len(words):
        word = words[place]
        size = phrase_at(words, place, phrases) if word.low in phrases and (word.small or not place) else 0
        if not size:
            kept.append(word)
        place += size or 1
    return kept


def has(words: Sequence[Token], phrases: Phrases) -> bool:
    """Whether one of the phrases stands among the words."""
    return any(
        phrase_at(words, place, phrases)
        for place, word in enumerate(words)
        if word.low in phrases and (word.small or not place)
    )


def text_of(words: Sequence[Token]) -> str:
    """The words as one line."""
    return " ".join(word.text for word in words)


def contrasted(words: Sequence[Token]) -> list[Token]:
    """The words with "instead of" as one, which is no word of change, and "could be described as" as "is"."""
    result: list[Token] = []
    for word in words:
        lows = [before.low for before in result[-3:]]
        if (*lows[-1:], word.low) in {("instead", "of"), ("rather", "than")}:
            result[-1] = token("rather")
        elif word.low == "as" and lows[1:] == ["be", "described"]:
            result[-3:] = [token("is")]
        else:
            result.append(word)
    return result
