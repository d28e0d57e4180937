"""How a name in Arabic, Hebrew, Hangul or katakana may be written in Latin letters, sign by sign.

Arabic and Hebrew leave short vowels out: any may stand between two consonants. So "Khalid" and "Khaled" are both
"خالد", and "Khulud" is not, since a long vowel is written. Two words of one text that one name fits are of two people.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import cast

from precis.finding.reading import HANGUL, folded, read_words
from precis.finding.scripts import ARABIC
from precis.finding.tables import words_of
from precis.finding.written.caseless import is_given, without_prefix
from precis.language.words import kept

_HEBREW, _KATAKANA = re.compile("[\u05d0-\u05ea]"), re.compile("[\u30a1-\u30fa\u30fc]{2,8}")
#: A name of fewer letters fits too many words.
_LEAST, _MOST = 3, 14
#: Korean given names, and full ones, have so many signs.
_SYLLABLES = (2, 3, 4)
_SHORT_VOWELS = "[aeiou]{0,2}"
#: The first syllable of Hangul, how many there are, and in how many they share what they begin with, and go on with.
_FIRST, _ALL, _BEGUN, _GONE_ON = 0xAC00, 11172, 588, 28


@cache
def _table(section: str) -> Mapping[str, str]:
    return cast(
        "Mapping[str, str]",
        tomllib.loads((Path(__file__).parent.parent / "words" / "romanized.toml").read_text(encoding="utf-8"))[section],
    )


def romanized(names: Collection[str], texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Of names in small Latin letters those that one word of the texts in another script may be, and that word.

    Nothing is said of one that two words may be.
    """
    asked = [name for name in names if name.isascii() and _LEAST <= len(name.replace("-", "")) <= _MOST]
    written = {word for text in texts if not text.isascii() for word in _words(text)} if asked else set[str]()
    for name in asked:
        plain = name.replace("-", "")
        fitting = {word for word in written if _expression(word).fullmatch(plain)}
        if len(fitting) == 1:
            yield name, fitting.pop()


def is_guess(name: str, other: str) -> bool:
    """Whether one word may be another in Latin letters, and no list says that it is a name."""
    guessed = _HEBREW.match(other) or HANGUL.match(other) or _KATAKANA.match(other)
    return name.isascii() and guessed is not None


def _words(text: str) -> Iterator[str]:
    """What may be a name in one of these scripts, without what is written together with it."""
    for word in read_words(text):
        if ARABIC.match(word.low) and is_given(word):
            yield without_prefix(word.low)
        elif _HEBREW.match(word.low):
            yield word.low
        elif HANGUL.match(word.low):
            ends = ("", *words_of("ko", "behind"))
            yield from (word.low[:n] for n in _SYLLABLES if len(word.low) >= n and word.low[n:] in ends)
    yield from _KATAKANA.findall(folded(text))


@kept
def _expression(word: str) -> re.Pattern[str]:
    """How a word may be written in Latin letters."""
    if HANGUL.match(word):
        return re.compile("".join(map(_syllable, word)))
    if _KATAKANA.match(word):
        return re.compile("".join(_kana(word)))
    pieces = []
    for at, sign in enumerate(word):
        spelled = _table("consonants").get(sign)
        if spelled is None:
            pieces.append(f"(?:{_table('vowels').get(sign, '(?!)')})")
        else:
            pieces.append(f"(?:{_doubled(spelled)}){_SHORT_VOWELS if at + 1 < len(word) else ''}")
    return re.compile("".join(pieces))


def _kana(word: str) -> Iterator[str]:
    small = _table("kana_behind")
    for sign, behind in zip(word, f"{word[1:]} ", strict=True):
        spelled = _table("kana").get(sign, "(?!)")
        if behind in small:
            firsts = "|".join(one[:-1] for one in spelled.split("|"))
            yield f"(?:{firsts})y?{small[behind]}"
        elif sign not in small:
            yield f"(?:{spelled})"


def _doubled(spellings: str) -> str:
    return "|".join(f"{one}{one}?" if len(one) == 1 else one for one in spellings.split("|"))


def _syllable(sign: str) -> str:
    number = ord(sign) - _FIRST
    if not 0 <= number < _ALL:
        return "(?!)"
    places = {"first": number // _BEGUN, "then": number % _BEGUN // _GONE_ON, "last": number % _GONE_ON}
    return "".join(f"(?:{_table('hangul')[part].split()[at].replace('-', '')})" for part, at in places.items())
