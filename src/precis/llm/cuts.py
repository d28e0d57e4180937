"""Sentences broken off for want of room: what is left must not say the opposite of the whole."""

from __future__ import annotations

from collections.abc import Sequence

from precis.engine.checks.vocabulary import MODALS, NEGATORS
from precis.sentences import sentences
from precis.words import words

#: As the offline summarizer marks a sentence that goes on.
_MARK = " \u2026"
#: Words that decide whether a sentence is so, beside denials and maybes.
_TURNS = NEGATORS | MODALS | frozenset({"but", "except", "until", "instead", "than", "or", "pretend", "false", "lie"})


def is_turned_by_cut(statement: str, said: Sequence[str]) -> bool:
    """Whether a broken off statement lost a word that its sentence turns on."""
    if not statement.endswith(_MARK):
        return False
    left = set(words(statement))
    whole = max((set(words(one)) for text in said for one in sentences(text)), key=lambda one: len(one & left))
    return not (whole & _TURNS) <= left
