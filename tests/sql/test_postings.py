"""The postings say what the rows say, whatever changes them; and a large scope is searched by its indexes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from precis.app import App
from precis.bootstrap import Runtime
from precis.recall.question import read_question
from precis.recall.ranking import Pool
from precis.store.embeddings import drop_index, index_scope
from precis.store.ports import Asked, Filter
from precis.store.search import PostgresSearch
from precis.store.vault import Vault

pytestmark = pytest.mark.asyncio(loop_scope="session")
_WRONG = """
WITH wanted AS (
    SELECT m.memory_id, t.term, m.user_id, count(*) AS frequency, cardinality(m.terms) AS length, m.is_summary
    FROM memories m CROSS JOIN LATERAL unnest(m.terms || 0::bigint) AS t (term)
    WHERE m.tenant_id = %(tenant_id)s AND m.retention_state <> 'expired' GROUP BY m.tenant_id, m.memory_id, t.term
), there AS (
    SELECT memory_id, term, user_id, frequency, length, is_summary FROM postings WHERE tenant_id = %(tenant_id)s
)
(TABLE wanted EXCEPT TABLE there) UNION ALL (TABLE there EXCEPT TABLE wanted)
"""


async def agree(owner: AsyncConnection[DictRow], tenant: str) -> int:
    """How many postings there are, all of them right and none missing."""
    wrong = await (await owner.execute(_WRONG, {"tenant_id": tenant})).fetchall()
    assert wrong == []
    counted = await owner.execute("SELECT count(*) AS rows FROM postings WHERE tenant_id = %s", [tenant])
    row = await counted.fetchone()
    return int(row["rows"]) if row else 0


async def test_they_follow_the_rows(owner: AsyncConnection[DictRow], app: App, tenant: str) -> None:
    """Writes, summaries, edits, forgetting a memory and a user: in the same transaction, by the rows themselves."""
    texts = ("Ana drinks green tea, green tea only.", "Ana keeps oolong tea in a tin.", "Ana gave up sugar in tea.")
    rows = [{"text": t, "user_id": "ana", "type": "fact", "key": "tea"} for t in texts]
    written = await app.memories.add(rows)
    assert written.summaries
    whole = await agree(owner, tenant)
    assert whole > 20
    await app.memories.edit(written.memories[0].id, {"text": "Ana drinks coffee."})
    assert await agree(owner, tenant) < whole
    await app.memories.forget(written.memories[1].id)
    await agree(owner, tenant)
    await app.memories.add([{"text": "Ben likes trains.", "user_id": "ben"}])
    await app.memories.forget_user("ana")
    assert await agree(owner, tenant) == 4  # ben, likes, trains, and the row itself


async def test_an_expired_row_has_none(owner: AsyncConnection[DictRow], app: App, tenant: str) -> None:
    """Its words stay for forgetting; recall does not see them."""
    written = await app.memories.add([{"text": "Ana drinks tea.", "user_id": "ana"}])
    here = [tenant, written.memories[0].id]
    await owner.execute("UPDATE memories SET retention_state = 'expired' WHERE tenant_id = %s AND memory_id = %s", here)
    assert await agree(owner, tenant) == 0
    await app.memories.forget(written.memories[0].id)
    assert await agree(owner, tenant) == 0


async def candidates(search: PostgresSearch, tenant: str, vector: Any, version: str, breadth: int) -> list[str]:
    """The nearest ones' ids."""
    seen: list[Pool] = []
    asked = Asked(question=read_question(""), vector=vector, embedding_version=version, breadth=breadth)
    await search.read(tenant, Filter(user_id="ana"), asked, lambda pool: seen.append(pool) or [])
    return sorted(seen[0].rows)


async def test_the_index_of_a_scope_finds_what_is_nearest(
    runtime: Runtime, owner: AsyncConnection[DictRow], owner_dsn: str, app: App, tenant: str
) -> None:
    """At least 98 % of what the exact search finds, and as many rows as asked for, with a filter as without."""
    words = "tea coffee train garden music doctor holiday kitchen dog market school friend letter bread".split()
    dice = np.random.default_rng(5)
    rows = [{"text": " ".join(dice.choice(words, 6)), "user_id": "ana"} for _ in range(1500)]
    await app.memories.add(rows, summarize="deferred")
    embedder = runtime.engine.embedder
    exact = runtime.store.search
    large = PostgresSearch(runtime.database, Vault(exact._vault.keyring), large=0, lasts=0.0)
    queries = [" ".join(dice.choice(words, 4)) for _ in range(10)]
    vectors = [np.asarray(vector, dtype=np.float32) for vector in await embedder.embed(queries)]
    name = await index_scope(owner_dsn, tenant, "ana", version=embedder.version, dimensions=embedder.dimensions)
    try:
        assert name in await runtime.store.embeddings.indexed()
        shares = []
        for vector in vectors:
            wanted = set(await candidates(exact, tenant, vector, embedder.version, 60))
            found = set(await candidates(large, tenant, vector, embedder.version, 30))  # of both kinds together
            assert len(found) == len(wanted) == 60
            shares.append(len(wanted & found) / 60)
        assert sum(shares) / len(shares) >= 0.98
    finally:
        await drop_index(owner_dsn, name)
    assert name not in await runtime.store.embeddings.indexed()


async def test_a_large_scope_is_found_by_its_indexes(
    runtime: Runtime, owner: AsyncConnection[DictRow], app: App, tenant: str
) -> None:
    """The words by the key of the postings alone, never by reading the rows of the scope."""
    rows = [{"text": f"Word{at} of many thousands", "user_id": "ana"} for at in range(300)]
    await app.memories.add(rows, summarize="deferred")
    await owner.execute("ANALYZE postings")
    term = runtime.store.search._vault.keys(tenant).terms(["word7"])
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("SET LOCAL enable_seqscan = off")
        plan = await connection.execute(
            "EXPLAIN SELECT memory_id, length, frequency FROM postings WHERE tenant_id = %s AND term = ANY(%s) "
            "AND user_id = 'ana'",
            [tenant, term],
        )
        text = "\n".join(row["QUERY PLAN"] for row in await plan.fetchall())
    assert "Index Only Scan using postings_pkey" in text
    assert "Index Cond: ((tenant_id" in text
