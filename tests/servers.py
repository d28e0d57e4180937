"""Another PostgreSQL than the embedded one, for the tests that take what the shared fixtures give them.

``TEST_SERVER`` is the URL of a superuser of it; `make matrix` sets it.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo
from psycopg.errors import DuplicateObject, UniqueViolation

from precis.embedded.server import APPLICATION
from precis.ids import new_id

#: Unset: the embedded one.
SERVER = os.environ.get("TEST_SERVER")


@dataclass(frozen=True, kw_only=True)
class Urls:
    """Two ways into a database: as the owner, and as the role that serves."""

    owner: str
    serving: str


@asynccontextmanager
async def database_on(server: str) -> AsyncIterator[Urls]:
    """A database of its own, gone at the end."""
    name = f"tests_{new_id().replace('-', '')}"
    async with await AsyncConnection.connect(server, autocommit=True) as connection:
        with suppress(DuplicateObject, UniqueViolation):  # another process of tests was faster
            await connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(APPLICATION)))
        create = "CREATE DATABASE {} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        await connection.execute(sql.SQL(create).format(sql.Identifier(name)))
        try:
            owner = make_conninfo(server, dbname=name)
            yield Urls(owner=owner, serving=make_conninfo(owner, user=APPLICATION))
        finally:
            await connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
