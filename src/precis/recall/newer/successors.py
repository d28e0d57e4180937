"""Who came after somebody, where whom one asks for has left: "Anna is leaving. Her successor is Tobias." Pure.

Such a note has hardly a word of "Who is my contact at Brandt?", and shares with the older one the name of who left. So
where a question asks who somebody is, it stands before the older note; so does what tells who came after that one.
"""

import re
from collections.abc import Mapping, Sequence

from precis.language import tables
from precis.language.script import languages_of
from precis.language.words import STOP_WORDS, index_terms
from precis.recall.question import Question, as_asked
from precis.recall.ranking import Score
from precis.recall.telling import ASKS, Told, matches, names_of_caller, put_before

# When something begins is not when it ends: of what a question asks one of both, the other is no answer.
#: How far behind the other a row may be that tells it.
_FURTHEST_OTHER = 0.6


def asked_end_first(question: Question, told: Mapping[str, Told], scores: Sequence[Score]) -> list[Score]:
    """The rows in order; where it is asked when something begins, what tells that is before what tells when it ends.

    And the other way round. Both have a word of the question, besides those for beginning and ending.
    """
    languages = (*languages_of(question.text)[0], _ENGLISH)
    begins, ends = (matches(f"{key}_asked", languages, question.text) for key in ("begins", "ends"))
    if begins == ends:
        return list(scores)
    asked, other = ("begins", "ends") if begins else ("ends", "begins")
    tells = {id_: matches(asked, languages, row.text) for id_, row in told.items()}
    wrong = {id_ for id_, row in told.items() if not tells[id_] and matches(other, languages, row.text)}
    terms = {
        id_: frozenset(question.terms).intersection(as_asked(index_terms(row.text), question.forms))
        for id_, row in told.items()
    }
    right = [score for score in reversed(scores) if tells.get(score.id)]
    pairs = (
        (before, [score for score in right if terms[score.id] & terms[before.id]])
        for before in scores
        if before.id in wrong
    )
    return put_before(scores, "newest", pairs, _FURTHEST_OTHER)


#: Whoever has a capital, without what shows whose something is.
_CAPITAL = re.compile(r"(?<![\w'\u2019])[A-Z\u00c0-\u00de][^\W\d_]+(?:-[A-Z][^\W\d_]+)*")
_TITLES = frozenset(tables.words("questions.titles"))
#: Of so many first rows one may be the older; how far behind it a newer may be.
_FIRST, _FURTHEST = 3, 1.0
_HALF = 2
_ENGLISH = "English"


class Successors:
    """Which rows tell who came after somebody of whom older ones tell."""

    def __init__(self, question: Question, told: Mapping[str, Told]) -> None:
        languages = languages_of(question.text)[0]
        languages = (*languages, _ENGLISH)
        self._told = told
        self._after: dict[str, str] = {}
        if not told or not matches("who_asked", languages, question.text):
            return
        asked = frozenset(term for term in question.terms if term not in question.own)
        named = {word.casefold() for word in _CAPITAL.findall(question.text)}
        # Who says a row, and is named by another, has not left for that.
        called = _names_in(" ".join(name for row in told.values() for name in names_of_caller(row)))
        self._names = {id_: _names_in(row.text) - named - called for id_, row in told.items()}
        turning = {
            id_ for id_, row in told.items()
            if not row.text.rstrip().endswith(ASKS) and matches("succeeds", languages, row.text)
        }  # fmt: skip
        for older, row in told.items():
            held = asked.intersection(as_asked(index_terms(row.text), question.forms))
            if turning and held and _HALF * len(held) >= len(asked):
                newest = self._newest_after(older, turning)
                self._after |= {older: newest} if newest else {}

    def _newest_after(self, older: str, turning: set[str]) -> str | None:
        """The last row of a chain: each names somebody whom the one before it names, and is later."""
        newest = older
        while True:
            later = [
                id_
                for id_ in turning
                if self._told[id_].said_at > self._told[newest].said_at and self._names[id_] & self._names[newest]
            ]
            if not later:
                return newest if newest != older else None
            newest = min(later, key=lambda id_: (self._told[id_].said_at, id_))

    def followed(self) -> dict[str, str]:
        """The rows of whom others have come after, each with the newest that tells it."""
        return dict(self._after)

    def first(self, scores: Sequence[Score]) -> list[Score]:
        """The rows in order, with those before the first ones that tell who came after."""
        first = [score for score in scores if score.id in self._told][:_FIRST]
        pairs = ((older, [score for score in scores if score.id == self._after.get(older.id)]) for older in first)
        return put_before(scores, "newest", pairs, _FURTHEST)


def _names_in(text: str) -> frozenset[str]:
    """Words with a capital that may be somebody's name."""
    spoken = (word.casefold() for word in _CAPITAL.findall(text))
    return frozenset(word for word in spoken if word not in STOP_WORDS and word not in _TITLES)
