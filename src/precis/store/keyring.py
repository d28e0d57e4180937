"""The keys that lie outside the database: a master key, and a file a tenant whose keys it wraps.

    master key  wraps  a tenant key (in versions)  wraps  the data keys in the database, which seal the texts

Erasing a version of a tenant key is what makes forgetting a user final: the data keys wrapped under it can be
opened by nobody, wherever copies of the database lie. Files are replaced whole, under a lock that processes
share. The calls are synchronous and take microseconds, or milliseconds where a file is written.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import hmac
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any

from precis.errors import ConfigurationError, Undecryptable
from precis.store.cipher import KEY_BYTES, Cipher, framed, new_data_key

#: Keys of one tenant that no rotation changes, since what they made is compared with what they make.
_SECRETS = ("terms", "fingerprint", "tombstone", "user_ref")
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def decode_key(text: str) -> bytes:
    """A key from its base64url form, as in PRECIS_MASTER_KEY and master.key. Raises ConfigurationError."""
    try:
        key = base64.b64decode(text.strip(), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        key = b""  # neither the text nor the error belongs into a message: it may be nearly the key
    return _checked(key)


def encode_key(key: bytes) -> str:
    """The base64url form of a key."""
    return base64.urlsafe_b64encode(key).decode()


@dataclass(frozen=True, kw_only=True, slots=True)
class _TenantFile:
    """What one tenant's file holds, opened."""

    tenant_id: str
    versions: Mapping[int, bytes] = field(repr=False)
    secrets: Mapping[str, bytes] = field(repr=False)
    #: Inode, size and times of the file it was read from: another stamp means that the file was replaced.
    stamp: tuple[int, ...] | None = None

    @classmethod
    def new(cls, tenant_id: str) -> _TenantFile:
        secrets = {name: new_data_key() for name in _SECRETS}
        return cls(tenant_id=tenant_id, versions={1: new_data_key()}, secrets=secrets)

    def sealed(self, master: bytes) -> bytes:
        """The file's content, its keys wrapped by the master key."""
        seal = partial(Cipher(master).seal, tenant_id=self.tenant_id)
        versions = {str(n): seal(key, row_id=str(n), column="tenant key") for n, key in self.versions.items()}
        secrets = {name: seal(key, row_id=name, column="tenant secret") for name, key in self.secrets.items()}
        document = {
            "tenant": self.tenant_id,
            "master": _name_of(master),
            "versions": {n: encode_key(wrapped) for n, wrapped in versions.items()},
            "secrets": {name: encode_key(wrapped) for name, wrapped in secrets.items()},
        }
        return json.dumps(document, indent=1).encode()

    @classmethod
    def opened(cls, document: Mapping[str, Any], master: bytes, stamp: tuple[int, ...] | None) -> _TenantFile:
        """The reverse of sealed. Raises Undecryptable when the file was altered."""
        tenant_id = str(document["tenant"])
        unseal = partial(Cipher(master).open, tenant_id=tenant_id)
        return cls(
            tenant_id=tenant_id,
            versions={
                int(n): unseal(base64.urlsafe_b64decode(wrapped), row_id=n, column="tenant key")
                for n, wrapped in document["versions"].items()
            },
            secrets={
                name: unseal(base64.urlsafe_b64decode(wrapped), row_id=name, column="tenant secret")
                for name, wrapped in document["secrets"].items()
            },
            stamp=stamp,
        )


