"""Databases of their own beside the shared one, and the two roles that may enter them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import LiteralString

import pytest_asyncio
from databases import Scratch, connect
from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow

from precis.bootstrap import Runtime
from precis.embedded import server as embedded
from precis.embedded.server import APPLICATION
from precis.ids import new_id


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def owner_dsn(runtime: Runtime, rooms_folder: Path) -> AsyncIterator[str]:
    """The owner's way into the shared database."""
    if runtime.settings.database_owner_url is not None:
        yield runtime.settings.database_owner_url
        return
    async with embedded.running(rooms_folder / "shared") as server:
        yield server.owner_dsn


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def owner(owner_dsn: str) -> AsyncIterator[AsyncConnection[DictRow]]:
    """The owner of the shared database, above row-level security."""
    async with await connect(owner_dsn) as connection:
        yield connection


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def scratch(owner_dsn: str) -> AsyncIterator[Callable[..., Awaitable[Scratch]]]:
    """Makes empty databases, dropped at the end."""
    made: list[str] = []

    async def make(options: LiteralString = "") -> Scratch:
        name = f"scratch_{new_id().replace('-', '')}"
        async with await connect(owner_dsn) as connection:
            await connection.execute(sql.SQL("CREATE DATABASE {} " + options).format(sql.Identifier(name)))
        made.append(name)
        return Scratch(
            owner=make_conninfo(owner_dsn, dbname=name), serving=make_conninfo(owner_dsn, dbname=name, user=APPLICATION)
        )

    yield make
    async with await connect(owner_dsn) as connection:
        for name in made:
            await connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def our_tables(owner: AsyncConnection[DictRow]) -> list[str]:
    """Every table of precis's own in the catalog, whichever migration made it."""
    asked = await owner.execute(
        "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') "
        "AND c.relname NOT LIKE 'procrastinate%' AND c.relname <> 'schema_migrations' ORDER BY 1"
    )
    return [row["relname"] for row in await asked.fetchall()]
