"""The archive as arithmetic: batches of a backlog, the next run, which originals may go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.engine.policy import Originals
from precis.memory import OldMemory, Tier
from precis.policies.archive import MARKER, Archive, Batch, GroupBy, Schedule, archive, batches, shared

START = datetime(2026, 1, 1, tzinfo=UTC)
candidates = st.lists(
    st.builds(
        OldMemory,
        id=st.uuids().map(str),
        created_at=st.integers(0, 50).map(lambda hours: START + timedelta(hours=hours)),
        user_id=st.sampled_from(["ana", "ben"]),
        project_id=st.sampled_from(["", "boat"]),
        agent_id=st.sampled_from([None, "a", "b"]),
        run_id=st.sampled_from([None, "1", "2"]),
    ),
    max_size=120,
    unique_by=lambda one: one.id,
)


def scope(one: OldMemory, by: GroupBy) -> tuple[str | None, ...]:
    """Whose batch it may be in."""
    apart = {GroupBy.USER: (), GroupBy.AGENT: (one.agent_id,), GroupBy.RUN: (one.agent_id, one.run_id)}
    return (one.user_id, one.project_id, one.environment, *apart[by])


@given(candidates, st.sampled_from(list(GroupBy)), st.integers(1, 60))
def test_the_whole_backlog_is_in_batches(found: list[OldMemory], by: GroupBy, size: int) -> None:
    """Each memory in exactly one; none too large, all of one scope, oldest first; only the last one is not full."""
    made = batches(found, Archive(group_by=by, max_memories_per_batch=size))
    assert sorted(one.id for one in found) == sorted(one.id for batch in made for one in batch.members)
    for batch in made:
        assert 1 <= len(batch.members) <= size
        assert 1 == len({scope(one, by) for one in batch.members})
        assert sorted(batch.members, key=lambda one: one.order) == list(batch.members)
        assert max(one.created_at for one in batch.members) == batch.until
    for whose in {scope(one, by) for one in found}:
        sizes = [len(batch.members) for batch in made if scope(batch.members[0], by) == whose]
        assert [size] * (len(sizes) - 1) == sizes[:-1]


@given(candidates, st.randoms(use_true_random=False))
def test_the_order_in_which_they_are_found_does_not_matter(found: list[OldMemory], dice: object) -> None:
    """The same backlog is the same batches, with the same ids."""
    again = list(found)
    dice.shuffle(again)  # type: ignore[attr-defined]
    assert batches(found, Archive()) == batches(again, Archive())
    assert [one.id for one in batches(found, Archive())] == [one.id for one in batches(again, Archive())]


def test_batches_of_other_members_are_others() -> None:
    """Ids tell them apart, also where one's ids run into each other."""
    made = [
        Batch(members=tuple(OldMemory(id=id_, created_at=START, user_id="ana") for id_ in ids))
        for ids in (["ab", "c"], ["a", "bc"], ["abc"])
    ]
    assert 3 == len({one.id for one in made})


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        (Archive(), 1),
        (Archive(interval_days=3), 3),
        (Archive(schedule=Schedule.NEXT_RUN, interval_days=10), 10),
        (Archive(schedule=Schedule.WEEKLY), 7),
        (Archive(schedule=Schedule.WEEKLY, interval_days=2), 7),
    ],
)
def test_the_next_run(settings: Archive, days: int) -> None:
    """A day, a week, or so many days after this one."""
    assert START + timedelta(days=days) == settings.next_run(START)


def test_which_originals_may_go() -> None:
    """By age, at once, or never."""
    assert START - timedelta(days=365) == Archive().retired_before(START)
    assert Archive(originals=Originals.DELETE).retired_before(START) == START
    assert Archive(originals=Originals.KEEP).retired_before(START) is None


def test_markers() -> None:
    """Ours and that of the document."""
    chosen = Archive(marker="[ours] ")
    assert [True, True, False] == [chosen.marks(text) for text in ("[ours] a", MARKER + "b", "c")]


def test_shared_values() -> None:
    """One for all, or none."""
    assert ("a", None, None) == (shared(["a", "a"]), shared(["a", "b"]), shared([None]))


def test_the_policy() -> None:
    """One member is enough, and small talk is in the batch, so that it retires with the rest."""
    policy = archive(Archive(originals=Originals.DELETE))
    assert (Tier.ARCHIVE, 1, Originals.DELETE) == (policy.tier, policy.trigger.min_members, policy.originals)
    assert frozenset() == policy.select.without
