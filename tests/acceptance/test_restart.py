"""A dead embedded database is started again while anybody uses it: within ten seconds, by one process, without loss."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import httpx
import living
import psycopg
import pytest

from precis.bootstrap import open_runtime
from precis.embedded import server as embedded
from precis.errors import StoreUnavailable
from precis.settings import Settings
from rooms import with_database

READY_WITHIN = 10.0
STARTED = "starting PostgreSQL"


def starts(folder: Path) -> int:
    """How often a database was started in the folder, by its own log."""
    return (folder / "log" / "postgres.log").read_text().count(STARTED)


class Writer:
    """Writes one memory after the other, and notes what was acknowledged and how long each answer took."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._numbers = count()
        self.acknowledged: list[str] = []
        self.slowest = 0.0
        self.refusals: list[httpx.Response] = []
        self._pace = living.Pace()

    async def write(self) -> bool:
        """One more; whether it was acknowledged."""
        id_ = f"m{next(self._numbers)}"
        began = time.monotonic()
        answered = await self._client.post(
            "/v1/memories", json={"memories": [{"id": id_, "user_id": "ivo", "text": f"Ivo keeps bee hive {id_}."}]}
        )
        self.slowest = max(self.slowest, (time.monotonic() - began) / self._pace.slowness)
        if answered.status_code == 503:
            self.refusals.append(answered)
            return False
        assert answered.status_code == 201, answered.text
        self.acknowledged.append(id_)
        return True

    async def until_written(self) -> float:
        """Try until one is acknowledged; the seconds that took, or would take on a computer that is not busy."""
        began, self._pace = time.monotonic(), living.Pace()
        while not await self.write():
            assert time.monotonic() - began < self._pace.within(3 * READY_WITHIN), "it does not come back"
            await asyncio.sleep(0.1)
        return (time.monotonic() - began) / self._pace.slowness

    async def check(self) -> None:
        """All that was acknowledged is readable."""
        for id_ in self.acknowledged:
            answered = await self._client.get(f"/v1/memories/{id_}")
            assert answered.status_code == 200, (id_, answered.text)


def _server(folder: Path) -> list[int]:
    return [living.postmaster(folder)]


def _backend(folder: Path) -> list[int]:
    """A session's process: the youngest, for those of the server itself are started first."""
    return [max(living.database_processes(folder))]


@pytest.fixture(scope="module")
def folder(disk_folder: Path) -> Path:
    """One database for the kills."""
    return with_database(disk_folder / "restarted")


@pytest.mark.parametrize("victims", [_server, _backend, living.database_processes], ids=["server", "backend", "all"])
async def test_a_killed_database_is_ready_again(folder: Path, victims: Callable[[Path], list[int]]) -> None:
    """Whatever of it is killed, with a server and a worker on it: requests get 503 or wait a little, none is lost."""
    async with living.serving(folder) as server, living.working(folder), server.client() as client:
        writer = Writer(client)
        for _ in range(3):
            await writer.write()
        for _ in range(3):
            living.kill(victims(folder))
            assert await writer.until_written() < READY_WITHIN
            assert (await client.get("/readyz")).status_code == 200
        await writer.check()
        assert writer.slowest < READY_WITHIN
        assert all(int(refused.headers["Retry-After"]) > 0 for refused in writer.refusals)
        # Two processes use it, and each death has one successor. What was left of the dead ends meanwhile.
        async with asyncio.timeout(READY_WITHIN):
            while [living.postmaster(folder)] != _of_nobody(folder):
                await asyncio.sleep(0.05)
        assert len(living.database_processes(folder)) > 1


def _of_nobody(folder: Path) -> list[int]:
    """Processes of the database that are no children of its server; one that has ended meanwhile is left out."""
    server, pids = living.postmaster(folder), []
    for pid in living.database_processes(folder):
        with suppress(FileNotFoundError, ProcessLookupError):
            parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            pids += [pid] if parent != server else []
    return pids


