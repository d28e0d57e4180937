"""Vector indexes over large scopes: there is one for each large user, for nobody else, and it names nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, LiteralString

import pytest
import pytest_asyncio
from psycopg import AsyncConnection
from psycopg.errors import OutOfMemory
from psycopg.rows import DictRow

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import ConfigurationError, Undecryptable
from precis.jobs import upkeep as indexing
from precis.keys.cipher import TenantKeys
from precis.keys.vault import Vault
from precis.store.upkeep import indexes as scope_indexes
from precis.store.upkeep.indexes import ScopeIndexes, scope_index

pytestmark = pytest.mark.asyncio(loop_scope="session")
LARGE = 40


@pytest_asyncio.fixture(loop_scope="session")
async def indexes(runtime: Runtime, owner_dsn: str) -> AsyncIterator[ScopeIndexes]:
    """Those of a deployment where forty rows are many; afterwards there is none."""
    made = ScopeIndexes(runtime.database, Vault(runtime.store.tenants.keyring), owner_dsn, large=LARGE)
    yield made
    await made.settle([], version="none", dimensions=256)


async def fill(app: App, user: str, rows: int) -> list[str]:
    """So many rows of a user."""
    given = [{"text": f"{user} drank tea number {at}", "user_id": user} for at in range(rows)]
    return [one.id for one in (await app.memories.add(given, summarize="deferred")).memories]


async def settle(indexes: ScopeIndexes, runtime: Runtime, *tenants: str) -> tuple[int, int]:
    """How many were made, and how many dropped."""
    embedder = runtime.engine.embedder
    done = await indexes.settle(tenants, version=embedder.version, dimensions=embedder.dimensions)
    assert done is not None
    return len(done.created), len(done.dropped)


async def definitions(owner: AsyncConnection[DictRow]) -> str:
    """Of every index in the database."""
    rows = await (await owner.execute("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'")).fetchall()
    return "\n".join(row["indexdef"] for row in rows)


async def test_there_is_one_for_each_large_user(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """It comes when a user has become large, stays while they shrink a little, and goes when they are forgotten."""
    version = runtime.engine.embedder.version
    ids = await fill(app, "walrus-ana", LARGE)
    await fill(app, "walrus-ben", LARGE + 1)
    assert await settle(indexes, runtime, tenant) == (1, 0)
    assert "walrus-ben" in await indexes.indexed(tenant, ["walrus-ben"], version)
    assert "walrus-ana" not in await indexes.indexed(tenant, ["walrus-ana"], version)
    ids += await fill(app, "walrus-ana", 5)
    assert await settle(indexes, runtime, tenant) == (1, 0)
    assert await settle(indexes, runtime, tenant) == (0, 0)
    for id_ in ids[:20]:
        await app.memories.forget(id_)
    assert await settle(indexes, runtime, tenant) == (0, 0)
    for id_ in ids[20:30]:
        await app.memories.forget(id_)
    assert await settle(indexes, runtime, tenant) == (0, 1)
    await app.memories.forget_user("walrus-ben")
    assert await settle(indexes, runtime, tenant) == (0, 1)
    assert "memories_near" not in await definitions(owner)


async def test_it_names_nobody(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """Neither the user nor the tenant, while it is there and when it outlives them."""
    await fill(app, "walrus-ana", LARGE + 1)
    await settle(indexes, runtime, tenant)
    embedder = runtime.engine.embedder
    await indexes.make(tenant, None, version=embedder.version, dimensions=embedder.dimensions)
    await app.memories.forget_user("walrus-ana")
    said = await definitions(owner)
    assert said.count("memories_near_") == 2
    assert "walrus" not in said
    assert tenant not in said


async def test_another_embedder_has_others(runtime: Runtime, indexes: ScopeIndexes, app: App, tenant: str) -> None:
    """Those of the one before are of no use any more; one over a whole tenant stays with its embedder."""
    embedder = runtime.engine.embedder
    await fill(app, "ana", LARGE + 1)
    await indexes.make(tenant, None, version=embedder.version, dimensions=embedder.dimensions)
    assert await settle(indexes, runtime, tenant) == (1, 0)
    other = await indexes.settle([tenant], version="another", dimensions=embedder.dimensions)
    assert other is not None
    assert (len(other.created), len(other.dropped)) == (1, 2)


async def test_one_whose_making_was_broken_off_is_made_again(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """PostgreSQL leaves an index that it does not use: it is no index."""
    version = runtime.engine.embedder.version
    await fill(app, "ana", LARGE + 1)
    await settle(indexes, runtime, tenant)
    name = scope_index(Vault(runtime.store.tenants.keyring).keys(tenant), "ana", version).name
    await owner.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [name])
    assert "ana" not in await indexes.indexed(tenant, ["ana"], version)
    assert await settle(indexes, runtime, tenant) == (1, 0)
    assert "ana" in await indexes.indexed(tenant, ["ana"], version)


async def test_a_tenant_that_cannot_be_read(
    runtime: Runtime, indexes: ScopeIndexes, app: App, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others have their indexes; its own stay, and so does every other, since a name does not say whose it is."""
    version = runtime.engine.embedder.version
    await fill(app, "ana", LARGE + 1)
    assert await settle(indexes, runtime, tenant) == (1, 0)
    await fill(app, "ben", LARGE + 1)
    keys = indexes._vault.keys

    def refusing(tenant_id: str) -> TenantKeys:
        if tenant_id != tenant:
            raise Undecryptable
        return keys(tenant_id)

    monkeypatch.setattr(indexes._vault, "keys", refusing)
    assert await settle(indexes, runtime, "unreadable", tenant) == (1, 0)
    assert await settle(indexes, runtime, "unreadable") == (0, 0)
    assert await indexes.indexed(tenant, ["ana", "ben"], version) == {"ana", "ben"}


