"""The contract of pools, on a real Chroma store and on Cognee's calls under the names of two releases."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings as ChromaSettings
from pools_contract import START, PoolContract

from precis.errors import ConfigurationError
from precis.policies.archive import MARKER, Archive
from precis.sources.chroma import ChromaPool, open_chroma
from precis.sources.cognee import CogneePool, open_cognee
from precis.sources.source import PoolUnusable
from precis.testing.fakes import FakeCognee, hash_vector

DATES = {"Newest.": 2, "Oldest.": 0, "Middle.": 1}


async def embed(texts: list[str]) -> list[list[float]]:
    """The embedder of the store."""
    return [[float(x) for x in hash_vector(text)] for text in texts]


def collection(folder: Path, name: str = "memory") -> Any:
    """A collection as an assistant makes it."""
    client = chromadb.PersistentClient(path=str(folder), settings=ChromaSettings(anonymized_telemetry=False))
    return client.get_or_create_collection(name, embedding_function=None)


class TestChroma(PoolContract):
    """A store on disk, through the library that reads it."""

    @pytest.fixture
    def pool(self, tmp_path: Path) -> ChromaPool:
        """Four memories of one user and one of another."""
        made = collection(tmp_path)
        for user, text in (*(("ana", text) for text in DATES), ("ana", "Undated."), ("ben", "Ben's.")):
            fields = {"user_id": user}
            if text in DATES:
                fields["created_at"] = (START + timedelta(days=DATES[text])).isoformat()
            vector = [float(x) for x in hash_vector(text)]
            made.add(ids=[f"{user}-{text}"], documents=[text], embeddings=[vector], metadatas=[fields])
        return open_chroma(tmp_path, embed=embed)

    async def test_the_same_store_has_the_same_name(self, pool: ChromaPool, tmp_path: Path) -> None:
        """Whoever opens it."""
        assert pool.name == open_chroma(tmp_path).name

    async def test_agents_and_runs(self, pool: ChromaPool, tmp_path: Path) -> None:
        """As filters."""
        vector = [float(x) for x in hash_vector("Helped.")]
        fields = {"user_id": "ana", "agent_id": "a", "run_id": 7, "created_at": START.isoformat()}
        collection(tmp_path).add(ids=["h"], documents=["Helped."], embeddings=[vector], metadatas=[fields])
        assert ["Helped."] == [one.text for one in await pool.list("ana", agent_id="a", run_id="7")]
        assert [] == list(await pool.list("ana", agent_id="a", run_id="8"))

    async def test_numbers_as_users(self, pool: ChromaPool, tmp_path: Path) -> None:
        """A store may keep the id of a user as a number."""
        vector = [float(x) for x in hash_vector("Seven.")]
        collection(tmp_path).add(
            ids=["s"],
            documents=["Seven."],
            embeddings=[vector],
            metadatas=[{"user_id": 7, "created_at": 1_700_000_000}],
        )
        assert ["7", "ana", "ben"] == list(await pool.users())
        assert ["Seven."] == [one.text for one in await pool.list("7")]

    async def test_more_rows_than_a_page(self, tmp_path: Path) -> None:
        """2,500 of them, each once."""
        made = collection(tmp_path)
        ids = [f"m{at:04}" for at in range(2_500)]
        made.add(
            ids=ids, documents=ids, embeddings=[[1.0, float(at)] for at in range(2_500)],
            metadatas=[{"user_id": "ana", "created_at": 1_700_000_000 + at} for at in range(2_500)],
        )  # fmt: skip
        pool = open_chroma(tmp_path)
        assert ids == [one.id for one in await pool.list("ana")]
        await pool.delete(ids)
        assert [] == list(await pool.list("ana"))

    async def test_an_empty_store_is_ready(self, tmp_path: Path) -> None:
        """There is nothing to compare with."""
        collection(tmp_path)
        await open_chroma(tmp_path, embed=embed).ready()

    async def test_which_collection(self, tmp_path: Path) -> None:
        """The only one there is, or the one that is named; nothing is made."""
        with pytest.raises(PoolUnusable, match="no Chroma store"):
            open_chroma(tmp_path)
        collection(tmp_path)
        collection(tmp_path, "other")
        with pytest.raises(PoolUnusable, match=r"more than one .* memory, other"):
            open_chroma(tmp_path)
        with pytest.raises(PoolUnusable, match="no collection 'third'"):
            open_chroma(tmp_path, collection="third")


class TestCognee(PoolContract):
    """The calls as release 1.6 has them."""

    older = False

    @pytest.fixture
    def library(self) -> FakeCognee:
        """Four memories in one data set and one in another."""
        made = FakeCognee(older=self.older)
        for text, days in DATES.items():
            made.put("ana", text, START + timedelta(days=days))
        made.put("ana", "Undated.", None)
        made.put("ben", "Ben's.", None)
        return made

    @pytest.fixture
    def pool(self, library: FakeCognee) -> CogneePool:
        """The pool over it."""
        return CogneePool(library, marker="[ours] ", marks=Archive(marker="[ours] ").marks, read_text=library.read)

    async def test_the_marker(self, pool: CogneePool, library: FakeCognee) -> None:
        """That of the document is recognized beside ours; what it opens is no memory."""
        library.put("ana", MARKER + "Theirs.", START)
        library.put("ana", "[ours] Ours.", START + timedelta(days=1))
        assert [MARKER + "Theirs.", "Ours."] == [one.text for one in await pool.list("ana", summaries=True)]
        assert 4 == len(await pool.list("ana"))

    async def test_ids_are_composite(self, pool: CogneePool) -> None:
        """Data set and row."""
        assert {2} == {len(one.id.split(":")) for one in await pool.list("ana")}


class TestOlderCognee(TestCognee):
    """The calls under older names."""

    older = True


async def test_a_cognee_without_the_calls() -> None:
    """It says which are missing."""
    pool = CogneePool(object(), marker=MARKER, marks=Archive().marks)
    with pytest.raises(PoolUnusable, match="none of: add"):
        await pool.ready()
    with pytest.raises(PoolUnusable, match="list_datasets"):
        await pool.users()


async def test_without_cognee() -> None:
    """One line says what to install."""
    with pytest.raises(ConfigurationError, match="pip install cognee"):
        open_cognee(marker=MARKER, marks=Archive().marks)
