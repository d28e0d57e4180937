"""The chain of a tenant's receipts in the database, and what a restored database missed of the forgotten-log.

A receipt is signed in the transaction that forgets, under the lock on the head: no two receipts have one number. The
forgotten-log hears of it after the commit, so it never holds a receipt of something that did not happen. A database
restored from an older copy takes from there the receipts that were signed since, and forgets again what they forgot.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import orjson
import structlog
from psycopg.types.json import Jsonb

from precis.database.connections import Database, Row, Tx
from precis.engine.forgetting import Receipt, ReceiptKind
from precis.keys.cipher import TenantKeys
from precis.keys.forgotten_log import ForgottenLog, Unread, entries
from precis.keys.log_lines import Entry, pool_tombstone
from precis.keys.receipts import (
    Document,
    Fault,
    Signer,
    Verdict,
    asked_by,
    canonical,
    hash_of,
    hashed,
    is_signed_by,
    shortened,
    user_hash,
    verify,
)
from precis.keys.vault import Vault

_log = structlog.get_logger(__name__)
#: Receipts that are read at once.
PAGE = 500


class Chain:
    """Adds to the receipts of tenants and reads them."""

    def __init__(self, vault: Vault, log: ForgottenLog) -> None:
        self._vault = vault
        self._log = log

    def signer(self, tenant_id: str) -> Signer:
        """Signs for this tenant."""
        return Signer(self._vault.keys(tenant_id))

    async def keep(self, tx: Tx, receipt: Receipt, **more: Any) -> dict[str, Any]:
        """Sign what a forget did; the last lock that its transaction takes. Answers the receipt as it was signed."""
        account = account_of(receipt, self._vault.keys(tx.tenant_id), by=asked_by.get(), **more)
        return await self.add(tx, account, now=receipt.at)

    async def add(self, tx: Tx, account: Document, *, now: datetime) -> dict[str, Any]:
        """Sign it as the next receipt of the chain."""
        head = await self._hold(tx)
        signer, previous = self.signer(tx.tenant_id), head["body"]["hash"] if head["number"] else None
        document = signer.sign({**account, "number": head["number"] + 1, "previous": previous})
        await self._insert(tx, document)
        await self._end_at(tx, document, signer.head(document["number"], document, now))
        return document

    async def tell_log(self, tx: Tx) -> None:
        """Give the forgotten-log the receipts that it has not got; their transactions have committed."""
        head = await tx.one("read_head")
        if head is None or head["logged"] >= head["number"]:
            return
        head = await self._hold(tx)
        async for documents in self.pages(tx, after=head["logged"]):
            await asyncio.to_thread(self._log.signed, tx.tenant_id, documents)
        await tx.run("note_logged", number=head["number"])

    async def adopt(self, tx: Tx, documents: Sequence[Document], *, now: datetime) -> int:
        """Take over what the forgotten-log has and this database lacks; answers how many receipts.

        One that a pool had not confirmed waits for that once more, as it was signed: its ids are not known any more.
        A database that went on by itself since it was copied has other receipts under these numbers: it keeps them.
        """
        head, signer, adopted = await self._hold(tx), self.signer(tx.tenant_id), list[Document]()
        number, last = head["number"], head["body"]["hash"] if head["number"] else None
        for document in documents:
            if document["number"] != number + 1:
                continue
            if document["previous"] != last or not is_signed_by(document, signer.public_key):
                _log.warning("receipts_diverge", tenant=tx.tenant_id, number=document["number"])
                break
            await self._insert(tx, document)
            adopted.append(document)
            number, last = number + 1, hash_of(document)
        if adopted:
            await self._end_at(tx, adopted[-1], signer.head(number, adopted[-1], now))
            await tx.run("note_logged", number=number)
            for document, place in ((each, place) for each in adopted for place in each.get("external", ())):
                if place["state"] == "pending":
                    body = Jsonb({"signed": document}, dumps=orjson.dumps)
                    await tx.run("insert_pending", receipt_id=document["id"], pool=place["where"], body=body)
            await tx.run("delete_pending", ids=[each["completes"] for each in adopted if "completes" in each])
            _log.warning("receipts_restored", tenant=tx.tenant_id, receipts=len(adopted))
        return len(adopted)

    async def pages(self, tx: Tx, *, after: int = 0) -> AsyncIterator[Sequence[Document]]:
        """The receipts from a number on, in order, some at a time."""
        while rows := await tx.all("receipts_after", after=after, limit=PAGE):
            yield [row["body"] for row in rows]
            after = rows[-1]["number"]

    async def head(self, tx: Tx, *, now: datetime) -> Document:
        """Where the chain ends; signed now where there is no receipt yet."""
        row = await tx.one("read_head")
        body: Document | None = row["body"] if row is not None else None
        return body or self.signer(tx.tenant_id).head(0, None, now)

    async def _hold(self, tx: Tx) -> Row:
        row = await tx.one("hold_head")
        if row is None:
            await tx.run("open_head")
            row = await tx.one("hold_head")
        assert row is not None  # noqa: S101 - it was inserted, by us or by whom we waited for
        return row

    async def _insert(self, tx: Tx, document: Document) -> None:
        await tx.run(
            "insert_receipt", receipt_id=document["id"], number=document["number"],
            at=datetime.fromisoformat(document["at"]), body=Jsonb(document, dumps=orjson.dumps),
        )  # fmt: skip

    async def _end_at(self, tx: Tx, last: Document, head: Document) -> None:
        await tx.run("keep_head", number=last["number"], body=Jsonb(head, dumps=orjson.dumps))


def account_of(receipt: Receipt, keys: TenantKeys, *, kind: str = ReceiptKind.FORGOTTEN, **more: Any) -> dict[str, Any]:
    """What is signed of a receipt: no text, and every id as a keyed hash."""
    states = [summary.state for summary in receipt.summaries]
    return {
        "id": receipt.id, "kind": kind, "at": receipt.at.isoformat(),
        "memories": sorted(hashed(keys, id_) for id_ in receipt.forgotten),
        "users": [],
        "counts": {
            "memories": len(receipt.forgotten), "not_found": len(receipt.not_found),
            "statements_removed": receipt.statements_removed, "segments_removed": receipt.segments_removed,
            "summaries_deleted": states.count("deleted"), "summaries_redacted": states.count("redacted"),
            "being_derived": len(receipt.refreshes_queued),
        },
        "summaries": [
            {"summary": hashed(keys, part.id), "state": part.state, "statements_removed": part.statements_removed}
            for part in receipt.summaries
        ],
        "key_destroyed": receipt.key_destroyed,
        "external": [{"where": place.where, "state": place.state} for place in receipt.external],
        **more,
    }  # fmt: skip


class PostgresReceipts:
    """The chains, to read."""

    def __init__(self, database: Database, vault: Vault, log: ForgottenLog) -> None:
        self._database = database
        self._vault = vault
        self._log = log
        self.chain = Chain(vault, log)

    async def page(
        self, tenant_id: str, *, before: int, limit: int, memory_id: str | None, user_id: str | None
    ) -> Sequence[Document]:
        """The latest before a number; of a memory in precis or a pool that is forgotten there, or of a user."""
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            memory = None
            if memory_id is not None:
                pools = [row["pool"] for row in await tx.all("pools_with_tombstones")]
                stones = (keys.tombstone(memory_id), *(pool_tombstone(keys, pool, memory_id) for pool in pools))
                memory = list(map(shortened, stones))
            user = None if user_id is None else user_hash(keys, user_id)
            rows = await tx.all("receipts_before", before=before, limit=limit, memory=memory, user=user)
        return [row["body"] for row in rows]

    async def get(self, tenant_id: str, receipt_id: str) -> tuple[Document, Document | None] | None:
        """A receipt, and the one that completes it."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            row = await tx.one("get_receipt", receipt_id=receipt_id)
            if row is None:
                return None
            completion = await tx.one("completion_of", number=row["number"], receipt_id=receipt_id)
        return row["body"], completion["body"] if completion else None

    async def head(self, tenant_id: str, *, now: datetime) -> Document:
        """Where the chain ends."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            return await self.chain.head(tx, now=now)

    async def export(self, tenant_id: str, *, now: datetime) -> AsyncGenerator[bytes]:
        """Every receipt and the head, each as a line of canonical JSON."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            async for documents in self.chain.pages(tx):
                for document in documents:
                    yield canonical(document) + b"\n"
            yield canonical(await self.chain.head(tx, now=now)) + b"\n"

    async def verify(self, tenant_id: str, *, now: datetime) -> Verdict:
        """The chain as it stands, with what the forgotten-log speaks against: receipts that differ or are missing."""
        lines = [line async for line in self.export(tenant_id, now=now)]
        verdict = verify(lines, self.chain.signer(tenant_id).public_key)
        hashes = {document["number"]: hash_of(document) for document in map(orjson.loads, lines[:-1])}
        against = await asyncio.to_thread(self._against_log, tenant_id, hashes)
        return replace(verdict, faults=(*verdict.faults, *against))

    def _against_log(self, tenant_id: str, hashes: Mapping[int, str]) -> list[Fault]:
        faults, last = list[Fault](), 0
        signed = (entry.signed for entry in entries(self._log, tenant_id) if entry.signed is not None)
        for number, hash_ in ((document["number"], hash_of(document)) for document in signed):
            last = max(last, number)
            if hashes.get(number, hash_) != hash_:
                faults.append(Fault(number=number, what=f"receipt {number} is another one in the forgotten-log"))
        if last > len(hashes):
            what = f"the database ends at receipt {len(hashes)}, the forgotten-log at {last}"
            return [*faults, Fault(number=len(hashes) + 1, what=what)]
        return faults


