"""What requests in words would forget: the rows that are looked through, and previews until they are confirmed."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from precis.database.connections import Database, Tx, retried
from precis.engine.forgetting import Receipt
from precis.engine.grouping import Vector
from precis.errors import InvalidInput, NotFound
from precis.finding.reading import folded
from precis.finding.values import Row, Span
from precis.ids import new_id
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.store.filtering import Filter, filter_parameters
from precis.store.forgetting import Forgetting
from precis.store.groups import read_statements
from precis.store.rows import halved, open_attributes
from precis.summary import Statement
from precis.trust import SourceClass

#: So many rows are opened off the event loop.
_MANY = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A memory that a request may mean."""

    row: Row
    fingerprint: bytes
    #: Whether its text cannot be edited: it was also kept as its caller's library has it, or has expired.
    sealed: bool
    #: Whether its text has expired; the row has what summaries and frozen nodes say that rests on it.
    expired: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """A memory of a preview."""

    id: str
    fingerprint: bytes
    sure: bool
    keeps: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """Which of the memories that a preview showed go: what is sure, and of what is in doubt all, some or none."""

    #: All that is in doubt goes as well.
    doubtful: bool = False
    #: Ids of those in doubt that go as well; of those that stay, sure or not.
    also: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    #: In doubt by a model alone, and shown to nobody: each goes only by its id.
    spared: frozenset[str] = frozenset()

    def takes(self, memory_id: str, *, sure: bool) -> bool:
        """Whether a memory goes that was shown as sure, or in doubt."""
        if memory_id in self.keep:
            return False
        return sure or memory_id in self.also or (self.doubtful and memory_id not in self.spared)


@dataclass(frozen=True, kw_only=True, slots=True)
class Confirmable:
    """What of a preview may be forgotten now."""

    user_id: str
    #: Those that go whole; those of which a part stays.
    whole: tuple[str, ...]
    parts: Mapping[str, tuple[Span, ...]]
    #: Edited since, and so left alone; and how many were forgotten since.
    changed: tuple[str, ...]
    gone: int
    #: In doubt, and not asked for.
    doubtful: tuple[str, ...]


