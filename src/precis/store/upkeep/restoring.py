"""A database restored from an old copy forgets again, before it is served, what was forgotten since then."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime

import orjson
from psycopg.types.json import Jsonb

from precis.database.connections import Database
from precis.errors import Undecryptable
from precis.keys.forgotten_log import ForgottenLog, Mark, Missed
from precis.keys.vault import Vault
from precis.store.forgetting import Forgetting
from precis.store.memories import read_memories
from precis.store.rows import content_hash
from precis.store.sources import PostgresPools

#: Among the receipts, how far the forgotten-log was heard.
_MARK = "forgotten-log"
#: Lines of the log that are held against the receipts at once.
_LINES = 10_000


class Restoring:
    """What the forgotten-log knows and the database does not."""

    def __init__(
        self, database: Database, vault: Vault, log: ForgottenLog, forgetting: Forgetting, pools: PostgresPools
    ) -> None:
        self._database = database
        self._vault = vault
        self._log = log
        self._forgetting = forgetting
        self._pools = pools

    async def finish(self, tenant_id: str) -> None:
        """What a process that committed may have died before: see Forgetting.finish."""
        await self._forgetting.finish(tenant_id)

    async def forget_again(self, tenant_id: str, *, now: datetime) -> int:
        """Forget it in this database, too; answers how many rows went."""
        async with self._database.tx(tenant_id) as tx:
            marks = await tx.all("read_mark", receipt_id=_MARK)
        since = heard = Mark(**marks[0]["body"]) if marks else Mark()
        missed = Missed()
        while (unread := await asyncio.to_thread(self._log.unread, tenant_id, heard, limit=_LINES)).entries:
            async with self._database.tx(tenant_id) as tx:
                rows = await tx.all("known_receipts", ids=unread.receipts)
            missed.hear(unread, {row["receipt_id"] for row in rows})
            heard = unread.mark
        gone = await self._rows(tenant_id, missed, now) if missed.memories or missed.users else 0
        for pool, hashes in missed.pools.items():
            await self._pools.forget_again(tenant_id, pool, hashes, now=now)
        if heard != since:
            # What was under way while the log was read counts as missed, so up to the mark nothing is left to do.
            here = {"now": now}
            mark = {"receipt_id": _MARK, "body": Jsonb(heard, dumps=orjson.dumps)}
            async with self._database.tx(tenant_id) as tx:
                await tx.run("adopt_receipts", **here, ids=missed.receipts, body=Jsonb({}))
                await tx.run("keep_mark", **here, **mark)
        return gone

    async def _rows(self, tenant_id: str, missed: Missed, now: datetime) -> int:
        """Find the rows by their keyed hashes, and forget them; answers how many.

        A user goes whole. A memory stays where what it says was written again since it was forgotten.
        """
        async with self._database.tx(tenant_id) as tx:
            ids = [row["memory_id"] for row in await tx.all("all_memory_ids")]
            users = [row["user_id"] for row in await tx.all("all_user_ids")]
        keys = self._vault.keys(tenant_id)
        gone = 0
        for user_id in users:
            if keys.user_ref(user_id) in missed.users:
                gone += len((await self._forgetting.forget_user(tenant_id, user_id, now=now, again=True)).forgotten)
        await self._forgetting.destroy_keys(tenant_id, missed.users)
        forgotten = {id_: missed.memories[hash_] for id_ in ids if (hash_ := keys.tombstone(id_)) in missed.memories}
        stays = await self._written_again(tenant_id, forgotten)
        goes = [id_ for id_ in forgotten if id_ not in stays]
        return gone + len((await self._forgetting.forget(tenant_id, goes, now=now, again=True)).forgotten)

    async def _written_again(self, tenant_id: str, forgotten: Mapping[str, Collection[bytes]]) -> set[str]:
        """Those of these ids under which the database says what was written again, and not what was forgotten."""
        ids = [id_ for id_, contents in forgotten.items() if contents]
        if not ids:
            return set()
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("get_memories", ids=ids)
            with suppress(Undecryptable):  # a key of before: nobody can read any of it
                memories = await read_memories(tx, self._vault, rows)
                return {memory.id for memory in memories if content_hash(memory, keys) in forgotten[memory.id]}
        return set()
