"""The backlog of the archive in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from precis.store.archive_ports import OldMemory
from precis.store.asking import Queries
from precis.store.pool import Database

_SQL = Queries("archive")


class PostgresBacklog:
    """See precis.store.archive_ports.Backlog."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(
        self, tenant_id: str, *, before: datetime, without_kinds: Sequence[str], user_id: str | None = None
    ) -> Sequence[OldMemory]:
        """See the port."""
        asked = {
            "tenant_id": tenant_id, "before": before, "without_kinds": sorted(without_kinds), "user_id": user_id,
        }  # fmt: skip
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "backlog", **asked)
        return [OldMemory(**row) for row in rows]

    async def overdue(
        self, tenant_id: str, *, before: datetime, user_id: str | None = None
    ) -> Sequence[tuple[str, int]]:
        """See the port."""
        asked = {"tenant_id": tenant_id, "before": before, "user_id": user_id}
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "overdue_by_user", **asked)
        return [(row["user_id"], row["originals"]) for row in rows]

    async def grown(self, tenant_id: str, *, by: int, without_kinds: Sequence[str]) -> Sequence[tuple[str, int]]:
        """See the port."""
        here = {"tenant_id": tenant_id, "without_kinds": sorted(without_kinds)}
        async with self._database.tenant(tenant_id) as connection:
            await _SQL.run(connection, "lower_counts", **here)
            rows = await _SQL.all(connection, "grown", **here, by=by)
        return [(row["user_id"], row["total"]) for row in rows]

    async def counts(self, tenant_id: str, pool: str) -> Mapping[str, int]:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "counts", tenant_id=tenant_id, pool=pool)
        return {row["user_id"]: row["counted"] for row in rows}

    async def counted(self, tenant_id: str, user_id: str, total: int, *, pool: str = "") -> None:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            await _SQL.run(connection, "put_count", tenant_id=tenant_id, pool=pool, user_id=user_id, counted=total)
