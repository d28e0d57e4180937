"""What was forgotten in a pool (somebody else's store), and what the pool has not deleted yet."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from precis.database.connections import Database, Tx, retried
from precis.engine.forgetting import External, Receipt, ReceiptKind, Touch, TouchedSummary, WhatWent
from precis.errors import Conflict, NotFound
from precis.ids import new_id
from precis.keys import chain, forgotten_log, receipts
from precis.keys.vault import Vault
from precis.store.pools.batches import PoolBatches, PoolRecords

#: What a receipt has from its place in the chain.
_OF_ITS_PLACE = {"number", "previous", "signature"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What precis knows about some rows of a pool, by their ids."""

    #: Originals that are in a batch.
    covered: frozenset[str]
    forgotten: frozenset[str]
    #: Summaries that precis made.
    ours: frozenset[str]
    #: Summaries of the pool that still say something forgotten, by their ids and by the keyed hashes of their texts.
    hidden: frozenset[str | bytes]


@dataclass(frozen=True, kw_only=True, slots=True)
class TouchedBatch:
    """A batch of which something was forgotten, as it was before its summary is rewritten."""

    batch_id: str
    #: None where none was stored yet.
    summary_id: str | None
    #: Statements of its summary, and how many of them rest on what was forgotten.
    statements: int
    resting: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Pending:
    """A forget that the pool has not confirmed yet, with what to ask it for."""

    receipt: Receipt
    touched: tuple[TouchedBatch, ...]
    #: Of whom everything was forgotten, if it was a user.
    user_id: str | None


