"""Values of a clause that can be compared (times, dates, amounts with their unit), and what stands behind a value.

Each kind of value answers one question. Behind it stand other facts, conditions, days, and what is over.

``235,000``, ``235 000``, ``235.000`` and ``235 , 000`` may be one number, and so may ``3,5`` and ``3.5``. Where two
readings are possible a number has both: the sources keep each, and of a statement the one counts that they hold.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from precis import patterns as re
from precis.language import tables
from precis.language.dates import A_MONTH, A_WEEKDAY, NUMBERS, moments_in
from precis.language.grammar import ARTICLES, BE, CONDITIONS, DO, ENDINGS, FORMS, HAVE, OWN, THEIR
from precis.language.tokens import Token, text_of
from precis.language.words import STOP_WORDS, stem, terms

#: A number, also with its thousands apart, or with spaces around its signs where a tokenizer has been over the text.
NUMBER = (
    r"(?<![\d.,])\d{1,3}(?:(?: , |[ '])\d{3})+(?![\d:/])(?:(?:[.,]| [.,] )\d{1,2}(?!\d))?"
    r"|\d+ \. \d+(?![\d.])|\d+(?:[.,:/]\d+)*"
)
#: A currency that stands before its number.
SIGN = r"[$\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20aa\u0e3f\u20ab\u20b1\u20b4\u20a6]"
_APART = re.compile(r"(?<=\d)(?: , | (?=\d)|')(?=\d)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?P<rest>\.\d+)?")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{3})+(?P<rest>,\d+)?")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_PIECE = re.compile(r"[ ',]+")
#: Stems and signs to what they count in. A word that may mean two things has both.
_UNITS = {
    stem(word): frozenset(code.split("/"))
    for code, listed in tables.section("units.of").items()
    for word in listed.split()
}
_USUAL = {stem(word): stem(name) for word, name in tables.section("units.usual").items()}
_NO_UNIT: frozenset[str] = frozenset()
_SCALES = {word: int(zeros) for word, zeros in tables.section("units.scales").items()}
_DIGITS = {word: str(number) for number, word in enumerate(NUMBERS[:13])}
_AMOUNT = re.compile(
    rf"(?P<sign>[$€£¥₹]) ?(?P<signed>\d[\d.,]*)|\b(?P<number>\d[\d.,]*|{'|'.join(_DIGITS)})(?P<gap>[ -]?)"
    r"(?P<unit>[^\W\d_]+|[%€£°])?",
    re.IGNORECASE,
)
_MONEY = frozenset(map(stem, tables.words("numbers.money")))
_NO_UNITS = STOP_WORDS | ENDINGS


def unit_of(word: str) -> frozenset[str]:
    """What a word or sign counts in; nothing where it is no unit."""
    return _UNITS.get(stem(word), _NO_UNIT)


def is_scale(word: str) -> bool:
    """Whether a word behind a number multiplies it: "million"."""
    return word in _SCALES


def scaled(key: str, word: str) -> str:
    """The key of a number with a scale behind it: of ``#1.3`` and "billion", ``#1300000000``."""
    digits = key.removeprefix("#")
    return f"#{_plain(Decimal(digits) * 10 ** _SCALES[word])}" if _is_decimal(digits) else key


@lru_cache(maxsize=16_384)
def keys_of(digits: str) -> tuple[str, ...]:
    """The keys of a number as written, the likeliest first: itself, where it is written as none is ("0,000")."""
    return tuple(dict.fromkeys(f"#{reading}" for reading in _readings(digits))) or (f"#{digits}",)


