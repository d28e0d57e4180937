"""Asking named queries inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

from precis.store.filtering import narrowed
from precis.store.pool import Connection
from precis.store.sql import queries

Row = Mapping[str, Any]


class Queries:
    """The queries of one resource: their texts by name, and their answers."""

    def __init__(self, resource: str) -> None:
        self._named = queries(resource)

    def __getitem__(self, name: str) -> LiteralString:
        """The text of a query."""
        return self._named[name]

    async def all(self, connection: Connection, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer."""
        return await (await connection.execute(self._named[name], parameters)).fetchall()

    async def filtered(self, connection: Connection, name: str, /, **parameters: Any) -> Sequence[Row]:
        """Every row of an answer, by the query with the conditions that are given."""
        return await (await connection.execute(narrowed(self._named[name], parameters), parameters)).fetchall()

    async def one(self, connection: Connection, name: str, /, **parameters: Any) -> Row | None:
        """The first row of an answer; None when it has none."""
        return await (await connection.execute(self._named[name], parameters)).fetchone()

    async def run(self, connection: Connection, name: str, /, **parameters: Any) -> int:
        """A statement without an answer; how many rows it wrote."""
        return (await connection.execute(self._named[name], parameters)).rowcount

    async def many(self, connection: Connection, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """The same statement for each of these."""
        async with connection.cursor() as cursor:
            await cursor.executemany(self._named[name], rows)
