"""app.receipts: what was forgotten, as it was signed; and the proof that it is gone.

The proof looks for it everywhere precis writes, and for recorded bytes in the files.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter

from precis.app.inputs import checked_limit
from precis.app.parts import Parts, Verbs
from precis.app.runs import LongRun, begin
from precis.database.connections import Database
from precis.errors import InvalidInput, NotFound
from precis.ids import checked_name, new_id
from precis.keys.opening import open_keyring
from precis.keys.receipts import Signer, Verdict, key_fingerprint
from precis.keys.vault import Vault
from precis.settings import Settings
from precis.store.forgotten.scan import Looked, Scan
from precis.store.forgotten.scan_files import Files, look_for_bytes, look_for_words, opened_files
from precis.work import Progress

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


class Receipts(Verbs):
    """The chain of one tenant, to read and to verify."""

    @property
    def key(self) -> PublicKey:
        """With it anybody verifies an export, and nobody signs one."""
        public_key = self._signer.public_key
        return PublicKey(public_key=public_key, fingerprint=key_fingerprint(public_key))

    async def list(
        self, *, memory_id: str | None = None, user_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ReceiptPage:
        """The latest first; those that name a memory or a user, where one is given. Raises InvalidInput."""
        store, parts = self._store.receipts, self._parts
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
        rows = await self._store.receipts.get(self._tenant_id, checked_name(receipt_id, "receipt_id"))
        if rows is None:
            raise NotFound(f"there is no receipt {receipt_id!r}")
        receipt, completion = rows
        return SignedReceipt(receipt=receipt, completed_by=completion, public_key=self._signer.public_key)

    def export(self) -> AsyncGenerator[bytes]:
        """Every receipt and the head, a line of JSON each: what ``precis receipts verify`` reads."""
        return self._store.receipts.export(self._tenant_id, now=self._now())

    async def verify(self) -> Verdict:
        """The chain as it stands in the database, held against the forgotten-log as well."""
        return await self._store.receipts.verify(self._tenant_id, now=self._now())

    @property
    def _signer(self) -> Signer:
        return self._store.receipts.chain.signer(self._tenant_id)


def _number(cursor: str | None) -> int:
    if cursor is None:
        return _AFTER_ALL
    if not cursor.isascii() or not cursor.isdecimal() or len(cursor) > 18:
        raise InvalidInput("cursor: it is none that a list of receipts answered", field="cursor")
    return int(cursor)


#: A shorter word turns up in random bytes by chance; a sign of Chinese, Japanese or Korean has three bytes.
MIN_WORD, _MIN_BYTES = 4, 6
#: What evidence calls a word of a forgotten memory, as its keyed hash.
_KEYED_WORD = "keyed word"


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """What stood for some memories on disk before they were forgotten. Vectors can be read: delete it when done."""

    tenant_id: str
    at: datetime
    #: Heads of the stored bytes, by kind.
    patterns: Mapping[str, Sequence[bytes]]
    #: How many of them the search found in the files then: it would find them again.
    hits: Mapping[str, int]

    def write(self, path: Path) -> None:
        """As JSON, for the owner's eyes only."""
        document = {
            "tenant_id": self.tenant_id,
            "at": self.at,
            "patterns": {kind: [head.hex() for head in heads] for kind, heads in self.patterns.items()},
            "found": self.hits,
        }
        path.touch(mode=0o600)
        path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """What a search found. It holds no word that was looked for."""

    #: How many words were looked for.
    words: int
    found: bool
    hits: int
    looked: tuple[Looked, ...]

    @classmethod
    def of(cls, looked: Sequence[Looked], *, words: int) -> Proof:
        """The verdict on these places."""
        hits = sum(place.hits for place in looked)
        return cls(words=words, found=hits > 0, hits=hits, looked=tuple(looked))

    @classmethod
    def read(cls, result: Mapping[str, Any]) -> Proof:
        """As a task holds it."""
        return TypeAdapter(cls).validate_python(result)


def read_evidence(path: Path) -> Evidence:
    """What ``Evidence.write`` wrote. Raises InvalidInput."""
    try:
        document = orjson.loads(path.read_bytes())
        return Evidence(
            tenant_id=document["tenant_id"],
            at=datetime.fromisoformat(document["at"]),
            patterns={kind: [bytes.fromhex(head) for head in heads] for kind, heads in document["patterns"].items()},
            hits=document["found"],
        )
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read ({error.strerror})", field="evidence") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path}: not a file that `precis forget --evidence` wrote", field="evidence") from error


