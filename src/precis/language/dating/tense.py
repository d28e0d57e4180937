"""Whether a clause tells of what was or of what will be, as far as its verbs show it."""

from __future__ import annotations

import re
from enum import StrEnum

from precis.language import tables
from precis.language.grammar import FORMS
from precis.language.words import words


class Tense(StrEnum):
    """When something is that is told."""

    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


_FUTURE = re.compile(rf"\b(?:{tables.choices('tenses.future')})\b", re.IGNORECASE)
_PRESENT = re.compile(rf"\b(?:{tables.choices('tenses.present')})\b", re.IGNORECASE)
#: Verbs by which something is set for a day to come, also where they are past.
_SET = re.compile(rf"\b(?:{tables.choices('tenses.set')})\b", re.IGNORECASE)
_RECURS = re.compile(rf"\b(?:{tables.choices('tenses.recurring')})\b", re.IGNORECASE)
_PERFECT = re.compile(rf"\b(?:{tables.choices('tenses.perfect')})\b", re.IGNORECASE)
#: "have gone", "'ve got": no past.
_HELPED = re.compile(r"\b(?:have|has|having|\w+['\u2019]ve)(?: \w+ly| just| already| also| not)? \w+", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?\n\u2026]+(?:\s|$)")
#: Characters of a sentence to either side that are read.
_REACH = 400
_CLAUSE_END = re.compile(r"[,;:\u2013\u2014()]| - |\b(?:and|but|so|because|while|which|then)\b", re.IGNORECASE)


def _stretch(text: str, start: int, end: int, ending: re.Pattern[str]) -> tuple[int, int]:
    """From the mark before a place to the mark behind it, or as far as verbs may stand from it."""
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    before = [match.end() for match in ending.finditer(text, first, start)]
    behind = ending.search(text, end, last)
    return (before[-1] if before else first, behind.start() if behind else last)


def tense_of(text: str, start: int, end: int) -> Tense:
    """The tense of the clause around a place; where that shows none, of its sentence."""
    for ending in (_CLAUSE_END, _SENTENCE_END):
        first, last = _stretch(text, start, end, _SENTENCE_END)
        if ending is _CLAUSE_END:
            inner = _stretch(text[first:last], start - first, end - first, ending)
            first, last = first + inner[0], first + inner[1]
        tenses = _tenses(f"{text[first:start]} {text[end:last]}")
        if tenses:
            return tenses.pop() if len(tenses) == 1 else Tense.UNKNOWN
    return Tense.UNKNOWN


def _tenses(clause: str) -> set[Tense]:
    future = _FUTURE.search(clause) is not None
    bare = _HELPED.sub(" ", clause)
    past = any("past" in FORMS[word].kinds and "base" not in FORMS[word].kinds for word in words(bare) if word in FORMS)
    if _SET.search(clause):
        return {Tense.FUTURE} if future else {Tense.UNKNOWN}
    if not past and not future and _PRESENT.search(clause):
        return {Tense.FUTURE}
    return ({Tense.PAST} if past else set()) | ({Tense.FUTURE} if future else set())


def recurs(text: str, start: int, end: int) -> bool:
    """Whether the sentence tells of what happens again and again, or names a year of its own."""
    first, last = _stretch(text, start, end, _SENTENCE_END)
    return _RECURS.search(text, first, last) is not None


def is_perfect(text: str, start: int) -> bool:
    """Whether the sentence up to here tells of what began and goes on: "I have known them for"."""
    first, _ = _stretch(text, start, start, _SENTENCE_END)
    return _PERFECT.search(text, first, start) is not None
