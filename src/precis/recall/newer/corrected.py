"""Turns that somebody put right a moment later: what puts them right stands before them. Pure."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from precis.language.newest.corrections import SOON, Turn, may_be_put_right, settled
from precis.language.newest.taken_back import bound
from precis.recall.ranking import Score
from precis.recall.telling import Told, with_more

#: By how much it is before what it puts right.
_BEFORE = 0.001


def put_right(turns: Mapping[str, Told]) -> dict[str, str]:
    """The turns that others put right or take back, each with the last of those.

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
    totals = {score.id: score.total for score in scores}
    lifts = {
        newer: totals[older] - totals[newer] + _BEFORE
        for older, newer in better.items()
        if older in totals and newer in totals and totals[older] >= totals[newer]
    }
    return with_more(scores, "newest", lifts)
