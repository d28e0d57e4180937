"""What large users cost others, and how much of what is nearest to them their vector index finds, how quickly.

Costs: planning a read by its key and writing one memory of a small user, with no large user and with many, in turns of
the same run over the same rows; and ninety connections (the embedded server has a hundred) with open transactions. The
many are marked: each has a scope with lists and a few listed rows, since nothing else of them could reach a plan or
another user's write. Their memories are few.

Nearest: one user with as many rows as asked for, against comparing every row, through the search that recall uses: as
many candidates as recall asks for, of questions that are none of the rows. Shares and milliseconds. The vectors are
those of generated memories: two sentences of real texts (``--data``), or of made-up ones, weighed as the default
embedder weighs the words of one text; made-up ones, without any order in them, are as hard as vectors get. Rows hold
no words: what the search by words takes is in speed.py.

    python benchmarks/large_users.py --data ../shared/data                                   # 500 users; 50,000 rows
    python benchmarks/large_users.py --data ../shared/data --users 10000 --rows 1000000      # minutes, 4 GB of disk
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import numpy as np
from pgvector import HalfVector
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection, Error

from neighbors import BREADTH, Sentences
from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.keys.vault import Vault
from precis.recall.listing import Vectors, unit
from precis.recall.question import Pool, read_question
from precis.store.filtering import Filter
from precis.store.search import Asked, PostgresSearch
from speed import NOW, Speech, opened

ROUNDS, CONNECTIONS = 2, 90
BY_KEY = "SELECT text_ciphertext FROM memories WHERE tenant_id = %s AND memory_id = %s"
MEMORIES = """
INSERT INTO memories (tenant_id, memory_id, user_id, project_id, environment, memory_type, extracted_type, tier,
                      retention_state, is_summary, embedding, embedding_version, terms, importance, fingerprint,
                      tokens, created_at, updated_at, source_class)
SELECT %(tenant_id)s, 'large' || n || '-' || l, 'large' || n, '', 'production', 'semantic', 'fact', 'raw', 'live',
       false, array_fill(l::real, ARRAY[256])::vector::halfvec, %(version)s, '{}', 0.5, '', 1, %(now)s, %(now)s, 'user'
FROM generate_series(1, %(users)s) n, generate_series(1, 5) l
"""
MARK = """
WITH scopes AS (
    INSERT INTO vector_scopes (tenant_id, scope, embedding_version, entry, ready, generation, probes)
    SELECT %(tenant_id)s, 'large' || n, %(version)s, n * 1000, true, 1, 20 FROM generate_series(1, %(users)s) n
), lists AS (
    INSERT INTO vector_lists (tenant_id, scope, list, generation, total, counted)
    SELECT %(tenant_id)s, 'large' || n, n * 1000 + l, 1, array_fill(l::real, ARRAY[256])::vector, 1
    FROM generate_series(1, %(users)s) n, generate_series(1, 5) l
)
INSERT INTO listed_vectors (tenant_id, memory_id, scope, list, code)
SELECT tenant_id, memory_id, user_id, 1001, embedding FROM memories
WHERE tenant_id = %(tenant_id)s AND user_id LIKE 'large%%'
"""
UNMARK = "TRUNCATE vector_scopes, vector_lists, listed_vectors"
POST = """
INSERT INTO postings (tenant_id, term, user_id, memory_id, frequency, length, is_summary)
SELECT tenant_id, 0, user_id, memory_id, 1, 0, false FROM memories WHERE tenant_id = %s ON CONFLICT DO NOTHING
"""
INSERT = """
INSERT INTO memories (tenant_id, memory_id, user_id, project_id, environment, memory_type, extracted_type, tier,
                      retention_state, is_summary, terms, importance, fingerprint, tokens, created_at, updated_at,
                      source_class)
VALUES (%s, %s, 'small', '', 'production', 'semantic', 'fact', 'raw', 'live', false, '{}', 0.5, '', 1, now(), now(),
        'user')
