"""precis doctor, migrate, backup, restore and distribute: whether precis can run here, and the database it runs on."""

import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from psycopg.conninfo import conninfo_to_dict
from rich.table import Table
from rich.text import Text

from precis.bootstrap import open_runtime, system_clock
from precis.care.copying import Taken, back_up
from precis.care.restoring import restore as restore_copy
from precis.cli.printing import counted, output, print_grid, print_table, table
from precis.cli.verb import Answer, DataDir, Exit, check_reachable, settings_for, tell_progress, verb
from precis.database.distributing import distribute as distribute_tables
from precis.database.migrate import Migration, Standing, status
from precis.database.migrate import migrate as migrate_schema
from precis.embedded.server import APPLICATION, running
from precis.errors import ConfigurationError, InvalidInput, NotFound
from precis.rest.sockets import Certificate
from precis.settings import Settings
from precis.watch.doctor import (
    check_archive,
    check_database,
    check_disk,
    check_model,
    check_names,
    check_settings,
    check_versions,
)
from precis.watch.outside import Finding, State, broken, check_keys, check_log, doubtful, well

_STYLES = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red"}
#: A certificate that lasts for less should have been renewed by whatever renews it.
_RENEWED_BEFORE = timedelta(days=7)
_WORDS = {
    Standing.CHANGED: "was applied with another text than this release's; restore its file",
    Standing.NEWER: "is of a newer release, over which this one serves on",
    Standing.UNKNOWN: "is of a release that this one does not know; install a newer precis",
}


@verb
async def doctor(
    *,
    model: Annotated[
        bool, typer.Option("--model", help="Call the model once, too, outside ledger and ceiling.")
    ] = False,
    data_dir: DataDir = None,
) -> Answer:
    """Look at settings, database, keys, forgotten-log, disk, clock and model; say what to do."""
    findings = [check_versions()]
    try:
        settings = settings_for(data_dir)
    except ConfigurationError as error:
        findings += [broken("settings", str(error)), *check_names(os.environ)]
    else:
        database, marks = await check_database(settings)
        # Keys are made for the first tenant; whether there is one is not known of a database that does not answer.
        has_rows = None if marks is None else bool(marks)
        findings += [*check_settings(settings, os.environ), *_check_certificate(settings), *database]
        known = {finding.part for finding in database}
        findings += [] if "keys" in known else [check_keys(settings, has_rows=has_rows)]
        findings += [] if "forgotten-log" in known else [check_log(settings, marks or {})]
        findings += check_disk(settings)
        # What the database could not copy it says itself; its folder is looked at where it does not.
        findings += [] if "log archive" in known else check_archive(settings)
        findings.append(await check_model(settings, call=model))
    counts = Counter(finding.state for finding in findings)
    code = Exit.NO if counts[State.FAIL] else Exit.FINE
    document = {"findings": findings, "warnings": counts[State.WARN], "failed": counts[State.FAIL]}
    return Answer(json=document, words=lambda: _print_findings(findings, counts), code=code)


def _check_certificate(settings: Settings) -> list[Finding]:
    """The files of TLS, read as the server reads them."""
    try:
        certificate = Certificate.of(settings)
        if certificate is None:
            return []
        ends, now = certificate.ends_at(), system_clock()
    except (ConfigurationError, ValueError) as error:
        return [broken("certificate", str(error))]
    if ends < now + _RENEWED_BEFORE:
        message = (
            f"{settings.tls_certificate} {'ended' if ends < now else 'ends'} at {ends:%Y-%m-%d %H:%M} UTC: renew it"
        )
        return [broken("certificate", message) if ends < now else doubtful("certificate", message)]
    return [well("certificate", f"{settings.tls_certificate} and its key can be used")]


def _print_findings(findings: list[Finding], counts: Counter[State]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=4)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for finding in findings:
        grid.add_row(Text(finding.state, style=_STYLES[finding.state]), Text(finding.part), Text(finding.message))
    print_grid(grid)
    output.print(f"{counts[State.OK]} ok, {counts[State.WARN]} to look at, {counts[State.FAIL]} to mend")