async def test_an_index_that_cannot_be_made_or_dropped(
    runtime: Runtime, indexes: ScopeIndexes, app: App, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are; it is tried again the next time."""
    version, keys = runtime.engine.embedder.version, indexes._vault.keys(tenant)
    names = {user: scope_index(keys, user, version).name for user in ("ana", "ben")}
    for user in names:
        await fill(app, user, LARGE + 1)
    run = scope_indexes._run

    async def refusing(connection: AsyncConnection[DictRow], query: LiteralString, name: str, **parts: Any) -> None:
        if name == names["ana"]:
            raise OutOfMemory
        await run(connection, query, name, **parts)

    with monkeypatch.context() as patch:
        patch.setattr(scope_indexes, "_run", refusing)
        assert await settle(indexes, runtime, tenant) == (1, 0)
    assert await indexes.indexed(tenant, names, version) == {"ben"}
    assert await settle(indexes, runtime, tenant) == (1, 0)
    with monkeypatch.context() as patch:
        patch.setattr(scope_indexes, "_run", refusing)
        assert await settle(indexes, runtime) == (0, 1)
    assert await settle(indexes, runtime) == (0, 1)


async def test_one_process_makes_them(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], tenant: str
) -> None:
    """While another one does, a worker has nothing to do, and whoever asks for one waits."""
    embedder = runtime.engine.embedder
    lock = "(hashtextextended('precis scope indexes', 0))"
    await owner.execute(f"SELECT pg_advisory_lock{lock}")
    try:
        assert await indexes.settle([tenant], version=embedder.version, dimensions=embedder.dimensions) is None
        making = asyncio.create_task(
            indexes.make(tenant, "ana", version=embedder.version, dimensions=embedder.dimensions)
        )
        await asyncio.sleep(0.5)
        assert not making.done()
    finally:
        await owner.execute(f"SELECT pg_advisory_unlock{lock}")
    assert (await making).startswith("memories_near_")


async def test_the_role_that_serves_makes_none(runtime: Runtime, tenant: str) -> None:
    """It says what to set."""
    served = ScopeIndexes(runtime.database, Vault(runtime.store.tenants.keyring), None)
    assert not served.can_make
    with pytest.raises(ConfigurationError, match="PRECIS_DATABASE_OWNER_URL"):
        await served.make(tenant, "ana", version="any", dimensions=256)


async def test_a_worker_looks_after_them(
    runtime: Runtime, indexes: ScopeIndexes, app: App, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself, now and then; a look that failed is followed by another."""
    await fill(app, "ana", LARGE + 1)
    monkeypatch.setattr(indexing, "LOOK_SECONDS", 0.05)
    store = replace(runtime.store, scope_indexes=indexes)
    failed: list[str] = []
    whole = indexes.settle

    async def first_fails(*given: Any, **named: Any) -> object:
        if not failed:
            failed.append("once")
            raise ConfigurationError("out of reach")
        return await whole(*given, **named)

    monkeypatch.setattr(indexes, "settle", first_fails)
    worker = asyncio.create_task(indexing.settle_forever(replace(runtime, store=store)))
    try:
        async with asyncio.timeout(30):
            while not await indexes.indexed(tenant, ["ana"], runtime.engine.embedder.version):
                await asyncio.sleep(0.05)
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
    assert failed
