"""What the items hold, and what a statement needs of them.

The items are indexed once a draft, so that each statement is checked by looking terms up.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from precis.checks.pasted import labels_in
from precis.checks.reading import Kind, Sentence, Token, family_of, read, read_in_place
from precis.language.dates import MONTH_NAMES, MONTHS, spelled_out
from precis.language.dating.resolving import date_keys
from precis.language.orders import commanded_in, spoiled_in, unlabeled
from precis.language.values import is_scale, keys_of, unit_of
from precis.language.words import STOP_WORDS, kept_where_short, normal, numbers, stem, terms, words
from precis.makers import Item

_NOBODY: frozenset[int] = frozenset()
#: A particle of Korean behind the date that was added to its word.
_PARTED = re.compile(r"(?<=[\uac00-\ud7a3])( ?[(\[][^()\[\]]*\d{4}-\d\d(?:-\d\d)?[)\]])([\uac00-\ud7a3]+)")


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
            for name in (family_of(word) for label in labels_in(item.text, item.speaker) for word in words(label)):
                family[name].add(index)
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
        item = self.items[index]
        # Who speaks in a statement of a node below is a label, and addresses nobody.
        spoiled = spoiled_in(unlabeled(item.text) if item.derived else item.text)
        for at, sentence, keys, commanded in _pieces(item.text):
            place = len(self.passages)
            if at in spoiled:
                self.spoiled.add(place)
            if commanded is not None:
                self.commanded[place] = commanded
            self.passages.append(Passage(index, sentence))
            for name in said_by:
                postings[name].add(place)
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


class _Piece(NamedTuple):
    """A sentence of an item."""

    at: int
    sentence: Sentence
    #: The families of its tokens, and of what it tells somebody to write or say.
    keys: tuple[str, ...]
    commanded: frozenset[str] | None


@kept_where_short
def _pieces(text: str) -> tuple[_Piece, ...]:
    """Every refresh of a group holds its draft against the same items."""
    commanded = commanded_in(text)

    def words_of(command: str) -> frozenset[str]:
        return frozenset(token.family for part in read(command) for token in part.tokens)

    return tuple(
        _Piece(
            at=at, sentence=sentence, keys=tuple(token.family for token in sentence.tokens),
            commanded=words_of(commanded[at]) if at in commanded else None,
        )
        for at, sentence in read_in_place(spelled_out(normal(text)))
    )  # fmt: skip


def _frozen(sets: dict[str, set[int]]) -> dict[str, frozenset[int]]:
    return {key: frozenset(value) for key, value in sets.items()}


def literal_terms(item: Item) -> set[str]:
    """What a scan for an item's words would look for: stemmed content words and numbers, the speaker's name."""
    return {*_literal(item.text), *terms(item.speaker or "")}


@kept_where_short
def _literal(text: str) -> frozenset[str]:
    return frozenset(terms(text)) | {key for number in numbers(text) for key in keys_of(number)}


# --- a statement of a draft, read as a claim: with what it needs to find in the items ---

#: The numbers that the items hold, with what each counts in wherever it stands; nothing where that is not written.
Units = Mapping[str, Collection[frozenset[str]]]
_NO_UNITS: Units = {}

_YEAR = re.compile(r"#(?:19|20)\d\d")
_LAST_DAY = 31

#: A word that ends so and opens a sentence is hardly a name.
_WORD_ENDINGS = ("ing", "ed", "ly", "tion", "ment", "ness", "ity", "ions", "ments", "ous", "ful", "ive", "ers", "ies")

#: How much a token of each kind weighs when support is measured.
WEIGHTS = {Kind.PLAIN: 0.5, Kind.WORD: 1.0, Kind.NAME: 1.0, Kind.NUMBER: 1.5, Kind.CALENDAR: 0.5}


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A statement, read once."""

    text: str
    sentences: tuple[Sentence, ...]
    #: Stemmed content words and numbers, each once: what its lineage must hold.
    terms: tuple[str, ...]
    #: Content tokens in order.
    content: tuple[Token, ...]
    #: Families of months, weekdays, and the numbers of a date, to the key an item's own date holds them by.
    calendar: dict[str, str]
    #: Family to weight, for finding the passages closest to the statement.
    weights: dict[str, float]


