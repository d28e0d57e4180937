"""Work whose worker was killed is picked up by another, without anyone's help and within a minute."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from precis.app import App
from precis.bootstrap import open_runtime
from precis.settings import Settings
from precis.testing.model_server import ModelServer, model_server
from rooms import with_database
from warm import Forked, fork

LEASE_SECONDS = 2.0
NOTES = [
    {"id": f"n{at}", "user_id": "ana", "type": "fact", "key": "boat", "text": text}
    for at, text in enumerate(("Ana bought a boat.", "The boat is called Puffin.", "The boat lies in Oban."))
]


@asynccontextmanager
async def worker(folder: Path, server: ModelServer) -> AsyncIterator[Forked]:
    """A worker process of its own, over the shared database."""
    env = os.environ | {
        "PRECIS_MODEL": "precis-test",
        "PRECIS_MODEL_BASE_URL": server.base_url,
        "PRECIS_LEASE_SECONDS": str(LEASE_SECONDS),
        "PRECIS_RESERVATION_LASTS": "2.5",
        "PRECIS_COOLDOWN": "0",
    }
    process = await fork("worker", "--data-dir", folder, env=env, stderr=DEVNULL)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(process.wait(), 30)


async def until(what: str, happened: Callable[[], Awaitable[bool]], *, seconds: float) -> float:
    """Wait for something; answers how long it took."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while not await happened():
        assert loop.time() - began < seconds, f"{what} did not happen within {seconds} s"
        await asyncio.sleep(0.05)
    return loop.time() - began


@pytest.mark.parametrize("kills", [1, 3])
async def test_another_worker_takes_over(rooms_folder: Path, kills: int) -> None:
    """Killed in the middle of a call, as often as there are ticks of a tenant: the next worker makes the summary."""
    folder = with_database(rooms_folder / f"killed-{kills}")
    async with model_server() as server, open_runtime(Settings(data_dir=folder)) as runtime:
        app = runtime.app("default")
        await app.memories.add(NOTES, summarize="deferred")
        for kill in range(kills):
            server.behave("stall", seconds=120)
            hanging = server.in_progress  # the server still holds the calls of the dead
            async with worker(folder, server) as process:
                await until("a call", partial(_calling, server, hanging), seconds=60)
                process.kill()
                await process.wait()
            assert (await app.summaries.list()).rows == (), f"kill {kill}"
            server.reset()
        async with worker(folder, server):
            took = await until("the summary", partial(_made, app), seconds=60)
        (summary,) = (await app.summaries.list()).rows
        assert {"n0", "n1", "n2"} == set(summary.parent_id)
        assert "precis-test" == summary.made_by
        assert took < 60


async def _calling(server: ModelServer, hanging: int) -> bool:
    return server.in_progress > hanging


async def _made(app: App) -> bool:
    return bool((await app.summaries.list()).rows)
