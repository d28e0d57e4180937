"""What tells something that is asked for by a noun, without the noun: "earns 54,000 a year", where it was a salary."""

import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from precis.finding import capitals, parts, reading
from precis.finding.about.denials import denials
from precis.finding.values import Level, Match, Span
from precis.language import tokens, verbs

#: Why a row is meant that has none of the words.
TOLD = "it tells that in other words"
_JOINT = re.compile(r",?\s+(?:and|but)\s+", re.IGNORECASE)
_PRONOUNS = frozenset("me us him her them".split())
#: So many words before it may deny it.
_DENIED_WITHIN = 3
_WHOSE = re.compile(r"^(?:(?:my|our|the|all|all of|any|every|(?-i:[A-Z])[\w-]*['\u2019]s?)\s+)+", re.IGNORECASE)
#: Words of what is asked for that need not be told by themselves: "wedding date".
_BESIDE = frozenset("number date day size type level native own personal".split())


def told_of(called: str, text: str, whose: Collection[str]) -> tuple[Span, ...]:
    """Where a text tells what is called so; of somebody who is named within, where that is one of these."""
    matches = (match for pattern in _by_word().get(called, ()) for match in pattern.finditer(text))
    return tuple(_first_deed(text, *match.span()) for match in matches if _someone(match).issubset(whose))


def _first_deed(text: str, start: int, end: int) -> Span:
    """A place without what is done besides: "attends Rosenberg Gymnasium" where they also play chess."""
    for joint in _JOINT.finditer(text, start, end):
        before, behind = reading.read_words(text[start : joint.start()]), reading.read_words(text[joint.end() : end])
        if behind and capitals.finite(behind[0]) and not behind[0].capital and any(map(capitals.finite, before)):
            return start, joint.start()
    return start, end


def _phrase(subject: parts.Subject) -> str:
    """What is asked for without whose it is: "job search"."""
    return _WHOSE.sub("", subject.text).strip().lower()


def _someone(match: re.Match[str]) -> set[str]:
    named = match.groupdict().get("someone")
    return {named.lower().removeprefix("the ")} if named else set()


@cache
def _by_word() -> dict[str, tuple[re.Pattern[str], ...]]:
    file = Path(__file__).parent.parent / "words" / "tellings.toml"
    document = tomllib.loads(file.read_text("utf-8"))
    means = {f"{{{name}}}": "".join(lines.split("\n")) for name, lines in document.pop("means").items()}
    put_in = re.compile("|".join(map(re.escape, means)))
    known: dict[str, tuple[re.Pattern[str], ...]] = {}
    for entry in document.values():
        lines = (put_in.sub(lambda match: means[match.group()], line) for line in entry["told"].strip().splitlines())
        patterns = tuple(re.compile(rf"(?<!\w)(?:{line})", re.IGNORECASE) for line in lines)
        known |= dict.fromkeys(entry["asked"].split("; "), patterns)
    return known


def match_telling(subject: parts.Subject, text: str, own_names: Collection[str]) -> Match | None:
    """SURE where a text tells what a noun asks for, in words of its own; None where it does not."""
    if not _is_asked(subject) or len(reading.folded(text)) != len(text):
        return None
    whose: set[str] = {word for name in subject.names for word in name} or {*own_names, *_PRONOUNS}
    spans = told_of(_phrase(subject), text, whose) or _told_by_parts(subject, text, whose)
    if not spans:
        return None
    if subject.names and not told_of_names(subject, text, spans, own_names):
        return Match(level=Level.DOUBTFUL, why="it may tell that of another", spans=spans)
    if all(_is_denied(text, span) for span in spans):
        return Match(level=Level.DOUBTFUL, why="it says that it is not so", spans=spans)
    return Match(level=Level.SURE, why=TOLD, spans=spans)


def _is_asked(subject: parts.Subject) -> bool:
    """Whether it asks by a noun of which it is known how it is told."""
    if subject.foreign or subject.clause or (subject.states and len(subject.parts) > 1):
        return False
    return not _by_word().keys().isdisjoint({_phrase(subject), *(part.word for part in subject.parts)})


def _told_by_parts(subject: parts.Subject, text: str, whose: Collection[str]) -> tuple[Span, ...]:
    """Where it tells one of the words of a subject, and has all others; none where one is missing."""
    told = [told_of(part.word, text, whose) for part in subject.parts]
    untold = [part for part, spans in zip(subject.parts, told, strict=True) if not spans]
    beside = [reading.places_of(part.word, reading.folded(text)) for part in untold if part.word not in _BESIDE]
    return tuple(span for spans in (*told, *beside) for span in spans) if any(told) and all(beside) else ()


def told_of_names(subject: parts.Subject, text: str, spans: Iterable[Span], own_names: Collection[str]) -> bool:
    """Whether the name asked for is the last one before each of these places, or within it.

    Of "I met Tove when I got divorced" the divorce is the user's.
    """
    whose = {word for name in subject.names for word in name}
    return all(_is_of_them(text, span, whose, own_names) for span in spans)


def _is_of_them(text: str, span: Span, whose: set[str], own_names: Collection[str]) -> bool:
    words = reading.read_words(text)
    before = [word for word in words if word.start < span[1]]
    last = next((word for word in reversed(before) if word.low in {*whose, "i", "we", *own_names}), None)
    speaks = bool(words) and words[0].low in whose and any(word.gap.startswith(":") for word in words[1:3])
    return last is None or last.low in whose or speaks


def _is_denied(text: str, span: Span) -> bool:
    """Whether a "not" stands right before what tells it."""
    return denials([word for word in reading.read_words(text) if word.end <= span[0]][-_DENIED_WITHIN:])


def says_where(subject: parts.Subject, missing: Sequence[parts.Part]) -> bool:
    """Whether somebody did something in the past, and all that is missing is where: "cried at work"."""
    words = reading.read_words(subject.text)
    lacking = {part.word for part in missing}
    places = [before.low == "at" for before, word in pairwise(words) if word.low in lacking]
    forms = (verbs.form_of(tokens.token(part.word)) for part in subject.parts if part.word not in lacking)
    past = any(form is not None and "past" in form.kinds for form in forms)
    return past and len(places) == len(lacking) and all(places)
