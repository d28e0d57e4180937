"""Numbers as they are written: the keys under which one can be looked up, what it counts in, and a scale behind it.

``235,000``, ``235 000``, ``235.000`` and ``235 , 000`` may be one number, and so may ``3,5`` and ``3.5``. Where two
readings are possible a number has both: the sources keep each, and of a statement the one counts that they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from precis.language import tables
from precis.language.words import stem

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
_NO_UNIT: frozenset[str] = frozenset()
_SCALES = {word: int(zeros) for word, zeros in tables.section("units.scales").items()}


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
    """The keys of a number as written, the likeliest first."""
    return tuple(dict.fromkeys(f"#{reading}" for reading in _readings(digits)))


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
