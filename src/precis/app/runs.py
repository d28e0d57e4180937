"""Work that may take longer than a request should: a task that can be asked for, and that ends whatever happens.

A long run is such work in general. A run of a view refreshes every stale partition once, a few at a time.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

import structlog

from precis.app.parts import Parts, Verbs
from precis.app.refreshing import refresh_group
from precis.engine.drafted import Outcome, Result
from precis.errors import DraftFailed, PrecisError
from precis.ids import new_ulid
from precis.store.tasks import Status, Task
from precis.store.views import Partition
from precis.view import View
from precis.work import Progress, alongside, together

_log = structlog.get_logger(__name__)
#: Does the work, says how far it is, and answers what came of it: ids and counts, for a JSON column.
Work = Callable[[Progress], Awaitable[Mapping[str, Any]]]
#: How long a process that works on a task counts as alive without a note of its progress.
LASTS = timedelta(seconds=60)
#: Seconds between two looks at a task, and between two notes of its progress.
_LOOK, _TELL = 0.05, 1.0
_STOPPED = "precis was stopped before it ended; ask again, and it goes on where it stopped"


@dataclass(kw_only=True)
class LongRun:
    """A request that was taken up."""

    parts: Parts
    task: Task
    #: What ended the work in this process, for whoever began it.
    error: Exception | None = None
    #: Whether the work in this process is over, and the task with it: asking again begins anew.
    over: bool = False

    async def wait(self, seconds: float) -> Task:
        """The task as it is when it has ended, or when so many seconds have passed. Raises what ended the work."""
        until = time.monotonic() + seconds
        while True:
            task = await self.parts.store.tasks.get(self.parts.tenant_id, self.task.id, now=self.parts.engine.clock())
            if self.error is not None and (self.over or task.status is Status.FAILED):
                raise self.error
            if task.status is Status.FAILED:
                raise DraftFailed(task.error_message or "it failed")
            if task.ended or time.monotonic() >= until:
                return task
            await asyncio.sleep(_LOOK)


async def begin(parts: Parts, subject: str, type_: str, work: Work) -> LongRun:
    """Take up a request. One for the same ``subject`` that is under way is followed, and ends with it."""
    task = await parts.store.tasks.begin(
        parts.tenant_id, new_ulid(), subject, forced=False, now=parts.engine.clock(), lasts=LASTS, type_=type_
    )
    run = LongRun(parts=parts, task=task)
    if task.run_id == task.id:
        parts.background.begin(_run(run, work))
    return run


async def _run(run: LongRun, work: Work) -> None:
    """The work that a task and its followers wait for. Raises nothing but CancelledError."""

    def note(error: PrecisError) -> None:
        run.error = error

    await carry_out(
        run.parts, run.task, _work(run, work), seconds=run.parts.settings.summarize_run_seconds, what="it",
        stopped=_STOPPED, failed=note,
        unforeseen=lambda kind: _log.warning("long_run_failed", type=run.task.type, error=kind),
    )  # fmt: skip
    run.over = True


async def carry_out(
    parts: Parts, task: Task, work: Coroutine[Any, Any, None], *, seconds: float, what: str, stopped: str,
    unforeseen: Callable[[str], object], failed: Callable[[PrecisError], None] | None = None,
) -> None:  # fmt: skip
    """The work that a task and its followers wait for, which ends for all of them whatever happens.

    ``stopped`` is why, where this process ends first. ``failed`` is told of an error before the task ends by it,
    ``unforeseen`` of the kind of any other. Raises nothing but CancelledError.
    """
    try:
        async with asyncio.timeout(seconds):
            await work
    except asyncio.CancelledError:
        await asyncio.shield(_fail(parts, task, stopped))
        raise
    except TimeoutError:
        await _fail(parts, task, f"{what} took longer than {seconds:.0f} seconds")
    except PrecisError as error:
        if failed is not None:
            failed(error)
        await _fail(parts, task, str(error))
    except Exception as error:  # noqa: BLE001 - a task always ends; only the kind of error is told
        unforeseen(type(error).__name__)
        await _fail(parts, task, type(error).__name__)


async def _work(run: LongRun, work: Work) -> None:
    parts, task, progress = run.parts, run.task, Progress()
    tasks, clock = parts.store.tasks, parts.engine.clock
    if await tasks.start(parts.tenant_id, task, ungrouped=None, now=clock(), lasts=LASTS) is None:
        return
    async with telling(partial(_tell, parts, task, progress), is_for_waiters=False):
        result = await work(progress)
    await _tell(parts, task, progress)
    await tasks.finish(parts.tenant_id, task, error=None, known=None, now=clock(), result=result)


async def _fail(parts: Parts, task: Task, reason: str) -> None:
    """Without a database the lease runs out, which is the same in the end."""
    with suppress(PrecisError):
        await parts.store.tasks.finish(parts.tenant_id, task, error=reason, known=None, now=parts.engine.clock())


async def _tell(parts: Parts, task: Task, progress: Progress) -> frozenset[str]:
    return await parts.store.tasks.progress(
        parts.tenant_id, task.run_id, done=progress.done, total=progress.total, what=progress.what or None,
        now=parts.engine.clock(), lasts=LASTS,
    )  # fmt: skip


@asynccontextmanager
async def telling(tell: Callable[[], Awaitable[Collection[str]]], *, is_for_waiters: bool) -> AsyncIterator[None]:
    """Note once a second how far the work is, which also says that its process lives.

    ``tell`` notes it, and answers who waits for the work.

    ``is_for_waiters``: where nobody waits any more, the work is cancelled.
    """
    working = asyncio.current_task()

    async def go_on() -> None:
        while True:
            await asyncio.sleep(_TELL)
            with suppress(PrecisError):
                if not await tell() and is_for_waiters and working is not None:
                    working.cancel()
                    return

    async with alongside(go_on()):
        yield


# --- runs of views ---

#: What a refresh says when its group went away meanwhile.
GONE = "the group is gone"
#: Seconds between two looks at a partition that somebody else refreshes, and at a task that a caller waits for.
_PAUSE = 0.2
_VIEW_STOPPED = "precis was stopped before the run ended; run the view again"
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
        await asyncio.sleep(_PAUSE)
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


async def run_view(parts: Parts, view: View, task: Task) -> None:
    """The work that a task and its followers wait for. Raises nothing but CancelledError."""
    await carry_out(
        parts, task, _run_view(parts, view, task), seconds=parts.settings.view_run_seconds, what="the run",
        stopped=_VIEW_STOPPED,
        unforeseen=lambda kind: _log.warning("view_run_failed", view_id=view.id, error=kind),
    )  # fmt: skip


async def _run_view(parts: Parts, view: View, task: Task) -> None:
    store, tenant_id, clock = parts.store, parts.tenant_id, parts.engine.clock
    await store.rule_groups.sweep(tenant_id, now=clock())
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


class Tasks(Verbs):
    """Verbs over the tasks of one tenant."""

    async def get(self, task_id: str) -> Task:
        """Where a task is. One whose worker gave no sign of life has failed. Raises NotFound."""
        return await self._store.tasks.get(self._tenant_id, task_id, now=self._now())

    async def wait(self, task_id: str, *, seconds: float = 3600) -> Task:
        """The task once it has ended. Raises NotFound, TimeoutError."""
        async with asyncio.timeout(seconds):
            while True:
                task = await self._store.tasks.get(self._tenant_id, task_id, now=self._now())
                if task.ended:
                    return task
                await asyncio.sleep(_PAUSE)
