"""A database restored from an old copy forgets again, before it is served, what was forgotten since then.

A database in which the commit of a forget failed looks the same: the log has a receipt that it lacks. There, too, the
forget is repeated, on what had been written by then; what was written since stays, and so does the key of its user.

What was cut out of a memory is cut out again where the copy has the memory as it was before. Where it says something
else, nobody knows whether that holds what was to go, and the memory goes whole: a receipt of its own says so.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import orjson
import structlog
from psycopg.types.json import Jsonb

from precis.database.connections import Call, Database, Row, Tx, retried
from precis.engine.forgetting import External, Receipt, ReceiptKind, TouchedSummary, WhatWent
from precis.errors import Conflict, InvalidInput, NotFound, Undecryptable
from precis.finding.halves import written
from precis.keys.chain import Missed, MissedMemory
from precis.keys.forgotten_log import ForgottenLog, Mark
from precis.keys.log_lines import Entry
from precis.keys.receipts import shortened
from precis.keys.vault import Vault
from precis.memory import Memory
from precis.store.forgetting import Forgetting, last_written
from precis.store.memories import read_memories
from precis.store.pools.forgets import PostgresPools
from precis.store.rows import content_hash

_log = structlog.get_logger(__name__)
#: The verb that edits a memory.
Edit = Callable[..., Awaitable[object]]
#: Lines of the log that are held against the receipts at once.
_LINES = 10_000


class Restoring:
    """What the forgotten-log knows and the database does not."""

    def __init__(
        self, database: Database, vault: Vault, log: ForgottenLog, forgetting: Forgetting, pools: PostgresPools
    ) -> None:
        self._database = database
        self._vault = vault
        self.log = log
        self._forgetting = forgetting
        self._pools = pools

    async def finish(self, tenant_id: str) -> None:
        """What a process that committed may have died before: see Forgetting.finish."""
        await self._forgetting.finish(tenant_id)

    async def forget_again(self, tenant_id: str, *, now: datetime, edit: Edit) -> int:
        """Forget it in this database, too; answers how many rows went."""
        calls: list[Call] = [
            ("read_mark", {"receipt_id": self.log.mark}), ("read_head", {}),
            ("unsigned_receipts", {"mark": ForgottenLog.mark}),
        ]  # fmt: skip
        async with self._database.tx(tenant_id, first=calls, ends=True) as tx:
            marks, heads, unsigned = tx.answers
        head = next(iter(heads), None)
        since = heard = Mark(**marks[0]["body"]) if marks else Mark()
        missed = Missed(after=head["number"] if head else 0)
        while (unread := await asyncio.to_thread(self.log.unread, tenant_id, heard, limit=_LINES)).entries:
            async with self._database.tx(tenant_id) as tx:
                rows = await tx.all("known_receipts", ids=unread.receipts)
            missed.hear(unread, {row["receipt_id"] for row in rows})
            heard = unread.mark
        count = await self._rows(tenant_id, missed, now) if missed.memories or missed.users else 0
        for pool, hashes in missed.pools.items():
            await self._pools.restored(tenant_id, pool).forget_again(hashes, now=now)
        unclear = await self._cut(tenant_id, missed.parts, now, edit) if missed.parts else ()
        if heard != since or unsigned:
            count += await self._close(tenant_id, missed, unclear, heard, now)
        return count

    @retried
    async def _close(
        self, tenant_id: str, missed: Missed, unclear: Sequence[str], heard: Mark, now: datetime
    ) -> int:  # fmt: skip
        """Receipts and the mark. What was under way while the log was read counts as missed: nothing is left to do.

        Answers how many of the memories went of which it is unclear what they hold.
        """
        async with self._database.tx(tenant_id) as tx:
            receipt, *_ = await self._forgetting.remove(tx, unclear, now=now, renewable=False, again=True)
            await self._receipts(tx, missed, now)
            if receipt.forgotten:
                _log.warning("forgotten_whole", tenant=tenant_id, memories=len(receipt.forgotten))
                await self._forgetting.chain.keep(tx, receipt, kind=ReceiptKind.AGAIN, what=WhatWent.MEMORIES)
            await tx.run("keep_mark", receipt_id=self.log.mark, now=now, body=Jsonb(heard, dumps=orjson.dumps))
        return len(receipt.forgotten)

    async def _cut(
        self, tenant_id: str, parts: Mapping[bytes, Sequence[Entry]], now: datetime, edit: Edit
    ) -> list[str]:  # fmt: skip
        """Cut again what was cut out of memories; answers those of which it is unclear whether they hold it."""
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            ids = [row["memory_id"] for row in await tx.all("all_memory_ids")]
            memories = await self._readable(tx, [id_ for id_ in ids if keys.tombstone(id_) in parts])
        unclear = []
        for memory in memories:
            try:
                *said, rest = _cut_down(memory, parts[keys.tombstone(memory.id)])
                if said:
                    async with self._database.tx(tenant_id) as tx:
                        await self._forgetting.tombstones.bury(tx, memory.id, said, now=now)
                    await edit(memory.id, {"text": rest}, expected=memory, max_text_chars=len(rest))
            except (Conflict, InvalidInput, NotFound):
                unclear.append(memory.id)
        return unclear

    async def _readable(self, tx: Tx, ids: Sequence[str]) -> list[Memory]:
        """Those of these memories whose user's key is there; the others nobody can read."""
        by_user = defaultdict(list)
        for row in await tx.all("get_memories", ids=list(ids)):
            by_user[row["user_id"]].append(row)
        memories: list[Memory] = []
        for rows in by_user.values():
            with suppress(Undecryptable):  # a key of before
                memories += await read_memories(tx, self._vault, rows)
        return memories

    async def _receipts(self, tx: Tx, missed: Missed, now: datetime) -> None:
        """The chain as the forgotten-log has it; then a receipt for each forget that never committed, or was lost.

        Those of a release that signed none come before them.
        """
        chain = self._forgetting.chain
        await chain.adopt(tx, missed.signed, now=now)
        for row in await tx.all("unsigned_receipts", mark=ForgottenLog.mark):
            await chain.keep(tx, _unsigned(row), kind=ReceiptKind.EARLIER)
        rows = await tx.all("known_receipts", ids=missed.receipts)
        known = {row["receipt_id"] for row in rows}
        for entry in missed.forgets:
            if entry.receipt not in known:
                await chain.add(tx, _forgotten_again(entry, now), now=now)

    async def _rows(self, tenant_id: str, missed: Missed, now: datetime) -> int:
        """Find the rows by their keyed hashes, and forget them; answers how many.

        A memory stays where what it says was written again since it was forgotten, unless its user was, too.
        """
        async with self._database.tx(tenant_id) as tx:
            ids = [row["memory_id"] for row in await tx.all("all_memory_ids")]
            users = [row["user_id"] for row in await tx.all("all_user_ids")]
        keys = self._vault.keys(tenant_id)
        forgotten = {id_: missed.memories[hash_] for id_ in ids if (hash_ := keys.tombstone(id_)) in missed.memories}
        stays = await self._written_again(tenant_id, forgotten)
        count = 0
        # Memories before their users: what may be written again is buried as such, and not as the user's.
        for renewable in (False, True):
            goes = {
                id_: memory.until
                for id_, memory in forgotten.items()
                if id_ not in stays and memory.renewable is renewable
            }
            count += await self._memories(tenant_id, goes, renewable=renewable, now=now)
        for user_id in users:
            if (ref := keys.user_ref(user_id)) in missed.users:
                count += await self._user(tenant_id, user_id, missed.users[ref], now)
        await self._destroy_keys(tenant_id, missed.users)
        await self._bury(tenant_id, missed.memories, now)
        return count

    @retried
    async def _bury(self, tenant_id: str, forgotten: Mapping[bytes, MissedMemory], now: datetime) -> None:
        """Remember the ids, too, that this database never held: they were written and forgotten since it was copied."""
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id) as tx:
            living = {keys.tombstone(row["memory_id"]) for row in await tx.all("all_memory_ids")}
            stones = [
                {"hash": hash_, "now": now, "renewable": memory.renewable}
                for hash_, memory in sorted(forgotten.items(), key=lambda pair: pair[0])
                if hash_ not in living and not memory.contents
            ]
            await tx.many("insert_tombstone", stones)

    @retried
    async def _memories(
        self, tenant_id: str, until: Mapping[str, datetime | None], *, renewable: bool, now: datetime
    ) -> int:
        """Of each of these ids, what was written until then; answers how many.

        What is renewable nobody asked to forget: a message stays, too, where its conversation was written since, for
        what was handed in then may have held it, and a message that is recognized is not written anew.

        Nothing is noted in the log: a second note would be later there than a revival that a newer copy has.
        """
        if not until:
            return 0
        parameters = {"ids": list(until)}
        async with self._database.tx(tenant_id) as tx:
            rows = [*(await tx.all("last_turns", **parameters) if renewable else ())]
            rows += await tx.all("lock_memories", **parameters)
            stays = {row["memory_id"] for row in rows if _is_later(row["updated_at"], until[row["memory_id"]])}
            goes = sorted({row["memory_id"] for row in rows} - stays)
            receipt, *_ = await self._forgetting.remove(tx, goes, now=now, renewable=renewable, again=True)
        return len(receipt.forgotten)

    @retried
    async def _user(self, tenant_id: str, user_id: str, until: datetime | None, now: datetime) -> int:
        """A user goes whole, with the key, unless something was written since: then what is older goes."""
        async with self._database.tx(tenant_id) as tx:
            await self._vault.lock(tx, user_id)  # writers of this user end first, or wait
            latest = await last_written(tx, user_id)
            if until is not None and latest is not None and latest > until:
                return await self._older(tx, user_id, until, now)
            receipt = await self._forgetting.remove_user(tx, user_id, now=now, again=True)
        await self._forgetting.finish(tenant_id)
        return len(receipt.forgotten)

    async def _older(self, tx: Tx, user_id: str, until: datetime, now: datetime) -> int:
        """What has no time of its own stays with what is newer: the key, the time zone, the archive's count."""
        older = {"user_id": user_id, "until": until}
        ids = sorted(row["memory_id"] for row in await tx.all("ids_of_user_until", **older))
        receipt, *_ = await self._forgetting.remove(tx, ids, now=now, renewable=False, again=True)
        await tx.run("delete_conversations_until", **older)
        await tx.run("delete_feedback_until", **older)
        return len(receipt.forgotten)

    @retried
    async def _destroy_keys(self, tenant_id: str, refs: Collection[bytes]) -> None:
        """Those keys of forgotten users of whom there is nothing else."""
        if not refs:
            return
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id) as tx:
            await self._vault.lock(tx, refs=refs)
            rows = await tx.all("all_user_ids")
            living = {keys.user_ref(row["user_id"]) for row in rows}
            await self._vault.destroy(tx, sorted(set(refs) - living))
        await self._forgetting.finish(tenant_id)

    async def _written_again(self, tenant_id: str, forgotten: Mapping[str, MissedMemory]) -> set[str]:
        """Those of these ids under which the database says what was written again, and not what was forgotten."""
        ids = [id_ for id_, memory in forgotten.items() if memory.contents]
        if not ids:
            return set()
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            memories = await self._readable(tx, ids)
        return {memory.id for memory in memories if content_hash(memory, keys) in forgotten[memory.id].contents}


