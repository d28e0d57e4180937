"""The values of a text that may be put right, and its figures: times, dates, weekdays, numbers and names. Pure."""

from collections.abc import Iterator
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.dates import A_MONTH_OR_SHORT, MONTHS, MONTHS_ELSEWHERE, NUMBERS, WEEKDAYS
from precis.language.dating.tense import Tense, tense_of
from precis.language.script import is_foreign
from precis.language.values import typed
from precis.language.words import STOP_WORDS, stem, words

#: Words that stand beside a value and say nothing else.
BESIDE = frozenset(word for listed in tables.section("corrections.beside").values() for word in listed.split())
_DAYS = "|".join(
    day
    for name in tables.section("corrections.beside")
    for day in (WEEKDAYS if name == "English" else tables.entry(f"elsewhere.{name}.weekdays").split())
)
_MONTHS = "|".join(month for months in MONTHS_ELSEWHERE.values() for month in months)
_HALF = r"(?:[ap]m\b|[ap]\.m\.)"


def _number_words() -> str:
    listed = tables.section("corrections.numbers")
    words = [*NUMBERS[2:], *(word for text in listed.values() for word in text.split())]
    for name in listed:
        counted = () if name == "English" else tables.entry(f"elsewhere.{name}.numbers").split()
        words += [pair.partition("=")[0] for pair in counted]
    others = frozenset(tables.words("corrections.no_numbers.all")) | set("uma? una? une? uno? ee?n eine[rmn]?".split())
    return "|".join(sorted({*words} - others, key=lambda word: (-len(word), word)))


_NUMBER_WORD = rf"(?:{_number_words()})"
#: Kinds of values in the order in which they are looked for.
_KINDS = {
    "time": rf"(?<![\d.:,])\d{{1,2}}[:h]\d\d(?:\s?{_HALF})?(?!\d)|\b\d{{1,2}}\s?{_HALF}|\bnoon\b|\bmidnight\b",
    "date": rf"\b(?:{A_MONTH_OR_SHORT})\.? \d{{1,2}}(?:st|nd|rd|th)?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|er|\.|\u00ba)?(?: of| de)? (?:{A_MONTH_OR_SHORT}|{_MONTHS})\b",
    "weekday": rf"\b(?:{_DAYS})s?\b(?:-feira)?|{'|'.join(tables.section('corrections.unspaced_weekdays').values())}",
    "number": r"[$\u20ac\u00a3]?(?<![\w.,])\d[\d.,'-]*(?<![.,'-])(?:st|nd|rd|th)?"
    rf"|\b{_NUMBER_WORD}(?:(?:[ -]| y | e | et )?{_NUMBER_WORD})*\b",
}
_VALUES = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()), re.IGNORECASE)
_NAME = re.compile(r"[A-Z\u00c0-\u00de][\w'\u2019-]+(?: [A-Z\u00c0-\u00de][\w'\u2019-]+)*")
_CRY = re.compile(tables.choices("corrections.interjections.all"))
#: Behind a name: "Leo's".
OWNS = re.compile(r"['\u2019]s?$")
#: A word with the article before it: "l'eau".
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")


class Value(NamedTuple):
    """A value in a text."""

    kind: str
    start: int
    end: int
    text: str
    #: What a number counts.
    unit: str


def values_in(text: str, *, opens: bool = False, names: bool = True) -> Iterator[Value]:
    """The values of a text, with names where these are asked for; what a sentence opens on is known as none."""
    taken: list[tuple[int, int]] = []
    for match in _VALUES.finditer(text):
        kind = match.lastgroup or ""
        behind = WORD.match(text, match.end() + 1) if kind == "number" else None
        taken.append(match.span())
        unit = stem(behind[0].casefold()) if behind and behind[0].casefold() not in BESIDE else ""
        yield Value(kind, *match.span(), match[0], unit)
    for match in _NAME.finditer(text if names else ""):
        overlaps = any(start < match.end() and match.start() < end for start, end in taken)
        spoken = any(word in STOP_WORDS or _CRY.fullmatch(word) for word in match[0].casefold().split())
        if not (overlaps or spoken) and (match.start() or opens):
            name = OWNS.sub("", match[0])
            yield Value("name", match.start(), match.start() + len(name), name, "")


# The days, hours and figures of a sentence, and whether they are of what is or will be.
_WEEKDAY = {
    day: f"weekday {at}"
    for name in tables.entry("elsewhere")
    for at, day in enumerate(str(tables.entry(f"elsewhere.{name}").get("weekdays", "")).split())
    if day.isalpha()
}
DAYS_ELSEWHERE = frozenset(_WEEKDAY) | {
    month.casefold() for months in MONTHS_ELSEWHERE.values() for month in months
} - frozenset((*MONTHS, *WEEKDAYS))
#: Words of days, months and numbers: two sentences that share one are not about one thing for that.
TIMES = frozenset(_WEEKDAY) | frozenset(MONTHS) | frozenset(WEEKDAYS) | frozenset(NUMBERS)
_FIGURE = re.compile(rf"\w*\d[\d.,:]*|\b(?:{'|'.join((*NUMBERS, *WEEKDAYS))})\b", re.IGNORECASE)


def figures_of(sentence: str) -> dict[str, frozenset[str]]:
    """Its figures by what they count, and its days of the week in whatever language."""
    figures = {kind: values for kind, values in typed(sentence).items() if kind != "amount"}
    days = frozenset(_WEEKDAY[word] for word in words(sentence) if word in _WEEKDAY)
    return figures | ({"weekday": days} if days and "weekday" not in figures else {})


def is_present(sentence: str) -> bool:
    """Whether one of its figures is of what is or will be: only the verbs of English are known."""
    if is_foreign(sentence):
        return False
    places = [match.span() for match in _FIGURE.finditer(sentence)] or [(len(sentence), len(sentence))]
    return any(tense_of(sentence, *place) is not Tense.PAST for place in places)
