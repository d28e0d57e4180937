"""What keeps this process from serving, or will soon."""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from precis import bootstrap, errors, metrics
from precis.database.clocks import APART, apart, clock_words
from precis.database.connections import Database, Tx
from precis.database.migrate import newer, refuse_outdated
from precis.database.replicas import ReplicatedDatabase
from precis.jobs.worker import HEARTBEAT_SECONDS
from precis.keys.elsewhere.keyring import RemoteKeyring
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.settings import Settings

#: A worker that was silent for so long counts as dead.
_DEAD_AFTER = timedelta(seconds=3 * HEARTBEAT_SECONDS)
#: Bytes that should be free where precis writes, and the share of the disk.
LEAST_FREE, LEAST_SHARE = 512 * 2**20, 0.02
#: PostgreSQL begins with a file of its log, of 16 MiB, and some pages more.
_ROOM_TO_START = 32 * 2**20


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrong:
    """One thing that is wrong."""

    #: database, migrations, log archive, keys, forgotten-log, replica, clock, worker, model or disk.
    part: str
    #: What it is, and what to do.
    message: str
    #: Whether requests cannot be served as long as it lasts.
    stops: bool = True

    def __str__(self) -> str:
        return f"{self.part}: {self.message}"


async def wrongs(runtime: bootstrap.Runtime) -> list[Wrong]:
    """What is wrong now; what stops requests first."""
    keys, log, disk, inside = await asyncio.gather(
        asyncio.to_thread(_wrong_keys, runtime.store.tenants.keyring),
        asyncio.to_thread(_wrong_log, runtime.store.restoring.log),
        asyncio.to_thread(wrong_disk, runtime.settings),
        _inside_database(runtime),
    )
    return sorted([*keys, *log, *disk, *inside], key=lambda fault: not fault.stops)


async def _inside_database(runtime: bootstrap.Runtime) -> list[Wrong]:
    faults: list[Wrong] = []
    try:
        await runtime.database.ping()
        async with runtime.database.tx() as tx:
            faults += await _outdated(tx)
            # A worker of this server speaks to it before the database hears of it for the first time.
            begins = runtime.worker_figures.begins(_DEAD_AFTER.total_seconds())
            faults += [] if begins else await _no_worker(tx)
            failed = await unarchived(tx)
        faults += [Wrong(part="log archive", message=failed, stops=False)] if failed else []
        faults += await _lagging(runtime.database)
        faults += await _strange_clock(runtime)
        faults += _without_model(runtime)
    except errors.StoreUnavailable as error:
        is_full = await asyncio.to_thread(has_no_room, runtime.settings)
        faults.append(Wrong(part="database", message=silence(runtime.settings, error, is_full=is_full)))
    return faults


def silence(settings: Settings, error: errors.StoreUnavailable, *, is_full: bool) -> str:
    """Why it does not answer, and what to do."""
    if is_full:
        return "it does not start, for its disk is full: make room, and precis starts it again"
    if str(error) != errors.StoreUnavailable.__doc__:
        return str(error)
    is_own = settings.database_url is None
    return "it does not answer" + ("; precis starts it again, and its log says why where that fails" if is_own else "")


def has_no_room(settings: Settings, *, needed: int = _ROOM_TO_START) -> bool:
    """Whether the embedded database cannot start, for lack of room for its log."""
    return settings.database_url is None and shutil.disk_usage(standing_at(settings.data_dir)).free < needed


def _wrong_keys(keyring: Keyring | RemoteKeyring) -> list[Wrong]:
    """Whether they open. Where several machines share them, a process goes on for a while with those that it has."""
    if isinstance(keyring, RemoteKeyring):
        faults = _unopened("keys", keyring.watch.look_around, "they cannot be used as they are")
        return [replace(fault, stops=not keyring.watch.serves()) for fault in faults]
    return _unopened("keys", keyring.check, "the key files cannot be opened")


def _wrong_log(log: ForgottenLog) -> list[Wrong]:
    """Whether it can be written: all but forgetting goes on without it."""
    faults = _unopened("forgotten-log", log.check, "it lies where it must not")
    return [replace(fault, message=f"nothing can be forgotten: {fault.message}", stops=False) for fault in faults]


