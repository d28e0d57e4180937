"""Forward migrations: numbered .sql files, each applied once in its own transaction, guarded by checksum and lock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from importlib import resources

from procrastinate.schema import SchemaManager
from psycopg import AsyncConnection, OperationalError, sql
from psycopg.errors import InsufficientPrivilege
from psycopg.rows import DictRow, dict_row

from precis.database.queries import queries
from precis.errors import ConfigurationError, StoreUnavailable

_SQL = queries("migrations")
#: What stands for the tables of procrastinate, which come after the migrations.
JOBS = "procrastinate"
#: How a migration is called over which an older release serves on: it only adds, and what that one leaves alone.
_ADDITIVE = ".additive.sql"


class Standing(StrEnum):
    """How a migration stands between a release and a database."""

    APPLIED = "applied"
    WAITING = "waiting"
    #: Applied with another text than this release's.
    CHANGED = "changed"
    #: Applied by a newer release, and only adds what this one leaves alone.
    NEWER = "newer"
    #: Applied by a release that this one does not know.
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Migration:
    """One migration as a database has it."""

    name: str
    standing: Standing
    #: None where it was not, or where nobody noted it.
    applied_at: datetime | None = None


def migrations() -> list[tuple[str, str]]:
    """(name, text) of every migration this release carries, in order."""
    files = resources.files("precis.store").joinpath("migrations").iterdir()
    return sorted((f.name, f.read_text(encoding="utf-8")) for f in files if f.name.endswith(".sql"))


async def migrate(owner_dsn: str, *, app_role: str, now: datetime) -> list[str]:
    """Bring the schema up to this release as its owner; answers the names of what was applied.

    Raises ConfigurationError when an applied migration's text differs from this release's, the database is newer, or it
    keeps text in another encoding than UTF8.
    """
    connection = await AsyncConnection[DictRow].connect(owner_dsn, autocommit=True, row_factory=dict_row)
    async with connection:
        _refuse_encoding(connection)
        await connection.execute(_SQL["lock"])
        try:
            await _drop_old_indexes(connection)
            done = await _apply(connection, now)
            role = sql.Identifier(app_role)
            for grant in ("grant_tables", "grant_sequences"):
                await connection.execute(sql.SQL(_SQL[grant]).format(role=role))
        finally:
            await connection.execute(_SQL["unlock"])
    return done


async def status(dsn: str) -> list[Migration]:
    """Every migration of this release and of the database, in order; reads, and changes nothing.

    Raises StoreUnavailable.
    """
    try:
        connection = await AsyncConnection[DictRow].connect(dsn, row_factory=dict_row)
    except OperationalError as error:
        raise StoreUnavailable(f"the database cannot be reached: {error}") from error
    async with connection:
        await connection.set_read_only(True)
        has_table, has_jobs = await _is_there(connection, "has_migrations"), await _is_there(connection, "has_jobs")
        rows = await (await connection.execute(_SQL["applied"])).fetchall() if has_table else []
    jobs = Migration(name=JOBS, standing=Standing.APPLIED if has_jobs else Standing.WAITING)
    return [*_standings({row["name"]: row for row in rows}), jobs]


async def _is_there(connection: AsyncConnection[DictRow], name: str) -> bool:
    row = await (await connection.execute(_SQL[name])).fetchone()
    return row is not None and bool(row["there"])


def _standings(applied: Mapping[str, DictRow]) -> list[Migration]:
    checksums = {name: _checksum(text) for name, text in migrations()}
    standings = []
    for name in sorted({*checksums, *applied}):
        row = applied.get(name)
        if row is None:
            standing = Standing.WAITING
        elif name not in checksums:
            standing = Standing.NEWER if name.endswith(_ADDITIVE) else Standing.UNKNOWN
        else:
            standing = Standing.APPLIED if row["checksum"] == checksums[name] else Standing.CHANGED
        standings.append(Migration(name=name, standing=standing, applied_at=row["applied_at"] if row else None))
    return standings


async def check_migrated(dsn: str) -> None:
    """Refuse to serve from a database whose schema is not this release's. Asked as the role that serves.

    Raises ConfigurationError, StoreUnavailable.
    """
    try:
        connection = await AsyncConnection[DictRow].connect(dsn, autocommit=True, row_factory=dict_row)
    except OperationalError as error:
        raise StoreUnavailable(f"the database cannot be reached: {error}") from error
    try:
        async with connection:
            _refuse_encoding(connection)
            has_table = await _is_there(connection, "has_migrations")
            rows = await (await connection.execute(_SQL["applied"])).fetchall() if has_table else []
    except InsufficientPrivilege as error:
        message = (
            "the role in PRECIS_DATABASE_URL may not read the tables: run `precis migrate` with this role there and "
            "the owner of the tables in PRECIS_DATABASE_OWNER_URL"
        )
        raise ConfigurationError(message) from error
    refuse_outdated(rows)


def refuse_outdated(rows: Sequence[Mapping[str, str]]) -> None:
    """Whether these are the migrations of this release. Raises ConfigurationError where they are others."""
    applied = {row["name"]: row["checksum"] for row in rows}
    _refuse_strangers(applied, migrations())
    missing = [name for name, _ in migrations() if name not in applied]
    if missing:
        message = (
            f"the database lacks the migrations of this release from {missing[0]} on: run `precis migrate` "
            "with the owner of the tables in PRECIS_DATABASE_OWNER_URL"
        )
        raise ConfigurationError(message)


def newer(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """The migrations of a newer release, over which this one serves on."""
    carried = {name for name, _ in migrations()}
    return sorted(row["name"] for row in rows if row["name"] not in carried and row["name"].endswith(_ADDITIVE))


async def _apply(connection: AsyncConnection[DictRow], now: datetime) -> list[str]:
    await connection.execute(_SQL["create_table"])
    rows = await (await connection.execute(_SQL["applied"])).fetchall()
    applied = {row["name"]: row["checksum"] for row in rows}
    carried = migrations()
    _refuse_strangers(applied, carried)
    done = []
    for name, text in carried:
        if name not in applied:
            async with connection.transaction():
                await connection.execute(text)
                parameters = {"name": name, "checksum": _checksum(text), "now": now}
                await connection.execute(_SQL["record"], parameters)
            done.append(name)
    if not await _is_there(connection, "has_jobs"):
        async with connection.transaction():
            await connection.execute(SchemaManager.get_schema())
        done.append(JOBS)
    return done


async def _drop_old_indexes(connection: AsyncConnection[DictRow]) -> None:
    """There was one for each large user. Each goes for itself: thousands in a transaction would be too many locks."""
    for row in await (await connection.execute(_SQL["old_indexes"])).fetchall():
        await connection.execute(sql.SQL(_SQL["drop_old_index"]).format(name=sql.Identifier(row["name"])))


def _refuse_encoding(connection: AsyncConnection[DictRow]) -> None:
    """A memory may hold any character, and a database of another encoding could not keep it."""
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        message = (
            f"the database keeps text as {encoding}, and precis needs UTF8: make one with "
            "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        )
        raise ConfigurationError(message)


def _refuse_strangers(applied: dict[str, str], carried: Sequence[tuple[str, str]]) -> None:
    """A changed or unknown migration means that code and database do not belong together, unless it only adds."""
    checksums = {name: _checksum(text) for name, text in carried}
    for name, checksum in applied.items():
        if name not in checksums and name.endswith(_ADDITIVE):
            continue
        if name not in checksums:
            message = f"the database has migration {name}, which this release does not know; install a newer precis"
            raise ConfigurationError(message)
        if checksum != checksums[name]:
            message = f"migration {name} was applied with another text; restore its file, write a new migration instead"
            raise ConfigurationError(message)


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()
