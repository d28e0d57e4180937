"""What precis keeps about other people's stores: which of their memories a summary covers, and how far a pass came."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from precis.database.connections import Database, retried
from precis.database.tx import Tx
from precis.engine.forgetting import External, Receipt, TouchedSummary
from precis.errors import Conflict, NotFound, SourceChanged
from precis.ids import new_id
from precis.keys.forgotten_log import ForgottenLog, pool_tombstone
from precis.keys.vault import Vault
from precis.store.source_batches import Hidden, PoolBatch, PoolSource, Stretch, TouchedBatch


class PostgresPools:
    """Every method is one transaction; plans, drafts and forgets of a pool come one after the other."""

    def __init__(self, database: Database, vault: Vault, log: ForgottenLog) -> None:
        self._database = database
        self._vault = vault
        self._log = log

    def digest(self, tenant_id: str, text: str) -> bytes:
        """The keyed hash by which a summary is known again."""
        return self._vault.keys(tenant_id).fingerprint("pool summary", text)

    async def covered(self, tenant_id: str, pool: str, ids: Sequence[str]) -> set[str]:
        """Which of these are in a batch."""
        rows = await self._read("covered", tenant_id, pool=pool, ids=list(ids))
        return {row["memory_id"] for row in rows}

    async def forgotten(self, tenant_id: str, pool: str, ids: Collection[str]) -> set[str]:
        """Which of these were forgotten."""
        hashes = {self._hash(tenant_id, pool, id_): id_ for id_ in ids}
        rows = await self._read("forgotten", tenant_id, pool=pool, hashes=list(hashes))
        return {hashes[row["memory_hash"]] for row in rows}

    async def ours(self, tenant_id: str, pool: str, ids: Sequence[str]) -> set[str]:
        """Which of these are summaries that precis made."""
        rows = await self._read("summaries_among", tenant_id, pool=pool, ids=list(ids))
        return {row["summary_id"] for row in rows}

    async def hidden(self, tenant_id: str, pool: str) -> Hidden:
        """The summaries nobody may be shown."""
        rows = await self._read("hidden", tenant_id, pool=pool)
        pending = [row for row in rows if row["pending"]]
        ids = {row["old_summary_id"] for row in rows} | {row["summary_id"] for row in pending}
        digests = {row[name] for row in pending for name in ("digest", "next_digest")}
        return Hidden(ids=frozenset(ids - {None}), digests=frozenset(digests - {None}))

    async def plan(self, tenant_id: str, batch: PoolBatch, *, now: datetime) -> None:
        """Note a batch before its draft. Raises SourceChanged where one of its memories is taken or forgotten."""
        ids = [source.memory_id for source in batch.sources]
        here = {"batch_id": batch.id, "pool": batch.pool}
        async with self._writing(tenant_id, batch.pool) as tx:
            hashes = [self._hash(tenant_id, batch.pool, id_) for id_ in ids]
            if await tx.all("forgotten", hashes=hashes, **here):
                raise SourceChanged
            await tx.run(
                "insert_batch", **here, user_id=batch.user_id, agent_id=batch.agent_id, run_id=batch.run_id,
                until=batch.until, definition=batch.definition, kept=batch.kept, now=now,
            )  # fmt: skip
            dates, digests = [one.created_at for one in batch.sources], [one.digest for one in batch.sources]
            taken = await tx.all("insert_sources", ids=ids, dates=dates, digests=digests, **here)
            if len(taken) < len(ids):
                raise SourceChanged

    async def drafted(
        self, tenant_id: str, batch: PoolBatch, text: str, stretches: Sequence[Stretch], *, capped: Collection[str]
    ) -> None:
        """Note what is about to be added. Raises SourceChanged where one of its memories was forgotten meanwhile."""
        async with self._writing(tenant_id, batch.pool) as tx:
            there = await _held(tx, batch.id)
            if there is None or there["state"] != "planned" or there["pending"]:
                raise SourceChanged
            here = {"batch_id": batch.id}
            await tx.run("set_digest", **here, digest=self.digest(tenant_id, text), definition=batch.definition)
            await _put_stretches(tx, here, stretches)
            await tx.run("set_source_states", pool=batch.pool, ids=sorted(capped), state="capped")

    async def stored(self, tenant_id: str, batch: PoolBatch, summary_id: str) -> None:
        """The summary is in the pool."""
        await self._write("set_stored", tenant_id, batch, summary_id=summary_id)

    async def reject(self, tenant_id: str, batch: PoolBatch) -> None:
        """No draft of it passes: remembered until its definition changes or somebody asks."""
        await self._write("set_state", tenant_id, batch, state="rejected")

    async def release(self, tenant_id: str, pool: str, *, definition: str, everything: bool = False) -> None:
        """Rejected batches of other definitions, or all of them, may be tried again."""
        async with self._writing(tenant_id, pool) as tx:
            await tx.run("release_rejected", pool=pool, definition=definition, everything=everything)

    async def drop(self, tenant_id: str, batch: PoolBatch) -> None:
        """Nothing of it is in the pool: its memories are free."""
        await self._write("delete_batch", tenant_id, batch)

    async def unfinished(self, tenant_id: str, pool: str) -> Sequence[PoolBatch]:
        """Batches something has to be done for before a pass begins."""
        return await self._batches("unfinished", tenant_id, pool=pool)

    async def overdue(
        self, tenant_id: str, pool: str, *, before: datetime, user_id: str | None = None
    ) -> Sequence[PoolBatch]:
        """Batches with live originals from before a moment, whose summary is in the pool."""
        return await self._batches("overdue_in_pool", tenant_id, pool=pool, before=before, user_id=user_id)

    async def deleting(self, tenant_id: str, batch: PoolBatch, ids: Sequence[str]) -> None:
        """These originals are about to be deleted."""
        here = {"batch_id": batch.id, "pool": batch.pool}
        async with self._writing(tenant_id, batch.pool) as tx:
            there = await _held(tx, batch.id)
            if there is None or there["pending"]:
                raise SourceChanged
            await tx.run("set_source_states", **here, ids=list(ids), state="deleting")
            await tx.run("set_state", **here, state="deleting")

    async def deleted(self, tenant_id: str, batch: PoolBatch, ids: Sequence[str]) -> None:
        """They are gone; the batch is done when none is left."""
        here = {"batch_id": batch.id, "pool": batch.pool}
        async with self._writing(tenant_id, batch.pool) as tx:
            await tx.run("set_source_states", **here, ids=list(ids), state="deleted")
            left = await tx.all("sources", ids=[batch.id])
            over = all(row["state"] in ("deleted", "forgotten") for row in left)
            await tx.run("set_state", **here, state="done" if over else "stored")

    async def free(self, tenant_id: str, batch: PoolBatch, ids: Sequence[str]) -> None:
        """These originals are not what the summary was made of any more: another batch may take them."""
        await self._write("free_sources", tenant_id, batch, ids=list(ids))

    async def stretches(self, tenant_id: str, batch: PoolBatch) -> Sequence[Stretch]:
        """The statements of its summary, in order."""
        rows = await self._read("statements", tenant_id, batch_id=batch.id)
        return [Stretch(**{**row, "sources": tuple(row["sources"])}) for row in rows]

    async def rewriting(self, tenant_id: str, batch: PoolBatch, text: str) -> None:
        """This text is about to be added in the summary's place."""
        await self._write("set_next", tenant_id, batch, digest=self.digest(tenant_id, text))

    async def rewritten(
        self, tenant_id: str, batch: PoolBatch, text: str, stretches: Sequence[Stretch], *, summary_id: str
    ) -> None:
        """The summary without what was forgotten is in the pool.

        Raises SourceChanged when more of it was forgotten meanwhile.
        """
        here = {"batch_id": batch.id}
        async with self._writing(tenant_id, batch.pool) as tx:
            (now,) = await self._whole(tx, [batch.id])
            if now.sources != batch.sources:
                raise SourceChanged
            digest = self.digest(tenant_id, text)
            await tx.run("set_rewritten", **here, summary_id=summary_id, digest=digest)
            await _put_stretches(tx, here, stretches)

    async def cleared(self, tenant_id: str, batch: PoolBatch) -> None:
        """The summary it took the place of is gone."""
        await self._write("clear_old", tenant_id, batch)

    @retried
    async def forget(
        self, tenant_id: str, pool: str, ids: Sequence[str], *, present: Collection[str], now: datetime
    ) -> tuple[Receipt, Sequence[TouchedBatch]]:
        """Hide these memories and the summaries that rest on them; what the pool itself does comes after.

        ``present`` are those that the pool has; expired ones precis knows. Raises NotFound where none of them is one or
        the other, and Conflict for a summary.
        """
        here = {"pool": pool}
        requested = list(dict.fromkeys(ids))
        async with self._writing(tenant_id, pool) as tx:
            if await tx.all("summaries_among", ids=requested, **here):
                raise Conflict("a summary cannot be forgotten: forget its sources")
            known = {row["memory_id"] for row in await tx.all("known", ids=requested, **here)}
            known.update(present)
            forgotten = [id_ for id_ in requested if id_ in known]
            if not forgotten:
                raise NotFound(f"there is no memory {', '.join(repr(id_) for id_ in requested)} in {pool}")
            unknown = [id_ for id_ in requested if id_ not in known]
            return await self._forget(tx, pool, forgotten, unknown=unknown, now=now)

    @retried
    async def forget_user(
        self, tenant_id: str, pool: str, user_id: str, ids: Sequence[str], *, summaries: Mapping[str, int],
        now: datetime,
    ) -> tuple[Receipt, Sequence[TouchedBatch]]:  # fmt: skip
        """Hide everything of a user: what the pool has, what expired, every summary that was made of either.

        ``summaries`` are those in the pool that somebody else made, with how many sentences each has: they go like
        memories. Raises NotFound where there is nothing.
        """
        async with self._writing(tenant_id, pool) as tx:
            rows = await tx.all("sources_of_user", pool=pool, user_id=user_id)
            forgotten = list(dict.fromkeys([*(row["memory_id"] for row in rows), *ids]))
            if not forgotten and not summaries:
                raise NotFound(f"there is nothing of user {user_id!r} in {pool}: nothing was forgotten")
            return await self._forget(tx, pool, forgotten, summaries=summaries, now=now)

    async def _forget(
        self, tx: Tx, pool: str, ids: Sequence[str], *, now: datetime,
        unknown: Sequence[str] = (), summaries: Mapping[str, int] | None = None,
    ) -> tuple[Receipt, Sequence[TouchedBatch]]:  # fmt: skip
        others = summaries or {}
        touched = await self._hide(tx, pool, ids)
        gone = [*ids, *others]
        await self._bury(tx, pool, {self._hash(tx.tenant_id, pool, id_): id_ for id_ in gone}, now)
        receipt = Receipt(
            id=new_id(), at=now, forgotten=tuple(ids), not_found=tuple(unknown),
            summaries=(
                *(
                    TouchedSummary(
                        id=batch.summary_id, state="deleted" if batch.resting == batch.statements else "redacted",
                        statements_removed=batch.resting,
                    )
                    for batch in touched if batch.summary_id
                ),
                *(TouchedSummary(id=id_, state="deleted", statements_removed=n) for id_, n in others.items()),
            ),
            statements_removed=sum(batch.resting for batch in touched if batch.summary_id) + sum(others.values()),
            external=(External(where=pool, state="pending"),),
        )  # fmt: skip
        await self._keep(tx, receipt)
        self._log.forgot_in_pool(self._vault.keys(tx.tenant_id), receipt.id, pool, gone)
        return receipt, touched

    async def settled(self, tenant_id: str, receipt: Receipt) -> None:
        """Keep the receipt of a forget as it is after the pool has done its part."""
        body = Jsonb(receipt, dumps=orjson.dumps)
        async with self._database.tx(tenant_id) as tx:
            await tx.run("update_receipt", receipt_id=receipt.id, body=body)

    async def statement_counts(self, tenant_id: str, batch_ids: Sequence[str]) -> Mapping[str, int]:
        """How many statements the summaries of these batches have; none for a batch that is gone."""
        rows = await self._read("statement_counts", tenant_id, batches=list(batch_ids), ids=[])
        return {row["batch_id"]: row["statements"] for row in rows}

    @retried
    async def forget_again(self, tenant_id: str, pool: str, hashes: Collection[bytes], *, now: datetime) -> None:
        """The same in a database restored from an old copy, by keyed hashes.

        Whether the pool has deleted them is not known: what a pass still finds there is deleted.
        """
        async with self._writing(tenant_id, pool) as tx:
            rows = await tx.all("ids_in_pool", pool=pool)
            here = {self._hash(tenant_id, pool, row["memory_id"]): row["memory_id"] for row in rows}
            ids = {one: here.get(one) for one in hashes}
            await self._hide(tx, pool, [id_ for id_ in ids.values() if id_ is not None])
            await self._bury(tx, pool, ids, now)

    async def recognize(self, tenant_id: str, pool: str, ids: Collection[str]) -> None:
        """Forgotten ones that the pool still has: where it never said that it deleted them, they wait for that."""
        hashes = {self._hash(tenant_id, pool, id_): id_ for id_ in ids}
        async with self._writing(tenant_id, pool) as tx:
            await tx.run("recognize", pool=pool, hashes=list(hashes), ids=list(hashes.values()))

    async def waiting(self, tenant_id: str, pool: str) -> Sequence[str]:
        """What was forgotten and is not deleted from the pool yet."""
        return [row["memory_id"] for row in await self._read("waiting", tenant_id, pool=pool)]

    async def confirm(self, tenant_id: str, pool: str, ids: Sequence[str], *, now: datetime) -> None:
        """The pool has deleted these."""
        async with self._writing(tenant_id, pool) as tx:
            await tx.run("confirm", pool=pool, ids=list(ids), now=now)

    async def find(self, tenant_id: str, batch_ids: Sequence[str]) -> Sequence[PoolBatch]:
        """Those of these batches that there are, as they are now."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            return await self._whole(tx, batch_ids)

    async def _hide(self, tx: Tx, pool: str, ids: Sequence[str]) -> Sequence[TouchedBatch]:
        """These are forgotten, and the summaries that rest on them are to be rewritten; answers their batches."""
        here = {"pool": pool, "ids": list(ids)}
        holders = {row["batch_id"]: row["summary_id"] for row in await tx.all("holders_in_pool", **here)}
        await tx.run("forget_sources_in_pool", **here)
        await tx.run("set_pending", ids=list(holders))
        counts = await tx.all("statement_counts", ids=list(ids), batches=list(holders))
        counted = {row["batch_id"]: (row["statements"], row["resting"]) for row in counts}
        touched = []
        for batch_id, summary_id in holders.items():
            statements, resting = counted.get(batch_id, (0, 0))
            touched.append(
                TouchedBatch(batch_id=batch_id, summary_id=summary_id, statements=statements, resting=resting)
            )
        return touched

    async def _bury(self, tx: Tx, pool: str, ids: Mapping[bytes, str | None], now: datetime) -> None:
        """Remember keyed hashes; and the ids, where they are known, until the pool has deleted them."""
        here = {"pool": pool, "now": now}
        await tx.many(
            "insert_tombstone_in_pool",
            [{**here, "hash": one, "memory_id": id_} for one, id_ in sorted(ids.items())],
        )

    @asynccontextmanager
    async def _writing(self, tenant_id: str, pool: str) -> AsyncIterator[Tx]:
        async with self._database.tx(tenant_id) as tx:
            await tx.run("lock_pool", scope=f"{tenant_id} {pool}")
            yield tx

    async def _write(self, name: str, tenant_id: str, batch: PoolBatch, **parameters: Any) -> None:
        async with self._writing(tenant_id, batch.pool) as tx:
            await tx.run(name, batch_id=batch.id, **parameters)

    async def _read(self, name: str, tenant_id: str, **parameters: Any) -> Sequence[Mapping[str, Any]]:
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            return await tx.all(name, **parameters)

    async def _batches(self, name: str, tenant_id: str, **parameters: Any) -> Sequence[PoolBatch]:
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all(name, **parameters)
            return await self._whole(tx, [row["batch_id"] for row in rows])

    async def _whole(self, tx: Tx, ids: Sequence[str]) -> Sequence[PoolBatch]:
        rows = await tx.all("batches", ids=list(ids))
        sources: dict[str, list[PoolSource]] = {row["batch_id"]: [] for row in rows}
        for one in await tx.all("sources", ids=list(ids)):
            fields = {name: one[name] for name in PoolSource.__slots__}
            sources[one["batch_id"]].append(PoolSource(**fields))
        return [_batch(row, tuple(sources[row["batch_id"]])) for row in rows]

    async def _keep(self, tx: Tx, receipt: Receipt) -> None:
        body = Jsonb(receipt, dumps=orjson.dumps)
        row = {"receipt_id": receipt.id, "now": receipt.at, "body": body}
        await tx.run("insert_receipt", **row)

    def _hash(self, tenant_id: str, pool: str, memory_id: str) -> bytes:
        return pool_tombstone(self._vault.keys(tenant_id), pool, memory_id)


async def _held(tx: Tx, batch_id: str) -> Mapping[str, Any] | None:
    found = await tx.all("lock_batch", batch_id=batch_id)
    return found[0] if found else None


async def _put_stretches(tx: Tx, here: Mapping[str, Any], stretches: Sequence[Stretch]) -> None:
    await tx.run("clear_statements_in_pool", **here)
    rows = [
        {**here, "position": at, "starts_at": one.starts_at, "ends_at": one.ends_at, "sources": list(one.sources)}
        for at, one in enumerate(stretches)
    ]
    await tx.many("insert_statement_in_pool", rows)


def _batch(row: Mapping[str, Any], sources: tuple[PoolSource, ...]) -> PoolBatch:
    return PoolBatch(
        id=row["batch_id"], pool=row["pool"], user_id=row["user_id"], agent_id=row["agent_id"], run_id=row["run_id"],
        state=row["state"], until=row["summarized_until"], definition=row["definition"], kept=row["kept"],
        sources=sources, digest=row["digest"], next_digest=row["next_digest"],
        summary_id=row["summary_id"], old_summary_id=row["old_summary_id"],
        revision=row["revision"], pending=row["pending"],
    )  # fmt: skip
