"""Forgetting in PostgreSQL: memories, a part of one or a whole user, with the receipt and the forgotten-log."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from precis.database.connections import Database, Row, Tx, retried
from precis.engine.forgetting import External, Receipt, WhatWent
from precis.errors import NotFound
from precis.ids import as_said, as_sent
from precis.keys import chain, forgotten_log, log_lines, receipts
from precis.keys.vault import Vault
from precis.memory import Memory
from precis.store.changes.posting import delete_memories
from precis.store.changes.redacting import Leaves, Redacting, receipt_of
from precis.store.rows import content_hash
from precis.trust import role_in_chats

#: What goes with a user besides raw memories and the key.
_OF_USER = (
    "delete_groups_of_user", "delete_conversations_of_user", "delete_zone_of_user",
    "delete_feedback_of_user", "delete_counts_of_user", "delete_previews_of_user",
    "delete_vector_lists_of_user",
)  # fmt: skip


#: In the place of what a memory said: something was taken from it, and what it said does not come back by itself.
TAKEN = ""


class Removed(NamedTuple):
    """What forgetting did in the database."""

    receipt: Receipt
    #: As that of a Redaction.
    until: datetime
    #: Names of what the messages among it said in their conversations.
    lines: Sequence[str] = ()


class Tombstones:
    """What stands for the ids that were forgotten, and for what a memory said before a part of it was."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    async def bury(self, tx: Tx, memory_id: str, texts: Sequence[str], *, now: datetime) -> None:
        """Remember these texts of a memory by their keyed hashes: a part of each was forgotten."""
        hashes = [self._vault.keys(tx.tenant_id).tombstone(as_said(memory_id, text)) for text in {TAKEN, *texts}]
        await tx.many("insert_tombstone", [{"hash": hash_, "now": now, "renewable": False} for hash_ in hashes])

    async def lines(self, tx: Tx, ids: Sequence[str]) -> list[str]:
        """Names of what these messages say in their conversations: a client that sends all of it again has no ids."""
        rows = await tx.all("words_of_messages", ids=list(ids))
        return [as_sent(row["conversation_id"], role_in_chats(row["role"]), row["text_hash"]) for row in rows]

    async def known(self, tx: Tx, memories: Sequence[Memory]) -> list[Row]:
        """Of these ids those that were forgotten. None is renewable with just a text of which a part was forgotten."""
        keys = self._vault.keys(tx.tenant_id)
        said = {keys.tombstone(as_said(m.id, m.text or "")): keys.tombstone(m.id) for m in memories}
        rows = await tx.all("tombstoned", hashes=[*said, *said.values()])
        lessened = {said[row["memory_hash"]] for row in rows if row["memory_hash"] in said}
        return [
            {**row, "renewable": row["renewable"] and row["memory_hash"] not in lessened}
            for row in rows
            if row["memory_hash"] not in said
        ]

    async def lift(self, tx: Tx, memory: Memory) -> None:
        """Whoever edits a memory to what it said before a part of it was forgotten says that anew."""
        stone = self._vault.keys(tx.tenant_id).tombstone(as_said(memory.id, memory.text or ""))
        await tx.run("delete_tombstones", hashes=[stone])


