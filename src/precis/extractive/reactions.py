"""Reactions: what somebody says to answer another, and which tells nothing of anybody. In doubt a sentence is none."""

from __future__ import annotations

import re

from precis.language import tables
from precis.language.chitchat import telling_in, uncalled
from precis.language.dates import A_MONTH, A_WEEKDAY
from precis.language.grammar import FORMS, PEOPLE
from precis.language.words import names, stem, words


def _opening(place: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:(?:and|but|so|well|oh|yeah|yes|ah)\b\W*)?(?:{tables.choices(place)})\b", re.IGNORECASE)


_PRAISES, _CHEERS, _FEELS, _ADVISES = (
    _opening(f"reactions.{name}") for name in ("praises", "cheers", "feels", "advises")
)
_EXACT = re.compile(rf"\d|\b(?:{tables.choices('chitchat.exact')}|{A_WEEKDAY}|{A_MONTH})\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves)\b")
_SUBJECT = re.compile(r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b")
_OTHERS = re.compile(r"\b(?:s?he|his|hers?|him)\b", re.IGNORECASE)
_LISTENER = re.compile(r"\b(?:you(?:rs?|rself|rselves)?|y'all|ya)\b", re.IGNORECASE)
_PEOPLE = frozenset(map(stem, PEOPLE))
#: Words which tell something that a reaction, and a sentence to the listener, may still have.
_FEW = 3
_SEVERAL = 5
#: From so many on it says more than that somebody likes what it points at.
_MORE = 2
#: From so many on it tells something although nobody knows what it points at.
_ENOUGH = 5
#: A sentence of fewer words is no sentence.
_SHORT = 5


def states(sentence: str) -> bool:
    """Whether it has what can be looked up: a figure, a date or a name."""
    return _EXACT.search(sentence) is not None or bool(names(uncalled(sentence)))


def is_reaction(sentence: str) -> bool:
    """Whether a sentence of a talk praises, cheers on or advises the other, and states nothing of anybody."""
    if "[" in sentence or states(sentence):
        return False
    feels = _FEELS.match(sentence)
    rest = sentence[feels.end() :] if feels else sentence
    if _SELF.search(rest) or _OTHERS.search(rest) or not _PEOPLE.isdisjoint(map(stem, words(rest))):
        return False
    tells = len(telling_in(rest))
    if _ADVISES.match(rest):
        return True
    if not feels and (_PRAISES.match(rest) or _CHEERS.match(rest)):
        return tells <= _FEW
    return (feels or _LISTENER.search(rest)) is not None and tells <= _SEVERAL


def is_fragment(sentence: str) -> bool:
    """Whether a sentence of a talk is too short to be one: what it means stands in the question before, if anywhere."""
    if len(sentence.split()) >= _SHORT or states(sentence) or _SUBJECT.search(sentence) or not _spaced(sentence):
        return False
    if _OTHERS.search(sentence) or not _PEOPLE.isdisjoint(map(stem, words(sentence))):
        return False
    return not any(word in FORMS and FORMS[word].kinds != {"ing"} for word in words(sentence))


def _spaced(sentence: str) -> bool:
    """Whether it is written in letters of a script that parts its words."""
    return re.search(r"[^\x00-\u05ff\u2000-\u206f\U0001f000-\U0001faff]", sentence) is None


def tells_more(sentence: str) -> bool:
    """Whether a sentence that points back says more of it than what somebody thinks of it."""
    return len(telling_in(sentence)) >= _MORE


def tells_enough(sentence: str) -> bool:
    """Whether a sentence that points back tells so much that it is worth reading without what it points at."""
    return states(sentence) or len(telling_in(sentence)) >= _ENOUGH
