"""In which language a text is: by its script, or by the small words that stand in it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, filterfalse

from precis.finding.framing import only_asks
from precis.finding.reading import HANGUL, UNSPACED, folded, unelided
from precis.finding.tables import ground_words, languages, words_of
from precis.language.tables import section
from precis.language.words import STOP_WORDS

_CODES = {"German": "de", "French": "fr", "Spanish": "es", "Portuguese": "pt", "Italian": "it", "Turkish": "tr"}


@cache
def _frequent() -> Mapping[str, frozenset[str]]:
    """Small words by language."""
    lists = {code: section("words.languages")[name] for name, code in _CODES.items()}
    small = {code: {*map(folded, text.split()), *words_of(code, "first")} for code, text in lists.items()}
    for code in ("de", "fr", "es", "pt", "it", "tr", "nl", "pl", "sv"):
        small[code] = {*small.get(code, ()), *words_of(code, "first"), *words_of(code, "small")}
    for code in ("cs", "da", "no", "fi", "ro", "hu", "id", "vi"):
        listed = (ground_words(code, sort) for sort in ("small", "mine", "speaks"))
        small[code] = {*words_of(code, "small"), *chain.from_iterable(listed)}
    return {"en": STOP_WORDS} | {code: frozenset(words) for code, words in small.items()}


_SCRIPTS = (
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("ko", HANGUL),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", UNSPACED),
)

#: Letters that only one of the languages has which are told by their words.
_LETTERS = (
    ("tr", re.compile("[\u011f\u011e\u0131\u0130\u015f\u015e]")),
    ("pl", re.compile("[\u0142\u0141\u0105\u0119\u015b\u015a\u017c\u017b\u017a\u0179]")),
    ("pt", re.compile("[\u00e3\u00c3\u00f5\u00d5]")),
    ("es", re.compile("[\u00f1\u00d1\u00bf\u00a1]")),
    ("de", re.compile("[\u00df\u1e9e]")),
)


#: Small words with the marks that only Vietnamese writes; one with a capital may be a name in any text.
_VIETNAMESE = re.compile(r"(?<!\w)[a-z\u00e0-\u0111]*[\u1ea0-\u1ef9\u01a1\u01b0]")


def language_of(words: Sequence[str], text: str, likely: str = "en") -> str:
    """The language of a memory, by its script or its frequent words; where nothing speaks for another, a likely one."""
    for code, script in _SCRIPTS:
        if not text.isascii() and script.search(text):
            return code
    hits = Counter(chain.from_iterable(map(_spoken_in, filterfalse(_SHARED.__contains__, words))))
    hits[likely] += likely != "en"
    hits.update(code for code, letters in _LETTERS if not text.isascii() and letters.search(text))
    if not text.isascii():
        hits["vi"] += len(_VIETNAMESE.findall(unicodedata.normalize("NFC", text)))
    if max(hits.values(), default=0) <= hits["en"]:
        return "en"
    best = max(_frequent(), key=lambda code: (code != "en", hits[code]))
    return best if hits[best] > hits["en"] else "en"


def in_script(text: str, language: str) -> bool:
    """Whether most of a text is in the script of a language that has one of its own."""
    letters = sum(map(str.isalpha, text))
    return language in {"zh", "ja", "ko", "ru", "ar", "hi"} and 2 * sum(char > "\u03ff" for char in text) > letters


#: A small word of English that most others have as well: it speaks for none.
_SHARED = frozenset({"a"})


@lru_cache(maxsize=16384)
def _spoken_in(word: str) -> tuple[str, ...]:
    """The languages in which it is a frequent small word, or begins with one that lost its vowel."""
    elided = ("fr", "it") if unelided(word) != word else ()
    return tuple(code for code, known in _frequent().items() if word in known or code in elided)


#: A request with so many small words of English that another language does not have is English, if it has none of that.
_ENGLISH = 2


def asked_in(lows: Sequence[str]) -> str:
    """The only language in which a request opens with its first word, where no word is certainly English."""
    spoken = [language for language in languages() if lows and lows[0].isalpha() and only_asks(lows[0], language)]
    english = {*words_of("en", "first"), *words_of("en", "articles"), "about"}
    shared = {word for it in spoken for what in ("first", "articles", "small") for word in words_of(it, what)}
    foreign = any(word not in STOP_WORDS for it in spoken for word in lows[1:] if word in _frequent().get(it, ()))
    certain = len((STOP_WORDS & {*lows}) - shared) >= _ENGLISH and not foreign
    certain = certain or not english.isdisjoint({*lows} - shared)
    return spoken[0] if len(spoken) == 1 and not certain else ""
