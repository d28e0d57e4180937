"""Batches of a pool (somebody else's store): which memories are which summary there."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from precis.database.connections import Database, Row, Tx
from precis.errors import SourceChanged
from precis.keys.log_lines import pool_tombstone
from precis.keys.vault import Vault

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Original:
    """A memory of a batch."""

    memory_id: str
    #: Its place in the batch as it was planned.
    position: int
    created_at: datetime
    #: Keyed hash of its text as it was read.
    digest: bytes
    #: live, capped (read in part, or not said in full, so it stays), deleting, deleted or forgotten.
    state: str = "live"

    def is_overdue(self, before: datetime) -> bool:
        """Whether it may go: in the pool, and older than that."""
        return self.state == "live" and self.created_at < before


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """One statement of a summary: where it is in the text, and the positions of the originals it rests on."""

    starts_at: int
    ends_at: int
    sources: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolBatch:
    """Memories of a pool that are one summary, or become one."""

    id: str
    pool: str
    user_id: str
    agent_id: str | None
    run_id: str | None
    #: planned, stored, deleting, done or rejected.
    state: str
    until: datetime
    definition: str
    #: The summary goes to precis, not to the pool.
    kept: bool
    #: Oldest first; those whose forgetting the pool has confirmed are no longer among them.
    sources: tuple[Original, ...]
    #: Of its summary, in order; read where the summary is to be rewritten or counted.
    stretches: tuple[Stretch, ...] = ()
    #: Keyed hash of the summary's text, from before it is added.
    digest: bytes | None = None
    #: The same of the text that is about to take its place.
    next_digest: bytes | None = None
    summary_id: str | None = None
    old_summary_id: str | None = None
    revision: int = 0
    #: Something of it was forgotten and it is not rewritten yet.
    pending: bool = False


class Step(StrEnum):
    """A step of a batch that one statement notes; the comment names what it takes."""

    #: The summary is in the pool: ``summary_id``.
    STORED = "set_stored"
    #: No draft of it passes (``state="rejected"``): remembered until its definition changes or somebody asks.
    STATE = "set_state"
    #: This text is about to be added in the summary's place: ``digest``.
    NEXT = "set_next"
    #: The summary that another one took the place of is gone.
    CLEARED = "clear_old"
    #: These originals are not what the summary was made of any more, so another batch may take them: ``ids``.
    FREED = "free_sources"
    #: Nothing of it is in the pool: its memories are free.
    DROPPED = "delete_batch"


@dataclass(frozen=True, slots=True)
class PoolRecords:
    """What precis keeps about one pool, for one tenant. Each method of its kinds is one transaction."""

    database: Database
    vault: Vault
    tenant_id: str
    pool: str

    def digest(self, text: str) -> bytes:
        """The keyed hash by which a text of the pool is known again."""
        return self.vault.keys(self.tenant_id).fingerprint("pool summary", text)

    @property
    def _key(self) -> Mapping[str, str]:
        return {"tenant_id": self.tenant_id, "pool": self.pool}

    def _tombstone(self, memory_id: str) -> bytes:
        return pool_tombstone(self.vault.keys(self.tenant_id), self.pool, memory_id)

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[Tx]:
        """Plans, drafts and forgets of a pool come one after the other."""
        async with self.database.tx(self.tenant_id) as tx:
            await tx.run("lock_pool", scope=f"{self.tenant_id} {self.pool}")
            yield tx

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[Tx]:
        async with self.database.tx(self.tenant_id, one_moment=True) as tx:
            yield tx


class PoolBatches(PoolRecords):
    """The batches of one pool and their steps."""

    async def plan(self, batch: PoolBatch, *, now: datetime) -> None:
        """Note a batch before its draft. Raises SourceChanged where one of its memories is taken or forgotten."""
        ids = [original.memory_id for original in batch.sources]
        async with self._writing() as tx:
            if await tx.all("forgotten", **self._key, hashes=[self._tombstone(id_) for id_ in ids]):
                raise SourceChanged
            await tx.run(
                "insert_batch", **self._of(batch), user_id=batch.user_id, agent_id=batch.agent_id,
                run_id=batch.run_id, until=batch.until, definition=batch.definition, kept=batch.kept, now=now,
            )  # fmt: skip
            taken = await tx.all(
                "insert_sources", **self._of(batch), ids=ids,
                dates=[original.created_at for original in batch.sources],
                digests=[original.digest for original in batch.sources],
            )  # fmt: skip
            if len(taken) < len(ids):
                raise SourceChanged

    async def drafted(
        self, batch: PoolBatch, text: str, stretches: Sequence[Stretch], *, capped: Collection[str]
    ) -> None:
        """Note what is about to be added. Raises SourceChanged where one of its memories was forgotten meanwhile."""
        async with self._writing() as tx:
            digest = self.digest(text)
            if not await tx.run("set_digest", **self._of(batch), digest=digest, definition=batch.definition):
                raise SourceChanged
            await self._put_stretches(tx, batch, stretches)
            await tx.run("set_source_states", **self._key, ids=sorted(capped), state="capped")

    async def note(self, batch: PoolBatch, step: Step, **values: object) -> None:
        """Note a step that depends on nothing else."""
        async with self._writing() as tx:
            await tx.run(step, **self._of(batch), **values)

    async def release(self, *, definition: str, everything: bool = False) -> None:
        """Rejected batches of other definitions, or all of them, may be tried again."""
        async with self._writing() as tx:
            await tx.run("release_rejected", **self._key, definition=definition, everything=everything)

    async def deleting(self, batch: PoolBatch, ids: Sequence[str]) -> None:
        """These originals are about to be deleted. Raises SourceChanged where one of the batch was forgotten."""
        async with self._writing() as tx:
            if not await tx.run("set_deleting", **self._of(batch)):
                raise SourceChanged
            await tx.run("set_source_states", **self._of(batch), ids=list(ids), state="deleting")

    async def deleted(self, batch: PoolBatch, ids: Sequence[str]) -> None:
        """They are gone; the batch is done when all of its originals are."""
        async with self._writing() as tx:
            await tx.run("set_source_states", **self._of(batch), ids=list(ids), state="deleted")
            await tx.run("set_deleted", **self._of(batch))

    async def rewritten(self, batch: PoolBatch, text: str, stretches: Sequence[Stretch], *, summary_id: str) -> None:
        """The summary without what was forgotten is in the pool.

        Raises SourceChanged when more of it was forgotten meanwhile.
        """
        async with self._writing() as tx:
            (current,) = await self._read(tx, [batch.id])
            if current.sources != batch.sources:
                raise SourceChanged
            await tx.run("set_rewritten", **self._of(batch), summary_id=summary_id, digest=self.digest(text))
            await self._put_stretches(tx, batch, stretches)

    async def unfinished(self) -> Sequence[PoolBatch]:
        """Batches something has to be done for before a pass begins, with their stretches."""
        async with self._reading() as tx:
            rows = await tx.all("unfinished", **self._key)
            return await self._read(tx, [row["batch_id"] for row in rows], stretches=True)

    async def overdue(self, *, before: datetime, user_id: str | None = None) -> Sequence[PoolBatch]:
        """Batches with live originals from before a moment, whose summary is in the pool."""
        async with self._reading() as tx:
            rows = await tx.all("overdue_in_pool", **self._key, before=before, user_id=user_id)
            return await self._read(tx, [row["batch_id"] for row in rows])

    async def find(self, batch_ids: Sequence[str]) -> Sequence[PoolBatch]:
        """Those of these batches that there are, as they are now, with their stretches."""
        async with self._reading() as tx:
            return await self._read(tx, batch_ids, stretches=True)

    def _of(self, batch: PoolBatch) -> Mapping[str, str]:
        return {**self._key, "batch_id": batch.id}

    async def _read(self, tx: Tx, ids: Sequence[str], *, stretches: bool = False) -> Sequence[PoolBatch]:
        key: Mapping[str, Any] = {"ids": list(ids)}
        rows = await tx.all("batches", **key)
        originals = _by_batch(Original, await tx.all("sources", **key))
        statements = _by_batch(Stretch, await tx.all("statements", **key)) if stretches else {}
        return [
            PoolBatch(
                **row, sources=tuple(originals.get(row["id"], ())), stretches=tuple(statements.get(row["id"], ()))
            )
            for row in rows
        ]

    async def _put_stretches(self, tx: Tx, batch: PoolBatch, stretches: Sequence[Stretch]) -> None:
        await tx.run("clear_statements_in_pool", **self._of(batch))
        rows = [
            {
                **self._of(batch), "position": position, "starts_at": stretch.starts_at, "ends_at": stretch.ends_at,
                "sources": list(stretch.sources),
            }
            for position, stretch in enumerate(stretches)
        ]  # fmt: skip
        await tx.many("insert_statement_in_pool", rows)


def _by_batch(kind: Callable[..., T], rows: Sequence[Row]) -> Mapping[str, Sequence[T]]:
    """The rows as values of a kind, by batch."""
    batches: dict[str, list[T]] = {}
    for row in rows:
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
        del values["batch_id"]
        batches.setdefault(row["batch_id"], []).append(kind(**values))
    return batches
