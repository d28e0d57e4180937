"""How a text shows that it takes back what its speaker said before: by what it opens on, ends with or denies. Pure."""

from collections.abc import Sequence
from enum import IntEnum

from precis import patterns as re
from precis.language import tables
from precis.language.newest.stated import Value, values_in
from precis.language.script import is_grammar
from precis.language.sentences import is_question
from precis.language.words import content, kept_where_short


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
    return any(sign.search(text) for sign in (OPENS, ENDS, _DENIES))


def any_surely_corrects(texts: Sequence[str]) -> bool:
    """Whether any of them may have a sign that something else was meant, or is denied."""
    return _ANY_SURE.search("\n".join(texts).lower()) is not None


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
