"""The keys that lie outside the database: a master key, and a file a tenant whose keys it wraps.

    master key  wraps  a tenant key (in versions)  wraps  the data keys in the database, which seal the texts

Erasing a version of a tenant key is what makes forgetting a user final: the data keys wrapped under it can be
opened by nobody, wherever copies of the database lie. Files are replaced whole, under a lock that processes
share. The calls are synchronous and take microseconds, or milliseconds where a file is written.
"""

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import IO

from precis.errors import ConfigurationError
from precis.keys import cipher

PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")  #: Safe in a path; any other tenant id is ``~`` and its base32.
#: Tenants whose path and keys are kept.
_TENANTS = 10_000


class Keyring:
    """A folder with the keys of one deployment. Several processes may hold it open.

    Without ``master`` the master key is ``master.key`` in the folder. Both are made with the first tenant's keys.
    """

    def __init__(self, folder: Path, master: bytes | None = None) -> None:
        self.folder = folder
        self._given = None if master is None else cipher.checked_key(master)
        self._files: dict[str, cipher.TenantFile] = {}
        self._opened: dict[str, cipher.TenantKeys] = {}
        self._path = lru_cache(_TENANTS)(self._path_of)
        self._tenants, self._master_path = folder / "tenants", folder / "master.key"
        self._next_path = folder / "master.next"  # the coming master key, while the rotation to it is under way
        if cipher.stamp(folder) is not None:
            with _locked(folder, fcntl.LOCK_EX):
                folder.chmod(0o700)
                self._refuse_without_master()
                self._finish_master_rotation()

    @property
    def where(self) -> str:
        """The folder, as a person would find it."""
        return str(self.folder)

    def has_tenant(self, tenant_id: str) -> bool:
        """Whether there are keys of this tenant."""
        return self._path(tenant_id).exists()

    def open_tenant(self, tenant_id: str, *, create: bool = True) -> cipher.TenantKeys:
        """The tenant's keys, made on first use.

        Pass ``create=False`` for a tenant that the database knows: then a lost key file is an error at once,
        not a new key that opens none of the tenant's texts. Raises ConfigurationError.
        """
        path = self._path(tenant_id)
        known = self._opened.get(tenant_id)
        # Keys of a file that is still the one on disk: a write asks for them again and again.
        if known is not None and known.made_from == cipher.stamp(path):
            return known
        if create and not path.exists():
            with self._writing() as master:
                if not path.exists():  # another process may have been faster
                    self._check_neighbor(master)
                    self._write(cipher.TenantFile.new(tenant_id), master)
        keys = cipher.TenantKeys(tenant_id, partial(self._read, tenant_id))
        if len(self._opened) >= _TENANTS:
            self._opened.clear()
        self._opened[tenant_id] = keys
        return keys

    def every_file(self) -> list[cipher.TenantFile]:
        """The keys of all tenants. Raises ConfigurationError."""
        with _locked(self.folder, fcntl.LOCK_SH):
            return list(self._open_all(self._masters()).values())

    def begin_rotation(self, tenant_id: str) -> int:
        """Adds a version and returns it once it is on disk; the older ones stay.

        Then, in one transaction that locks the tenant's data keys against other writers, wrap all of them
        again but the forgotten user's; commit; call finish_rotation. Interrupted anywhere, every committed
        row stays readable.
        """
        with self._writing() as master:
            file = self._load(tenant_id)
            version = max(file.versions) + 1
            self._write(replace(file, versions={**file.versions, version: cipher.new_data_key()}), master)
        return version

    def finish_rotation(self, tenant_id: str, *, keep: int) -> tuple[int, ...]:
        """Erases the versions older than ``keep`` and returns them. Call it after the commit, again after a crash.

        Newer versions stay: another rotation may have begun. Raises ConfigurationError where the file knows no version
        as new as that: it is older than the database.
        """
        with self._writing() as master:
            file = self._load(tenant_id)
            if max(file.versions) < keep:
                raise ConfigurationError(f"tenant {tenant_id!r} has no key version {keep}: nothing was erased")
            erased = sorted(n for n in file.versions if n < keep)
            if erased:
                kept = {n: key for n, key in file.versions.items() if n >= keep}
                self._write(replace(file, versions=kept), master)
        return tuple(erased)

    def rotate_master(self, new_master: bytes | None = None) -> bytes:
        """Wraps every tenant's keys by another master key (a random one by default) and returns it.

        No text and no row is touched. Interrupted, it goes on at the next use of the folder; with a master
        key that was passed in, when it is called again with the same two keys.
        """
        master = cipher.new_data_key() if new_master is None else cipher.checked_key(new_master)
        with self._writing():
            self._open_all([*self._masters(), master])  # one damaged file must stop this before it begins
            if self._given is None:
                _replace_file(self._next_path, cipher.encode_key(master).encode())
                self._finish_master_rotation()
            else:
                self._wrap_all(master, [self._given, master])
                self._given = master
        return master

    def check(self) -> None:
        """Open what lies in the folder: the master key, and the file of one tenant by it. Raises ConfigurationError."""
        with _locked(self.folder, fcntl.LOCK_SH):
            masters = self._masters()
            for path in islice(self._tenants.glob("*.json"), 1):
                cipher.open_file(path, masters)

    def _path_of(self, tenant_id: str) -> Path:
        name = tenant_id
        if not PLAIN_NAME.fullmatch(tenant_id):  # "~" begins no plain name, so the two never meet
            name = "~" + hashlib.sha256(cipher.framed(tenant_id)).hexdigest()
        return self._tenants / f"{name}.json"

    @contextmanager
    def _writing(self) -> Iterator[bytes]:
        """Holds the folder for this process alone, and gives the master key to write with."""
        with _file_errors(self.folder):
            self._tenants.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _locked(self.folder, fcntl.LOCK_EX):
            self.folder.chmod(0o700)
            self._refuse_without_master()
            if self._lacks_master():
                _replace_file(self._master_path, cipher.encode_key(cipher.new_data_key()).encode())
            self._finish_master_rotation()
            yield self._masters()[0]

    def _masters(self) -> list[bytes]:
        """The master keys a file may be wrapped by: two while a rotation of the master key is interrupted."""
        if self._given is not None:
            return [self._given]
        try:
            masters = [_read_private(self._master_path)]
        except FileNotFoundError as error:
            message = f"the master key {self._master_path} is missing: restore it, or set PRECIS_MASTER_KEY"
            raise ConfigurationError(message) from error
        return [*masters, _read_private(self._next_path)] if self._next_path.exists() else masters

    def _lacks_master(self) -> bool:
        return self._given is None and not self._master_path.exists()

    def _refuse_without_master(self) -> None:
        """A new one would open none of the files that are there, and hide that something is lost."""
        if self._lacks_master() and next(self._tenants.glob("*.json"), None) is not None:
            message = f"{self.folder} has tenants' keys but no master.key: restore it, or set PRECIS_MASTER_KEY"
            raise ConfigurationError(message)

    def _check_neighbor(self, master: bytes) -> None:
        """A process that still has the master key of before a rotation must not write new files under it."""
        for path in islice(self._tenants.glob("*.json"), 1):
            cipher.open_file(path, [master])

    def _finish_master_rotation(self) -> None:
        if self._given is None and self._next_path.exists():
            masters = self._masters()
            self._wrap_all(masters[-1], masters)
            _move(self._next_path, self._master_path)

    def _wrap_all(self, master: bytes, known: list[bytes]) -> None:
        for path, file in self._open_all(known).items():
            _replace_file(path, file.sealed(master))
        self._files.clear()

    def _open_all(self, known: list[bytes]) -> dict[Path, cipher.TenantFile]:
        return {path: cipher.open_file(path, known) for path in sorted(self._tenants.glob("*.json"))}

    def _read(self, tenant_id: str, *, again: bool = False) -> cipher.TenantFile:
        """The tenant's file; from memory as long as it is the one on disk."""
        file = self._files.get(tenant_id)
        if file is None or again or file.stamp != cipher.stamp(self._path(tenant_id)):
            with _locked(self.folder, fcntl.LOCK_SH):
                file = self._files[tenant_id] = self._load(tenant_id)
        return file

    def _load(self, tenant_id: str) -> cipher.TenantFile:
        path = self._path(tenant_id)
        if not path.exists():
            raise ConfigurationError(
                f"the key file {path} of tenant {tenant_id!r} is missing: restore it from a copy of the key "
                "folder. Without it the tenant's texts cannot be opened"
            )
        file = cipher.open_file(path, self._masters())
        if file.tenant_id != tenant_id:
            message = f"{path} has the keys of tenant {file.tenant_id!r}, not of {tenant_id!r}: was it renamed?"
            raise ConfigurationError(message)
        return file

    def _write(self, file: cipher.TenantFile, master: bytes) -> None:
        _replace_file(self._path(file.tenant_id), file.sealed(master))
        self._files.pop(file.tenant_id, None)


