"""precis archive, as people and cron call it: on precis's own store, and on a Chroma store with its embedding model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import chromadb
import openai
import pytest
from chromadb.config import Settings as ChromaSettings
from cli_room import Room, model_in_thread, one_line, room

LONG_AGO = datetime.now(UTC) - timedelta(days=500)
TEXTS = [f"Ana bought kettle number {1000 + at} in Oslo." for at in range(8)]


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


def vectors(url: str, texts: list[str]) -> list[Any]:
    """What the assistant beside the store got for its texts."""
    with openai.OpenAI(base_url=url, api_key="none") as client:
        answer = client.embeddings.create(model="test-embedding", input=texts, encoding_format="float")
    return [one.embedding for one in answer.data]


@pytest.fixture
def pool(tmp_path: Path, url: str) -> Any:
    """A Chroma store with eight memories, all older than a year."""
    client = chromadb.PersistentClient(path=str(tmp_path), settings=ChromaSettings(anonymized_telemetry=False))
    made = client.get_or_create_collection("memory", embedding_function=None)
    made.add(
        ids=[f"m{at}" for at in range(8)], documents=TEXTS, embeddings=vectors(url, TEXTS),
        metadatas=[{"user_id": "ana", "created_at": (LONG_AGO + timedelta(days=at)).isoformat()} for at in range(8)],
    )  # fmt: skip
    return made


def said(pool: Any) -> list[Any]:
    """Everything in the store, in order."""
    found = pool.get(include=["documents", "metadatas", "embeddings"])
    rows = zip(found["ids"], found["documents"], found["metadatas"], found["embeddings"].tolist(), strict=True)
    return sorted(rows, key=lambda row: str(row[0]))


def test_a_dry_run_changes_nothing(here: Room, pool: Any, tmp_path: Path) -> None:
    """It says per user what it would summarize and delete, and why, in words and as JSON."""
    before = said(pool)
    arguments = ("archive", "--pool", "chroma", "--path", tmp_path, "--dry-run")
    told = here.run(*arguments).stdout
    for word in ("A pass would make", "ana", "8", "older than 365 days", "Nothing was changed."):
        assert word in told
    found = here.json(*arguments)
    (user,) = found["users"]
    assert (True, "ana", 8, 8) == (found["dry_run"], user["user_id"], user["batches"][0]["memories"], user["deletions"])
    assert user["batches"][0]["tokens"] > 8
    assert before == said(pool)
    assert found == here.json(*arguments)


def test_a_pass_over_chroma(here: Room, pool: Any, tmp_path: Path, url: str) -> None:
    """One summary, embedded by the model of the store; the originals are gone; a second pass finds nothing."""
    arguments = (
        "archive",
        "--pool",
        "chroma",
        "--path",
        tmp_path,
        "--embed-model",
        "test-embedding",
        "--embed-url",
        url,
    )
    told = here.run(*arguments).stdout
    assert "The pass made" in told
    assert "8 originals deleted" in told
    ((id_, document, fields, vector),) = said(pool)
    assert (True, [f"m{at}" for at in range(8)]) == (fields["is_summary"], fields["summarized_memory_ids"])
    assert (True, True) == (id_.startswith("precis-"), "1003" in document)
    assert vector == pytest.approx(vectors(url, [document])[0], abs=1e-5)
    again = here.json(*arguments)
    assert [] == again["users"][0]["batches"]


def test_without_an_embedder(here: Room, pool: Any, tmp_path: Path) -> None:
    """One line says what to do, and nothing was written."""
    before = said(pool)
    refused = one_line(here.run("archive", "--pool", "chroma", "--path", tmp_path, code=2))
    assert "--embed-model" in refused
    assert before == said(pool)
    assert (
        "8 originals deleted" in here.run("archive", "--pool", "chroma", "--path", tmp_path, "--keep-in-precis").stdout
    )
    assert [] == said(pool)
    (kept,) = here.json("recall", "kettle number 1003", "--user-id", "ana", "--limit", "1")["results"]
    assert "1003" in kept["memory"]["text"]


def test_forgetting_in_a_pool(here: Room, pool: Any, tmp_path: Path, url: str) -> None:
    """One memory leaves the store and its summary; the receipt says so."""
    where = ("archive", "--pool", "chroma", "--path", tmp_path, "--embed-model", "test-embedding", "--embed-url", url)
    here.run(*where, PRECIS_ARCHIVE_ORIGINALS="keep")
    told = here.run(*where, "--forget", "m3").stdout
    assert ("Forgotten: 1 memory (m3)" in told, "confirmed" in told) == (True, True)
    left = json.dumps([row[:3] for row in said(pool)])
    assert ("1003" in left, '"m3"' in left, "1004" in left) == (False, False, True)
    told = here.run(*where, "--forget-user", "ana").stdout
    assert ("Forgotten: 7 memories" in told, "confirmed" in told) == (True, True)
    assert said(pool) == []


def test_a_pass_for_one_user(here: Room) -> None:
    """The others' memories are left for their own."""
    rows = [
        {
            "text": f"{user.title()} bought sextant number {at} in Quito.",
            "user_id": user,
            "created_at": LONG_AGO.isoformat(),
        }
        for user in ("sol", "tess")
        for at in range(2)
    ]
    here.run("import", here.write("two.jsonl", rows))
    assert {"batches": 1, "memories": 2} == {
        name: value
        for name, value in here.json("archive", "--user-id", "sol").items()
        if name in ("batches", "memories")
    }
    assert 1 == here.json("archive", "--user-id", "tess")["batches"]


@pytest.mark.parametrize(
    ("arguments", "why", "code"),
    [
        (("--pool", "chroma"), "--path", 2),
        (("--pool", "chroma", "--path", "/nonexistent"), "no Chroma store", 2),
        (("--store", "elsewhere"), "none of precis", 2),
        (("--pool", "cognee"), "pip install cognee", 2),
    ],
)
def test_what_is_asked_wrongly(here: Room, arguments: tuple[str, ...], why: str, code: int) -> None:
    """One line, and what to do."""
    assert why in one_line(here.run("archive", *arguments, code=code))


def test_another_collection(here: Room, pool: Any, tmp_path: Path) -> None:
    """Where there is none of that name, those that there are."""
    assert "one of: memory" in one_line(
        here.run("archive", "--pool", "chroma", "--path", tmp_path, "--collection", "other", code=2)
    )


def test_precis_own_store(here: Room) -> None:
    """A dry run, a pass, and another one that finds nothing."""
    file = here.write(
        "old.jsonl",
        [
            {"text": text, "user_id": "ben", "created_at": LONG_AGO.isoformat(), "id": f"b{at}"}
            for at, text in enumerate(TEXTS)
        ],
    )
    here.run("import", file)
    (would,) = here.json("archive", "--dry-run", "--user-id", "ben")
    assert (1, 8, 8) == (would["batches"], would["memories"], would["deletions"])
    assert "Nothing was changed." in here.run("archive", "--dry-run").stdout
    told = here.run("archive").stdout
    assert "8 originals deleted" in told
    assert "0 summaries made of 0 memories" in here.run("archive").stdout