async def test_several_processes_start_it_once(folder: Path) -> None:
    """Of a server, two workers and this process one starts the database after each kill; the others join."""
    async with (
        living.serving(folder) as server,
        living.working(folder),
        living.working(folder),
        embedded.running(folder),
        server.client() as client,
    ):
        writer = Writer(client)
        await writer.write()
        before = starts(folder)
        for _ in range(3):
            living.kill(_server(folder))
            assert await writer.until_written() < READY_WITHIN
        assert starts(folder) == before + 3
        await writer.check()


async def test_an_app_in_a_process_of_its_own_comes_back(folder: Path) -> None:
    """`precis.open()` without server or worker: the process itself starts its database again."""
    async with open_runtime(Settings(data_dir=folder)) as runtime:
        app = runtime.app("default")
        for turn in range(3):
            await app.memories.add([{"id": f"own-{turn}", "user_id": "ada", "text": f"Ada planted oak {turn}."}])
            living.kill(_server(folder))
            began, pace = time.monotonic(), living.Pace()
            while not await _reads(app.memories.get, f"own-{turn}"):
                assert time.monotonic() - began < pace.within(READY_WITHIN)
                await asyncio.sleep(0.05)


async def _reads(get: Callable[[str], object], id_: str) -> bool:
    try:
        await get(id_)  # type: ignore[misc]
    except StoreUnavailable:
        return False
    return True


@asynccontextmanager
async def _hindered(folder: Path) -> AsyncIterator[None]:
    """For the length of a block the database cannot start, as on a full disk."""
    control, running = folder / "db" / "global" / "pg_control", _server(folder)
    # Before the kill: whoever uses it may start it again at once.
    control.rename(control.with_suffix(".away"))
    living.kill(running)
    try:
        yield
    finally:
        control.with_suffix(".away").rename(control)


async def test_what_hinders_a_start_may_pass(folder: Path) -> None:
    """While it cannot start requests get 503 in time, and it is ready within ten seconds of the end of the trouble."""
    async with living.serving(folder) as server, server.client() as client:
        writer = Writer(client)
        await writer.write()
        async with _hindered(folder):
            began = time.monotonic()
            while time.monotonic() < began + 15:
                # A session that has not noticed yet that its server is gone may end what it has begun.
                assert not await writer.write() or time.monotonic() < began + 1
        assert await writer.until_written() < READY_WITHIN
        assert writer.slowest < READY_WITHIN
        assert {"5"} == {refused.headers["Retry-After"] for refused in writer.refusals}
        await writer.check()


async def test_a_busy_session_of_a_dead_server_does_not_hold_it_up(folder: Path) -> None:
    """A session in a long statement does not notice that its server is gone; it is ended, and the next one starts."""
    async with living.serving(folder) as server, embedded.running(folder) as database, server.client() as client:
        writer = Writer(client)
        await writer.write()
        busy = await asyncio.create_subprocess_exec(
            sys.executable, "-c", BUSY, database.owner_dsn, stderr=asyncio.subprocess.DEVNULL
        )
        await _at_work(database.owner_dsn)
        living.kill(_server(folder))
        assert await writer.until_written() < READY_WITHIN
        await asyncio.wait_for(busy.wait(), 30)


async def _at_work(dsn: str) -> None:
    """Until the server works on the long statement: a session that came later would be one of the next server."""
    asked = "SELECT FROM pg_stat_activity WHERE query LIKE %s AND state = 'active' AND pid <> pg_backend_pid()"
    async with asyncio.timeout(60), await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        while (await connection.execute(asked, ["%generate_series%"])).rowcount == 0:
            await asyncio.sleep(0.02)


#: A statement that looks neither left nor right for a minute.
BUSY = """
import psycopg, sys
psycopg.connect(sys.argv[1]).execute("SELECT count(*) FROM generate_series(1, 1e9)")
"""
