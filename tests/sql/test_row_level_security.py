"""Law 9: nothing crosses a tenant, enforced by the server, for every table there is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
import pytest_asyncio
from databases import Scratch, connect, rows_of
from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow

from new_rows import new_memory
from precis.bootstrap import Runtime, system_clock
from precis.database.connections import open_database
from precis.database.migrate import migrate
from precis.embedded.server import APPLICATION
from precis.errors import ConfigurationError
from precis.ids import new_id
from precis.keys.vault import Vault
from precis.makers import Item, Request, Usage
from precis.memory import Scope
from precis.store.pools.batches import Original, PoolBatch, Stretch

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: The directory of tenants is read without a tenant, so that a worker finds its work. It holds ids and names only.
DIRECTORY = {"tenants": {"tenant_id", "name", "created_at", "keys_mark"}}


@dataclass(frozen=True, kw_only=True)
class Two:
    """A tenant with a row in every table, and another one."""

    rich: str
    other: str


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def two(runtime: Runtime) -> AsyncIterator[Two]:
    """Use every verb that writes, in one of two new tenants."""
    tenants = Two(rich=f"t-{new_id()}", other=f"t-{new_id()}")
    now = system_clock()
    for tenant_id in (tenants.rich, tenants.other):
        await runtime.store.tenants.create_key(tenant_id, name="test", now=now)
    app = runtime.app(tenants.rich)
    texts = (
        "Ana drinks green tea.",
        "Ana keeps oolong in a tin.",
        "Ana gave up sugar in tea.",
        "Ana spilled tea.",
        "Ana likes mate.",
    )
    written = await app.memories.add([{"text": t, "user_id": "ana", "type": "fact", "key": "tea"} for t in texts])
    await app.memories.forget([written.memories[at].id for at in (3, 4)])
    homes = [{"text": text, "user_id": "ana"} for text in ("Ana lives in Rome.", "Ana moved to Oslo.")]
    assert (await app.memories.add(homes)).memories[1].supersedes
    await app.summaries.refresh_all()
    await app.memories.find_to_forget("everything about Ana's tea", user_id="ana")
    await app.conversations.turn("talk", [{"role": "user", "content": "I keep tea in a samovar."}], user_id="ana")
    assert (await app.facts.read(at_once=True)).facts
    view = await app.views.create(group_by=["user_id"])
    await app.tasks.wait((await app.views.run(view.id)).id, seconds=60)
    await runtime.store.long_term.alias(tenants.rich, {"alias": written.memories[0].id}, now=now)
    item = Item(text="tea", source_ids=("x",), created_at=now)
    request = Request(items=(item,), max_tokens=1, prompt="", tenant_id=tenants.rich, policy="clusters", group_id="g")
    await runtime.ledger.reserve(request, Usage(calls=1))
    await runtime.runs.claim(tenants.rich, now=now, lasts=runtime.engine.lease_lasts)
    await runtime.store.schedules.ensure(tenants.rich, "archive", next_run=now)
    await archived_pool(runtime, tenants.rich)
    await runtime.store.backlog.counted(tenants.rich, "ana", 3)
    (summary, *_) = (await app.summaries.list(policy="clusters")).rows
    await app.feedback.give(summary.id, "good")
    await runtime.store.zones.put(tenants.rich, "ana", "Europe/Berlin", policies=())
    await carried(runtime, tenants.rich)
    await unfinished(runtime, tenants.rich, written.memories[4].id)
    await runtime.store.scope_indexes.make(tenants.rich, "ana", version=runtime.engine.embedder.version)
    async with runtime.database.tx(tenants.rich) as tx:
        await tx.run("insert_vector_list", scope="ana", list=1, generation=1)
    yield tenants


async def carried(runtime: Runtime, tenant_id: str) -> None:
    """A user comes from another store, with a receipt."""
    source = f"t-{new_id()}"
    await runtime.store.tenants.create(source, name="source", now=system_clock())
    app = runtime.app(source)
    written = await app.memories.add([{"text": text, "user_id": "siv"} for text in ("Siv keeps bees.", "Siv rows.")])
    await app.memories.forget(written.memories[0].id)
    await runtime.app(tenant_id).persons.put([line async for line in app.persons.export("siv")])


async def archived_pool(runtime: Runtime, tenant_id: str) -> None:
    """Note a batch of somebody else's store, its summary, and a memory of it that is forgotten."""
    pools, now = runtime.store.pools, system_clock()
    original = Original(memory_id="m1", position=0, created_at=now, digest=b"d")
    batch = PoolBatch(
        id="b1", pool="chroma:x", user_id="ana", agent_id=None, run_id=None, state="planned", until=now,
        definition="d", kept=False, sources=(original,),
    )  # fmt: skip
    batches = pools.batches(tenant_id, "chroma:x")
    await batches.plan(batch, now=now)
    await batches.drafted(batch, "Tea.", [Stretch(starts_at=0, ends_at=4, sources=(0,))], capped=())
    await pools.forgets(tenant_id, "chroma:x").forget(["m1"], present=["m1"], now=now)


