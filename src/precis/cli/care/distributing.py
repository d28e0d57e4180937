"""precis distribute."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from precis.cli.care.migrating import owner_and_role
from precis.cli.printing import output, print_table, table
from precis.cli.verb import Answer, settings_for, verb
from precis.database.distributing import distribute as distribute_tables
from precis.errors import ConfigurationError


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
