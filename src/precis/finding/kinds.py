"""What is a kind of what: a hamster is a pet and an animal. Words of other languages go by their English name.

Two tables are read at their first use: nouns and their kinds (``words/kinds.txt.gz``, from WordNet 3.0), and the names
of everyday things in other languages (``words/everyday.txt.gz``, from Unicode's CLDR). ``words/kinds.toml`` has what
other languages call the kinds themselves.
"""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from precis.finding.capitals import finite
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, read_words
from precis.finding.tables import kind_names, kind_words, language_of, name_words
from precis.finding.values import Level, Span
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

_FOLDER = Path(__file__).parent / "words"
#: A kind of more things than this names nothing.
_MOST = 6000
#: Before a word that is no noun then: "I fish", "to water".
_BEFORE_VERBS = frozenset(
    "i you we they he she it who to will would can could may might must shall should don't didn't doesn't".split()
) | frozenset("too so very as".split())
#: Before a thing that a memory only dates or places something by: "before breakfast".
_ASIDE = frozenset(
    "before after at during for since until over between by in on near behind under outside inside".split()
)
_DETERMINERS = frozenset("the a an my our your his her their this that".split())
#: Short words of other languages are too often parts of others.
_SHORTEST = 3
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Nouns:
    #: By line: the lines of its kinds.
    above: Sequence[Sequence[int]]
    #: By line: the lines of what is directly of that kind.
    below: Mapping[int, Sequence[int]]
    #: By word: the lines of its senses, the most frequent one first; None where that one is not in the table.
    senses: Mapping[str, Mapping[int, int]]


@cache
def _nouns() -> _Nouns:
    above: list[list[int]] = []
    below: dict[int, list[int]] = defaultdict(list)
    senses: dict[str, dict[int, int]] = defaultdict(dict)
    for number, line in enumerate(_lines("kinds.txt.gz")):
        kinds, _, words = line.partition("|")
        above.append([int(kind) for kind in kinds.split()])
        for kind in above[-1]:
            below[kind].append(number)
        for entry in words.split():
            word, _, rank = entry.rpartition(":")
            senses[word][int(rank)] = number
    return _Nouns(above, below, senses)


@cache
def _english() -> Mapping[str, str]:
    """English names of everyday things by those of other languages."""
    names: dict[str, str] = {}
    for line in _lines("everyday.txt.gz")[1:]:
        english, *others = line.split("\t")
        for other in others:
            bare = folded(other)
            if bare and (len(bare) >= _SHORTEST or UNSPACED.search(bare) or HANGUL.search(bare)):
                names.setdefault(bare, english.replace(" ", "_"))
    return names


def _lines(name: str) -> list[str]:
    with gzip.open(_FOLDER / name, "rt", encoding="utf-8") as file:
        return file.read().split("\n")


@lru_cache(maxsize=1024)
def kinds_asked(phrase: str) -> frozenset[int]:
    """The kinds that a phrase of a request names: "desserts", "musical instruments"; none where it names a thing."""
    low = folded(phrase)
    foreign = [name for name, pattern in kind_names().items() if pattern.fullmatch(low)]
    if foreign:
        return _closed(foreign)
    words = low.replace("-", " ").split()
    lemma = "_".join(words)
    bare = next((form for form in _singular(lemma) if form in _nouns().senses), None)
    if bare is None or not low.isascii():
        return frozenset()
    plural = bare != lemma or lemma in kind_words("many.many")
    if not plural or {lemma, bare} & kind_words("many.broad"):
        return frozenset()
    return _closed([bare])


def kinds_of_deed(verb: str) -> frozenset[int]:
    """The kinds of what is done so: drinks, of "drink"."""
    return _closed(kind_words(f"by_verb.{verb}"))


@lru_cache(maxsize=256)
def _closed_of(lemmas: frozenset[str]) -> frozenset[int]:
    called = [name for lemma in lemmas for name in kind_words(f"same.{lemma}") or (lemma,)]
    wanted = [number for name in called for number in _nouns().senses.get(name, {}).values()]
    closed = [_under(number) for number in wanted]
    return frozenset(number for under in closed if len(under) <= _MOST for number in under)


def _closed(lemmas: Collection[str]) -> frozenset[int]:
    return _closed_of(frozenset(lemmas))


def _under(number: int) -> set[int]:
    """A kind, and everything that is of it."""
    reached, waiting = {number}, [number]
    while waiting:
        fresh = [each for each in _nouns().below.get(waiting.pop(), ()) if each not in reached]
        reached.update(fresh)
        waiting += fresh
    return reached


