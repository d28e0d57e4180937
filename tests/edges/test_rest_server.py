"""The server: starting, stopping, health, and errors nobody foresaw."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import structlog

from precis.bootstrap import Runtime
from precis.errors import ConfigurationError
from precis.ids import new_id
from precis.rest import build, listening
from precis.store.pool import open_database

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: A process that serves until it is signalled.
SERVING = """
import asyncio, pathlib, sys
from precis.rest import serve
from precis.settings import Settings

settings = Settings(data_dir=pathlib.Path(sys.argv[1]))
asyncio.run(serve(settings, port=0, ready=lambda url: print(url, flush=True)))
print("closed", flush=True)
"""


class _Broken:
    """A ledger whose error quotes a memory."""

    async def costs(self, tenant_id: str) -> None:
        """Fail."""
        raise RuntimeError(f"row of {tenant_id}: the canary sings")


@asynccontextmanager
async def _process(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The server as a process, and its base URL."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVING, str(folder), stdout=asyncio.subprocess.PIPE, env=dict(os.environ)
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            yield process, (await process.stdout.readline()).decode().strip()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_closes_the_server_and_its_database(rooms_folder: Path, told: signal.Signals) -> None:
    """A free port is found and reported; a summary is made by the worker inside; the end is orderly."""
    folder = rooms_folder / f"served-{new_id()}"
    rows = [
        {"text": text, "user_id": "ana"} for text in ("I drink coffee.", "My coffee is black.", "No coffee at night.")
    ]
    async with _process(folder) as (process, url), httpx.AsyncClient(base_url=url) as call:
        assert not url.endswith(":0")
        written = (await call.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})).json()
        assert written["waiting"]
        async with asyncio.timeout(30):
            while not (await call.get("/v1/summaries")).json()["summaries"]:
                await asyncio.sleep(0.1)
        process.send_signal(told)
        assert process.stdout is not None
        assert (await process.stdout.read()).decode().strip() == "closed"
        assert await process.wait() == 0
    assert not list((folder / "db").glob("postmaster.pid"))


async def test_a_taken_port_is_told(runtime: Runtime) -> None:
    """Not an exit of the process, but an error that names the port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=str(port)):
            async with listening(runtime, port=port):
                pytest.fail("it listens")


@pytest.mark.skipif(not socket.has_ipv6, reason="this system has no IPv6")
async def test_it_listens_on_ipv6(runtime: Runtime) -> None:
    """The URL has the brackets it needs."""
    async with listening(runtime, host="::1") as url, httpx.AsyncClient(base_url=url) as call:
        assert url.startswith("http://[::1]:")
        assert (await call.get("/healthz")).json() == {"status": "ok"}


async def test_readiness_tells_that_the_database_is_gone(runtime: Runtime) -> None:
    """The process is up and says so; what needs the database is a 503 that says when to try again."""
    async with open_database(runtime.database.pool.conninfo) as database:
        store = replace(runtime.store, tenants=type(runtime.store.tenants)(database))
        broken = replace(runtime, database=database, store=store)
        async with listening(broken) as url, httpx.AsyncClient(base_url=url) as call:
            assert (await call.get("/readyz")).json() == {"status": "ok"}
            await _lose(database.pool.conninfo)
            assert (await call.get("/healthz")).status_code == 200
