"""precis distribute on a server that refuses what Citus refuses (citus_stand_in.sql): no cluster is to be had here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from databases import Scratch, connect, rows_of
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from precis.database.distributing import Distribution, distribute, plan_tables
from precis.database.migrate import migrate
from precis.database.queries import queries
from precis.embedded.server import APPLICATION
from precis.errors import ConfigurationError

pytestmark = pytest.mark.asyncio(loop_scope="session")

_STAND_IN: LiteralString = Path(__file__).with_name("citus_stand_in.sql").read_text(encoding="utf-8")
#: What the queue needs, and which migrations ran.
_LOCAL = {"schema_migrations", "procrastinate_jobs", "procrastinate_events", "procrastinate_periodic_defers",
          "procrastinate_workers"}  # fmt: skip
Make = Callable[..., Awaitable[Scratch]]


async def prepared(make: Make) -> Scratch:
    """A database of this release with the stand-in, a tenant and a zone of one."""
    database = await make()
    await migrate(database.owner, app_role=APPLICATION, now=datetime.now(UTC))
    async with await connect(database.owner) as owner:
        await owner.execute(_STAND_IN)
        await owner.execute("INSERT INTO tenants (tenant_id, name, created_at) VALUES ('acme', 'Acme', now())")
        await owner.execute("INSERT INTO zones (tenant_id, user_id, zone) VALUES ('acme', 'ana', 'UTC')")
    return database


async def planned(database: Scratch, *, dry_run: bool = False) -> Distribution:
    """The verb without its options."""
    return await distribute(database.owner, app_role=APPLICATION, shards=8, dry_run=dry_run)


async def placed(owner: AsyncConnection[DictRow]) -> list[DictRow]:
    """What the stand-in was asked, in order."""
    asked = await owner.execute(
        "SELECT logicalrelid::text AS name, partkey, colocationid FROM pg_dist_partition ORDER BY asked"
    )
    return await asked.fetchall()


async def test_every_table_of_tenants_is_distributed_and_goes_on_where_it_broke_off(scratch: Make) -> None:
    """By tenant_id, beside the directory, guarded as before; the queue stays; a second run has nothing to do."""
    database = await prepared(scratch)
    plan = await planned(database, dry_run=True)
    names = [table.name for table in plan.tables if table.distributed]
    assert names[0] == "tenants"
    assert {table.name for table in plan.tables if not table.distributed} == _LOCAL
    async with await connect(database.owner) as owner:
        assert await placed(owner) == []
        asked = await owner.execute("SELECT relname FROM pg_class WHERE relforcerowsecurity ORDER BY 1")
        guarded = rows_of(await asked.fetchall(), "relname")
        assert {"memories", "zones", "postings"} < set(guarded)
        await owner.execute("INSERT INTO citus.lost VALUES (9)")
        with pytest.raises(psycopg.OperationalError, match="worker was lost"):
            await planned(database)
        assert len(await placed(owner)) == 9
        await owner.execute("DELETE FROM citus.lost")
        rest = await planned(database)
        assert [table.name for table in rest.to_do] == names[9:]
        rows = await placed(owner)
        assert rows_of(rows, "name") == names
        assert {(row["partkey"], row["colocationid"]) for row in rows} == {("tenant_id", 1)}
        asked = await owner.execute("SELECT relname FROM pg_class WHERE relforcerowsecurity ORDER BY 1")
        assert rows_of(await asked.fetchall(), "relname") == guarded
        again = await planned(database)
        assert (again.to_do, again.role_done) == ((), True)
    async with await connect(database.serving) as serving:
        shown = await (await serving.execute("SHOW citus.propagate_set_commands")).fetchone()
    assert shown == {"citus.propagate_set_commands": "local"}


async def test_the_stand_in_refuses_what_citus_refuses(scratch: Make) -> None:
    """The check itself: otherwise anything could be distributed."""
    database = await scratch()
    place = "SELECT create_distributed_table(%s, 'tenant_id', colocate_with => %s, shard_count => %s)"
    plain: LiteralString = "CREATE TABLE a (tenant_id text)"
    triggered: LiteralString = (
        "CREATE TABLE a (tenant_id text); CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'; "
        "CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f()"
    )
    filled: LiteralString = (
        "CREATE TABLE a (tenant_id text); INSERT INTO a VALUES ('x'); ALTER TABLE a FORCE ROW LEVEL SECURITY"
    )
    referring: LiteralString = "CREATE TABLE a (tenant_id text, id text, FOREIGN KEY (tenant_id, id) REFERENCES b)"
    wrong: dict[str, tuple[LiteralString, str, int | None]] = {
        "is not distributed": (plain, "b", None),
        "does not exist": ("CREATE TABLE a (b text)", "none", 8),
        "no key without": ("CREATE TABLE a (tenant_id text, b text PRIMARY KEY)", "none", 8),
        "not colocated": (referring, "none", 8),
        "same time": (plain, "b", 8),
        "triggers": (triggered, "none", 8),
        "row-level": (filled, "none", 8),
    }
    async with await connect(database.owner) as owner:
        await owner.execute(_STAND_IN)
        await owner.execute("CREATE TABLE b (tenant_id text, id text, PRIMARY KEY (tenant_id, id))")
        for message, (definition, *arguments) in wrong.items():
            async with owner.transaction(force_rollback=True):
                await owner.execute(definition)
                with pytest.raises(psycopg.Error, match=message):
                    await owner.execute(place, ["a", *arguments])


async def test_a_server_without_citus_is_refused(owner_dsn: str) -> None:
    """With what to do about it."""
    with pytest.raises(ConfigurationError, match="no extension citus: install Citus"):
        await distribute(owner_dsn, app_role=APPLICATION, shards=8, dry_run=True)


async def test_an_older_schema_is_refused(scratch: Make) -> None:
    """Triggers of before would stand in the way."""
    database = await scratch()
    async with await connect(database.owner) as owner:
        await owner.execute(_STAND_IN)
    with pytest.raises(ConfigurationError, match="precis migrate"):
        await planned(database)


async def test_tables_that_cannot_be_placed_are_named() -> None:
    """A trigger, a stranger, another key, another neighborhood: nothing is begun."""
    tenants = {"name": "tenants", "of_tenant": True, "parents": [], "triggers": []}
    zones = tenants | {"name": "zones"}
    there = {"tenants": {"key": "tenant_id", "colocation": 1}}
    with pytest.raises(ConfigurationError, match="trigger noted"):
        plan_tables([tenants, zones | {"triggers": ["noted"]}], {})
    with pytest.raises(ConfigurationError, match="table others has no tenant_id"):
        plan_tables([tenants, {"name": "others", "of_tenant": False, "parents": [], "triggers": []}], {})
    for other in ({"key": "user_id", "colocation": 1}, {"key": "tenant_id", "colocation": 2}):
        with pytest.raises(ConfigurationError, match=r"undistribute_table\('zones'\)"):
            plan_tables([tenants, zones], there | {"zones": other})
    done, to_do = plan_tables([tenants, zones], there)
    assert (done.done, to_do.done, to_do.beside) == (True, False, "tenants")


async def test_its_queries_are_understood_where_citus_is(scratch: Make) -> None:
    """They are no part of what every server is asked."""
    database = await scratch()
    async with await connect(database.owner) as owner:
        await owner.execute(_STAND_IN)
        for name, text in queries("distributing").items():
            if not name.startswith(("propagate", "force", "unforce")):
                numbered = text.replace("%%", "%")
                for place in ("%(table)s", "%(beside)s", "%(shards)s", "%(role)s"):
                    numbered = numbered.replace(place, "NULL")
                await owner.execute(f"EXPLAIN {numbered}")
