"""The server: starting, stopping, health, and errors nobody foresaw."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import httpx
import pytest
import structlog

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.errors import ConfigurationError
from precis.ids import new_id
from precis.rest import memories
from precis.rest.redis import working_memory
from precis.rest.server import build, listening
from precis.rest.sockets import Limits
from precis.settings import Settings
from precis.store.ledger import PostgresLedger
from rooms import with_database
from warm import Forked, fork

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: A process that serves until it is signalled.
SERVING = """
import asyncio, pathlib, sys
import structlog
from precis.rest.server import serve
from precis.settings import Settings

structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
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
async def _process(folder: Path) -> AsyncIterator[tuple[Forked, str]]:
    """The server as a process, and its base URL."""
    process = await fork(folder, program=SERVING, stdout=asyncio.subprocess.PIPE)
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
    folder = with_database(rooms_folder / f"served-{new_id()}")
    texts = ("I drink coffee.", "My coffee is black.", "No coffee at night.")
    rows = [{"text": text, "user_id": "ana", "type": "preference", "key": "coffee"} for text in texts]
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


async def test_a_database_that_is_gone_is_told(rooms_folder: Path) -> None:
    """The process is up and says so; what needs the database is a 503 that says when to try again."""
    folder = with_database(rooms_folder / f"lost-{new_id()}")
    async with (
        open_runtime(Settings(data_dir=folder)) as runtime,
        listening(runtime) as url,
        httpx.AsyncClient(base_url=url, timeout=60) as call,
    ):
        ready = (await call.get("/readyz")).json()
        assert ready["status"] == "ok"
        assert [line.partition(":")[0] for line in ready["wrong"]] == ["worker"]
        # Without this file it cannot be started again.
        control = folder / "db" / "global" / "pg_control"
        control.rename(control.with_suffix(".away"))
        os.kill(int((folder / "db" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
        async with asyncio.timeout(30):
            while (folder / "db" / "postmaster.pid").exists():
                await asyncio.sleep(0.05)
        assert (await call.get("/healthz")).status_code == 200
        assert [(await call.head(path)).status_code for path in ("/healthz", "/readyz", "/v1/health")] == [
            200,
            503,
            503,
        ]
        for path in ("/readyz", "/v1/memories"):
            answer = await call.get(path)
            assert answer.status_code == 503, path
            assert "database" in answer.json()["detail"]
            assert answer.headers["retry-after"] == "5"
        figures = (await call.get("/metrics")).text
        assert "precis_database_up 0.0" in figures
        assert "precis_jobs" not in figures


async def test_an_unforeseen_error_is_told_to_nobody(runtime: Runtime, tenant: str, key: str) -> None:
    """A 500 with an id; the log has the id, the type and the place, and the text is nowhere."""
    broken = replace(runtime, ledger=cast("PostgresLedger", _Broken()))
    with structlog.testing.capture_logs() as logged:
        async with listening(broken) as url, httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call:
            answer = await call.get("/v1/costs")
            assert (await call.get("/v1/memories")).status_code == 200
    assert answer.status_code == 500
    told = answer.json()["detail"].removeprefix("internal error ")
    (line,) = [one for one in logged if one["event"] == "internal_error"]
    assert (told, "RuntimeError") == (line["id"], line["error"])
    assert line["where"].startswith(f"{Path(__file__).name}:")
    assert "canary" not in str(logged) + answer.text


async def test_no_server_makes_its_routes_anew(runtime: Runtime) -> None:
    """They are ready once they are read: the first request waits for none, and each looks at them once."""
    ready = {id(route) for route in (*memories.router.routes, *working_memory.router.routes)}
    assert ready <= {id(route) for route in build(runtime).routes}


async def test_the_openapi_document_describes_every_endpoint(url: str) -> None:
    """Each has a description, and those that need a key say how it is given."""
    async with httpx.AsyncClient(base_url=url) as call:
        found = (await call.get("/openapi.json")).json()
    for path, verbs in found["paths"].items():
        for verb, endpoint in verbs.items():
            assert endpoint.get("description"), (verb, path)
            keyed = path != "/v1/health" and path.startswith(("/v1/", "/memory/"))
            assert bool(endpoint.get("security")) is keyed, (verb, path)
    assert {"HTTPBearer", "APIKeyHeader"} == set(found["components"]["securitySchemes"])
    assert {"id", "text", "user_id", "metadata"} <= set(found["components"]["schemas"]["MemoryInput"]["properties"])


async def _until_it_waits(runtime: Runtime) -> None:
    """Until somebody waits for a lock in the database."""
    async with asyncio.timeout(30), runtime.database.directory() as connection:
        while (await connection.execute("SELECT FROM pg_locks WHERE NOT granted")).rowcount == 0:
            await asyncio.sleep(0.02)


async def test_a_stopping_server_finishes_what_it_is_doing(runtime: Runtime, tenant: str, key: str, app: App) -> None:
    """A request under way when the server is told to stop is answered, and what it wrote is there."""
    rows = [{"id": f"r{n}", "text": f"I have {n} plants on my desk.", "user_id": "ana"} for n in range(300)]
    async with httpx.AsyncClient(headers={"X-API-Key": key}, timeout=60) as call:
        async with listening(runtime) as url, runtime.database.tenant(tenant) as connection:
            await connection.execute("LOCK TABLE memories IN SHARE ROW EXCLUSIVE MODE")
            writing = asyncio.create_task(call.post(f"{url}/v1/memories", json={"memories": rows}))
            await _until_it_waits(runtime)
        assert (await writing).status_code == 201
    assert (await app.memories.get("r299")).text == rows[299]["text"]


async def test_nobody_is_reset_by_a_stopping_server(runtime: Runtime) -> None:
    """Whose request is on its way is answered, and who has sent none yet is told to come again."""
    request = b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
    async with listening(runtime) as url:
        place = (httpx.URL(url).host, httpx.URL(url).port or 0)
        accepted, used = (socket.create_connection(place) for _ in range(2))
        used.sendall(request)
        used.setblocking(False)
        assert await asyncio.get_running_loop().sock_recv(used, 65_536)
        # From here on the server reads and accepts nothing before it is told to stop.
        waiting, silent = (socket.create_connection(place) for _ in range(2))
        for asking in (accepted, used, waiting):
            asking.sendall(request)
    answers = [await asyncio.to_thread(_all_of, connection) for connection in (accepted, used, waiting, silent)]
    assert [answer.split(b" ", 2)[1] for answer in answers[:2]] == [b"200", b"200"]
    assert {answer.split(b" ", 2)[1] for answer in answers[2:]} <= {b"200", b"503"}
    assert b"the server is stopping" in answers[3]


def _all_of(connection: socket.socket) -> bytes:
    """Everything that comes until the other side ends."""
    with connection:
        connection.settimeout(30)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


async def test_what_a_stopping_server_does_not_finish(runtime: Runtime, tenant: str, key: str, app: App) -> None:
    """Past the grace it says so, and that it may be sent again: nothing went wrong within it."""
    await app.memories.add([{"id": "slow", "text": "I have a plant on my desk.", "user_id": "ana"}])
    async with (
        httpx.AsyncClient(headers={"X-API-Key": key}, timeout=60) as call,
        runtime.database.tenant(tenant) as connection,
    ):
        await connection.execute("SELECT 1 FROM memories WHERE memory_id = 'slow' FOR UPDATE")
        async with listening(runtime, limits=Limits(grace=1)) as url:
            editing = asyncio.create_task(call.patch(f"{url}/v1/memories/slow", json={"text": "I have no plant."}))
            await _until_it_waits(runtime)
        answer = await editing
    assert answer.status_code == 503
    assert "stopped" in answer.json()["detail"]
    assert answer.headers["retry-after"] == "5"
    assert (await app.memories.get("slow")).text == "I have a plant on my desk."