def things_of(kinds: frozenset[int], text: str, low: str) -> Iterator[tuple[Span, Level]]:
    """Where a memory names something of these kinds: in its usual sense, in another one, or only as a place or time."""
    if not kinds:
        return
    if not low.isascii() and (UNSPACED.search(low) or HANGUL.search(low)):
        yield from _unspaced(kinds, low)
        return
    if not any(_may_be(kinds, word) for word in _LETTERS.findall(low)):
        return
    words = read_words(text)
    foreign = _is_foreign(words, low)
    for at, word in enumerate(words):
        rank = _rank(kinds, _name(word, words, at, foreign=foreign))
        if rank is not None and not _is_no_noun(words, at, foreign=foreign):
            usual = Level.SURE if rank == 0 or foreign else Level.DOUBTFUL if rank == 1 else Level.NEAR
            yield (word.start, word.end), Level.NEAR if _is_aside(words, at) else usual


@lru_cache(maxsize=65536)
def _may_be(kinds: frozenset[int], word: str) -> bool:
    """Whether it is of these kinds in English or, as it may be, in another language."""
    if _rank(kinds, word) is not None:
        return True
    others = (_english().get(form) for form in _endings(word))
    return any(other is not None and _rank(kinds, other) is not None for other in others)


def _is_aside(words: Sequence[Word], at: int) -> bool:
    """Whether it only says when or where: "before breakfast", "behind the house"."""
    place = at - 2 if at > 1 and words[at - 1].low in _DETERMINERS else at - 1
    return place >= 0 and words[place].low in _ASIDE


def _is_foreign(words: Sequence[Word], low: str) -> bool:
    """Whether a text is in another language, or most of its words are no English ones."""
    if language_of([word.low for word in words], low) != "en":
        return True
    unknown = [word for word in words if not (word.capital or word.low in STOP_WORDS or _known(word.low))]
    return 2 * sum(form_of(token(word.low)) is None for word in unknown) > len(words)


def _name(word: Word, words: Sequence[Word], at: int, *, foreign: bool) -> str:
    if foreign:
        return next((_english()[form] for form in _endings(word.low) if form in _english()), "")
    together = f"{words[at - 1].low}_{word.low}" if at else ""
    return together if _known(together) else word.low


def _endings(low: str) -> Iterator[str]:
    """A word of another language, and what it may be without its ending."""
    yield low
    yield from (low[:-length] for length in (1, 2) if len(low) - length > _SHORTEST)


@lru_cache(maxsize=16384)
def _rank(kinds: frozenset[int], name: str) -> int | None:
    """Whether a noun is of these kinds: 0 in its first sense, 1 in its second, 2 in its third."""
    for form in _singular(name):
        senses = _nouns().senses.get(form)
        if senses:
            return min((rank for rank, number in senses.items() if number in kinds), default=None)
    return None


def _known(lemma: str) -> bool:
    return any(form in _nouns().senses for form in _singular(lemma))


def _is_no_noun(words: Sequence[Word], at: int, *, foreign: bool) -> bool:
    """Whether it is a verb here, a name, or the first part of another thing: "I fish", "Apple", "juice bar"."""
    word = words[at]
    if foreign:
        return False
    before = words[at - 1].low if at else ""
    behind = words[at + 1] if at + 1 < len(words) else None
    part = behind is not None and behind.gap == " " and _is_head(words, at + 1)
    name = word.capital and (not word.opens or word.low in name_words("words") | name_words("given"))
    # "The dog eats": behind a noun a verb is one.
    verb = finite(word) and word.gap == " " and _known(before)
    return before in _BEFORE_VERBS or name or part or verb


def _is_head(words: Sequence[Word], at: int) -> bool:
    """Whether it is a noun here, and no verb: "twin towers" stand, "the clarinet squeaks"."""
    low = words[at].low
    if 0 in _nouns().senses.get(low, {}):
        return True
    plural = any(0 in _nouns().senses.get(form, {}) for form in _singular(low))
    return plural and any(finite(word) for word in words[at + 1 :])


def _unspaced(kinds: frozenset[int], low: str) -> Iterator[tuple[Span, Level]]:
    for other, english in _english().items():
        if (UNSPACED.search(other) or HANGUL.search(other)) and other in low and _rank(kinds, english) is not None:
            level = Level.SURE if len(other) > 1 else Level.DOUBTFUL
            yield from ((match.span(), level) for match in re.finditer(re.escape(other), low))


def _singular(word: str) -> Iterator[str]:
    """A noun as it stands, and what it may be the plural of."""
    yield word
    for ending, single in (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", ""), ("men", "man")):
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            yield word[: -len(ending)] + single
    irregular = {"mice": "mouse", "geese": "goose", "feet": "foot", "teeth": "tooth", "children": "child"}
    if word in irregular:
        yield irregular[word]
