"""What the tests of the fourth document share: memories from long ago, an app on a given day, a Chroma store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings as ChromaSettings

from precis.app import App, app_over
from precis.ids import new_id
from precis.makers import Summarizer
from precis.sources.chroma import ChromaPool, open_chroma
from precis.summary import Summary
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting, hash_vector

#: The day of most tests.
TODAY = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
_THINGS = "kettle harp ladder canoe anvil quilt lantern violin sextant barrel".split()
_PLACES = "Oslo Turin Kyoto Lima Perth Cork Basel Dakar Quito Tunis Riga Malmo".split()


def said(at: int, *, who: str = "Ana") -> str:
    """A fact that no other has: thing, place and number."""
    return f"{who} bought {_THINGS[at % 10]} number {1000 + at} in {_PLACES[at % 12]}."


def old_rows(count: int, *, newest_days: int = 30, user_id: str = "ana", **fields: Any) -> list[dict[str, Any]]:
    """Memories of one user, one a day, the newest so many days before TODAY; oldest first."""
    first = TODAY - timedelta(days=newest_days + count - 1)
    return [
        {
            "id": new_id(), "text": said(at, who=user_id.title()), "user_id": user_id, "type": "fact",
            "key": f"thing {at}", "created_at": first + timedelta(days=at), **fields,
        }
        for at in range(count)
    ]  # fmt: skip


def on_day(
    app: App, day: datetime = TODAY, *, summarizer: Summarizer | None = None, **settings: Any
) -> tuple[App, FrozenClock]:
    """The same precis on a day of its own, with another summarizer and other settings of the archive."""
    clock = FrozenClock(day)
    engine = replace(app.parts.engine, clock=clock, summarizer=summarizer or Quoting())
    chosen = app.parts.settings.model_copy(update={f"archive_{name}": value for name, value in settings.items()})
    return app_over(replace(app.parts, engine=engine, settings=chosen)), clock


async def remember(app: App, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Write memories without a summary; answers their ids."""
    await app.memories.add(list(rows), summarize="deferred")
    return [row["id"] for row in rows]


async def batches_of(app: App, **scope: Any) -> list[Summary]:
    """Summaries of the archive, the oldest batch first."""
    found = (await app.summaries.list(policy="archive", limit=1000, **scope)).rows
    return sorted(found, key=lambda one: (one.starts_on, one.ends_on, one.id))


# --- Chroma ---


async def embed(texts: list[str]) -> list[list[float]]:
    """The embedder of the stores in these tests."""
    return [[float(x) for x in hash_vector(text)] for text in texts]


def chroma_store(folder: Path, name: str = "memory") -> Any:
    """An empty collection, as an assistant would make it that embeds for itself."""
    client = chromadb.PersistentClient(path=str(folder), settings=ChromaSettings(anonymized_telemetry=False))
    return client.get_or_create_collection(name, embedding_function=None)


def fill(collection: Any, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Put memories into a collection the way its assistant does: ISO dates without an offset."""
    collection.add(
        ids=[row["id"] for row in rows],
        documents=[row["text"] for row in rows],
        embeddings=[[float(x) for x in hash_vector(row["text"])] for row in rows],
        metadatas=[
            {
                "user_id": row["user_id"], "created_at": row["created_at"].replace(tzinfo=None).isoformat(),
                **{name: row[name] for name in ("agent_id", "run_id") if name in row},
            }
            for row in rows
        ],
    )  # fmt: skip
    return [row["id"] for row in rows]


def pool_in(folder: Path, **options: Any) -> ChromaPool:
    """The pool over a folder."""
    return open_chroma(folder, **{"embed": embed} | options)


def ids_in(collection: Any) -> set[str]:
    """Everything that lies in a collection."""
    return set(collection.get(include=[])["ids"])
