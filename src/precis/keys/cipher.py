"""Sealing one column of one row, AES-256-GCM, bound to tenant, row and column; and the keys of one tenant."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from precis.errors import ConfigurationError, InvalidInput, Undecryptable

KEY_BYTES = 32
#: First byte of a sealed value. Another cipher or layout takes another, so that old rows stay readable.
_LAYOUT = b"\x01"
_NONCE_BYTES = 12
_TAG_BYTES = 16
#: How much longer than its plaintext a sealed value is.
OVERHEAD_BYTES = len(_LAYOUT) + _NONCE_BYTES + _TAG_BYTES


def new_data_key() -> bytes:
    """A random 256-bit key."""
    return os.urandom(KEY_BYTES)


def framed(*fields: str | bytes) -> bytes:
    """The fields in one byte string, each behind its length: no two sequences of fields give the same."""
    # surrogatepass: a hash or a binding must exist for every str that Python can hold.
    framed = b""
    for part in fields:
        encoded = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        framed += len(encoded).to_bytes(8, "big") + encoded
    return framed


class Cipher:
    """Seals and opens under one key.

    The nonce is random, so one key should seal fewer than 2**32 values (NIST SP 800-38D, 8.3); a key is
    one user's, or a tenant's for the texts that rest on several users.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise InvalidInput(f"a key has {KEY_BYTES} bytes, not {len(key)}", field="key")
        self._aead = AESGCM(key)

    def seal(self, plaintext: str | bytes, *, tenant_id: str, row_id: str, column: str) -> bytes:
        """Layout byte, nonce, ciphertext and tag; opens only with the same tenant, row and column."""
        nonce = os.urandom(_NONCE_BYTES)
        binding = _LAYOUT + framed(tenant_id, row_id, column)
        return _LAYOUT + nonce + self._aead.encrypt(nonce, _encoded(plaintext, column), binding)

    def open(self, sealed: bytes, *, tenant_id: str, row_id: str, column: str) -> bytes:
        """What was sealed for this tenant, row and column. Raises Undecryptable."""
        nonce, rest = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        if len(sealed) < OVERHEAD_BYTES or sealed[:1] != _LAYOUT:
            raise Undecryptable(f"{column} of {row_id!r} in tenant {tenant_id!r} is no sealed value of a known layout")
        try:
            return self._aead.decrypt(nonce, rest, _LAYOUT + framed(tenant_id, row_id, column))
        except InvalidTag as error:
            where = f"{column} of {row_id!r} in tenant {tenant_id!r}"
            message = f"{where} cannot be opened: altered, sealed for another place, or under another key"
            raise Undecryptable(message) from error

    def open_text(self, sealed: bytes, *, tenant_id: str, row_id: str, column: str) -> str:
        """What was sealed, where that was a str. Raises Undecryptable."""
        return self.open(sealed, tenant_id=tenant_id, row_id=row_id, column=column).decode()


def _encoded(plaintext: str | bytes, column: str) -> bytes:
    if isinstance(plaintext, bytes):
        return plaintext
    try:
        return plaintext.encode()
    except UnicodeEncodeError as error:
        # Refused when written: kept, it would break every answer that must be valid UTF-8. The error itself
        # carries the text, so it is not chained: a traceback must not show what is about to be encrypted.
        message = f"half of a surrogate pair at character {error.start}: the text is not valid Unicode"
        raise InvalidInput(message, field=column) from None


# --- the keys of one tenant ---

#: Keys of one tenant that no rotation changes, since what they made is compared with what they make.
_SECRETS = ("terms", "fingerprint", "tombstone", "user_ref")


def decode_key(text: str | bytes, source: object = "PRECIS_MASTER_KEY") -> bytes:
    """A key from its base64url form, as in PRECIS_MASTER_KEY or the file ``source``. Raises ConfigurationError."""
    try:
        key = base64.b64decode(text.strip(), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        key = b""  # neither the text nor the error belongs into a message: it may be nearly the key
    return checked_key(key, source)


def encode_key(key: bytes) -> str:
    """The base64url form of a key."""
    return base64.urlsafe_b64encode(key).decode()


def checked_key(master: bytes, source: object = "this") -> bytes:
    """The key itself if it is one; an error names its ``source``. Raises ConfigurationError."""
    if len(master) != KEY_BYTES:
        message = f"a master key is {KEY_BYTES} random bytes, or 44 characters of base64url: {source} is not one"
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
        file: TenantFile = read()
        #: The stamp of the file whose secrets these are.
        self.made_from = file.stamp
        self._terms, self._fingerprint, self._tombstone, self._user_ref = (
            hmac.new(file.secrets[name], digestmod=hashlib.sha256) for name in _SECRETS
        )

    @property
    def current_version(self) -> int:
        """The version that wrap uses: the newest."""
        return max(self._read().versions)

    @property
    def stamp(self) -> tuple[int, ...] | None:
        """Another one than before tells that the file was replaced: a version may have been erased."""
        return self._read().stamp

    def renew(self) -> None:
        """Read them anew, whatever is in memory: before something is wrapped while nobody else may rotate."""
        self._read(again=True)

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
            raise Undecryptable(
                f"version {version} of the key of tenant {self.tenant_id!r} is not in its key file: it was "
                "erased when a user was forgotten, or the file is older or newer than the database"
            )
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
        """What stands for each of several words, in order."""
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

    @property
    def mark(self) -> bytes:
        """Tells these keys from others, and stays the same through rotations; the database keeps it."""
        return self.fingerprint("mark of a tenant's keys")

    def signing_seed(self) -> bytes:
        """The secret half of the key that signs receipts: from a secret that no rotation changes, and like no hash."""
        return self._derived(b"precis receipts, Ed25519")

    def session_secret(self) -> bytes:
        """What signs the cookies of the page, derived like the seed of the receipts."""
        return self._derived(b"precis page, sessions")

    def _derived(self, purpose: bytes) -> bytes:
        derivation = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=purpose)
        return derivation.derive(self._read().secrets["tombstone"])

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
        raise ConfigurationError(f"the key file {path} is damaged: restore it from a copy of the key folder") from error
    raise ConfigurationError(f"{path} is wrapped by another master key: check PRECIS_MASTER_KEY or master.key")


def stamp(file: Path | int) -> tuple[int, ...] | None:
    """What changes when a file is replaced; None where there is no file."""
    try:
        seen = os.stat(file)  # noqa: PTH116 - a path or an open file
    except FileNotFoundError:
        return None
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns)
