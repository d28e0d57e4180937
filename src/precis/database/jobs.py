"""Jobs: a group that waits, runs or failed is one, and a hint in the queue wakes a worker. A hint may be lost."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

from precis.database.connections import Call, Database, Tx
from precis.tracing import traceparent


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One group with something to do."""

    group_id: str
    policy: str
    user_id: str
    #: waiting, running, scheduled (for ``due_at``), retrying (after a failure), rejected (no draft passed: tried again
    #: at ``due_at``, or on request where that is None) or failed (until somebody tries again).
    state: str
    members: int
    #: The summary that stands meanwhile, if any.
    summary_id: str | None
    #: Failures since the last good refresh.
    attempts: int
    #: What went wrong last; never a text of a memory.
    error: str | None
    due_at: datetime | None
    failed_at: datetime | None
    #: Until when whoever refreshes it has the right to.
    lease_until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class JobCounts:
    """How many jobs of a tenant are in each state."""

    waiting: int
    running: int
    scheduled: int
    retrying: int
    failed: int
    rejected: int = 0


class PostgresJobs:
    """What waits, runs, failed and why: the stale groups are the work list."""

    def __init__(self, database: Database, hints: Hints) -> None:
        self._database = database
        self._hints = hints

    async def list(self, tenant_id: str, *, state: str | None, limit: int, now: datetime) -> Sequence[Job]:
        """Failed ones first, then the longest due."""
        parameters = {"state": state, "limit": limit, "now": now}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("list_jobs", **parameters)
        return [Job(**row) for row in rows]

    async def counts(self, tenant_id: str, *, now: datetime) -> JobCounts:
        """All of them, by state."""
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("count_jobs", now=now)
        return JobCounts(**(row or {}))

    async def retry(self, tenant_id: str, *, group_id: str | None, now: datetime) -> Sequence[str]:
        """Make one group that failed or whose draft was rejected, or all of them, due again; answers which."""
        parameters = {"group_id": group_id, "now": now}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("retry_jobs", **parameters)
            if rows:
                await self._hints.hint(tx)
        return sorted(row["group_id"] for row in rows)

    async def wake(self, tenant_id: str) -> None:
        """Hint a worker that something is left to do."""
        async with self._database.tx(tenant_id) as tx:
            await self._hints.hint(tx)


#: At most this many ticks of a tenant wait or run at once, unless the settings say otherwise: its share of the workers.
TICKS_PER_TENANT = 3
TICK = "precis.tick"


def tick_lock(tenant_id: str, slot: int) -> str:
    """The lock of one of a tenant's ticks; a worker learns the tenant from it, there is no payload."""
    return f"{tenant_id}:{slot}"


def tenant_of(lock: str) -> str:
    """The tenant a tick is for."""
    return lock.rpartition(":")[0]


@dataclass(frozen=True, slots=True)
class Hint:
    """One of a tenant's ticks."""

    lock: str

    @property
    def waits(self) -> Call:
        """Asks whether that tick waits already."""
        return "tick_waits", {"lock": self.lock}


def tells_causes() -> bool:
    """Whether somebody traces, so that causes are noted."""
    return traceparent() is not None


async def note_cause(tx: Tx, group_ids: Collection[str]) -> None:
    """This write made these groups stale: where somebody traces, the refresh that follows is linked to it."""
    cause = traceparent()
    if cause is not None and group_ids:
        await tx.run("note_cause", groups=sorted(group_ids), cause=cause)


class Hints:
    """Defers ticks. The tasks themselves are defined in precis.jobs; here they are known by name."""

    def __init__(self, ticks: int = TICKS_PER_TENANT) -> None:
        self._ticks = ticks
        self._app = App(connector=PsycopgConnector())

    def next(self, tenant_id: str) -> Hint:
        """The tick that a hint is for: any of the tenant's."""
        return Hint(tick_lock(tenant_id, random.randrange(self._ticks)))  # noqa: S311 - spreads load, guards nothing

    async def hint(self, tx: Tx, hint: Hint | None = None) -> None:
        """One more tick for the tenant, in the caller's transaction, unless that slot's waits already.

        A ``hint`` that is given was asked for by its ``waits``. It is asked, not tried: what is rolled back to a
        savepoint costs the connection all its prepared statements.
        """
        if hint is None:
            hint = self.next(tx.tenant_id)
            (waiting,) = await tx.together(hint.waits)
            if waiting:
                return
        lock = hint.lock
        job = self._app.configure_task(TICK, lock=lock, queueing_lock=lock, connection=tx.connection)
        try:
            async with tx.connection.transaction():
                await job.defer_async()
        except AlreadyEnqueued:
            return
        except ConnectorException as error:
            # The transaction is the caller's: it is told of the database's own error, as by any other statement.
            raise error.__cause__ or error from None
