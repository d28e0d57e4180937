"""What a question asks for besides its words: of whom, of when, of the present, or of a detail. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from precis.language import tables
from precis.language.dates import Day, days_in
from precis.language.words import STOP_WORDS, index_terms, terms, words

#: Longest query that is read whole, in different terms; a longer one is cut to its first ones.
_MOST_TERMS = 64
_PRESENT = re.compile(rf"\b(?:{tables.choices('questions.present')})\b", re.IGNORECASE)
_DETAIL = re.compile(rf"\b(?:{tables.choices('questions.detail')})\b|\d", re.IGNORECASE)
#: A word with a capital that does not begin the question.
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A query as recall reads it."""

    text: str
    #: Its different stemmed content words, in order.
    terms: tuple[str, ...]
    #: Its words as written but in small letters: one of them may be the name of who said it.
    names: tuple[str, ...]
    #: Those of its terms that are names, as their capitals tell: whom it is about, not what.
    named: frozenset[str] = frozenset()
    days: tuple[Day, ...] = ()
    #: It asks how things are now: of two values of a fact the newer one.
    present: bool = False
    #: It asks for a date, a number or a name: a source answers it better than a summary.
    detail: bool = False


def read_question(text: str) -> Question:
    """The question in a text."""
    # "Now" says when, not what: a row that holds it is no likelier to answer.
    without_now = _PRESENT.sub(" ", text)
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(index_terms(without_now) or index_terms(text)))[:_MOST_TERMS],
        names=spoken_names(text)[:_MOST_TERMS],
        named=frozenset(terms(" ".join(_CAPITAL.findall(text)))),
        days=tuple(days_in(text)),
        present=bool(_PRESENT.search(text)),
        detail=bool(_DETAIL.search(text)),
    )


def spoken_names(spoken: str | None) -> tuple[str, ...]:
    """The words of a speaker's name or of a question, as ``Question.names`` has them: in small letters, each once."""
    return tuple(dict.fromkeys(word.removesuffix("'s") for word in words(spoken or "") if word not in STOP_WORDS))