@verb
async def migrate(
    *,
    owner_url: Annotated[
        str | None, typer.Option("--owner-url", help="URL of the tables' owner; else PRECIS_DATABASE_OWNER_URL.")
    ] = None,
    status_only: Annotated[
        bool, typer.Option("--status", help="Change nothing: show what is applied and what waits.")
    ] = False,
    data_dir: DataDir = None,
) -> Answer:
    """Bring the schema up to this release; the embedded database does so whenever it is opened."""
    settings = settings_for(data_dir)
    if status_only:
        return _status_answer(await _status(settings, owner_url))
    async with _owner(settings, owner_url) as (owner, role):
        applied = await migrate_schema(owner, app_role=role, now=system_clock())
    words = f"applied: {', '.join(applied)}" if applied else "nothing to do: the schema is this release's"
    return Answer(json={"applied": applied}, words=lambda: output.print(words))


@asynccontextmanager
async def _owner(settings: Settings, owner_url: str | None) -> AsyncIterator[tuple[str, str]]:
    """Where the owner of the tables connects, and the role that serves. Raises ConfigurationError."""
    if settings.database_url is None and owner_url is None:
        async with running(settings.data_dir, progress=tell_progress) as server:
            yield server.owner_dsn, APPLICATION
        return
    yield await owner_and_role(settings, owner_url, "migrations run as the owner of the tables")


async def owner_and_role(settings: Settings, owner_url: str | None, why: str) -> tuple[str, str]:
    """The URL of the tables' owner, who can be reached, and the role that serves. Raises ConfigurationError."""
    owner = owner_url or settings.database_owner_url
    if owner is None:
        raise ConfigurationError(f"{why}: set PRECIS_DATABASE_OWNER_URL")
    role = conninfo_to_dict(settings.database_url or "").get("user")
    if not role:
        raise ConfigurationError("PRECIS_DATABASE_URL must name the role that serves: it is granted the tables")
    await check_reachable(owner)
    return owner, str(role)


async def _status(settings: Settings, owner_url: str | None) -> list[Migration]:
    url = owner_url or settings.database_url
    if url is not None:
        await check_reachable(url)
        return await status(url)
    if not (settings.data_dir / "db" / "PG_VERSION").exists():
        raise NotFound(f"there is no database in {settings.data_dir}: the first use makes it")
    async with running(settings.data_dir, progress=tell_progress) as server:
        return await status(server.owner_dsn)


def _status_answer(migrations: list[Migration]) -> Answer:
    counts = Counter(migration.standing for migration in migrations)
    current = counts[Standing.APPLIED] + counts[Standing.NEWER] == len(migrations)
    document = {"migrations": migrations, "current": current}
    return Answer(
        json=document,
        words=lambda: _print_migrations(migrations, counts),
        code=Exit.FINE if current else Exit.NO,
    )


def _print_migrations(migrations: list[Migration], counts: Counter[Standing]) -> None:
    for migration in migrations:
        at = f" {migration.applied_at:%Y-%m-%d %H:%M} UTC" if migration.applied_at else ""
        output.print(f"{migration.standing:<8} {migration.name}{at}", markup=False, highlight=False)
    for migration in migrations:
        if migration.standing in _WORDS:
            output.print(f"{migration.name} {_WORDS[migration.standing]}", markup=False, soft_wrap=True)
    others = (Standing.CHANGED, Standing.NEWER, Standing.UNKNOWN)
    rest = "".join(f", {counts[standing]} {standing}" for standing in others if counts[standing])
    output.print(f"{counts[Standing.APPLIED]} applied, {counts[Standing.WAITING]} waiting{rest}", highlight=False)


