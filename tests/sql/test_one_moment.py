"""Reading in one moment: nothing is written in it, and nobody gets its connection as it was."""

from __future__ import annotations

import asyncio

import pytest
from psycopg.errors import ReadOnlySqlTransaction

from precis.bootstrap import Runtime

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
