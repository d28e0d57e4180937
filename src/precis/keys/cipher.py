"""Sealing one column of one row: AES-256-GCM, bound to the tenant, the row and the column."""

from __future__ import annotations

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from precis.errors import InvalidInput, Undecryptable

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
    encoded = [part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in fields]
    return b"".join(part for field in encoded for part in (len(field).to_bytes(8, "big"), field))


class Cipher:
    """Seals and opens under one key.

    The nonce is random, so one key should seal fewer than 2**32 values (NIST SP 800-38D, 8.3); a key is
    one user's, or a tenant's for the texts that rest on several users.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            message = f"a key has {KEY_BYTES} bytes, not {len(key)}"
            raise InvalidInput(message, field="key")
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
            message = f"{column} of {row_id!r} in tenant {tenant_id!r} is no sealed value of a known layout"
            raise Undecryptable(message)
        try:
            return self._aead.decrypt(nonce, rest, _LAYOUT + framed(tenant_id, row_id, column))
        except InvalidTag as error:
            where = f"{column} of {row_id!r} in tenant {tenant_id!r}"
            message = f"{where} cannot be opened: altered, sealed for another place, or under another key"
            raise Undecryptable(message) from error

    def open_text(self, sealed: bytes, *, tenant_id: str, row_id: str, column: str) -> str:
        """The same for a value that was sealed from a str."""
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
