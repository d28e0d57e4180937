"""Where the databases of tests lie: in memory if there is room, since none of them outlives its tests."""

from __future__ import annotations

import asyncio
import atexit
import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

from precis.database.migrate import migrate
from precis.embedded.server import APPLICATION, running
from precis.ids import system_clock
from precis.logs import default_to_standard_logging

#: What the databases of all processes of a run take together, with as much to spare.
_NEEDED_BYTES = 8 << 30
_MEMORY = Path("/dev/shm")  # noqa: S108 - only fresh folders in it are used
#: Beside each of them: the process that made it.
_OWNER = ".owner"
_SHARED = "EMPTY_DATABASES"


def new_folder(prefix: str = "precis-", *, on_disk: bool = False) -> Path:
    """A fresh folder under a path short enough for a socket; programs cannot be run from it.

    It is open to others only for the sake of systems that let root enter no user namespace: there the server runs as
    another account, which could not enter a private folder.
    """
    _clear_leftovers()
    in_memory = not on_disk and _has_room()
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=_MEMORY if in_memory else None))
    folder.chmod(0o755)
    if in_memory:
        folder.with_name(f"{folder.name}{_OWNER}").write_text(str(os.getpid()))
    return folder


def with_database(folder: Path) -> Path:
    """A data folder that nobody used before, with an empty database; a copy takes a tenth of what making it takes."""
    subprocess.run(["cp", "-a", empty_database(), folder], check=True)
    return folder


def share_empty_database() -> Callable[[], None]:
    """Let this process and those that it starts copy one empty database; what is answered removes it."""
    parent, owner = new_folder(), os.getpid()
    os.environ[_SHARED] = str(parent)

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(parent, ignore_errors=True)
            parent.with_name(f"{parent.name}{_OWNER}").unlink(missing_ok=True)

    return remove


@cache
def empty_database() -> Path:
    """A data folder with a database of this release. Of the processes that share it the first makes it."""
    if _SHARED not in os.environ:
        atexit.register(share_empty_database())
    parent = Path(os.environ[_SHARED])
    folder, unfinished = parent / "empty", parent / "unfinished"
    with (parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            with ThreadPoolExecutor(max_workers=1) as pool:  # the loop of a test may be running
                pool.submit(lambda: asyncio.run(_make_database(unfinished))).result()
            unfinished.rename(folder)
    return folder


async def _make_database(folder: Path) -> None:
    default_to_standard_logging()
    async with running(folder) as server:
        await migrate(server.owner_dsn, app_role=APPLICATION, now=system_clock())


@cache
def _clear_leftovers() -> None:
    """What a run that was killed has left in memory goes with the next run, unless a server still runs in it."""
    for note in _MEMORY.glob(f"precis-*{_OWNER}"):
        folder = note.with_name(note.name.removesuffix(_OWNER))
        owners = [note]
        with suppress(FileNotFoundError):  # another run may clear it away at this moment
            owners += folder.rglob("postmaster.pid")
        if not any(_is_running(owner) for owner in owners):
            shutil.rmtree(folder, ignore_errors=True)
            note.unlink(missing_ok=True)


def _is_running(owner: Path) -> bool:
    """Whether the process runs whose number a file begins with."""
    try:
        return Path("/proc", owner.read_text().split()[0]).exists()
    except (OSError, IndexError):
        return False


def _has_room() -> bool:
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _NEEDED_BYTES:
        return False
    available = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    return available is not None and int(available[1]) * 1024 >= _NEEDED_BYTES
