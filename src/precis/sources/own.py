"""precis's own store as a source: a batch is a group, its summary a refresh of that, and originals expire."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from precis import errors, work
from precis.engine.drafted import Outcome, Result, total
from precis.engine.engine import Engine
from precis.engine.policy import Place
from precis.memory import POOL_SUMMARY, Memory
from precis.policies.archive import Batch
from precis.sources.source import Backlog, PoolMemory, Tally
from precis.store import filtering, postgres
from precis.store.upkeep.retention import Overdue
from precis.summary import Counts

POLICY = "archive"
#: Batches that are noted in one transaction.
_SLICE = 20
#: Groups listed at once; a pass goes on until none is left.
_GROUPS = 100_000
#: Seconds between two looks at a batch that a worker makes.
_PAUSE = 0.05
#: How a refresh ends whose batch has its summary: by us, or by the worker that was at it.
_MADE = frozenset({Result.COMMITTED, Result.UNCHANGED})
#: How a refresh ends that leaves its batch without a summary.
_FAILURES = frozenset({Result.FAILED, Result.REJECTED, Result.DISCARDED, Result.BUSY})


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnSource:
    """One pass over precis's own store, for one tenant."""

    tenant_id: str
    store: postgres.PostgresStore
    engine: Engine
    #: Refreshes one group, unless a worker is at it.
    refresh: Callable[[str], Awaitable[Outcome]]
    #: Freezes what overdue originals say, and lets them expire; answers how many did, wait, and are left out.
    expire: Callable[[Overdue], Awaitable[tuple[int, int, int]]]
    #: Batches that are drafted at once.
    at_once: int
    progress: work.Progress

    async def begin(self) -> int:
        """Nothing is left to finish: every step finds by state what is to do."""
        return 0

    async def portions(self, user_id: str | None) -> Sequence[str | None]:
        """One: this user's memories, or everybody's."""
        return [user_id]

    async def backlog(self, user_id: str | None, *, before: datetime) -> Backlog:
        """Raw memories that are in no batch."""
        memories = await self.store.backlog.list(
            self.tenant_id, before=before, without_kinds=self._without_kinds(), user_id=user_id
        )
        return Backlog(user_id=user_id, memories=memories)

    async def summarize(self, backlog: Backlog, batches: Sequence[Batch], tally: Tally) -> None:
        """Note the batches, then refresh every group that wants a summary, those of earlier passes included."""
        now = self.engine.clock()
        for at in range(0, len(batches), _SLICE):
            pairs = [(member.id, _place(batch, now)) for batch in batches[at : at + _SLICE] for member in batch.members]
            tally.memories += await self.store.rule_groups.put(self.tenant_id, pairs, now=now)
        outcomes = await self._refresh_all(await self._due(backlog.user_id))
        ids = [outcome.summary_id for outcome in outcomes if outcome.result in _MADE and outcome.summary_id]
        tally.batches, tally.summary_ids = len(ids), ids
        tally.failed = sum(1 for outcome in outcomes if outcome.result in _FAILURES)
        tally.usage = total([outcome.usage for outcome in outcomes])

    async def covered(self, user_id: str | None, *, before: datetime) -> Mapping[str, int]:
        """Live originals in a batch with a current summary."""
        return await self.store.backlog.overdue(self.tenant_id, before=before, user_id=user_id)

    async def retire(self, tally: Tally, *, before: datetime | None) -> None:
        """Expire what a frozen node says in full; its row stays as a stub. Counted is what the summaries say then."""
        self.progress.at("letting originals go")
        if before is not None:
            overdue = Overdue(before=before, user_id=tally.user_id)
            tally.deletions, tally.waiting, tally.left_out = await self.expire(overdue)
        summaries = await self.store.summaries.get(self.tenant_id, tally.summary_ids)
        tally.counts = sum((summary.counts for summary in summaries.values()), start=Counts())

    async def end(self) -> None:
        """Do nothing: what was forgotten meanwhile left its summary in the transaction that forgot it."""

    async def grown(self, by: int) -> Sequence[tuple[str, int]]:
        """Users with so many more memories than were counted, by one query."""
        return await self.store.backlog.grown(self.tenant_id, by=by, without_kinds=self._without_kinds())

    async def counted(self, user_id: str, memories: int) -> None:
        """Note that so many were there."""
        await self.store.backlog.counted(self.tenant_id, user_id, memories)

    def _without_kinds(self) -> list[str]:
        return [*self.engine.policies[POLICY].select.without_kinds, POOL_SUMMARY]

    async def _due(self, user_id: str | None) -> list[str]:
        groups = await self.store.summaries.groups(
            self.tenant_id, filtering.Filter(user_id=user_id), policy=POLICY, stale_only=True, limit=_GROUPS
        )
        return [group_id for group_id, _ in groups]

    async def _refresh_all(self, group_ids: Sequence[str]) -> list[Outcome]:
        """Refresh these groups; one that a worker refreshes is tried again for as long as a lease lasts."""
        finished: list[Outcome] = []
        self.progress.begin(len(group_ids), "batches")
        loop = asyncio.get_running_loop()
        patience = loop.time() + self.engine.lease_lasts.total_seconds()
        while group_ids:
            outcomes = await work.together(group_ids, self._refresh, at_once=self.at_once)
            busy = [outcome for outcome in outcomes if outcome.result is Result.BUSY]
            finished += [outcome for outcome in outcomes if outcome.result is not Result.BUSY]
            if loop.time() > patience:
                return [*finished, *busy]
            group_ids = [outcome.group_id for outcome in busy]
            if busy:
                await asyncio.sleep(_PAUSE)
        return finished

    async def _refresh(self, group_id: str) -> Outcome:
        outcome = await self.refresh(group_id)
        self.progress.step(by=outcome.result is not Result.BUSY)
        return outcome


