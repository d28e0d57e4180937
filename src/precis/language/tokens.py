"""A sentence as a list of words with their spelling, contractions written out, and phrases taken out of it."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from precis.language.words import MARKS, normal

_TOKEN = re.compile(
    rf"[$€£¥₹]?\d[\w.,:/%€£°-]*(?<![.,:/-])|[\w{MARKS}]+(?:['.&\u2010-][\w{MARKS}]+)*'?|[$€£¥₹]"
    r"|[,;:!?\u2013\u2014\u060c\u3001]|(?<=\s)-(?=\s)"
)
#: What the same comes to in a text of ASCII alone.
_PLAIN_TOKEN = re.compile(r"[$]?\d[\w.,:/%-]*(?<![.,:/-])|\w+(?:['.&-]\w+)*'?|[$]|[,;:!?]|(?<=\s)-(?=\s)", re.ASCII)
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
    bare = normal(sentence)
    bare = _ASIDE.sub(" ", bare) if "(" in bare or "[" in bare else bare
    words: list[Token] = []
    for word in (_PLAIN_TOKEN if bare.isascii() else _TOKEN).findall(bare):
        low = word.casefold()
        if "'" in low or low == "cannot":
            words += (part for part in _written_out(word, low) if part.text)
        else:
            words.append(Token(word, low))
    return words


def _written_out(word: str, low: str) -> list[Token]:
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
        if len(phrase) == 1 or tuple([word.low for word in words[place : place + len(phrase)]]) == phrase:
            return len(phrase)
    return 0


def opens_on(words: Sequence[Token], phrase: Sequence[str]) -> bool:
    """Whether the words open on these, in small letters."""
    return [word.low for word in words[: len(phrase)]] == list(phrase)


def without(words: Sequence[Token], phrases: Phrases) -> list[Token]:
    """The words without those of the phrases."""
    if phrases.keys().isdisjoint([word.low for word in words]):
        return list(words)
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
    return not phrases.keys().isdisjoint([word.low for word in words]) and any(
        phrase_at(words, place, phrases)
        for place, word in enumerate(words)
        if word.low in phrases and (word.small or not place)
    )


def text_of(words: Sequence[Token]) -> str:
    """The words as one line."""
    return " ".join(word.text for word in words)


#: With none of these ``contrasted`` has nothing to do.
_CONTRASTING = frozenset(("of", "than", "as"))


def contrasted(words: Sequence[Token]) -> list[Token]:
    """The words with "instead of" as one, which is no word of change, and "could be described as" as "is"."""
    if _CONTRASTING.isdisjoint([word.low for word in words]):
        return list(words)
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
