"""precis migrate."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import typer
from psycopg.conninfo import conninfo_to_dict

from precis.bootstrap import system_clock
from precis.cli.printing import output
from precis.cli.verb import Answer, DataDir, Exit, check_reachable, settings_for, tell_progress, verb
from precis.database.migrate import Migration, Standing, status
from precis.database.migrate import migrate as migrate_schema
from precis.embedded.server import APPLICATION, running
from precis.errors import ConfigurationError, NotFound
from precis.settings import Settings

_WORDS = {
    Standing.CHANGED: "was applied with another text than this release's; restore its file",
    Standing.UNKNOWN: "is of a release that this one does not know; install a newer precis",
}


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
    document = {"migrations": migrations, "current": counts[Standing.APPLIED] == len(migrations)}
    return Answer(
        json=document, words=lambda: _print(migrations, counts), code=Exit.FINE if document["current"] else Exit.NO
    )


def _print(migrations: list[Migration], counts: Counter[Standing]) -> None:
    for migration in migrations:
        at = f" {migration.applied_at:%Y-%m-%d %H:%M} UTC" if migration.applied_at else ""
        output.print(f"{migration.standing:<8} {migration.name}{at}", markup=False, highlight=False)
    for migration in migrations:
        if migration.standing in _WORDS:
            output.print(f"{migration.name} {_WORDS[migration.standing]}", markup=False, soft_wrap=True)
    output.print(f"{counts[Standing.APPLIED]} applied, {counts[Standing.WAITING]} waiting", highlight=False)
