"""How much of what is nearest the vector index of a large scope finds, against comparing every row.

A scope of real sentences (``--data``: whatever the evaluation data has, each line or sentence once) and scopes of
made-up ones, whose vectors are as hard for an index as vectors get. Two hundred questions, none of them a row: as many
candidates as recall asks for, by the index and exactly, through the search that recall uses. Figures: the share of the
exact ones that the index finds, in the mean and of the worst question; the fewest rows that it answered; how long both
took.

    python benchmarks/neighbors.py --data ../shared/data                # real sentences, and 100,000 made-up ones
    python benchmarks/neighbors.py --made-up 400000                     # ten to twenty minutes
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from psycopg import AsyncConnection

from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.keys.vault import Vault
from precis.recall.question import Pool, read_question
from precis.store.filtering import Filter
from precis.store.search import Asked, PostgresSearch
from speed import Speaker, Speech, fill, opened

QUESTIONS, BREADTH = 200, 60
_SENTENCE = re.compile(r"\n|(?<=[.!?])\s+(?=[A-Z])")


class Sentences:
    """Real ones, in an order of chance, each given once; the interface of ``Speech``."""

    def __init__(self, folder: Path) -> None:
        found = dict.fromkeys(line for text in texts(folder) for line in _SENTENCE.split(text))
        self._lines = [line.strip() for line in found if 4 <= len(line.split()) <= 80]
        random.Random(5).shuffle(self._lines)
        self._given = iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def sentence(self, _length: int) -> str:
        """The next one."""
        return next(self._given)


def texts(folder: Path) -> Iterator[str]:
    """Every text in the files of a folder."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name not in ("README.md", "LICENSE"):
            whole = file.read_text(errors="replace")
            yield from strings(json.loads(whole)) if file.suffix == ".json" else [whole]


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for below in value.values() if isinstance(value, dict) else value:
            yield from strings(below)


async def nearest(search: PostgresSearch, tenant: str, vector: Any, version: str) -> tuple[set[str], float]:
    """The ids of the candidates that a question of no words has, and the milliseconds."""
    seen: list[Pool] = []
    asked = Asked(question=read_question(""), vector=vector, embedding_version=version, breadth=BREADTH)
    began = time.perf_counter()
    await search.read(tenant, Filter(user_id="ana"), asked, lambda pool: seen.append(pool) or [])
    return set(seen[0].rows), (time.perf_counter() - began) * 1000


async def measure(runtime: Runtime, owner: AsyncConnection[Any], name: str, speech: Speaker, rows: int) -> None:
    """Fill a scope, index it, and print the figures."""
    tenant, embedder = f"t-{new_id()}", runtime.engine.embedder
    questions = [speech.sentence(5) for _ in range(QUESTIONS)]
    await fill(runtime, owner, tenant, ["ana"], rows, speech, sessions=False)
    await owner.execute("VACUUM ANALYZE memories")
    vault = Vault(runtime.store.tenants.keyring)
    exact, large = (PostgresSearch(runtime.database, vault, large=size) for size in (10**9, 0))
    began = time.perf_counter()
    await runtime.store.scope_indexes.make(tenant, "ana", version=embedder.version)
    await owner.execute("VACUUM ANALYZE listed_vectors")
    print(f"{name}, {rows:,} rows: indexed in {time.perf_counter() - began:.0f} s", flush=True)
    shares: list[float] = []
    slowly: list[float] = []
    quickly: list[float] = []
    fewest = BREADTH
    for question in questions:
        vector = np.asarray((await embedder.embed([question]))[0], dtype=np.float32)
        wanted, slow = await nearest(exact, tenant, vector, embedder.version)
        found, quick = await nearest(large, tenant, vector, embedder.version)
        shares.append(len(wanted & found) / len(wanted))
        fewest = min(fewest, len(found))
        slowly.append(slow)
        quickly.append(quick)
    print(
        f"  found {statistics.mean(shares):.4f}, worst {min(shares):.3f}, at least {fewest} rows of {2 * BREADTH}; "
        f"p50 {statistics.median(quickly):.0f} ms against {statistics.median(slowly):.0f} ms",
        flush=True,
    )
    await runtime.store.scope_indexes.drop(tenant, "ana")


async def main() -> None:
    """One scope after another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder of texts")
    parser.add_argument("--made-up", type=int, nargs="*", default=[100_000])
    given = parser.parse_args()
    async with opened("neighbors") as (runtime, owner):
        if given.data is not None:
            sentences = Sentences(given.data)
            await measure(runtime, owner, "real sentences", sentences, len(sentences) - QUESTIONS)
        for rows in given.made_up:
            await measure(runtime, owner, "made-up sentences", Speech(2), rows)


if __name__ == "__main__":
    asyncio.run(main())
