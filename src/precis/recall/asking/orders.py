"""A question for the order of two things: what tells of either is among the first rows. Pure.

"What happened first, the upgrade or the move?" is answered by two rows, and each has the words of one of them alone.
"""

import re
from collections.abc import Mapping, Sequence

from precis.language import tables
from precis.language.words import index_terms
from precis.recall.question import Pool, Question, as_asked, rarity_of
from precis.recall.ranking import Score
from precis.recall.telling import Told, tells_of_change, with_more

_ASKS = re.compile(rf"\b(?:{tables.choices('questions.order.asks')})\b", re.IGNORECASE)
_PARTS = re.compile(rf"\b(?:{tables.choices('questions.order.between')})\b", re.IGNORECASE)
#: One of both stands before all but this many rows; by how much it is before the next; and how far it may be behind.
_AMONG, _BEFORE, _FURTHEST = 2, 0.001, 1.0
_TWO = 2
#: How much another word of the question counts; rows that differ by less are alike.
_BESIDE, _ALIKE = 0.25, 1.0
_LANGUAGES = ("English", "German")


def both_of(question: Question) -> tuple[frozenset[str], ...]:
    """The words of the question for either of two things whose order it asks for; none where it asks for no order."""
    if not _ASKS.search(question.text):
        return ()
    parts = _PARTS.split(_ASKS.sub(" ", question.text))
    terms = [frozenset(as_asked(index_terms(part), question.forms)).intersection(question.terms) for part in parts]
    things = [of_part - question.own for of_part in terms if of_part - question.own]
    return tuple(things) if len(things) == _TWO else ()


def both_first(question: Question, pool: Pool, told: Mapping[str, Told], scores: Sequence[Score]) -> list[Score]:
    """The rows in order; where it is asked what came first of two, the best row on either is among the first three.

    What happened is mostly told with a word of change: "moved from port 5050 to 5060".
    """
    things = both_of(question)
    rows = [score for score in scores if score.id in told and score.id in pool.rows]
    if not things or len(rows) <= _AMONG:
        return list(scores)
    rarity = dict(zip(question.terms, rarity_of(pool).tolist(), strict=False))
    lifts: dict[str, float] = {}
    taken: set[str] = set()
    for thing in things:
        worth = {score.id: _worth(thing, question, pool.rows[score.id].frequencies, rarity) for score in rows}
        most = max(worth.values())
        near = [score for score in rows if worth[score.id] >= most - _ALIKE and score.id not in taken]
        if not most or not near:
            continue
        best = max(near, key=lambda score: (tells_of_change(told[score.id].text, _LANGUAGES), score.total))
        taken.add(best.id)
        behind = rows[_AMONG].total - best.total
        if 0 < behind <= _FURTHEST:
            lifts[best.id] = behind + _BEFORE
    return with_more(scores, "telling", lifts)


def _worth(
    thing: frozenset[str], question: Question, frequencies: Sequence[float], rarity: Mapping[str, float]
) -> float:
    """How much of a thing a row holds, by how rare its words are; what else it holds of the question counts half."""
    held = [term for term, count in zip(question.terms, frequencies, strict=False) if count]
    return sum(rarity.get(term, 0.0) * (1.0 if term in thing else _BESIDE) for term in held)