class Previews:
    """Previews of one tenant hold ids and places, never a text; each belongs to a user and goes with the user."""

    def __init__(self, database: Database, vault: Vault, forgetting: Forgetting) -> None:
        self._database = database
        self._vault = vault
        self._forgetting = forgetting

    async def candidates(
        self, tenant_id: str, filter_: Filter, phrases: Sequence[Vector], *, embedding_version: str
    ) -> list[Candidate]:
        """Every memory of a scope, with its cosine to each phrase; of expired ones what is still said of them."""
        parameters = filter_parameters(filter_, self._vault.keys(tenant_id)) | {
            "phrases": [halved(phrase) for phrase in phrases], "version": embedding_version,
        }  # fmt: skip
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered("rows_to_find", **parameters)
            expired = await tx.filtered("expired_to_find", **parameters)
            users = {row["user_id"] for row in (*rows, *expired)} | {row["user_of_group"] for row in expired}
            ciphers = await self._vault.ciphers(tx, users)

        def opened() -> list[Candidate]:
            live = [_candidate(row, ciphers[row["user_id"]], tenant_id) for row in rows if row["user_id"] in ciphers]
            return live + _expired(expired, ciphers, tenant_id)

        return opened() if len(rows) + len(expired) < _MANY else await asyncio.to_thread(opened)

    async def statements_on(self, tenant_id: str, ids: Collection[str]) -> Mapping[str, Sequence[Statement]]:
        """What standing summaries say that rests on these memories, by summary."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            summaries = [row["summary_id"] for row in await tx.all("summaries_resting_on", ids=list(ids))]
            statements = await read_statements(tx, self._vault, summaries, served=True)
        resting = {
            id_: [statement for statement in of_summary if not set(ids).isdisjoint(statement.source_ids)]
            for id_, of_summary in statements.items()
        }
        return {id_: listed for id_, listed in resting.items() if listed}

    @retried
    async def keep(
        self, tenant_id: str, user_id: str, rows: Sequence[Listed], *, now: datetime, until: datetime
    ) -> str:
        """Remember what was shown; answers the id of the preview. What has expired goes on this occasion."""
        preview_id = new_id()
        async with self._database.tx(tenant_id) as tx:
            await self._vault.lock(tx, user_id)  # none is kept of a user who was forgotten meanwhile
            noted = {
                "preview_id": preview_id, "ids": [row.id for row in rows],
                "fingerprints": [row.fingerprint for row in rows], "sure": [row.sure for row in rows],
                "kept": [f"{{{','.join(str(place) for span in row.keeps for place in span)}}}" for row in rows],
            }  # fmt: skip
            await tx.together(
                ("delete_old_previews", {"now": now}),
                ("insert_preview", {
                    "preview_id": preview_id, "user_id": user_id, "now": now, "expires_at": until, "listed": len(rows),
                }),
                ("insert_preview_rows", noted),
            )  # fmt: skip
        return preview_id

    async def confirmable(
        self,
        tenant_id: str,
        preview_id: str,
        choice: Choice,
        *,
        user_id: str | None,
        now: datetime,
    ) -> Confirmable:
        """What of a preview still is what was shown.

        Raises NotFound for one that is not there, or another user's; InvalidInput where the choice names what the
        preview does not show. What was forgotten since is gone, whatever was chosen of it.
        """
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id) as tx:
            ready = await self._read(tx, preview_id, choice, user_id=user_id, now=now)
            shown = {*ready.whole, *ready.parts, *ready.changed, *ready.doubtful}
            hashes = {keys.tombstone(id_): id_ for id_ in (choice.also | choice.keep) - shown}
            stones = await tx.all("tombstoned", hashes=list(hashes)) if hashes else []
        shown.update(hashes[row["memory_hash"]] for row in stones)
        for field, ids in (("also", choice.also), ("keep", choice.keep)):
            if unknown := sorted(ids - shown):
                message = f"{field}: preview {preview_id!r} does not show {unknown[0]!r}"
                raise InvalidInput(message, field=field)
        return ready

    async def forget(
        self,
        tenant_id: str,
        preview_id: str,
        ids: Collection[str],
        choice: Choice,
        *,
        now: datetime,
    ) -> Receipt | None:
        """Forget those of ``ids`` that still say what was shown, and the preview; None where none of them is left.

        What is kept is in doubt from then on.
        """
        receipt = await self._forget(tenant_id, preview_id, ids, choice, now)
        await self._forgetting.finish(tenant_id)
        return receipt

    @retried
    async def _forget(
        self,
        tenant_id: str,
        preview_id: str,
        ids: Collection[str],
        choice: Choice,
        now: datetime,
    ) -> Receipt | None:
        async with self._database.tx(tenant_id) as tx:
            now_so = await self._read(tx, preview_id, choice, user_id=None, now=now)
            if choice.keep:
                await tx.run("doubt_preview_rows", preview_id=preview_id, ids=sorted(choice.keep))
            going = [id_ for id_ in now_so.whole if id_ in ids]
            if not now_so.doubtful:
                await tx.run("delete_preview", preview_id=preview_id)
            return await self._forgetting.forget_within(tx, going, now=now, renewable=False) if going else None

    async def _read(
        self, tx: Tx, preview_id: str, choice: Choice, *, user_id: str | None, now: datetime
    ) -> Confirmable:
        preview = await tx.one("get_preview", preview_id=preview_id, now=now)
        if preview is None or user_id not in (None, preview["user_id"]):
            raise NotFound(
                f"there is no preview {preview_id!r}: it was confirmed, it expired, or it never was; ask for a new one "
                "in words"
            )
        rows = await tx.all("preview_rows", preview_id=preview_id)
        unchanged = [row for row in rows if row["unchanged"]]
        meant = [row for row in unchanged if choice.takes(row["memory_id"], sure=row["sure"])]
        meant_ids = {row["memory_id"] for row in meant}
        return Confirmable(
            user_id=preview["user_id"],
            whole=tuple(row["memory_id"] for row in meant if not row["kept"]),
            parts={row["memory_id"]: tuple(_spans(row["kept"])) for row in meant if row["kept"]},
            changed=tuple(row["memory_id"] for row in rows if not row["unchanged"]),
            gone=preview["listed"] - len(rows),
            doubtful=tuple(row["memory_id"] for row in unchanged if row["memory_id"] not in meant_ids),
        )


def _spans(places: Sequence[int]) -> Iterator[Span]:
    return zip(places[::2], places[1::2], strict=True)


def _expired(rows: Sequence[Mapping[str, Any]], ciphers: Mapping[str, Cipher], tenant_id: str) -> list[Candidate]:
    """Expired memories, each with the text of the statements that rest on it alone or, without one, on others too."""
    known = [row for row in rows if {row["user_id"], row["user_of_group"]} <= ciphers.keys()]
    candidates = []
    for _, of_memory in groupby(known, key=itemgetter("memory_id")):
        statements = list(of_memory)
        statements = [row for row in statements if row["alone"]] or statements
        texts = (
            ciphers[row["user_of_group"]].open_text(
                row["text_ciphertext"], tenant_id=tenant_id, row_id=row["statement_id"], column="statement"
            )
            for row in statements
        )
        text = " ".join(dict.fromkeys(texts))
        candidates.append(_candidate(statements[0], ciphers[statements[0]["user_id"]], tenant_id, rest=text))
    return candidates


def _candidate(row: Mapping[str, Any], cipher: Cipher, tenant_id: str, *, rest: str | None = None) -> Candidate:
    """A memory; ``rest`` is what is left to read of one that has expired."""
    row_id = row["memory_id"]
    attributes = open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row_id)
    metadata = attributes.metadata or {}
    origins = [
        row["namespace"],
        row["agent_id"],
        row["run_id"],
        *([row["source_class"]] if row["source_class"] != SourceClass.USER else ()),
        *(str(value) for value in metadata.values() if isinstance(value, str)),
    ]
    labels = [attributes.key, *attributes.topics, *attributes.entities]
    text = rest
    if text is None:
        text = cipher.open_text(row["text_ciphertext"], tenant_id=tenant_id, row_id=row_id, column="text")
    return Candidate(
        row=Row(
            id=row_id, text=text, created_at=row["created_at"], event_date=row["event_date"],
            session_id=row["session_id"], speaker=attributes.speaker,
            origins=frozenset(folded(word) for word in origins if word),
            labels=frozenset(word.lower() for word in labels if word), likeness=tuple(row.get("likeness") or ()),
        ),
        fingerprint=row["fingerprint"], sealed=rest is not None or row["sealed"], expired=rest is not None,
    )  # fmt: skip
