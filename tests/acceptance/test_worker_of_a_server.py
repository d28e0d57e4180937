"""The worker of `precis serve` is a process of its own: whatever dies, work goes on or ends in order.

Elsewhere a server of the tests has its worker forked from a process that has read precis; here it starts as it does for
users.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import httpx
import living
from prometheus_client.parser import text_string_to_metric_families

from precis.jobs.worker_process import has_ended
from rooms import with_database

#: A worker reads precis anew, which takes seconds on a busy computer.
WITHIN = 40.0


def workers(server: int) -> list[int]:
    """The worker processes whose server has this process number."""
    pids = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, IndexError):
            if process.name.isdigit() and b"--beside-server" in (process / "cmdline").read_bytes():
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                pids += [int(process.name)] if parent == server else []
    return pids


async def until(happened: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something."""
    async with asyncio.timeout(WITHIN):
        while not await happened():
            await asyncio.sleep(0.05)


async def write(client: httpx.AsyncClient, key: str) -> None:
    """Enough memories about a subject for a summary that only a worker makes."""
    rows = [
        {"user_id": "ida", "type": "fact", "key": key, "text": f"The {key} was mended in {month}."}
        for month in ("March", "May", "June")
    ]
    answer = await client.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    assert answer.status_code == 201


async def summaries(client: httpx.AsyncClient) -> int:
    """How many there are."""
    return len((await client.get("/v1/summaries", params={"user_id": "ida"})).json()["summaries"])


async def committed(client: httpx.AsyncClient) -> float:
    """Refreshes that were committed, by the server's figures."""
    families = text_string_to_metric_families((await client.get("/metrics")).text)
    samples = [sample for family in families for sample in family.samples]
    return sum(
        sample.value for sample in samples
        if sample.name == "precis_refreshes_total" and sample.labels["outcome"] == "committed"
    )  # fmt: skip


async def test_a_worker_that_dies_is_started_again(rooms_folder: Path) -> None:
    """It makes what was left; the figures of both are the server's; all of it ends with the server, however it ends."""
    folder = with_database(rooms_folder / "beside")
    server = await living.serve(folder, COLD_WORKER="yes")
    async with server.client() as client:
        await write(client, "fence")
        await until(lambda: _is(summaries, client, 1))
        await until(lambda: _is(committed, client, 1))
        (worker,) = workers(server.process.pid)
        os.kill(worker, signal.SIGKILL)
        await write(client, "gate")
        await until(lambda: _is(summaries, client, 2))
        await until(lambda: _is(committed, client, 2))
    (successor,) = workers(server.process.pid)
    assert successor != worker
    # Whoever signals a server and all its processes leaves it to the server to end its worker.
    os.kill(successor, signal.SIGTERM)
    await asyncio.sleep(0.5)
    assert living.is_running(successor)
    server.process.kill()
    await server.process.wait()
    await until(lambda: _has_ended(successor))
    # A worker that was about to be started reads precis before it can notice.
    await until(lambda: _is_stopped(folder))


async def test_a_server_has_ended_with_its_last_thread() -> None:
    """One whose first thread is gone still has its files, and its locks of the database."""
    program = """
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)
"""
    process = await asyncio.create_subprocess_exec(sys.executable, "-S", "-c", program, stdin=asyncio.subprocess.PIPE)
    stat = Path(f"/proc/{process.pid}/stat")
    await until(lambda: _is_true(stat.read_text().rpartition(")")[2].split()[0] == "Z"))
    assert not has_ended(process.pid)
    process.kill()
    await process.wait()
    assert has_ended(process.pid)


async def test_the_worker_of_a_stopped_server_stops(rooms_folder: Path) -> None:
    """A server that is told to stop waits for its worker, and the database stops after both."""
    folder = rooms_folder / "beside"
    async with living.serving(folder, COLD_WORKER="yes") as server:
        await until(lambda: _has_worker(server.process.pid))
        (worker,) = workers(server.process.pid)
    assert not living.is_running(worker)
    assert living.database_processes(folder) == []


async def test_a_worker_within_the_server(rooms_folder: Path) -> None:
    """Where settings say so there is one process."""
    async with (
        living.serving(rooms_folder / "beside", PRECIS_WORKER_PROCESS="false") as server,
        server.client() as client,
    ):
        before = await summaries(client)
        await write(client, "roof")
        await until(lambda: _is(summaries, client, before + 1))
        assert workers(server.process.pid) == []


async def _is_true(state: bool) -> bool:
    return state


async def _is(count: Callable[[httpx.AsyncClient], Awaitable[float]], client: httpx.AsyncClient, number: int) -> bool:
    return await count(client) == number


async def _is_stopped(folder: Path) -> bool:
    return not living.database_processes(folder)


async def _has_worker(server: int) -> bool:
    return bool(workers(server))


async def _has_ended(pid: int) -> bool:
    return not living.is_running(pid)
