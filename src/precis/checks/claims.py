"""A draft statement as the checks see it: what it needs to find in the items."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from precis.checks.reading import Kind, Sentence, Token, number_key, read
from precis.language.vocabulary import MONTHS
from precis.language.words import normal, numbers, stem, terms

_ISO_DATE = re.compile(r"\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b")
_YEAR = re.compile(r"#(?:19|20)\d\d")
_MONTH_NAMES = {number: name for name, number in reversed(MONTHS.items())}
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


def read_claim(text: str, names: Collection[str] = ()) -> Claim:
    """What a statement needs. ``names`` are families that the items use as names."""
    spelled = _ISO_DATE.sub(_spell_out, normal(text))
    sentences = tuple(_settle(sentence, names) for sentence in read(spelled))
    content = tuple(token for sentence in sentences for token in sentence.content)
    needed = [*terms(text), *(number_key(number) for number in numbers(text))]
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


def _settle(sentence: Sentence, names: Collection[str]) -> Sentence:
    """Decide whether a word that opens a sentence is a name."""
    if all(token.kind is not Kind.OPENER for token in sentence.tokens):
        return sentence
    tokens = tuple(
        token._replace(kind=_opener_kind(token, names)) if token.kind is Kind.OPENER else token
        for token in sentence.tokens
    )
    return sentence._replace(tokens=tokens)


def _opener_kind(token: Token, names: Collection[str]) -> Kind:
    is_word = token.family not in names and token.word.endswith(_WORD_ENDINGS)
    return Kind.WORD if is_word else Kind.NAME


def date_key(token: Token) -> str:
    """The key under which an item's dates hold a month, a weekday, a day number or a year."""
    if token.word in MONTHS:
        return stem(_MONTH_NAMES[MONTHS[token.word]])
    return token.family if token.kind is Kind.NUMBER else stem(token.word)


def _spell_out(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    name = _MONTH_NAMES.get(int(month))
    return f"{day} {name.capitalize()} {year}" if name else match.group()


def _calendar(sentences: tuple[Sentence, ...]) -> dict[str, str]:
    """Months, weekdays and years, and numbers next to a month."""
    found: dict[str, str] = {}
    for sentence in sentences:
        tokens = sentence.tokens
        for place, token in enumerate(tokens):
            near = tokens[max(0, place - 2) : place + 3]
            if token.kind is Kind.CALENDAR or (token.kind is Kind.NUMBER and _is_dated(token.family, near)):
                found[token.family] = date_key(token)
    return found


def _is_dated(number: str, near: Sequence[Token]) -> bool:
    day = number[1:].isdigit() and int(number[1:]) <= _LAST_DAY
    return _YEAR.fullmatch(number) is not None or (day and any(token.word in MONTHS for token in near))
