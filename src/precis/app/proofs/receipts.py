"""app.receipts: what was forgotten, as it was signed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

from precis.app.inputs import checked_limit
from precis.app.parts import Parts
from precis.errors import InvalidInput, NotFound
from precis.ids import checked_name
from precis.keys.receipts import Verdict, verify
from precis.keys.signing import Signer, key_fingerprint

#: Larger than the number of any receipt.
_AFTER_ALL = 2**62


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicKey:
    """What verifies the receipts of a tenant."""

    public_key: str
    #: To be compared by people.
    fingerprint: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiptPage:
    """Some receipts, the latest first, as they were signed."""

    receipts: tuple[Mapping[str, Any], ...]
    next_cursor: str | None
    #: Where the chain ends, signed.
    head: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedReceipt:
    """One receipt, and the one that completes it once a pool has confirmed."""

    receipt: Mapping[str, Any]
    completed_by: Mapping[str, Any] | None
    public_key: str


class Receipts:
    """The chain of one tenant, to read and to verify."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def key(self) -> PublicKey:
        """With it anybody verifies an export, and nobody signs one."""
        public_key = self._signer.public_key
        return PublicKey(public_key=public_key, fingerprint=key_fingerprint(public_key))

    async def list(
        self, *, memory_id: str | None = None, user_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ReceiptPage:
        """The latest first; those that name a memory or a user, where one is given. Raises InvalidInput."""
        store, parts = self._parts.store.receipts, self._parts
        rows = await store.page(
            parts.tenant_id, before=_number(cursor), limit=checked_limit(limit) + 1,
            memory_id=None if memory_id is None else checked_name(memory_id, "memory_id"),
            user_id=None if user_id is None else checked_name(user_id, "user_id"),
        )  # fmt: skip
        shown = rows[:limit]
        return ReceiptPage(
            receipts=tuple(shown), next_cursor=str(shown[-1]["number"]) if len(rows) > limit else None,
            head=await store.head(parts.tenant_id, now=parts.engine.clock()),
        )  # fmt: skip

    async def get(self, receipt_id: str) -> SignedReceipt:
        """One of them. Raises NotFound."""
        rows = await self._parts.store.receipts.get(self._parts.tenant_id, checked_name(receipt_id, "receipt_id"))
        if rows is None:
            raise NotFound(f"there is no receipt {receipt_id!r}")
        receipt, completion = rows
        return SignedReceipt(receipt=receipt, completed_by=completion, public_key=self._signer.public_key)

    def export(self) -> AsyncGenerator[bytes]:
        """Every receipt and the head, a line of JSON each: what ``precis receipts verify`` reads."""
        return self._parts.store.receipts.export(self._parts.tenant_id, now=self._parts.engine.clock())

    async def verify(self) -> Verdict:
        """The chain as it stands in the database, held against the forgotten-log as well."""
        lines = [line async for line in self.export()]
        verdict = verify(lines, self._signer.public_key)
        return await self._parts.store.receipts.against_log(self._parts.tenant_id, lines, verdict)

    @property
    def _signer(self) -> Signer:
        return self._parts.store.receipts.chain.signer(self._parts.tenant_id)


def _number(cursor: str | None) -> int:
    if cursor is None:
        return _AFTER_ALL
    if not cursor.isascii() or not cursor.isdecimal() or len(cursor) > 18:
        raise InvalidInput("cursor: it is none that a list of receipts answered", field="cursor")
    return int(cursor)
