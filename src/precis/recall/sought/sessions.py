"""A long answer has rows of many sessions: the weakest rows of those that are there give way to others. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence

from precis.recall.question import Candidate
from precis.recall.ranking import Score

#: Of so many sessions a long answer has a row, as far as any candidate is of as many.
_SESSIONS = 10


def of_more_sessions(
    first: Sequence[Score], further: Sequence[Score], rows: Mapping[str, Candidate], room: int
) -> list[Score]:
    """So many rows as there is ``room`` for behind the ``first``, of all ``further`` ones, best first.

    Where rows of fewer than ten sessions would be there, the best row of another session takes the place of the weakest
    row whose session has a better one. What is no turn of a session keeps its place.
    """
    taken, weaker = list(further[:room]), further[room:]
    sessions = Counter(rows[score.id].session for score in [*first, *taken] if score.id in rows)
    others: dict[str, Score] = {}
    for score in weaker:
        session = rows[score.id].session
        if session is not None and session not in sessions:
            others.setdefault(session, score)
    missing = max(0, _SESSIONS - len(sessions.keys() - {None}))
    added = list(others.values())[:missing]
    for place in range(len(taken) - 1, -1, -1):
        session = rows[taken[place].id].session
        if len(taken) + len(added) <= room:
            break
        if session is not None and sessions[session] > 1:
            sessions[session] -= 1
            del taken[place]
    return [*taken, *added][:room]
