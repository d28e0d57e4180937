"""Tx: one transaction of one tenant. Every query asked of it names the tenant by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from precis.database.queries import Connection, narrowed, query

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tx:
    """A transaction that is open; ``Database.tx`` begins and ends it.

    Queries are those of store/sql, by their names. Each is given ``tenant_id`` besides the parameters of the call.
    """

    connection: Connection
    #: Empty in the directory of tenants, where no row of anybody is seen.
    tenant_id: str

    async def all(self, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer."""
        return await (await self.connection.execute(query(name), self._of_tenant(parameters))).fetchall()

    async def filtered(self, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer, by the query with the conditions that are given."""
        parameters = self._of_tenant(parameters)
        return await (await self.connection.execute(narrowed(query(name), parameters), parameters)).fetchall()

    async def one(self, name: str, /, **parameters: Any) -> Row | None:
        """The first row of an answer; None when it has none."""
        return await (await self.connection.execute(query(name), self._of_tenant(parameters))).fetchone()

    async def run(self, name: str, /, **parameters: Any) -> int:
        """A statement without an answer; how many rows it wrote."""
        return (await self.connection.execute(query(name), self._of_tenant(parameters))).rowcount

    async def many(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """The same statement for each of these."""
        async with self.connection.cursor() as cursor:
            await cursor.executemany(query(name), [self._of_tenant(row) for row in rows])

    def _of_tenant(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return {"tenant_id": self.tenant_id, **parameters} if self.tenant_id else dict(parameters)
