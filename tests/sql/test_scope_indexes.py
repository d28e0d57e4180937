"""Vector indexes of large scopes: lists that hold every row, tell of no forgotten one, and are known to nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from psycopg import AsyncConnection, sql
from psycopg.errors import OutOfMemory
from psycopg.rows import DictRow

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import ConfigurationError
from precis.jobs import upkeep as indexing
from precis.keys.vault import Vault
from precis.recall.question import Pool, read_question
from precis.store import search as searching
from precis.store.filtering import Filter
from precis.store.upkeep import lists
from precis.store.upkeep.indexes import ScopeIndexes
from precis.store.upkeep.lists import ScopeLists, nearest_in_lists

pytestmark = pytest.mark.asyncio(loop_scope="session")
LARGE = 40
#: Rows that are in the wrong lists, or in none, or with another vector than their own.
_WRONG_ROWS = """
WITH due AS (
    SELECT m.memory_id, s.scope, m.embedding FROM memories m JOIN vector_scopes s
    ON s.tenant_id = m.tenant_id AND s.scope IN (m.user_id, '') AND s.embedding_version = m.embedding_version
    WHERE m.tenant_id = %(tenant_id)s AND NOT m.is_summary AND m.embedding IS NOT NULL
), known AS (
    SELECT scope, entry AS list FROM vector_scopes WHERE tenant_id = %(tenant_id)s
    UNION ALL SELECT scope, list FROM vector_lists WHERE tenant_id = %(tenant_id)s
)
SELECT d.memory_id, o.memory_id AS listed FROM due d
FULL JOIN (SELECT * FROM listed_vectors JOIN known USING (scope, list) WHERE tenant_id = %(tenant_id)s) o
ON o.memory_id = d.memory_id AND o.scope = d.scope AND o.code IS NOT DISTINCT FROM
   CASE WHEN vector_dims(d.embedding) <= 1000 THEN d.embedding END AND o.bits IS NOT DISTINCT FROM
   CASE WHEN vector_dims(d.embedding) > 1000 THEN binary_quantize(d.embedding)::bit varying END
WHERE d.memory_id IS NULL OR o.memory_id IS NULL
"""
#: How far the sum of each list is from that of the rows that count in it.
_WRONG_SUMS = """
SELECT l.counted - count(o.memory_id) AS more, coalesce(l.total <-> sum(m.embedding::vector), 0) AS apart,
       (l.total IS NULL) <> (l.counted = 0) AS unclear
