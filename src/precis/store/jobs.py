"""Jobs in PostgreSQL: the stale groups are the work list, so a job is a group that waits, runs or failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from precis.store.hints import Hints
from precis.store.pool import Database
from precis.store.ports import Job, JobCounts
from precis.store.sql import queries

_SQL = queries("jobs")


class PostgresJobs:
    """See precis.store.ports.Jobs."""

    def __init__(self, database: Database, hints: Hints) -> None:
        self._database = database
        self._hints = hints

    async def list(self, tenant_id: str, *, state: str | None, limit: int, now: datetime) -> Sequence[Job]:
        """See the port."""
        parameters = {"tenant_id": tenant_id, "state": state, "limit": limit, "now": now}
        async with self._database.tenant(tenant_id) as connection:
            rows = await (await connection.execute(_SQL["list_jobs"], parameters)).fetchall()
        return [Job(**row) for row in rows]

    async def counts(self, tenant_id: str, *, now: datetime) -> JobCounts:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            cursor = await connection.execute(_SQL["count_jobs"], {"tenant_id": tenant_id, "now": now})
            row = await cursor.fetchone()
        return JobCounts(**(row or {}))

    async def retry(self, tenant_id: str, *, group_id: str | None, now: datetime) -> Sequence[str]:
        """See the port."""
        parameters = {"tenant_id": tenant_id, "group_id": group_id, "now": now}
        async with self._database.tenant(tenant_id) as connection:
            rows = await (await connection.execute(_SQL["retry_jobs"], parameters)).fetchall()
            if rows:
                await self._hints.hint(connection, tenant_id)
        return sorted(row["group_id"] for row in rows)

    async def wake(self, tenant_id: str) -> None:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            await self._hints.hint(connection, tenant_id)
