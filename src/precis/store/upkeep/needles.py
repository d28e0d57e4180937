"""A word that is looked for where it was forgotten: in texts, in columns, and in the bytes of files."""

import re
import unicodedata

#: The dotted capital I of Turkish is a small i and a dot by case, and the small one without a dot is no other letter.
_DOTS_OF_I = re.compile("i\u0307|\u0131")
#: What sets the parts of an identifier apart; with so many digits, and no word, it is one.
_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015./()+_:]+")
_DIGITS, _WORDS = 5, re.compile(r"[^\W\d_]{5,}\s|\s[^\W\d_]{5,}")
#: Digits at the end of a telephone number that are the same with its country and without it.
_TELEPHONE = 9


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

    def stands_in(self, text: str) -> bool:
        """Whether a folded text holds it."""
        return self._folded in text or (self._plain != "" and self._plain in _SEPARATORS.sub("", text))


def spellings(word: str) -> list[str]:
    """How a word may be written: as given, and by case."""
    return list(dict.fromkeys([word, word.lower(), word.upper(), word.title(), word.capitalize()]))


def shown_as(word: str) -> list[str]:
    """As text, and as the hexadecimal in which PostgreSQL shows bytes."""
    return [word.lower(), *(spelling.encode().hex() for spelling in spellings(word))]
