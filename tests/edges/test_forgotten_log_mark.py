"""A start reads of the forgotten-log what the database has not heard of."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.bootstrap import Runtime
from precis.keys.forgotten_log import ForgottenLog, Mark, Unread
from precis.keys.keyring import Keyring
from precis.keys.vault import Vault
from precis.store.postgres import postgres_store

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Watched(ForgottenLog):
    """A log that notes how many lines were read of it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.lines = 0

    def unread(self, tenant_id: str, since: Mark, *, limit: int) -> Unread:
        """The same."""
        found = super().unread(tenant_id, since, limit=limit)
        self.lines += len(found.entries)
        return found


async def test_the_next_start_reads_the_rest_only(runtime: Runtime, tenant: str, tmp_path: Path) -> None:
    """Three forgets, a start, one more forget, a start; then a database that lost its mark and its receipts.

    A forget is two lines: what goes, before the commit, and the signed receipt after it.
    """
    app, settings = runtime.app(tenant), runtime.settings
    log = Watched(settings.forgotten_folder)
    store = postgres_store(runtime.database, Keyring(settings.keys_folder), runtime.engine.policies, log)
    now = runtime.engine.clock()
    await app.memories.add([{"id": f"m{n}", "text": f"Note number {n}.", "user_id": "ana"} for n in range(5)])
    for n in range(3):
        await app.memories.forget(f"m{n}")
    assert (await store.restoring.forget_again(tenant, now=now, edit=app.memories.edit), log.lines) == (0, 6)
    assert (await store.restoring.forget_again(tenant, now=now, edit=app.memories.edit), log.lines) == (0, 6)
    await app.memories.forget("m3")
    assert (await store.restoring.forget_again(tenant, now=now, edit=app.memories.edit), log.lines) == (0, 8)
    # As a copy from before all of it would be, with a memory that is in it still.
    keys = Vault(Keyring(settings.keys_folder)).keys(tenant)
    log.forgot(keys, "of another machine", ["m4"], until=runtime.engine.clock())
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("DELETE FROM receipts WHERE tenant_id = %s", (tenant,))
        await connection.execute("DELETE FROM receipt_heads WHERE tenant_id = %s", (tenant,))
    assert await store.restoring.forget_again(tenant, now=now, edit=app.memories.edit) == 1
    assert (await app.memories.list()).rows == ()
    read = log.lines
    # What is forgotten again is in the log already: a second line would be later there than a revival in between.
    assert (await store.restoring.forget_again(tenant, now=now, edit=app.memories.edit), log.lines - read) == (0, 0)
