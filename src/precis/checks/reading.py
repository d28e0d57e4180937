"""How the checks read a text: sentences of tokens that know their kind, their family and whether they are denied."""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from precis import patterns as re
from precis.language.dates import MONTHS, WEEKDAYS
from precis.language.sentences import is_question, sentences
from precis.language.values import NUMBER, SIGN, is_scale, keys_of, scaled, unit_of
from precis.language.vocabulary import FAMILIES, IDIOMS, MODALS, NEGATORS, NUMBER_WORDS, PLAIN, WEAK_NUMBERS
from precis.language.words import MARKS, STOP_WORDS, kept, normal, stem, words


class Kind(IntEnum):
    """What a token is to the checks."""

    STOP = 0
    #: General enough to carry no fact of its own.
    PLAIN = 1
    WORD = 2
    NAME = 3
    NUMBER = 4
    #: A month or a weekday.
    CALENDAR = 5
    #: Opens a sentence with a capital: a name or any other word.
    OPENER = 6


class Token(NamedTuple):
    """One word of a sentence."""

    word: str
    #: Stands for the word's inflections and near relations; ``#2`` for numbers.
    family: str
    kind: Kind
    negated: bool
    modal: bool
    #: What else a number may be: other readings of its digits, and without the scale behind it (``#~``).
    also: tuple[str, ...] = ()
    #: What a number counts in; more than one where its word may mean several.
    unit: frozenset[str] = frozenset()
    #: Families of the content words right behind a number: what it may count.
    heads: frozenset[str] = frozenset()


class Sentence(NamedTuple):
    """Tokens in order, without punctuation."""

    tokens: tuple[Token, ...]
    question: bool

    @property
    def content(self) -> list[Token]:
        """The tokens that are not function words."""
        return [token for token in self.tokens if token.kind]


_LETTERS = rf"[^\W\d_]+(?:[{MARKS}]+[^\W\d_]*)*"
_TOKEN = re.compile(
    rf"(?:(?P<sign>{SIGN}) ?)?(?:(?P<number>(?>{NUMBER}))(?:st|nd|rd|th|s)?(?![^\W_])|(?P<digits>(?>{NUMBER})))"
    rf"(?: ?(?P<behind>%|{SIGN}(?! ?\d)))?"
    rf"|(?P<word>{_LETTERS}(?:'{_LETTERS})?)"
    r"|(?P<stop>[.!?;:,()\u2014\u3002\uff01\uff1f\"]|\s-\s)"
)
#: What is left of "he's" and "didn't" where a tokenizer has been before.
_CLITICS = frozenset({"s", "t", "d", "m", "ll", "re", "ve", "n't", "'s"})
_BREAKERS = frozenset({"but", "however", "although", "though", "because", "while", "whereas", "so", "since"})
_IDIOM = re.compile("|".join(rf"\b{re.escape(phrase)}\b" for phrase in IDIOMS))
#: From here on the Unicode table has the scripts that write without spaces.
_UNSPACED = "\u0e00"
#: How far a denial or a "might" reaches forward at most: a function word counts one, any other two.
_REACH = 12
#: A sentence of more characters is not kept.
_KEPT = 1_000
#: Words behind a number among which the thing is that it counts.
_COUNTED = 3


def family_of(word: str) -> str:
    """The key a lower-cased word is compared by: of ``went``, ``go``; of ``two``, ``#2``."""
    word = word.removesuffix("'s")
    if word in NUMBER_WORDS:
        return "#" + NUMBER_WORDS[word]
    root = stem(word)
    return FAMILIES.get(root, root)


