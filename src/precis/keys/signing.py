"""How receipts are signed.

A receipt is a JSON object of texts, whole numbers, truth values, nulls, lists and objects. Its canonical form is that
of RFC 8785 (sorted names, no spaces, UTF-8). The signature, Ed25519, is over the canonical form without `signature`;
`previous` is the SHA-256 of the canonical form of the receipt before, signature included. The head is signed like a
receipt: it names the number and the hash of the last one, so that nobody cuts off the end unnoticed.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from precis.errors import InvalidInput
from precis.keys.cipher import TenantKeys

Document = Mapping[str, Any]
HEAD = "head"


def canonical(document: Document) -> bytes:
    """The one form that is signed and hashed."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def hash_of(document: Document) -> str:
    """What the next receipt calls `previous`."""
    return sha256(canonical(document)).hexdigest()


class Signer:
    """Signs the receipts of one tenant."""

    def __init__(self, keys: TenantKeys) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(keys.signing_seed())
        raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.public_key = base64.urlsafe_b64encode(raw).decode()

    def sign(self, document: Document) -> dict[str, Any]:
        """The document with its signature."""
        signature = self._key.sign(canonical(document))
        return {**document, "signature": base64.urlsafe_b64encode(signature).decode()}

    def head(self, number: int, last: Document | None, now: datetime) -> dict[str, Any]:
        """Where the chain ends."""
        return self.sign({
            "kind": HEAD, "number": number, "hash": None if last is None else hash_of(last), "at": now.isoformat(),
            "public_key": self.public_key, "fingerprint": key_fingerprint(self.public_key),
        })  # fmt: skip


def key_fingerprint(public_key: str) -> str:
    """Short enough to be read aloud: the beginning of the SHA-256 of the key, in groups of four."""
    digits = sha256(base64.urlsafe_b64decode(public_key)).hexdigest()[:32]
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def is_signed_by(document: Document, public_key: str) -> bool:
    """Whether the signature is that of this key over just this."""
    unsigned = {name: value for name, value in document.items() if name != "signature"}
    try:
        opened_key(public_key).verify(_decoded(document["signature"]), canonical(unsigned))
    except (InvalidSignature, KeyError, ValueError, TypeError):
        return False
    return True


def _decoded(text: object) -> bytes:
    """Base64 in its one spelling: another would be a changed byte that no signature shows. Raises ValueError."""
    decoded = base64.urlsafe_b64decode(str(text))
    if base64.urlsafe_b64encode(decoded).decode() != text:
        raise ValueError("not the base64 of anything")
    return decoded


def opened_key(public_key: str) -> Ed25519PublicKey:
    """Raises InvalidInput for what is no key; it may be a secret, so it is not repeated."""
    try:
        return Ed25519PublicKey.from_public_bytes(_decoded(public_key))
    except ValueError as error:
        message = "this is not a public key of receipts: 44 characters, as `precis receipts key` prints it"
        raise InvalidInput(message, field="public_key") from error
