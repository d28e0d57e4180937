"""What a clause of a request is read as, and of what sort its words are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from precis.finding.kinds import says_whom
from precis.finding.parts import Part, Subject
from precis.finding.reading import HANGUL, UNSPACED, read_words
from precis.finding.tables import ground_languages, ground_words, languages, whole_words, words_of
from precis.language.words import STOP_WORDS

_SORTS = (
    "denies", "forgets", "keeps", "but", "every", "stores", "small", "tells", "judges", "wraps", "first", "articles",
)  # fmt: skip
_KANA = re.compile("[\u3040-\u30ff]")
#: Small words of English that say something here.
_TELLING = frozenset("not no nor but".split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Clause:
    """One clause of a request, read."""

    subjects: tuple[Subject, ...] = ()
    #: Asks to forget, or to keep; None where it asks for neither.
    forgets: bool | None = None
    #: Whether every word of it is known.
    clear: bool = True
    #: It takes up somebody who is named in another.
    takes_up: bool = False
    #: It asks for what somebody did at some time or place: "where she was before".
    narrows: bool = False
    #: What it is about was read in a part of it: the rest only tells something.
    told: bool = False
    #: It stands behind "except", and has to be understood.
    excepted: bool = False
    old: bool = False
    current: bool = False


def spoken(text: str) -> str:
    """The language in whose words most of a request is put."""
    if HANGUL.search(text):
        return "ko"
    if UNSPACED.search(text):
        return "ja" if _KANA.search(text) else "zh"
    lows = [word.low for word in read_words(text)]
    known = {language: sum(bool(sort_of(low, language)) for low in lows) for language in ground_languages()}
    return max(known, key=lambda language: (known[language], language == "en"))


@lru_cache(maxsize=8192)
def sort_of(low: str, language: str) -> str:
    """Of what sort a word is by which requests are put; empty for any other.

    ``knows`` are those by which somebody knows or has something, which asks for nothing unless it is denied.
    """
    if language == "en" and low in STOP_WORDS and low not in _TELLING:
        return "small"
    for sort in _SORTS:
        if low in _plain(language, sort) or _expression(language, sort).fullmatch(low):
            return "knows" if sort == "keeps" and low in _plain(language, "small") else sort
    return "small" if language in languages() and low in words_of(language, "articles") else ""


@lru_cache(maxsize=1024)
def _plain(language: str, sort: str) -> frozenset[str]:
    return frozenset(word for word in ground_words(language, sort) if "*" not in word)


@lru_cache(maxsize=1024)
def _expression(language: str, sort: str) -> re.Pattern[str]:
    return whole_words([word for word in ground_words(language, sort) if "*" in word])


def forgets(sorts: Sequence[str]) -> bool | None:
    """What the first verb asks for, turned around where it is denied."""
    denied = False
    for sort in sorts:
        denied = denied or sort == "denies"
        if sort == "forgets":
            return not denied
        if sort == "keeps" or (sort in {"knows", "stores"} and denied):
            return denied
    return None


def says_who(part: Part) -> bool:
    """Whether a word beside a name only says who that is: "customer", "my friend"."""
    role = bool(part.groups) and all(group.startswith("role.") for group in part.groups)
    return role or (not part.groups and says_whom(part.word))
