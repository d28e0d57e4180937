"""Forgetting a user while the user still writes: the write ends first and is forgotten, or comes after as a new one."""

from __future__ import annotations

import asyncio

import pytest

from precis.bootstrap import Runtime
from precis.errors import Forgotten

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def waiting(runtime: Runtime, count: int) -> None:
    """Until so many transactions of ours wait for a row or a transaction."""
    async with asyncio.timeout(30):
        while True:
            async with runtime.database.directory() as connection:
                asked = await connection.execute(
                    "SELECT count(DISTINCT pid) AS n FROM pg_locks WHERE NOT granted "
                    "AND locktype IN ('tuple', 'transactionid')"
                )
                row = await asked.fetchone()
            if row is not None and row["n"] >= count:
                return
            await asyncio.sleep(0.02)


async def test_a_write_in_flight_is_forgotten_with_the_user(runtime: Runtime, tenant: str) -> None:
    """It has inserted its row and not committed: the forget waits for it, names it, buries it, and leaves no row."""
    app = runtime.app(tenant)
    rows = [{"id": f"m{n}", "user_id": "mira", "text": f"Mira drinks tea {n}.", "type": "fact", "key": "tea"}
            for n in range(2)]  # fmt: skip
    (first,) = (await app.memories.add(rows[:1])).memories
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("SELECT 1 FROM groups WHERE group_id = %s FOR UPDATE", [first.group_id])
        writing = asyncio.create_task(app.memories.add(rows[1:]))
        await waiting(runtime, 1)
        forgetting = asyncio.create_task(app.memories.forget_user("mira"))
        await waiting(runtime, 2)
    await writing
    receipt = await forgetting
    assert set(receipt.forgotten) == {"m0", "m1"}
    assert receipt.key_destroyed
    async with runtime.database.tenant(tenant) as connection:
        for table in ("memories", "members", "groups", "user_keys", "postings"):
            asked = await connection.execute(f"SELECT count(*) AS n FROM {table}")  # noqa: S608
            assert (await asked.fetchone() or {})["n"] == 0, table
    with pytest.raises(Forgotten):
        await app.memories.add(rows[1:])
