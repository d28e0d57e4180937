"""The kind of answer that a question asks for - a price, a day, a name, a reason - and rows that have none. Pure.

"The heating engineer comes on Friday" holds all words of "Who is my heating engineer?" and names nobody. A row counts
as lacking only where nothing in it could be the answer: any other number, any other name, any word of a cause will do.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from precis.language import tables
from precis.language.dates import MONTHS, MONTHS_ELSEWHERE
from precis.language.grammar import FIRST, THIRD
from precis.language.newest.signs import TIMES
from precis.language.script import is_common_in, languages_of
from precis.language.words import STOP_WORDS, kept, words
from precis.recall.persons import ENGLISH, alike, folded, is_form, is_kin, tokens_of
from precis.recall.telling import UNSPACED, listed, number_in, numbers_in


# Words of a table, whole or by how they begin or end.
class _Listed(NamedTuple):
    """The words at a place of the tables, the beginnings of others and how long those are, and endings."""

    whole: frozenset[str]
    beginnings: frozenset[str]
    lengths: tuple[int, ...]
    endings: tuple[str, ...]


@cache
def _listed(place: str) -> _Listed:
    words = tables.words(place)
    beginnings = frozenset(word[:-1] for word in words if word.endswith("*"))
    return _Listed(
        whole=frozenset(word for word in words if "*" not in word),
        beginnings=beginnings,
        lengths=tuple(sorted(set(map(len, beginnings)))),
        endings=tuple(word[1:] for word in words if word.startswith("*")),
    )


def has_any(place: str, spoken: Collection[str]) -> bool:
    """Whether one of these words, in small letters, is listed there; a star stands for the rest of a word."""
    whole, beginnings, lengths, endings = _listed(place)
    if not whole.isdisjoint(spoken):
        return True
    return any(
        word.endswith(endings) or any(word[:length] in beginnings for length in lengths if len(word) >= length)
        for word in spoken
    )


_GERMAN = "German"
_KINDS: tuple[str, ...] = tuple(tables.entry("sought.asks"))
_MONTHS = "|".join((*MONTHS, *(month.casefold() for months in MONTHS_ELSEWHERE.values() for month in months)))
#: What stands before the word that asks: "¿", a greeting's comma, "And".
_OPENING = r"\W*(?:(?:and|so|but|und|et|y|e|en|i|a|а|и)\W+)?(?:و(?=\w))?"
#: In these the word that asks stands anywhere; of these no name has a capital, and a word is told by its first letters.
_ANYWHERE, _UNCASED = UNSPACED | {"Hindi", "Turkish"}, frozenset({"Korean", "Arabic", "Hindi"})
_WITHOUT_SPACES = frozenset({"Chinese", "Japanese"})
#: What Arabic writes before a word as a part of it; letters that two forms of a word share at least in such scripts.
_BEFORE_ARABIC, _SHARED = re.compile(r"^[وف]?(?:[بك]?ال|لل?|ب)(?=\w\w\w)"), 2
_BESIDES = re.compile(rf"[ -]?(?:{tables.choices('sought.figures.besides').replace('MONTHS', _MONTHS)})", re.IGNORECASE)
_BEHIND = re.compile(
    rf"(?<!\w)(?:{'|'.join(tables.words('sought.figures.behind')).replace('MONTHS', _MONTHS)}) $", re.IGNORECASE
)
_SIGNS = re.compile(r"[$\u20ac\u00a3\u00a5\u20b9\u20bd\u20bf]")
#: So many small words stand before what a row opens with.
_MOST_SMALL = 2
#: So many letters before a figure are looked at.
_BEFORE = 12
#: By a number or an address somebody is reached.
_REACHED = re.compile(r"[\d@]")
_TITLES, _NO_NAME = frozenset(tables.words("sought.german.titles")), frozenset(tables.words("sought.german.before"))
_TOGETHER = "together"
_NUMBERED = frozenset({"distance", "age", "price", "measure"})
#: What may be a time in English: figures, and what stands behind a word that a time stands behind.
_HOURS = re.compile(rf"\d[\w.:]*|\b(?:{'|'.join(tables.words('sought.asked.before_hours'))}) \w+", re.IGNORECASE)
#: What parts two clauses or sentences.
_PARTING = ",;:.!\u2014\u2013\u060c\u061b\u0964"
_NAMED, _WHERE = frozenset({"name", "person"}), "place"


class Sought:
    """The kind of answer that a question asks for, if it is known."""

    def __init__(self, query: str) -> None:
        self.languages = languages_of(query)[0]
        kind = _kind_of(query, self.languages or (ENGLISH,))
        self.kind = None if kind == _TOGETHER or (kind in _NAMED and self._asks_of_names(query)) else kind
        self._places = tuple(_places(self.kind, (*self.languages, ENGLISH)))
        self._words = frozenset(folded(token) for token in tokens_of(query) if token[0].isalpha())
        self._is_uncased = not _UNCASED.isdisjoint(self.languages)
        #: What tells the kind where no spaces part words; and the pairs of characters of the question.
        self._unspaced = tuple(filter(None, (_told_unspaced(self.kind, name) for name in self.languages)))
        self._pairs = frozenset(map("".join, pairwise(query)))

    def _asks_of_names(self, query: str) -> bool:
        """Whether it asks who somebody is: that is told without another name."""
        if not (_UNCASED | _WITHOUT_SPACES).isdisjoint(self.languages):
            return False
        tokens = [token for token in tokens_of(query) if token[0].isalpha()]
        says = [at for at, token in enumerate(tokens) if at and not self._is_small(token)]
        is_german = _GERMAN in self.languages
        return all(tokens[at][0].isupper() and (not is_german or is_named_in_german(tokens, at)) for at in says)

    def _is_small(self, token: str) -> bool:
        word = token.casefold()
        return folded(token) in STOP_WORDS or any(is_common_in(word, name) for name in self.languages)

    def is_lacking(self, text: str) -> bool:
        """Whether nothing in a row could be an answer of the kind; false where no kind is known."""
        if self.kind is None or not text:
            return False
        if not _WITHOUT_SPACES.isdisjoint(self.languages):
            # A word for who somebody is may be of what is asked of: "dentist", and "my" in any question of mine.
            rest = self._without_asked(text) if self.kind == "person" else text
            return bool(self._unspaced) and not any(told.search(rest) for told in self._unspaced)
        spoken = tuple(words(text))
        if any(has_any(place, spoken) for place in self._places):
            return False
        if self.kind in _NAMED or (self.kind == _WHERE and not self._is_uncased):
            return not self.names_anybody(text, persons=self.kind == "person")
        return not self._has_sign(text)

    def _without_asked(self, text: str) -> str:
        """A text without spaces, less what it has in common with the question."""
        shared = [pair in self._pairs for pair in map("".join, pairwise(text))]
        kept_of = zip(text, [False, *shared], [*shared, False], strict=True)
        return "".join(" " if before or behind else letter for letter, before, behind in kept_of)

    def _has_sign(self, text: str) -> bool:
        """Whether a row has what tells the kind and is no word: a number, a sign, a second clause for a reason."""
        if self.kind in _NUMBERED:
            return self._counts(text)
        if self.kind == "day":
            spoken = text if self.languages else " ".join(_HOURS.findall(text))
            return number_in(spoken, self.languages) or not TIMES.isdisjoint(words(text))
        if self.kind == "reached":
            return _REACHED.search(text) is not None
        return self.kind == "reason" and any(sign in text.strip().rstrip(".!") for sign in _PARTING)

    def _counts(self, text: str) -> bool:
        """Whether a row has a number that may be it: neither an hour nor a day, and of a price no other measure."""
        if self.kind == "price":
            return _SIGNS.search(text) is not None or any(
                not _BESIDES.match(text, figure.end()) and not _is_behind(text, figure.start())
                for figure in numbers_in(text, self.languages)
            )
        return any(not _is_behind(text, figure.start()) for figure in numbers_in(text, self.languages))

    def names_anybody(self, text: str, *, persons: bool = False) -> bool:
        """Whether a row may name somebody or something that the question does not name.

        Where nothing in it has a capital, names have none either. A name that opens a sentence looks as any word does.
        """
        tokens = tokens_of(text)
        if self._is_uncased:
            return any(self._may_name(token) for token in tokens if token[0].isalpha())
        large = [at for at, token in enumerate(tokens) if token[0].isupper()]
        if not large:
            return True
        for at in large:
            spoken = folded(tokens[at])
            if (
                not TIMES.isdisjoint((spoken, spoken.removesuffix("s")))
                or self._is_small(tokens[at])
                or self._is_asked(spoken)
            ):
                continue
            if _GERMAN not in self.languages or is_named_in_german(tokens, at):
                return True
        return persons and self._has_person(tokens)

    def _may_name(self, token: str) -> bool:
        """Whether a word of a script without capitals may be a name: no word of the question or of what names none."""
        spoken = folded(token)
        if self._is_small(token) or self._is_asked(spoken) or number_in(token, self.languages):
            return False
        places = ("sought.tells.day", *(f"sought.nameless.{name}" for name in self.languages if name in _UNCASED))
        return not any(has_any(place, (token.casefold(),)) for place in places)

    def _is_asked(self, spoken: str) -> bool:
        if not self._is_uncased:
            return any(is_form(spoken, word) for word in self._words)
        root = _BEFORE_ARABIC.sub("", spoken)
        return any(
            root == word or alike(root, word) >= max(_SHARED, min(len(root), len(word)) - 1)
            for word in (_BEFORE_ARABIC.sub("", asked) for asked in self._words)
        )

    def _has_person(self, tokens: Sequence[str]) -> bool:
        """Whether a row may tell of somebody without a name: I, she, a relative, "the plumber" that it opens with."""
        small = [folded(token) for token in tokens if token[0].isalpha()]
        if not (FIRST | THIRD).isdisjoint(small):
            return True
        opens = next((at for at, token in enumerate(tokens) if not self._is_small(token)), 0)
        if 0 < opens <= _MOST_SMALL and not self._is_asked(folded(tokens[opens])):
            return True
        languages = (*self.languages, ENGLISH)
        return any(is_kin(token, languages) and not self._is_asked(folded(token)) for token in tokens)


@kept
def sought_in(query: str) -> Sought:
    """The kind of answer that this question asks for."""
    return Sought(query)


def is_named_in_german(tokens: Sequence[str], at: int) -> bool:
    """Whether a word with a capital may be a name in German: what stands behind an article is mostly none."""
    before = tokens[at - 1] if at else "."
    if before.casefold() in _TITLES or before[0].isupper() or not before[0].isalpha():
        return True
    return before.casefold() not in _NO_NAME and not before.endswith(("e", "en", "er", "es", "em"))


@cache
def _asking(kind: str, language: str) -> re.Pattern[str]:
    asked = tables.section(f"sought.asks.{kind}")
    asking = tables.choices(f"sought.asks.{kind}.{language}") if language in asked else "(?!)"
    if language in _ANYWHERE:
        asking = asking if language in UNSPACED else tables.whole(asking)
        return re.compile(rf"(?s:.*?)(?:{asking})", re.IGNORECASE)
    return re.compile(rf"{_OPENING}(?:{asking})(?!\w)", re.IGNORECASE)


def _places(kind: str | None, languages: Sequence[str]) -> Iterator[str]:
    """Where the tables list the words that tell a kind."""
    if kind == _WHERE:
        yield from (f"sought.placed.{name}" for name in languages if name in tables.section("sought.placed"))
    elif kind:
        yield "sought.figures.reached" if kind == "reached" else f"sought.tells.{kind}"
        told = tables.entry("sought.told").get(kind, ())
        yield from (f"sought.told.{kind}.{name}" for name in languages if name in told)


@cache
def _told_unspaced(kind: str | None, language: str) -> re.Pattern[str] | None:
    """What tells a kind in a language without spaces; None where that is not known."""
    if kind is None or language not in _WITHOUT_SPACES:
        return None
    told = listed(f"sought.unspaced.{kind}", language)
    number = listed("sought.unspaced.number", language) if kind in _NUMBERED - {"price"} else None
    return re.compile("|".join(pattern.pattern for pattern in (told, number) if pattern))


def _kind_of(query: str, languages: Sequence[str]) -> str | None:
    for kind in _KINDS:
        if any(_asking(kind, language).match(query) for language in languages):
            return kind
    return None


def _is_behind(text: str, at: int) -> bool:
    """Whether a number is an hour or a day, as what stands before it tells."""
    return _BEHIND.search(text, max(0, at - _BEFORE), at) is not None
