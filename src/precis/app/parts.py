"""What the verbs share: the store, the engine and the limits of this deployment, for one tenant; and long runs.

A long run is work that may take longer than a request should: a task that can be asked for, and that ends whatever
happens.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import partial
from typing import Any

import structlog

from precis.engine.pipeline import Engine
from precis.engine.policy import Placing
from precis.engine.spending import Ledger, NoLedger
from precis.errors import DraftFailed, PrecisError
from precis.ids import new_ulid
from precis.policies import rollups
from precis.settings import Settings
from precis.store.postgres import PostgresStore
from precis.store.tasks import Status, Task
from precis.work import Progress, alongside


class Background:
    """Work that goes on after its caller was answered. Whoever opens it closes it before the database."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._under_way: set[asyncio.Task[None]] = set()
        #: The event loop that the database was opened in, for callers in other threads.
        self.loop = loop

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Go on with this while the caller does something else; it has to deal with its own errors."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def aclose(self) -> None:
        """Stop what is under way and wait until it has stopped."""
        while self._under_way:
            for task in self._under_way:
                task.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)


@dataclass(kw_only=True, slots=True)
class Pressure:
    """How many requests of this process wait for their turn: what can be done later is done later."""

    waiting: int = 0


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Handed to every resource of the app."""

    tenant_id: str
    store: PostgresStore
    engine: Engine
    settings: Settings
    ledger: Ledger = field(default_factory=NoLedger)
    #: What goes on after its caller was answered.
    background: Background = field(default_factory=Background)
    #: How many requests wait for their turn.
    pressure: Pressure = field(default_factory=Pressure)


class Verbs:
    """What users call of one resource, for one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tenant_id, self._store = parts.tenant_id, parts.store
        self._engine, self._settings = parts.engine, parts.settings

    def _now(self) -> datetime:
        return self._engine.clock()


async def zone_of(parts: Parts, user_id: str) -> tzinfo:
    """The zone that a user lives in: the user's own, else the tenant's, else UTC."""
    zones = await parts.store.zones.of(parts.tenant_id, user_id)
    return rollups.zone_of(Placing(now=parts.engine.clock(), zones=zones), user_id)


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
