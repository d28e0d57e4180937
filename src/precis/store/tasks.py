"""Tasks in PostgreSQL: requests for long work. Several may follow one piece of it, which ends for all at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from psycopg.types.json import Jsonb

from precis.database.connections import Database, Tx, retried
from precis.errors import Conflict, NotFound

#: How long a task that ended can be asked for.
_KEPT = timedelta(days=30)
_DEAD = "the worker that ran it gave no sign of life any more; run the view again"
_DEAD_WORK = "the process that did it gave no sign of life any more; ask again, and it goes on where it stopped"


#: The type of a task that runs a view; other work has names of its own.
VIEW_RUN = "summary_view_full_run"


class Status(StrEnum):
    """Where a task is; the last two are final."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    FAILED = "failed"


#: What a task may become. Becoming what it is already is no change.
NEXT: Mapping[Status, frozenset[Status]] = {
    Status.PENDING: frozenset({Status.RUNNING, Status.FAILED}),
    Status.RUNNING: frozenset({Status.SUCCESS, Status.FAILED}),
    Status.SUCCESS: frozenset(),
    Status.FAILED: frozenset(),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """A request to run a view, or for other work that takes longer than a request should."""

    id: str
    #: The piece of work it follows, named after the task that began it.
    run_id: str
    type: str
    #: The view that is run; of other work, what names it: the same request follows the same work.
    view_id: str
    status: Status
    #: Re-make what is current, too.
    forced: bool
    #: Partitions: how many were looked at, of how many there are to look at.
    done: int
    total: int
    #: Memories the view takes that lack a field it groups by; None before the run has begun.
    ungrouped_count: int | None
    error_message: str | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    #: What it is at now, and what came of it: ids and counts.
    what: str | None = None
    result: Mapping[str, Any] | None = None

    @property
    def ended(self) -> bool:
        """Whether it will not change any more."""
        return not NEXT[self.status]


class PostgresTasks:
    """Requests to run a view, and the pieces of work they follow."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @retried
    async def begin(
        self, tenant_id: str, task_id: str, view_id: str, *, forced: bool, now: datetime, lasts: timedelta,
        type_: str = VIEW_RUN,
    ) -> Task:  # fmt: skip
        """Keep a request. Its run is the one that goes on, or a new one of its own (``run_id == id``).

        Raises Conflict when the id is in use.
        """
        parameters = {"view_id": view_id}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("lock_runs", **parameters)
            await self._tidy(tx, now)
            run = await self._followed(tx, view_id, forced=forced)
            started = run or {"run_id": task_id, "status": Status.PENDING, "forced": forced, "lease_until": now + lasts}
            if started.get("started_at") is not None:
                # The run that it follows began before it: for this request it begins now.
                started = {**started, "started_at": now}
            rows = await tx.all(
                "insert_task",
                **{"done": 0, "total": 0, "what": None, "ungrouped_count": None, "started_at": None, **started},
                **parameters, task_id=task_id, type=type_, now=now,
            )  # fmt: skip
            if not rows:
                raise Conflict(f"task_id {task_id!r} is in use; give another one, or none")
        return _task(rows[0])

    async def get(self, tenant_id: str, task_id: str, *, now: datetime) -> Task:
        """One task; one whose worker gave no sign of life has failed. Raises NotFound."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("get_task", task_id=task_id)
            if rows and not _task(rows[0]).ended:
                await self._tidy(tx, now)
                rows = await tx.all("get_task", task_id=task_id)
        if not rows:
            raise NotFound(f"Task {task_id} not found")
        return _task(rows[0])

    async def start(
        self, tenant_id: str, task: Task, *, ungrouped: int | None, now: datetime, lasts: timedelta
    ) -> bool | None:
        """The run begins: whether it is a forced one by now; None when it may not begin any more."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("lock_runs", view_id=task.view_id)
            rows = await tx.all("start_run", run_id=task.run_id, ungrouped_count=ungrouped, now=now, until=now + lasts)
        return any(row["forced"] for row in rows) if rows else None

    async def progress(
        self, tenant_id: str, run_id: str, *, done: int, total: int, now: datetime, lasts: timedelta,
        what: str | None = None,
    ) -> frozenset[str]:  # fmt: skip
        """Note how far a run is and that it is alive; answers who follows it. Nobody: it was ended from outside."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("note_progress", run_id=run_id, done=done, total=total, what=what, until=now + lasts)
        return frozenset(row["task_id"] for row in rows)

    @retried
    async def finish(
        self, tenant_id: str, task: Task, *, error: str | None, known: frozenset[str] | None, now: datetime,
        result: Mapping[str, Any] | None = None,
    ) -> bool:  # fmt: skip
        """End a run for all who follow it; False when others than ``known`` do by now, who want another look."""
        parameters = {"run_id": task.run_id}
        status = Status.SUCCESS if error is None else Status.FAILED
        async with self._database.tx(tenant_id) as tx:
            await tx.run("lock_runs", view_id=task.view_id)
            following = {row["task_id"] for row in await tx.all("followers", **parameters)}
            if known is not None and following - known:
                return False
            before = [earlier.value for earlier, after in NEXT.items() if status in after]
            await tx.run(
                "end_run_of_task", **parameters, status=status.value, error_message=error, before=before, now=now,
                result=None if result is None else Jsonb(result),
            )  # fmt: skip
        return True

    async def _tidy(self, tx: Tx, now: datetime) -> None:
        await tx.run("end_dead", reason=_DEAD, work=_DEAD_WORK, type=VIEW_RUN, now=now)
        await tx.run("forget_old", before=now - _KEPT)

    async def _followed(self, tx: Tx, view_id: str, *, forced: bool) -> Mapping[str, Any] | None:
        """The run that goes on, where it does what is asked for or can still be told to."""
        rows = await tx.all("open_run", view_id=view_id)
        if not rows:
            return None
        run = rows[0]
        if forced and not run["forced"]:
            if run["status"] != Status.PENDING:
                return None
            await tx.run("force_run", run_id=run["run_id"])
            return {**run, "forced": True}
        return run


def _task(row: Mapping[str, Any]) -> Task:
    fields = {name: value for name, value in row.items() if name not in ("task_id", "status")}
    return Task(id=row["task_id"], status=Status(row["status"]), **fields)