def _readings(digits: str) -> Iterable[str]:
    together = digits if digits.isdigit() else _APART.sub(",", digits).replace(" ", "")
    thousands, dotted = _THOUSANDS.fullmatch(together), _DOTTED.fullmatch(together)
    if together.isdigit():
        yield together.lstrip("0") or "0"
    elif thousands and together[0] != "0":
        yield _plain(Decimal(together.replace(",", "")))
    if _DECIMAL.fullmatch(together) and not (together.endswith("000") or (thousands and " " in digits)):
        yield _plain(Decimal(together.replace(",", ".")))
    if dotted and together[0] != "0":
        yield _plain(Decimal(together.replace(".", "").replace(",", ".")))
    elif not thousands and not _is_decimal(together.replace(",", ".")):
        yield together
    pieces = _PIECE.split(digits)
    if " " in digits and all(piece.isdigit() and piece[0] != "0" for piece in pieces):
        yield from pieces


def _is_decimal(digits: str) -> bool:
    return digits.replace(".", "", 1).isdigit()


def _plain(value: Decimal) -> str:
    """Without zeros that say nothing: ``2.50`` is ``2.5``."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def typed(text: str) -> dict[str, frozenset[str]]:
    """Values by the kind of answer they give, each in a form that can be compared."""
    collected, rest = moments_in(text)
    for match in _AMOUNT.finditer(rest):
        kind, value = _amount(match)
        collected.setdefault(kind, set()).add(value)
    return {kind: frozenset(values) for kind, values in collected.items()}


def _amount(match: re.Match[str]) -> tuple[str, str]:
    if match["sign"]:
        return "money", _in_currency(match["signed"].rstrip(".,").replace(",", ""), match["sign"])
    number = match["number"].lower().rstrip(".,").replace(",", "")
    word = (match["unit"] or "").casefold()
    number, unit = _DIGITS.get(number, number), "" if word in _NO_UNITS else stem(word)  # "1,200 a month"
    if unit in _MONEY or unit in {"€", "£"}:
        return "money", _in_currency(number, unit)
    return f"amount {usual_unit(unit)}".strip(), number


def usual_unit(unit: str) -> str:
    """The stem of a unit under the name it mostly has: kilos are kilograms."""
    return _USUAL.get(unit, unit)


def _in_currency(number: str, unit: str) -> str:
    """The number with its currency: 950 dollars are not 950 euros, and answer the same question."""
    return " ".join([number, *sorted(unit_of(unit))])


# --- what stands before and behind a value ---

#: Words of which a day, a time of day or a span of time is made.
_TIME_WORDS = re.compile(
    rf"(?:(?:{A_WEEKDAY}|{A_MONTH}|{tables.choices('cues.time')}|\d{{1,2}}(?:st|nd|rd|th)?|(?:19|20)\d\d)\s*)+",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(rf"\b(?:19|20)\d\d\b|\b(?:{A_MONTH})\b", re.IGNORECASE)
_WHEN = frozenset("yesterday today tomorrow tonight ago last this next".split())
#: Before the time since which something holds ("from June" may be to come), and before one at which it happened.
_FROM, _AT = frozenset("as since".split()), frozenset("in on by".split())
_POINTING, _VERBS = ARTICLES | OWN | THEIR, FORMS.keys() | BE | HAVE | DO
_OPENING = THEIR | {"a", "an", "the", "my", "our"}
_HABIT = re.compile(
    rf"\b(?:{A_WEEKDAY})s\b|(?<!\bthis )(?<!\blast )(?<!\bnext )\b(?:{tables.choices('cues.habit')})\b", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tail:
    """What stands behind a value."""

    extra: frozenset[str] = frozenset()
    condition: frozenset[str] = frozenset()
    ended: frozenset[str] = frozenset()
    dated: bool = False
    #: Says since when it is so: "since May", "since the move".
    since: bool = False


def opening_time(words: Sequence[Token]) -> tuple[bool, list[Token]]:
    """Whether a clause opens with the day from which on it holds ("As of March, ..."), and the words without a time."""
    first = [word.low for word in words[:2]]
    skip = 2 if first == ["as", "of"] else 1 if first[:1] and (first[0] in _FROM or first[0] in _AT) else 0
    end = skip
    while skip and end < len(words) and _TIME_WORDS.fullmatch(words[end].text):
        end += 1
    if not skip or end == skip or end == len(words):
        return False, list(words)
    end += words[end].low in {"on", "onwards", "onward"}
    end += end < len(words) and words[end].low == ","
    return first[0] not in _AT, list(words[end:])


def opener_and_rest(words: Sequence[Token]) -> tuple[frozenset[str], list[Token]]:
    """The condition that opens a clause ("At the Ghent office, ..."), and the words behind it."""
    commas = [place for place, word in enumerate(words[:7]) if word.low == ","]
    if not commas:
        start = next((at for at, word in enumerate(words) if word.low not in _WHEN and word.low not in ",:-"), 0)
        return frozenset(), list(words[start:])
    opener, rest = words[: commas[0]], list(words[commas[0] + 1 :])
    wording = text_of([word for word in opener if word.low not in STOP_WORDS])
    return (frozenset(terms(wording)) if wording and not _TIME_WORDS.fullmatch(wording) else frozenset()), rest


def value_and_tail(words: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """The value that opens these words, and the tail."""
    for place, word in enumerate(words):
        if word.small and (word.low in ENDINGS or word.low in ",;:-\u2013\u2014"):
            return list(words[:place]), list(words[place:])
        if word.low in _WHEN and word.small:
            return list(words[:place]), list(words[place:])
    return list(words), []


def tail_of(words: Sequence[Token]) -> Tail:
    """What stands behind a value, sorted by what it says."""
    extra: set[str] = set()
    condition: set[str] = set()
    ended: set[str] = set()
    dated = since = False
    for before, segment in _segments(words):
        wording = text_of(segment)
        telling = " ".join(word.text for word in segment if word.low not in STOP_WORDS)
        if before in {"during", "throughout"}:
            condition |= set(terms(telling)) or {before}
        elif before == "since" and _is_since(wording, segment):
            since = True
        elif _TIME_WORDS.fullmatch(wording) and not _HABIT.search(wording):
            dated = dated or (before not in {"since", "from"} and _ABSOLUTE.search(wording) is not None)
        elif before in {"from", "rather", "not"}:
            ended |= set(terms(telling))
        elif before in CONDITIONS or _HABIT.search(wording):
            condition |= set(terms(telling)) or {before}
        else:
            # "without parking" is not what "with parking" is
            extra |= {f"{before} {term}" if before == "without" else term for term in terms(telling)}
    return Tail(
        extra=frozenset(extra), condition=frozenset(condition), ended=frozenset(ended), dated=dated, since=since
    )


def _is_since(wording: str, segment: Sequence[Token]) -> bool:
    """Whether it is so since then, and was otherwise before: "since May", "since the move", not "since 2019"."""
    if _TIME_WORDS.fullmatch(wording):
        return _HABIT.search(wording) is None and not wording.isdigit()
    return bool(segment) and segment[0].low in _POINTING and _VERBS.isdisjoint(word.low for word in segment)


def _segments(words: Sequence[Token]) -> list[tuple[str, list[Token]]]:
    """The tail cut before each preposition and conjunction."""
    result: list[tuple[str, list[Token]]] = []
    for word in words:
        if word.small and (word.low in ENDINGS or word.low == "not"):
            result.append((word.low, []))
        elif word.low not in ",;:-\u2013\u2014":
            if not result:
                result.append(("", []))
            result[-1][1].append(word)
    return result


def is_any(words: Sequence[Token]) -> bool:
    """Whether it is one of several: there may be another."""
    return bool(words) and words[0].low in {"a", "an", "some", "one"}


def is_for_a_while(words: Sequence[Token]) -> bool:
    """Whether something ended "for Lent", and not "for good"."""
    places = [at for at, word in enumerate(words) if word.low == "for"]
    return any(word.low not in {"good", "ever"} for at in places for word in words[at + 1 : at + 2])


def bare_value(words: Sequence[Token]) -> Sequence[Token]:
    """Without the article or owner that opens it."""
    return words[1:] if words and words[0].low in _OPENING else words
