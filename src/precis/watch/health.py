"""What keeps this process from serving, or will soon: a plain line each, without a secret or a path."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from precis.bootstrap import Runtime
from precis.database.connections import Database, Tx
from precis.database.migrate import refuse_outdated
from precis.database.replicas import ReplicatedDatabase
from precis.errors import ConfigurationError, StoreUnavailable
from precis.jobs.worker import HEARTBEAT_SECONDS
from precis.keys.elsewhere.keyring import RemoteKeyring
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.settings import Settings

#: A worker that was silent for so long counts as dead.
_DEAD_AFTER = timedelta(seconds=3 * HEARTBEAT_SECONDS)
#: Bytes that should be free where precis writes, and the share of the disk.
LEAST_FREE, LEAST_SHARE = 512 * 2**20, 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrong:
    """One thing that is wrong."""

    #: database, migrations, keys, forgotten-log, replica, worker or disk.
    part: str
    #: What it is, and what to do.
    message: str
    #: Whether requests cannot be served as long as it lasts.
    stops: bool = True

    def __str__(self) -> str:
        return f"{self.part}: {self.message}"


async def wrongs(runtime: Runtime) -> list[Wrong]:
    """What is wrong now; what stops requests first."""
    faults = await asyncio.to_thread(_elsewhere, runtime)
    try:
        await runtime.database.ping()
        async with runtime.database.tx() as tx:
            faults += await _outdated(tx)
            # A worker of this server speaks to it before the database hears of it for the first time.
            begins = runtime.worker_figures.begins(_DEAD_AFTER.total_seconds())
            faults += [] if begins else await _no_worker(tx)
        faults += await _lagging(runtime.database)
    except StoreUnavailable as error:
        faults.append(Wrong(part="database", message=str(error)))
    return sorted(faults, key=lambda fault: not fault.stops)


def _elsewhere(runtime: Runtime) -> list[Wrong]:
    return [
        *wrong_keys(runtime.store.tenants.keyring), *wrong_log(runtime.store.restoring.log),
        *wrong_disk(runtime.settings),
    ]  # fmt: skip


async def _lagging(database: Database) -> list[Wrong]:
    if not isinstance(database, ReplicatedDatabase):
        return []
    late = len(database.replicas) - await database.count_current()
    if not late:
        return []
    message = f"{late} of {len(database.replicas)} do not answer or lag, so the primary answers; look at replication"
    return [Wrong(part="replica", message=message, stops=False)]


async def _outdated(tx: Tx) -> list[Wrong]:
    try:
        refuse_outdated(await tx.all("applied"))
    except ConfigurationError as error:
        return [Wrong(part="migrations", message=str(error))]
    return []


async def _no_worker(tx: Tx) -> list[Wrong]:
    beat, now = await tx.one("worker_beat"), await tx.one("moment")
    if beat and now and beat["beat"] is not None and now["began"] - beat["beat"] < _DEAD_AFTER:
        return []
    message = "none is running, so summaries are not kept current; start `precis worker`"
    return [Wrong(part="worker", message=message, stops=False)]


def wrong_keys(keyring: Keyring | RemoteKeyring) -> list[Wrong]:
    """Whether the keys open."""
    try:
        keyring.check()
    except ConfigurationError:
        return [Wrong(part="keys", message="the key files cannot be opened; `precis doctor` on the server says why")]
    except StoreUnavailable as error:
        return [Wrong(part="keys", message=str(error))]
    return []


def wrong_log(log: ForgottenLog) -> list[Wrong]:
    """Whether the forgotten-log answers: without it nothing can be forgotten."""
    try:
        log.check()
    except ConfigurationError:
        message = "it lies where it must not; `precis doctor` on the server says why"
        return [Wrong(part="forgotten-log", message=message)]
    except StoreUnavailable as error:
        return [Wrong(part="forgotten-log", message=str(error))]
    return []


def wrong_disk(settings: Settings, *, least: int = LEAST_FREE) -> list[Wrong]:
    """Where precis writes files and hardly anything is free."""
    folders = written_folders(settings)
    full = sorted(name for name, folder in folders.items() if is_nearly_full(folder, least=least))
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