class TenantKeys:
    """The keys of one tenant. Stays good while other processes rotate: a changed file is read again."""

    def __init__(self, tenant_id: str, read: Callable[..., _TenantFile]) -> None:
        self.tenant_id = tenant_id
        self._read = read
        secrets = read().secrets
        self._terms, self._fingerprint, self._tombstone, self._user_ref = (
            hmac.new(secrets[name], digestmod=hashlib.sha256) for name in _SECRETS
        )

    @property
    def current_version(self) -> int:
        """The version that wrap uses: the newest."""
        return max(self._read().versions)

    def wrap(self, user_ref: bytes, data_key: bytes) -> tuple[int, bytes]:
        """The data key under the current tenant key: the version of that key, and what the row stores."""
        versions = self._read().versions
        version = max(versions)
        sealed = Cipher(versions[version]).seal(data_key, **self._place(user_ref, version))
        return version, sealed

    def unwrap(self, user_ref: bytes, version: int, wrapped: bytes) -> bytes:
        """The data key. Raises Undecryptable when that version was erased, or the row is another user's."""
        key = self._read().versions.get(version) or self._read(again=True).versions.get(version)
        if key is None:
            message = (
                f"version {version} of the key of tenant {self.tenant_id!r} is not in its key file: it was "
                "erased when a user was forgotten, or the file is older or newer than the database"
            )
            raise Undecryptable(message)
        return Cipher(key).open(wrapped, **self._place(user_ref, version))

    def term(self, word: str) -> int:
        """What stands for a word in the index: a keyed hash, as a signed 64-bit number.

        Nothing is cached, though a word costs a microsecond or two: a cache would hold words of
        forgotten texts.
        """
        keyed = self._terms.copy()
        keyed.update(word.encode("utf-8", "surrogatepass"))
        return int.from_bytes(keyed.digest()[:8], "big", signed=True)

    def terms(self, words: Iterable[str]) -> list[int]:
        """The same for several words, in order."""
        return [self.term(word) for word in words]

    def fingerprint(self, *fields: str | bytes) -> bytes:
        """16 bytes that change when a field does; ("ab", "c") and ("a", "bc") are different fields."""
        return _keyed(self._fingerprint, *fields)[:16]

    def tombstone(self, memory_id: str) -> bytes:
        """What a forgotten id leaves behind: a later write of it is noticed, and nobody can read it."""
        return _keyed(self._tombstone, memory_id)

    def user_ref(self, user_id: str | None) -> bytes:
        """Names the row of a user's data key without the user's id; None is the tenant's own data key."""
        return _keyed(self._user_ref, *(("tenant",) if user_id is None else ("user", user_id)))

    def _place(self, user_ref: bytes, version: int) -> dict[str, str]:
        return {
            "tenant_id": self.tenant_id,
            "row_id": user_ref.hex(),
            "column": f"data key, version {version}",
        }