async def unfinished(runtime: Runtime, tenant_id: str, id_: str) -> None:
    """A forgotten id is written again, and the keys are wrapped anew, by somebody who dies before the files say so."""
    scope = Scope(tenant_id=tenant_id, user_id="ana")
    row = new_memory(id_, "Ana likes mate.", scope=scope, created_at=system_clock(), revive=True)
    async with runtime.database.tx(tenant_id) as tx:
        assert await runtime.store.memories.writing.refuse_forgotten(tx, [row])
        await Vault(runtime.store.tenants.keyring).rotate(tx)


async def security(owner: AsyncConnection[DictRow]) -> dict[str, DictRow]:
    """Every table with a tenant_id column, wherever it lies, with its flags and the policies on it."""
    asked = await owner.execute(
        "SELECT c.oid::regclass::text AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced, "
        "array(SELECT p.polcmd::text || p.polpermissive::text FROM pg_policy p WHERE p.polrelid = c.oid) AS commands, "
        "array(SELECT pg_get_expr(p.polqual, p.polrelid) FROM pg_policy p WHERE p.polrelid = c.oid) AS seen, "
        "array(SELECT pg_get_expr(p.polwithcheck, p.polrelid) FROM pg_policy p WHERE p.polrelid = c.oid) AS written "
        "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped "
        "WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f')"
    )
    return {row["name"]: row for row in await asked.fetchall()}


async def guarded(owner: AsyncConnection[DictRow]) -> list[str]:
    """The tables that row-level security must hold for."""
    return sorted(set(await security(owner)) - set(DIRECTORY))


async def test_every_table_of_a_tenant_is_forced(owner: AsyncConnection[DictRow]) -> None:
    """Enabled, forced, and one policy for all commands that compares tenant_id with the setting, both ways."""
    rule = "(tenant_id = current_setting('precis.tenant_id'::text, true))"
    found = await security(owner)
    assert set(DIRECTORY) < set(found)
    for name in set(found) - set(DIRECTORY):
        row = found[name]
        assert (name, row["enabled"], row["forced"]) == (name, True, True)
        assert (name, row["commands"], row["seen"], row["written"]) == (name, ["*true"], [rule], [rule])


async def test_the_directory_holds_ids_and_names_only(owner: AsyncConnection[DictRow]) -> None:
    """The one table without a policy gains no column unnoticed."""
    for name, columns in DIRECTORY.items():
        asked = await owner.execute("SELECT column_name FROM information_schema.columns WHERE table_name = %s", [name])
        assert set(rows_of(await asked.fetchall(), "column_name")) == columns


async def test_the_serving_role_is_an_ordinary_one(runtime: Runtime) -> None:
    """No superuser, no way around row-level security, no table of its own, no schema to build in, no other role."""
    async with runtime.database.directory() as connection:
        asked = await connection.execute(
            "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, "
            "(SELECT count(*) FROM pg_class WHERE relowner = r.oid) AS owned, "
            "has_schema_privilege('public', 'CREATE') AS builds, "
            "(SELECT count(*) FROM pg_auth_members WHERE member = r.oid) AS roles "
            "FROM pg_roles r WHERE rolname = current_user"
        )
        row = dict(await asked.fetchone() or {})
    assert row.pop("rolname") == APPLICATION
    assert not any(row.values())


async def test_another_tenant_sees_nothing(runtime: Runtime, two: Two, owner: AsyncConnection[DictRow]) -> None:
    """Each table has rows of the one tenant; under the other's setting, or none, not one of them is visible."""
    for name in await guarded(owner):
        count = sql.SQL("SELECT count(*) AS rows FROM {} WHERE tenant_id = %s").format(sql.Identifier(name))
        there = await (await owner.execute(count, [two.rich])).fetchone()
        async with runtime.database.tenant(two.rich) as connection:
            own = await (await connection.execute(count, [two.rich])).fetchone()
        async with runtime.database.tenant(two.other) as connection:
            others = await (await connection.execute(count, [two.rich])).fetchone()
        async with runtime.database.directory() as connection:
            nobodys = await (await connection.execute(count, [two.rich])).fetchone()
        assert there is not None
        assert there["rows"] > 0, f"{name} was not written: extend the fixture"
        assert (name, own, others, nobodys) == (name, there, {"rows": 0}, {"rows": 0})


