"""``precis backup``: a copy of the embedded database while it serves, whole or not at all.

PostgreSQL's pg_basebackup reads every file and the log that was written meanwhile. The copy is made under a name that
ends with ``.new``, compared with its manifest, and only then gets its name. It holds no key and nothing of the
forgotten-log.
"""

import asyncio
import fcntl
import os
import shutil
import signal
import subprocess
import tarfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from precis import __version__
from precis.care.contents import Copy, label, read_copy, unlabel, verify
from precis.embedded.files import archive_of, named_archive, set_archive
from precis.embedded.place import OWNER, Place, place_at
from precis.embedded.process import Say, ensure_running, exclusive, shut_down
from precis.embedded.server import EmbeddedServer, running
from precis.errors import Conflict, InvalidInput, NotFound, StoreUnavailable
from precis.makers import Clock
from precis.settings import Settings

#: Whatever ends so is a file; anything else is a folder that keeps copies and, if asked for, the log.
SUFFIXES = (".tar", ".tar.gz", ".tgz")
#: How often a copy is begun again because a user was forgotten meanwhile, which changes the keys.
_TRIES = 3
#: How often, and how many seconds apart, a backup looks whether another one has ended.
_ATTEMPTS, _ATTEMPT_S = 40, 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """What a backup left."""

    path: Path
    bytes: int
    #: Copies that went because newer ones are kept, by name.
    removed: tuple[str, ...] = ()
    #: Where the log is copied to from now on; None where it is not.
    wal: Path | None = None


def is_file(target: Path) -> bool:
    """Whether a backup of this name is one file."""
    return target.name.endswith(SUFFIXES)


def copies_in(folder: Path) -> list[Copy]:
    """The whole copies of a folder, oldest first."""
    copies = [read_copy(path) for path in (folder / "copies").glob("[!.]*")]
    return sorted(copies, key=lambda copy: copy.ended_at)


async def back_up(
    settings: Settings, target: Path, *, clock: Clock, say: Say, keys_to: Path | None = None,
    continuous: bool | None = None, keep: int | None = None, is_replacing: bool = False,
) -> Taken:  # fmt: skip
    """Take a copy. ``continuous`` switches on or off that the log is copied, too, by a restart of the database.

    A file of the same name is given up for it where that ``is_replacing``.

    Raises NotFound, InvalidInput, Conflict, StoreUnavailable.
    """
    target = _absolute(target)
    _refuse(settings, target, keys_to, continuous=continuous, keep=keep)
    if is_file(target) and target.exists() and not is_replacing:
        raise Conflict(f"{target} exists: name another file, or add --replace to give that copy up for the new one")
    place = place_at(settings.data_dir)
    home = target.parent if is_file(target) else target / "copies"
    with _errors_of(target):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        lock = await stack.enter_async_context(_alone(home, target))
        stack.enter_context(_whole_or_nothing(home, target))
        _remove_leftovers(home)
        async with running(settings.data_dir, progress=say) as server:
            if continuous is not None:
                await _switch(place, target / "wal" if continuous else None, say)
            fresh = home / f".{target.name if is_file(target) else 'copy'}.new"
            # A database that an older precis restored still has the label of its copy, which would be taken along.
            unlabel(place.db)
            await _copy_with_keys(server, fresh, settings.keys_folder, keys_to, lock)
        ended_at = clock()
        label(fresh, ended_at=ended_at, release=__version__)
        size = await asyncio.to_thread(verify, fresh)
        path = target if is_file(target) else home / f"{ended_at:%Y-%m-%dT%H-%M-%S.%fZ}"
        await asyncio.to_thread(_finish, fresh, path)
    removed = _prune(target, keep) if keep else ()
    if is_file(target):
        return Taken(path=path, bytes=path.stat().st_size, removed=removed)
    return Taken(path=path, bytes=size, removed=removed, wal=archive_of(place))


def _refuse(
    settings: Settings, target: Path, keys_to: Path | None, *, continuous: bool | None, keep: int | None
) -> None:  # fmt: skip
    if settings.database_url is not None:
        raise InvalidInput("an external database is copied by its own tools, such as pg_basebackup or pg_dump")
    data = _absolute(settings.data_dir)
    if not (data / "db" / "PG_VERSION").exists():
        raise NotFound(f"there is no database in {data}")
    if is_file(target) and (continuous is not None or keep is not None):
        raise InvalidInput("--continuous and --keep belong to a folder of copies, and a name with .tar is one copy")
    _refuse_missing_parents(target, keys_to)
    for other, what in ((data, "the data folder"), (settings.keys_folder.absolute(), "the key folder")):
        if _overlap(target, other):
            raise InvalidInput(f"{target} and {what} {other} lie in each other: name another place")
    if keys_to is None:
        return
    for other in (target, data):
        if _overlap(_absolute(keys_to), other):
            raise InvalidInput(f"{keys_to} and {other} lie in each other: keys are kept apart from what they open")
    if keys_to.exists():
        raise Conflict(f"{keys_to} exists: name a new folder, so that no copy of keys is overwritten")


def _refuse_missing_parents(*paths: Path | None) -> None:
    for parent in (_absolute(path).parent for path in paths if path is not None):
        if not parent.is_dir():
            raise NotFound(f"there is no folder {parent}: make it, mount its disk, or correct the name")


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def _overlap(folder: Path, other: Path) -> bool:
    return folder == other or folder in other.parents or other in folder.parents


