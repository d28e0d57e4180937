"""In which other language than English a text is, and which of its words may be said of anything there."""

import re
from collections.abc import Sequence

from precis.language import tables
from precis.language.script import is_common_in, is_english, spoken_in
from precis.language.words import STOP_WORDS, kept_where_short, words

_GENERAL = {name: frozenset(text.split()) for name, text in tables.section("keywords.general").items()}
#: The same of languages that set no words apart.
PASSING = {name: frozenset(tables.section("keywords.passing")[name].split()) for name in ("Chinese", "Japanese")}
_CODE = re.compile(r"[A-Z]{0,3}[-.]?\d[\w.-]*")


#: Letters that hardly another language has; a short text may have none of its small words.
_LETTERS = (
    ("Vietnamese", re.compile("[\u1ea0-\u1ef9\u01a1\u01b0]")),
    ("Turkish", re.compile("[\u011f\u0131\u0130]")),
    ("Ukrainian", re.compile("[\u0491\u0454\u0457]")),
    ("Russian", re.compile("[\u044b\u044d\u0451]")),
    ("Polish", re.compile("[\u0105\u0119\u0142\u017c\u015b\u0107]")),
)


@kept_where_short
def spoken_abroad(text: str) -> Sequence[str]:
    """The languages besides English that a text may be in; none where as many of its words are English."""
    names = () if is_english(text) else spoken_in(text)
    if not names:
        by_letters = told_by_letters(text)
        return (by_letters,) if by_letters else ()
    spoken = list(words(text))
    english = sum(word in STOP_WORDS for word in spoken)
    return names if sum(is_common_in(word, names[0]) for word in spoken) > english else ()


def told_by_letters(text: str) -> str | None:
    """The language that alone has some of its letters; None where there are none."""
    if text.isascii():
        return None
    return next((name for name, letters in _LETTERS if letters.search(text.casefold())), None)


def is_general(word: str, language: str) -> bool:
    """Whether a word, in small letters, names nothing a text would be about.

    Such are small words, light verbs, and words of time, number, size and worth.
    """
    return word in _GENERAL.get(language, ()) or is_common_in(word, language)


def names_nothing(name: str, language: str) -> bool:
    """Whether it may be said of anything, is a code, or what is counted: "B-218", "\u4e2a\u6708"."""
    if language in PASSING:
        return name in PASSING[language] or any(word in name for word in PASSING[language] if len(word) > 1)
    return is_general(name.casefold(), language) or _CODE.fullmatch(name) is not None