async def test_another_tenant_changes_nothing(runtime: Runtime, two: Two, owner: AsyncConnection[DictRow]) -> None:
    """Under the other's setting no row of the one is updated or deleted, and none is written in its name."""
    for name in await guarded(owner):
        table = sql.Identifier(name)
        sample = await owner.execute(
            sql.SQL("SELECT to_jsonb(t)::text AS row FROM {} t WHERE tenant_id = %s LIMIT 1").format(table), [two.rich]
        )
        copied: Any = await sample.fetchone()
        async with runtime.database.tenant(two.other) as connection:
            update = sql.SQL("UPDATE {} SET tenant_id = %s WHERE tenant_id = %s").format(table)
            assert (await connection.execute(update, [two.other, two.rich])).rowcount == 0
            delete = sql.SQL("DELETE FROM {} WHERE tenant_id = %s").format(table)
            assert (await connection.execute(delete, [two.rich])).rowcount == 0
        insert = sql.SQL("INSERT INTO {table} SELECT * FROM jsonb_populate_record(NULL::{table}, %s::jsonb)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            async with runtime.database.tenant(two.other) as connection:
                await connection.execute(insert.format(table=table), [copied["row"]])


async def test_a_row_cannot_be_given_away(runtime: Runtime, two: Two) -> None:
    """A tenant cannot move a row of its own into another's name."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        async with runtime.database.tenant(two.rich) as connection:
            await connection.execute("UPDATE memories SET tenant_id = %s", [two.other])


async def test_the_setting_ends_with_the_transaction(runtime: Runtime, two: Two) -> None:
    """A connection that goes back to the pool shows the next transaction nothing."""
    async with runtime.database.pool.connection() as connection:
        for tenant_id, seen in ((two.rich, True), (None, False)):
            async with connection.transaction():
                if tenant_id:
                    await connection.execute("SELECT set_config('precis.tenant_id', %s, true)", [tenant_id])
                rows = await (await connection.execute("SELECT 1 FROM memories LIMIT 1")).fetchall()
            assert bool(rows) is seen


@pytest.fixture(scope="module")
def roles() -> dict[str, str]:
    """Names of roles that only this module makes, and what each is above the law by."""
    mark = new_id().replace("-", "")
    return {"BYPASSRLS": f"precis_bypass_{mark}", "owner": f"precis_owner_{mark}", "plain": f"precis_plain_{mark}"}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def staffed(scratch: Any, roles: dict[str, str]) -> AsyncIterator[Scratch]:
    """A migrated database whose memories belong to a role that is no superuser."""
    place: Scratch = await scratch()
    await migrate(place.owner, app_role=APPLICATION, now=system_clock())
    async with await connect(place.owner) as connection:
        for attribute, name in roles.items():
            option = sql.SQL("BYPASSRLS") if attribute == "BYPASSRLS" else sql.SQL("NOSUPERUSER")
            await connection.execute(sql.SQL("CREATE ROLE {} {}").format(sql.Identifier(name), option))
        await connection.execute(sql.SQL("ALTER TABLE memories OWNER TO {}").format(sql.Identifier(roles["owner"])))
    yield place
    async with await connect(place.owner) as connection:
        for name in roles.values():
            await connection.execute(sql.SQL("REASSIGN OWNED BY {} TO CURRENT_USER").format(sql.Identifier(name)))
            await connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


async def checked(dsn: str, role: str | None) -> None:
    """Open a database as this role and let the server look at it."""
    options = f"-c role={role}" if role else ""
    async with open_database(make_conninfo(dsn, options=options), max_size=1) as database:
        await database.check_role()


async def test_the_server_refuses_to_run_above_the_law(staffed: Scratch, roles: dict[str, str]) -> None:
    """As superuser, with BYPASSRLS, or as owner of the tables: it names the role and what to set instead."""
    for role in (None, roles["BYPASSRLS"], roles["owner"]):
        with pytest.raises(ConfigurationError, match="PRECIS_DATABASE_OWNER_URL") as refused:
            await checked(staffed.owner, role)
        assert (role or "precis_owner") in str(refused.value)


async def test_a_plain_role_may_serve(staffed: Scratch, roles: dict[str, str]) -> None:
    """The check does not refuse everybody."""
    await checked(staffed.owner, roles["plain"])
    await checked(staffed.serving, None)
