"""What tells something that is asked for by a noun, without the noun: "earns 54,000 a year", where it was a salary."""

import re
import tomllib
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

from precis.finding.about.denials import denials
from precis.finding.parts import Part, Subject
from precis.finding.reading import folded, places_of, read_words
from precis.finding.values import Level, Match, Span

#: So many words before it may deny it.
_DENIED_WITHIN = 3
#: Words of what is asked for that need not be told by themselves: "wedding date".
_BESIDE = frozenset("number date day size type level native own personal".split())

#: What stands for signs that many of them have.
_MEANS = {
    "number": r"\d[\d.,]*",
    "money": r"[$\u20ac\u00a3]?\s?\d[\d.,]*k?(?: ?(?:euros?|dollars?|pounds?|francs?|kronor|kroner|usd|eur|gbp|[$\u20ac\u00a3]))?",
    "day": r"(?:\d{1,2}|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)",
    "someone": r"(?P<someone>(?:the )?[a-z]+(?:'s \w+)?)",
    "a": r"(?:an? |the |my |his |her |their |our )?",
}


def told_of(part: Part, low: str, whose: Collection[str]) -> Sequence[Span]:
    """Where a text in small letters tells it; of somebody who is named within, where that is one of these."""
    matches = (match for pattern in _by_word().get(part.word, ()) for match in pattern.finditer(low))
    return [match.span() for match in matches if _someone(match).issubset(whose)]


def _someone(match: re.Match[str]) -> set[str]:
    named = match.groupdict().get("someone")
    return {named.removeprefix("the ")} if named else set()


@cache
def _by_word() -> dict[str, tuple[re.Pattern[str], ...]]:
    file = Path(__file__).parent.parent / "words" / "tellings.toml"
    known = {}
    for entry in tomllib.loads(file.read_text("utf-8")).values():
        lines = [line.strip() for line in entry["told"].strip().splitlines()]
        for name, means in _MEANS.items():
            lines = [line.replace(f"{{{name}}}", means) for line in lines]
        known |= dict.fromkeys(
            entry["asked"].split(), tuple(re.compile(rf"(?<!\w)(?:{line})") for line in lines)
        )
    return known


def match_telling(subject: Subject, text: str, own_names: Collection[str]) -> Match | None:
    """SURE where a text tells what a noun asks for, in words of its own; None where it does not."""
    if subject.foreign or subject.clause or subject.states or not subject.parts:
        return None
    low = folded(text)
    if len(low) != len(text):
        return None
    whose = {word for name in subject.names for word in name} or {*own_names, "me", "us", "him", "her", "them"}
    told = [told_of(part, low, whose) for part in subject.parts]
    others = [part for part, spans in zip(subject.parts, told, strict=True) if not spans and part.word not in _BESIDE]
    spans = tuple(span for places in told for span in places)
    if not spans or any(not places_of(part.word, low) for part in others):
        return None
    if all(_is_denied(text, span) for span in spans):
        return Match(level=Level.DOUBTFUL, why="it says that it is not so", spans=spans)
    return Match(level=Level.SURE, why="it tells that in other words", spans=spans)


def _is_denied(text: str, span: Span) -> bool:
    """Whether a "not" stands right before what tells it."""
    return denials([word for word in read_words(text) if word.end <= span[0]][-_DENIED_WITHIN:])
