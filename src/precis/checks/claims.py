"""A statement of a draft, read as a claim: with what it needs to find in the items."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from precis.checks.reading import Kind, Sentence, Token, read
from precis.language.amounts import is_scale, keys_of, unit_of
from precis.language.dates import MONTH_NAMES, MONTHS, spelled_out
from precis.language.words import normal, numbers, stem, terms

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
    spelled = spelled_out(normal(text))
    sentences = tuple(_settle(sentence, names, units) for sentence in read(spelled))
    content = tuple(token for sentence in sentences for token in sentence.content)
    needed = [*terms(text), *(keys_of(number)[0] for number in numbers(text))]
    weights: dict[str, float] = {}
    for token in content:
        weights[token.family] = max(weights.get(token.family, 0.0), WEIGHTS[token.kind])
    return Claim(
        text=text,
        sentences=sentences,
        terms=tuple(dict.fromkeys(needed)),
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
