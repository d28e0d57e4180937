"""Subjects that come back again and again: many memories that have others nearer than chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count

import numpy as np

from precis.engine.grouping import Candidate, Grouping, Sitting, regroup
from precis.engine.grouping.company import strays
from precis.engine.grouping.density import returning

_WIDTH, _SUBJECTS, _EACH, _ALONE = 64, 14, 9, 60


def row(direction: np.ndarray) -> Candidate:
    """A memory about nobody that points there."""
    unit = np.asarray(direction / np.linalg.norm(direction), dtype=np.float32)
    return Candidate(key=None, person=None, vector=unit, loose=True)


def queries() -> list[Candidate]:
    """Several subjects, each asked for again and again, in turn; then memories of nothing else."""
    dice = np.random.default_rng(7)
    subjects = dice.normal(size=(_SUBJECTS, _WIDTH))
    about = [row(subjects[at % _SUBJECTS] + 0.6 * dice.normal(size=_WIDTH)) for at in range(_SUBJECTS * _EACH)]
    return about + [row(dice.normal(size=_WIDTH)) for _ in range(_ALONE)]


def of_subjects(rows: list[Candidate]) -> list[list[int | None]]:
    """The clusters of the memories of each subject."""
    places = returning(rows, Grouping())
    return [places[at : _SUBJECTS * _EACH : _SUBJECTS] for at in range(_SUBJECTS)]


def test_what_comes_back_is_one_cluster_each() -> None:
    """No memory of something else is among them."""
    rows = queries()
    clusters = [Counter(places).most_common(1)[0] for places in of_subjects(rows)]
    assert len({place for place, _ in clusters} - {None}) == _SUBJECTS
    assert min(number for _, number in clusters) >= _EACH - 1
    assert returning(rows, Grouping())[_SUBJECTS * _EACH :] == [None] * _ALONE


def test_where_nothing_comes_back_nobody_is_brought_together() -> None:
    """Of memories about different things the nearest are no nearer than chance; few have no chance."""
    dice = np.random.default_rng(3)
    rows = [row(dice.normal(size=_WIDTH)) for _ in range(200)]
    assert returning(rows, Grouping()) == [None] * 200
    assert returning(rows[:5], Grouping()) == [None] * 5
    assert returning([], Grouping()) == []


def _halves_apart(rows: list[Candidate]) -> bool:
    """Whether every other memory of a subject is in another cluster than the rest; some are in one at all."""
    sides = [(set(places[::2]) - {None}, set(places[1::2]) - {None}) for places in of_subjects(rows)]
    return any(map(all, sides)) and all(one.isdisjoint(other) for one, other in sides)


def test_people_types_and_namesakes_stay_apart() -> None:
    """So does what has a key or no meaning that the embedder reads, and everything where nothing may join."""
    rows = queries()
    pairs = [replace(each, person=("ana", "ben")[at // _SUBJECTS % 2]) for at, each in enumerate(rows)]
    assert _halves_apart(pairs)
    binding = [replace(each, type=("fact", "plan")[at // _SUBJECTS % 2], loose=False) for at, each in enumerate(rows)]
    assert _halves_apart(binding)
    called = [replace(each, called=frozenset([("olga", ("one", "two")[at % 2])])) for at, each in enumerate(rows)]
    for apart in (
        [replace(each, key="rent") for each in rows],
        [replace(each, lettered=True) for each in rows],
        called,
    ):
        assert returning(apart, Grouping()) == [None] * len(rows)
    assert returning(rows, Grouping(distance=0.0)) == [None] * len(rows)


def test_regrouping_goes_by_it_and_comes_to_the_same_again() -> None:
    """Nobody moves the second time."""
    sittings = [Sitting(memory_id=str(at), group_id=str(at), candidate=each) for at, each in enumerate(queries())]
    numbers = count()
    moves = regroup(sittings, grouping=Grouping(), new_id=lambda: f"new{next(numbers)}").moves
    places = [moves.get(each.memory_id, each.group_id) for each in sittings]
    for at in range(_SUBJECTS):
        assert Counter(places[at : _SUBJECTS * _EACH : _SUBJECTS]).most_common(1)[0][1] >= _EACH - 1
    moved = [replace(each, group_id=place) for each, place in zip(sittings, places, strict=True)]
    assert regroup(moved, grouping=Grouping(), new_id=lambda: "none").moves == {}


def test_what_comes_back_stays_together_where_most_keep_company() -> None:
    """One that shares no word stays with three that do; three such leave one."""
    harp = [replace(row(np.eye(8)[at]), words=frozenset({"harp"})) for at in range(3)]
    other = replace(row(np.eye(8)[3]), words=frozenset({"tin"}))
    apart = [replace(row(np.eye(8)[at % 4 + 4]), words=frozenset({f"word{at}"})) for at in range(20)]
    rows, places = [*harp, other, *apart], [0, 0, 0, 0, *range(1, 21)]
    assert strays(rows, places) == [3]
    assert strays(rows, places, [0] * 4 + [None] * 20) == []
    words = [frozenset({name}) for name in ("harp", "harp", "tin", "oak", "fog", "hay")]
    mixed = [replace(row(np.eye(8)[at]), words=each) for at, each in enumerate(words)]
    assert len(strays([*mixed, *apart], [0] * 6 + [*range(1, 21)], [0] * 6 + [None] * 20)) == 4