class Keyring:
    """A folder with the keys of one deployment. Several processes may hold it open.

    Without ``master`` the master key is ``master.key`` in the folder, made on first use.
    """

    def __init__(self, folder: Path, master: bytes | None = None) -> None:
        self.folder = folder
        self._given = None if master is None else _checked(master)
        self._files: dict[str, _TenantFile] = {}
        with _file_errors(folder):
            self._tenants.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        with _locked(folder, fcntl.LOCK_EX):
            if self._given is None and not self._master_path.exists():
                self._make_master()
            self._finish_master_rotation()

    def open_tenant(self, tenant_id: str, *, create: bool = True) -> TenantKeys:
        """The tenant's keys, made on first use.

        Pass ``create=False`` for a tenant that the database knows: then a lost key file is an error at once,
        not a new key that opens none of the tenant's texts. Raises ConfigurationError.
        """
        if create and not self._path(tenant_id).exists():
            with self._writing() as master:
                if not self._path(tenant_id).exists():  # another process may have been faster
                    self._check_neighbor(master)
                    self._write(_TenantFile.new(tenant_id), master)
        return TenantKeys(tenant_id, partial(self._read, tenant_id))

    def begin_rotation(self, tenant_id: str) -> int:
        """Adds a version and returns it once it is on disk; the older ones stay.

        Then, in one transaction that locks the tenant's data keys against other writers, wrap all of them
        again but the forgotten user's; commit; call finish_rotation. Interrupted anywhere, every committed
        row stays readable.
        """
        with self._writing() as master:
            file = self._load(tenant_id)
            version = max(file.versions) + 1
            self._write(replace(file, versions={**file.versions, version: new_data_key()}), master)
        return version

    def finish_rotation(self, tenant_id: str, *, keep: int) -> tuple[int, ...]:
        """Erases the versions older than ``keep`` and returns them. Call it after the commit.

        Newer versions stay: another rotation may have begun.
        """
        with self._writing() as master:
            file = self._load(tenant_id)
            if keep not in file.versions:
                message = f"tenant {tenant_id!r} has no key version {keep}: nothing was erased"
                raise ConfigurationError(message)
            return self._erase(file, {n for n in file.versions if n < keep}, master)

    def collect(self, tenant_id: str, referenced_versions: Collection[int]) -> tuple[int, ...]:
        """Erases what an interrupted rotation left, given every version that a row of the database names.

        Versions newer than all of these stay, since a rotation may be about to commit rows that name them. So
        does everything when none is given: a query that saw no row must not cost a tenant its texts. Hold the
        same lock on the tenant's data keys as a rotation, from before the rows are read.
        """
        newest = max(referenced_versions, default=0)
        with self._writing() as master:
            file = self._load(tenant_id)
            older = {n for n in file.versions if n < newest}
            return self._erase(file, older.difference(referenced_versions), master)

    def rotate_master(self, new_master: bytes | None = None) -> bytes:
        """Wraps every tenant's keys by another master key (a random one by default) and returns it.

        No text and no row is touched. Interrupted, it goes on at the next use of the folder; with a master
        key that was passed in, when it is called again with the same two keys.
        """
        master = new_data_key() if new_master is None else _checked(new_master)
        with self._writing():
            self._open_all([*self._masters(), master])  # one damaged file must stop this before it begins
            if self._given is None:
                _replace(self._next_path, encode_key(master).encode())
                self._finish_master_rotation()
            else:
                self._wrap_all(master, [self._given, master])
                self._given = master
        return master

    @property
    def _tenants(self) -> Path:
        return self.folder / "tenants"

    @property
    def _master_path(self) -> Path:
        return self.folder / "master.key"

    @property
    def _next_path(self) -> Path:
        """Where the coming master key lies while the rotation to it is under way."""
        return self.folder / "master.next"

    def _path(self, tenant_id: str) -> Path:
        name = tenant_id
        if not _PLAIN_NAME.fullmatch(tenant_id):  # "~" begins no plain name, so the two never meet
            name = "~" + hashlib.sha256(framed(tenant_id)).hexdigest()
        return self._tenants / f"{name}.json"

    @contextmanager
    def _writing(self) -> Iterator[bytes]:
        """Holds the folder for this process alone, and gives the master key to write with."""
        with _locked(self.folder, fcntl.LOCK_EX):
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

    def _make_master(self) -> None:
        if next(self._tenants.glob("*.json"), None) is not None:
            # A new one would open none of them, and hide that something is lost.
            message = (
                f"{self.folder} has tenants' keys but no master.key: restore it, or set PRECIS_MASTER_KEY"
            )
            raise ConfigurationError(message)
        _replace(self._master_path, encode_key(new_data_key()).encode())

    def _check_neighbor(self, master: bytes) -> None:
        """A process that still has the master key of before a rotation must not write new files under it."""
        for path in islice(self._tenants.glob("*.json"), 1):
            _opened(path, [master])

    def _finish_master_rotation(self) -> None:
        if self._given is None and self._next_path.exists():
            masters = self._masters()
            self._wrap_all(masters[-1], masters)
            _move(self._next_path, self._master_path)

    def _wrap_all(self, master: bytes, known: list[bytes]) -> None:
        for path, file in self._open_all(known).items():
            _replace(path, file.sealed(master))
        self._files.clear()

    def _open_all(self, known: list[bytes]) -> dict[Path, _TenantFile]:
        return {path: _opened(path, known) for path in sorted(self._tenants.glob("*.json"))}

    def _read(self, tenant_id: str, *, again: bool = False) -> _TenantFile:
        """The tenant's file; from memory as long as it is the one on disk."""
        file = self._files.get(tenant_id)
        if file is None or again or file.stamp != _stamp(self._path(tenant_id)):
            with _locked(self.folder, fcntl.LOCK_SH):
                file = self._files[tenant_id] = self._load(tenant_id)
        return file

    def _load(self, tenant_id: str) -> _TenantFile:
        path = self._path(tenant_id)
        if not path.exists():
            message = (
                f"the key file {path} of tenant {tenant_id!r} is missing: restore it from a copy of the key "
                "folder. Without it the tenant's texts cannot be opened"
            )
            raise ConfigurationError(message)
        file = _opened(path, self._masters())
        if file.tenant_id != tenant_id:
            message = (
                f"{path} has the keys of tenant {file.tenant_id!r}, not of {tenant_id!r}: was it renamed?"
            )
            raise ConfigurationError(message)
        return file

    def _write(self, file: _TenantFile, master: bytes) -> None:
        _replace(self._path(file.tenant_id), file.sealed(master))
        self._files.pop(file.tenant_id, None)

    def _erase(self, file: _TenantFile, gone: set[int], master: bytes) -> tuple[int, ...]:
        if gone:
            kept = {n: key for n, key in file.versions.items() if n not in gone}
            self._write(replace(file, versions=kept), master)
        return tuple(sorted(gone))


