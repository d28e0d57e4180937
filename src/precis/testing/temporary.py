"""precis over an embedded database that is gone at the end: for tests, and for trying things out."""

import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any, ClassVar

from precis.app import App
from precis.bootstrap import open_runtime, system_clock
from precis.embedded.account import account_for
from precis.embedded.place import place_at
from precis.embedded.process import FileLock, shut_down
from precis.embedded.server import EmbeddedServer, running
from precis.errors import ConfigurationError, PrecisError
from precis.keys.tenants import DEFAULT_TENANT
from precis.logs import default_to_standard_logging
from precis.makers import Clock
from precis.settings import Settings

_PREFIX, _LEAVING = "precis-temporary-", "precis-leaving-"
#: Settings that would put something elsewhere than in the folder that is removed.
_ELSEWHERE = (
    "data_dir",
    "database_url",
    "database_owner_url",
    "keys_dir",
    "forgotten_dir",
    "keys_url",
    "forgotten_url",
)


class _OnlyKeywords(Settings):
    """Settings that read neither the environment nor a file."""

    keywords_alone: ClassVar[bool] = True


@asynccontextmanager
async def temporary(
    *, tenant_id: str = DEFAULT_TENANT, clock: Clock = system_clock, **overrides: Any
) -> AsyncIterator[App]:
    """precis for one tenant, over a database that is made for the block and removed after it.

    It is ``precis.open()`` in every other way. Keywords are settings; the environment and ``precis.yaml`` are not read,
    so that a test means the same everywhere. The database does not wait for the disk: a loss of power would cost it.
    What a killed process left behind, the next call removes. Raises ConfigurationError.
    """
    misplaced = sorted(overrides.keys() & set(_ELSEWHERE))
    if misplaced:
        raise ConfigurationError(f"temporary() keeps everything in a folder of its own: leave out {misplaced[0]}")
    await remove_abandoned()
    default_to_standard_logging()
    async with _server() as server:
        settings = _OnlyKeywords(data_dir=server.db_dir.parent, **overrides)
        async with open_runtime(settings, clock=clock) as runtime:
            yield runtime.app(tenant_id)


def stop_syncing(server: EmbeddedServer) -> None:
    """From now on the server leaves it to the system when to write to the disk. Kills cost nothing, a power cut all."""
    # PostgreSQL reads this file after its own, and precis writes no line of it.
    (server.db_dir / "postgresql.auto.conf").write_text("fsync = off\nfull_page_writes = off\n")
    os.kill(server.postmaster.pid, signal.SIGHUP)


async def remove_abandoned() -> None:
    """Stop and remove the temporary databases whose processes were killed."""
    for folder in _temporary_folders():
        # Another process may be removing it, too.
        with suppress(PrecisError, OSError):
            await _remove_unused(folder)


def _temporary_folders() -> list[Path]:
    """Those of this user that a process has begun to use."""
    folders = list(Path(tempfile.gettempdir()).resolve().glob(f"{_PREFIX}*"))
    return [folder for folder in folders if _is_begun(folder)]


def _is_begun(folder: Path) -> bool:
    try:
        return folder.stat().st_uid == os.geteuid() and (folder / "users.lock").exists()
    except OSError:
        return False


async def _remove_unused(folder: Path) -> None:
    """Remove it, unless somebody uses it or is about to: they have one of its two locks."""
    place = place_at(folder)
    starting, using = (closing(FileLock(place.lock(name), place.account)) for name in ("start", "users"))
    with starting as first, using as second:
        if first.take() and second.take():
            await shut_down(place, lambda _: None)
            _remove(folder)


@asynccontextmanager
async def _server() -> AsyncIterator[EmbeddedServer]:
    folder = sockets = _new_folder()
    try:
        async with running(folder) as server:
            sockets = server.postmaster.sockets
            stop_syncing(server)
            yield server
    finally:
        _remove(folder)
        # Where the path is too long for a socket, it lies elsewhere.
        shutil.rmtree(sockets, ignore_errors=True)


def _new_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
    if account_for(os.geteuid(), folder).dropped:
        # The server runs as another account, which passes through here to what belongs to it.
        folder.chmod(0o711)
    return folder


def _remove(folder: Path) -> None:
    """Under another name first, so that nobody takes it for abandoned meanwhile and looks into it."""
    leaving = folder.with_name(folder.name.replace(_PREFIX, _LEAVING))
    folder.rename(leaving)
    shutil.rmtree(leaving)