class Verification:
    """Looks on behalf of one tenant."""

    def __init__(self, database: Database, settings: Settings, tenant_id: str) -> None:
        self.scan = Scan(database, Vault(open_keyring(settings)))
        self._settings = settings
        self._tenant_id = tenant_id

    async def look(
        self, words: Sequence[str], *, evidence: Evidence | None = None, deep: bool = False, files: bool = True
    ) -> list[Looked]:
        """Every place that was searched and what it holds; with ``deep`` the files are rewritten first.

        Without ``files`` only what is this tenant's own is looked into: files and tables of the whole deployment would
        tell of others. No word is repeated, not in an error either. Raises InvalidInput for a word that is no text, or
        too short to look for.
        """
        for place, word in enumerate(words, start=1):
            stripped = checked_name(word, "word").strip()
            if len(stripped) < MIN_WORD and len(stripped.encode()) < _MIN_BYTES:
                message = f"word {place} is too short to look for: give one of {MIN_WORD} characters or more"
                raise InvalidInput(message, field="word")
        if not words and evidence is None:
            raise InvalidInput("there is nothing to look for: give a word, or an evidence file", field="word")
        if evidence is not None and evidence.tenant_id != self._tenant_id:
            raise InvalidInput(f"this evidence is of tenant {evidence.tenant_id!r}", field="evidence")
        looked = await self.rows(words, own=not files) if words else []
        if not files:
            note = "files hold rows of every tenant: look into them with `precis verify-forgotten` where precis runs"
            return [*looked, Looked(where="files", read=0, hits=0, note=note)]
        if evidence is not None:
            evidence, others = await self._without_held(evidence)
            looked += others
        return [*looked, *await self._files(words, evidence, deep=deep)]

    async def _without_held(self, evidence: Evidence) -> tuple[Evidence, list[Looked]]:
        """The evidence without the keyed words that unforgotten memories hold: their bytes prove nothing."""
        recorded = evidence.patterns.get(_KEYED_WORD, ())
        terms = {int.from_bytes(head, "little", signed=True): head for head in recorded}
        theirs = await self.scan.held_by_others(self._tenant_id, sorted(terms))
        if not theirs:
            return evidence, []
        rest = [head for term, head in terms.items() if term not in theirs]
        note = f"held by others: {len(theirs)} of {len(terms)} are words of memories that were not forgotten"
        looked = Looked(where="recorded bytes that prove nothing: keyed word", read=len(terms), hits=0, note=note)
        return replace(evidence, patterns={**evidence.patterns, _KEYED_WORD: rest}), [looked]

    async def rows(self, words: Sequence[str], *, own: bool = False) -> list[Looked]:
        """What rows hold: opened with the keys, as keyed hashes, and as they stand; ``own``: of this tenant only."""
        return [
            *await self.scan.texts(self._tenant_id, words),
            *await self.scan.keyed_words(self._tenant_id, words),
            *await self.scan.columns(self._tenant_id, words, own=own),
        ]

    async def _files(self, words: Sequence[str], evidence: Evidence | None, *, deep: bool) -> list[Looked]:
        looked = []
        if self._settings.database_url is not None:
            note = "an external PostgreSQL's files are out of reach from here"
            looked.append(Looked(where="database files", read=0, hits=0, note=note))
        else:
            async with opened_files(self._settings.data_dir) as files:
                await (files.rewrite() if deep else files.settle())
                looked = await asyncio.to_thread(_in_files, files, words, evidence)
        rest = self._settings.data_dir
        if words and rest.is_dir():
            where = "logs and other files"
            looked.append(await asyncio.to_thread(look_for_words, rest, words, where=where, skip="db"))
        return looked

    async def record(self, ids: Sequence[str], *, user_id: str | None = None, now: datetime) -> Evidence:
        """The bytes that stand for these memories, or for all of a user, found in the files as they are now.

        Raises NotFound where there is nothing to record, InvalidInput without files to look into.
        """
        if self._settings.database_url is not None:
            message = "evidence is looked for in the embedded database's files; an external PostgreSQL has none here"
            raise InvalidInput(message, field="evidence")
        memory_ids = await self.scan.ids_of_user(self._tenant_id, user_id) if user_id is not None else list(ids)
        patterns = await self.scan.patterns(self._tenant_id, memory_ids, user_id=user_id)
        if not any(patterns.values()):
            raise NotFound("there is nothing to record: no such memory")
        async with opened_files(self._settings.data_dir) as files:
            await files.settle()
            looked = await asyncio.to_thread(look_for_bytes, files.db, patterns, where="")
        hits = {searched.where.removeprefix(": "): searched.hits for searched in looked}
        return Evidence(tenant_id=self._tenant_id, at=now, patterns=patterns, hits=hits)


def _in_files(files: Files, words: Sequence[str], evidence: Evidence | None) -> list[Looked]:
    looked = [look_for_words(files.db, words, where="database files")] if words else []
    if evidence is not None:
        looked += look_for_bytes(files.db, evidence.patterns, where="database files, recorded bytes")
    return looked


async def begin_looking(parts: Parts, words: Sequence[str], *, files: bool) -> LongRun:
    """Look on behalf of a tenant, as a task: its result is a Proof, its errors are those of ``look``."""
    verification = Verification(parts.store.database, parts.settings, parts.tenant_id)

    async def work(progress: Progress) -> Mapping[str, Any]:
        del progress
        proof = Proof.of(await verification.look(words, files=files), words=len(words))
        dumped: Mapping[str, Any] = TypeAdapter(Proof).dump_python(proof, mode="json")
        return dumped

    # Of no other request: a name made of the words would keep them.
    return await begin(parts, f"verify_forgotten:{new_id()}", "verify_forgotten", work)
