"""The keys of one tenant: the file they lie in, wrapped by the master key, and what they are used for."""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import hmac
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from precis.errors import ConfigurationError, Undecryptable
from precis.keys.cipher import KEY_BYTES, Cipher, framed, new_data_key

#: Keys of one tenant that no rotation changes, since what they made is compared with what they make.
_SECRETS = ("terms", "fingerprint", "tombstone", "user_ref")


def decode_key(text: str) -> bytes:
    """A key from its base64url form, as in PRECIS_MASTER_KEY and master.key. Raises ConfigurationError."""
    try:
        key = base64.b64decode(text.strip(), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        key = b""  # neither the text nor the error belongs into a message: it may be nearly the key
    return checked_key(key)


def encode_key(key: bytes) -> str:
    """The base64url form of a key."""
    return base64.urlsafe_b64encode(key).decode()


def checked_key(master: bytes) -> bytes:
    """The key itself if it is one. Raises ConfigurationError."""
    if len(master) != KEY_BYTES:
        message = f"a master key is {KEY_BYTES} random bytes, or 44 characters of base64url: this is not one"
        raise ConfigurationError(message)
    return master


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantFile:
    """What one tenant's file holds, opened."""

    tenant_id: str
    versions: Mapping[int, bytes] = field(repr=False)
    secrets: Mapping[str, bytes] = field(repr=False)
    #: Inode, size and times of the file it was read from: another stamp means that the file was replaced.
    stamp: tuple[int, ...] | None = None

    @classmethod
    def new(cls, tenant_id: str) -> TenantFile:
        """The first keys of a tenant."""
        secrets = {name: new_data_key() for name in _SECRETS}
        return cls(tenant_id=tenant_id, versions={1: new_data_key()}, secrets=secrets)

    def sealed(self, master: bytes) -> bytes:
        """The file's content, its keys wrapped by the master key."""
        seal = partial(Cipher(master).seal, tenant_id=self.tenant_id)
        versions = {str(n): seal(key, row_id=str(n), column="tenant key") for n, key in self.versions.items()}
        secrets = {name: seal(key, row_id=name, column="tenant secret") for name, key in self.secrets.items()}
        document = {
            "tenant": self.tenant_id,
            "master": name_of(master),
            "versions": {n: encode_key(wrapped) for n, wrapped in versions.items()},
            "secrets": {name: encode_key(wrapped) for name, wrapped in secrets.items()},
        }
        return json.dumps(document, indent=1).encode()

    @classmethod
    def opened(cls, document: Mapping[str, Any], master: bytes, stamp: tuple[int, ...] | None) -> TenantFile:
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

    def __init__(self, tenant_id: str, read: Callable[..., TenantFile]) -> None:
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

    @property
    def stamp(self) -> tuple[int, ...] | None:
        """Another one than before tells that the file was replaced: a version may have been erased."""
        return self._read().stamp

    def has(self, version: int) -> bool:
        """Whether what is wrapped under this version can be opened."""
        return version in self._read().versions or version in self._read(again=True).versions

    def wrap(self, user_ref: bytes, data_key: bytes) -> tuple[int, bytes]:
        """The data key under the current tenant key: the version of that key, and what the row stores."""
        versions = self._read().versions
        version = max(versions)
        sealed = Cipher(versions[version]).seal(data_key, **self._place(user_ref, version))
        return version, sealed

    def unwrap(self, user_ref: bytes, version: int, wrapped: bytes) -> bytes:
        """The data key. Raises Undecryptable when that version was erased, or the row is another user's."""
        if not self.has(version):
            message = (
                f"version {version} of the key of tenant {self.tenant_id!r} is not in its key file: it was "
                "erased when a user was forgotten, or the file is older or newer than the database"
            )
            raise Undecryptable(message)
        return Cipher(self._read().versions[version]).open(wrapped, **self._place(user_ref, version))

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


def name_of(master: bytes) -> str:
    """Tells master keys apart without telling what they are."""
    return hmac.digest(master, b"name of a master key", "sha256").hex()[:16]


def _keyed(mac: hmac.HMAC, *fields: str | bytes) -> bytes:
    keyed = mac.copy()  # a copy skips the key schedule: half the time of a new one
    keyed.update(framed(*fields))
    return keyed.digest()


def open_file(path: Path, masters: list[bytes]) -> TenantFile:
    """A tenant's file, opened by whichever of these master keys it is wrapped by. Raises ConfigurationError."""
    with path.open("rb") as file:
        seen, content = stamp(file.fileno()), file.read()
    try:
        document = json.loads(content)
        for master in masters:
            if document["master"] == name_of(master):
                return TenantFile.opened(document, master, seen)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"the key file {path} is damaged: restore it from a copy of the key folder"
        raise ConfigurationError(message) from error
    message = f"{path} is wrapped by another master key: check PRECIS_MASTER_KEY or master.key"
    raise ConfigurationError(message)


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
        with fresh.open("r+b") as leftover:
            overwrite(leftover)
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
