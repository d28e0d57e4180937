"""What a memory is about, found by rules when it is written: type, subject, whose it is, how much it matters.

No model and no network. A subject is named only where a pattern is clear about it; the rest is left to the
nearest centroid. One subject has one type, in whatever words it is told, so that it ends in one cluster. What names a
subject, and what a statement tells without one, stands in ``en/themes.toml`` and ``en/labels.toml``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from precis.language import tables
from precis.language.chitchat import GREETINGS, is_aside, is_greeting, is_reply
from precis.language.dates import MONTH_NAMES, WEEKDAYS
from precis.language.sentences import asks
from precis.language.words import STOP_WORDS, numbers, stem, words
from precis.memory import Extracted


def extract(text: str, *, speaker: str | None) -> Extracted:
    """Find type, subject, person and importance of one text; of its sentences the weightiest decides."""
    best, best_weight, content = _NOTHING, -1.0, set[str]()
    parts = list(_sentences(_without_captions(text)))
    for sentence in parts:
        wording = list(words(sentence))
        content.update(wording)
        reading = _read(sentence, wording)
        weight = _BASE[reading.kind] + min(reading.score, 4) * 0.1 + len(set(wording) - STOP_WORDS) * 0.01
        if weight > best_weight:
            best, best_weight = reading, weight
    if best.theme is None and best.kind not in {"question", "decision"} and is_reply(parts):
        best = _NOTHING
    key = best.theme.key if best.theme else None
    return Extracted(
        type=best.kind,
        key=key,
        person=_person(best, speaker),
        importance=_importance(best.kind, key, text, content),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Theme:
    """What memories can be about."""

    key: str
    #: The type of every memory of this theme.
    type: str
    #: True when it belongs to a team rather than to one person.
    shared: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """What one sentence is taken for."""

    sentence: str
    kind: str
    theme: Theme | None = None
    #: How clearly the theme is named; 0 without one.
    score: int = 0


_NOTHING = _Reading(sentence="", kind="smalltalk")


# --- keys ---

_POSSESSIVE = re.compile(r"['\u2019]s\b")
_PUNCTUATION = re.compile(r"[\W_]+")
_SPELLINGS = (
    (re.compile(r"\buser interface\b"), "ui"),
    (re.compile(r"\be mails?\b"), "email"),
    (re.compile(r"\b(colo|favo|neighbo|harbo)ur"), r"\1r"),
)


def normalize_key(key: str) -> str:
    """Merge the spellings of a subject: "UI-theme", "UI_Themes" and "User Interface theme" are "ui theme"."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", key).casefold())
    plain = _PUNCTUATION.sub(" ", _POSSESSIVE.sub("", folded)).strip()
    for pattern, spelling in _SPELLINGS:
        plain = pattern.sub(spelling, plain)
    first, last = plain[: plain.rfind(" ") + 1], plain[plain.rfind(" ") + 1 :]
    return first + _singular(last) or folded.strip()


def _singular(word: str) -> str:
    """Take the plural off, and nothing else: a key is shown to people, so it stays a word."""
    if len(word) <= 3 or word[-2:] in {"ss", "us", "is"} or word[-1] != "s" or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


# --- one sentence ---

#: What a picture shows, in the words of somebody who was not there: "[shares a photo of a dog]".
_CAPTION = re.compile(r"\[(?:shares|shared|sends|sent|attaches|image|photo|picture)\b[^\[\]]*\]", re.IGNORECASE)
_BREAK = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")


def _without_captions(text: str) -> str:
    """What is said without the captions, unless they are all there is: a dog in a picture is not yet a pet."""
    spoken = _CAPTION.sub(" ", text)
    return spoken if any(map(str.isalnum, spoken)) else text


def _sentences(text: str) -> Iterator[str]:
    return (part for part in _BREAK.split(text) if part and not part.isspace())


