"""Jobs in PostgreSQL: the stale groups are the work list, so a job is a group that waits, runs or failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from precis.database.connections import Database
from precis.database.queries import Queries
from precis.store.hints import Hints
from precis.store.ports import Job, JobCounts

_SQL = Queries("jobs")


class PostgresJobs:
    """See precis.store.ports.Jobs."""

    def __init__(self, database: Database, hints: Hints) -> None:
        self._database = database
        self._hints = hints

    async def list(self, tenant_id: str, *, state: str | None, limit: int, now: datetime) -> Sequence[Job]:
        """See the port."""
        parameters = {"tenant_id": tenant_id, "state": state, "limit": limit, "now": now}
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "list_jobs", **parameters)
        return [Job(**row) for row in rows]

    async def counts(self, tenant_id: str, *, now: datetime) -> JobCounts:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            row = await _SQL.one(connection, "count_jobs", tenant_id=tenant_id, now=now)
        return JobCounts(**(row or {}))

    async def retry(self, tenant_id: str, *, group_id: str | None, now: datetime) -> Sequence[str]:
        """See the port."""
        parameters = {"tenant_id": tenant_id, "group_id": group_id, "now": now}
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "retry_jobs", **parameters)
            if rows:
                await self._hints.hint(connection, tenant_id)
        return sorted(row["group_id"] for row in rows)

    async def wake(self, tenant_id: str) -> None:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            await self._hints.hint(connection, tenant_id)
