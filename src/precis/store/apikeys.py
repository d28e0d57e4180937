"""The API key a client holds: its form, and the hash that stands for it in the database.

A key reads ``pk_<tenant>_<key id>_<secret part>``. It names its tenant, so that the row is looked up inside
the tenant's row-level security and no query ever spans tenants. Every character may stand in a header and in
a path, because clients that cannot send headers use the base URL ``/t/<key>/``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

from precis.errors import InvalidInput, Unauthorized

_SECRET_BYTES = 32
#: A tenant id that is safe in a path as it stands; any other is written as ``~`` and its base32.
_PLAIN_TENANT = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_KEY = re.compile(r"pk_(?P<tenant>[a-z0-9][a-z0-9_-]{0,63}|~[a-z2-7]{1,1000})_(?P<key_id>[0-9a-f]{16})_[a-z2-7]{52}")


@dataclass(frozen=True, kw_only=True, slots=True)
class NewKey:
    """A key just made. The secret is shown once and never stored."""

    #: What the client sends.
    secret: str = field(repr=False)
    #: Names the key in lists and when it is revoked; not secret.
    key_id: str
    #: What the database keeps.
    digest: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimedKey:
    """What a client's key says of itself. Nothing is proven until the digest equals the stored one."""

    tenant_id: str
    key_id: str
    digest: bytes


def new_key(tenant_id: str) -> NewKey:
    """A fresh key for a tenant."""
    key_id = secrets.token_hex(8)
    secret = f"pk_{_written(tenant_id)}_{key_id}_{_base32(secrets.token_bytes(_SECRET_BYTES))}"
    if _KEY.fullmatch(secret) is None:
        message = f"the tenant id {tenant_id[:50]!r} cannot be written in a key: it is empty or too long"
        raise InvalidInput(message, field="tenant_id")
    return NewKey(secret=secret, key_id=key_id, digest=digest(secret))


def parse(secret: str) -> ClaimedKey:
    """The tenant and the key id a key claims. Raises Unauthorized, without repeating the key."""
    match = _KEY.fullmatch(secret)
    if match is None:
        raise Unauthorized
    return ClaimedKey(tenant_id=_read(match["tenant"]), key_id=match["key_id"], digest=digest(secret))


def digest(secret: str) -> bytes:
    """SHA-256 of the key.

    A slow hash defends what people choose, because that can be guessed. Here 256 bits are random, so nobody
    finds a key from its hash at any speed, and each request would pay for the slowness.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def matches(claimed: ClaimedKey, stored: bytes) -> bool:
    """Whether the digests are equal; takes equally long wherever they differ."""
    return hmac.compare_digest(claimed.digest, stored)


def _written(tenant_id: str) -> str:
    if _PLAIN_TENANT.fullmatch(tenant_id):
        return tenant_id
    return "~" + _base32(tenant_id.encode("utf-8", "surrogatepass"))


def _read(written: str) -> str:
    if not written.startswith("~"):
        return written
    letters = written[1:].upper()
    try:
        return base64.b32decode(letters + "=" * (-len(letters) % 8)).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Unauthorized from error


def _base32(value: bytes) -> str:
    # Not base64: its alphabet has the "_" that parts a key.
    return base64.b32encode(value).decode().rstrip("=").lower()
