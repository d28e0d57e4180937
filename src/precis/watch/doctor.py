"""What a person who runs precis should mend, found without changing anything: settings, keys, disk, database, model."""

import asyncio
import os
import platform
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path

from psycopg import Error as DatabaseError
from psycopg.rows import dict_row

from precis import __version__, errors, ids, makers
from precis.database import clocks, connections, migrate, replicas, sending
from precis.embedded.files import named_archive, original_of
from precis.embedded.server import APPLICATION, running
from precis.keys.chain import PostgresReceipts
from precis.keys.elsewhere.log import RemoteLog
from precis.keys.forgotten_log import ForgottenLog, Mark
from precis.keys.opening import faults_of_places, open_keyring, open_log
from precis.keys.receipts import Verdict
from precis.keys.vault import Vault
from precis.prompts import load
from precis.settings import Settings
from precis.texts.public import chat_of
from precis.typed import is_loopback
from precis.watch.health import has_no_room, is_nearly_full, standing_at, unarchived, written_folders
from precis.watch.outside import Finding, broken, contradictions, doubtful, open_to_others, well

#: Files of the log that may wait to be copied, and the oldest PostgreSQL that serves.
_WAITING, _OLDEST = 8, 150_000
#: Seconds for a connection to the database, and for a replica to catch up.
_CONNECT_SECONDS, _CATCH_UP_SECONDS = 5, 1.0
#: Names in the environment that are no settings, and read all the same.
_NOT_FIELDS = {"PRECIS_CONFIG", "PRECIS_SUMMARY_MIN_CLUSTER_ITEMS"}


def check_versions() -> Finding:
    """Of precis and Python; PostgreSQL's is the database's."""
    return well("versions", f"precis {__version__}, Python {platform.python_version()}")


def check_names(environment: Mapping[str, str]) -> list[Finding]:
    """Names that nothing reads: also where the settings cannot be read, for a misspelled one may be why."""
    known = {f"PRECIS_{name.upper()}" for name in Settings.model_fields} | _NOT_FIELDS
    unknown = sorted(name for name in environment if name.startswith("PRECIS_") and name.upper() not in known)
    return [doubtful("settings", f"nothing reads {name}: correct its name, or unset it") for name in unknown]


