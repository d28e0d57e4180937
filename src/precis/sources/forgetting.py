"""Forgetting in a pool: hidden at once, then taken out of the pool, then looked for there."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import structlog

from precis.engine.forgetting import External, Reach, Receipt, TouchedSummary
from precis.keys.receipts import Document
from precis.language.sentences import sentences
from precis.sources.settling import OpenPool
from precis.sources.source import PoolMemory
from precis.store.pools.forgets import TouchedBatch

T = TypeVar("T")
_log = structlog.get_logger(__name__)
#: Takes what is hidden out of the pool, as far as the pool lets it.
Settle = Callable[[], Awaitable[None]]


async def shown(opened: OpenPool, rows: Sequence[PoolMemory]) -> list[PoolMemory]:
    """Rows of the pool without what was forgotten, and without summaries that still say it."""
    known = await opened.forgets.known([row.id for row in rows])
    return [
        row for row in rows
        if row.id not in known.forgotten and row.id not in known.hidden
        and not (row.is_summary and opened.batches.digest(row.text) in known.hidden)
    ]  # fmt: skip


async def forget(opened: OpenPool, ids: Sequence[str], settle: Settle) -> Receipt:
    """These, and what rests on them in the summaries that precis made. Raises NotFound and Conflict."""
    rows = await _read(opened, ids)
    receipt, touched = await opened.forgets.forget(ids, present=ids if rows is None else list(rows), now=opened.clock())
    others = await _naming(opened, rows or {})
    await opened.forgets.tell_log()
    await settle()
    return await _accounted(opened, receipt, touched, others=others)


async def forget_user(opened: OpenPool, user_id: str, settle: Settle) -> Receipt:
    """Everything of a user: what is there, what expired, and every summary, whoever made it. Raises NotFound."""
    ids = [row.id for row in await opened.pool.list(user_id)]
    foreign = await made_by_others(opened, await opened.pool.list(user_id, summaries=True))
    receipt, touched = await opened.forgets.forget_user(
        user_id, ids, summaries={summary.id: len(sentences(summary.text)) for summary in foreign}, now=opened.clock()
    )
    await opened.forgets.tell_log()
    await settle()
    return await _accounted(opened, receipt, touched, user_id=user_id)


async def follow(opened: OpenPool) -> None:
    """Look again for what the pool had not confirmed; a receipt is completed once it has."""
    for pending in await opened.forgets.pending():
        await _accounted(opened, pending.receipt, pending.touched, user_id=pending.user_id)
    for document in await opened.restored.pending():
        if await _answer(opened, _is_gone_by_hash(opened, document)):
            await opened.restored.complete(document, now=opened.clock())


async def made_by_others(opened: OpenPool, summaries: Sequence[PoolMemory]) -> Sequence[PoolMemory]:
    """Those that somebody else made."""
    known = await opened.forgets.known([summary.id for summary in summaries])
    return [summary for summary in summaries if summary.id not in known.ours]


async def _naming(opened: OpenPool, rows: Mapping[str, PoolMemory]) -> Sequence[External]:
    """Summaries of somebody else that name these memories: precis does not know what in them rests on which."""
    naming = [
        summary
        for user_id in sorted({row.user_id for row in rows.values()})
        for summary in await made_by_others(opened, await _summaries(opened, user_id) or ())
        if not rows.keys().isdisjoint(summary.summarized_memory_ids)
    ]
    where = f"{opened.pool.name}: summary"
    return [External(where=f"{where} {summary.id}, made by somebody else", state="out of reach") for summary in naming]


async def _accounted(
    opened: OpenPool, receipt: Receipt, touched: Sequence[TouchedBatch], *, user_id: str | None = None,
    others: Sequence[External] = (),
) -> Receipt:  # fmt: skip
    """The receipt with what the pool has done by now; completed where the pool confirms that all is gone."""
    batches = {batch.id: batch for batch in await opened.batches.find([batch.batch_id for batch in touched])}
    summaries = {summary.id: summary for summary in receipt.summaries}
    for before in touched:
        current = batches.get(before.batch_id)
        if before.summary_id is not None and not (current and current.pending):
            summaries[before.summary_id] = TouchedSummary(
                id=before.summary_id, state="redacted" if current else "deleted",
                statements_removed=before.statements - (len(current.stretches) if current else 0),
            )  # fmt: skip
    settled = not any(batch.pending or batch.old_summary_id for batch in batches.values())
    state: Reach = "confirmed" if settled and await _is_gone(opened, receipt, touched, user_id) else "pending"
    account = replace(
        receipt,
        summaries=tuple(summaries.values()),
        statements_removed=sum(summary.statements_removed for summary in summaries.values()),
        external=(External(where=opened.pool.name, state=state), *others),
    )
    if state == "confirmed":
        await opened.forgets.complete(account, now=opened.clock())
    return account


async def _is_gone(opened: OpenPool, receipt: Receipt, touched: Sequence[TouchedBatch], user_id: str | None) -> bool:
    """Read from the pool itself, and from precis where it keeps the summaries: none of it is there any more.

    Of a user no summary remains at all.
    """
    ids = {*receipt.forgotten, *(summary.id for summary in receipt.summaries)}
    if await _read(opened, sorted(ids)) != {} or not ids.isdisjoint(await opened.forgets.waiting()):
        return False
    if await opened.own.get([batch.summary_id for batch in touched if batch.summary_id]):
        return False
    return user_id is None or await _summaries(opened, user_id) == []


async def _is_gone_by_hash(opened: OpenPool, document: Document) -> bool:
    """Whether all is gone of a receipt that a restore brought back: without its ids, the whole pool is read for it."""
    if any(batch.pending or batch.old_summary_id for batch in await opened.batches.unfinished()):
        return False
    for user_id in await opened.pool.users():
        summaries = await opened.pool.list(user_id, summaries=True)
        rows = [*summaries, *await opened.pool.list(user_id)]
        if opened.restored.named(document, [row.id for row in rows]):
            return False
        if summaries and opened.restored.is_of(document, user_id):
            return False
    return True


async def _read(opened: OpenPool, ids: Sequence[str]) -> Mapping[str, PoolMemory] | None:
    """What the pool has of these; None where it does not answer: then nobody knows, and all of them are hidden."""
    return await _answer(opened, opened.pool.get(ids))


async def _summaries(opened: OpenPool, user_id: str) -> Sequence[PoolMemory] | None:
    """The summaries of a user that the pool has; None where it does not answer."""
    return await _answer(opened, opened.pool.list(user_id, summaries=True))


async def _answer(opened: OpenPool, call: Awaitable[T]) -> T | None:
    """What the pool answers; None where it does not."""
    try:
        return await call
    except Exception as error:  # noqa: BLE001 - whatever it raises is its own
        _log.warning("pool_unread", pool=opened.pool.name, error=type(error).__name__)
        return None