def _read(sentence: str, wording: Sequence[str]) -> _Reading:
    if is_greeting(sentence, wording):
        return _Reading(sentence=sentence, kind="smalltalk")
    if asks(sentence):
        return _Reading(sentence=sentence, kind="question")
    theme, score = _theme(sentence, wording)
    kind = theme.type if theme else _kind(sentence, wording)
    return _Reading(sentence=sentence, kind=kind, theme=theme, score=score)


_NAMES = {f"{{{name}}}": tables.choices(f"labels.names.{name}") for name in tables.section("labels.names")}


def _kind_pattern(kind: str) -> re.Pattern[str]:
    alternatives = tables.choices(f"labels.kinds.{kind}")
    for name, meaning in _NAMES.items():
        alternatives = alternatives.replace(name, meaning)
    return re.compile(alternatives)


#: Tried in order; the first that occurs decides.
_KINDS = {kind: _kind_pattern(kind) for kind in tables.section("labels.kinds")}


def _kind(sentence: str, wording: Sequence[str]) -> str:
    """Name what a statement without a known theme tells; a fact when no rule says otherwise."""
    plain = sentence.replace("\u2019", "'").lower()
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.search(plain)), "fact")
    return "smalltalk" if kind == "fact" and is_aside(sentence, wording) else kind


# --- the theme ---

_ROWS: Mapping[str, Mapping[str, Any]] = tables.entry("themes")
#: In the order of the table: where two weigh the same, the first wins.
THEMES = tuple(Theme(key=key, type=row["type"], shared=row.get("shared", False)) for key, row in _ROWS.items())


def _index() -> dict[str, list[tuple[tuple[str, ...], int, int]]]:
    """First stem of a phrase to (stems of the phrase, place of the theme, weight)."""
    entries: dict[str, dict[tuple[tuple[str, ...], int], int]] = {}
    for place, (key, row) in enumerate(_ROWS.items()):
        for strength, weight in (("strong", 2), ("weak", 1)):
            for written in tables.phrases(f"themes.{key}.{strength}") if strength in row else ():
                phrase = tuple(stem(word) for word in words(written))
                entries.setdefault(phrase[0], {}).setdefault((phrase, place), weight)
    return {
        first: [(phrase, place, weight) for (phrase, place), weight in weights.items()]
        for first, weights in entries.items()
    }


_PHRASES = _index()
#: What makes a plain mention of a thing a statement of how somebody has it.
_STATES = re.compile(rf"\b(?:{tables.choices('labels.states')})\b")
_FAVORITE = re.compile(
    r"\b(?:favou?rite|preferred|go-to)\s+([\w-]+(?:\s[\w-]+){0,2}?)"
    r"\s+(?:is|are|was|were|has|remains|used to|these|now|at)\b",
    re.IGNORECASE,
)
_POSSESSOR = r"(?:\b(?:[Mm]y|[Oo]ur)|(?!(?:That|It|What|Here|There|He|She|Let|Who|Where)\b)\b[A-Z]\w+['\u2019]s)\s+"
_ATTRIBUTE = re.compile(rf"{_POSSESSOR}((?:[\w-]+\s){{0,2}}(?:{tables.choices('labels.attributes')}))s?\b")
_RESET = re.compile(
    _POSSESSOR + r"([\w-]+(?:\s[\w-]+)?)\s+(?:is now|are now|is no longer|changed (?:to|from)|went from)\b",
)
_OPEN_THEMES = ((_FAVORITE, "preference"), (_ATTRIBUTE, "fact"), (_RESET, "fact"))
#: Nouns that name no theme by themselves.
_VAGUE = frozenset(tables.words("labels.vague"))


def _theme(sentence: str, wording: Sequence[str]) -> tuple[Theme | None, int]:
    """Name the theme and how clearly it is named."""
    known = _known_theme(sentence, wording)
    if known[0]:
        return known
    for pattern, kind in _OPEN_THEMES:
        match = pattern.search(sentence)
        key = normalize_key(match.group(1)) if match else ""
        if key and key.split()[-1] not in _VAGUE and STOP_WORDS.isdisjoint(key.split()):
            return Theme(key=key, type=kind), 2
    return None, 0


