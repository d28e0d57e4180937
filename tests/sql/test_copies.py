"""A process that serves notices that another copy of its database took the place of the one before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import LiteralString

import pytest
from databases import Scratch, connect
from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.database import queries
from precis.database.connections import open_database
from precis.errors import ConfigurationError, NotFound, StoreUnavailable
from precis.keys.tenants import DEFAULT_TENANT
from precis.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")
MakeScratch = Callable[..., Awaitable[Scratch]]
KIT = [
    {"id": f"k{at}", "user_id": "lys", "key": "kit", "text": f"Lys owns {name}."}
    for at, name in enumerate(("a kayak", "two oars"))
]


@asynccontextmanager
async def closed(owner: str, name: str) -> AsyncIterator[Callable[..., Awaitable[None]]]:
    """While nobody is in this database: gives what runs a statement about it, which has the place of its name."""
    async with await connect(owner) as connection:

        async def run(statement: LiteralString, *others: str) -> None:
            names = [sql.Identifier(each) for each in (name, *others)]
            await connection.execute(sql.SQL(statement).format(*names))

        await run("ALTER DATABASE {} ALLOW_CONNECTIONS false")
        await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        yield run
        await run("ALTER DATABASE {} ALLOW_CONNECTIONS true")


async def told(app: App) -> set[str]:
    """What recall has of Lys."""
    return {result.memory.text or "" for result in await app.recall.search("What does Lys own?", user_id="lys")}


async def test_what_was_forgotten_since_does_not_come_back(
    scratch: MakeScratch, owner_dsn: str, tmp_path: Path
) -> None:
    """The older copy comes back under the same name: the first read after it has nothing of what was forgotten."""
    database = await scratch()
    name = str(conninfo_to_dict(database.owner)["dbname"])
    settings = Settings(data_dir=tmp_path, database_url=database.serving, database_owner_url=database.owner)
    async with open_runtime(settings) as runtime:
        app = runtime.app(DEFAULT_TENANT)
        await app.memories.add(KIT, summarize="deferred")
        async with closed(owner_dsn, name) as run:
            await run("CREATE DATABASE {1} TEMPLATE {0}", f"{name}_older")
        await app.memories.forget("k0")
        await app.memories.add([{"id": "k2", "user_id": "lys", "text": "Lys owns a tent."}], summarize="deferred")
        async with closed(owner_dsn, name) as run:
            await run("ALTER DATABASE {0} RENAME TO {1}", f"{name}_newer")
            await run("ALTER DATABASE {1} RENAME TO {0}", f"{name}_older")
        assert await told(app) == {"Lys owns two oars."}
        with pytest.raises(NotFound):
            await app.memories.get("k0")
        await app.memories.add([{"id": "k3", "user_id": "lys", "key": "kit", "text": "Lys owns a stove."}])
        assert await told(app) == {"Lys owns two oars.", "Lys owns a stove."}
    async with await connect(owner_dsn) as connection:
        await connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(f"{name}_newer")))


async def test_tables_that_are_made_anew_are_followed_before_they_are_read(
    runtime: Runtime, owner: AsyncConnection[DictRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a connection that stays open. While that fails, nobody reads, and everybody tries again."""
    monkeypatch.setattr(queries, "_LOOK_SECONDS", 0.0)
    events: list[str] = []

    async def follow() -> None:
        async with database.directory():
            events.append("followed")
        if events.count("followed") == 2:
            raise ConfigurationError("the keys are of another day")

    async with open_database(str(runtime.database.pool.conninfo), max_size=1) as database:
        database.copies.kept.append(lambda: events.append("let go"))
        database.copies.watch(follow)
        await asyncio.gather(database.ping(), database.ping())
        assert events == ["let go", "followed"]
        await owner.execute("VACUUM FULL zones")
        with pytest.raises(StoreUnavailable, match="not ready"):
            await database.ping()
        assert await database.ask("ping") == {"one": 1}
        assert events == 3 * ["let go", "followed"]
