"""Jobs in PostgreSQL: the stale groups are the work list, so a job is a group that waits, runs or failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from precis.database.connections import Database
from precis.store.hints import Hints


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
