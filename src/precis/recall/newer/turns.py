"""Which turn of a talk between people is put before the first row of an answer: of a chat nobody says what is of what.

So only the first row gives way, and only to a turn that holds the same words of the question: of the same speaker and
next to as good, or one that tells of a change. What is said to another alone ("you can live on the moon") is no value
of whoever says it. Pure.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from precis.language.grammar import FIRST, OWN, SECOND
from precis.language.newest.corrections import SOON, Turn, may_be_put_right, settled
from precis.language.newest.taken_back import bound
from precis.language.words import WORDED
from precis.recall.newer.notes import Became
from precis.recall.question import Candidate, Question
from precis.recall.ranking import Score
from precis.recall.telling import Told, put_before

#: How far behind the first one a turn may be that says it anew; one that tells of a change; and where they live now.
_NEXT, _NEAR, _SETTLED = 0.15, 0.3, 0.5
_WORD = re.compile(WORDED)


def newer_turn_first(question: Question, turns: Mapping[str, Told], scores: Sequence[Score]) -> list[Score]:
    """The rows in order; where the first one is a turn, the newest that has another value of it is before it."""
    if not scores or scores[0].id not in turns:
        return list(scores)
    first, became = scores[0], Became(question, turns)

    def says_anew(turn: Score) -> bool:
        behind, of_first = first.total - turn.total, turns[turn.id].speaker == turns[first.id].speaker
        is_near = (behind <= _NEXT and of_first) or (behind <= _NEAR and became.signs.says_otherwise(turn.id))
        if is_near and became.holds_all(turn.id, first.id) and not _is_to_another(turns[turn.id].text):
            return True
        is_later = turns[turn.id].said_at.date() > turns[first.id].said_at.date()
        if not (of_first and is_later):
            return False
        return became.names_what_was(turn.id, first.id) or (behind <= _SETTLED and became.signs.settles(turn.id))

    later = [score for score in scores if score.id in turns and says_anew(score)]
    if not later:
        return list(scores)
    newest = max(later, key=lambda score: (turns[score.id].said_at, score.total))
    return put_before(scores, "newest", [(first, [newest])])


def _is_to_another(text: str) -> bool:
    """Whether a turn speaks to somebody, and not of whoever says it."""
    spoken = frozenset(_WORD.findall(text.lower()))
    return not SECOND.isdisjoint(spoken) and (FIRST | OWN).isdisjoint(spoken)


def put_right(turns: Mapping[str, Told]) -> dict[str, str]:
    """The turns that others put right or take back a moment later, each with the last of those.

    What was said between them may be missing.
    """
    ids = sorted(turns, key=lambda id_: (turns[id_].said_at, id_))
    near = {id_ for pair in pairwise(ids) if turns[pair[1]].said_at - turns[pair[0]].said_at <= SOON for id_ in pair}
    ids = [id_ for id_ in ids if id_ in near]
    talk = [Turn(turns[id_].text, turns[id_].speaker or "", turns[id_].said_at) for id_ in ids]
    if not may_be_put_right(talk):
        return {}
    # Where it is not plain what counts instead, what takes something back stands before that all the same.
    readings = *bound(talk, surely=True), *settled(talk, surely=True)
    return {ids[meant.of[0]]: ids[meant.of[-1]] for meant in readings if len(meant.of) > 1}


def right_first(scores: Sequence[Score], better: Mapping[str, str]) -> list[Score]:
    """The rows in order, with what puts a row right before it."""
    by_id = {score.id: score for score in scores}
    pairs = ((by_id[older], [by_id[newer]]) for older, newer in better.items() if {older, newer} <= by_id.keys())
    return put_before(scores, "newest", pairs)


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
    return put_before(scores, "newest", [(first, [over])])


def _is_newer(row: Candidate, source: str, stood_at: datetime) -> bool:
    newest = row.newest_source_at
    return row.is_summary and source in row.sources and newest is not None and newest > stood_at
