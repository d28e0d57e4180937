"""Law 4 against drafts in flight: a forget at any step of a refresh, and nothing derived holds the memory afterwards.

Each test holds the refresh at one step, forgets there, lets it go on, and reads every derived row of the tenant: texts
by their keys, words by their keyed hashes, lineage by the id. The store counts its deadlocks, and there is none.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from psycopg import errors
from racing import CANARY, LASTS, Pausing, Room, now

from precis.bootstrap import Runtime
from precis.database.connections import Database
from precis.database.sending import Connection
from precis.engine.drafted import Result
from precis.engine.engine import Engine
from precis.engine.pipeline import apply, plan, refresh
from precis.engine.segments import Shape
from precis.errors import SourceChanged
from precis.policies.clusters import clusters
from precis.testing.fakes import Quoting, count_words

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: One prompt for a handful, and segments for a dozen.
WHOLE = clusters()
CUT = replace(WHOLE, shape=Shape(segment_tokens=14, segment_limit=40, small_tokens=20, fan=3, fan_limit=6))


@pytest.fixture(params=["whole", "cut"])
def shape(request: pytest.FixtureRequest) -> str:
    """A cluster of one prompt, and one with segments."""
    return str(request.param)


@pytest.fixture
def deadlocks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Counts the deadlocks that the store would quietly try again: tenants, one a time."""
    seen: list[str] = []
    transaction = Database.tenant

    @asynccontextmanager
    async def watched(self: Database, tenant_id: str, **how: bool) -> AsyncIterator[Connection]:
        try:
            async with transaction(self, tenant_id, **how) as connection:
                yield connection
        except errors.DeadlockDetected:
            seen.append(tenant_id)
            raise

    monkeypatch.setattr(Database, "tenant", watched)
    return seen


@pytest.fixture
def room(runtime: Runtime, tenant: str, shape: str, deadlocks: list[str]) -> Room:
    """A room of the test's own, over the shared database."""
    policy = WHOLE if shape == "whole" else CUT
    model, embedder = Quoting(), Pausing()
    engine = Engine(
        groups=runtime.store.groups, policies={policy.name: policy}, summarizer=model, fallback=model,
        embedder=embedder, count=count_words, clock=now,
    )  # fmt: skip
    return Room(
        tenant=tenant, database=runtime.database, store=runtime.store, deadlocks=deadlocks, engine=engine,
        model=model, embedder=embedder,
    )  # fmt: skip


MEMBERS = [f"m{n}" for n in range(9)]


async def test_the_canary_is_found_while_it_is_there(room: Room) -> None:
    """The checks themselves: before the forget each of them sees the memory."""
    await room.write(9, canary=2)
    assert (await room.refresh()).result is Result.COMMITTED
    texts = [where for where, text in (await room.said()).items() if CANARY in text]
    assert "m2" in texts
    assert any(where.startswith("root ") for where in texts)
    assert set(await room.traces("m2")) == {
        "memories", "members", "node_sources", "statement_sources", "terms of memories", "terms of statements",
    }  # fmt: skip


async def test_before_the_snapshot(room: Room) -> None:
    """The lease is taken, nothing is read yet."""
    await room.write(9, canary=2)
    lease = await room.claim()
    await room.forget("m2")
    outcome = await refresh(room.engine, lease)
    assert outcome.result is Result.COMMITTED
    await room.gone("m2")
    await room.settled(*set(MEMBERS) - {"m2"})


async def test_after_a_lease_that_came_with_its_snapshot(room: Room) -> None:
    """What the plan reads was read with the lease: the forget discards the draft, and the next one is without it."""
    await room.write(9, canary=2)
    lease = await room.engine.claim(room.tenant, room.group_id)
    assert lease is not None
    assert lease.snapshot is not None
    assert "m2" in {leaf.id for leaf in lease.snapshot.leaves}
    await room.forget("m2")
    outcome = await refresh(room.engine, lease)
    assert outcome.result is Result.DISCARDED
    assert not [r for r in room.model.requests for i in r.items if CANARY in i.text]
    await room.gone("m2")
    await room.settled(*set(MEMBERS) - {"m2"})


async def test_between_the_plan_and_the_read(room: Room) -> None:
    """The plan names the memory, its text is not read any more."""
    await room.write(9, canary=2)
    lease = await room.claim()
    planned = await plan(room.engine, room.tenant, room.group_id, room.policy_name)
    await room.forget("m2")
    with pytest.raises(SourceChanged):
        await apply(room.engine, lease, planned)
    await room.engine.groups.release(lease, retry_at=now(), error=None, now=now())
    assert not [r for r in room.model.requests for i in r.items if CANARY in i.text]
    await room.gone("m2")
    await room.settled(*set(MEMBERS) - {"m2"})


async def test_between_the_read_and_the_draft(room: Room) -> None:
    """The model has the text and answers with it after it was forgotten."""
    await room.write(9, canary=0)

    async def act() -> None:
        await room.forget("m0")
        await room.gone("m0")

    room.model.meanwhile = act
    outcome = await room.refresh()
    assert [i.text for i in room.model.requests[0].items if CANARY in i.text]
    assert outcome.result is Result.DISCARDED
    await room.gone("m0")
    await room.settled(*MEMBERS[1:])


