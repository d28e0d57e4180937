"""Jobs in PostgreSQL: the stale groups are the work list, so a job is a group that waits, runs or failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from precis.database.connections import Database
from precis.store.hints import Hints
from precis.store.ports import Job, JobCounts


class PostgresJobs:
    """See precis.store.ports.Jobs."""

    def __init__(self, database: Database, hints: Hints) -> None:
        self._database = database
        self._hints = hints

    async def list(self, tenant_id: str, *, state: str | None, limit: int, now: datetime) -> Sequence[Job]:
        """See the port."""
        parameters = {"state": state, "limit": limit, "now": now}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("list_jobs", **parameters)
        return [Job(**row) for row in rows]

    async def counts(self, tenant_id: str, *, now: datetime) -> JobCounts:
        """See the port."""
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("count_jobs", now=now)
        return JobCounts(**(row or {}))

    async def retry(self, tenant_id: str, *, group_id: str | None, now: datetime) -> Sequence[str]:
        """See the port."""
        parameters = {"group_id": group_id, "now": now}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("retry_jobs", **parameters)
            if rows:
                await self._hints.hint(tx)
        return sorted(row["group_id"] for row in rows)

    async def wake(self, tenant_id: str) -> None:
        """See the port."""
        async with self._database.tx(tenant_id) as tx:
            await self._hints.hint(tx)