def check_settings(settings: Settings, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Names that nothing reads, and settings that contradict each other."""
    faults = check_names(environment)
    faults += [broken("settings", message) for message in (*contradictions(settings), *faults_of_places(settings))]
    yield from faults or [well("settings", "every name is known, and none contradicts another")]


def check_disk(settings: Settings) -> Iterator[Finding]:
    """What is free where precis writes, each disk once."""
    disks: dict[int, list[tuple[str, Path]]] = {}
    for name, folder in written_folders(settings).items():
        standing = standing_at(folder)
        disks.setdefault(standing.stat().st_dev, []).append((name, standing))
    for standing in dict.fromkeys(standing for places in disks.values() for _, standing in places):
        if not standing.is_dir():
            yield broken("disk", f"{standing} is no folder: name another data folder")
        elif os.statvfs(standing).f_flag & os.ST_RDONLY:
            yield broken("disk", f"the disk of {standing} is mounted read-only: mount it for writing")
        elif not os.access(standing, os.W_OK):
            yield broken("disk", f"this user may not write to {standing}: run precis as its owner")
    for places in disks.values():
        standing = places[0][1]
        free = f"{_size(shutil.disk_usage(standing).free)} free for {', '.join(name for name, _ in places)}"
        yield doubtful("disk", f"{free}: make room") if is_nearly_full(standing) else well("disk", free)


def _size(count: int) -> str:
    return f"{count / 2**30:,.1f} GiB" if count >= 2**30 else f"{count / 2**20:,.0f} MiB"


def check_archive(settings: Settings) -> Iterator[Finding]:
    """Where the database copies its log, whether it keeps up: what it could not copy fills the disk."""
    folder = named_archive(settings.data_dir) if settings.database_url is None else None
    if folder is None:
        return
    if original := original_of(settings.data_dir):
        message = (
            f"this data folder is a copy of {original}, whose log is in {folder}: its own is copied nowhere. Give it "
            "copies of its own by `precis backup ANOTHER --continuous`, or end this by --no-continuous; if it was "
            f"moved here from another disk, `precis backup {folder.parent} --continuous` goes on there"
        )
        yield doubtful("log archive", message)
        return
    waiting = len(list((settings.data_dir / "db/pg_wal/archive_status").glob("*.ready")))
    message = (
        f"{waiting} files of 16 MB wait to be copied to {folder}, and more will, until the disk is full: make it "
        "writable, or end this by `precis backup FOLDER --no-continuous` with any folder"
    )
    fine = well("log archive", f"{folder} has the log; {waiting} files of it wait")
    yield fine if folder.is_dir() and waiting <= _WAITING else broken("log archive", message)


async def check_model(settings: Settings, *, call: bool) -> Finding:
    """Whether it answers: one short call, where that was asked for."""
    if settings.model is None:
        return well("model", "none is set: summaries are made offline, and nobody is called")
    if not call:
        return well("model", f"{settings.model} at {settings.model_base_url} was not called; --model calls it once")
    item = makers.Item(text="I take the early train on Mondays.", source_ids=("1",), created_at=ids.system_clock())
    request = makers.Request(items=(item,), max_tokens=40, prompt=load("cluster"), tokens_read=10)
    try:
        async with chat_of(settings) as chat:
            draft = await asyncio.wait_for(chat.summarize(request), 60)
    except (errors.DraftFailed, errors.ConfigurationError, TimeoutError) as error:
        return broken("model", f"{settings.model} at {settings.model_base_url}: {error or 'no answer in a minute'}")
    return well("model", f"{settings.model} answered; {draft.usage.tokens_in + draft.usage.tokens_out} tokens")


async def check_database(settings: Settings) -> tuple[list[Finding], Mapping[str, Mark | None] | None]:
    """How it is, asked as the role that serves; and its tenants, with how far it has heard of their forgotten-logs.

    None in their place where nobody knows them.
    """
    if settings.database_url is None and not (settings.data_dir / "db" / "PG_VERSION").exists():
        return [well("database", f"none yet: the first use makes it in {settings.data_dir}")], {}
    try:
        async with _dsn(settings) as dsn:
            mark = ForgottenLog.mark if settings.forgotten_url is None else RemoteLog.mark
            findings, marks = await _looked_at(dsn, mark, settings)
            if marks and not faults_of_places(settings):
                findings += await _strange_keys(dsn, settings)
            return [*findings, *await _check_replicas(dsn, settings)], marks
    except (errors.PrecisError, DatabaseError, OSError) as error:
        if await asyncio.to_thread(has_no_room, settings):
            return [broken("database", "it does not start, for its disk is full: make room")], None
        return [broken("database", " ".join(str(error).split()))], None


@asynccontextmanager
async def _dsn(settings: Settings) -> AsyncIterator[str]:
    if settings.database_url is not None:
        yield settings.database_url
        return
    async with running(settings.data_dir) as server:
        yield server.dsn(user=APPLICATION)


async def _looked_at(dsn: str, mark: str, settings: Settings) -> tuple[list[Finding], Mapping[str, Mark | None] | None]:
    """None where the tables are not those of this release, and nothing else could be asked; none of a new database."""
    connection = await sending.Connection.connect(dsn, connect_timeout=_CONNECT_SECONDS, row_factory=dict_row)
    async with connection:
        findings = [_version(connection.info.server_version)]
        extension = await connections.Tx(connection, "").one("vector_extension")
    if extension is None:
        message = "pgvector is missing: CREATE EXTENSION vector as a superuser, then `precis migrate`"
        return [*findings, broken("extension", message)], await _none_yet(dsn)
    findings.append(well("extension", f"pgvector {extension['version']}"))
    try:
        await migrate.check_migrated(dsn)
    except errors.ConfigurationError as error:
        return [*findings, broken("migrations", str(error))], await _none_yet(dsn)
    findings.append(well("migrations", "all of this release are applied"))
    async with connections.open_database(dsn) as database:
        findings += await _guards(database)
        async with database.tx() as tx:
            failed = await unarchived(tx)
        findings += [broken("log archive", failed)] if failed else []
        async with database.tx() as tx:
            moment = await tx.one("moment")
            tenants = [row["tenant_id"] for row in await tx.all("list_tenants")]
        findings += await _open_door(database, settings, tenants)
        if moment is not None:
            findings.append(_clock(moment["began"]))
        return findings, {name: await _mark(database, name, mark) for name in tenants}


async def _none_yet(dsn: str) -> Mapping[str, Mark | None] | None:
    """No tenants where no migration was applied: nothing was ever sealed; None where that is not so, or not known."""
    with suppress(errors.PrecisError, DatabaseError):
        waits = {migration.standing for migration in await migrate.status(dsn)} == {migrate.Standing.WAITING}
        return {} if waits else None
    return None


async def _strange_keys(dsn: str, settings: Settings) -> list[Finding]:
    """Whether the keys are those that the rows are sealed with, and the receipts those of the forgotten-log."""
    if finding := open_to_others(settings):
        return [finding]
    async with connections.open_database(dsn, max_size=1) as database:
        async with database.tx() as tx:
            rows = await tx.all("key_marks")
        try:
            vault = Vault(open_keyring(settings))
            for row in rows:
                async with database.tx(row["tenant_id"]) as tx:
                    versions = [version["key_version"] for version in await tx.all("key_versions")]
                vault.prove(row["tenant_id"], mark=row["keys_mark"], versions=versions, wrapped=())
        except errors.ConfigurationError as error:
            return [broken("keys", str(error))]
        except errors.StoreUnavailable:
            return []  # the keys say so themselves
        try:
            log = open_log(settings)
            receipts = PostgresReceipts(database, vault, log)
            verdicts = {}
            for name in (row["tenant_id"] for row in rows):
                async with database.tx(name) as tx:
                    head = await tx.one("read_head")
                await asyncio.to_thread(log.prove, name, signed=head["logged"] if head else 0)
                verdicts[name] = await receipts.verify(name, now=ids.system_clock())
        except errors.ConfigurationError as error:
            return [broken("forgotten-log", str(error))]
        except errors.StoreUnavailable:
            return []  # the log says so itself
    return [_strange_receipts(name, verdict) for name, verdict in verdicts.items() if not verdict.holds]


def _strange_receipts(tenant_id: str, verdict: Verdict) -> Finding:
    """What `precis receipts verify` finds."""
    what = f"{verdict.faults[0].what}" + (
        f", and {len(verdict.faults) - 1:,} more faults" if verdict.faults[1:] else ""
    )
    advice = f"`precis receipts verify --tenant {tenant_id}` names each; compare with an export or a copy of the log"
    return broken("receipts", f"of tenant {tenant_id}: {what}: {advice}")


async def _guards(database: connections.Database) -> list[Finding]:
    """Row-level security, and the role that it has to hold for."""
    findings = []
    try:
        await database.check_role()
        findings.append(well("role", "a plain one: row-level security holds for it"))
    except errors.ConfigurationError as error:
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
            connections.open_database(dsn, max_size=1) as primary,
            replicas.with_replicas(primary, [url], wait=max(settings.replica_wait, _CATCH_UP_SECONDS)) as database,
        ):
            is_current = isinstance(database, replicas.ReplicatedDatabase) and await database.count_current()
        message = f"number {number} lags, is away, or is none of this primary as the plain role: the primary answers"
        fine = well("replica", f"number {number} has all that the primary has acknowledged")
        findings.append(fine if is_current else doubtful("replica", message))
    return findings


async def _open_door(database: connections.Database, settings: Settings, tenants: Sequence[str]) -> list[Finding]:
    """A server that others may reach does not start before there is a key."""
    if is_loopback(settings.host) and not settings.trusted_proxies:
        return []
    for tenant_id in tenants:
        async with database.tx(tenant_id) as tx:
            if any(row["revoked_at"] is None for row in await tx.all("list_api_keys")):
                return []
    name = "PRECIS_TRUSTED_PROXIES" if is_loopback(settings.host) else "PRECIS_HOST"
    return [broken("settings", f"{name} lets others reach the server, and there is no key: `precis keys create`")]


async def _mark(database: connections.Database, tenant_id: str, name: str) -> Mark | None:
    async with database.tx(tenant_id) as tx:
        row = await tx.one("read_mark", receipt_id=name)
    return None if row is None else Mark(**row["body"])


def _version(number: int) -> Finding:
    name = f"PostgreSQL {number // 10_000}.{number % 10_000}"
    too_old = broken("database", f"{name} is too old: precis needs 15 or newer")
    return too_old if number < _OLDEST else well("database", f"{name} answers")


def _clock(database_time: datetime) -> Finding:
    difference = abs(ids.system_clock() - database_time)
    fine = well("clock", "this computer's and the database's agree")
    return doubtful("clock", clocks.clock_words(difference)) if difference > clocks.APART else fine