def read(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text."""
    return tuple(sentence for _, sentence in read_in_place(text))


def read_in_place(text: str) -> tuple[tuple[int, Sentence], ...]:
    """The same, each with its place among all sentences: one without a word is left out."""
    read_sentences = enumerate(map(_read_one, sentences(normal(text))))
    return tuple((at, sentence) for at, sentence in read_sentences if sentence.tokens)


class _Scope:
    """Follows how far the last denial and the last modal reach."""

    def __init__(self, idioms: list[tuple[int, int]]) -> None:
        self._idioms = idioms
        self._negated = 0
        self._modal = 0
        self._fresh = False

    def close(self) -> None:
        self._negated = self._modal = 0

    def step(self, word: str, at: int) -> tuple[bool, bool]:
        """Whether the word at this place is denied, and whether it is only possible."""
        if word in _BREAKERS:
            self.close()
        flags = self._negated > 0, self._modal > 0
        cost = 1 if word in STOP_WORDS else 2
        self._negated, self._modal = max(0, self._negated - cost), max(0, self._modal - cost)
        if not word and self._fresh:
            self.close()  # "no 1" is a rank
        self._fresh = word in NEGATORS
        if word in NEGATORS and not any(start <= at < end for start, end in self._idioms):
            self._negated = _REACH
        if word in MODALS:
            self._modal = _REACH
        return flags


def _read_one(text: str) -> Sentence:
    return _read_once(text) if len(text) <= _KEPT else _read_sentence(text)


@kept
def _read_once(text: str) -> Sentence:
    """A refresh reads anew what the one before read, but for what came in between."""
    return _read_sentence(text)


def _read_sentence(text: str) -> Sentence:
    lowered = text.lower()
    scope = _Scope([match.span() for match in _IDIOM.finditer(lowered)] if "n" in lowered else [])
    tokens: list[Token] = []
    opening = True
    for match in _TOKEN.finditer(text):
        group = match.lastgroup
        if group == "stop":
            scope.close()
            opening = opening or match.group() in ':"'
            if match.group() == ":" and tokens and tokens[-1].kind is Kind.STOP:
                tokens[-1] = _as_label(tokens[-1], text[: match.start()])
            continue
        if group == "word":
            tokens += _word_tokens(match.group(), scope, match.start(), opening=opening)
        else:
            tokens.append(_number_token(match, scope))
        opening = False
    return Sentence(tuple(measured(tokens)), is_question(text))


def _as_label(token: Token, before: str) -> Token:
    """A name before a colon: "Will: Finished at two." is said by Will, and not still to be done."""
    return token._replace(word=f"{token.word}:") if before.rsplit(maxsplit=1)[-1].istitle() else token


def _number_token(match: re.Match[str], scope: _Scope) -> Token:
    digits = match["number"] or match["digits"]
    first, *others = keys_of(digits)
    unit = unit_of(match["sign"] or match["behind"] or "")
    return Token(digits, first, Kind.NUMBER, *scope.step("", 0), also=tuple(others), unit=unit)


def measured(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens, each number with the scale and the unit that stand behind it."""
    for place, token in enumerate(tokens):
        if token.kind is not Kind.NUMBER:
            yield token
            continue
        behind = [after.word for after in tokens[place + 1 : place + 4]]
        if behind and is_scale(behind[0]):
            bare = tuple(f"#~{key[1:]}" for key in (token.family, *token.also))
            token = token._replace(family=scaled(token.family, behind[0]), also=bare)  # noqa: PLW2901 - same number
            del behind[0]
        unit = token.unit or (_unit_in(behind) if behind else token.unit)
        heads = frozenset(after.family for after in tokens[place + 1 : place + 1 + _COUNTED] if after.kind)
        yield token._replace(unit=unit, heads=heads)


def _unit_in(behind: Sequence[str]) -> frozenset[str]:
    return unit_of("%") if behind[:2] == ["per", "cent"] else unit_of(behind[0])


def _word_tokens(word: str, scope: _Scope, at: int, *, opening: bool) -> list[Token]:
    """One token; several for a run of a script without spaces."""
    lowered = word.casefold()
    if word[0] >= _UNSPACED:
        return [
            Token(part, family_of(part), _kind(part, part, opening=True), *scope.step(part, at)) for part in words(word)
        ]
    kind = _kind(word, lowered, opening=opening)
    return [Token(lowered, family_of(lowered), kind, *scope.step("day" if kind is Kind.CALENDAR else lowered, at))]


def _kind(word: str, lowered: str, *, opening: bool) -> Kind:
    if lowered in STOP_WORDS or lowered in NEGATORS or lowered in _CLITICS:
        return Kind.STOP
    if lowered in NUMBER_WORDS:
        return Kind.PLAIN if lowered in WEAK_NUMBERS else Kind.NUMBER
    capital = word[0].isupper()
    if (lowered in MONTHS or lowered in WEEKDAYS) and (capital or len(lowered) > 4):
        return Kind.CALENDAR
    if capital and (not opening or (len(word) > 1 and word.isupper())):
        return Kind.NAME
    if stem(lowered) in PLAIN:
        return Kind.PLAIN
    return Kind.OPENER if capital else Kind.WORD
