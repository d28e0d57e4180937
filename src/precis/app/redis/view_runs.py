"""A run of a view: every stale partition once, a few at a time. It ends its tasks whatever happens."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import structlog

from precis.app.parts import LASTS, Parts, Verbs, carry_out, telling
from precis.app.refreshing import refresh_group
from precis.engine.commit import Outcome, Result
from precis.store.tasks import Task
from precis.store.views import Partition
from precis.view import View
from precis.work import together

_log = structlog.get_logger(__name__)
#: What a refresh says when its group went away meanwhile.
GONE = "the group is gone"
#: Seconds between two looks at a partition that somebody else refreshes.
_LOOK = 0.2
_STOPPED = "precis was stopped before the run ended; run the view again"
#: Outcomes after which a partition is not what it should be.
_BAD = (Result.FAILED, Result.REJECTED, Result.BUSY)


async def refresh_partition(parts: Parts, group_id: str, *, forced: bool = False) -> Outcome:
    """Make one partition current; waits while somebody else does, as long as two leases last."""
    until = time.monotonic() + 2 * parts.engine.lease_lasts.total_seconds()
    last = Outcome(group_id=group_id, result=Result.BUSY, reason="somebody else refreshes it")
    while time.monotonic() < until:
        outcome = await refresh_group(parts.engine, parts.tenant_id, group_id, force=forced, again=True)
        if outcome is not None:
            last = outcome
            if outcome.result not in (Result.BUSY, Result.DISCARDED) or outcome.reason == GONE:
                break
        await asyncio.sleep(_LOOK)
    return last


@dataclass(kw_only=True)
class _Tally:
    """What became of the partitions so far."""

    done: int = 0
    total: int = 0
    #: Why partitions failed, by group.
    failed: dict[str, str] = field(default_factory=dict)
    #: Whoever says how far it is: of two words on it the later one is the last.
    telling: asyncio.Lock = field(default_factory=asyncio.Lock)

    def note(self, outcome: Outcome) -> None:
        self.done += 1
        if outcome.result in _BAD:
            self.failed[outcome.group_id] = outcome.reason or outcome.result.value

    def reason(self, stand_ins: int) -> str | None:
        """Why the run failed, in a line; None when it did not."""
        if self.failed:
            why, _ = Counter(self.failed.values()).most_common(1)[0]
            return f"{len(self.failed)} of {self.total} partitions failed, what stood there stays: {why}"
        if stand_ins:
            return f"the model gave no draft: {stand_ins} partitions have an extractive summary until it does"
        return None


async def run(parts: Parts, view: View, task: Task) -> None:
    """The work that a task and its followers wait for. Raises nothing but CancelledError."""
    await carry_out(
        parts, task, _run(parts, view, task), seconds=parts.settings.view_run_seconds, what="the run", stopped=_STOPPED,
        unforeseen=lambda kind: _log.warning("view_run_failed", view_id=view.id, error=kind),
    )  # fmt: skip


async def _run(parts: Parts, view: View, task: Task) -> None:
    store, tenant_id, clock = parts.store, parts.tenant_id, parts.engine.clock
    await store.places.sweep(tenant_id, now=clock())
    ungrouped = await store.views.ungrouped(tenant_id, view, now=clock())
    forced = await store.tasks.start(tenant_id, task, ungrouped=ungrouped, now=clock(), lasts=LASTS)
    if forced is None:
        return
    tally = _Tally()
    async with telling(partial(_note, parts, task, tally), is_for_waiters=True):
        while True:
            known = await _note(parts, task, tally)
            stale = await store.views.stale(tenant_id, view.id, forced=forced)
            pending = [partition for partition in stale if partition.group_id not in tally.failed]
            tally.total += len(pending)
            await _refresh_all(parts, pending, tally, forced=forced)
            await _note(parts, task, tally)
            stand_ins = 0 if parts.engine.offline else (await store.views.count(tenant_id, view.id)).stand_ins
            if await store.tasks.finish(tenant_id, task, error=tally.reason(stand_ins), known=known, now=clock()):
                return
            # Somebody came meanwhile: what changed since it was looked at is looked at again.
            forced = False


async def _refresh_all(parts: Parts, partitions: Sequence[Partition], tally: _Tally, *, forced: bool) -> None:
    """A few at a time: as many as the tenant may have calls under way."""

    async def work(partition: Partition) -> None:
        tally.note(await refresh_partition(parts, partition.group_id, forced=forced))

    await together(partitions, work, at_once=parts.settings.concurrent_jobs)


async def _note(parts: Parts, task: Task, tally: _Tally) -> frozenset[str]:
    """Write down how far it is; answers who waits for it: nobody, when it was ended from outside."""
    async with tally.telling:
        return await parts.store.tasks.progress(
            parts.tenant_id, task.run_id, done=tally.done, total=tally.total, now=parts.engine.clock(), lasts=LASTS
        )


async def wait(parts: Parts, task_id: str, *, seconds: float) -> Task:
    """The task once it has ended. Raises NotFound, TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            task = await parts.store.tasks.get(parts.tenant_id, task_id, now=parts.engine.clock())
            if task.ended:
                return task
            await asyncio.sleep(_LOOK)


class Tasks(Verbs):
    """Verbs over the tasks of one tenant."""

    async def get(self, task_id: str) -> Task:
        """Where a task is. One whose worker gave no sign of life has failed. Raises NotFound."""
        return await self._store.tasks.get(self._tenant_id, task_id, now=self._now())

    async def wait(self, task_id: str, *, seconds: float = 3600) -> Task:
        """The task once it has ended. Raises NotFound, TimeoutError."""
        return await wait(self._parts, task_id, seconds=seconds)
