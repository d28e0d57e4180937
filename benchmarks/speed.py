"""How quick precis is, as a ratio to bare SQL in the same run, on made-up memories in the embedded database.

Recall: the verb without the query's embedding (a line of its own) against the arm that alone finds the most, BM25, as
bare SQL in one transaction that reads and opens as many rows; the quicker of two ways to write it counts, for either
figure. The other arm, the nearest vectors alone, is shown beside it. Ingest: ``app.memories.add`` against a bare COPY
of the same sealed rows with all indexes. A single write: the verb against the bare INSERT. Memory: the process at its
beginning and its end.

    python benchmarks/speed.py                    # 10,000 and 100,000 memories, many users; one user with 100,000
    python benchmarks/speed.py --sizes 1000000    # minutes, and 5 GB of disk
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from precis.bootstrap import Runtime, open_runtime
from precis.database.queries import queries
from precis.database.queries import query as named
from precis.embedded import server as embedded
from precis.ids import new_id
from precis.language.words import terms
from precis.memory import Memory, MemoryType, Scope
from precis.settings import Settings
from precis.store.rows import NewMemory, row_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SYLLABLES = "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so".split()
PLAIN = "tea coffee train garden music doctor holiday kitchen dog market school friend letter bread river work".split()
QUERIES = 60
#: BM25 alone, of a user's rows: what is left of recall without everything else.
BM25 = """
WITH scope AS MATERIALIZED (
    SELECT memory_id, cardinality(terms) AS length,
           CASE WHEN terms && %(terms)s::bigint[]
                THEN ARRAY(SELECT t FROM unnest(terms) AS t WHERE t = ANY(%(terms)s::bigint[])) END AS found
    FROM memories WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND retention_state <> 'expired'
), size AS (
    SELECT count(*)::float8 AS documents, greatest(avg(length), 1)::float8 AS mean FROM scope
), hits AS MATERIALIZED (
    SELECT memory_id, length, t.term, count(*)::float8 AS frequency FROM scope CROSS JOIN LATERAL unnest(found) t (term)
    WHERE found IS NOT NULL GROUP BY memory_id, length, t.term
), held AS (SELECT term, count(*)::float8 AS documents FROM hits GROUP BY term)
SELECT h.memory_id, sum(ln(1 + (z.documents - d.documents + 0.5) / (d.documents + 0.5)) * h.frequency * 2.5
       / (h.frequency + 1.5 * (0.25 + 0.75 * h.length / z.mean))) AS bm25
FROM hits h JOIN held d USING (term) CROSS JOIN size z GROUP BY h.memory_id ORDER BY bm25 DESC LIMIT 10
"""
#: The same by the postings.
POSTED = """
WITH size AS MATERIALIZED (
    SELECT count(*)::float8 AS documents, greatest(avg(length), 1)::float8 AS mean FROM postings
    WHERE tenant_id = %(tenant_id)s AND term = 0 AND user_id = %(user_id)s
), hits AS MATERIALIZED (
    SELECT memory_id, length, term, frequency FROM postings
    WHERE tenant_id = %(tenant_id)s AND term = ANY(%(terms)s::bigint[]) AND user_id = %(user_id)s
), held AS (SELECT term, count(*)::float8 AS documents FROM hits GROUP BY term)
SELECT h.memory_id, sum(ln(1 + (z.documents - d.documents + 0.5) / (d.documents + 0.5)) * h.frequency * 2.5
       / (h.frequency + 1.5 * (0.25 + 0.75 * h.length / z.mean))) AS bm25
FROM hits h JOIN held d USING (term) CROSS JOIN size z GROUP BY h.memory_id ORDER BY bm25 DESC LIMIT 10
"""


#: The nearest vectors alone.
NEAREST = """
SELECT memory_id FROM memories
WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND retention_state <> 'expired'
  AND embedding_version = %(version)s AND embedding IS NOT NULL
ORDER BY embedding::halfvec({dimensions}) <=> %(vector)s::halfvec({dimensions}) LIMIT 10
"""


class Speech:
    """Sentences of words that are as unequally common as those of a language; the same seed says the same."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        made = ["".join(self._dice.choices(SYLLABLES, k=3)) for _ in range(20_000)]
        self._words = PLAIN + list(dict.fromkeys(made))
        self._weights = np.cumsum(1 / (np.arange(len(self._words)) + 5.0)).tolist()

    def sentence(self, length: int) -> str:
        """So many words."""
        return " ".join(self._dice.choices(self._words, cum_weights=self._weights, k=length))


class Speaker(Protocol):
    """Whoever says something."""

    def sentence(self, length: int) -> str:
        """So many words, or as many as it likes."""
        ...