@contextmanager
def _errors_of(target: Path) -> Iterator[None]:
    """Of what cannot be written the name that somebody gave is told, and nothing of what is hidden beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from error


@contextmanager
def _whole_or_nothing(home: Path, target: Path) -> Iterator[None]:
    """A backup that fails leaves nothing of itself: on a disk that is full the half of it would keep it so."""
    try:
        with _errors_of(target):
            yield
    except BaseException:
        with suppress(OSError):
            _remove_leftovers(home)
        raise


@asynccontextmanager
async def _alone(home: Path, target: Path) -> AsyncIterator[int]:
    """One backup at a time into a folder; pg_basebackup inherits the lock, and ends soon after this process was killed.

    Raises Conflict.
    """
    path = home / ".lock"
    for attempt in count(1):
        with _errors_of(target):
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        with suppress(BlockingIOError, FileNotFoundError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), path.stat()):  # else whoever had it took it away meanwhile
                break
        os.close(lock)
        if attempt > _ATTEMPTS:
            raise Conflict(f"another backup into {home} is under way")
        await asyncio.sleep(_ATTEMPT_S)
    try:
        yield lock
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(lock)


def _remove_leftovers(home: Path) -> None:
    """What killed backups left."""
    for path in home.glob(".*.new*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


async def _switch(place: Place, wal: Path | None, say: Say) -> None:
    """Have the log copied there, or no longer: the server reads that when it starts."""
    if archive_of(place) == wal and (wal is not None or named_archive(place.folder) is None):
        return
    async with exclusive(place, say):
        set_archive(place, wal)
        say("restarting the database, so that it keeps its log" if wal else "restarting the database")
        await shut_down(place, say)
        await ensure_running(place, say)


async def _copy_with_keys(
    server: EmbeddedServer, fresh: Path, keys: Path, keys_to: Path | None, lock: int
) -> None:  # fmt: skip
    """Copy the database, and the keys that open this copy: those that were the same before it and after it."""
    if keys_to is None:
        await _basebackup(server, fresh, lock)
        return
    for _ in range(_TRIES):
        before = key_files(keys)
        await _basebackup(server, fresh, lock)
        if before == key_files(keys):
            write_keys(before, _absolute(keys_to))
            return
        shutil.rmtree(fresh)
    raise Conflict("users were forgotten while the copy was made, which changes the keys: try again")


def key_files(folder: Path) -> dict[Path, bytes]:
    """Every file of the key folder but locks and what is being written."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder): path.read_bytes() for path in paths if path.suffix in (".key", ".next", ".json")}


def write_keys(files: dict[Path, bytes], folder: Path) -> None:
    """Write key files into a folder that is not there yet, all of them or none."""
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700, parents=True)
    for name, content in files.items():
        path = fresh / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    fresh.rename(folder)


async def _basebackup(server: EmbeddedServer, fresh: Path, lock: int) -> None:
    """Copy a running server. Raises StoreUnavailable."""
    postmaster = server.place.postmaster() or server.postmaster
    program = server.place.programs / "pg_basebackup"
    options = ["--wal-method=stream", "--checkpoint=fast", "--manifest-checksums=SHA256", "--no-password"]
    command = [str(program), f"--dbname={postmaster.dsn(user=OWNER)}", f"--pgdata={fresh}", *options]
    process = await asyncio.create_subprocess_exec(
        *command, pass_fds=(lock,), cwd="/", env={"PATH": os.defpath, "LC_ALL": "C"}, start_new_session=True,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        _, printed = await process.communicate()
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if process.returncode != 0:
        reason = " ".join(printed.decode(errors="replace").split())
        raise StoreUnavailable(f"the database could not be copied: {reason}")


def _finish(fresh: Path, path: Path) -> None:
    """Give a finished copy its name, once all of it is on the disk."""
    packed = fresh
    if is_file(path):
        packed = fresh.with_name(f"{fresh.name}.packed")
        # Python's own level makes it one percent smaller, in four times the time.
        packing = {"mode": "w:gz", "compresslevel": 6} if path.suffix in (".gz", ".tgz") else {"mode": "w"}
        with tarfile.open(packed, **packing) as archive:
            archive.add(fresh, arcname=".")
        packed.chmod(0o600)
    to_disk(packed)
    packed.rename(path)
    to_disk(path)
    shutil.rmtree(fresh, ignore_errors=True)


def to_disk(path: Path) -> None:
    """Have the file system of a path written out: a thousand files one by one take seconds."""
    subprocess.run(["/bin/sh", "-c", 'exec sync -f "$1"', "sh", str(path)], check=True)  # noqa: S603 - ours


def _prune(folder: Path, keep: int) -> tuple[str, ...]:
    """Keep so many copies, and the log from the oldest of them on."""
    copies = copies_in(folder)
    outdated = copies[:-keep]
    for copy in outdated:
        leaving = copy.folder.with_name(f".{copy.folder.name}.new")
        copy.folder.rename(leaving)
        shutil.rmtree(leaving)
    needed = min(copy.first_segment for copy in copies[-keep:])
    for path in (folder / "wal").glob("*.gz"):
        segment = path.name[8:24]
        if len(path.name) >= len("000000010000000000000001.gz") and segment < needed:
            path.unlink()
    return tuple(copy.folder.name for copy in outdated)
