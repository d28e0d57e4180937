"""A pass over a pool is killed at each of its steps: nothing is lost, nothing is there twice, nothing is left over."""

from __future__ import annotations

import asyncio
import signal
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings as ChromaSettings
from pool_pass import DAY, STEPS

from precis.bootstrap import open_runtime
from precis.settings import Settings
from precis.testing.fakes import hash_vector
from warm import fork

TEXTS = [f"Ana bought kettle number {1000 + at} in Oslo." for at in range(8)]


def collection(folder: Path) -> Any:
    """The store of an assistant that embeds for itself."""
    client = chromadb.PersistentClient(path=str(folder), settings=ChromaSettings(anonymized_telemetry=False))
    return client.get_or_create_collection("memory", embedding_function=None)


def fill(folder: Path) -> None:
    """Eight memories from last winter: a batch of five and one of three."""
    collection(folder).add(
        ids=[f"m{at}" for at in range(8)],
        documents=TEXTS,
        embeddings=[[float(x) for x in hash_vector(text)] for text in TEXTS],
        metadatas=[
            {"user_id": "ana", "created_at": (DAY - timedelta(days=90 - at)).replace(tzinfo=None).isoformat()}
            for at in range(8)
        ],
    )


async def passed(data: Path, pool: Path, step: str, minute: int) -> tuple[int, str]:
    """A pass in a process of its own: its exit code, and what it printed."""
    script = Path(__file__).with_name("pool_pass.py")
    process = await fork(data, pool, step, str(minute), program=script, stdout=PIPE, stderr=PIPE)
    out, err = await asyncio.wait_for(process.communicate(), 90)
    code = process.returncode or 0
    assert code in (0, -signal.SIGKILL), err.decode()[-2000:]
    return code, out.decode().strip()


def told(pool: Path) -> dict[str, str]:
    """What lies in the store, by id."""
    found = collection(pool).get(include=["documents"])
    return dict(zip(found["ids"], found["documents"], strict=True))


async def killed(data: Path, pool: Path, step: str) -> None:
    """Kill a pass at a step, look, make another pass, look again."""
    fill(pool)
    code, _ = await passed(data, pool, step, 0)
    assert -signal.SIGKILL == code, step
    before = told(pool)
    assert [] == [text for text in TEXTS if text not in " ".join(before.values())], f"lost when killed {step}"
    code, out = await passed(data, pool, "never", 2)
    assert 0 == code, step
    after = told(pool)
    assert 2 == len(after), f"killed {step}: {sorted(after)}"
    for text in TEXTS:
        assert 1 == sum(said.count(text) for said in after.values()), f"killed {step}: {text}"
    # What was answered and did not get into the pool is asked for once more, and nothing else.
    there = sum(1 for id_ in before if id_.startswith("precis-"))
    assert 2 - there == int(out.split()[0]), f"killed {step}"


async def kill_at(folder: Path, data: Path, steps: Sequence[str]) -> None:
    """Each step, on a store of its own."""
    # Keeps the database up, so that the passes need not start it.
    async with open_runtime(Settings(data_dir=data)):
        for step in steps:
            await killed(data, folder / step.replace(" ", "-"), step)


async def test_killed_where_it_matters_most(rooms_folder: Path, tmp_path: Path) -> None:
    """Around the summary's way into the pool and the originals' way out of it: nothing is lost, nothing doubled."""
    steps = ["before add", "after add", "after deleting", "before delete", "after delete"]
    await kill_at(tmp_path, rooms_folder / "pools-some", steps)


@pytest.mark.soak
@pytest.mark.parametrize("when", ["before", "after"])
async def test_killed_at_each_step(rooms_folder: Path, tmp_path: Path, when: str) -> None:
    """The same for every step of both batches."""
    await kill_at(tmp_path, rooms_folder / f"pools-{when}", [f"{when} {step}" for step in STEPS])
