"""What the items hold: an index made once a draft, so that each statement is checked by looking terms up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from precis.checks.reading import Kind, Sentence, Token, family_of, read, read_in_place
from precis.language.amounts import keys_of
from precis.language.dating.resolving import date_keys
from precis.language.orders import commanded_in, spoiled_in
from precis.language.words import STOP_WORDS, numbers, terms, words
from precis.makers import Item

_NOBODY: frozenset[int] = frozenset()


class Passage(NamedTuple):
    """A sentence of an item."""

    item: int
    sentence: Sentence

    def denies(self, family: str) -> bool:
        """Whether it holds this family under a denial."""
        return any(token.negated and token.family == family for token in self.sentence.tokens)


class Evidence:
    """The items of one prompt, indexed by what their texts, speakers and dates hold."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.passages: list[Passage] = []
        #: Places of passages that an order to a model is in, or near: they bear out nothing.
        self.spoiled: set[int] = set()
        #: Families of what a passage tells somebody to write or say, by its place.
        self.commanded: dict[int, frozenset[str]] = {}
        #: Literal term or number to the items that hold it.
        self.literal: dict[str, frozenset[int]] = {}
        #: Family to the items, and to the passages, that hold it.
        self.family: dict[str, frozenset[int]] = {}
        self.postings: dict[str, frozenset[int]] = {}
        #: Families of speakers, and of words written with a capital inside a sentence.
        self.names: set[str] = set()
        #: Families of speakers' names to the items they speak.
        self.spoken: dict[str, set[int]] = {}
        #: Families of its speaker's names, an item.
        self.speakers: list[tuple[str, ...]] = []
        #: Numbers to what they count in wherever they stand; nothing is a unit that nobody wrote.
        self.units: dict[str, set[frozenset[str]]] = defaultdict(set)
        #: Numbers to the families that stand behind them, empty where none does; and all families that stand so.
        self.heads: dict[str, set[str]] = defaultdict(set)
        self.counted: set[str] = set()
        #: Neighboring tokens, and whole sentences, to the items that hold them.
        self.pairs: dict[tuple[str, str], set[int]] = defaultdict(set)
        self.whole: dict[tuple[str, ...], set[int]] = defaultdict(set)
        self._index()

    def holders(self, term: str) -> frozenset[int]:
        """Items that hold a literal term; where none does, those that hold one of its family."""
        items = self.literal.get(term)
        if items is None:
            items = self.family.get(family_of(term) if term[0] != "#" else term)
        return items or _NOBODY

    @cached_property
    def dates(self) -> dict[str, frozenset[int]]:
        """Calendar words, ``#day`` and ``#year`` to the items whose date, or whose words for one, they name."""
        dates: dict[str, set[int]] = defaultdict(set)
        for index, item in enumerate(self.items):
            for key in date_keys(item.text, item.day):
                dates[key].add(index)
        return _frozen(dates)

    def _index(self) -> None:
        literal, family = (defaultdict[str, set[int]](set) for _ in range(2))
        postings: dict[str, set[int]] = defaultdict(set)
        for index, item in enumerate(self.items):
            for term in literal_terms(item):
                literal[term].add(index)
            said_by = [family_of(word) for word in words(item.speaker or "") if word not in STOP_WORDS]
            for name in said_by:
                family[name].add(index)
                self.spoken.setdefault(name, set()).add(index)
            self.names.update(said_by)
            self.speakers.append(tuple(said_by))
            self._add_passages(index, said_by, family, postings)
        self.literal, self.family, self.postings = map(_frozen, (literal, family, postings))

    def _add_passages(
        self,
        index: int,
        said_by: Iterable[str],
        family: dict[str, set[int]],
        postings: dict[str, set[int]],
    ) -> None:
        """A speaker's name counts as a word of everything he says."""
        text = self.items[index].text
        spoiled, commanded = spoiled_in(text), commanded_in(text)
        for at, sentence in read_in_place(text):
            place = len(self.passages)
            if at in spoiled:
                self.spoiled.add(place)
            if at in commanded:
                self.commanded[place] = frozenset(token.family for part in read(commanded[at]) for token in part.tokens)
            self.passages.append(Passage(index, sentence))
            for name in said_by:
                postings[name].add(place)
            keys = tuple(token.family for token in sentence.tokens)
            self.whole[keys].add(index)
            for pair in pairwise(keys):
                self.pairs[pair].add(index)
            for token in sentence.tokens:
                if token.kind:
                    postings[token.family].add(place)
                    family[token.family].add(index)
                if token.kind is Kind.NAME:
                    self.names.add(token.family)
                elif token.kind is Kind.NUMBER:
                    self._add_number(token, index, family, postings)

    def _add_number(self, token: Token, index: int, family: dict[str, set[int]], postings: dict[str, set[int]]) -> None:
        """A number is found by each of its readings, and what it counts in is kept for each."""
        place = len(self.passages) - 1
        for key in (token.family, *token.also):
            postings[key].add(place)
            family[key].add(index)
            self.units[key].add(token.unit)
            self.heads[key].update(token.heads or {""})
        self.counted |= token.heads

    def overlap(self, weights: dict[str, float]) -> dict[int, float]:
        """How much of these weighted families each passage holds."""
        held_by: dict[int, float] = defaultdict(float)
        for key, weight in weights.items():
            for place in self.postings.get(key, _NOBODY):
                held_by[place] += weight
        return held_by


def _frozen(sets: dict[str, set[int]]) -> dict[str, frozenset[int]]:
    return {key: frozenset(value) for key, value in sets.items()}


def literal_terms(item: Item) -> set[str]:
    """What a scan for an item's words would look for: stemmed content words and numbers, the speaker's name."""
    stems = set(terms(item.text)) | {key for number in numbers(item.text) for key in keys_of(number)}
    return stems | set(terms(item.speaker)) if item.speaker else stems