def _read_private(path: Path) -> bytes:
    if path.stat().st_mode & 0o077:
        raise ConfigurationError(f"{path} can be read by other users of the machine: run chmod 600 on it")
    return cipher.decode_key(path.read_bytes(), path)


# --- files that are replaced whole ---


@contextmanager
def _file_errors(folder: Path) -> Iterator[None]:
    """A folder that cannot be used is a ConfigurationError."""
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"the key folder {folder} cannot be used: {error}") from error


@contextmanager
def _locked(folder: Path, mode: int) -> Iterator[None]:
    """Keeps others, processes and threads, from writing, and with LOCK_EX from reading, what is replaced."""
    with _file_errors(folder), open(folder / ".lock", "a", opener=_private) as lock:
        fcntl.flock(lock, mode)  # the kernel lets go of it when the process dies
        yield


def _private(path: str, flags: int) -> int:
    """Open for ``open``: readable by its owner only."""
    return os.open(path, flags, 0o600)


def _replace_file(path: Path, content: bytes) -> None:
    """Puts a file in the place of another at one stroke, durably, and overwrites the other."""
    fresh = path.with_name(path.name + ".new")
    if fresh.exists():  # left where a process died
        with fresh.open("r+b") as leftover:
            _overwrite(leftover)
        fresh.unlink()
    with open(fresh, "xb", opener=_private) as file:
        file.write(content)
        file.flush()
        _date_after(file.fileno(), path)
        os.fsync(file.fileno())
    _move(fresh, path)


def _date_after(file: int, replaced: Path) -> None:
    """Two files within one tick of the clock would have one stamp, and the second would not be read."""
    before, now = cipher.stamp(replaced), os.fstat(file).st_mtime_ns
    if before is not None and before[-1] >= now:
        os.utime(file, ns=(before[-1] + 1, before[-1] + 1))


def _move(fresh: Path, path: Path) -> None:
    """Put a finished file in the place of another, and overwrite the other."""
    with ExitStack() as stack:
        replaced = stack.enter_context(path.open("r+b")) if path.exists() else None
        fresh.replace(path)
        _sync(path.parent)
        if replaced is not None:  # only now: a process that dies before must leave a file that opens
            _overwrite(replaced)


def _overwrite(file: IO[bytes]) -> None:
    """Zeros over what a removed file held. docs/why/encryption.md says what that is worth."""
    with suppress(OSError):  # the file is out of use already, and a disk that is full must not undo that
        file.write(bytes(os.fstat(file.fileno()).st_size))
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """A rename is durable once its folder is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
