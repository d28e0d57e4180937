"""Real processes over one data folder: the server, workers and the embedded database, and how they are killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from precis.bootstrap import Runtime
from warm import Forked, fork


def environment(**more: str) -> dict[str, str]:
    """Ours without any setting of precis."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PRECIS_", "SUMMARY_"))}
    return clean | {"PRECIS_CONFIG": "/dev/null", "PRECIS_LEASE_SECONDS": "2"} | more


class Pace:
    """How busy the computer was since: a promise about time is one for a computer that has time for it."""

    def __init__(self) -> None:
        self._before = _scheduled()

    @property
    def slowness(self) -> float:
        """How many times as long as alone this process took, by what it waited for a core; at least 1."""
        (ran, waited), (ran_before, waited_before) = _scheduled(), self._before
        return 1 + (waited - waited_before) / max(ran - ran_before, 1)

    def within(self, seconds: float) -> float:
        """So many seconds of a computer that does nothing else."""
        return seconds * self.slowness


def _scheduled() -> tuple[int, int]:
    """Nanoseconds that we ran, and that we waited while others did, by the kernel's count."""
    ran, waited, _ = Path("/proc/self/schedstat").read_text().split()
    return int(ran), int(waited)


async def begin(*arguments: str | Path, stderr: int = DEVNULL, **env: str) -> Forked:
    """Start the command line as a process of its own."""
    return await fork(*arguments, stdout=DEVNULL, stderr=stderr, env=environment(**env))


@dataclass(kw_only=True)
class Serving:
    """A process of `precis serve` and where it answers."""

    process: Forked
    url: str

    def client(self) -> httpx.AsyncClient:
        """Speaks to it; a connection may be refused or broken while it is dead."""
        return httpx.AsyncClient(base_url=self.url, timeout=60)


async def serve(folder: Path, *options: str, **env: str) -> Serving:
    """Start a server and wait until it says where it answers."""
    process = await begin("serve", "--data-dir", folder, "--port", "0", *options, stderr=PIPE, **env)
    assert process.stderr is not None
    lines: list[str] = []
    while line := (await asyncio.wait_for(process.stderr.readline(), 60)).decode():
        lines.append(line)
        if address := re.search(r"precis serves at (http://\S+?),", line):
            asyncio.get_running_loop().create_task(_drain(process))
            return Serving(process=process, url=address[1])
    raise AssertionError("".join(lines))


async def _drain(process: Forked) -> None:
    """Read on, so that a full pipe does not stop the process."""
    assert process.stderr is not None
    with suppress(asyncio.CancelledError):
        while await process.stderr.read(65536):
            pass


@asynccontextmanager
async def serving(folder: Path, *options: str, **env: str) -> AsyncIterator[Serving]:
    """A server for the length of a block."""
    server = await serve(folder, *options, **env)
    try:
        yield server
    finally:
        await end(server.process)


@asynccontextmanager
async def working(folder: Path, **env: str) -> AsyncIterator[Forked]:
    """A worker for the length of a block."""
    process = await begin("worker", "--data-dir", folder, stderr=DEVNULL, **env)
    try:
        yield process
    finally:
        await end(process)


async def end(process: Forked, seconds: float = 40) -> None:
    """Ask a process to stop, and see that it does."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            process.kill()
            await process.wait()
            raise
    await process.wait()


def postmaster(folder: Path) -> int:
    """The process number of the folder's database."""
    return int((folder / "db" / "postmaster.pid").read_text().split()[0])


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def database_processes(folder: Path) -> list[int]:
    """Every process of the folder's database, its server first."""
    pids = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            named = process.name.isdigit() and (process / "comm").read_text() == "postgres\n"
            if named and (process / "cwd").readlink() == folder / "db":
                pids.append(int(process.name))
    return sorted(pids)


async def nothing_under_way(runtime: Runtime) -> None:
    """Wait until the sessions of the dead are at rest: what they had sent is carried out after their death."""
    asked = (
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
        " AND state <> 'idle' AND pid <> pg_backend_pid()"
    )
    async with asyncio.timeout(60):
        while True:
            # A transaction each: within one PostgreSQL answers what it answered before.
            async with runtime.database.directory() as connection:
                if (await connection.execute(asked)).rowcount == 0:
                    return
            await asyncio.sleep(0.02)


async def is_served(folder: Path) -> None:
    """Wait until the folder's database answers precis: a connection of its role is there."""
    async with asyncio.timeout(60):
        while not any(b"precis_app" in _title(pid) for pid in database_processes(folder)):
            await asyncio.sleep(0.02)


def _title(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def kill(pids: Sequence[int]) -> None:
    """Kill -9."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