class Forgetting:
    """What leaves when a memory is forgotten or edited."""

    def __init__(self, database: Database, vault: Vault, log: forgotten_log.ForgottenLog, redacting: Redacting) -> None:
        self._database = database
        self._vault = vault
        self._log = log
        self._redacting = redacting
        self.chain = chain.Chain(vault, log)
        self.tombstones = Tombstones(vault)

    @retried
    async def _forget(self, tenant_id: str, ids: Sequence[str], now: datetime, renewable: bool) -> Receipt:  # noqa: FBT001
        async with self._database.tx(tenant_id) as tx:
            return await self.forget_within(tx, ids, now=now, renewable=renewable)

    async def forget(self, tenant_id: str, ids: Sequence[str], *, now: datetime, renewable: bool = False) -> Receipt:
        """Law 4. Ids of summaries are refused with Conflict (delete the summary instead).

        With ``renewable`` no person asked for it: whoever has these ids may write them again. Ids that name no memory
        are ``not_found``; where none does, nothing is written.
        """
        receipt = await self._forget(tenant_id, ids, now, renewable)
        if receipt.forgotten:
            await self.finish(tenant_id)
        return receipt

    async def forget_within(self, tx: Tx, ids: Sequence[str], *, now: datetime, renewable: bool) -> Receipt:
        """The same as the last step of a caller's transaction that may still fail."""
        receipt, until, lines = await self.remove(tx, ids, now=now, renewable=renewable)
        if receipt.forgotten:
            keys, gone = self._vault.keys(tx.tenant_id), [*receipt.forgotten, *lines]
            await asyncio.to_thread(self._log.forgot, keys, receipt.id, gone, until=until, renewable=renewable)
        return receipt

    async def forget_part(
        self, tx: Tx, receipt: Receipt, part: log_lines.Part, *, user_id: str, until: datetime, said: str
    ) -> Receipt:  # fmt: skip
        """The same of a part of a memory, as the last step of the edit with this receipt.

        What the memory ``said`` until then is refused from now on: whoever sends it again does not write it anew.
        """
        keys, (memory_id,) = self._vault.keys(tx.tenant_id), receipt.forgotten
        await self.tombstones.bury(tx, memory_id, [said], now=receipt.at)
        edit = replace(receipt, forgotten=())
        kept = await self._keep(tx, edit, {user_id}, what=WhatWent.PART, memories=[receipts.hashed(keys, memory_id)])
        await asyncio.to_thread(self._log.forgot, keys, receipt.id, [memory_id], until=until, part=part)
        return kept

    async def remove(
        self, tx: Tx, ids: Sequence[str], *, now: datetime, renewable: bool, again: bool = False
    ) -> Removed:
        """What forgetting does in the database, but no note in the forgotten-log.

        What is forgotten ``again`` has a receipt already. Facts that rest on a message go with it, unless it may be
        written again: a session of the wire that ends leaves behind what was learned in it, and may say it again.
        """
        lines: Sequence[str] = ()
        if not renewable:
            # Whoever finds facts in them ends first.
            await tx.all("lock_memories", ids=sorted(set(ids)))
            ids = [*ids, *(row["memory_id"] for row in await tx.all("facts_resting_on", ids=list(ids)))]
            await tx.run("read_repeated", ids=list(ids), now=now)
            lines = await self.tombstones.lines(tx, ids)
        redaction = await self._redacting.redact(tx, ids, leaves=Leaves.ALL, now=now)
        if not redaction.ids:
            return Removed(receipt_of(redaction, Counter()), redaction.until)  # it certifies nothing: it is not kept
        receipt = await self._redacting.settle(tx, redaction)
        await self._bury(tx, receipt.forgotten, now, renewable=renewable, lines=lines)
        await delete_memories(tx, receipt.forgotten)
        if not again:
            receipt = await self._keep(tx, receipt, redaction.users, renewable=renewable)
        return Removed(receipt, redaction.until, lines)

    async def remove_facts(self, tx: Tx, ids: Sequence[str], *, now: datetime) -> None:
        """Messages say something else now: the facts go that rest on what they said. They may be found again."""
        facts = [row["memory_id"] for row in await tx.all("facts_resting_on", ids=list(ids))]
        if facts:
            await self.remove(tx, facts, now=now, renewable=True, again=True)

    async def forget_user(self, tenant_id: str, user_id: str, *, now: datetime) -> Receipt:
        """Every row of the user goes, then the user's key. Raises NotFound where there is neither."""
        receipt = await self._forget_user(tenant_id, user_id, now)
        await self.finish(tenant_id)
        return receipt

    async def refuse_stranger(self, tenant_id: str, user_id: str) -> None:
        """Raise NotFound for a user of whom there is neither a row nor a key."""
        async with self._database.tx(tenant_id) as tx:
            await self._refuse_stranger(tx, user_id)

    @retried
    async def _forget_user(self, tenant_id: str, user_id: str, now: datetime) -> Receipt:
        async with self._database.tx(tenant_id) as tx:
            await self._vault.lock(tx, user_id)  # writers of this user end first, or wait
            await self._refuse_stranger(tx, user_id)
            until = max(now, await last_written(tx, user_id) or now)
            receipt = await self.remove_user(tx, user_id, now=now)
            keys = self._vault.keys(tenant_id)
            await asyncio.to_thread(self._log.forgot, keys, receipt.id, receipt.forgotten, until=until, user_id=user_id)
        return receipt

    async def remove_user(self, tx: Tx, user_id: str, *, now: datetime, again: bool = False) -> Receipt:
        """The same of a user."""
        who = {"user_id": user_id}
        ids = sorted(row["memory_id"] for row in await tx.all("ids_of_user", **who))
        redaction = await self._redacting.redact(tx, ids, leaves=Leaves.ALL, now=now)
        receipt = await self._redacting.settle(tx, redaction)
        await self._bury(tx, receipt.forgotten, now)
        await delete_memories(tx, [row["memory_id"] for row in await tx.all("rows_of_user", **who)])
        for query in _OF_USER:
            await tx.run(query, **who)
        destroyed = await self._vault.destroy(tx, [self._vault.keys(tx.tenant_id).user_ref(user_id)])
        pools = await tx.all("pools_of_user", **who)
        elsewhere = tuple(External(where=row["pool"], state="out of reach") for row in pools)
        receipt = replace(receipt, key_destroyed=destroyed, external=elsewhere)
        return receipt if again else await self._keep(tx, receipt, {user_id}, what=WhatWent.USER)

    async def _refuse_stranger(self, tx: Tx, user_id: str) -> None:
        """Raise NotFound for a user of whom there is neither a row nor a key: nobody is certified gone who never came.

        Who has a key wrote once, and old copies may hold it, also when every memory was forgotten by its id since.
        """
        ref = self._vault.keys(tx.tenant_id).user_ref(user_id)
        if await tx.one("traces_of_user", user_id=user_id, user_ref=ref) is None:
            raise NotFound(f"there is no user {user_id!r}: nothing was forgotten, and no key was destroyed")

    @retried
    async def finish(self, tenant_id: str) -> None:
        """Bring the forgotten-log and the key file up to what the database has committed.

        Each step that needs it calls it, and so do every start and every sweep, for those who died before they could.
        """
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("hold_revivals")
            if rows:
                contents = {row["memory_hash"]: row["content_hash"] for row in rows}
                await asyncio.to_thread(self._log.revived, self._vault.keys(tenant_id), contents)
                await tx.run("delete_revivals", hashes=list(contents))
            await self.chain.tell_log(tx)
            await self._vault.erase(tx)

    async def _bury(
        self, tx: Tx, ids: Collection[str], now: datetime, *, renewable: bool = False, lines: Collection[str] = ()
    ) -> None:
        """Remember the keyed hashes of the ids that are about to go, of their aliases, and of these lines."""
        keys = self._vault.keys(tx.tenant_id)
        aliases = await tx.all("aliases_of", ids=list(ids))
        hashes = [keys.tombstone(id_) for id_ in sorted({*ids, *lines, *(row["alias_id"] for row in aliases)})]
        stones = [{"hash": hash_, "now": now, "renewable": renewable} for hash_ in hashes]
        await tx.many("insert_tombstone", stones)
        # One that was written again and is forgotten again before the log has heard of it: it shall not hear of it.
        await tx.run("delete_revivals", hashes=hashes)

    async def revive(self, tx: Tx, rows: Mapping[bytes, Memory]) -> None:
        """Take tombstones away, in the transaction that writes their ids again; ``finish`` tells the forgotten-log.

        Not here: if the write is refused after all, the log must not say that it was made.
        """
        keys = self._vault.keys(tx.tenant_id)
        anew = [keys.tombstone(as_said(memory.id, memory.text or "")) for memory in rows.values()]
        await tx.run("delete_tombstones", hashes=[*rows, *anew])
        await tx.many(
            "insert_revival",
            [
                {"hash": hash_, "content": content_hash(memory, keys)}
                for hash_, memory in sorted(rows.items(), key=lambda row: row[0])
            ],
        )

    async def _keep(self, tx: Tx, receipt: Receipt, users: Collection[str], **more: Any) -> Receipt:
        """Sign it; answers it with its place in the chain."""
        keys = self._vault.keys(tx.tenant_id)
        refs = sorted(receipts.user_hash(keys, user_id) for user_id in users)
        more = {"what": WhatWent.MEMORIES, **more, "users": refs}
        return receipts.in_chain(receipt, await self.chain.keep(tx, receipt, **more))


async def last_written(tx: Tx, user_id: str) -> datetime | None:
    """When somebody last wrote a memory, a turn of a conversation or feedback of this user."""
    row = await tx.one("last_written", user_id=user_id)
    return row["last_written"] if row else None
