"""Forgetting in a pool: hidden at once, then taken out of the pool, then looked for there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from precis.app.pool_settling import Settling
from precis.engine.forgetting import External, Receipt, TouchedSummary
from precis.language.sentences import sentences
from precis.sources.source import PoolMemory
from precis.store.source_batches import TouchedBatch

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolForgetting:
    """What is forgotten in one pool, for one tenant."""

    settling: Settling
    #: Takes what is hidden out of the pool, as far as the pool lets it.
    settle: Callable[[], Awaitable[None]]

    async def memories(self, ids: Sequence[str]) -> Receipt:
        """These, and what rests on them in the summaries that precis made. Raises NotFound and Conflict."""
        pool, tenant_id = self.settling.pool, self.settling.tenant_id
        rows = await self._read(ids)
        receipt, touched = await self.settling.states.forget(
            tenant_id, pool.name, ids, present=ids if rows is None else list(rows), now=self.settling.clock()
        )
        others = await self._made_by_others(rows or {})
        await self.settle()
        return await self._account(receipt, touched, others=others)

    async def user(self, user_id: str) -> Receipt:
        """Everything of a user: what is there, what expired, and every summary, whoever made it. Raises NotFound."""
        pool, tenant_id = self.settling.pool, self.settling.tenant_id
        ids = [row.id for row in await pool.list(user_id)]
        foreign = await self._foreign(await pool.list(user_id, summaries=True))
        receipt, touched = await self.settling.states.forget_user(
            tenant_id, pool.name, user_id, ids,
            summaries={summary.id: len(sentences(summary.text)) for summary in foreign}, now=self.settling.clock(),
        )  # fmt: skip
        await self.settle()
        return await self._account(receipt, touched, user_id=user_id)

    async def _read(self, ids: Sequence[str]) -> Mapping[str, PoolMemory] | None:
        """What the pool has of these; None where it does not answer: then nobody knows, and all of them are hidden."""
        try:
            return await self.settling.pool.get(ids)
        except Exception as error:  # noqa: BLE001 - whatever it raises is its own
            _log.warning("pool_unread", pool=self.settling.pool.name, error=type(error).__name__)
            return None

    async def _summaries(self, user_id: str) -> Sequence[PoolMemory] | None:
        """The summaries of a user that the pool has; None where it does not answer."""
        try:
            return await self.settling.pool.list(user_id, summaries=True)
        except Exception as error:  # noqa: BLE001 - whatever it raises is its own
            _log.warning("pool_unread", pool=self.settling.pool.name, error=type(error).__name__)
            return None

    async def _foreign(self, summaries: Sequence[PoolMemory]) -> Sequence[PoolMemory]:
        """Those that somebody else made."""
        ours = await self.settling.states.ours(
            self.settling.tenant_id, self.settling.pool.name, [summary.id for summary in summaries]
        )
        return [summary for summary in summaries if summary.id not in ours]

    async def _made_by_others(self, rows: Mapping[str, PoolMemory]) -> Sequence[External]:
        """Summaries of somebody else that name these memories: precis does not know what in them rests on which."""
        naming = [
            summary
            for user_id in sorted({row.user_id for row in rows.values()})
            for summary in await self._foreign(await self._summaries(user_id) or ())
            if not rows.keys().isdisjoint(summary.summarized_memory_ids)
        ]
        name = self.settling.pool.name
        return [
            External(where=f"{name}: summary {summary.id}, made by somebody else", state="out of reach")
            for summary in naming
        ]

    async def _account(
        self, receipt: Receipt, touched: Sequence[TouchedBatch], *, user_id: str | None = None,
        others: Sequence[External] = (),
    ) -> Receipt:  # fmt: skip
        """The receipt as it is now that the pool has done what it does; kept."""
        states, tenant_id = self.settling.states, self.settling.tenant_id
        batches = {batch.id: batch for batch in await states.find(tenant_id, [batch.batch_id for batch in touched])}
        counts = await states.statement_counts(tenant_id, list(batches))
        summaries = {summary.id: summary for summary in receipt.summaries}
        for before in touched:
            now = batches.get(before.batch_id)
            if before.summary_id is not None and not (now and now.pending):
                summaries[before.summary_id] = TouchedSummary(
                    id=before.summary_id, state="redacted" if now else "deleted",
                    statements_removed=before.statements - counts.get(before.batch_id, 0),
                )  # fmt: skip
        settled = not any(batch.pending or batch.old_summary_id for batch in batches.values())
        state = "confirmed" if settled and await self._is_gone(receipt, touched, user_id) else "pending"
        account = replace(
            receipt,
            summaries=tuple(summaries.values()),
            statements_removed=sum(summary.statements_removed for summary in summaries.values()),
            external=(External(where=self.settling.pool.name, state=state), *others),
        )
        await states.settled(tenant_id, account)
        return account

    async def _is_gone(self, receipt: Receipt, touched: Sequence[TouchedBatch], user_id: str | None) -> bool:
        """Read from the pool itself, and from precis where it keeps the summaries: none of it is there any more.

        Of a user no summary is left at all.
        """
        states, tenant_id, pool = self.settling.states, self.settling.tenant_id, self.settling.pool
        ids = {*receipt.forgotten, *(summary.id for summary in receipt.summaries)}
        if await self._read(sorted(ids)) != {} or not ids.isdisjoint(await states.waiting(tenant_id, pool.name)):
            return False
        if await self.settling.memories.get_many([batch.summary_id for batch in touched if batch.summary_id]):
            return False
        return user_id is None or await self._summaries(user_id) == []