def _checked(master: bytes) -> bytes:
    if len(master) != KEY_BYTES:
        message = f"a master key is {KEY_BYTES} random bytes, or 44 characters of base64url: this is not one"
        raise ConfigurationError(message)
    return master


def _name_of(master: bytes) -> str:
    """Tells master keys apart without telling what they are."""
    return hmac.digest(master, b"name of a master key", "sha256").hex()[:16]


def _keyed(mac: hmac.HMAC, *fields: str | bytes) -> bytes:
    keyed = mac.copy()  # a copy skips the key schedule: half the time of a new one
    keyed.update(framed(*fields))
    return keyed.digest()


def _opened(path: Path, masters: list[bytes]) -> _TenantFile:
    with path.open("rb") as file:
        stamp, content = _stamp(file.fileno()), file.read()
    try:
        document = json.loads(content)
        for master in masters:
            if document["master"] == _name_of(master):
                return _TenantFile.opened(document, master, stamp)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"the key file {path} is damaged: restore it from a copy of the key folder"
        raise ConfigurationError(message) from error
    message = f"{path} is wrapped by another master key: check PRECIS_MASTER_KEY or master.key"
    raise ConfigurationError(message)


def _stamp(file: Path | int) -> tuple[int, ...] | None:
    """What changes when a file is replaced; None where there is no file."""
    try:
        seen = os.stat(file)
    except FileNotFoundError:
        return None
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns)


def _read_private(path: Path) -> bytes:
    if path.stat().st_mode & 0o077:
        message = f"{path} can be read by other users of the machine: run chmod 600 on it"
        raise ConfigurationError(message)
    return decode_key(path.read_text())


@contextmanager
def _file_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"the key folder {folder} cannot be used: {error}"
        raise ConfigurationError(message) from error


@contextmanager
def _locked(folder: Path, mode: int) -> Iterator[None]:
    """Keeps others, processes and threads, from writing, and with LOCK_EX from reading, what is replaced."""
    with _file_errors(folder), open(folder / ".lock", "a", opener=_private) as lock:
        fcntl.flock(lock, mode)  # the kernel lets go of it when the process dies
        yield


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _replace(path: Path, content: bytes) -> None:
    """Puts a file in the place of another at one stroke, durably, and overwrites the other."""
    fresh = path.with_name(path.name + ".new")
    if fresh.exists():  # left where a process died
        with fresh.open("r+b") as left:
            _overwrite(left)
        fresh.unlink()
    with open(fresh, "xb", opener=_private) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    _move(fresh, path)


def _move(fresh: Path, path: Path) -> None:
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
