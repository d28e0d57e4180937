"""Receipts that stand up: signed, each naming the one before, and verified without a server, a database or a secret.

A receipt is a JSON object of texts, whole numbers, truth values, nulls, lists and objects. Its canonical form is that
of RFC 8785 (sorted names, no spaces, UTF-8). The signature, Ed25519, is over the canonical form without `signature`;
`previous` is the SHA-256 of the canonical form of the receipt before, signature included. The head is signed like a
receipt: it names the number and the hash of the last one, so that nobody cuts off the end unnoticed.
"""

import base64
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from precis.engine.forgetting import Receipt
from precis.errors import InvalidInput
from precis.keys.cipher import TenantKeys

Document = Mapping[str, Any]
HEAD = "head"
#: The name of the API key in whose request something is forgotten; None where nobody had to show one.
asked_by: ContextVar[str | None] = ContextVar("asked_by", default=None)
_NO_EXPORT = "no line of it is a receipt or the signed head: is it a file of `precis receipts export`?"
#: Hexadecimal digits of a keyed hash in a receipt: 128 bits.
_DIGITS = 32


def hashed(keys: TenantKeys, id_: str) -> str:
    """What stands for an id in a receipt: nobody can read it; who has the id and the tenant's key knows it again."""
    return shortened(keys.tombstone(id_))


def shortened(digest: bytes) -> str:
    """A keyed hash of the forgotten-log as a receipt writes it."""
    return digest.hex()[:_DIGITS]


def user_hash(keys: TenantKeys, user_id: str) -> str:
    """What stands for a user's id in a receipt."""
    return shortened(keys.user_ref(user_id))


def in_chain(receipt: Receipt, signed: Document) -> Receipt:
    """The answer to a forget with the place of its signed receipt."""
    return replace(receipt, **{name: signed[name] for name in ("number", "previous", "signature")})


# --- signing ---


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


# --- verifying, with nothing but the lines and the public key ---


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Something that speaks against an export."""

    #: Which receipt, by its number; None where that cannot be read.
    number: int | None
    what: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What an export is worth."""

    #: How many receipts were read.
    receipts: int
    faults: tuple[Fault, ...]
    #: By which the signatures were checked; it stands in the export itself where the caller gave none.
    public_key: str | None
    fingerprint: str | None
    is_given: bool
    #: When the head was signed.
    at: str | None

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.faults


@dataclass(kw_only=True, slots=True)
class _Reading:
    """An export as it is read, line by line; of each receipt only its links are kept."""

    faults: list[Fault] = field(default_factory=list)
    head: Document | None = None
    #: By number: the hash of a receipt that is as it was signed (None where it is not), and of which one before it says
    #: that it follows.
    hashes: dict[int, str | None] = field(default_factory=dict)
    previous: dict[int, str | None] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    #: The highest number so far of a receipt that is as it was signed.
    last: int = 0

    def fault(self, what: str, number: int | None = None) -> None:
        name = f"receipt {number} ({self.ids[number]}) " if number in self.ids and number is not None else ""
        name = name or (f"receipt {number} " if number is not None else "")
        self.faults.append(Fault(number=number, what=name + what))

    def take(self, place: int, line: bytes, public_key: str | None) -> None:
        """One line. A receipt that was changed still stands at its place."""
        try:
            document = orjson.loads(line)
        except orjson.JSONDecodeError:
            self.fault(f"line {place} is not JSON: it was changed")
            return
        if not isinstance(document, dict):
            self.fault(f"line {place} is no receipt")
        elif document.get("kind") == HEAD:
            if self.head is not None:
                self.fault(f"line {place} is a second head")
            self.head = document
            if canonical(document) != line:
                self.fault("the head is not in its canonical form: it was changed")
        else:
            self._take_receipt(place, document, line, public_key)

    def _take_receipt(self, place: int, document: Document, line: bytes, public_key: str | None) -> None:
        number = document.get("number")
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            self.fault(f"line {place} has no number: it was changed")
            return
        if number in self.hashes:
            self.fault("is there twice", number)
            return
        self.ids[number] = str(document.get("id"))
        self.previous[number] = document.get("previous")
        is_signed = public_key is not None and is_signed_by(document, public_key)
        self.hashes[number] = hash_of(document) if is_signed else None
        if not is_signed:
            self.fault("does not bear its signature: it was changed, or signed by another key", number)
        elif canonical(document) != line:
            self.fault("is not in its canonical form: it was changed", number)
        if number < self.last:
            self.fault(f"stands behind receipt {self.last}: the order was changed", number)
        if self.head is not None:
            self.fault("stands behind the head", number)
        if is_signed:
            self.last = max(self.last, number)

    def close(self, public_key: str | None) -> None:
        """What the lines say together; of a file without a receipt that alone."""
        if self.faults and not self.ids and self.head is None:
            self.faults[:] = [Fault(number=None, what=_NO_EXPORT)]
            return
        end = self._end(public_key)
        for first, last in _runs(sorted(set(range(1, max(end, self.last) + 1)) - self.hashes.keys())):
            self.fault("is missing" if first == last else f"to {last} are missing", first)
        for number in sorted(self.hashes):
            before = self.hashes.get(number - 1)
            if number == 1 and self.previous[1] is not None:
                self.fault("is the first, and names one before it", 1)
            elif before is not None and self.hashes[number] is not None and self.previous[number] != before:
                self.fault(f"does not follow receipt {number - 1} as it stands here", number)

    def _end(self, public_key: str | None) -> int:
        """The number at which the chain ends, by its head."""
        head = self.head
        if head is None:
            self.fault("the head is missing: the end may have been cut off")
            return 0
        number = head.get("number")
        if public_key is None or not is_signed_by(head, public_key) or not isinstance(number, int):
            self.fault("the head does not bear its signature: it was changed, or signed by another key")
            return 0
        if self.last > number:
            self.fault(f"comes after the head, which ends at {number}", self.last)
        elif self.hashes.get(number) is not None and self.hashes[number] != head.get("hash"):
            self.fault("is not the one that the head names", number)
        return number


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers in a row as the first and the last of them."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def verify(lines: Iterable[bytes], public_key: str | None = None) -> Verdict:
    """Check an export: every signature, every link, the order, and that nothing is missing up to the head.

    Without a key the one in the head is used: then compare its fingerprint with that of `precis receipts key`. Raises
    InvalidInput for a key that is none.
    """
    stripped = [line.rstrip(b"\n") for line in lines if line.strip()]
    used = public_key.strip() if public_key is not None else _key_within(stripped)
    if used is not None:
        opened_key(used)
    reading = _Reading()
    for place, line in enumerate(stripped, start=1):
        reading.take(place, line, used)
    reading.close(used)
    return Verdict(
        receipts=len(reading.hashes), faults=tuple(reading.faults), public_key=used,
        fingerprint=None if used is None else key_fingerprint(used), is_given=public_key is not None,
        at=None if reading.head is None else str(reading.head.get("at")),
    )  # fmt: skip


def _key_within(lines: Iterable[bytes]) -> str | None:
    """The public key that an export names; None where it has no head with one."""
    for line in reversed(list(lines)):
        try:
            document = orjson.loads(line)
            if isinstance(document, dict) and document.get("kind") == HEAD:
                opened_key(str(document["public_key"]))
                return str(document["public_key"])
        except (orjson.JSONDecodeError, KeyError, InvalidInput):
            continue
    return None
