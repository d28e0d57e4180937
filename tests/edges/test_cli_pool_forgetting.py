"""precis archive --forget-user on a real Chroma store: what the receipt says is read from the store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings as ChromaSettings
from cli_room import Room, model_in_thread, one_line, room
from test_cli_archive import vectors

NOW = datetime.now(UTC)
#: How long ago the memories of each user were written, in days: the first ones expire at the first pass.
AGES = {"mira": [*range(520, 500, -1), *range(200, 190, -1), *range(5, 0, -1)], "tomas": [600, 590, 580]}
_THINGS = "kettle harp ladder canoe anvil quilt lantern".split()


@pytest.fixture(scope="module")
def here() -> Iterator[Room]:
    """A room for these tests."""
    with room() as made:
        yield made


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where the embedding model of the stores answers."""
    with model_in_thread() as server:
        yield server.base_url


def fact(user_id: str, at: int) -> str:
    """What nobody else says."""
    return f"{user_id.title()} bought {_THINGS[at % 7]} number {user_id[0]}{3000 + at} in Riga."


@pytest.fixture
def pool(tmp_path: Path, url: str) -> Any:
    """A Chroma store with the memories of two users, and a summary of the first that somebody else made."""
    client = chromadb.PersistentClient(path=str(tmp_path), settings=ChromaSettings(anonymized_telemetry=False))
    made = client.get_or_create_collection("memory", embedding_function=None)
    for user_id, ages in AGES.items():
        texts = [fact(user_id, at) for at in range(len(ages))]
        made.add(
            ids=[f"{user_id}-{at}" for at in range(len(ages))], documents=texts, embeddings=vectors(url, texts),
            metadatas=[
                {"user_id": user_id, "created_at": (NOW - timedelta(days=days)).isoformat()} for days in ages
            ],
        )  # fmt: skip
    note = "Mira once sold a barrel. She wrote it down."
    made.add(
        ids=["by-hand"], documents=[note], embeddings=vectors(url, [note]),
        metadatas=[{
            "user_id": "mira", "is_summary": True, "created_at": NOW.isoformat(), "summarized_memory_ids": ["mira-32"],
        }],
    )  # fmt: skip
    return made


def words_of(pool: Any) -> str:
    """Everything that lies in the store."""
    stored = pool.get(include=["documents", "metadatas"])
    fields = [sorted(fields.items()) for fields in stored["metadatas"]]
    return " ".join(sorted(map(str, zip(stored["ids"], stored["documents"], fields, strict=True))))


def archived(here: Room, path: Path, url: str) -> tuple[str | Path, ...]:
    """Make a pass in small batches; answers how the store is named to the verb."""
    where = ("archive", "--pool", "chroma", "--path", path, "--embed-model", "test-embedding", "--embed-url", url)
    here.run(*where, PRECIS_ARCHIVE_MAX_MEMORIES_PER_BATCH="8")
    return where


def removed(printed: str) -> int:
    """How many statements the receipt says went."""
    (count,) = re.findall(r"Statements removed: (\d+)", printed)
    return int(count)


def test_a_user_leaves_the_pool_with_every_summary(here: Room, pool: Any, tmp_path: Path, url: str) -> None:
    """Also summaries whose originals have expired, and those that somebody else made; the other user stays whole."""
    where = archived(here, tmp_path, url)
    before = pool.get(where={"user_id": "mira"})
    expired = [at for at in range(20) if f"mira-{at}" not in before["ids"]]
    assert len(expired) == 20
    assert all(fact("mira", at) in words_of(pool) for at in range(35))
    theirs = pool.get(where={"user_id": "tomas"}, include=["documents"])["documents"]

    printed = here.run(*where, "--forget-user", "mira").stdout
    assert "Forgotten: 35 memories" in printed
    assert ": confirmed" in printed
    assert removed(printed) >= 30 + 2
    assert "deleted, without 0 statements" not in printed
    remaining = words_of(pool)
    assert "mira" not in remaining.lower()
    assert not any(f"m{3000 + at}" in remaining for at in range(35))
    assert theirs == pool.get(where={"user_id": "tomas"}, include=["documents"])["documents"]
    # Nobody is certified gone twice.
    assert "nothing was forgotten" in one_line(here.run(*where, "--forget-user", "mira", code=1))
    assert "there is no memory 'never'" in one_line(here.run(*where, "--forget", "never", code=1))
    assert remaining == words_of(pool)
