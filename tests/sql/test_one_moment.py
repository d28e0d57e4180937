"""Reading in one moment: nothing is written in it, and nobody gets its connection as it was."""

from __future__ import annotations

import asyncio

import pytest
from psycopg.errors import ReadOnlySqlTransaction

from precis.app import App
from precis.bootstrap import Runtime
from precis.database.sending import Connection

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: More than the pool has connections.
MANY = 24


async def _kinds(runtime: Runtime, tenant: str) -> set[tuple[str, str]]:
    """What transactions are that write, on every connection of the pool."""

    async def kind() -> tuple[str, str]:
        async with runtime.database.tenant(tenant) as connection:
            asked = await connection.execute(
                "SELECT current_setting('transaction_read_only') AS reads, pg_sleep(0.02),"
                " current_setting('transaction_isolation') AS isolation"
            )
            row = await asked.fetchone()
        assert row is not None
        return row["reads"], row["isolation"]

    return set(await asyncio.gather(*(kind() for _ in range(MANY))))


async def test_it_writes_nothing(runtime: Runtime, tenant: str) -> None:
    """And sees what was there when it began."""
    with pytest.raises(ReadOnlySqlTransaction):
        async with runtime.database.tenant(tenant, one_moment=True) as connection:
            await connection.execute("DELETE FROM memories")
    assert await _kinds(runtime, tenant) == {("off", "read committed")}


async def test_a_cancelled_reader_leaves_connections_as_they_were(runtime: Runtime, tenant: str) -> None:
    """Cancelled at any moment: whoever writes next can."""

    async def read() -> None:
        async with runtime.database.tenant(tenant, one_moment=True) as connection:
            await connection.execute("SELECT pg_sleep(0.03)")

    for pause in (0.0, 0.005, 0.01, 0.02, 0.03, 0.04):
        readers = [asyncio.create_task(read()) for _ in range(MANY)]
        await asyncio.sleep(pause)
        for reader in readers:
            reader.cancel()
        ended = await asyncio.gather(*readers, return_exceptions=True)
        assert {type(one) for one in ended} <= {asyncio.CancelledError, type(None)}
    assert await _kinds(runtime, tenant) == {("off", "read committed")}


async def test_it_reads_what_was_there_when_it_began(runtime: Runtime, tenant: str, app: App) -> None:
    """What another writer commits meanwhile is not seen, in whatever order the reader asks."""
    await app.memories.add([{"id": "m1", "text": "The kayak is green.", "user_id": "ilse"}])
    async with runtime.database.tenant(tenant, one_moment=True) as connection:
        assert {"m1"} == await _ids(connection)
        await app.memories.add([{"id": "m2", "text": "The kayak has a leak.", "user_id": "ilse"}])
        await app.memories.forget("m1")
        assert {"m1"} == await _ids(connection)
    async with runtime.database.tenant(tenant, one_moment=True) as connection:
        assert {"m2"} == await _ids(connection)


async def test_a_plan_is_of_one_moment(runtime: Runtime, tenant: str, app: App) -> None:
    """Members, version and nodes belong together, though a writer takes the nodes away while they are read."""
    texts = ("The kayak is green.", "The kayak has a leak.", "The kayak lies by the lake.")
    rows = [{"text": text, "user_id": "ilse", "type": "fact", "key": "kayak"} for text in texts]
    written = await app.memories.add(rows)
    (group_id,) = {row.group_id for row in written.memories}
    assert group_id is not None
    assert written.summaries
    async with runtime.database.tenant(tenant) as writer:
        await writer.execute("LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE")
        await writer.execute("DELETE FROM nodes WHERE tenant_id = %s", [tenant])
        planning = asyncio.create_task(runtime.store.groups.snapshot(tenant, group_id))
        async with asyncio.timeout(20):
            while not await _waits(writer):
                await asyncio.sleep(0.02)
        assert not planning.done()
    snapshot = await planning
    assert (3, 1) == (len(snapshot.leaves), len(snapshot.nodes))
    assert () == (await runtime.store.groups.snapshot(tenant, group_id)).nodes


async def _ids(connection: Connection) -> set[str]:
    rows = await (await connection.execute("SELECT memory_id FROM memories WHERE tier = 'raw'")).fetchall()
    return {row["memory_id"] for row in rows}


async def _waits(connection: Connection) -> bool:
    """Whether somebody waits for the table."""
    asked = await connection.execute(
        "SELECT count(*) AS waiting FROM pg_locks WHERE relation = 'nodes'::regclass AND NOT granted"
    )
    row = await asked.fetchone()
    return row is not None and row["waiting"] > 0