"""
COLUMNS = (
    "tenant_id", "memory_id", "user_id", "project_id", "environment", "memory_type", "extracted_type", "tier",
    "retention_state", "is_summary", "embedding", "embedding_version", "terms", "importance", "fingerprint", "tokens",
    "created_at", "updated_at", "source_class",
)  # fmt: skip
TYPES = (
    ("text",) * 9 + ("bool", "halfvec", "text", "int8[]", "float8", "bytea", "int4") + ("timestamptz",) * 2 + ("text",)
)


async def costs(runtime: Runtime, owner: AsyncConnection[Any], users: int) -> None:
    """What others feel of so many large users."""
    tenant = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant, name="costs", now=NOW)
    app, of = runtime.app(tenant), {"users": users, "tenant_id": tenant, "version": runtime.engine.embedder.version}
    ids = [row.id for row in (await app.memories.add(small(50, "known"), summarize="deferred")).memories]
    await owner.execute(MEMORIES, {**of, "now": NOW})
    await owner.execute(POST, [tenant])
    figures: dict[str, dict[bool, list[float]]] = {"plan": {}, "small write": {}}
    for turn in range(2 * ROUNDS + 1):
        many = turn % 2 == 1
        await owner.execute(*((MARK, of) if many else (UNMARK,)))
        await owner.execute("VACUUM ANALYZE")
        plan, write = await plans(owner, tenant, ids), await writes(runtime, tenant, f"small{turn}")
        if turn:  # everything is warm by then
            figures["plan"].setdefault(many, []).extend(plan)
            figures["small write"].setdefault(many, []).extend(write)
    for name, figure in figures.items():
        none, with_many = statistics.median(figure[False]), statistics.median(figure[True])
        print(f"{name}: {none:.3f} ms with none, {with_many:.3f} ms with {users:,} large users, "
              f"ratio {with_many / none:.2f}", flush=True)  # fmt: skip
    await owner.execute(MARK, of)
    print(f"{CONNECTIONS} connections at once: {await crowd(owner.info.dsn, tenant, ids)} errors", flush=True)


def small(number: int, user: str) -> list[dict[str, Any]]:
    """Memories of a small user."""
    speech = Speech(int(time.time() * 1000) % 100_000)
    return [{"text": speech.sentence(8), "user_id": user} for _ in range(number)]


async def plans(owner: AsyncConnection[Any], tenant: str, ids: Sequence[str]) -> list[float]:
    """Milliseconds of planning, as PostgreSQL counts them."""
    took = []
    for id_ in ids:
        rows = await (await owner.execute("EXPLAIN (SUMMARY) " + BY_KEY, [tenant, id_], prepare=False)).fetchall()
        took += [float(row[0].split()[2]) for row in rows if row[0].startswith("Planning Time")]
    return took


async def writes(runtime: Runtime, tenant: str, user: str) -> list[float]:
    """Milliseconds of a memory each."""
    app = runtime.app(tenant)
    took = []
    for memory in small(40, user):
        began = time.perf_counter()
        await app.memories.add([memory], summarize="deferred")
        took.append((time.perf_counter() - began) * 1000)
    return took


async def crowd(dsn: str, tenant: str, ids: Sequence[str]) -> int:
    """How many of so many connections, each in a transaction that is open with all others, meet an error."""
    errors = 0
    async with AsyncExitStack() as stack:
        for at in range(CONNECTIONS):
            try:
                connection = await stack.enter_async_context(await AsyncConnection.connect(dsn))
                await connection.execute(BY_KEY, [tenant, ids[at % len(ids)]])
                await connection.execute(INSERT, [tenant, f"of-{at}"])
            except Error as error:
                print(f"  connection {at}: {error}")
                errors += 1
    return errors


def vectors(runtime: Runtime, data: Path | None, rows: int, number: int) -> tuple[Vectors, Iterator[Vectors]]:
    """Those of a number of questions, and of so many rows, a slice at a time."""
    if data is None:
        speech = Speech(2)
        texts = [speech.sentence(12) for _ in range(min(rows, 60_000) + number)]
    else:
        sentences = Sentences(data)
        texts = [sentences.sentence(1) for _ in range(len(sentences))]
    embed = runtime.engine.embedder.vectors  # type: ignore[attr-defined]
    whole = np.concatenate([embed(texts[at : at + 1000]) for at in range(0, len(texts), 1000)])
    base = whole[number:]
    dice = np.random.default_rng(3)

    def generated() -> Iterator[Vectors]:
        for start in range(0, rows, 10_000):
            count = min(10_000, rows - start)
            share = dice.uniform(0, 0.7, (count, 1)).astype(np.float32)
            first, second = dice.integers(0, len(base), count), dice.integers(0, len(base), count)
            yield unit(base[first] + share * base[second])

    return whole[:number], generated()


async def fill(owner: AsyncConnection[Any], tenant: str, version: str, slices: Iterator[Vectors]) -> None:
    """Rows of a user, without a text."""
    await register_vector_async(owner)
    for part in slices:
        async with owner.cursor() as cursor, cursor.copy(
            f"COPY memories ({', '.join(COLUMNS)}) FROM STDIN (FORMAT BINARY)"
        ) as into:  # fmt: skip
            into.set_types(TYPES)
            for vector in part:
                await into.write_row([
                    tenant, new_id(), "ana", "", "production", "semantic", "fact", "raw", "live", False,
                    HalfVector(vector), version, [], 0.5, b"", 1, NOW, NOW, "user",
                ])  # fmt: skip
    await owner.execute(POST, [tenant])
    await owner.execute("VACUUM ANALYZE memories")
    await owner.execute("VACUUM ANALYZE postings")


async def nearest(search: PostgresSearch, tenant: str, vector: Any, version: str) -> tuple[set[str], float]:
    """The ids of the candidates that a question of no words has, and the milliseconds."""
    pools: list[Pool] = []
    asked = Asked(question=read_question(""), vector=vector, embedding_version=version, breadth=BREADTH)
    began = time.perf_counter()
    await search.read(tenant, Filter(user_id="ana", turns=True, current=True, searched=True, recalled=True), asked,
                      lambda pool: pools.append(pool) or [])  # fmt: skip
    return set(pools[0].rows), (time.perf_counter() - began) * 1000


async def finds(runtime: Runtime, owner: AsyncConnection[Any], data: Path | None, rows: int, number: int = 60) -> None:
    """How much of what is nearest the lists name, and how long that takes."""
    tenant, version = f"t-{new_id()}", runtime.engine.embedder.version
    questions, slices = vectors(runtime, data, rows, number)
    began = time.perf_counter()
    await fill(owner, tenant, version, slices)
    print(f"{rows:,} rows of {'made-up words' if data is None else 'real sentences'}, "
          f"written in {time.perf_counter() - began:.0f} s", flush=True)  # fmt: skip
    began = time.perf_counter()
    await runtime.store.scope_indexes.make(tenant, "ana", version=version)
    made = time.perf_counter() - began
    await owner.execute("VACUUM ANALYZE listed_vectors")
    state = await (await owner.execute(
        "SELECT probes, (SELECT count(*) FROM vector_lists l WHERE l.tenant_id = s.tenant_id) FROM vector_scopes s "
        "WHERE tenant_id = %s", [tenant])).fetchone()  # fmt: skip
    print(f"  its index made in {made:.0f} s; {state[0]} of {state[1]} lists are read", flush=True)
    vault = Vault(runtime.store.tenants.keyring)
    exact, large = (PostgresSearch(runtime.database, vault, large=size) for size in (10**9, 0))
    shares, slowly, quickly = [], [], []
    for vector in questions:
        every, slow = await nearest(exact, tenant, vector, version)
        some, quick = await nearest(large, tenant, vector, version)
        shares.append(len(every & some) / len(every))
        slowly.append(slow)
        quickly.append(quick)
    print(f"  nearest {BREADTH}: {statistics.mean(shares):.4f}, worst {min(shares):.3f}; "
          f"p50 {statistics.median(quickly):.0f} ms, p95 {sorted(quickly)[int(len(quickly) * 0.95)]:.0f} ms, "
          f"against {statistics.median(slowly):.0f} ms exactly, "
          f"ratio {statistics.median(quickly) / statistics.median(slowly):.2f}", flush=True)  # fmt: skip


async def main() -> None:
    """Costs, then what is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder of texts")
    parser.add_argument("--users", type=int, default=500, help="large users 0 leaves that out")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--rows", type=int, nargs="*", default=[50_000], help="of one user")
    given = parser.parse_args()
    async with opened("large-users") as (runtime, owner):
        if given.users:
            await costs(runtime, owner, given.users)
        for rows in given.rows:
            await finds(runtime, owner, given.data, rows, given.questions)


if __name__ == "__main__":
    asyncio.run(main())
