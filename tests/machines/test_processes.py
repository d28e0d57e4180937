"""Two servers and two workers, with a folder each that no other has, over one database, S3 and KMS."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest
from shared_places import CANARY, NOTES, Place, copy_of, drop, migrated
from test_s3 import place

__all__ = ["migrated", "place"]
BEN = {"id": "b1", "user_id": "ben", "text": f"Ben met {CANARY} in Riga."}


@asynccontextmanager
async def precis(*words: str, env: dict[str, str], stderr: int | IO[bytes] = PIPE) -> AsyncIterator[Process]:
    """A process of its own, killed at the end."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "precis", *words, env=env, stderr=stderr)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def url_of(server: Process) -> str:
    """Where it serves, once it does."""
    assert server.stderr is not None
    async with asyncio.timeout(120):
        async for line in server.stderr:
            if found := re.search(r"serves at (http://[\d.:]+)", line.decode()):
                return found[1]
    raise AssertionError("it ended")


async def told_by(api: httpx.AsyncClient) -> str:
    """Everything that recall, lists and summaries answer of two users."""
    texts = ""
    for user in ("ana", "ben"):
        question = {"query": f"Who was in the clinic of {CANARY}?", "user_id": user}
        texts += (await api.post("/v1/recall", json=question)).raise_for_status().text
        texts += (await api.get("/v1/memories", params={"user_id": user})).raise_for_status().text
        texts += (await api.get("/v1/summaries", params={"user_id": user})).raise_for_status().text
    return texts


@pytest.mark.asyncio(loop_scope="session")
async def test_any_process_may_die(migrated: object, place: Place, rooms_folder: Path, aws: str) -> None:
    """What is written at one and forgotten at the other is gone at the first at once; the others outlive a kill."""
    from databases import Scratch  # noqa: PLC0415 - of tests/sql

    assert isinstance(migrated, Scratch)
    database = await copy_of(migrated)

    def env(name: str) -> dict[str, str]:
        settings = {f"PRECIS_{key.upper()}": str(value) for key, value in place.settings.items()}
        folders = {"PRECIS_DATA_DIR": str(rooms_folder / name), "PRECIS_DATABASE_URL": database.serving}
        return {**os.environ, **settings, **folders, "PRECIS_INLINE_ROWS": "0"}

    try:
        async with AsyncExitStack() as stack:
            servers = [
                await stack.enter_async_context(precis("serve", "--port", "0", "--no-worker", env=env(name)))
                for name in ("s1", "s2")
            ]
            workers = [await stack.enter_async_context(precis("worker", env=env(name))) for name in ("w1", "w2")]
            first, second = [
                await stack.enter_async_context(httpx.AsyncClient(base_url=await url_of(server), timeout=60))
                for server in servers
            ]
            (await first.post("/v1/memories", json={"memories": [*NOTES, BEN]})).raise_for_status()
            assert CANARY in await told_by(second)
            (await second.delete("/v1/memories/n0")).raise_for_status()
            (await second.delete("/v1/users/ben")).raise_for_status()
            for api in (first, second):
                assert CANARY not in await told_by(api)
            workers[0].send_signal(signal.SIGKILL)
            servers[1].send_signal(signal.SIGKILL)
            new = [{**note, "id": f"x{note['id']}", "text": note["text"].replace(CANARY, "city")} for note in NOTES]
            (await first.post("/v1/memories", json={"memories": new})).raise_for_status()
            async with asyncio.timeout(90):
                while "city" not in (await first.get("/v1/summaries", params={"user_id": "ana"})).text:
                    await asyncio.sleep(0.2)
            assert CANARY not in await told_by(first)
            ready = (await first.get("/readyz")).json()
            assert not [line for line in ready.get("wrong", ()) if line.startswith(("keys", "forgotten-log"))]
    finally:
        await drop(database)