async def test_between_the_draft_and_the_commit(room: Room) -> None:
    """The summary is drafted and checked, not written."""
    await room.write(9, canary=4)

    async def act() -> None:
        await room.forget("m4")
        await room.gone("m4")

    room.embedder.meanwhile = act
    assert (await room.refresh()).result is Result.DISCARDED
    await room.gone("m4")
    await room.settled(*set(MEMBERS) - {"m4"})


@pytest.mark.parametrize("shape", ["cut"], indirect=True)
@pytest.mark.parametrize("after", [1, 2, 3])
async def test_between_the_commits_of_two_nodes(room: Room, after: int) -> None:
    """Nodes below the summary are kept one by one: forgotten after some of them, read or not yet read."""
    await room.write(24, canary=2)
    model, calls = room.model, 0

    async def at_each_call() -> None:
        nonlocal calls
        calls += 1
        if calls == after + 1:
            await room.forget("m2")
            await room.gone("m2")
        model.meanwhile = at_each_call

    model.meanwhile = at_each_call
    outcome = await room.refresh()
    assert calls > after
    assert outcome.result is Result.DISCARDED
    model.meanwhile = None
    await room.gone("m2")
    await room.settled(*(f"m{n}" for n in range(24) if n != 2))


async def test_while_a_standing_summary_is_refreshed(room: Room) -> None:
    """A summary stands; the refresh over a new member holds the draft while an old member is forgotten."""
    await room.write(8, canary=3)
    await room.refresh()
    await room.write(1, canary=-1, first=8)

    async def act() -> None:
        receipt = await room.forget("m3")
        assert receipt.statements_removed >= 1
        await room.gone("m3")

    room.model.meanwhile = act
    assert (await room.refresh()).result is Result.DISCARDED
    await room.gone("m3")
    await room.settled(*set(MEMBERS) - {"m3"})


async def test_concurrently_with_the_commit(room: Room) -> None:
    """Both are let go at the same moment, many times: whichever wins, the memory is gone when both are done."""
    results = set()
    waits = random.Random(7)  # noqa: S311 - moments, no secrets
    for turn in range(12):
        first = 20 * turn
        await room.write(6, canary=first + 3, first=first)
        gate = asyncio.Event()

        async def act(gate: asyncio.Event = gate, wait: float = waits.uniform(0, 0.006)) -> None:
            gate.set()
            await asyncio.sleep(wait)

        async def forget(gate: asyncio.Event = gate, id_: str = f"m{first + 3}") -> None:
            await gate.wait()
            await room.forget(id_)

        room.embedder.meanwhile = act
        forgetting = asyncio.create_task(forget())
        results.add((await room.refresh()).result)
        await forgetting
        await room.gone(f"m{first + 3}")
    assert results <= {Result.COMMITTED, Result.DISCARDED}
    await room.settled(*(f"m{20 * turn + n}" for turn in range(12) for n in range(6) if n != 3))


async def test_a_storm_of_writes_forgets_and_refreshes(room: Room) -> None:
    """Three writers, two forgetters and two workers on one cluster: no deadlock, nothing forgotten left."""
    await room.write(3, canary=-1)
    written: asyncio.Queue[str] = asyncio.Queue()
    done = asyncio.Event()

    async def write(who: int) -> None:
        for n in range(6):
            ids = [f"s{who}-{n}-{k}" for k in range(2)]
            rows = [room.row(ids[0], CANARY), room.row(ids[1], f"word{who}{n}")]
            await room.store.memories.add(room.tenant, rows, policy=room.policy, now=now())
            written.put_nowait(ids[0])

    async def forget() -> None:
        for _ in range(9):
            await room.forget(await written.get())

    async def work() -> None:
        while not done.is_set():
            lease = await room.engine.groups.claim(room.tenant, now=now(), lasts=LASTS)
            if lease is not None:
                await refresh(room.engine, lease)
            await asyncio.sleep(0.001)

    working = [asyncio.create_task(work()) for _ in range(2)]
    async with asyncio.timeout(30):
        await asyncio.gather(*(write(who) for who in range(3)), *(forget() for _ in range(2)))
    done.set()
    await asyncio.gather(*working)
    for who in range(3):
        for n in range(6):
            await room.gone(f"s{who}-{n}-0")
    survivors = [f"s{who}-{n}-1" for who in range(3) for n in range(6)]
    await room.settled("m0", "m1", "m2", *survivors)


async def test_the_counter_sees_a_deadlock(runtime: Runtime, tenant: str, deadlocks: list[str]) -> None:
    """The check itself: two transactions that wait for each other are counted."""
    first, second = asyncio.Event(), asyncio.Event()

    async def cross(mine: int, other: int, ready: asyncio.Event, wait: asyncio.Event) -> None:
        async with runtime.database.tenant(tenant) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(727, %s)", [mine])
            ready.set()
            await wait.wait()
            await connection.execute("SELECT pg_advisory_xact_lock(727, %s)", [other])

    outcomes = await asyncio.gather(cross(1, 2, first, second), cross(2, 1, second, first), return_exceptions=True)
    assert [type(one) for one in outcomes if one is not None] == [errors.DeadlockDetected]
    assert deadlocks == [tenant]
