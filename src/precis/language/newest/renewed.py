"""What is so from now on, in other languages than English, or has one value; of which older sentence that is another.

A guess by the words that both have: it is used for the order of statements, and for the day behind the older one.
"Tom's email is tom@a.org" and "Gate code: 4471" give the one value of something. Pure.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.script import is_foreign, is_frequent
from precis.language.sentences import is_question
from precis.language.words import MARKS, STOP_WORDS, normal, stem, words

_IS = rf"(?:\s(?:{tables.choices('single.is')})\s|\s?[:=\uff1a]\s?|\s[\u2013\u2014-]\s)"
_SPACED = re.compile(
    rf"(?P<what>[^:=\uff1a]{{3,60}}?){_IS}(?:{tables.choices('single.now')}\s)?(?P<value>.{{1,60}})", re.IGNORECASE
)
_REACHED = re.compile(
    rf"(?P<what>.*\b(?:{tables.choices('single.reached')})\b.{{0,30}}) (?:at|on|under) (?P<value>\S.{{1,40}})",
    re.IGNORECASE,
)
#: Of Chinese, Japanese and Korean.
_UNSPACED = (
    re.compile(
        r"(?P<what>[^\u662f\u3001\uff0c]{2,20}?)(?:\u73b0\u5728|\u73fe\u5728)?(?:\u662f|\u6539\u4e3a|\u6539\u70ba)"
        r"(?P<value>.{1,30})"
    ),
    re.compile(
        r"(?P<what>[^\u306f\u3001]{2,20}?)\u306f(?P<value>.{1,30}?)"
        r"(?:\u3067\u3059|\u3060|\u306b\u306a\u308a\u307e\u3057\u305f)?"
    ),
    re.compile(
        r"(?P<what>.{2,20}?)(?:\uc740|\ub294) (?P<value>.{1,30}?)"
        r"(?:\uc785\ub2c8\ub2e4|\uc774\uc5d0\uc694|\uc608\uc694|\uc774\uc57c|\uc57c|\ub2e4)?"
    ),
)
#: A value is looked up: it has a figure, a sign of an address, or a name.
_VALUE = re.compile(r"[\d@]|(?<!\w)[^\W\d_a-z]")
#: A number of a telephone is one value.
_PAIRS = re.compile(r"(?<=\d) (?=\d)")
_ENDS = " .!\u3002\uff01\uff0e,;"
#: More words tell a story.
_LONGEST = 5
_TIMES = frozenset(tables.words("chitchat.times"))
#: What has several values at a time, or another one each time.
_SEVERAL = re.compile(rf"\b(?:{tables.choices('single.several')})\b", re.IGNORECASE)


class Single(NamedTuple):
    """What has one value, by the stems of its words, and the value."""

    what: tuple[str, ...]
    value: str


def single_in(sentence: str) -> Single | None:
    """What a sentence gives the one value of, and that; None where it tells something else."""
    bare = normal(sentence).strip(_ENDS)
    for pattern in (_SPACED, _REACHED, *_UNSPACED):
        match = pattern.fullmatch(bare)
        if match and _VALUE.search(match["value"]) and len(_PAIRS.sub("", match["value"]).split()) <= _LONGEST:
            named = [word for word in words(match["what"]) if word not in STOP_WORDS]
            if named and _TIMES.isdisjoint(named) and not _SEVERAL.search(match["what"]):
                return Single(tuple(map(stem, named)), " ".join(match["value"].casefold().split()))
    return None


def _any_of(place: str) -> str:
    return tables.in_every_language(f"renewed.{place}")


def _whole(place: str) -> re.Pattern[str]:
    unspaced = _any_of(f"{place}_unspaced")
    return re.compile(rf"(?<![\w{MARKS}-])(?:{_any_of(place)})(?![\w{MARKS}-])|{unspaced}", re.IGNORECASE)


def _of(place: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{_any_of(place)})(?![\w-])", re.IGNORECASE)


#: What says where somebody lives or works, and that they went elsewhere.
_KINDS = [(_of(kind), _of(f"{kind}_left")) for kind in ("home", "work")]
_SINCE, _NEW = _whole("since"), _whole("new")
#: The date behind a relative one, which a summary adds.
_ADDED = re.compile(r" ?\([^()]*\b(?:19|20)\d\d(?:-\d\d-\d\d)?\)")
#: A figure with the spaces and signs inside it, and the word behind it that it is counted in.
_FIGURE = re.compile(r"\d(?:[\d.,:/\u00a0 -]*\d)?")
_COUNTED = re.compile(rf"{_FIGURE.pattern}\s?(?![\u3000-\u9fff])[^\W\d_][\w{MARKS}]*")
#: Letters from which on a word is more than grammar; of ideographs two say what it is, but for those that count.
_LONG = 4
_COUNTS = frozenset("円万千百年月日時分人回目丁歳元块塊今私俺僕前新")
_NOUN = re.compile(r"(?=([\u4e00-\u9fff]{2}|(?<![\u4e00-\u9fff])[\u4e00-\u9fff](?=[\u3040-\u309f])))")
#: Whose it is, right behind a noun ("Телефон Артура", "le numéro de Capucine") or before it in Japanese.
_OWNER = r"\s+(?:(?:de|di|du|do|da|von|van)\s+|d['\u2019])?[^\W\d_a-z\u00df-\u00ff\u0430-\u045f\u0900-\u0dff][^\W\d_]+"
_OWNER_BEFORE = re.compile(r"([\u4e00-\u9fff\u30a0-\u30ff]{2,4})の[\u4e00-\u9fff]{0,3}$")
#: A name inside a sentence, where no noun has a capital.
_INSIDE = re.compile(r"(?<=[^\W\d_A-Z] )[A-Z\u00c0-\u00de\u0400-\u042f][^\W\d_]+")
_SELF = frozenset(word for name in tables.entry("asides") for word in tables.phrases(f"asides.{name}.me"))


def renews(sentence: str) -> bool:
    """Whether it says that something is so from today on, or gives the value of something new."""
    bare = _ADDED.sub("", sentence)
    if not is_foreign(bare) or is_question(bare):
        return False
    return _SINCE.search(bare) is not None or (
        _NEW.search(bare) is not None and (_FIGURE.search(bare) is not None or single_in(bare) is not None)
    )


def outgrown(lines: Sequence[tuple[str, str | None, int]], is_now: Callable[[str], bool]) -> dict[int, int]:
    """For each line that says where who speaks lives or works the newest one that tells that they went elsewhere.

    So does one that says where they live or work now. Lines are (text, speaker, how new).
    """
    newest: dict[int, int] = {}
    for stays, leaves in _KINDS:
        left = {
            at
            for at, (text, *_) in enumerate(lines)
            if (leaves.search(text) or (stays.search(text) and is_now(text))) and not is_question(text)
        }
        older = [at for at, (text, *_) in enumerate(lines) if left and at not in left and stays.search(text)]
        for at in older:
            _, speaker, rank = lines[at]
            later = [other for other in left if lines[other][1] == speaker and lines[other][2] > rank]
            newest |= {at: max(later, key=lambda other: (lines[other][2], other))} if later else {}
    return newest


def replaces(newer: str, older: str, *, now: bool = False) -> bool:
    """Whether a sentence gives another value of what the older one gives it of; ``now`` where it says that itself."""
    return bool(newer and older) and (now or renews(newer)) and another_value(newer, older)


def another_value(newer: str, older: str) -> bool:
    """Whether two sentences have other figures, values or names beside a word that both have and nobody else owns."""
    newer, older = normal(_ADDED.sub("", newer)), normal(_ADDED.sub("", older))
    figures = set(_FIGURE.findall(newer)), set(_FIGURE.findall(older))
    values = single_in(newer), single_in(older)
    differ = all(figures) and figures[0].isdisjoint(figures[1])
    differ = differ or (None not in values and values[0].value != values[1].value)  # type: ignore[union-attr]
    places = set(_INSIDE.findall(newer)), set(_INSIDE.findall(older))
    if not differ and not (all(places) and places[0].isdisjoint(places[1])):
        return False
    nouns = dict(_nouns(newer))
    shared = [(nouns[noun], spelling) for noun, spelling in _nouns(older) if noun in nouns]
    return bool(shared) and not any(_is_somebodys(old, older) and not _is_somebodys(new, newer) for new, old in shared)


def _nouns(sentence: str) -> Iterator[tuple[str, str]]:
    """The words of a sentence that may say what it is about, by their stems, as they are written there."""
    bare = _SINCE.sub(" ", _NEW.sub(" ", _COUNTED.sub(" ", sentence)))
    for word in re.findall(rf"[^\W\d_][\w{MARKS}]*", bare):
        low = word.casefold()
        is_long = len(low) >= _LONG and low[0] < "\u0e00"
        if is_long and not (low in STOP_WORDS or low in _SELF or is_frequent(low)):
            yield stem(low), word
    for noun in _NOUN.findall(bare):
        if _COUNTS.isdisjoint(noun):
            yield noun, noun


def _is_somebodys(noun: str, sentence: str) -> bool:
    """Whether another is named as the one whose it is."""
    behind = re.search(rf"(?<!\w){re.escape(noun)}{_OWNER}", sentence) is not None
    owner = _OWNER_BEFORE.search(sentence[: max(0, sentence.find(noun))])
    return behind or (owner is not None and owner[1] not in _SELF)