FROM vector_lists l
LEFT JOIN listed_vectors o ON o.tenant_id = l.tenant_id AND o.scope = l.scope AND o.list = l.list AND o.counted
LEFT JOIN memories m ON m.tenant_id = o.tenant_id AND m.memory_id = o.memory_id
WHERE l.tenant_id = %(tenant_id)s GROUP BY l.tenant_id, l.scope, l.list
"""
WORDS = "tea coffee train garden music doctor holiday kitchen dog market school friend letter bread".split()


@pytest.fixture
def indexes(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> ScopeIndexes:
    """Those of a deployment where forty rows are many and five fill a list."""
    monkeypatch.setattr(lists, "PER_LIST", 5)
    monkeypatch.setattr(lists, "SAMPLED", 2)
    return ScopeIndexes(runtime.database, large=LARGE)


async def fill(app: App, user: str, rows: int, seed: int = 1) -> list[str]:
    """So many rows of a user."""
    dice = np.random.default_rng(seed)
    texts = [" ".join(dice.choice(WORDS, 5)) for _ in range(rows)]
    memories = [{"text": f"{user} {text} {at}", "user_id": user} for at, text in enumerate(texts)]
    return [row.id for row in (await app.memories.add(memories, summarize="deferred")).memories]


async def settle(indexes: ScopeIndexes, runtime: Runtime, tenant: str) -> tuple[int, int]:
    """How many were made, and how many dropped."""
    done = await indexes.settle([tenant], version=runtime.engine.embedder.version)
    assert done is not None
    return len(done.created), len(done.dropped)


async def rows_of(owner: AsyncConnection[DictRow], query: str, tenant: str) -> list[DictRow]:
    """The answer of a query about a tenant."""
    return await (await owner.execute(query, {"tenant_id": tenant})).fetchall()


async def agree(owner: AsyncConnection[DictRow], tenant: str) -> int:
    """Every row is listed as it should be, every sum is that of its rows; how many rows are in a list with a sum."""
    assert await rows_of(owner, _WRONG_ROWS, tenant) == []
    for row in await rows_of(owner, _WRONG_SUMS, tenant):
        assert (row["more"], row["unclear"]) == (0, False)
        assert row["apart"] < 1e-4
    placed = "SELECT count(*) AS rows FROM listed_vectors o JOIN vector_lists l USING (tenant_id, scope, list) "
    (row,) = await rows_of(owner, placed + "WHERE o.tenant_id = %(tenant_id)s", tenant)
    return int(row["rows"])


async def test_there_is_one_for_each_large_user(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """It comes when a user has become large, stays while they shrink a little, and goes when they are forgotten."""
    catalog = "SELECT count(*) AS rows FROM pg_class"
    before = await rows_of(owner, catalog, tenant)
    version = runtime.engine.embedder.version
    ids = await fill(app, "ana", LARGE)
    await fill(app, "ben", LARGE + 1)
    assert await settle(indexes, runtime, tenant) == (1, 0)
    assert await indexes.indexed(tenant, ["ana", "ben"], version) == {"ben"}
    ids += await fill(app, "ana", 5, seed=2)
    assert await settle(indexes, runtime, tenant) == (1, 0)
    assert await settle(indexes, runtime, tenant) == (0, 0)
    assert await agree(owner, tenant) == 2 * LARGE + 6
    await app.memories.forget(ids[:20])
    assert await settle(indexes, runtime, tenant) == (0, 0)
    await app.memories.forget(ids[20:30])
    assert await settle(indexes, runtime, tenant) == (0, 1)
    await app.memories.forget_user("ben")
    for table in ("vector_scopes", "vector_lists", "listed_vectors"):
        left_over = await owner.execute(
            sql.SQL("SELECT FROM {} WHERE tenant_id = %s").format(sql.Identifier(table)), [tenant]
        )
        assert left_over.rowcount == 0
    assert await rows_of(owner, catalog, tenant) == before


async def test_the_lists_follow_the_rows(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """Whatever is written, edited, forgotten and made anew, in the lists of a user and in those of the tenant."""
    version = runtime.engine.embedder.version
    ids = await fill(app, "ana", 60)
    await fill(app, "ben", 20)
    await indexes.make(tenant, "ana", version=version)
    await indexes.make(tenant, None, version=version)
    assert await agree(owner, tenant) == 60 + 80
    dice = np.random.default_rng(11)
    for turn in range(12):
        some = [ids.pop(int(dice.integers(len(ids)))) for _ in range(3)]
        await app.memories.forget(some[:2])
        await app.memories.edit(some[2], {"text": f"something else {turn}"})
        ids += await fill(app, "ana", 8, seed=100 + turn)
        await agree(owner, tenant)
        if turn % 4 == 0:
            assert await settle(indexes, runtime, tenant) == (0, 0)
    await agree(owner, tenant)
    await app.memories.forget_user("ana")
    await agree(owner, tenant)


async def test_what_grew_by_much_is_parted_anew(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """New lists take the place of the old ones, and every row is in one of them."""
    await fill(app, "ana", 50)
    await settle(indexes, runtime, tenant)
    generation = "SELECT DISTINCT generation FROM vector_lists WHERE tenant_id = %(tenant_id)s"
    assert [row["generation"] for row in await rows_of(owner, generation, tenant)] == [1]
    await fill(app, "ana", 100, seed=2)
    await settle(indexes, runtime, tenant)
    assert [row["generation"] for row in await rows_of(owner, generation, tenant)] == [2]
    assert await agree(owner, tenant) == 150


async def test_a_list_of_which_all_that_counted_is_forgotten(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """Its sum is gone with them; the rows that are left move to others."""
    await fill(app, "ana", 60)
    await settle(indexes, runtime, tenant)
    counted = "SELECT memory_id FROM listed_vectors WHERE tenant_id = %(tenant_id)s AND counted"
    await app.memories.forget([row["memory_id"] for row in await rows_of(owner, counted, tenant)])
    rest = await agree(owner, tenant)
    assert 0 < rest < 60
    sums = "SELECT count(*) AS rows FROM vector_lists WHERE tenant_id = %(tenant_id)s AND total IS NOT NULL"
    assert [row["rows"] for row in await rows_of(owner, sums, tenant)] == [0]
    await fill(app, "ana", 70, seed=3)
    await settle(indexes, runtime, tenant)
    assert await agree(owner, tenant) == rest + 70


async def test_a_row_that_was_on_its_way(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """Whoever began to write before the index was is waited for: the row is in it."""
    ids = await fill(app, "ana", LARGE + 1)
    version = runtime.engine.embedder.version
    async with runtime.database.tx(tenant) as tx:
        await tx.connection.execute(
            "INSERT INTO memories SELECT (jsonb_populate_record(m, '{\"memory_id\": \"late\"}')).* FROM memories m "
            "WHERE memory_id = %s", [ids[0]])  # fmt: skip
        await tx.run("post_terms", ids=["late"])
        await tx.run("enlist", ids=["late"])
        making = asyncio.create_task(indexes.make(tenant, "ana", version=version))
        await asyncio.sleep(0.4)
        assert not making.done()
        assert await indexes.indexed(tenant, ["ana"], version) == set()
    await making
    await agree(owner, tenant)


async def test_another_embedder_has_others(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """Those of the one before are of no use any more; rows come into the new ones as they are read anew."""
    version = runtime.engine.embedder.version
    await fill(app, "ana", LARGE + 1)
    await settle(indexes, runtime, tenant)
    await owner.execute("UPDATE memories SET embedding_version = 'old@1' WHERE tenant_id = %s", [tenant])
    assert await indexes.settle([tenant], version="old@1") is not None
    assert await indexes.indexed(tenant, ["ana"], "old@1") == {"ana"}
    assert await agree(owner, tenant) == LARGE + 1
    assert await settle(indexes, runtime, tenant) == (0, 0)
    assert await agree(owner, tenant) == 0
    while await app.embeddings.renew() is not None:
        pass
    await agree(owner, tenant)
    await settle(indexes, runtime, tenant)
    assert await agree(owner, tenant) == LARGE + 1
    assert await indexes.indexed(tenant, ["ana"], version) == {"ana"}


async def test_vectors_too_wide_for_an_index_are_compared_by_bits_first(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The lists name the rows whose signs agree most with the question's; of these the nearest are found exactly."""
    ids = await fill(app, "ana", 100)
    dice = np.random.default_rng(5)
    themes = dice.normal(size=(10, 1200))
    wide = [themes[at % 10] + dice.normal(scale=0.6, size=1200) for at in range(len(ids))]
    rows = [{"id": id_, "to": str(vector.tolist()), "tenant": tenant} for id_, vector in zip(ids, wide, strict=True)]
    async with owner.cursor() as cursor:
        statement = "UPDATE memories SET embedding = %(to)s::vector::halfvec, embedding_version = 'wide@1' "
        await cursor.executemany(statement + "WHERE tenant_id = %(tenant)s AND memory_id = %(id)s", rows)
    assert await indexes.settle([tenant], version="wide@1") is not None
    assert await agree(owner, tenant) == 100
    named: list[Any] = []

    async def watched(*args: Any) -> Any:
        named.append(await nearest_in_lists(*args))
        return named[-1]

    monkeypatch.setattr(searching, "nearest_in_lists", watched)

    async def nearest(theme: int, large: int) -> set[str]:
        search = searching.PostgresSearch(runtime.database, Vault(runtime.store.tenants.keyring), large=large)
        request = searching.Asked(
            question=read_question(""), vector=themes[theme].astype(np.float32), embedding_version="wide@1", breadth=4
        )
        pools: list[Pool] = []
        filter_ = Filter(user_id="ana", turns=True, current=True, searched=True, recalled=True)
        await search.read(tenant, filter_, request, lambda pool: pools.append(pool) or [])  # type: ignore[func-returns-value]
        return set(pools[0].rows)

    for theme in range(4):
        assert await nearest(theme, 0) == await nearest(theme, 10**9)
    assert [len(rows or ()) for rows in named] == [4 * 15] * 4
    await app.memories.forget(ids[:30])
    assert await agree(owner, tenant) == 70
    assert await nearest(0, 0) <= set(ids[30:])


