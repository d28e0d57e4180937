"""What is so from now on, in other languages than English, or has one value; of which older sentence that is another.

A guess by the words that both have: it is used for the order of statements, and for the day behind the older one.
"Tom's email is tom@a.org" and "Gate code: 4471" give the one value of something. In a frame all words but the value are
the subject, as no rule reads what such a sentence speaks of: nothing but the same sentence with another value, and a
word like "jetzt" or an attribute that has one value, leaves it out of date. Pure.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.assertions.assertion import Assertion
from precis.language.script import FREQUENT, is_foreign, is_frequent, spoken_in
from precis.language.sentences import is_question
from precis.language.subjects import Subject
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
    if all(_names_somebody(new, newer) and _names_somebody(old, older) for new, old in shared):
        return False
    return not any(_is_somebodys(old, older) and not _is_somebodys(new, newer) for new, old in shared)


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


def _names_somebody(noun: str, sentence: str) -> bool:
    """Whether it has a capital inside a sentence, where nouns have none: what is told of Nico is no value of his."""
    return noun[0].isupper() and not sentence.startswith(noun) and "German" not in spoken_in(sentence)


def _is_somebodys(noun: str, sentence: str) -> bool:
    """Whether another is named as the one whose it is."""
    behind = re.search(rf"(?<!\w){re.escape(noun)}{_OWNER}", sentence) is not None
    owner = _OWNER_BEFORE.search(sentence[: max(0, sentence.find(noun))])
    return behind or (owner is not None and owner[1] not in _SELF)


_STATE, _MEASURES, _HAS, _UNSURE, _SINGLE = (
    frozenset(word for listed in tables.section(f"frames.{name}").values() for word in listed.split())
    for name in ("state", "measures", "has", "unsure", "single")
)
_VERBS = _STATE | _MEASURES | _HAS
#: Verbs of whoever speaks, which may open a sentence: "Vivo en Lima".
_OPENING = frozenset(tables.words("frames.opening"))
_APOSTROPHE = re.compile("['\u2019]")
_WHERE = frozenset(tables.words("frames.where"))
#: With one of these a sentence says what something has one of at a time: its rent, or so much a month.
_ONE = _SINGLE | _MEASURES | frozenset(tables.words("frames.period"))
_ENGLISH = FREQUENT["English"].difference(*(listed for name, listed in FREQUENT.items() if name != "English"))
_NOW = re.compile(rf"(?<![\w-])(?:{tables.choices('frames.now')})(?![\w-])\s*", re.IGNORECASE)
_WEEKDAYS = frozenset(
    day for name in tables.section("frames.state") for day in tables.entry(f"elsewhere.{name}.weekdays").split()
)
_WORD = re.compile(r"[$€£]?\w*\d[\w.,:]*(?<![.,:])|[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*|[%€$£]")
#: Of several words of the past: "ist gefahren", "a payé", "ha pagado", "è stato", "foi pago".
_PARTICIPLE = re.compile(r"ge\w{2,}(?:t|en)|\w+iert|\w{2,}(?:ée?s?|ad[oa]s?|id[oa]s?|at[oaie]|ut[oaie]|it[oaie])")
#: A frame of fewer words, the value among them, says too little to be one.
_FEWEST = 3


#: "Ich wohne in Graz", "Ana se mudó a Lima en mayo": who lives where, and who moved there.
_LIVES, _MOVED, _FAVORITE = (
    [re.compile(pattern) for pattern in tables.section(f"frames.{name}").values()]
    for name in ("lives", "moved", "favorite")
)
#: What is put so without an accent has one of these in it: other sentences of ASCII need not be looked through.
_TELLING = tables.words("frames.telling")
_OWN, _NOT_NAMES = (frozenset(tables.words(f"frames.{name}")) for name in ("own", "no_names"))
_NO_NAMES, _NOT_READ, _LONGEST_NAME = _OWN | _UNSURE | _NOT_NAMES, _UNSURE | _ENGLISH, 3
#: How somebody writes of themselves, and how notes call the user.
_FIRST = frozenset(tables.words("frames.first"))
_USER = frozenset(tables.phrases("frames.user"))


def framed(sentence: str, speaker: tuple[str, ...]) -> Assertion | None:
    """What a sentence of one of these languages says is so, or nothing where that is not certain."""
    return _held(sentence, speaker) or _stated(sentence, speaker)


def _held(sentence: str, speaker: tuple[str, ...]) -> Assertion | None:
    """Where somebody lives, where they moved, and what they like best, however it is put."""
    if sentence.isascii() and not any(map(sentence.lower().__contains__, _TELLING)):
        return None
    bare = _NOW.sub("", sentence).strip(" .!,")
    rows = ((_LIVES, "home", False), (_MOVED, "home", True), (_FAVORITE, "favorite", False))
    for patterns, attribute, moved in rows:
        match = next(filter(None, (pattern.fullmatch(bare) for pattern in patterns)), None)
        key = _whose(match["who"] or "", speaker) if match else None
        if match is None or key is None:
            continue
        thing = match.groupdict().get("thing") or attribute
        value = frozenset(match["value"].casefold().split())
        return Assertion(
            subject=Subject((*key, "\u2026", thing.casefold()), thing=True, bare=False, head=""), speaker=speaker,
            verb="be", part="hold", attributes=frozenset({"value"}), value=value, terms=value, named=True,
            changes=moved or attribute == "favorite" or _NOW.search(sentence) is not None,
        )  # fmt: skip
    return None


def _whose(who: str, speaker: tuple[str, ...]) -> tuple[str, ...] | None:
    """Of whom it is said; None where that is no name: of sisters there may be two."""
    words = who.split()
    low = " ".join(words).casefold()
    if not words or low in _FIRST or low in _USER:
        return ("user",) if low in _USER else speaker
    names = all(word[0].isupper() and word.casefold() not in _NO_NAMES for word in words)
    return tuple(low.split()) if names and len(words) <= _LONGEST_NAME else None


def _stated(sentence: str, speaker: tuple[str, ...]) -> Assertion | None:
    """Whatever else is so, with all words of the sentence but the value for a subject."""
    spaced = sentence if sentence.isascii() and "'" not in sentence else _APOSTROPHE.sub(" ", sentence)
    if _VERBS.isdisjoint(spaced.casefold().split()):
        return None
    wording = _WORD.findall(_NOW.sub("", sentence))
    low = [word.casefold().replace("\u2019", "'") for word in wording]
    verbs = _VERBS.intersection(_parts(wording[1:])) | _OPENING.intersection(_parts(low[:1]))
    if len(verbs) != 1 or not _NOT_READ.isdisjoint(low) or any(map(_PARTICIPLE.fullmatch, _small(wording))):
        return None
    place = _value(wording, low)
    frame = (*low[:place], "\u2026", *low[place + 1 :]) if place is not None else ()
    if place is None or len(frame) < _FEWEST:
        return None
    parts = _parts(low)
    value = frozenset({low[place]})
    return Assertion(
        subject=Subject(frame, thing=True, bare=True, head=""), speaker=speaker, verb="be", part="hold",
        attributes=frozenset({"value"}), value=value, terms=value,
        changes=_NOW.search(sentence) is not None or not _ONE.isdisjoint(parts),
    )  # fmt: skip


def _parts(wording: Sequence[str]) -> set[str]:
    """The words, and what stands behind an apostrophe: "j'habite"."""
    return {part for word in wording for part in (word, word.rpartition("'")[2])}


def _small(wording: Sequence[str]) -> list[str]:
    return [word for word in wording if word.islower() and word not in _VERBS]


def _value(wording: Sequence[str], low: Sequence[str]) -> int | None:
    """Where the value stands, if only one word can be it: a figure, a day of the week, or a name behind "in"."""
    figures = [at for at, word in enumerate(low) if any(map(str.isdigit, word))]
    days = [at for at, word in enumerate(low) if word in _WEEKDAYS]
    names = [
        at
        for at, word in enumerate(wording)
        if at and low[at - 1] in _WHERE and word[0].isupper() and low[at] not in _WEEKDAYS
    ]
    values = figures or days or names
    return values[0] if len(values) == 1 and len(figures) + len(days) <= 1 else None
