"""What a question asks for besides its words: of whom, of when, of the present, or of a detail. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from precis.language.words import STOP_WORDS, index_terms, terms, words

_MONTHS = "january february march april may june july august september october november december".split()
#: Longest query that is read whole, in different terms; a longer one is cut to its first ones.
_MOST_TERMS = 64
_PRESENT = re.compile(
    r"\b(?:now|nowadays|currently|current|latest|newest|most recent|these days|at present|presently|today|any ?more"
    r"|still|at the moment)\b",
    re.IGNORECASE,
)
_DETAIL = re.compile(
    r"\b(?:when|what (?:day|date|time|year|month)|how (?:many|much|long|old|often|far)|which|who|whose|where|exactly)\b"
    r"|\d",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_NAMED = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?(?P<month>{'|'.join(_MONTHS)})\b"
    r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?(?:,? (?P<year>\d{4})\b)?",
    re.IGNORECASE,
)
#: A word with a capital that does not begin the question.
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+")
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """A date as far as it was told."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def fits(self, when: date | datetime) -> bool:
        """Whether a date is this one."""
        told = ((self.year, when.year), (self.month, when.month), (self.day, when.day))
        return all(wanted is None or wanted == is_ for wanted, is_ in told)


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
    asked = _PRESENT.sub(" ", text)
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(index_terms(asked) or index_terms(text)))[:_MOST_TERMS],
        names=spoken_names(text)[:_MOST_TERMS],
        named=frozenset(terms(" ".join(_CAPITAL.findall(text)))),
        days=tuple(_days(text)),
        present=bool(_PRESENT.search(text)),
        detail=bool(_DETAIL.search(text)),
    )


def spoken_names(said: str | None) -> tuple[str, ...]:
    """The words of a speaker's name or of a question, as ``Question.names`` has them: in small letters, each once."""
    return tuple(dict.fromkeys(word.removesuffix("'s") for word in words(said or "") if word not in STOP_WORDS))


def _days(text: str) -> list[Day]:
    """Dates in figures, in words, and years that stand alone. "may" in small letters is a verb."""
    found = [_iso(match) for match in _ISO.finditer(text)]
    rest = _ISO.sub(" ", text)
    for match in _NAMED.finditer(rest):
        day = match["before"] or match["after"]
        if match["month"] != "may" or day or match["year"]:
            found.append(
                Day(
                    year=_number(match["year"]),
                    month=_MONTHS.index(match["month"].lower()) + 1,
                    day=_number(day),
                )
            )
    alone = _YEAR.findall(_NAMED.sub(" ", rest))
    return [*found, *(Day(year=int(year)) for year in alone)]


def _iso(match: re.Match[str]) -> Day:
    return Day(year=int(match[1]), month=int(match[2]), day=_number(match[3]))


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None
