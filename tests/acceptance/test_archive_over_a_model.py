"""The archive over a model that answers over HTTP, and over one that stops answering half-way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings as ChromaSettings

from precis.app import App
from precis.bootstrap import open_runtime
from precis.settings import Settings
from precis.sources.chroma import open_chroma
from precis.testing.fakes import hash_vector
from precis.testing.model_server import ModelServer, model_server
from rooms import with_database

LONG_AGO = datetime.now(UTC) - timedelta(days=600)
THINGS = "kettle harp ladder canoe anvil quilt lantern violin sextant barrel".split()


def rows(count: int) -> list[dict[str, Any]]:
    """Memories older than a year, each with a number of its own."""
    return [
        {
            "id": f"m{at:03}", "text": f"Ana bought {THINGS[at % 10]} number {1000 + at} in Oslo.", "user_id": "ana",
            "created_at": LONG_AGO + timedelta(hours=at),
        }
        for at in range(count)
    ]  # fmt: skip


async def embed(texts: list[str]) -> list[list[float]]:
    """The embedder of the store."""
    return [[float(x) for x in hash_vector(text)] for text in texts]


def store_in(folder: Path) -> Any:
    """The store of an assistant that embeds for itself."""
    client = chromadb.PersistentClient(path=str(folder), settings=ChromaSettings(anonymized_telemetry=False))
    return client.get_or_create_collection("memory", embedding_function=None)


async def fill(store: Any, found: list[dict[str, Any]]) -> None:
    """Put memories there."""
    store.add(
        ids=[row["id"] for row in found],
        documents=[row["text"] for row in found],
        embeddings=await embed([row["text"] for row in found]),
        metadatas=[{"user_id": "ana", "created_at": row["created_at"].isoformat()} for row in found],
    )


@asynccontextmanager
async def precis_over(folder: Path, server: ModelServer) -> AsyncIterator[App]:
    """A process of its own: nothing of an earlier one is in it but the database."""
    settings = Settings(
        data_dir=folder, model="precis-test", model_base_url=server.base_url, archive_max_memories_per_batch=10
    )
    async with open_runtime(settings) as runtime:
        yield runtime.app("default")


async def test_a_model_that_stops_answering(rooms_folder: Path, tmp_path: Path) -> None:
    """It makes one batch and is gone for the next two: nothing uncovered is deleted, and later they are made up."""
    found, store = rows(30), store_in(tmp_path)
    await fill(store, found[:10])
    data = with_database(rooms_folder / "archive-model")
    async with model_server() as server:
        async with precis_over(data, server) as app:
            pool = open_chroma(tmp_path, embed=embed)
            done = await app.pools.archive(pool)
            assert (1, 10, None) == (done.batches, done.deletions, done.stopped)
            await fill(store, found[10:])
            server.behave("status", status=503)
            done = await app.pools.archive(pool)
            assert (0, 0) == (done.batches, done.deletions)
            assert done.stopped is not None
            assert {row["id"] for row in found[10:]} < set(store.get(include=[])["ids"])
        server.reset()
        async with precis_over(data, server) as app:
            done = await app.pools.archive(pool)
            assert (2, 20, None) == (done.batches, done.deletions, done.stopped)
            assert 3 == store.count()
            calls = len(server.records)
            assert (2, 2) == (calls, done.usage.calls)
            assert 0 == (await app.pools.archive(pool)).batches
            assert calls == len(server.records)
            (cost,) = [row for row in await app.costs.spending() if row.policy == "archive"]
            assert 3 <= cost.calls


async def test_the_own_store(rooms_folder: Path) -> None:
    """The same in precis's own store: a stand-in is made for recall, and no original goes on the strength of it."""
    async with model_server() as server:
        server.behave("status", status=503)
        data = with_database(rooms_folder / "archive-own")
        async with precis_over(data, server) as app:
            await app.memories.add(rows(20), summarize="deferred")
            done = await app.archive.run()
            assert 0 == done.deletions
        server.reset()
        async with precis_over(data, server) as app:
            done = await app.archive.run()
            assert (2, 20, 0) == (done.batches, done.deletions, done.waiting)
            assert {"precis-test"} == {one.made_by for one in (await app.summaries.list(policy="archive")).rows}