def _without_model(runtime: bootstrap.Runtime) -> list[Wrong]:
    """Requests are served all the same: what a model does not make is made offline, or later."""
    if runtime.engine.summarizer not in metrics.UNANSWERED and not runtime.worker_figures.misses_a_model:
        return []
    message = "its last call failed, so its work is done offline or waits; the log and `precis doctor --model` say why"
    return [Wrong(part="model", message=message, stops=False)]


async def _lagging(database: Database) -> list[Wrong]:
    if not isinstance(database, ReplicatedDatabase):
        return []
    late = len(database.replicas) - await database.count_current()
    if not late:
        return []
    message = f"{late} of {len(database.replicas)} do not answer or lag, so the primary answers; look at replication"
    return [Wrong(part="replica", message=message, stops=False)]


async def _strange_clock(runtime: bootstrap.Runtime) -> list[Wrong]:
    difference = await apart(runtime.database, runtime.engine.clock)
    return [Wrong(part="clock", message=clock_words(difference), stops=False)] if difference > APART else []


async def unarchived(tx: Tx) -> str | None:
    """Why the database's log is not archived where it should be; None where it is, or need not be."""
    row = await tx.one("unarchived")
    if row is None:
        return None
    return (
        f"{row['last_failed_wal']} could not be archived, so no copy reaches beyond it, and the disk of the database "
        "fills: look at its log and at the folder of the archive; a file of that name there with other bytes is of "
        "another database, such as a copy of this one"
    )


async def _outdated(tx: Tx) -> list[Wrong]:
    rows = await tx.all("applied")
    try:
        refuse_outdated(rows)
    except errors.ConfigurationError as error:
        return [Wrong(part="migrations", message=str(error))]
    names = newer(rows)
    if not names:
        return []
    message = f"{', '.join(names)} is of a newer release, over which this one serves on; install that one"
    return [Wrong(part="migrations", message=message, stops=False)]


async def _no_worker(tx: Tx) -> list[Wrong]:
    beat, now = await tx.one("worker_beat"), await tx.one("moment")
    if beat and now and beat["beat"] is not None and now["began"] - beat["beat"] < _DEAD_AFTER:
        return []
    message = "none is running, so summaries are not kept current; start `precis worker`"
    return [Wrong(part="worker", message=message, stops=False)]


def _unopened(part: str, check: Callable[[], None], misplaced: str) -> list[Wrong]:
    """Whether keys or log answer and may lie where they lie."""
    try:
        check()
    except errors.ConfigurationError:
        return [Wrong(part=part, message=f"{misplaced}; `precis doctor` on the server says why")]
    except errors.StoreUnavailable as error:
        return [Wrong(part=part, message=str(error))]
    return []


def wrong_disk(settings: Settings, *, least: int = LEAST_FREE) -> list[Wrong]:
    """Where precis writes files and hardly anything is free."""
    full = sorted(name for name, folder in written_folders(settings).items() if is_nearly_full(folder, least=least))
    if not full:
        return []
    return [Wrong(part="disk", message=f"nearly full where these lie: {', '.join(full)}; make room", stops=False)]


def written_folders(settings: Settings) -> dict[str, Path]:
    """Where precis writes on this machine, by what it writes."""
    folders = {
        "keys": settings.keys_folder if settings.keys_url is None else None,
        "forgotten-log": settings.forgotten_folder if settings.forgotten_url is None else None,
        "database": settings.data_dir if settings.database_url is None else None,
    }
    return {name: folder for name, folder in folders.items() if folder is not None}


def is_nearly_full(folder: Path, *, least: int = LEAST_FREE) -> bool:
    """Whether less is free there than should be."""
    usage = shutil.disk_usage(standing_at(folder))
    return usage.free < max(least, LEAST_SHARE * usage.total)


def standing_at(folder: Path) -> Path:
    """The folder, or the next one above it that there is: what is not made yet will lie on its disk."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
