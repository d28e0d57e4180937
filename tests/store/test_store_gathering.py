"""Writes that come at once are made together; what is kept of clusters between writes is never out of date."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from store_steps import EVERYTHING, POLICY, notes, store_with

from precis.bootstrap import Runtime
from precis.errors import Conflict, NotFound, StoreUnavailable
from precis.store.changes.gathering import Gathering
from precis.store.changes.writing import Added
from precis.store.postgres import PostgresStore
from precis.store.rows import NewMemory
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def store(runtime: Runtime) -> PostgresStore:
    """A store that knows the policy."""
    return store_with(runtime, {POLICY.name: POLICY})


async def test_one_that_is_refused_refuses_no_other(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Of eight writes at once, one contradicts what is there: the seven are made, and it alone is told."""
    (first,) = notes(tenant, clock, ["the first loom"])
    await store.memories.add(tenant, [first], policy=POLICY, now=clock())
    others = notes(tenant, clock, [f"loom number {at}" for at in range(7)], first=1)
    wrong = notes(tenant, clock, ["another loom altogether"])
    answers = await asyncio.gather(
        *(store.memories.add(tenant, [row], policy=POLICY, now=clock()) for row in [*others[:3], *wrong, *others[3:]]),
        return_exceptions=True,
    )
    assert [at == 3 for at in range(8)] == [isinstance(answer, Conflict) for answer in answers]
    assert {f"n{at}" for at in range(8)} == {
        memory.id for memory in (await store.memories.list(tenant, EVERYTHING, limit=20, cursor=None)).rows
    }


async def test_each_is_told_of_its_own(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """The same id twice at once: it is made once, and both know it; users know nothing of each other."""
    (kiln,) = notes(tenant, clock, ["a kiln"])
    (drone,) = notes(tenant, clock, ["a drone"], user="ben", first=1)
    answers = await asyncio.gather(
        *(store.memories.add(tenant, [row], policy=POLICY, now=clock()) for row in (drone, kiln, kiln, drone))
    )
    assert [["n1"], ["n0"], ["n0"], ["n1"]] == [[row.id for row in answer] for answer in answers]
    assert [True, True, False, False] == [row.created for answer in answers for row in answer]
    assert answers[0][0].group_id != answers[1][0].group_id


async def test_those_that_wait_share_a_transaction(tenant: str, clock: FrozenClock) -> None:
    """Whoever comes first is written at once; the five that come meanwhile are one write."""
    transactions: list[list[str]] = []
    going_on = asyncio.Event()

    async def write(_: str, rows: list[NewMemory], *__: object) -> list[Added]:
        transactions.append([row.memory.id for row in rows])
        await going_on.wait()
        return [Added(id=row.memory.id, created=True, group_id=None) for row in rows]

    gathering = Gathering(write)  # type: ignore[arg-type]
    rows = notes(tenant, clock, [f"tent {at}" for at in range(6)])
    tasks = [asyncio.create_task(gathering.add(tenant, [row], POLICY, clock())) for row in rows]
    await asyncio.sleep(0)
    tasks.pop(2).cancel()
    going_on.set()
    answers = await asyncio.gather(*tasks)
    assert [["n0"], ["n1", "n3", "n4", "n5"]] == transactions
    assert ["n0", "n1", "n3", "n4", "n5"] == [row.id for answer in answers for row in answer]


async def test_what_is_in_doubt_is_not_written_again(tenant: str, clock: FrozenClock) -> None:
    """The answer to a transaction was lost: everybody in it is told so, and nobody is written twice."""
    transactions = 0

    async def write(*_: object) -> list[Added]:
        nonlocal transactions
        transactions += 1
        await asyncio.sleep(0)
        raise StoreUnavailable

    gathering = Gathering(write)
    adding = [gathering.add(tenant, [row], POLICY, clock()) for row in notes(tenant, clock, ["a", "b", "c"])]
    answers = await asyncio.gather(*adding, return_exceptions=True)
    assert [True] * 3 == [isinstance(answer, StoreUnavailable) for answer in answers]
    assert transactions == 2


async def test_a_cluster_is_read_again_once_another_changed_it(
    runtime: Runtime, store: PostgresStore, tenant: str, clock: FrozenClock
) -> None:
    """Two processes write to one subject, and one forgets in it: each joins rows to what is there now."""
    other = store_with(runtime, {POLICY.name: POLICY})
    texts = [f"the greenhouse has {at} panes" for at in range(6)]
    rows = [replace(row, memory=replace(row.memory, extracted_key="greenhouse")) for row in notes(tenant, clock, texts)]
    groups = []
    for at, row in enumerate(rows[:4]):
        (added,) = await (store, other)[at % 2].memories.add(tenant, [row], policy=POLICY, now=clock())
        groups.append(added.group_id)
    assert len(set(groups)) == 1
    await other.memories.forget(tenant, [row.memory.id for row in rows[:4]], now=clock())
    (added,) = await store.memories.add(tenant, [rows[4]], policy=POLICY, now=clock())
    assert added.group_id not in groups
    (again,) = await other.memories.add(tenant, [rows[5]], policy=POLICY, now=clock() + timedelta(minutes=1))
    assert added.group_id == again.group_id
    with pytest.raises(NotFound):
        await store.groups.snapshot(tenant, str(groups[0]))
