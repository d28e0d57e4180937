"""Small files that must not be lost, torn or read by others: replaced whole, synced, under a shared lock."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from precis.errors import ConfigurationError


def stamp(file: Path | int) -> tuple[int, ...] | None:
    """What changes when a file is replaced; None where there is no file."""
    try:
        seen = os.stat(file)  # noqa: PTH116 - a path or an open file
    except FileNotFoundError:
        return None
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns)


@contextmanager
def file_errors(folder: Path) -> Iterator[None]:
    """A folder that cannot be used is a ConfigurationError."""
    try:
        yield
    except OSError as error:
        message = f"the key folder {folder} cannot be used: {error}"
        raise ConfigurationError(message) from error


@contextmanager
def locked(folder: Path, mode: int) -> Iterator[None]:
    """Keeps others, processes and threads, from writing, and with LOCK_EX from reading, what is replaced."""
    with file_errors(folder), open(folder / ".lock", "a", opener=private) as lock:
        fcntl.flock(lock, mode)  # the kernel lets go of it when the process dies
        yield


def private(path: str, flags: int) -> int:
    """Open for ``open``: readable by its owner only."""
    return os.open(path, flags, 0o600)


def replace(path: Path, content: bytes) -> None:
    """Puts a file in the place of another at one stroke, durably, and overwrites the other."""
    fresh = path.with_name(path.name + ".new")
    if fresh.exists():  # left where a process died
        with fresh.open("r+b") as left:
            overwrite(left)
        fresh.unlink()
    with open(fresh, "xb", opener=private) as file:
        file.write(content)
        file.flush()
        _date_after(file.fileno(), path)
        os.fsync(file.fileno())
    move(fresh, path)


def _date_after(file: int, replaced: Path) -> None:
    """Two files within one tick of the clock would have one stamp, and the second would not be read."""
    before, now = stamp(replaced), os.fstat(file).st_mtime_ns
    if before is not None and before[-1] >= now:
        os.utime(file, ns=(before[-1] + 1, before[-1] + 1))


def move(fresh: Path, path: Path) -> None:
    """Put a finished file in the place of another, and overwrite the other."""
    with ExitStack() as stack:
        replaced = stack.enter_context(path.open("r+b")) if path.exists() else None
        fresh.replace(path)
        sync(path.parent)
        if replaced is not None:  # only now: a process that dies before must leave a file that opens
            overwrite(replaced)


def overwrite(file: IO[bytes]) -> None:
    """Zeros over what a removed file held. docs/why/encryption.md says what that is worth."""
    with suppress(OSError):  # the file is out of use already, and a disk that is full must not undo that
        file.write(bytes(os.fstat(file.fileno()).st_size))
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """A rename is durable once its folder is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
