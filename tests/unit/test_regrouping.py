"""Grouping what is stored under other limits: as few members as it takes change their cluster."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.engine.grouping import Candidate, Grouping, Regrouping, Sitting, regroup

NEAR, FAR = Grouping(distance=0.3), Grouping(distance=2.0)


def sitting(memory_id: str, group_id: str, angle: float | None) -> Sitting:
    """A member whose vector points in this direction; None has expired."""
    vector = None if angle is None else np.asarray([np.cos(angle), np.sin(angle)], dtype=np.float32)
    candidate = None if vector is None else Candidate(key=None, person=None, vector=vector)
    return Sitting(memory_id=memory_id, group_id=group_id, candidate=candidate)


def under(limits: Grouping, *members: Sitting) -> Regrouping:
    """With ids new0, new1, ..."""
    numbers = count()
    return regroup(members, grouping=limits, new_id=lambda: f"new{next(numbers)}")


def test_what_is_grouped_so_already_is_not_touched() -> None:
    """Two clusters a quarter turn apart stay two."""
    found = under(NEAR, sitting("a", "x", 0), sitting("b", "y", 1.5), sitting("c", "x", 0.1))
    assert (dict(found.moves), found.changed, found.opened) == ({}, frozenset(), [])
    assert found.before == found.after == {"x": 2, "y": 1}


def test_a_wider_distance_empties_the_smaller_cluster() -> None:
    """The larger of the two keeps its place."""
    found = under(FAR, sitting("a", "x", 0), sitting("b", "y", 1.5), sitting("c", "y", 1.6))
    assert found.moves == {"a": "y"}
    assert (found.changed, found.opened, found.after) == (frozenset({"x", "y"}), [], {"y": 3})


def test_a_narrower_distance_opens_a_cluster() -> None:
    """The smaller part leaves."""
    found = under(NEAR, sitting("a", "x", 0), sitting("b", "x", 1.5), sitting("c", "x", 1.6))
    assert found.moves == {"a": "new0"}
    assert (found.changed, found.opened, found.after) == (frozenset({"x"}), ["new0"], {"new0": 1, "x": 2})


def test_the_expired_stay_and_count() -> None:
    """Their vector is gone, so nothing can be said of them."""
    found = under(FAR, sitting("old", "x", None), sitting("a", "x", 0), sitting("b", "y", 1.5), sitting("c", "y", 1.6))
    assert found.moves == {"a": "y"}
    assert found.after == {"x": 1, "y": 3}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.one_of(st.none(), st.floats(0, 6.28))), max_size=30),
    st.floats(0, 2),
)
def test_doing_it_again_moves_nobody(members: list[tuple[str, float | None]], distance: float) -> None:
    """Nobody is lost, and the same limits on the outcome change nothing."""
    limits = Grouping(distance=distance)
    first = [sitting(str(n), group_id, angle) for n, (group_id, angle) in enumerate(members)]
    found = under(limits, *first)
    assert sum(found.after.values()) == sum(found.before.values()) == len(members)
    moved = [
        Sitting(memory_id=one.memory_id, group_id=found.moves.get(one.memory_id, one.group_id), candidate=one.candidate)
        for one in first
    ]
    again = under(limits, *moved)
    assert dict(again.moves) == {}
    assert again.before == found.after


@pytest.mark.parametrize("limits", [NEAR, FAR])
def test_nothing_is_nothing(limits: Grouping) -> None:
    """A tenant without a memory."""
    assert under(limits) == Regrouping(moves={}, before={}, after={}, changed=frozenset())
