"""Newest wins: a statement that gives a slot a value which a newer item has replaced.

Only slots that hold one value at a time are read: where somebody lives or works, a favorite of a kind, a deadline.
Two preferences meet only when they are about one thing ("dark mode", "light mode").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from precis.engine.checks.plain_words import PLAIN
from precis.engine.ports import Item
from precis.words import STOP_WORDS, normal, stem, terms, words


class Slot(NamedTuple):
    """Somebody's current value of something."""

    name: str
    value: frozenset[str]


class Standing(NamedTuple):
    """The newest value of a slot, and the item that gives it."""

    value: frozenset[str]
    item: int


_ATTRIBUTE = (
    r"(?P<of>(?:[a-z]+ )?(?:deadline|due date|budget|meeting|appointment|price|name|address|phone number|number|email"
    r"|version|status|password|port|theme|time ?zone|owner|plan|age|job|title|birthday|language|size|color|colour))"
)
_OWNER = r"\b(?:my|the|his|her|their|our|[a-z]+'s) "
_CHANGE = r"(?:is now|is|(?:was |has been |has )?(?:moved|changed|set|updated|switched) to|is set to)"
_CHANGED = r"(?:changed|switched|set|updated) (?:my|the|his|her|their|our)"
_PATTERNS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("prefer", r"\b(?:prefers?|would rather have)\s+(?P<value>.+)"),
        ("live", r"\b(?:lives?|living|resides?) (?:in|at)\s+(?P<value>.+)"),
        ("live", r"\b(?:moved|relocated) to\s+(?P<value>.+)"),
        ("work", r"\b(?:works?|working) (?:at|for)\s+(?P<value>.+)"),
        ("work_as", r"\b(?:works?|working) as\s+(?P<value>.+)"),
        ("favorite", r"\bfavou?rite (?P<of>\w+(?: \w+)?) (?:is now|is|has become)\s+(?P<value>.+)"),
        ("value", rf"{_OWNER}{_ATTRIBUTE} {_CHANGE}\s+(?P<value>.+)"),
        ("value", rf"\b{_CHANGED} {_ATTRIBUTE} (?:from .+? )?to\s+(?P<value>.+)"),
    )
)
#: Before the verb, these make a sentence history, a wish, or one value of several.
_NOT_NOW = re.compile(
    r"\b(?:used to|previously|formerly|no longer|once|earlier|before|originally|initially|was|were|until"
    r"|in the past|at first|ago|not|never|if|would|might|maybe|also|both|want|wants|wanted)\b|n't\b"
)
_VALUE_END = re.compile(
    r"[.;!?,()]|\b(?:and|but|because|since|when|while|for|over|to|from|instead|rather|than|as|now|with|in|on|after)\b"
)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
#: More words than this are a clause, not a value.
_VALUE_WORDS = 4


def slots_of(text: str, speaker: str | None = None) -> list[Slot]:
    """The slots a text gives a current value."""
    lowered = (sentence.rstrip().lower() for sentence in _SENTENCES.split(normal(text)))
    return [
        slot
        for sentence in lowered
        if not sentence.endswith("?")
        for name, pattern in _PATTERNS
        if (match := pattern.search(sentence)) and (slot := _slot(name, match, speaker))
    ]


def _slot(name: str, match: re.Match[str], speaker: str | None) -> Slot | None:
    before = match.string[: match.start()]
    head, *tail = _VALUE_END.split(match["value"], maxsplit=1)
    value = terms(head)
    if _NOT_NOW.search(before) or not 0 < len(value) <= _VALUE_WORDS:
        return None
    of = stem(match["of"]) if "of" in match.groupdict() else ""
    #: "mode" of "dark mode", and the condition it holds under
    about = f"{value[-1]} {' '.join(terms(''.join(tail)))}" if name == "prefer" and len(value) > 1 else ""
    if name == "prefer" and not about:
        return None
    lead = match.group()[: match.start("of") - match.start()] if of else ""
    whose = "" if lead.split()[-1:] == ["the"] else _subject(f"{before} {lead}", speaker)
    return Slot(f"{whose}|{name}|{of}|{about}", frozenset(value))


def _subject(before: str, speaker: str | None) -> str:
    """Whose slot it is: the names before the verb, else the speaker, else the user."""
    names = [word.removesuffix("'s") for word in words(before) if word not in STOP_WORDS]
    named = [name for name in names if stem(name) not in PLAIN]
    return " ".join(named) or (speaker or "user").lower()


def newest_values(items: Sequence[Item]) -> dict[str, Standing]:
    """For every slot, what the newest item that mentions it says."""
    newest: dict[str, Standing] = {}
    order = sorted(range(len(items)), key=lambda index: (items[index].created_at, index))
    for index in order:
        for slot in slots_of(items[index].text, items[index].speaker):
            newest[slot.name] = Standing(slot.value, index)
    return newest


def speaker_of(sources: Iterable[int], items: Sequence[Item]) -> str | None:
    """The one speaker of these items, if they have one."""
    speakers = {items[index].speaker for index in sources}
    return speakers.pop() if len(speakers) == 1 else None


def displaced_slot(slots: Iterable[Slot], newest: Mapping[str, Standing]) -> Slot | None:
    """The first slot that the newest item to mention it gives another value."""
    return next((slot for slot in slots if _is_displaced(slot, newest.get(slot.name))), None)


def _is_displaced(slot: Slot, standing: Standing | None) -> bool:
    """``Oslo`` and ``Oslo Norway`` are one value."""
    return standing is not None and not (standing.value <= slot.value or slot.value <= standing.value)