def _pending(body: Mapping[str, Any]) -> Pending:
    receipt = body["receipt"]
    return Pending(
        receipt=Receipt(**{
            **receipt, "at": datetime.fromisoformat(receipt["at"]), "forgotten": tuple(receipt["forgotten"]),
            "summaries": tuple(TouchedSummary(**summary) for summary in receipt["summaries"]),
            "external": tuple(External(**place) for place in receipt["external"]),
        }),
        touched=tuple(TouchedBatch(**batch) for batch in body["touched"]),
        user_id=body["user_id"],
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PostgresPools:
    """What precis keeps about pools."""

    database: Database
    vault: Vault
    log: forgotten_log.ForgottenLog

    def batches(self, tenant_id: str, pool: str) -> PoolBatches:
        """The batches of one pool."""
        return PoolBatches(self.database, self.vault, tenant_id, pool)

    def forgets(self, tenant_id: str, pool: str) -> PoolForgets:
        """What was forgotten in one pool."""
        return PoolForgets(self.database, self.vault, tenant_id, pool, self.log)

    def restored(self, tenant_id: str, pool: str) -> RestoredForgets:
        """What a restore brought back of that."""
        return RestoredForgets(self.database, self.vault, tenant_id, pool, self.log)


@dataclass(frozen=True, slots=True)
class HiddenRows(PoolRecords):
    """Which memories of one pool nobody is shown, in the caller's transaction, and what the forgotten-log hears."""

    log: forgotten_log.ForgottenLog

    async def tell_log(self) -> None:
        """Give the forgotten-log the receipts that have committed."""
        async with self.database.tx(self.tenant_id) as tx:
            await self._chain.tell_log(tx)

    @property
    def _chain(self) -> chain.Chain:
        return chain.Chain(self.vault, self.log)

    async def _hide(self, tx: Tx, ids: Sequence[str]) -> Sequence[TouchedBatch]:
        """These are forgotten, and the summaries that rest on them are to be rewritten; answers their batches."""
        holders = await tx.all("holders_in_pool", **self._key, ids=list(ids))
        batch_ids = [row["batch_id"] for row in holders]
        await tx.run("forget_sources_in_pool", **self._key, ids=list(ids))
        await tx.run("set_pending", ids=batch_ids)
        rows = await tx.all("statement_counts", ids=list(ids), batches=batch_ids)
        counts = {row["batch_id"]: (row["statements"], row["resting"]) for row in rows}
        touched = []
        for row in holders:
            statements, resting = counts.get(row["batch_id"], (0, 0))
            touched.append(TouchedBatch(**row, statements=statements, resting=resting))
        return touched

    async def _bury(self, tx: Tx, ids: Mapping[bytes, str | None], now: datetime) -> None:
        """Remember keyed hashes; and the ids, where they are known, until the pool has deleted them."""
        rows = [{**self._key, "now": now, "hash": hash_, "memory_id": id_} for hash_, id_ in sorted(ids.items())]
        await tx.many("insert_tombstone_in_pool", rows)


class PoolForgets(HiddenRows):
    """What was forgotten in one pool, and which of it the pool still has."""

    __slots__ = ()

    async def known(self, ids: Collection[str]) -> Known:
        """What precis knows about these rows."""
        hashes = {self._tombstone(id_): id_ for id_ in ids}
        async with self._reading() as tx:
            covered = await tx.all("covered", **self._key, ids=list(ids))
            forgotten = await tx.all("forgotten", **self._key, hashes=list(hashes))
            ours = await tx.all("summaries_among", **self._key, ids=list(ids))
            hidden = await tx.all("hidden", **self._key)
        return Known(
            covered=frozenset(row["memory_id"] for row in covered),
            forgotten=frozenset(hashes[row["memory_hash"]] for row in forgotten),
            ours=frozenset(row["summary_id"] for row in ours),
            hidden=frozenset(mark for row in hidden for mark in row.values() if mark is not None),
        )

    @retried
    async def forget(
        self, ids: Sequence[str], *, present: Collection[str], now: datetime
    ) -> tuple[Receipt, Sequence[TouchedBatch]]:
        """Hide these memories and the summaries that rest on them; what the pool itself does comes after.

        ``present`` are those that the pool has; expired ones precis knows. Raises NotFound where none of them is one or
        the other, and Conflict for a summary.
        """
        requested = list(dict.fromkeys(ids))
        async with self._writing() as tx:
            if await tx.all("summaries_among", **self._key, ids=requested):
                raise Conflict("a summary cannot be forgotten: forget its sources")
            rows = await tx.all("known", **self._key, ids=requested)
            known = {*present, *(row["memory_id"] for row in rows)}
            forgotten = [id_ for id_ in requested if id_ in known]
            if not forgotten:
                raise NotFound(f"there is no memory {', '.join(repr(id_) for id_ in requested)} in {self.pool}")
            unknown = [id_ for id_ in requested if id_ not in known]
            return await self._forget(tx, forgotten, {}, unknown, now, user_id=None)

    @retried
    async def forget_user(
        self, user_id: str, ids: Sequence[str], *, summaries: Mapping[str, int], now: datetime
    ) -> tuple[Receipt, Sequence[TouchedBatch]]:
        """Hide everything of a user: what the pool has, what expired, every summary that was made of either.

        ``summaries`` are those in the pool that somebody else made, with how many sentences each has: they go like
        memories. Raises NotFound where there is nothing.
        """
        async with self._writing() as tx:
            rows = await tx.all("sources_of_user", **self._key, user_id=user_id)
            forgotten = list(dict.fromkeys([*(row["memory_id"] for row in rows), *ids]))
            if not forgotten and not summaries:
                raise NotFound(f"there is nothing of user {user_id!r} in {self.pool}: nothing was forgotten")
            return await self._forget(tx, forgotten, summaries, (), now, user_id=user_id)

    async def _forget(
        self, tx: Tx, ids: Sequence[str], foreign: Mapping[str, int], unknown: Sequence[str],
        now: datetime, *, user_id: str | None,
    ) -> tuple[Receipt, Sequence[TouchedBatch]]:  # fmt: skip
        """``foreign`` are summaries that somebody else made, with their sentences; ``unknown`` ids are answered."""
        touched = await self._hide(tx, ids)
        every = [*ids, *foreign]
        await self._bury(tx, {self._tombstone(id_): id_ for id_ in every}, now)
        summaries = [_touched(batch.summary_id, batch) for batch in touched if batch.summary_id is not None]
        summaries += [TouchedSummary(id=id_, state="deleted", statements_removed=n) for id_, n in foreign.items()]
        receipt = Receipt(
            id=new_id(), at=now, forgotten=tuple(ids), not_found=tuple(unknown), summaries=tuple(summaries),
            statements_removed=sum(summary.statements_removed for summary in summaries),
            external=(External(where=self.pool, state="pending"),),
        )  # fmt: skip
        pending = Pending(receipt=receipt, touched=tuple(touched), user_id=user_id)
        body = Jsonb(pending, dumps=orjson.dumps)
        await tx.run("insert_pending", receipt_id=receipt.id, pool=self.pool, body=body)
        keys = self.vault.keys(self.tenant_id)
        signed = await self._chain.keep(
            tx, receipt, what=WhatWent.OF_POOL if user_id is None else WhatWent.USER_OF_POOL,
            memories=sorted(receipts.shortened(self._tombstone(id_)) for id_ in every),
            users=[receipts.user_hash(keys, user_id)] if user_id is not None else [],
        )  # fmt: skip
        await asyncio.to_thread(self.log.forgot, keys, receipt.id, every, until=None, pool=self.pool)
        return receipts.in_chain(receipt, signed), touched

    async def pending(self) -> Sequence[Pending]:
        """The forgets that the pool has not confirmed yet."""
        async with self._reading() as tx:
            rows = await tx.all("pending_receipts", pool=self.pool, signed=False)
        return [_pending(row["body"]) for row in rows]

    async def complete(self, account: Receipt, *, now: datetime) -> None:
        """The pool has confirmed: a second receipt says so, once, and nothing names the ids any more."""
        async with self.database.tx(self.tenant_id) as tx:
            if await tx.run("delete_pending", ids=[account.id]):
                places = [External(where=self.pool, state=place.state) for place in account.external]
                completion = replace(account, id=new_id(), at=now, forgotten=(), external=tuple(places))
                await self._chain.keep(tx, completion, kind=ReceiptKind.COMPLETED, completes=account.id)
        await self.tell_log()

    async def waiting(self) -> Sequence[str]:
        """What was forgotten and is not deleted from the pool yet."""
        async with self._reading() as tx:
            return [row["memory_id"] for row in await tx.all("waiting", **self._key)]

    async def confirm(self, ids: Sequence[str], *, now: datetime) -> None:
        """The pool has deleted these."""
        async with self._writing() as tx:
            await tx.run("confirm", **self._key, ids=list(ids), now=now)


class RestoredForgets(HiddenRows):
    """What the forgotten-log brought back with a restore: it knows ids and texts by their keyed hashes alone."""

    __slots__ = ()

    @retried
    async def forget_again(self, hashes: Collection[bytes], *, now: datetime) -> None:
        """The same in a database restored from an old copy, by keyed hashes.

        Whether the pool has deleted them is not known: what a pass still finds there is deleted.
        """
        async with self._writing() as tx:
            rows = await tx.all("ids_in_pool", **self._key)
            ids = {self._tombstone(row["memory_id"]): row["memory_id"] for row in rows}
            await self._hide(tx, [ids[hash_] for hash_ in hashes if hash_ in ids])
            await self._bury(tx, {hash_: ids.get(hash_) for hash_ in hashes}, now)

    async def recognize(self, ids: Collection[str]) -> None:
        """Forgotten ones that the pool still has: where it never said that it deleted them, they wait for that."""
        hashes = [self._tombstone(id_) for id_ in ids]
        async with self._writing() as tx:
            await tx.run("recognize", **self._key, hashes=hashes, ids=list(ids))

    async def pending(self) -> Sequence[receipts.Document]:
        """The forgets that the pool has not confirmed yet: receipts as they were signed."""
        async with self._reading() as tx:
            rows = await tx.all("pending_receipts", pool=self.pool, signed=True)
        return [row["body"]["signed"] for row in rows]

    def named(self, document: receipts.Document, ids: Iterable[str]) -> set[str]:
        """Those of these ids of the pool that a signed receipt names, as memories or as summaries."""
        keys = self.vault.keys(self.tenant_id)
        memories, summaries = set(document["memories"]), {part["summary"] for part in document["summaries"]}
        return {
            id_ for id_ in ids
            if receipts.shortened(self._tombstone(id_)) in memories or receipts.hashed(keys, id_) in summaries
        }  # fmt: skip

    def is_of(self, document: receipts.Document, user_id: str) -> bool:
        """Whether everything of this user was forgotten by it."""
        return receipts.user_hash(self.vault.keys(self.tenant_id), user_id) in document["users"]

    async def complete(self, document: receipts.Document, *, now: datetime) -> None:
        """The pool has confirmed what this receipt says; as ``PoolForgets.complete``."""
        account = {name: value for name, value in document.items() if name not in _OF_ITS_PLACE}
        account |= {
            "id": new_id(), "kind": "completed", "completes": document["id"], "at": now.isoformat(), "memories": [],
            "external": [{"where": self.pool, "state": "confirmed"}],
        }  # fmt: skip
        async with self.database.tx(self.tenant_id) as tx:
            if await tx.run("delete_pending", ids=[document["id"]]):
                await self._chain.add(tx, account, now=now)
        await self.tell_log()


def _touched(summary_id: str, batch: TouchedBatch) -> TouchedSummary:
    state: Touch = "deleted" if batch.resting == batch.statements else "redacted"
    return TouchedSummary(id=summary_id, state=state, statements_removed=batch.resting)
