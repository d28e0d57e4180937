"""Whose two memories call what they both tell of: of the rent of the user Capucine's is no older value."""

from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import pairwise

from precis.finding.reading import Word, folded, is_caseless, read_words
from precis.finding.tables import all_words, name_words
from precis.finding.values import Span
from precis.finding.written.chains import chain_of
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import is_being
from precis.finding.written.unspaced import JOINTS
from precis.language.newest.signs import TIMES
from precis.language.script import is_frequent
from precis.language.values import unit_of
from precis.language.words import STOP_WORDS, stem

#: Words that begin alike in so many letters may be forms of one name.
_BEGINS = 3


def another_bears(
    one: str, other: str, *, shared: Collection[str], asked: Collection[str], own_names: Collection[str], language: str
) -> bool:
    """Whether of two texts one calls what both tell of somebody's, whom the other does not name.

    ``shared`` are the words that they share, ``asked`` those that were asked for.
    """
    things = frozenset(map(stem, (*shared, *asked)))
    texts = (one, other)
    return any(
        not any(word.low.startswith(bearer[:_BEGINS]) for word in read_words(against)) and bearer not in folded(against)
        for text, against in zip(texts, reversed(texts), strict=True)
        for bearer in _bearers(text, things, own_names, language)
    )


def _bearers(text: str, things: Collection[str], own_names: Collection[str], language: str) -> Iterator[str]:
    """Who has what is told of there, in small letters: somebody by a word for it, or by a name."""
    words = read_words(text)
    own = {*own_names, *all_words("first")}
    told = language_of([word.low for word in words], text, language)
    named = {word.low for word in words if word.capital and not word.opens} - own
    known = {
        it.low for before, it in pairwise(words) if it.low in named and it.gap == " " and _is_thing(before, things)
    }
    for place in _places(text, things, told):
        for owner in chain_of(text, place, told, own_names, known).owners:
            for called in owner.split("|"):
                bears = called in named or is_being(called) or is_caseless(called)
                if bears and called not in own and stem(called) not in things:
                    yield called
    opening = words[0] if words else None
    if opening is not None and opening.owns and opening.low not in own:
        yield opening.low


def _places(text: str, things: Collection[str], language: str) -> Iterator[Span]:
    """Where it names a thing that somebody may have: a street is only called after somebody, and a doctor is one."""
    if language in {"zh", "ja"}:
        yield from ((it.end(), it.end() + 2) for it in JOINTS.finditer(text) if text[it.end() : it.end() + 2] in things)
        return
    # "Ich wohne in der Elmgasse" tells of no thing: what is one in German has a capital.
    nouns = (word for word in read_words(text) if language != "de" or word.capital)
    yield from ((word.start, word.end) for word in nouns if _is_thing(word, things))


def _is_thing(word: Word, things: Collection[str]) -> bool:
    small = len(word.low) < _BEGINS or word.low in STOP_WORDS or is_frequent(word.text.lower())
    return stem(word.low) in things and not small and word.low not in {*_called_so(), *all_words("first")}


@cache
def _called_so() -> frozenset[str]:
    return name_words("titles") | name_words("streets") | name_words("caseless_places_before")


def telling(text: str) -> list[Word]:
    """The words of a text that tell something, and are no time, no unit and none that every text has."""
    return [word for word in read_words(text) if not (_is_short(word) or _is_aside(word.text.lower(), word.low))]


def _is_short(word: Word) -> bool:
    return word.low[0].isdigit() or (len(word.low) < _BEGINS and word.low < "\u0370")


@lru_cache(maxsize=8192)
def _is_aside(plain: str, low: str) -> bool:
    aside = low in name_words("present") or low in name_words("former")
    return aside or plain in STOP_WORDS or low in TIMES or is_frequent(plain) or bool(unit_of(plain))
