"""Every table by tenant_id over the machines of a Citus cluster; see docs/howto/distribute.md.

It was prepared by what Citus refuses, and not released: no release has run on a cluster yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow, dict_row

from precis.database.migrate import refuse_outdated
from precis.database.queries import queries
from precis.errors import ConfigurationError

_SQL, _MIGRATIONS = queries("distributing"), queries("migrations")
#: The directory of tenants: all other tables lie as it does.
_FIRST, _KEY = "tenants", "tenant_id"
#: Tables without a tenant stay on the machine that is connected to: which migrations ran, and the queue of jobs.
_LOCAL = ("schema_migrations", "procrastinate_")
#: The directory is read by every worker, so it has no row-level security to loosen.
_OPEN = frozenset({_FIRST})


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePlan:
    """Where one table goes."""

    name: str
    #: Local tables stay on the coordinator.
    distributed: bool
    #: The table beside which its rows lie; None for the first one.
    beside: str | None
    #: Whether it is there already.
    done: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Distribution:
    """What ``distribute`` does, in its order."""

    citus: str
    tables: tuple[TablePlan, ...]
    role: str
    #: Whether the settings of this role reach the other machines already.
    role_done: bool

    @property
    def to_do(self) -> tuple[TablePlan, ...]:
        """The tables that are still to be distributed."""
        return tuple(table for table in self.tables if table.distributed and not table.done)


async def distribute(owner_dsn: str, *, app_role: str, shards: int, dry_run: bool) -> Distribution:
    """Distribute what is not distributed yet, each table in a transaction of its own; answers the plan it began with.

    Raises ConfigurationError where the database has no Citus, another schema than this release's, or tables that are
    distributed otherwise.
    """
    connection = await AsyncConnection[DictRow].connect(owner_dsn, autocommit=True, row_factory=dict_row)
    async with connection:
        await connection.execute(_MIGRATIONS["lock"])
        try:
            plan = await _plan(connection, app_role)
            if not dry_run:
                await _carry_out(connection, plan, shards)
        finally:
            await connection.execute(_MIGRATIONS["unlock"])
    return plan


async def _plan(connection: AsyncConnection[DictRow], role: str) -> Distribution:
    version = await _rows(connection, "citus_version")
    if not version:
        message = (
            "the database has no extension citus: install Citus on each machine, run CREATE EXTENSION citus and "
            "citus_add_node() there, and try again; on one machine there is nothing to distribute"
        )
        raise ConfigurationError(message)
    there = await (await connection.execute(_MIGRATIONS["has_migrations"])).fetchone()
    refuse_outdated(
        await (await connection.execute(_MIGRATIONS["applied"])).fetchall() if there and there["there"] else []
    )
    placed = {row["name"]: row for row in await _rows(connection, "tables_placed")}
    (setting,) = await _rows(connection, "role_propagates", role=role)
    return Distribution(
        citus=version[0]["version"], role=role, role_done=setting["propagates"],
        tables=plan_tables(await _rows(connection, "tables_to_place"), placed),
    )  # fmt: skip


def plan_tables(rows: Sequence[Mapping[str, Any]], placed: Mapping[str, Mapping[str, Any]]) -> tuple[TablePlan, ...]:
    """Where each of these tables goes: those that others refer to come first, and local ones last.

    Raises ConfigurationError for a table that cannot be distributed, or is so otherwise.
    """
    of_tenants = {row["name"]: row for row in rows if row["of_tenant"]}
    local = [row["name"] for row in rows if not row["of_tenant"]]
    for name in local:
        if not name.startswith(_LOCAL):
            raise ConfigurationError(f"table {name} has no tenant_id and is none of precis: move it to another schema")
    for name, row in of_tenants.items():
        if row["triggers"]:
            raise ConfigurationError(f"table {name} has the trigger {row['triggers'][0]}, which Citus refuses: drop it")
        _refuse_otherwise(name, placed)
    order = TopologicalSorter({name: sorted({*row["parents"], _FIRST} - {name}) for name, row in of_tenants.items()})
    tables = [
        TablePlan(name=name, distributed=True, beside=None if name == _FIRST else _FIRST, done=name in placed)
        for name in order.static_order()
    ]
    return (*tables, *(TablePlan(name=name, distributed=False, beside=None, done=True) for name in local))


def _refuse_otherwise(name: str, placed: Mapping[str, Mapping[str, Any]]) -> None:
    if name not in placed:
        return
    key, colocation = placed[name]["key"], placed[name]["colocation"]
    if key != _KEY or colocation != placed.get(_FIRST, {}).get("colocation"):
        message = (
            f"table {name} is distributed by {key}, or not beside {_FIRST}: undo that with "
            f"SELECT undistribute_table('{name}'), and try again"
        )
        raise ConfigurationError(message)


async def _carry_out(connection: AsyncConnection[DictRow], plan: Distribution, shards: int) -> None:
    if not plan.role_done:
        await _define(connection, "propagate_of_role", role=plan.role)
    for table in plan.to_do:
        async with connection.transaction():
            if table.name not in _OPEN:
                await _define(connection, "unforce_table", table=table.name)
            place = {"shards": shards} if table.beside is None else {"beside": table.beside}
            await _rows(
                connection, "place_first" if table.beside is None else "place_beside", table=table.name, **place
            )
            if table.name not in _OPEN:
                await _define(connection, "force_table", table=table.name)


async def _rows(connection: AsyncConnection[DictRow], name: str, **parameters: Any) -> list[DictRow]:
    return await (await connection.execute(_SQL[name], parameters)).fetchall()


async def _define(connection: AsyncConnection[DictRow], name: str, **names: str) -> None:
    identifiers = {key: sql.Identifier(value) for key, value in names.items()}
    await connection.execute(sql.SQL(_SQL[name]).format(**identifiers))
