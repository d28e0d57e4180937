"""How a text shows that it takes back what its speaker said before, and its values that may be put right. Pure.

By what it opens on, ends with or denies; by its times, dates, weekdays, numbers and names.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import KIND, MOOD
from precis.language.dates import A_MONTH, A_MONTH_OR_SHORT, MONTHS, MONTHS_ELSEWHERE, NUMBERS, WEEKDAYS
from precis.language.dating.tense import Tense, tense_of
from precis.language.script import is_foreign, is_frequent, is_grammar
from precis.language.sentences import is_question
from precis.language.values import typed, unit_of
from precis.language.vocabulary import PLAIN
from precis.language.words import STOP_WORDS, content, kept_where_short, stem, words

#: Words that stand beside a value and say nothing else.
BESIDE = frozenset(word for listed in tables.section("corrections.beside").values() for word in listed.split())
_DAYS = "|".join(
    day
    for name in tables.section("corrections.beside")
    for day in (WEEKDAYS if name == "English" else tables.entry(f"elsewhere.{name}.weekdays").split())
)
#: A word of fewer letters is mostly grammar where words are set apart; one of these tells nothing by itself.
_SHORTEST, _GENERAL = 3, PLAIN | KIND | MOOD
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
#: Words of days and months; and of numbers as well: two sentences that share one are not about one thing for that.
DAYS = frozenset(_WEEKDAY) | frozenset(MONTHS) | frozenset(WEEKDAYS)
TIMES = DAYS | frozenset(NUMBERS)
_FIGURE = re.compile(rf"\w*\d[\d.,:]*|\b(?:{'|'.join((*NUMBERS, *WEEKDAYS))})\b", re.IGNORECASE)


#: A month by itself, behind a word that says it is one: "to mid July", "the end of May".
_A_MONTH = re.compile(rf"\b(?:in|to|of|until|till|by|from|for|mid|early|late)[ -](?P<month>{A_MONTH})\b", re.IGNORECASE)


def figures_of(sentence: str) -> dict[str, frozenset[str]]:
    """Its figures by what they count, and its days of the week in whatever language."""
    figures = {kind: values for kind, values in typed(sentence).items() if kind != "amount"}
    days = frozenset(_WEEKDAY[word] for word in words(sentence) if word in _WEEKDAY)
    return figures | ({"weekday": days} if days and "weekday" not in figures else {})


def months_of(sentence: str) -> dict[str, frozenset[str]]:
    """The months that it names where it names no day of them."""
    return {"date": frozenset(match["month"].casefold() for match in _A_MONTH.finditer(sentence))}


@kept_where_short
def is_present(sentence: str) -> bool:
    """Whether one of its figures is of what is or will be: only the verbs of English are known."""
    if is_foreign(sentence):
        return False
    places = [match.span() for match in _FIGURE.finditer(sentence)] or [(len(sentence), len(sentence))]
    return any(tense_of(sentence, *place) is not Tense.PAST for place in places)


def _any_of(*names: str) -> str:
    return tables.in_every_language(*(f"corrections.{name}" for name in names))


_BEHIND = r"(?!\w)[\s,.:;!\u2026\u2013\u2014-]*"
_UNSPACED, _EXCUSES_UNSPACED = (
    "|".join(tables.section(f"corrections.{name}").values()) for name in ("unspaced", "unspaced_excuses")
)


def opening(*names: str, unspaced: str = "") -> re.Pattern[str]:
    """What a text may open on, as these lists of phrases have it, with cries before and between."""
    cries = rf"(?:{tables.choices('corrections.interjections.all')}){_BEHIND}"
    signs = rf"(?:{_any_of(*names)}){_BEHIND}"
    spaced = rf"(?:{cries})*{signs}(?:{signs}|{cries})*"
    return re.compile(rf"^\W*(?:{spaced}{f'|(?:{unspaced})' if unspaced else ''})", re.IGNORECASE)


def said_anywhere(*names: str) -> re.Pattern[str]:
    """Any phrase of these lists, wherever it stands."""
    return re.compile(tables.whole(_any_of(*names)), re.IGNORECASE)


#: What a correction opens with, and what it may end with.
OPENS = opening("meant", "stops", "weak", "excuses", unspaced=f"{_UNSPACED}|{_EXCUSES_UNSPACED}")
_EXCUSES, _FILLS = opening("excuses", unspaced=_EXCUSES_UNSPACED), opening("fills", "weak")
_STOPS_UNSPACED = re.compile(rf"\W*(?:{_UNSPACED})")
_EXPLAINS = opening("explains")
ENDS = re.compile(rf"[\s,;\u2013\u2014-]+(?:{_any_of('meant', 'stops', 'mistaken')}|sorry)\W*$", re.IGNORECASE)
#: That something else was meant; the same, or that what was said is stopped; that somebody was mistaken.
MEANT, SURE, _MISTAKEN = (
    said_anywhere(*names) for names in (("meant",), ("meant", "stops", "mistaken"), ("mistaken",))
)
_DENIED = tables.choices("corrections.denied.all")
_JOINTS = "|".join(map(re.escape, tables.phrases("corrections.lists.all")))
_NOT = rf"(?:^|[\s,]+)(?:{_DENIED})\s+(?:(?!(?:{_JOINTS})\b)\w{{1,3}}\s+){{0,2}}"
#: Behind the value: "el 13 no, el 20".
_NO = rf"\s+(?:{_DENIED})(?=\s*(?:[,;.:!\u2013\u2014-]|$))"
_DENIES = re.compile(rf"{_NOT}|\w{_NO}", re.IGNORECASE)
#: Either of the two, in small letters, which takes a quarter of the time.
_ANY_SURE = re.compile(f"{SURE.pattern}|{_DENIES.pattern}", re.MULTILINE)
#: The day of a month in figures.
DAY = re.compile(r"\d{1,2}(?P<ends>st|nd|rd|th)?")
#: Words of a correction that says no more than a value.
_BARE = 3


class Sign(IntEnum):
    """How surely a text takes back what its speaker said before it."""

    NONE = 0
    #: It opens on a word that opens many other things as well, or excuses.
    OPENS = 1
    EXCUSES = 2
    #: It says that something else was meant, or stops what was said.
    SURE = 3
    #: It denies a value of that.
    DENIES = 4


@kept_where_short
def may_correct(text: str) -> bool:
    """Whether it has a sign of a correction at all."""
    return (OPENS.match(text) or ENDS.search(text) or _DENIES.search(text)) is not None


@kept_where_short
def may_surely_correct(text: str) -> bool:
    """Whether it may have a sign that something else was meant, or is denied, behind another text or before one."""
    return _ANY_SURE.search(f"a\n{text}\n".lower()) is not None


def starts_correction(text: str) -> bool:
    """Whether it opens like a correction."""
    return OPENS.match(text) is not None


def only_opens(sentence: str) -> bool:
    """Whether it is no more than the opening of a correction: "Sorry."."""
    match = OPENS.match(sentence)
    return match is not None and not sentence[match.end() :].strip(" .!,")


def says_mistaken(sentence: str) -> bool:
    """Whether it says no more than that its speaker was mistaken: "I mixed them up."."""
    return _MISTAKEN.fullmatch(sentence.strip(" .!,")) is not None


def sign_of(sentence: str, before: str) -> Sign:
    """How surely a sentence takes back something of the one before it. A question asks, and takes back nothing."""
    if is_question(sentence):
        return Sign.NONE
    if _DENIES.search(sentence) and any(denies(value, sentence) for value in values_in(before, opens=True)):
        return Sign.DENIES
    match = OPENS.match(sentence)
    explains, fills = _EXPLAINS.match(sentence), _FILLS.match(sentence)
    if match is None or (explains and explains.end() == match.end() and not has_a_value_for(sentence, before)):
        return Sign.NONE
    stops = (SURE.search(match[0]) or _STOPS_UNSPACED.match(sentence)) and not (fills and fills.end() == match.end())
    if stops or _MISTAKEN.search(sentence):
        return Sign.SURE
    return Sign.EXCUSES if _EXCUSES.match(sentence) else Sign.OPENS


def has_a_value_for(sentence: str, before: str) -> bool:
    """Whether a sentence has a time, a day or a number, and the one before it another of that kind."""
    rest = without_opening(sentence)
    stated = {value.kind: value.text.casefold() for value in values_in(rest, names=False)}
    return any(
        stated.get(other.kind, "") not in ("", other.text.casefold()) for other in values_in(before, names=False)
    )


def is_of_the_same(sentence: str, before: str) -> bool:
    """Whether a sentence has such a value, or a word of the one before it."""
    # The "s" of "it 's" is no word.
    # A small word is enough in "no, el 20", which says nothing else.
    shared = content(without_opening(sentence)) & content(before)
    short = len(without_opening(sentence).split()) <= _BARE
    telling = (word for word in shared if short or not is_grammar(word))
    return has_a_value_for(sentence, before) or any(len(word) > 1 or not word.isascii() for word in telling)


def without_opening(sentence: str) -> str:
    """The sentence without what it opens on as a correction does."""
    match = OPENS.match(sentence)
    return sentence[match.end() :] if match else sentence


def denies(value: Value, text: str) -> bool:
    """Whether a text denies the value; few hold it at all, and an expression for each takes its time."""
    day = DAY.search(value.text) if value.kind == "date" else None
    stated = day[0].removesuffix(day["ends"] or "") if day else value.text.casefold()
    return stated in text.casefold() and denial(value).search(text) is not None


def denial(value: Value) -> re.Pattern[str]:
    """How a value is denied: "not on Wednesdays", "el 13 no", "not Leo's"; a date by its day alone as well."""
    text = re.escape(value.text)
    if value.kind == "name":
        # "No thanks" denies no "Thanks".
        text = f"(?-i:{text})"
    day = DAY.search(value.text) if value.kind == "date" else None
    if day:
        number = re.match(r"\d+", day[0])
        text = rf"{text}|(?<![\w.,]){number[0] if number else ''}(?:st|nd|rd|th|er|\.|\u00ba)?(?![.,]?\d)"
    ends = r"(?:['\u2019]s)?" if value.kind == "name" else ""
    return re.compile(rf"{_NOT}(?:{text}){ends}(?!\w)|(?<![\w.,])(?:{text}){ends}(?!\w){_NO}", re.IGNORECASE)


def terms_of(sentence: str) -> frozenset[str]:
    """The stems of its words that say what it is about: of "on Monday our course moved" course and move."""
    return frozenset(stem(word) for word in words(sentence) if _tells(word))


def _tells(word: str) -> bool:
    term = stem(word)
    short = len(word) < _SHORTEST and word[0] < "\u0e00"
    return not (
        short
        or word[0].isdigit()
        or word in STOP_WORDS
        or word in TIMES
        or is_frequent(word)
        or term in _GENERAL
        or unit_of(word)
    )
