"""A connection that is lost: what is promised of the write is true."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from psycopg import DataError, OperationalError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import NotNullViolation
from psycopg_pool import AsyncConnectionPool

from precis.bootstrap import Runtime
from precis.database.connections import Database, open_database
from precis.database.jobs import Hints
from precis.database.sending import Connection
from precis.errors import StoreUnavailable

pytestmark = pytest.mark.asyncio(loop_scope="session")
INSERT = "INSERT INTO zones (tenant_id, user_id, zone) VALUES (%(tenant)s, %(user)s, 'UTC')"
KILL = "SELECT pg_terminate_backend(pg_backend_pid())"


@asynccontextmanager
async def _cut(runtime: Runtime, folder: Path, at: bytes, *, answered: bool) -> AsyncIterator[Database]:
    """A database behind a line that is cut at the first statement like this, when the server has answered or before."""
    url = conninfo_to_dict(str(runtime.database.pool.conninfo))
    name = f".s.PGSQL.{url['port']}"
    armed = asyncio.Event()

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(f"{url['host']}/{name}")
        lost = asyncio.Event()
        answering = asyncio.create_task(_pass_on(back, writer, lost))
        while asked := await reader.read(65536):
            if armed.is_set() and at in asked:
                armed.clear()
                lost.set()
                if answered:
                    forth.write(asked)
                    await answering
                break
            forth.write(asked)
        answering.cancel()
        forth.close()
        writer.close()

    there = make_conninfo(str(runtime.database.pool.conninfo), host=str(folder))
    async with await asyncio.start_unix_server(serve, folder / name), open_database(there, max_size=1) as database:
        await database.ping()
        armed.set()
        yield database


async def _pass_on(back: StreamReader, writer: StreamWriter, lost: asyncio.Event) -> None:
    """What the server answers, until the line is cut: then the next answer is heard by nobody."""
    while (sent := await back.read(65536)) and not lost.is_set():
        writer.write(sent)


async def _write(database: Database, tenant: str, user: str, more: str | None = None) -> None:
    async with database.tenant(tenant) as connection:
        await connection.execute(INSERT, {"tenant": tenant, "user": user})
        if more is not None:
            await connection.execute(more)


async def _written(runtime: Runtime, tenant: str) -> set[str]:
    return set(await runtime.store.zones.list(tenant))


@pytest.mark.parametrize("answered", [True, False])
async def test_lost_at_its_commit_a_write_is_in_doubt(
    runtime: Runtime, tenant: str, tmp_path: Path, answered: bool
) -> None:
    """The server may have made it, or may not: nobody says that nothing was written."""
    async with _cut(runtime, tmp_path, b"COMMIT", answered=answered) as database:
        with pytest.raises(StoreUnavailable, match="may have been made: repeat it with the same ids"):
            await _write(database, tenant, "ana")
    assert ({"ana"} if answered else set()) == await _written(runtime, tenant)


@pytest.mark.parametrize("answered", [True, False])
async def test_a_write_that_ends_with_its_statements_is_in_doubt(
    runtime: Runtime, tenant: str, tmp_path: Path, answered: bool
) -> None:
    """COMMIT is sent with the last of them."""
    async with _cut(runtime, tmp_path, b"COMMIT", answered=answered) as database:
        with pytest.raises(StoreUnavailable, match="may have been made: repeat it with the same ids"):
            async with database.tx(tenant) as tx:
                await tx.last(("put_zone", {"user_id": "ana", "zone": "UTC"}))
    assert ({"ana"} if answered else set()) == await _written(runtime, tenant)


async def test_a_write_that_fails_at_its_last_statement_is_undone(runtime: Runtime, tenant: str) -> None:
    """COMMIT, which is sent with it, is not reached."""
    zone = {"user_id": "ana", "zone": "UTC"}
    with pytest.raises(NotNullViolation):
        async with runtime.database.tx(tenant) as tx:
            await tx.last(("put_zone", zone), ("put_zone", {**zone, "zone": None}))
    assert set() == await _written(runtime, tenant)


async def test_lost_before_its_commit_nothing_was_written(runtime: Runtime, tenant: str, tmp_path: Path) -> None:
    """Whether the line is cut or the server ends the session."""
    async with _cut(runtime, tmp_path, b"INSERT", answered=True) as database:
        with pytest.raises(StoreUnavailable, match="nothing was written, try again"):
            await _write(database, tenant, "ana")
    with pytest.raises(StoreUnavailable, match="nothing was written, try again"):
        await _write(runtime.database, tenant, "ben", KILL)
    assert set() == await _written(runtime, tenant)


async def _end_unheard(runtime: Runtime, connection: Connection) -> None:
    """The server ends the session, and libpq has read so between two statements."""
    async with runtime.database.directory() as other:
        await other.execute("SELECT pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))
    with suppress(OperationalError):
        while not connection.closed:
            connection.pgconn.consume_input()


async def test_a_loss_that_is_noticed_by_the_way_is_one(runtime: Runtime, tenant: str) -> None:
    """The last answer and the end may be read at once: then no statement fails, and no COMMIT is ever sent."""

    async def write() -> None:
        async with runtime.database.tenant(tenant) as connection:
            await connection.execute(INSERT, {"tenant": tenant, "user": "ana"})
            await _end_unheard(runtime, connection)

    with pytest.raises(StoreUnavailable, match="nothing was written, try again"):
        await write()
    assert set() == await _written(runtime, tenant)


async def test_lost_while_a_worker_is_hinted_nothing_was_written(runtime: Runtime, tenant: str, tmp_path: Path) -> None:
    """The queue's package has errors of its own for it; the caller is told as of any other statement."""

    async def write(database: Database) -> None:
        async with database.tx(tenant) as tx:
            await tx.connection.execute(INSERT, {"tenant": tenant, "user": "ana"})
            await Hints().hint(tx)

    async with _cut(runtime, tmp_path, b"procrastinate_defer_job", answered=False) as database:
        with pytest.raises(StoreUnavailable, match="nothing was written, try again"):
            await write(database)
    assert set() == await _written(runtime, tenant)


