"""Sentences of other languages that say the same but for one value: what is so, and with which words around it.

No rule reads what such a sentence speaks of. All of its words but the value are the subject, so that nothing but the
same sentence with another value, and a word like "jetzt" or an attribute that has one value, leaves it out of date.
"""

import re
from collections.abc import Sequence

from precis.language import tables
from precis.language.assertions.assertion import Assertion
from precis.language.script import FREQUENT
from precis.language.subjects import Subject

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
_LONGEST_NAME = 3
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
    names = all(word[0].isupper() and word.casefold() not in _OWN | _UNSURE | _NOT_NAMES for word in words)
    return tuple(low.split()) if names and len(words) <= _LONGEST_NAME else None


def _stated(sentence: str, speaker: tuple[str, ...]) -> Assertion | None:
    """Whatever else is so, with all words of the sentence but the value for a subject."""
    spaced = sentence if sentence.isascii() and "'" not in sentence else _APOSTROPHE.sub(" ", sentence)
    if _VERBS.isdisjoint(spaced.casefold().split()):
        return None
    wording = _WORD.findall(_NOW.sub("", sentence))
    low = [word.casefold().replace("\u2019", "'") for word in wording]
    verbs = _VERBS.intersection(_parts(wording[1:])) | _OPENING.intersection(_parts(low[:1]))
    if len(verbs) != 1 or not (_UNSURE | _ENGLISH).isdisjoint(low) or any(map(_PARTICIPLE.fullmatch, _small(wording))):
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