@pytest.mark.parametrize("step", ["_put", "_move"])
async def test_an_index_that_cannot_be_made(
    runtime: Runtime, indexes: ScopeIndexes, owner: AsyncConnection[DictRow], app: App, tenant: str,
    monkeypatch: pytest.MonkeyPatch, step: str,
) -> None:  # fmt: skip
    """The others are; it goes on the next time where it was broken off."""
    version = runtime.engine.embedder.version
    for user in ("ana", "ben"):
        await fill(app, user, LARGE + 1)
    steps = getattr(ScopeLists, step)

    async def refusing(index: ScopeLists, *args: Any) -> None:
        if index.scope == "ana":
            raise OutOfMemory
        await steps(index, *args)

    with monkeypatch.context() as patch:
        patch.setattr(ScopeLists, step, refusing)
        assert await settle(indexes, runtime, tenant) == (1, 0)
    if step == "_move":
        await agree(owner, tenant)
    await settle(indexes, runtime, tenant)
    assert await indexes.indexed(tenant, ["ana", "ben"], version) == {"ana", "ben"}
    assert await agree(owner, tenant) == 2 * (LARGE + 1)


async def test_one_process_makes_them(runtime: Runtime, indexes: ScopeIndexes, tenant: str) -> None:
    """While another one does, a worker has nothing to do, and whoever asks for one waits."""
    version = runtime.engine.embedder.version
    async with runtime.database.tx() as tx:
        assert (await tx.one("take_turn") or {})["mine"]
        assert await indexes.settle([tenant], version=version) is None
        making = asyncio.create_task(indexes.make(tenant, "ana", version=version))
        await asyncio.sleep(0.3)
        assert not making.done()
    assert (await making).endswith("user ana")


async def test_a_worker_looks_after_them(
    runtime: Runtime, indexes: ScopeIndexes, app: App, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself, now and then; a look that failed is followed by another."""
    await fill(app, "ana", LARGE + 1)
    monkeypatch.setattr(indexing, "LOOK_SECONDS", 0.05)
    store = replace(runtime.store, scope_indexes=indexes)
    failed: list[str] = []
    whole: Callable[..., Awaitable[object]] = indexes.settle

    async def first_fails(_tenants: object, **named: Any) -> object:
        if not failed:
            failed.append("once")
            raise ConfigurationError("out of reach")
        return await whole([tenant], **named)

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