def memories(
    runtime: Runtime, tenant: str, user: str, number: int, speech: Speaker, *, sessions: bool = True
) -> Iterator[list[NewMemory]]:
    """Rows of a user, thirty to a session, embedded a thousand at a time."""
    for start in range(0, number, 1000):
        texts = [speech.sentence(12) for _ in range(min(1000, number - start))]
        vectors = runtime.engine.embedder.vectors(texts)  # type: ignore[attr-defined]
        yield [
            NewMemory(
                memory=Memory(
                    id=new_id(), scope=Scope(tenant_id=tenant, user_id=user), text=text,
                    created_at=NOW - timedelta(minutes=number - start - at), updated_at=NOW,
                    memory_type=MemoryType.MESSAGE, speaker="Ana",
                    session_id=f"{user}-{(start + at) // 30}" if sessions else None,
                    extracted_key=text.split()[0], tokens=20,
                    embedding_version=runtime.engine.embedder.version,
                ),
                vector=vector,
            )
            for at, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]  # fmt: skip


async def fill(
    runtime: Runtime, owner: AsyncConnection[Any], tenant: str, users: Sequence[str], each: int, speech: Speaker,
    *, sessions: bool = True,
) -> float:  # fmt: skip
    """COPY so many sealed rows of each user, and write their postings; answers the seconds that the server took."""
    vault = runtime.store.memories._vault  # noqa: SLF001 - the benchmark writes below the verbs
    keys = vault.keys(tenant)
    seconds = 0.0
    for user in users:
        async with runtime.database.tx(tenant) as tx:
            ciphers = await vault.ciphers(tx, {user}, create=True)
        for batch in memories(runtime, tenant, user, each, speech, sessions=sessions):
            rows = [row_of(one, ciphers[user], keys) for one in batch]
            began = time.perf_counter()
            await copy(owner, rows)
            ids = [row["memory_id"] for row in rows]
            await owner.execute(named("post_terms"), {"tenant_id": tenant, "ids": ids})
            seconds += time.perf_counter() - began
    return seconds


async def copy(owner: AsyncConnection[Any], rows: Sequence[dict[str, Any]]) -> None:
    """Bare COPY with all indexes."""
    columns = list(rows[0])
    async with owner.cursor() as cursor, cursor.copy(f"COPY memories ({', '.join(columns)}) FROM STDIN") as into:
        for row in rows:
            await into.write_row([_plain(row[column]) for column in columns])


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return "[" + ",".join(f"{one:.6g}" for one in value.tolist()) + "]"
    return Jsonb(value) if isinstance(value, dict) else value


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    await work()
    return (time.perf_counter() - began) * 1000


def percentiles(figures: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    ordered = sorted(figures)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.95)]


async def recall(runtime: Runtime, tenant: str, users: Sequence[str], name: str, speech: Speech) -> None:
    """Print the verb against bare BM25 over the same scopes, taken in turns."""
    app, keys = runtime.app(tenant), runtime.store.memories._vault.keys(tenant)  # noqa: SLF001
    dice = random.Random(3)
    embedder = runtime.engine.embedder
    nearest = NEAREST.replace("{dimensions}", str(embedder.dimensions))
    ways = ("scanned BM25", "posted BM25", "nearest vectors", "embedding", "recall")
    figures: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(QUERIES + 5):
        user, query = dice.choice(users), speech.sentence(5)
        bare = {
            "tenant_id": tenant, "user_id": user, "terms": sorted(set(keys.terms(terms(query)))),
            "version": embedder.version, "vector": np.asarray((await embedder.embed([query]))[0], dtype=np.float32),
        }  # fmt: skip
        took = {
            "scanned BM25": await timed(lambda bare=bare: alone(runtime, tenant, BM25, bare)),  # type: ignore[misc]
            "posted BM25": await timed(lambda bare=bare: alone(runtime, tenant, POSTED, bare)),  # type: ignore[misc]
            "nearest vectors": await timed(lambda bare=bare: alone(runtime, tenant, nearest, bare)),  # type: ignore[misc]
            "embedding": await timed(lambda query=query: runtime.engine.embedder.embed([query])),  # type: ignore[misc]
            "recall": await timed(
                lambda query=query, user=user: app.recall.search(query, user_id=user)  # type: ignore[misc]
            ),
        }
        took["recall"] -= took["embedding"]
        for way, one in took.items() if turn >= 5 else ():  # the first ones warm up
            figures[way].append(one)
    arms = [percentiles(figures[way]) for way in ("scanned BM25", "posted BM25")]
    best, best_most = min(half for half, _ in arms), min(most for _, most in arms)
    for way, row in figures.items():
        half, most = percentiles(row)
        ratios = f"{half / best:.2f} and {most / best_most:.2f} of the best arm"
        print(f"{name}: {way} p50 {half:.1f} ms, p95 {most:.1f} ms, {ratios}", flush=True)


