"""A pass over a pool, user by user: the backlog in batches, a summary each, then what is old enough goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from precis.app.pool_drafting import draft_batch
from precis.app.pool_passes import PoolBatchDone, PoolUser
from precis.app.pool_settling import Settling, summary_of
from precis.engine.pipeline import Engine
from precis.engine.policy import Originals
from precis.errors import BudgetExhausted, DraftFailed, ModelUnavailable, NoSlot, SourceChanged
from precis.ids import new_id
from precis.lineage import Counts
from precis.makers import Usage
from precis.policies.archive import Archive, Batch, Candidate, batches
from precis.sources.source import PoolMemory
from precis.store.source_batches import PoolBatch, PoolSource

#: What ends the model's work ends the pass; after any other failure it goes on with the next batch.
_ENDS = (ModelUnavailable, BudgetExhausted, NoSlot)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Stored:
    """A summary that was put in its place."""

    id: str
    counts: Counts


@dataclass(kw_only=True)
class Passing:
    """What one pass has to hand, and what it has come to."""

    settling: Settling
    engine: Engine
    settings: Archive
    #: Summaries go to precis.
    kept: bool = False
    usage: list[Usage] = field(default_factory=list)
    #: Why nothing more can be drafted now.
    stopped: str | None = None

    async def user(self, user_id: str) -> PoolUser:
        """Make the summaries of a user's backlog, then let go what is old enough."""
        found, undated, forgotten = await self._backlog(user_id)
        if forgotten:
            await self.settling.states.recognize(self.settling.tenant_id, self.settling.pool.name, forgotten)
        done = []
        for batch in self._cut(found):
            done.append(await self._batch(batch, found))
            if self.stopped is not None:
                break
        deletions = await self._retire(user_id)
        return self._answer(user_id, done, deletions, undated)

    async def preview(self, user_id: str) -> PoolUser:
        """What ``user`` would do, as far as can be told without a call."""
        found, undated, _ = await self._backlog(user_id)
        planned = [self._done(batch, found, result="would make") for batch in self._cut(found)]
        before = self.settings.retired_before(self.settling.clock())
        if before is None:
            return self._answer(user_id, planned, 0, undated)
        old = await self.settling.states.overdue(
            self.settling.tenant_id, self.settling.pool.name, before=before, user_id=user_id
        )
        covered = sum(1 for batch in old for one in batch.sources if one.is_overdue(before))
        return self._answer(
            user_id, planned, covered + sum(1 for memory in found.values() if memory.order[0] < before), undated
        )

    async def _backlog(self, user_id: str) -> tuple[dict[str, PoolMemory], int, set[str]]:
        """Old enough, with a text, neither forgotten nor covered by a summary; how many have no date; the forgotten."""
        pool, states, tenant_id = self.settling.pool, self.settling.states, self.settling.tenant_id
        rows = await pool.list(user_id)
        before = self.settings.archived_before(self.settling.clock())
        old = {
            row.id: row for row in rows if row.created_at is not None and row.created_at < before and row.text.strip()
        }
        forgotten = await states.forgotten(tenant_id, pool.name, [row.id for row in rows])
        taken = forgotten | await states.covered(tenant_id, pool.name, list(old))
        summaries = await pool.list(user_id, summaries=True)
        taken |= await self._covered_by_others(summaries)
        forgotten |= await states.forgotten(tenant_id, pool.name, [row.id for row in summaries])
        undated = sum(1 for row in rows if row.created_at is None)
        return {id_: row for id_, row in old.items() if id_ not in taken}, undated, forgotten

    async def _covered_by_others(self, summaries: Sequence[PoolMemory]) -> set[str]:
        """What the summaries name that somebody else made before."""
        pool, states, tenant_id = self.settling.pool, self.settling.states, self.settling.tenant_id
        ours = await states.ours(tenant_id, pool.name, [one.id for one in summaries])
        return {id_ for one in summaries if one.id not in ours for id_ in one.summarized_memory_ids}

    def _cut(self, found: Mapping[str, PoolMemory]) -> Sequence[Batch]:
        return batches([_candidate(row) for row in found.values()], self.settings)

    def _answer(self, user_id: str, done: Sequence[PoolBatchDone], deletions: int, undated: int) -> PoolUser:
        return PoolUser(
            user_id=user_id, batches=tuple(done), deletions=deletions, undated=undated, reason=self._reason()
        )

    def _done(
        self, batch: Batch, found: Mapping[str, PoolMemory], *, result: str, reason: str = "",
        summary_id: str | None = None,
    ) -> PoolBatchDone:  # fmt: skip
        return PoolBatchDone(
            memories=len(batch.members), first=batch.members[0].created_at, last=batch.until,
            tokens=sum(self.engine.count(found[member.id].text) for member in batch.members), result=result,
            reason=reason, summary_id=summary_id,
        )  # fmt: skip

    def _reason(self) -> str:
        """Which originals go, in words."""
        if self.settings.originals is Originals.KEEP:
            return "originals are kept"
        if self.settings.originals is Originals.DELETE:
            return "originals go as soon as a summary covers them"
        return (
            f"originals go when a summary covers them and they are older than {self.settings.keep_original_days} days"
        )

    async def _batch(self, batch: Batch, found: Mapping[str, PoolMemory]) -> PoolBatchDone:
        tenant_id, states = self.settling.tenant_id, self.settling.states
        planned = self._planned(batch, found)
        try:
            await states.plan(tenant_id, planned, now=self.settling.clock())
        except SourceChanged:
            return self._done(batch, found, result="changed", reason="one of these was taken or forgotten meanwhile")
        try:
            stored = await self._store(planned, [found[member.id] for member in batch.members])
        except _ENDS as error:
            self.stopped = str(error)
            await states.drop(tenant_id, planned)
            return self._done(batch, found, result="failed", reason=str(error))
        except DraftFailed as error:
            await states.reject(tenant_id, planned)
            return self._done(batch, found, result="rejected", reason=str(error))
        except SourceChanged as error:
            await states.drop(tenant_id, planned)
            return self._done(batch, found, result="changed", reason=str(error))
        return replace(self._done(batch, found, result="made", summary_id=stored.id), counts=stored.counts)

    async def _store(self, planned: PoolBatch, memories: Sequence[PoolMemory]) -> _Stored:
        """Draft, note, add, note again."""
        states, tenant_id = self.settling.states, self.settling.tenant_id
        draft = await draft_batch(
            self.engine, memories, policy=self.engine.policies["archive"], tenant_id=tenant_id, batch_id=planned.id
        )
        self.usage.append(draft.usage)
        await states.drafted(tenant_id, planned, draft.text, draft.stretches, capped=draft.capped)
        summary = summary_of(planned, draft.text, now=self.settling.clock())
        summary_id = await self.settling.place_of(kept=planned.kept).put(summary)
        await states.stored(tenant_id, planned, summary_id)
        return _Stored(id=summary_id, counts=draft.counts)

    async def _retire(self, user_id: str) -> int:
        before = self.settings.retired_before(self.settling.clock())
        if before is None:
            return 0
        deletions = 0
        for batch in await self.settling.states.overdue(
            self.settling.tenant_id, self.settling.pool.name, before=before, user_id=user_id
        ):
            with suppress(SourceChanged):  # something of it was forgotten: it is rewritten first
                deletions += await self.settling.delete(batch, [one for one in batch.sources if one.is_overdue(before)])
        return deletions

    def _planned(self, batch: Batch, found: Mapping[str, PoolMemory]) -> PoolBatch:
        tenant_id, states = self.settling.tenant_id, self.settling.states
        sources = tuple(
            PoolSource(
                memory_id=member.id, position=at, created_at=member.created_at,
                digest=states.digest(tenant_id, found[member.id].text),
            )
            for at, member in enumerate(batch.members)
        )  # fmt: skip
        return PoolBatch(
            id=new_id(), pool=self.settling.pool.name, user_id=batch.user_id, agent_id=batch.agent_id,
            run_id=batch.run_id, state="planned", until=batch.until, kept=self.kept,
            definition=self.engine.definition_of(self.engine.policies["archive"]), sources=sources,
        )  # fmt: skip


def _candidate(row: PoolMemory) -> Candidate:
    created_at, _ = row.order
    return Candidate(id=row.id, created_at=created_at, user_id=row.user_id, agent_id=row.agent_id, run_id=row.run_id)