@verb
async def distribute(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")] = False,
    shards: Annotated[int, typer.Option(min=1, max=1024, help="Into how many shards tenants are dealt.")] = 32,
    owner_url: Annotated[
        str | None, typer.Option("--owner-url", help="URL of the tables' owner; else PRECIS_DATABASE_OWNER_URL.")
    ] = None,
) -> Answer:
    """Distribute the tables by tenant over a Citus cluster: prepared, and not released. Broken off, it goes on."""
    settings = settings_for(None)
    if settings.database_url is None:
        raise ConfigurationError(
            "the embedded database is on one machine: give PRECIS_DATABASE_URL and PRECIS_DATABASE_OWNER_URL of a "
            "server that has Citus"
        )
    owner, role = await owner_and_role(settings, owner_url, "tables are distributed by their owner")
    plan = await distribute_tables(owner, app_role=role, shards=shards, dry_run=dry_run)
    state = "to do" if dry_run else "done"

    def words() -> None:
        cells = [
            (
                entry.name,
                f"distributed by tenant_id{f', beside {entry.beside}' if entry.beside else ''}"
                if entry.distributed
                else "local, on the coordinator",
                "" if not entry.distributed else "was done before" if entry.done else state,
            )
            for entry in plan.tables
        ]
        print_table(table(f"Tables (Citus {plan.citus})", "table", "where", "state", rows=cells))
        output.print(
            f"settings of {plan.role} reach every machine: {'was done before' if plan.role_done else state}; "
            "reference tables: none"
        )

    return Answer(json={**asdict(plan), "dry_run": dry_run}, words=words)


@verb
async def backup(
    target: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="A file .tar or .tar.gz, or a folder of copies.")
    ],
    *,
    continuous: Annotated[
        bool | None,
        typer.Option("--continuous/--no-continuous", help="Copy the log from now on, too: restores to any moment."),
    ] = None,
    keep: Annotated[int | None, typer.Option(min=1, help="Copies to keep in the folder; older ones go.")] = None,
    keys_to: Annotated[
        Path | None, typer.Option("--keys-to", help="A new folder elsewhere for a copy of the keys.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Give up the file of that name.")] = False,
    data_dir: DataDir = None,
) -> Answer:
    """Copy the embedded database while it serves; without keys, whole or not at all."""
    taken = await back_up(
        settings_for(data_dir), target, clock=system_clock, say=tell_progress, keys_to=keys_to, continuous=continuous,
        keep=keep, is_replacing=replace,
    )  # fmt: skip
    return Answer(json=taken, words=lambda: _print_taken(taken))


def _print_taken(taken: Taken) -> None:
    output.print(f"{taken.path}: {taken.bytes / 1e6:,.1f} MB", markup=False, soft_wrap=True)
    if taken.wal is not None:
        output.print(f"The log is copied to {taken.wal}.", markup=False, soft_wrap=True)
    if taken.removed:
        output.print(f"{counted(len(taken.removed), 'older copy', 'older copies')} removed.")


@verb
async def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="What `precis backup` made.")],
    *,
    to: Annotated[
        str | None, typer.Option("--to", help="A moment with its zone, such as 2024-05-08T09:30:00Z; else the latest.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Give up the database that is there.")] = False,
    keys_from: Annotated[
        Path | None, typer.Option("--keys-from", help="Copy these keys, of --keys-to, where there are none yet.")
    ] = None,
    data_dir: DataDir = None,
) -> Answer:
    """Put a copy in the place of the embedded database; what was forgotten since goes again."""
    settings, moment = settings_for(data_dir), _moment(to)
    restored = await restore_copy(
        settings, source, to=moment, is_replacing=replace, keys_from=keys_from, say=tell_progress
    )
    async with open_runtime(settings, progress=tell_progress):
        pass  # migrates it, and forgets again
    words = f"Restored the copy of {restored.copy_of.isoformat()}" + (f", as of {moment.isoformat()}" if moment else "")
    if restored.last_write is not None:
        words += f"; the last write in its log is of {restored.last_write.isoformat(timespec='seconds')}"
    if missing := restored.keys.missing_tenants:
        words += f"; tenants that came after it, and of whom it has nothing: {', '.join(missing)}"
    return Answer(json=restored, words=lambda: output.print(f"{words}.", soft_wrap=True))


def _moment(to: str | None) -> datetime | None:
    if to is None:
        return None
    try:
        moment = datetime.fromisoformat(to)
    except ValueError:
        raise InvalidInput(f"--to: {to!r} is no moment such as 2024-05-08T09:30:00Z") from None
    if moment.tzinfo is None:
        raise InvalidInput(f"--to: {to!r} has no zone; add Z for UTC")
    return moment
