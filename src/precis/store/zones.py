"""Time zones of users and of their tenant, in PostgreSQL. A changed zone moves notes to other days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from precis.store.asking import Queries
from precis.store.places import PostgresPlaces
from precis.store.pool import Database, retried

_SQL = Queries("zones")
_PLACES = Queries("places")


class PostgresZones:
    """See precis.store.ports.Zones."""

    def __init__(self, database: Database, places: PostgresPlaces) -> None:
        self._database = database
        self._places = places

    async def list(self, tenant_id: str) -> Mapping[str, str]:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "list_zones", tenant_id=tenant_id)
        return {row["user_id"]: row["zone"] for row in rows}

    @retried
    async def put(self, tenant_id: str, user_id: str, zone: str | None, *, policies: Sequence[str]) -> Sequence[str]:
        """See the port."""
        here = {"tenant_id": tenant_id, "user_id": user_id}
        async with self._database.tenant(tenant_id) as connection:
            await _PLACES.run(connection, "take_placing", tenant_id=tenant_id)
            if zone is None:
                await _SQL.run(connection, "delete_zone", **here)
            else:
                await _SQL.run(connection, "put_zone", **here, zone=zone)
            rows = await _SQL.all(connection, "placed_memories", **here, policies=list(policies))
        return [row["memory_id"] for row in rows]
