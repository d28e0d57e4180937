"""What a pass over a pool does first: finish what one began before, and take what was forgotten out of summaries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from precis.app.memories import Memories
from precis.app.pool_drafting import composed
from precis.app.pool_places import InPool, InPrecis, SummaryPlace
from precis.language.words import index_terms
from precis.makers import Clock
from precis.sources.source import Pool, PoolMemory
from precis.store.source_batches import PoolBatch, PoolSource

if TYPE_CHECKING:
    from precis.store.sources import PostgresPools


@dataclass(frozen=True, kw_only=True, slots=True)
class Settling:
    """One pool and what precis keeps about it, for one tenant."""

    tenant_id: str
    pool: Pool
    states: PostgresPools
    memories: Memories
    clock: Clock

    def place_of(self, *, kept: bool) -> SummaryPlace:
        """Where the summaries of a batch are."""
        return InPrecis(self.memories, self.pool.name) if kept else InPool(self.pool)

    def is_it(self, batch: PoolBatch) -> Callable[[str], bool]:
        """Whether a text is the summary of this batch."""
        return lambda text: self.states.digest(self.tenant_id, text) == batch.digest

    async def all(self) -> int:
        """Finish everything; answers how many originals were deleted on the way.

        What one batch fails at keeps no other waiting, and is raised at the end.
        """
        deleted, failed, first = 0, set[str](), None
        for batch in await self.states.unfinished(self.tenant_id, self.pool.name):
            try:
                deleted += await self._finish(batch)
            except Exception as error:  # noqa: BLE001 - raised below
                first = first or error
                failed.update(source.memory_id for source in batch.sources)
        await self._delete_forgotten(without=failed)
        if first is not None:
            raise first
        return deleted

    async def _finish(self, batch: PoolBatch) -> int:
        place = self.place_of(kept=batch.kept)
        if batch.state == "planned":
            await self._take_up(batch, place)
            batch = await self._again(batch) or batch
        batch = await self._clear(batch, place)
        if batch.pending and batch.state != "planned":
            await self._rewrite(batch, place)
            batch = await self._clear(await self._again(batch) or batch, place)
        if batch.state == "deleting" and not batch.pending:
            return await self.delete(batch, [one for one in batch.sources if one.state == "deleting"])
        return 0

    async def _clear(self, batch: PoolBatch, place: SummaryPlace) -> PoolBatch:
        """Take away the summary whose place another one has taken."""
        if batch.old_summary_id is None:
            return batch
        await place.remove(batch.old_summary_id)
        await self.states.cleared(self.tenant_id, batch)
        return replace(batch, old_summary_id=None)

    async def _again(self, batch: PoolBatch) -> PoolBatch | None:
        found = await self.states.find(self.tenant_id, [batch.id])
        return found[0] if found else None

    async def _take_up(self, batch: PoolBatch, place: SummaryPlace) -> None:
        """A pass ended between its draft and its word that the summary is there."""
        found = await place.find(summary_of(batch, "", now=self.clock()), self.is_it(batch)) if batch.digest else None
        if found is None:
            await self.states.drop(self.tenant_id, batch)
            return
        # Once more: what came after it in adding may be missing.
        again = summary_of(batch, found.text, now=found.created_at or self.clock())
        await self.states.stored(self.tenant_id, batch, await place.put(again))

    async def delete(self, batch: PoolBatch, sources: list[PoolSource]) -> int:
        """Delete originals whose summary stands as it was checked; answers how many.

        Where the summary is gone, its originals are free for another batch. One that somebody changed keeps them.
        """
        place = self.place_of(kept=batch.kept)
        text = await place.read(batch.summary_id or "")
        if text is None:
            await self.states.drop(self.tenant_id, batch)
            return 0
        if not self.is_it(batch)(text):
            return 0
        there = await self.pool.get([one.memory_id for one in sources])
        changed = [
            one.memory_id for one in sources
            if one.memory_id in there and self.states.digest(self.tenant_id, there[one.memory_id].text) != one.digest
        ]  # fmt: skip
        if changed:
            await self.states.free(self.tenant_id, batch, changed)
        ids = [one.memory_id for one in sources if one.memory_id not in changed]
        await self.states.deleting(self.tenant_id, batch, ids)
        await self.pool.delete(ids)
        await self.states.deleted(self.tenant_id, batch, ids)
        return len([id_ for id_ in ids if id_ in there])

    async def _rewrite(self, batch: PoolBatch, place: SummaryPlace) -> None:
        """Put the summary without what was forgotten in its place, or take it away where nothing is left.

        The same text comes out however often this is begun. Where somebody changed the summary, precis does not know
        what in it rests on what: it goes, and the originals that are left make a new one.
        """
        text = await place.read(batch.summary_id or "")
        if text is None or not self.is_it(batch)(text):
            await self._withdraw(batch, place)
            return
        gone = {one.position for one in batch.sources if one.state == "forgotten"}
        rare = await self._rare_terms(batch)
        pieces = [
            (text[one.starts_at : one.ends_at], one.sources)
            for one in await self.states.stretches(self.tenant_id, batch)
        ]
        standing = [
            (piece, sources)
            for piece, sources in pieces
            if gone.isdisjoint(sources) and rare.isdisjoint(index_terms(piece))
        ]
        await self._free_unsaid(batch, {at for _, sources in pieces for at in sources}, standing)
        left, stretches = composed(standing)
        if not left:
            await self._withdraw(batch, place)
            return
        if batch.next_digest != self.states.digest(self.tenant_id, left):
            await self._remove_next(batch, place)
            await self.states.rewriting(self.tenant_id, batch, left)
        summary_id = await place.put(summary_of(batch, left, now=self.clock(), revision=batch.revision + 1))
        await self.states.rewritten(self.tenant_id, batch, left, stretches, summary_id=summary_id)

    async def _free_unsaid(
        self, batch: PoolBatch, said: set[int], standing: Sequence[tuple[str, tuple[int, ...]]]
    ) -> None:
        """Originals of which a statement goes with what was forgotten are free for another batch: they may not go."""
        lost = said.difference(*(sources for _, sources in standing))
        ids = [one.memory_id for one in batch.sources if one.position in lost and one.state == "live"]
        if ids:
            await self.states.free(self.tenant_id, batch, ids)

    async def _remove_next(self, batch: PoolBatch, place: SummaryPlace) -> None:
        """An earlier attempt at rewriting may have got into the pool, before more was forgotten."""
        if batch.next_digest is not None:
            tried = summary_of(batch, "", now=self.clock(), revision=batch.revision + 1)
            digest = batch.next_digest
            found = await place.find(tried, lambda text: self.states.digest(self.tenant_id, text) == digest)
            if found is not None:
                await place.remove(found.id)

    async def _withdraw(self, batch: PoolBatch, place: SummaryPlace) -> None:
        await self._remove_next(batch, place)
        if batch.summary_id is not None:
            await place.remove(batch.summary_id)
        await self.states.drop(self.tenant_id, batch)

    async def _rare_terms(self, batch: PoolBatch) -> frozenset[str]:
        """Words of what was forgotten that no original left has; only where all of them can still be read."""
        there = await self.pool.get([one.memory_id for one in batch.sources])
        left = [one.memory_id for one in batch.sources if one.state != "forgotten"]
        if not all(id_ in there for id_ in left):
            return frozenset()
        held = {word for id_ in left for word in index_terms(there[id_].text)}
        forgotten = [one.memory_id for one in batch.sources if one.state == "forgotten" and one.memory_id in there]
        return frozenset(word for id_ in forgotten for word in index_terms(there[id_].text)) - held

    async def _delete_forgotten(self, *, without: Collection[str]) -> None:
        """Those of batches that are still to be rewritten stay: which words only they hold is read from them."""
        waiting = [id_ for id_ in await self.states.waiting(self.tenant_id, self.pool.name) if id_ not in without]
        if waiting:
            await self.pool.delete(waiting)
            left = set(await self.pool.get(waiting))
            gone = [id_ for id_ in waiting if id_ not in left]
            await self.states.confirm(self.tenant_id, self.pool.name, gone, now=self.clock())


def summary_of(batch: PoolBatch, text: str, *, now: datetime, revision: int = 0) -> PoolMemory:
    """The summary of a batch as the pool gets it; its id is the same however often it is put there."""
    return PoolMemory(
        id=f"precis-{batch.id}-{revision}" if revision else f"precis-{batch.id}",
        text=text,
        user_id=batch.user_id,
        agent_id=batch.agent_id,
        run_id=batch.run_id,
        created_at=now,
        is_summary=True,
        summarized_memory_ids=tuple(one.memory_id for one in batch.sources if one.state != "forgotten"),
        summarized_until=batch.until,
    )