def _unsigned(row: Row) -> Receipt:
    """A receipt of a release that signed none: its ids are hashed as it is signed."""
    body = row["body"]
    counts = {name: body[name] for name in ("statements_removed", "segments_removed", "key_destroyed") if name in body}
    return Receipt(
        id=row["receipt_id"], at=row["created_at"], forgotten=tuple(body.get("forgotten", ())),
        summaries=tuple(TouchedSummary(**summary) for summary in body.get("summaries", ())),
        external=tuple(External(**place) for place in body.get("external", ())), **counts,
    )  # fmt: skip


def _forgotten_again(entry: Entry, now: datetime) -> Mapping[str, Any]:
    """What is signed of a forget of which the log has nothing but its line."""
    return {
        "id": entry.receipt, "kind": ReceiptKind.AGAIN, "at": now.isoformat(), "by": None,
        "memories": sorted(shortened(hash_) for hash_ in entry.memories),
        "users": [shortened(entry.user)] if entry.user else [],
    }  # fmt: skip


def _cut_down(memory: Memory, entries: Sequence[Entry]) -> list[str]:
    """What it says, less and less; last what stays. Raises Conflict where it is not what it was when the rest went."""
    texts, mark = [memory.text or ""], memory.fingerprint
    for entry in entries:
        part = entry.part
        if part is None or mark == part.after or _is_later(memory.updated_at, entry.until):
            continue
        if memory.text is None or mark != part.before:
            raise Conflict(f"memory {memory.id!r} is not what it was when a part of it was forgotten")
        mark = part.after
        texts.append(written(texts[-1], part.stays))
    return texts


def _is_later(moment: datetime, until: datetime | None) -> bool:
    """At the same instant it is not: a row that was forgotten must not come back."""
    return until is not None and moment > until