@dataclass(kw_only=True, slots=True)
class MissedMemory:
    """A memory id to be forgotten again."""

    #: Rows that were written later stay; None: whenever the row was written.
    until: datetime | None
    renewable: bool
    #: Keyed hashes of the contents that were written under the id since: a row that says one of them stays.
    contents: set[bytes] = field(default_factory=set)


@dataclass(kw_only=True, slots=True)
class Missed:
    """What a restored database has not heard of: to be forgotten again. It grows as the log is read."""

    #: By the keyed hash of the id.
    memories: dict[bytes, MissedMemory] = field(default_factory=dict)
    #: By the same hash: what was forgotten of memories that stay, oldest first.
    parts: dict[bytes, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    #: Keyed hashes of user ids; until when what is to go was written, as above.
    users: dict[bytes, datetime | None] = field(default_factory=dict)
    #: Keyed hashes of memories in pools, by the pool.
    pools: dict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    forgets: list[Entry] = field(default_factory=list)
    #: The number of the last receipt that the database has.
    after: int = 0
    #: Those that come after it, as they were signed.
    signed: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def receipts(self) -> list[str]:
        """The ids of the receipts of those forgets, oldest first."""
        return [str(entry.receipt) for entry in self.forgets]

    def hear(self, unread: Unread, known: Collection[str]) -> None:
        """Go on with what follows in the log, of which the database knows these receipts."""
        for entry in unread.entries:
            if entry.signed is not None:
                if entry.signed["number"] > self.after:
                    self.signed.append(entry.signed)
            elif entry.receipt is None:
                for memory, content in entry.revived.items():
                    self.parts.pop(memory, None)  # it was forgotten whole since, and this was written after that
                    if memory in self.memories:
                        self.memories[memory].contents.add(content)
            elif entry.receipt not in known:
                self.forgets.append(entry)
                self._forgot(entry)

    def _forgot(self, entry: Entry) -> None:
        if entry.pool is not None:
            self.pools[entry.pool] |= entry.memories
            return
        for memory in entry.memories:
            if entry.part is not None:
                self.parts[memory].append(entry)
                continue
            self.memories[memory] = _forgotten_anew(self.memories.get(memory), entry)
        if entry.user is not None:
            self.users[entry.user] = _later(self.users.get(entry.user, entry.until), entry.until)


def _forgotten_anew(before: MissedMemory | None, entry: Entry) -> MissedMemory:
    """What counts after one more forget of a memory; whether it was renewable counts no more once it was revived."""
    if before is None:
        return MissedMemory(until=entry.until, renewable=entry.renewable)
    renewable = entry.renewable and (before.renewable or bool(before.contents))
    return MissedMemory(until=_later(before.until, entry.until), renewable=renewable)


def _later(first: datetime | None, second: datetime | None) -> datetime | None:
    """None is later than any."""
    return None if first is None or second is None else max(first, second)
