"""When something begins is not when it ends: of what a question asks one of both, the other is no answer. Pure."""

from collections.abc import Mapping, Sequence

from precis.language.script import languages_of
from precis.language.words import index_terms
from precis.recall.newer.turned import matches
from precis.recall.question import Question, as_asked
from precis.recall.ranking import Score
from precis.recall.telling import Told, put_before

#: How far behind the other a row may be that tells it.
_FURTHEST = 0.6
_ENGLISH = "English"


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
    return put_before(scores, "newest", pairs, _FURTHEST)
