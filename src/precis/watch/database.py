"""What the doctor asks of the database, as the role that serves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from psycopg import AsyncConnection
from psycopg import Error as DatabaseError
from psycopg.rows import dict_row

from precis.database.connections import Database, Tx, open_database
from precis.database.migrate import check_migrated
from precis.database.replicas import ReplicatedDatabase, with_replicas
from precis.embedded.server import APPLICATION, running
from precis.errors import ConfigurationError, PrecisError
from precis.ids import system_clock
from precis.keys.elsewhere.log import RemoteLog
from precis.keys.forgotten_log import ForgottenLog, Mark
from precis.settings import Settings
from precis.watch.doctor import Finding, broken, doubtful, well

#: How far the two clocks may be apart.
_APART = timedelta(seconds=2)
#: The oldest PostgreSQL that serves.
_OLDEST = 150_000
_CONNECT_SECONDS = 5
#: For which the doctor waits for a replica.
_CATCH_UP_SECONDS = 1.0


async def check_database(settings: Settings) -> tuple[list[Finding], Mapping[str, Mark]]:
    """How it is; and how far it has heard of each tenant's forgotten-log."""
    if settings.database_url is None and not (settings.data_dir / "db" / "PG_VERSION").exists():
        return [well("database", f"none yet: the first use makes it in {settings.data_dir}")], {}
    try:
        async with _dsn(settings) as dsn:
            mark = ForgottenLog.mark if settings.forgotten_url is None else RemoteLog.mark
            findings, marks = await _looked_at(dsn, mark)
            return [*findings, *await _check_replicas(dsn, settings)], marks
    except (PrecisError, DatabaseError, OSError) as error:
        return [broken("database", " ".join(str(error).split()))], {}


@asynccontextmanager
async def _dsn(settings: Settings) -> AsyncIterator[str]:
    if settings.database_url is not None:
        yield settings.database_url
        return
    async with running(settings.data_dir) as server:
        yield server.dsn(user=APPLICATION)


async def _looked_at(dsn: str, mark: str) -> tuple[list[Finding], Mapping[str, Mark]]:
    connection = await AsyncConnection.connect(dsn, connect_timeout=_CONNECT_SECONDS, row_factory=dict_row)
    async with connection:
        findings = [_version(connection.info.server_version)]
        extension = await Tx(connection, "").one("vector_extension")
    if extension is None:
        message = "pgvector is missing: CREATE EXTENSION vector as a superuser, then `precis migrate`"
        return [*findings, broken("extension", message)], {}
    findings.append(well("extension", f"pgvector {extension['version']}"))
    try:
        await check_migrated(dsn)
    except ConfigurationError as error:
        return [*findings, broken("migrations", str(error))], {}
    findings.append(well("migrations", "all of this release are applied"))
    async with open_database(dsn) as database:
        findings += await _guards(database)
        async with database.tx() as tx:
            moment = await tx.one("moment")
            tenants = [row["tenant_id"] for row in await tx.all("list_tenants")]
        if moment is not None:
            findings.append(_clock(moment["began"]))
        return findings, dict([pair for name in tenants async for pair in _marks(database, name, mark)])


async def _guards(database: Database) -> list[Finding]:
    """Row-level security, and the role that it has to hold for."""
    findings = []
    try:
        await database.check_role()
        findings.append(well("role", "a plain one: row-level security holds for it"))
    except ConfigurationError as error:
        findings.append(broken("role", str(error)))
    async with database.tx() as tx:
        names = ", ".join(row["name"] for row in await tx.all("unforced_tables"))
    guarded = well("security", "row-level security is forced on every table of tenants")
    findings.append(broken("security", f"not forced on {names}: restore the schema") if names else guarded)
    return findings


async def _check_replicas(dsn: str, settings: Settings) -> list[Finding]:
    """Whether each is one of this primary, as a plain role, and keeps up."""
    findings = []
    for number, url in enumerate(settings.replica_urls, start=1):
        async with (
            open_database(dsn, max_size=1) as primary,
            with_replicas(primary, [url], wait=max(settings.replica_wait, _CATCH_UP_SECONDS)) as database,
        ):
            is_current = isinstance(database, ReplicatedDatabase) and await database.count_current()
        message = f"number {number} lags, is away, or is none of this primary as the plain role: the primary answers"
        fine = well("replica", f"number {number} has all that the primary has acknowledged")
        findings.append(fine if is_current else doubtful("replica", message))
    return findings


async def _marks(database: Database, tenant_id: str, mark: str) -> AsyncIterator[tuple[str, Mark]]:
    async with database.tx(tenant_id) as tx:
        row = await tx.one("read_mark", receipt_id=mark)
    if row is not None:
        yield tenant_id, Mark(**row["body"])


def _version(number: int) -> Finding:
    name = f"PostgreSQL {number // 10_000}.{number % 10_000}"
    if number < _OLDEST:
        return broken("database", f"{name} is too old: precis needs 15 or newer")
    return well("database", f"{name} answers")


def _clock(database_time: datetime) -> Finding:
    apart = abs(system_clock() - database_time)
    if apart > _APART:
        seconds = f"{apart.total_seconds():,.0f} s"
        return doubtful("clock", f"this computer and the database are {seconds} apart: set both by NTP")
    return well("clock", "this computer's and the database's agree")