def _place(batch: Batch, now: datetime) -> Place:
    """The group of a batch; it is due at once, and never grows."""
    first = batch.members[0]
    return Place(
        policy=POLICY, name=batch.id, user_id=first.user_id, project_id=first.project_id,
        environment=first.environment, starts_on=first.created_at.date(), ends_on=batch.until.date(), due_at=now,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnShelf:
    """Summaries of a pool that precis keeps: ordinary memories, with what they stand for in their metadata."""

    pool: str
    read: Callable[[Sequence[str]], Awaitable[Mapping[str, Memory]]]
    write: Callable[[Mapping[str, Any]], Awaitable[object]]
    forget: Callable[[str], Awaitable[object]]

    async def ready(self) -> None:
        """precis can always keep one."""

    async def get(self, ids: Sequence[str]) -> Mapping[str, PoolMemory]:
        """Those that have a text."""
        memories = await self.read(ids)
        return {
            id_: PoolMemory(id=id_, text=memory.text, user_id=memory.scope.user_id, created_at=memory.created_at)
            for id_, memory in memories.items()
            if memory.text is not None
        }

    async def add(self, memory: PoolMemory) -> str:
        """Under the id of the summary; one that is there already stays as it is."""
        until = memory.summarized_until
        metadata = {
            "kind": POOL_SUMMARY,
            "pool": self.pool,
            "is_summary": True,
            "summarized_memory_ids": list(memory.summarized_memory_ids),
            "summarized_until": until.isoformat() if until else None,
        }
        if not await self.get([memory.id]):
            row = {
                "id": memory.id, "text": memory.text, "user_id": memory.user_id, "agent_id": memory.agent_id,
                "run_id": memory.run_id, "created_at": memory.created_at, "type": "summary",
                # A subject of its own, so that no cluster takes it: it is a summary already.
                "key": memory.id, "metadata": metadata, "revive": True,
            }  # fmt: skip
            await self.write(row)
        return memory.id

    async def delete(self, ids: Sequence[str]) -> None:
        """Forget them; one that is gone is no error."""
        for id_ in ids:
            try:
                await self.forget(id_)
            except errors.NotFound:
                continue
