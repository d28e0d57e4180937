"""An embedded PostgreSQL: the first process of a data folder starts it, others join, the last one stops it.

A server that dies while somebody uses it is started again. Three locks in the data folder do all of it, and the kernel
drops each when its holder dies:
``start.lock`` is held while somebody starts or stops the server; ``users.lock`` is shared by everybody who
uses it; ``server.lock`` is held by the server's own processes.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import structlog

from precis.embedded import process
from precis.embedded.place import APPLICATION, OWNER, Place, Postmaster, place_at
from precis.errors import PrecisError

__all__ = ["APPLICATION", "OWNER", "EmbeddedServer", "running", "start", "stop"]

_log = structlog.get_logger(__name__)
#: Seconds between two looks whether the server lives.
_LOOK_S = 0.25
#: Seconds between two attempts to start it, while they fail; and how many of them are told once.
_AGAIN_S = 1.0
_SAID_EVERY = 30


@dataclass(frozen=True, kw_only=True)
class EmbeddedServer:
    """A server this process uses; it stays up at least until ``stop``."""

    #: ``DATA_DIR/db``: PostgreSQL's own files.
    db_dir: Path
    #: Connects as the superuser who owns every table: for migrations and the care of the database.
    owner_dsn: str
    place: Place = field(repr=False)
    postmaster: Postmaster = field(repr=False)
    #: Our share in ``users.lock``.
    use: process.FileLock = field(repr=False)

    def dsn(self, *, user: str) -> str:
        """How to connect as one of the server's roles; no password is involved."""
        return self.postmaster.dsn(user=user)


async def start(data_dir: Path, *, progress: Callable[[str], None] | None = None) -> EmbeddedServer:
    """Use the embedded server of a folder: make it, start it, or join it where it runs.

    Waits for a recovery after a crash however long that takes; ``progress`` hears what goes on.

    Raises:
        ConfigurationError: it cannot run there, or not as this user.
        StoreUnavailable: it ended while starting, or is held by something out of reach.
    """
    place = place_at(data_dir)
    say = _saying(progress)
    async with process.exclusive(place, say):
        use = process.FileLock(place.lock("users"), place.account)
        use.take(shared=True)
        try:
            await remove_leftovers(place, say)
            if not (place.db / "PG_VERSION").exists():
                await process.make_cluster(place, say)
            postmaster = await process.ensure_running(place, say)
        except BaseException:
            await _let_go(place, use, say)
            raise
    dsn = postmaster.dsn(user=OWNER)
    return EmbeddedServer(db_dir=place.db, owner_dsn=dsn, place=place, postmaster=postmaster, use=use)


async def stop(server: EmbeddedServer, *, progress: Callable[[str], None] | None = None) -> None:
    """Leave the server, which stops when nobody else uses it. A second call does nothing."""
    say = _saying(progress)
    async with process.exclusive(server.place, say):
        await _let_go(server.place, server.use, say)


@asynccontextmanager
async def running(data_dir: Path, *, progress: Callable[[str], None] | None = None) -> AsyncIterator[EmbeddedServer]:
    """The embedded server for the length of a block, in which it is started again whenever it died."""
    server = await start(data_dir, progress=progress)
    keeping = asyncio.create_task(_keep_running(server, _saying(None)))
    try:
        yield server
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})
        await stop(server, progress=progress)


async def _keep_running(server: EmbeddedServer, say: process.Say) -> None:
    """Start the server again where it died, until cancelled: of all processes that use it, whoever comes first.

    What keeps it from starting, such as a full disk, may pass: it is tried again every second.
    """
    failures = 0
    while server.use.lies_at(server.place.lock("users")):
        await asyncio.sleep(_AGAIN_S if failures else _LOOK_S)
        try:
            if server.place.postmaster() is None:
                async with process.exclusive(server.place, say):
                    await process.ensure_running(server.place, say)
            failures = 0
        except (PrecisError, OSError) as error:
            if failures % _SAID_EVERY == 0:
                _log.error("embedded_database_down", reason=str(error))
            failures += 1
    _log.error("embedded_database_gone", folder=str(server.place.folder))


async def _let_go(place: Place, use: process.FileLock, say: process.Say) -> None:
    with closing(use):
        # Everybody else who uses the server shares this lock, so having it alone means being the last.
        if not use.closed and use.take():
            await process.shut_down(place, say)


def _saying(progress: Callable[[str], None] | None) -> process.Say:
    def say(message: str) -> None:
        _log.info("embedded_database", step=message)
        if progress:
            progress(message)

    return say


#: Where a restore prepares a copy, and one that is only read for its keys.
STAGING, NEWEST = "restore.new", "restore.newest"


async def remove_leftovers(place: Place, say: process.Say) -> None:
    """Call it within ``exclusive``, when no restore is under way; its server may still run."""
    for name in (STAGING, NEWEST):
        folder = place.folder / name
        if folder.exists():
            await process.shut_down(replace(place, folder=folder), say)
            await asyncio.to_thread(shutil.rmtree, folder)
    if place.replaced.exists() and place.db.exists():
        await asyncio.to_thread(shutil.rmtree, place.replaced)
