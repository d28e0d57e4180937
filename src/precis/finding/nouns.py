"""The nouns of English and their kinds, and what everyday things are called in other languages.

Two tables are read at their first use: nouns and their kinds, with the verbs and adjectives that belong to them
(``words/kinds.txt.gz``, from WordNet 3.0), and the names of everyday things in other languages
(``words/everyday.txt.gz``, from Unicode's CLDR).
"""

import gzip
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from precis.finding.reading import HANGUL, UNSPACED, folded
from precis.language.tokens import token
from precis.language.verbs import form_of

_FOLDER = Path(__file__).parent / "words"
#: Short words of other languages are too often parts of others.
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Nouns:
    """The table of nouns; a line of it is a sense."""

    #: By line: the lines of its kinds.
    above: Sequence[Sequence[int]]
    #: By line: the lines of what is directly of that kind.
    below: Mapping[int, Sequence[int]]
    #: By word: the lines of its senses, the most frequent one first; None where that one is not in the table.
    senses: Mapping[str, Mapping[int, int]]
    #: Nouns that are more often another sort of word: "cold".
    seldom: Collection[str]
    #: By verb or adjective: the lines of the nouns that belong to it, with the rank of the sense.
    deeds: Mapping[str, Mapping[int, int]]


@cache
def nouns() -> Nouns:
    """Read the table."""
    above: list[list[int]] = []
    below: dict[int, list[int]] = defaultdict(list)
    senses: dict[str, dict[int, int]] = defaultdict(dict)
    deeds: dict[str, dict[int, int]] = defaultdict(dict)
    seldom: set[str] = set()
    for number, line in enumerate(_lines("kinds.txt.gz")):
        kinds, words, *others = line.split("|")
        above.append([int(kind) for kind in kinds.split()])
        for kind in above[-1]:
            below[kind].append(number)
        for entry in words.split():
            word, _, rank = entry.rpartition(":")
            if rank[-1] == "~":
                seldom.add(word)
            senses[word][int(rank[0])] = number
        for entry in " ".join(others).split():
            word, _, rank = entry.rpartition(":")
            deeds[word][number] = int(rank)
    return Nouns(above, below, senses, seldom, deeds)


@cache
def english() -> Mapping[str, str]:
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
def same_as(word: str) -> frozenset[str]:
    """English words that mean the same in the usual sense of both, nouns, verbs and adjectives."""
    form = form_of(token(word))
    lines = [line for single in singular(word) for rank, line in nouns().senses.get(single, {}).items() if rank == 0]
    lines += [line for line, rank in nouns().deeds.get(form.lemma if form else word, {}).items() if rank == 0]
    return frozenset(chain.from_iterable(_usual().get(line, ()) for line in lines)) - {word}


@cache
def _usual() -> Mapping[int, Collection[str]]:
    """By line: the words of which it is the first sense, and the verbs and adjectives that belong to it so."""
    usual: dict[int, set[str]] = defaultdict(set)
    for word, senses in nouns().senses.items():
        if 0 in senses and word not in nouns().seldom:
            usual[senses[0]].add(word)
    for word, lines in nouns().deeds.items():
        for line, rank in lines.items():
            if rank == 0:
                usual[line].add(word)
    return usual


@lru_cache(maxsize=65536)
def is_form_of(low: str, lemmas: frozenset[str]) -> bool:
    """Whether a word is one of these or a form of it."""
    form = form_of(token(low))
    return (form is not None and form.lemma in lemmas) or any(single in lemmas for single in singular(low))


def singular(word: str) -> Iterator[str]:
    """A noun as it stands, and what it may be the plural of."""
    yield word
    for ending, single in (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", ""), ("men", "man")):
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            yield word[: -len(ending)] + single
    irregular = {"mice": "mouse", "geese": "goose", "feet": "foot", "teeth": "tooth", "children": "child"}
    if word in irregular:
        yield irregular[word]


def known(lemma: str) -> bool:
    """Whether a noun is in the table, or what it may be the plural of."""
    return any(form in nouns().senses for form in singular(lemma))


def names_thing(word: str) -> bool:
    """Whether a word is a noun first of all."""
    return any(0 in nouns().senses.get(form, {}) and form not in nouns().seldom for form in singular(word))


def under(number: int) -> set[int]:
    """A kind, and everything that is of it."""
    reached, waiting = {number}, [number]
    while waiting:
        fresh = [each for each in nouns().below.get(waiting.pop(), ()) if each not in reached]
        reached.update(fresh)
        waiting += fresh
    return reached


@cache
def persons() -> frozenset[int]:
    """The lines of whoever somebody may be."""
    return frozenset(under(nouns().senses["person"][0]))


def names_person(word: str) -> bool:
    """Whether a word says who somebody is, as a noun in its first sense."""
    return any(nouns().senses.get(form, {}).get(0, -1) in persons() for form in singular(word))
