"""A pass over a pool in a process of its own, which dies where it is told: ``pool_pass.py DATA POOL DIES_AT``."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from precis.app import app_over
from precis.app.archive import Pools
from precis.bootstrap import open_runtime
from precis.settings import Settings
from precis.sources.chroma import ChromaPool, open_chroma
from precis.store.pools.batches import PoolBatches, Step
from precis.testing.clock import FrozenClock
from precis.testing.fakes import Quoting, hash_vector

#: Where a pass may die: before or after one of these calls, the second time it is made where there is a 2.
STEPS = (
    "plan", "drafted", "add", "stored", "deleting", "delete", "deleted", "drafted2", "add2", "stored2", "delete2",
    "deleted2",
)  # fmt: skip
DAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


async def embed(texts: list[str]) -> list[list[float]]:
    """The embedder of the store."""
    return [[float(x) for x in hash_vector(text)] for text in texts]


def die_at(step: str) -> None:
    """Let the call of this name, in whichever class it is, end the process: ``before add`` or ``after add2``."""
    when, name = step.split()
    count = int(name[-1]) if name[-1].isdigit() else 1
    name = name.rstrip("0123456789")
    owner: Any = ChromaPool if name in ("add", "delete") else PoolBatches
    method = "note" if name == "stored" else name
    real, seen = getattr(owner, method), [0]

    async def dying(*args: Any, **options: Any) -> Any:
        if method == "note" and args[-1] is not Step.STORED:
            return await real(*args, **options)
        seen[0] += 1
        if seen[0] == count and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = await real(*args, **options)
        if seen[0] == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    setattr(owner, method, dying)


async def main(data: Path, pool: Path, step: str) -> None:
    """One pass, with originals deleted as soon as they are covered; prints how often the model was asked."""
    if step != "never":
        die_at(step)
    settings = Settings(data_dir=data, archive_originals="delete", archive_max_memories_per_batch=5)
    async with open_runtime(settings) as runtime:
        app = runtime.app("default")
        # A process that was killed holds its turn for a minute: each one begins later than the one before.
        clock = FrozenClock(DAY.replace(minute=int(sys.argv[4])))
        model = Quoting()
        engine = replace(app.parts.engine, clock=clock, summarizer=model)
        pools = Pools(app_over(replace(app.parts, engine=engine)).parts)
        done = await pools.archive(open_chroma(pool, embed=embed))
        sys.stdout.write(f"{len(model.requests)} {done.batches} {done.deletions}\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