def _known_theme(sentence: str, wording: Sequence[str]) -> tuple[Theme | None, int]:
    """Pick the theme whose phrases weigh most; a weak mention counts only where something is stated."""
    stems = [stem(word) for word in wording]
    scores: dict[int, int] = {}
    for start, word in enumerate(stems):
        for phrase, place, weight in _PHRASES.get(word, ()):
            if tuple(stems[start : start + len(phrase)]) == phrase:
                scores[place] = scores.get(place, 0) + weight
    if not scores:
        return None, 0
    place = min(scores, key=lambda place: (-scores[place], place))
    if scores[place] < 2 and not _STATES.search(sentence.replace("\u2019", "'").lower()):
        return None, 0
    return THEMES[place], scores[place]


# --- the person ---

_FIRST = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)\b")
_SECOND = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_FIRST_PLURAL = re.compile(r"\b(?:we|our|us|ours)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bnear )\b([A-Z][^\W\d_]+)"
    r"(?:['\u2019]s\s+(?!(?:go|see|talk|say|use|start|not|been|got)\b)[a-z]"
    rf"|\s+(?:(?:also|now|still|really|just|always|never) )?(?:{tables.choices('labels.does')})\b)"
)
_OWNED = re.compile(r"\b([A-Z][^\W\d_]+)['\u2019]s\s+([\w-]+(?:\s[\w-]+){0,2})")
_NO_PERSON = frozenset((*tables.words("labels.no_person"), *WEEKDAYS, *MONTH_NAMES.values()))


def _person(reading: _Reading, speaker: str | None) -> str | None:
    """Whose the theme is, else the earliest of the first person and a named one.

    What belongs to a team, or to whomever "you" is, is about nobody in particular.
    """
    sentence, theme = reading.sentence, reading.theme
    if theme.shared if theme else reading.kind == "decision":
        return None
    owner = _owner(sentence, theme) if theme and "s " in sentence else None
    if owner:
        return owner
    first = _FIRST.search(sentence)
    named = next((m for m in _NAMED.finditer(sentence) if _is_name(m.group(1))), None)
    if named and (first is None or named.start() < first.start()):
        return named.group(1)
    if first or _FIRST_PLURAL.search(sentence):
        return speaker
    #: "Back from the clinic." leaves the I out, as one does about oneself.
    return speaker if theme and not _SECOND.search(sentence) else None


def _is_name(word: str) -> bool:
    return word.casefold() not in _NO_PERSON and stem(word.casefold()) not in _PHRASES


def _owner(sentence: str, theme: Theme) -> str | None:
    """Find the name in "Alice's email cadence", also where somebody else says "I moved" it."""
    for match in _OWNED.finditer(sentence):
        if not _is_name(match.group(1)):
            continue
        owned = [stem(word) for word in words(match.group(2))]
        if theme.key in normalize_key(match.group(2)) or any(
            THEMES[place].key == theme.key for word in owned for _, place, _ in _PHRASES.get(word, ())
        ):
            return match.group(1)
    return None


# --- the importance ---

_BASE = {
    "smalltalk": 0.05,
    "question": 0.2,
    "opinion": 0.35,
    "event": 0.45,
    "fact": 0.45,
    "preference": 0.5,
    "plan": 0.5,
    "relationship": 0.5,
    "decision": 0.6,
}


_INNER_CAPITAL = re.compile(r"(?<=[\w,;] )[A-Z]\w+")


def _importance(kind: str, key: str | None, text: str, wording: AbstractSet[str]) -> float:
    """Type first, then what can be looked up later: a subject, figures, names, and how much is said."""
    if kind == "smalltalk":
        return _BASE[kind]
    content = sum(word not in STOP_WORDS and word not in GREETINGS for word in wording)
    figures = min(len(numbers(text)), 2) * 0.04
    named = min(len(_INNER_CAPITAL.findall(text)), 2) * 0.04
    return round(_BASE[kind] + (0.1 if key else 0.0) + figures + named + min(content, 20) * 0.0125, 3)
