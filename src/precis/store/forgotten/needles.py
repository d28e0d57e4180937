"""A word that is looked for: in texts, in columns, and in the bytes of files. Pure."""

import re
import unicodedata
from collections.abc import Sequence

#: The dotted capital I of Turkish is a small i and a dot by case, and the small one without a dot is no other letter.
_DOTS_OF_I = re.compile("i\u0307|\u0131")
#: What sets the parts of an identifier apart; with so many digits, and no word, it is one.
_SEPARATORS = re.compile(r"[\s\-\u00ad\u200b-\u200d\u2010-\u2015\u2060\u2212./()+_:#]+")
#: What may stand between two signs of a code, and of a word.
_APART, _JOINED = f"{_SEPARATORS.pattern[:-1]}{{0,3}}", r"[-\u2010.:/]?"
#: No code goes on in these: in Chinese and the like no space parts it from what stands beside it.
_LETTER = r"[0-9a-z\u00df-\u024f\u0370-\u052f]"
_DIGITS, _SHORT, _WORDS = 5, 4, re.compile(r"[^\W\d_]{5,}\s|\s[^\W\d_]{5,}")
#: Digits at the end of a telephone number that are the same with its country and without it.
_TELEPHONE = 9
#: What may stand in ids, hashes and numbers by chance; and from how many characters on not.
_FIGURE, _LONG_ID = re.compile(r"[0-9a-f\W_]+"), 24


def folded(text: str) -> str:
    """One form for all spellings of the same characters, and for every case: "\u0130ZM\u0130R" is "izmir"."""
    return _DOTS_OF_I.sub("i", unicodedata.normalize("NFKC", text).casefold())


class Needle:
    """A word that is looked for in texts: by its characters, and an identifier however it is set apart."""

    def __init__(self, word: str) -> None:
        self._folded = folded(word)
        plain = _SEPARATORS.sub("", self._folded)
        digits = sum(character.isdecimal() for character in plain)
        is_identifier = digits >= _DIGITS and not _WORDS.search(self._folded)
        # With its country or without it, a telephone number is the same.
        end = plain[-_TELEPHONE:] if plain.isdecimal() else plain
        self._plain = end if is_identifier else ""
        self._spelled = _spelled(self._folded)

    def stands_in(self, text: str) -> bool:
        """Whether a folded text holds it."""
        plain = self._folded in text or (self._plain != "" and self._plain in _SEPARATORS.sub("", text))
        return plain or (self._spelled is not None and self._spelled.search(text) is not None)


def _spelled(word: str) -> re.Pattern[str] | None:
    """A folded word as it may be written: each sign of a code set apart or not, and a word with hyphens or without.

    None for a short figure: "118" is not "11.8".
    """
    pieces = [piece for piece in _SEPARATORS.split(word) if piece]
    if not pieces or ("".join(pieces).isdecimal() and len("".join(pieces)) < _SHORT):
        return None
    loose = (_APART if len(piece) == 1 or any(map(str.isdecimal, piece)) else _JOINED for piece in pieces)
    signs = (between.join(map(re.escape, piece)) for between, piece in zip(loose, pieces, strict=True))
    return re.compile(rf"(?<!{_LETTER}){_APART.join(signs)}(?!{_LETTER})")


def spellings(word: str) -> list[str]:
    """How a word may be written: as given, and by case."""
    return list(dict.fromkeys([word, word.lower(), word.upper(), word.title(), word.capitalize()]))


def is_short_figure(word: str) -> bool:
    """Whether it may stand in any file by chance: signs of a number, or of one in hexadecimal, and few of them.

    What has no digit is a word: "decaf".
    """
    return len(word) < _TELEPHONE and _FIGURE.fullmatch(word.lower()) is not None and any(map(str.isdigit, word))


def shown_as(words: Sequence[str]) -> dict[str, list[str]]:
    """How words stand where rows are shown as text: ``words``, ``figures`` as patterns, ``spelled`` in hexadecimal."""
    shown: dict[str, set[str]] = {"words": set(), "figures": set(), "spelled": set()}
    for word in map(str.lower, words):
        shown["spelled"].update(spelling.encode().hex() for spelling in spellings(word))
        if len(word) >= _LONG_ID or not _FIGURE.fullmatch(word):
            shown["words"].add(word)
            continue
        # "8213" is not 182130; a telephone number goes with its country and without it.
        figure = re.escape(word)
        shown["figures"].add(figure if len(word) >= _TELEPHONE else f"(?<![0-9]){figure}(?![0-9])")
    return {kind: sorted(needles) for kind, needles in shown.items()}