async def alone(runtime: Runtime, tenant: str, query: str, parameters: dict[str, Any]) -> None:
    """One arm, and its rows read and opened."""
    vault, read = runtime.store.memories._vault, queries("memories")["get_memories"]  # noqa: SLF001
    async with runtime.database.tx(tenant, one_moment=True) as tx:
        # A plan made before there was an index is not kept.
        fixed = False if "<=>" in query else None
        best = await (await tx.connection.execute(query, parameters, prepare=fixed)).fetchall()  # type: ignore[call-overload]
        ids = [row["memory_id"] for row in best]
        rows = await (await tx.connection.execute(read, {"tenant_id": tenant, "ids": ids})).fetchall()
        ciphers = await vault.ciphers(tx, {row["user_id"] for row in rows})
        for row in rows:
            ciphers[row["user_id"]].open_text(
                row["text_ciphertext"], tenant_id=tenant, row_id=row["memory_id"], column="text"
            )


async def writes(runtime: Runtime, owner: AsyncConnection[Any], number: int, speech: Speech) -> None:
    """Print ingest and single writes against the bare ones."""
    copied, added = f"t-{new_id()}", f"t-{new_id()}"
    bare = await fill(runtime, owner, copied, ["ana"], number, speech)
    app = runtime.app(added)
    batches = [
        [{"text": m.memory.text, "user_id": "ana", "session_id": m.memory.session_id} for m in batch]
        for batch in memories(runtime, added, "ana", number, speech)
    ]
    whole = sum([await timed(lambda b=b: app.memories.add(b, summarize="deferred")) for b in batches]) / 1000  # type: ignore[misc]
    print(f"ingest of {number}: {number / whole:.0f}/s, bare COPY {number / bare:.0f}/s, ratio {whole / bare:.1f}")
    single, insert = [], []
    vault = runtime.store.memories._vault  # noqa: SLF001
    async with runtime.database.tx(copied) as tx:
        ciphers = await vault.ciphers(tx, {"ana"})
    for batch in memories(runtime, copied, "ana", 200, speech):
        for one in batch:
            row = row_of(one, ciphers["ana"], vault.keys(copied))
            insert.append(await timed(lambda row=row: inserted(runtime, copied, row)))  # type: ignore[misc]
            given = [{"text": one.memory.text, "user_id": "bea", "session_id": "s"}]
            single.append(await timed(lambda given=given: app.memories.add(given, summarize="deferred")))  # type: ignore[misc]
    (half, most), (bare_half, _) = percentiles(single), percentiles(insert)
    ratio = half / bare_half
    print(f"single write: p50 {half:.1f} ms, p95 {most:.1f} ms; bare INSERT {bare_half:.1f}, ratio {ratio:.1f}")


async def inserted(runtime: Runtime, tenant: str, row: dict[str, Any]) -> None:
    """One bare row in a transaction of its own."""
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute(queries("memories")["insert_memory"], row)


def resident() -> float:
    """Megabytes that this process holds now; the server's are not counted."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


@asynccontextmanager
async def opened(name: str) -> AsyncIterator[tuple[Runtime, AsyncConnection[Any]]]:
    """precis over a new database, warmed up, and a connection as its owner."""
    with tempfile.TemporaryDirectory(prefix=f"precis-{name}-") as folder:
        Path(folder).chmod(0o755)
        data = Path(folder) / "data"
        async with open_runtime(Settings(data_dir=data)) as runtime, embedded.running(data) as server:
            await runtime.engine.embedder.embed(["warm up"])
            async with await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner:
                yield runtime, owner


async def main() -> None:
    """Fill, ask, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--user-rows", type=int, default=1_000, help="rows of each of the many users")
    parser.add_argument("--one-user", type=int, default=100_000, help="rows of the one user; 0 leaves that out")
    parser.add_argument("--ingest", type=int, default=5_000)
    given = parser.parse_args()
    async with opened("speed") as (runtime, owner):
        before = resident()
        await writes(runtime, owner, given.ingest, Speech(1))
        for size in given.sizes:
            tenant = f"t-{new_id()}"
            users = [f"u{at}" for at in range(max(1, size // given.user_rows))]
            seconds = await fill(runtime, owner, tenant, users, given.user_rows, Speech(2))
            print(f"{size} rows of {len(users)} users: copied at {size / seconds:.0f}/s", flush=True)
            await owner.execute("VACUUM ANALYZE")
            await recall(runtime, tenant, users, f"{size} rows, users of {given.user_rows}", Speech(4))
        if given.one_user:
            tenant = f"t-{new_id()}"
            await fill(runtime, owner, tenant, ["ana"], given.one_user, Speech(2))
            await owner.execute("VACUUM ANALYZE")
            await recall(runtime, tenant, ["ana"], f"one user of {given.one_user}", Speech(4))
            embedder = runtime.engine.embedder
            indexes = runtime.store.scope_indexes
            began = time.perf_counter()
            await indexes.make(tenant, "ana", version=embedder.version)
            print(f"its index: {time.perf_counter() - began:.0f} s", flush=True)
            async with open_runtime(runtime.settings) as anew:  # which knows of it
                await anew.engine.embedder.embed(["warm up"])
                await recall(anew, tenant, ["ana"], f"one user of {given.one_user}, with an index", Speech(4))
            await indexes.drop(tenant, "ana")
        print(f"process: {before:.0f} MB before, {resident():.0f} MB after", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