async def test_reading_is_never_in_doubt(runtime: Runtime, tenant: str, tmp_path: Path) -> None:
    """There is nothing to write in it."""
    async with _cut(runtime, tmp_path, b"COMMIT", answered=True) as database:
        with pytest.raises(StoreUnavailable, match="nothing was written, try again"):
            async with database.tenant(tenant, one_moment=True) as connection:
                await connection.execute("SELECT 1")


async def test_who_asks_a_precis_that_was_closed_is_told_to_open_it() -> None:
    """Trying again, as where a database is away, would never help."""
    closed = Database(AsyncConnectionPool("", open=False))
    with pytest.raises(StoreUnavailable, match="precis was closed here; nothing was written, open it again"):
        async with closed.tx("tenant"):
            pytest.fail("nothing is open")


async def test_what_stood_behind_a_statement_that_failed_can_be_asked_again(runtime: Runtime) -> None:
    """The second time it is prepared; behind a failure, among what is sent at once, the server leaves that out."""

    async def fail(database: Database) -> None:
        nowhere = {"system": 1, "timeline": 1, "position": "nowhere"}
        async with database.tx() as tx:
            await tx.together(("has_replayed", nowhere), ("list_tenants", {}))

    async with open_database(str(runtime.database.pool.conninfo), max_size=1) as database:
        with pytest.raises(LookupError):
            async with database.tx():
                raise LookupError
        for _ in range(5):
            async with database.tx() as tx:
                await tx.all("list_tenants")
        with pytest.raises(DataError):
            await fail(database)
        async with database.tx() as tx:
            assert await tx.all("list_tenants")


async def test_a_tick_that_waits_costs_no_prepared_statement(runtime: Runtime, tenant: str) -> None:
    """A savepoint that is rolled back has the client forget them all; each forgetting that left stale groups did so."""

    async def names(database: Database) -> set[str]:
        async with database.tenant(tenant) as connection:
            rows = await (await connection.execute("SELECT name FROM pg_prepared_statements")).fetchall()
        return {row["name"] for row in rows}

    async with open_database(str(runtime.database.pool.conninfo), max_size=1) as database:
        for _ in range(7):
            async with database.tx(tenant) as tx:
                await Hints(ticks=1).hint(tx)
        before = await names(database)
        async with database.tx(tenant) as tx:
            await Hints(ticks=1).hint(tx)
        assert before
        assert before <= await names(database)
