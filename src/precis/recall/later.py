"""What is put before the first row of an answer: newer notes on the same thing, or a summary that has them. Pure.

A newer value seldom has the words of the question: "We left Zendesk, every ticket goes into Freshdesk" is less like
"Which tool are tickets in?" than what it makes untrue. Found it is: among the first rows. So where a question asks how
things are, such a row is put before the first one if it is of a later day, says that something is otherwise, and is
about the same: it has all words of the question that the first one has, or a word that only these two of the first rows
have.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from precis.language import tables
from precis.language.newest.slots import changes, turns
from precis.language.words import content
from precis.recall.question import Candidate
from precis.recall.ranking import Score
from precis.recall.telling import ASKS, Told

_STANDS = re.compile(rf"\b(?:{tables.choices('questions.stands')})\b", re.IGNORECASE)
_STOOD = re.compile(rf"\b(?:{tables.choices('questions.stood')})\b", re.IGNORECASE)
_CHANGED = re.compile(rf"\b(?:{tables.choices('questions.changed')})\b", re.IGNORECASE)
#: A row that is further behind answers something else; and by how much one that is put before is before.
_FURTHEST, _BEFORE = 0.5, 0.001


def asks_how_it_is(query: str) -> bool:
    """Whether a question in English asks how things are, in the present tense and with no word of the past."""
    return _STANDS.search(query) is not None and _STOOD.search(query) is None


def newer_first(query: str, scores: Sequence[Score], told: Mapping[str, Told]) -> list[Score]:
    """These first rows of an answer, in order, with those before the first one that say what became of it."""
    first = next((score for score in scores if score.id in told), None)
    if first is None:
        return list(scores)
    asked, said_on = content(query), told[first.id].said_on
    terms = {score.id: content(told[score.id].text) for score in scores if score.id in told}
    rows = Counter(term for stems in terms.values() for term in stems)
    held = terms[first.id] & asked
    later = [
        score
        for score in scores
        if score.id in told
        and told[score.id].said_on > said_on
        and 0 <= first.total - score.total <= _FURTHEST
        and ((held and held <= terms[score.id]) or _share_one(terms[first.id] & terms[score.id] - asked, rows))
        and _tells_of_change(told[score.id].text)
    ]
    later.sort(key=lambda score: (told[score.id].said_on, score.total))
    lifts = {score.id: first.total - score.total + _BEFORE * at for at, score in enumerate(later, start=1)}
    lifted = [replace(score, newest=score.newest + lifts[score.id]) if score.id in lifts else score for score in scores]
    return sorted(lifted, key=lambda score: (-score.total, score.id))


def summary_first(scores: Sequence[Score], rows: Mapping[str, Candidate]) -> list[Score]:
    """These first rows, with a summary of the first one before it that rests on a newer row as well.

    What such a summary says first is what is so now. For a question for that.
    """
    first = next((score for score in scores if score.id in rows), None)
    if first is None or rows[first.id].is_summary:
        return list(scores)
    stood_at = rows[first.id].event_date or rows[first.id].created_at
    over = next((score for score in scores if score.id in rows and _is_newer(rows[score.id], first.id, stood_at)), None)
    if over is None:
        return list(scores)
    lifted = replace(over, newest=over.newest + first.total - over.total + _BEFORE)
    return sorted((lifted if score is over else score for score in scores), key=lambda score: (-score.total, score.id))


def _is_newer(row: Candidate, source: str, stood_at: datetime) -> bool:
    newest = row.newest_source_at
    return row.is_summary and source in row.sources and newest is not None and newest > stood_at


def _share_one(terms: frozenset[str], rows: Mapping[str, int]) -> bool:
    return any(rows[term] == 2 for term in terms)


def _tells_of_change(text: str) -> bool:
    """Whether it says that something is otherwise than it was."""
    if text.rstrip().endswith(ASKS):
        return False
    return _CHANGED.search(text) is not None or changes(text) or turns(text)
