"""A pool with what precis keeps about it, and finishing there what a pass or a forget began.

Each step is noted before and after it is done in the pool, so that a process that dies between the two loses nothing
and repeats nothing. What was forgotten is taken out of summaries first, and out of the pool after that.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from precis.language.words import index_terms
from precis.makers import Clock
from precis.sources.source import Pool, PoolMemory, Shelf
from precis.store.pools.batches import Original, PoolBatch, PoolBatches, Step, Stretch
from precis.store.pools.forgets import PoolForgets, RestoredForgets

#: A paragraph ends with the statement that makes it this long, in words.
_PARAGRAPH = 90


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenPool:
    """One pool and what precis keeps about it, for one tenant."""

    pool: Pool
    batches: PoolBatches
    forgets: PoolForgets
    restored: RestoredForgets
    #: precis itself, for summaries that are not put into the pool.
    own: Shelf
    clock: Clock

    def shelf(self, *, kept: bool) -> Shelf:
        """Where the summary of a batch is."""
        return self.own if kept else self.pool

    def says(self, digest: bytes | None) -> Callable[[str], bool]:
        """Whether a text is the one with this keyed hash."""
        return lambda text: self.batches.digest(text) == digest


async def settle(opened: OpenPool) -> int:
    """Finish what every batch and every forget has begun; answers how many originals that deleted.

    A batch that fails does not stop the others. The first error is raised at the end.
    """
    deleted, failed, first = 0, set[str](), None
    for batch in await opened.batches.unfinished():
        try:
            deleted += await _finish(opened, batch)
        except Exception as error:  # noqa: BLE001 - raised below
            first = first or error
            failed.update(original.memory_id for original in batch.sources)
    await _delete_forgotten(opened, without=failed)
    if first is not None:
        raise first
    return deleted


async def delete_originals(opened: OpenPool, batch: PoolBatch, originals: Sequence[Original]) -> int:
    """Delete originals whose summary stands as it was checked; answers how many.

    Where the summary is gone, its originals are free for another batch. One that somebody changed keeps them.
    """
    text = await _text_of(opened, batch)
    if text is None:
        await opened.batches.note(batch, Step.DROPPED)
        return 0
    if not opened.says(batch.digest)(text):
        return 0
    rows = await opened.pool.get([original.memory_id for original in originals])
    changed = [
        original.memory_id for original in originals
        if original.memory_id in rows and not opened.says(original.digest)(rows[original.memory_id].text)
    ]  # fmt: skip
    if changed:
        await opened.batches.note(batch, Step.FREED, ids=changed)
    ids = [original.memory_id for original in originals if original.memory_id not in changed]
    await opened.batches.deleting(batch, ids)
    await opened.pool.delete(ids)
    await opened.batches.deleted(batch, ids)
    return sum(1 for id_ in ids if id_ in rows)


def summary_of(batch: PoolBatch, text: str, opened: OpenPool, *, revision: int = 0) -> PoolMemory:
    """The summary of a batch as the pool gets it; its id is the same however often it is put there."""
    return PoolMemory(
        id=f"precis-{batch.id}-{revision}" if revision else f"precis-{batch.id}",
        text=text,
        user_id=batch.user_id,
        agent_id=batch.agent_id,
        run_id=batch.run_id,
        created_at=opened.clock(),
        is_summary=True,
        summarized_memory_ids=tuple(original.memory_id for original in batch.sources if original.state != "forgotten"),
        summarized_until=batch.until,
    )


async def _finish(opened: OpenPool, batch: PoolBatch) -> int:
    if batch.state == "planned":
        await _take_up(opened, batch)
        batch = await _read_again(opened, batch)
    batch = await _clear(opened, batch)
    if batch.pending and batch.state != "planned":
        await _rewrite(opened, batch)
        batch = await _clear(opened, await _read_again(opened, batch))
    if batch.state == "deleting" and not batch.pending:
        deleting = [original for original in batch.sources if original.state == "deleting"]
        return await delete_originals(opened, batch, deleting)
    return 0


async def _take_up(opened: OpenPool, batch: PoolBatch) -> None:
    """Find out whether the summary of a batch is in the pool: its pass died before it could note that."""
    empty = summary_of(batch, "", opened)
    stored = await _find(opened, batch, empty, batch.digest) if batch.digest else None
    if stored is None:
        await opened.batches.note(batch, Step.DROPPED)
        return
    # Once more: what came after it in adding may be missing.
    again = replace(empty, text=stored.text, created_at=stored.created_at or empty.created_at)
    summary_id = await opened.shelf(kept=batch.kept).add(again)
    await opened.batches.note(batch, Step.STORED, summary_id=summary_id)


async def _clear(opened: OpenPool, batch: PoolBatch) -> PoolBatch:
    """Take away the summary whose place another one has taken."""
    if batch.old_summary_id is None:
        return batch
    await opened.shelf(kept=batch.kept).delete([batch.old_summary_id])
    await opened.batches.note(batch, Step.CLEARED)
    return replace(batch, old_summary_id=None)


async def _rewrite(opened: OpenPool, batch: PoolBatch) -> None:
    """Put the summary without what was forgotten in its place, or take it away where nothing remains.

    The same text comes out however often this is begun. Where somebody changed the summary, precis does not know
    what in it rests on what: it goes, and the remaining originals make a new one.
    """
    text = await _text_of(opened, batch)
    if text is None or not opened.says(batch.digest)(text):
        await _withdraw(opened, batch)
        return
    forgotten = {original.position for original in batch.sources if original.state == "forgotten"}
    rare = await _rare_terms(opened, batch)
    pieces = [(text[stretch.starts_at : stretch.ends_at], stretch.sources) for stretch in batch.stretches]
    standing = [
        (piece, sources)
        for piece, sources in pieces
        if forgotten.isdisjoint(sources) and rare.isdisjoint(index_terms(piece))
    ]
    batch = await _free_unsaid(opened, batch, {at for _, sources in pieces for at in sources}, standing)
    remaining, stretches = composed(standing)
    if not remaining:
        await _withdraw(opened, batch)
        return
    if not opened.says(batch.next_digest)(remaining):
        await _remove_next(opened, batch)
        await opened.batches.note(batch, Step.NEXT, digest=opened.batches.digest(remaining))
    summary = summary_of(batch, remaining, opened, revision=batch.revision + 1)
    summary_id = await opened.shelf(kept=batch.kept).add(summary)
    await opened.batches.rewritten(batch, remaining, stretches, summary_id=summary_id)


async def _free_unsaid(
    opened: OpenPool, batch: PoolBatch, positions: Collection[int], standing: Sequence[tuple[str, tuple[int, ...]]]
) -> PoolBatch:
    """Free, for another batch, the originals that no remaining statement rests on: they may not be deleted."""
    lost = set(positions).difference(*(sources for _, sources in standing))
    unsaid = [original for original in batch.sources if original.position in lost and original.state == "live"]
    if not unsaid:
        return batch
    await opened.batches.note(batch, Step.FREED, ids=[original.memory_id for original in unsaid])
    return replace(batch, sources=tuple(original for original in batch.sources if original not in unsaid))


async def _withdraw(opened: OpenPool, batch: PoolBatch) -> None:
    await _remove_next(opened, batch)
    if batch.summary_id is not None:
        await opened.shelf(kept=batch.kept).delete([batch.summary_id])
    await opened.batches.note(batch, Step.DROPPED)


async def _remove_next(opened: OpenPool, batch: PoolBatch) -> None:
    """Delete the summary that an interrupted rewrite may have put into the pool before more was forgotten."""
    if batch.next_digest is not None:
        attempt = summary_of(batch, "", opened, revision=batch.revision + 1)
        stored = await _find(opened, batch, attempt, batch.next_digest)
        if stored is not None:
            await opened.shelf(kept=batch.kept).delete([stored.id])


async def _find(opened: OpenPool, batch: PoolBatch, summary: PoolMemory, digest: bytes) -> PoolMemory | None:
    """A summary with this keyed hash that was being put when a pass ended early, if it got there.

    A pool that chooses ids itself is searched by what its summaries say.
    """
    says, rows = opened.says(digest), await opened.shelf(kept=batch.kept).get([summary.id])
    others = [] if batch.kept else await opened.pool.list(summary.user_id, summaries=True)
    return next((row for row in (*rows.values(), *others) if says(row.text)), None)


async def _text_of(opened: OpenPool, batch: PoolBatch) -> str | None:
    """What the summary of a batch says; None where it is gone."""
    rows = await opened.shelf(kept=batch.kept).get([batch.summary_id or ""])
    return next((row.text for row in rows.values()), None)


async def _read_again(opened: OpenPool, batch: PoolBatch) -> PoolBatch:
    """The batch as it is stored now, or as it was where it is gone."""
    return next(iter(await opened.batches.find([batch.id])), batch)


async def _rare_terms(opened: OpenPool, batch: PoolBatch) -> frozenset[str]:
    """Words of what was forgotten that no remaining original has; only where all of those can still be read."""
    rows = await opened.pool.get([original.memory_id for original in batch.sources])
    forgotten = {original.memory_id for original in batch.sources if original.state == "forgotten"}
    remaining = {original.memory_id for original in batch.sources} - forgotten
    if not remaining <= rows.keys():
        return frozenset()
    common = {word for id_ in remaining for word in index_terms(rows[id_].text)}
    return frozenset(word for id_ in forgotten & rows.keys() for word in index_terms(rows[id_].text)) - common


async def _delete_forgotten(opened: OpenPool, *, without: Collection[str]) -> None:
    """Delete what was forgotten, except ``without``: the rewrite of their batches still has to read their words."""
    waiting = [id_ for id_ in await opened.forgets.waiting() if id_ not in without]
    if waiting:
        await opened.pool.delete(waiting)
        remaining = await opened.pool.get(waiting)
        deleted = [id_ for id_ in waiting if id_ not in remaining]
        await opened.forgets.confirm(deleted, now=opened.clock())


def composed(pieces: Iterable[tuple[str, tuple[int, ...]]]) -> tuple[str, tuple[Stretch, ...]]:
    """Statements as paragraphs, and where each of them is."""
    text, words, stretches = "", 0, []
    for piece, sources in pieces:
        if text:
            text += "\n\n" if words >= _PARAGRAPH else " "
            words = 0 if words >= _PARAGRAPH else words
        stretches.append(Stretch(starts_at=len(text), ends_at=len(text) + len(piece), sources=sources))
        text += piece
        words += len(piece.split())
    return text, tuple(stretches)
