"""Which cluster a row joins: by key, else by nearest centroid, never across people."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.engine.grouping import Candidate, Cluster, Grouping, Vector, assign


def unit(*figures: float) -> Vector:
    """A unit vector in four dimensions."""
    vector = np.zeros(4, dtype=np.float32)
    vector[: len(figures)] = figures
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length, dtype=np.float32) if length else vector


def row(key: str | None = None, vector: Vector | None = None, person: str | None = None) -> Candidate:
    """A row on its way in."""
    return Candidate(key=key, person=person, vector=unit() if vector is None else vector)


def cluster(group_id: str, key: str | None = None, vector: Vector | None = None, person: str | None = None) -> Cluster:
    """A standing cluster of four members."""
    centroid = unit() if vector is None else vector
    return Cluster(group_id=group_id, key=key, person=person, centroid=centroid, members=4)


def place(rows: list[Candidate], standing: list[Cluster]) -> tuple[list[str], list[Cluster]]:
    """Assign with ids new0, new1, ..."""
    numbers = count()
    return assign(rows, standing, grouping=Grouping(), new_id=lambda: f"new{next(numbers)}")


def test_the_key_decides() -> None:
    """Even when another centroid is nearer."""
    standing = [cluster("tea", "tea", unit(0, 1)), cluster("train", "train", unit(1))]
    assert place([row("tea", unit(1))], standing)[0] == ["tea"]


def test_rows_of_one_key_open_one_cluster() -> None:
    """A batch is placed row by row, each seeing the ones before."""
    chosen, touched = place([row("tea"), row("train"), row("tea")], [])
    assert chosen == ["new0", "new1", "new0"]
    assert {one.group_id: one.members for one in touched} == {"new0": 2, "new1": 1}


def test_a_row_without_a_key_joins_the_nearest() -> None:
    """Within the distance; beyond it, it opens a cluster of its own."""
    standing = [cluster("far", "far", unit(0, 1)), cluster("near", "near", unit(1, 0.1))]
    assert place([row(None, unit(1)), row(None, unit(0, 0, 1))], standing)[0] == ["near", "new0"]


def test_a_named_subject_takes_in_only_what_is_clearly_of_it() -> None:
    """As far off, a row without a key joins a cluster without one and no other; and the other way around."""
    away, less = unit(1, 2.5), unit(1, 1.5)
    assert place([row(None, away)], [cluster("plain", None, unit(1))])[0] == ["plain"]
    assert place([row(None, away)], [cluster("tea", "tea", unit(1))])[0] == ["new0"]
    assert place([row("tea", away)], [cluster("plain", None, unit(1))])[0] == ["new0"]
    assert place([row(None, less)], [cluster("tea", "tea", unit(1)), cluster("plain", None, unit(1))])[0] == ["plain"]


def test_spellings_of_a_key_are_merged() -> None:
    """Near, and two spellings of one subject; near alone is not enough."""
    standing = [cluster("theme", "ui theme", unit(1))]
    assert place([row("ui-theme", unit(1, 0.1))], standing)[0] == ["theme"]
    assert place([row("screen size", unit(1, 0.1))], standing)[0] == ["new0"]
    assert place([row("ui-theme", unit(0, 1))], standing)[0] == ["new0"]


def test_people_never_join() -> None:
    """Neither by key nor by nearness."""
    standing = [cluster("anna", "job", unit(1), person="Anna")]
    assert place([row("job", unit(1), person="Ben")], standing)[0] == ["new0"]
    assert place([row(None, unit(1), person="Ben")], standing)[0] == ["new0"]
    assert place([row(None, unit(1))], standing)[0] == ["new0"]
    assert place([row("job", unit(1), person="Anna")], standing)[0] == ["anna"]


def test_the_likest_person_of_a_key() -> None:
    """A row about Ben goes to Ben's cluster, not to the one about nobody."""
    standing = [cluster("nobody", "job"), cluster("ben", "job", person="Ben")]
    assert place([row("job", person="Ben"), row("job")], standing)[0] == ["ben", "nobody"]


