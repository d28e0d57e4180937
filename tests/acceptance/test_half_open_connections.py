"""Hundreds of connections that never finish what they began: a real server with few files goes on serving."""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from precis.ids import new_id
from precis.rest.sockets import Limits, affordable
from rooms import with_database
from warm import fork

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Open files that the server may have, and connections that are held.
FILES, HELD = 256, 400
#: What a connection sends before it goes quiet.
BEGINNINGS = {
    "nothing": b"",
    "half a head": b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nX-A: b",
    "half a body": b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Content-Length: 100000\r\n\r\n{"memories": [',
    "half a chunk": b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Transfer-Encoding: chunked\r\n\r\n400\r\n{"query"',
}
#: `precis serve` with few open files.
SERVING = """
import resource, sys
from precis.cli import main
files, folder = sys.argv[1:]
if files:
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(files), int(files)))
sys.argv = ["precis", "serve", "--port", "0", "--data-dir", folder]
main()
"""
ROW = {"text": "I live in Oslo.", "user_id": "ana"}


@dataclass(frozen=True, kw_only=True)
class Served:
    """A server in a process of its own."""

    pid: int
    url: str
    log: Path

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rsplit(":", 1)[1])

    async def write(self) -> float:
        """Seconds that one good request takes, from connecting to the answer; it comes once more where told to."""
        started = time.perf_counter()
        answer = await self._post()
        if answer.status_code == 503:
            # A slow machine may still hear of those that hold it up.
            await asyncio.sleep(int(answer.headers["Retry-After"]))
            answer = await self._post()
        assert answer.status_code in {200, 201}, answer.text
        return time.perf_counter() - started

    async def _post(self) -> httpx.Response:
        async with httpx.AsyncClient(base_url=self.url, timeout=20) as call:
            return await call.post("/v1/memories", json={"memories": [ROW], "summarize": "deferred"})


@asynccontextmanager
async def _served(folder: Path, files: int | None = None) -> AsyncIterator[Served]:
    """`precis serve` on a free port, its log in a file, with so many open files as it may have."""
    folder.mkdir()
    with_database(folder / "data")
    log = folder / "log"
    with log.open("wb") as to:
        process = await fork(str(files or ""), folder / "data", program=SERVING, stdout=to, stderr=to)
    try:
        async with asyncio.timeout(90):
            while "serves at" not in log.read_text():
                assert process.returncode is None, log.read_text()
                await asyncio.sleep(0.1)
        yield Served(pid=process.pid, url=log.read_text().split("serves at ")[1].split(",")[0], log=log)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def _hold(stack: ExitStack, port: int, number: int, beginning: bytes) -> list[socket.socket]:
    """So many connections, each of which has sent the beginning of a request."""
    held = []
    for _ in range(number):
        held.append(stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5)))
        held[-1].sendall(beginning)
    return held


def _open_ones(held: list[socket.socket]) -> int:
    """How many of them the server has not closed."""
    still_open = 0
    for connection in held:
        connection.settimeout(0.0)
        try:
            while connection.recv(4096):
                pass
        except BlockingIOError:
            still_open += 1
        except OSError:
            continue
    return still_open


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def short_of_files(rooms_folder: Path) -> AsyncIterator[Served]:
    """A server with few files, which has served; who held it up before is gone from it."""
    async with _served(rooms_folder / f"held-{new_id()}", FILES) as served:
        await served.write()
        yield served


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=list(BEGINNINGS))
async def test_half_open_connections_stop_nobody(short_of_files: Served, beginning: bytes) -> None:
    """A good request is answered soon, the log stays small, and the others are closed when their time is up."""
    served = short_of_files
    logged = served.log.stat().st_size
    with ExitStack() as stack:
        held = await asyncio.to_thread(_hold, stack, served.port, HELD, beginning)
        # Whoever sends a body is not taken for silent at once, and a busy server hears of all of them late.
        await asyncio.sleep(Limits().quiet)
        took = [await served.write() for _ in range(5)]
        assert max(took) < 5, took
        assert _open_ones(held) <= affordable(FILES)
        await asyncio.sleep(Limits().head + 3)
        assert _open_ones(held) == 0
        assert await served.write() < 5
    assert served.log.stat().st_size - logged < 20_000, served.log.read_text()[-2_000:]


async def test_a_process_without_files_waits_for_some(rooms_folder: Path) -> None:
    """Where accept() fails whatever we count, it is tried again now and then, and told once."""
    async with _served(rooms_folder / f"starved-{new_id()}") as served:
        await served.write()
        used = len(list(Path(f"/proc/{served.pid}/fd").iterdir()))
        resource.prlimit(served.pid, resource.RLIMIT_NOFILE, (used + 40, used + 40))
        with ExitStack() as stack:
            held = await asyncio.to_thread(_hold, stack, served.port, 150, BEGINNINGS["half a head"])
            busy = Path(f"/proc/{served.pid}/stat").read_text().split()
            await asyncio.sleep(5)
            still = Path(f"/proc/{served.pid}/stat").read_text().split()
            seconds = sum(int(still[at]) - int(busy[at]) for at in (13, 14)) / 100
            assert seconds < 2.5, f"{seconds} s of 5 on the processor"
            assert await served.write() < 10
            await asyncio.sleep(Limits().head)
            assert _open_ones(held) == 0
        told = served.log.read_text()
        assert told.count("accept_failed") == 1, told[-2_000:]
        assert len(told) < 20_000