def read_claim(text: str, names: Collection[str] = (), units: Units = _NO_UNITS) -> Claim:
    """What a statement needs. ``names`` are families that the items use as names, ``units`` the numbers they hold."""
    undivided = _PARTED.sub(r"\2\1", text)
    sentences = tuple(_settle(sentence, names, units) for sentence in read(spelled_out(normal(undivided))))
    content = tuple(token for sentence in sentences for token in sentence.content)
    weights: dict[str, float] = {}
    for token in content:
        weights[token.family] = max(weights.get(token.family, 0.0), WEIGHTS[token.kind])
    return Claim(
        text=text,
        sentences=sentences,
        terms=tuple(dict.fromkeys([*terms(undivided), *(keys_of(number)[0] for number in numbers(undivided))])),
        content=content,
        calendar=_calendar(sentences),
        weights=weights,
    )


def _settle(sentence: Sentence, names: Collection[str], units: Units) -> Sentence:
    """Decide whether a word that opens a sentence is a name, and which number is meant where two may be."""
    if all(token.kind not in (Kind.OPENER, Kind.NUMBER) for token in sentence.tokens):
        return sentence
    tokens: list[Token] = []
    checked: frozenset[str] = frozenset()
    for token in sentence.tokens:
        if token.kind is Kind.NUMBER:
            tokens.append(_number_meant(token, units))
            checked = frozenset().union(*(unit & token.unit for unit in units.get(tokens[-1].family, ())))
        elif token.kind is Kind.OPENER:
            tokens.append(token._replace(kind=_opener_kind(token, names)))
        else:
            # A unit that its number was checked with is no claim of its own, whichever way it is written.
            is_unit = checked and (is_scale(token.word) or token.word == "per" or checked & unit_of(token.word))
            tokens.append(token._replace(kind=Kind.STOP) if is_unit else token)
            checked = checked if is_unit and (is_scale(token.word) or token.word == "per") else frozenset()
    return sentence._replace(tokens=tuple(tokens))


def _number_meant(token: Token, units: Units) -> Token:
    if token.family in units:
        return token
    # A number with a scale may stand where the scale is left out, and one without where it is not: "5 to 6 million".
    is_scaled = any(key.startswith("#~") for key in token.also)
    readings = [key.replace("~", "") for key in token.also] if is_scaled else [*token.also, f"#~{token.family[1:]}"]
    return token._replace(family=next((key for key in readings if key in units), token.family))


def _opener_kind(token: Token, names: Collection[str]) -> Kind:
    is_word = token.family not in names and token.word.endswith(_WORD_ENDINGS)
    return Kind.WORD if is_word else Kind.NAME


def date_key(token: Token) -> str:
    """The key under which an item's dates hold a month, a weekday, a day number or a year."""
    if token.word in MONTHS:
        return stem(MONTH_NAMES[MONTHS[token.word]])
    return token.family if token.kind is Kind.NUMBER else stem(token.word)


def _calendar(sentences: tuple[Sentence, ...]) -> dict[str, str]:
    """Months, weekdays and years, and numbers next to a month."""
    keys: dict[str, str] = {}
    for sentence in sentences:
        tokens = sentence.tokens
        for place, token in enumerate(tokens):
            near = tokens[max(0, place - 2) : place + 3]
            if token.kind is Kind.CALENDAR or (token.kind is Kind.NUMBER and _is_dated(token.family, near)):
                keys[token.family] = date_key(token)
    return keys


def _is_dated(number: str, near: Sequence[Token]) -> bool:
    day = number[1:].isdigit() and int(number[1:]) <= _LAST_DAY
    return _YEAR.fullmatch(number) is not None or (day and any(token.word in MONTHS for token in near))