def test_a_cluster_learns() -> None:
    """A key and a person it did not know, from the row that joins."""
    chosen, touched = place([row("tea", unit(1))], [cluster("plain", None, unit(1, 0.1))])
    assert chosen == ["plain"]
    assert (touched[0].key, touched[0].members) == ("tea", 5)


def test_a_row_without_words_opens_a_cluster() -> None:
    """A zero vector is near nothing, not even to another zero vector."""
    assert place([row(), row()], [])[0] == ["new0", "new1"]
    assert place([row()], [cluster("zero", "tea")])[0] == ["new0"]


def test_only_touched_clusters_are_answered() -> None:
    """The store writes nothing it need not write."""
    _, touched = place([row("tea")], [cluster("tea", "tea"), cluster("train", "train")])
    assert [one.group_id for one in touched] == ["tea"]


def test_the_board_grows() -> None:
    """More clusters than were made room for."""
    rows = [row(f"key {at}") for at in range(80)]
    chosen, touched = place(rows, [])
    assert 80 == len(set(chosen)) == len(touched)
    again, _ = place(rows, touched)
    assert chosen == again


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([None, "a1", "zz"]), st.integers(0, 3)), min_size=1, max_size=30))
def test_centroids_are_means(drawn: list[tuple[str | None, int]]) -> None:
    """Whatever joins, a centroid is the mean of its rows, and every row is in one cluster."""
    rows = [row(key, unit(*np.eye(4)[at])) for key, at in drawn]
    chosen, touched = place(rows, [])
    assert len(rows) == sum(one.members for one in touched)
    for one in touched:
        members = [each.vector for each, group_id in zip(rows, chosen, strict=True) if group_id == one.group_id]
        assert one.centroid == pytest.approx(np.mean(members, axis=0), abs=1e-5)


def test_what_a_row_has_in_common_with_the_whole_scope_does_not_count() -> None:
    """Every two are as alike as the row and the tea are: only what none else has tells that it is about tea."""
    shared, *subjects = np.eye(9, dtype=np.float32)
    standing = [cluster(str(at), None, _halfway(shared, subject)) for at, subject in enumerate(subjects[:-1])]
    assert place([row(None, _halfway(shared, subjects[0]))], standing)[0] == ["0"]
    assert place([row(None, _halfway(shared, subjects[-1]))], standing)[0] == ["new0"]
    assert place([row(None, _halfway(shared, subjects[-1]))], standing[:1])[0] == ["0"]


def _halfway(first: Vector, second: Vector) -> Vector:
    return np.asarray((first + second) / 2**0.5, dtype=np.float32)


def test_among_many_clusters_chance_is_near() -> None:
    """The limit narrows as clusters grow in number; of few it is what was set."""
    limits = [Grouping().limit(row(), clusters) for clusters in (0, 20, 200, 2_000)]
    assert limits[0] == limits[1] == Grouping().distance
    assert limits[1] > limits[2] > limits[3] > 0


def test_a_row_by_its_letters_joins_only_from_nearer() -> None:
    """Letters are shared by function words as well."""
    near, standing = unit(1, 2.9), [cluster("tea", None, unit(1))]
    assert place([row(None, near)], standing)[0] == ["tea"]
    assert place([Candidate(key=None, person=None, vector=near, lettered=True)], standing)[0] == ["new0"]


def test_the_subject_decides_a_type_that_a_rule_found() -> None:
    """A plan joins the facts it is about; a type that the caller gave binds, and so does a caller's own."""
    facts = [cluster("tea", None, unit(1))]
    plan = Candidate(key=None, person=None, vector=unit(1), type="plan", loose=True)
    assert place([plan], facts)[0] == ["tea"]
    assert place([replace(plan, loose=False)], facts)[0] == ["new0"]
    assert place([plan], [replace(facts[0], type="recipe")])[0] == ["new0"]
    assert place([replace(plan, key="tea")], [replace(facts[0], key="tea")])[0] == ["tea"]
