"""Memories in PostgreSQL: the one write path, and reading rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import structlog

from precis.database.connections import Database, Tx, retried
from precis.database.queries import narrowed, query
from precis.database.replicas import from_replicas
from precis.database.sending import Statement
from precis.engine.forgetting import Receipt, WhatWent
from precis.engine.policy import Policy
from precis.errors import Changed, Conflict, NotFound, PrecisError
from precis.finding.values import Span
from precis.ids import as_said
from precis.keys.cipher import Cipher
from precis.keys.log_lines import Part
from precis.keys.receipts import hashed
from precis.keys.vault import Vault
from precis.memory import TURN, Memory, RetentionState
from precis.store.changes.gathering import Gathering
from precis.store.changes.posting import relisting
from precis.store.changes.redacting import Leaves, Redacting
from precis.store.changes.superseding import Superseding
from precis.store.changes.writing import Added, Writing
from precis.store.conversation_rows import Beside, sealed_payload
from precis.store.filtering import Filter, Page, decode_cursor, encode_cursor, filter_parameters
from precis.store.forgetting import TAKEN, Forgetting
from precis.store.groups import read_statements
from precis.store.membership import writer_locks
from precis.store.rows import NewMemory, key_hash, memory_of, row_of, wording_hash
from precis.store.rule_groups import PostgresRuleGroups
from precis.summary import assemble

_log = structlog.get_logger(__name__)


class PostgresMemories:
    """Raw rows, and every row as it is read."""

    def __init__(
        self, database: Database, vault: Vault, rule_groups: PostgresRuleGroups, forgetting: Forgetting,
        redacting: Redacting, superseding: Superseding,
    ) -> None:  # fmt: skip
        self._database = database
        self._redacting = redacting
        self.writing = Writing(vault, rule_groups.membership, forgetting, superseding)
        self._gathering = Gathering(self._add)
        self._superseding = superseding
        self._vault = vault
        self._membership = rule_groups.membership
        self._rule_groups = rule_groups
        self._forgetting = forgetting
        self.forget = self._forgetting.forget
        self.forget_user = self._forgetting.forget_user
        self.refuse_stranger = self._forgetting.refuse_stranger

    async def add(self, tenant_id: str, rows: Sequence[NewMemory], *, policy: Policy, now: datetime) -> list[Added]:
        """Write all rows or none, each into its cluster; mark the clusters stale and hint a worker.

        Repeating is safe: an id that is there with the same content is answered ``created=False``. Raises Conflict for
        an id that is there with other content, Forgotten for a forgotten id without ``revive``; and what
        ``Superseding.claims`` and ``apply`` raise.
        """
        return await self._gathering.add(tenant_id, rows, policy, now)

    @retried
    async def _add(self, tenant_id: str, rows: Sequence[NewMemory], policy: Policy, now: datetime) -> list[Added]:
        async with self._database.tx(tenant_id, first=self.writing.opening(tenant_id, rows, policy)) as tx:
            opened = await self.writing.opened(tx, rows)
            revived = await self.writing.refuse_forgotten(tx, rows, opened.stones)
            added = await self.writing.add(tx, rows, opened, policy=policy, now=now, ends=True)
        if revived:
            await self._tell_log(tenant_id)
        return added

    async def _tell_log(self, tenant_id: str) -> None:
        """The write is committed and stays so: what the forgotten-log did not take is told to it by a later sweep."""
        try:
            await self._forgetting.finish(tenant_id)
        except (OSError, PrecisError) as error:
            _log.warning("revival_not_noted", tenant_id=tenant_id, error=type(error).__name__)

    async def get(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Memory]:
        """The rows that exist, by id. The text of a summary row is its served statements."""
        if not ids:
            return {}
        calls = [("get_memories", {"ids": list(ids)})]
        async with self._database.tx(tenant_id, one_moment=True, first=calls) as tx:
            memories = await read_memories(tx, self._vault, tx.answers[0])
        return {memory.id: memory for memory in memories}

    async def forgotten(self, tenant_id: str, ids: Collection[str]) -> Collection[str]:
        """Which of these ids a person forgot."""
        keys = self._vault.keys(tenant_id)
        hashes = {keys.tombstone(id_): id_ for id_ in ids}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("tombstoned", hashes=list(hashes))
        return {hashes[row["memory_hash"]] for row in rows if not row["renewable"]}

    async def taken_from(self, tenant_id: str, ids: Sequence[str]) -> set[str]:
        """Those of these messages of which a person forgot a part, or to which somebody gave another text."""
        if not ids:
            return set()
        keys = self._vault.keys(tenant_id)
        names = {hashed(keys, id_): id_ for id_ in ids}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("memories_in_part", memories=list(names), what=WhatWent.PART)
        buried = await self.forgotten(tenant_id, [as_said(id_, TAKEN) for id_ in ids])
        return {names[row["memory"]] for row in rows} | {id_ for id_ in ids if as_said(id_, TAKEN) in buried}

    async def among(self, tenant_id: str, filter_: Filter, ids: Collection[str]) -> set[str]:
        """Those of these rows, expired ones too, that the filter lets through."""
        if not ids:
            return set()
        parameters = {
            **filter_parameters(filter_, self._vault.keys(tenant_id)), "tenant_id": tenant_id, "ids": sorted(ids),
        }  # fmt: skip
        (rows,) = await self._database.read(
            tenant_id, Statement(narrowed(query("memories_among"), parameters), parameters)
        )
        return {row["memory_id"] for row in rows}

    @from_replicas
    async def list(self, tenant_id: str, filter_: Filter, *, limit: int, cursor: str | None) -> Page[Memory]:
        """Newest first, ``limit`` rows from the cursor on."""
        before, before_id = decode_cursor("memories", cursor)
        parameters = {
            **filter_parameters(filter_, self._vault.keys(tenant_id)), "before": before,
            "before_id": before_id, "limit": limit + 1,
        }  # fmt: skip
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered("list_memories", **parameters)
            memories = await read_memories(tx, self._vault, rows[:limit])
        # A row may be left out because nobody can open it, and the page may end with it.
        last = rows[limit - 1] if len(rows) > limit else None
        cursor = encode_cursor("memories", last["created_at"], last["memory_id"]) if last else None
        return Page(rows=tuple(memories), next_cursor=cursor)

    async def by_namespace(self, tenant_id: str, filter_: Filter, *, limit: int | None) -> Sequence[Memory]:
        """Raw rows, oldest first; those of a namespace together, where its first one stands."""
        parameters = {**filter_parameters(filter_, self._vault.keys(tenant_id)), "limit": limit}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            return await read_memories(tx, self._vault, await tx.filtered("memories_by_namespace", **parameters))

    async def edit(
        self, tenant_id: str, changed: NewMemory, *, policy: Policy, now: datetime, expected: Memory | None = None,
        stays: Sequence[Span] | None = None, beside: Beside | None = None,
    ) -> Receipt:  # fmt: skip
        """Replace a raw row: its old text is forgotten at once (law 4), its summaries become stale.

        It keeps its ``created_at``, whatever ``changed`` says of that. Where ``expected`` is given, only the row
        that still is as that is replaced. Where ``stays`` says which places of the old text stay, somebody asked for
        the rest to be forgotten: the receipt is signed, and the forgotten-log hears of it. ``beside`` is what belongs
        to a message that its writer hands in anew; of another that gets a new text, what it said does not come back by
        itself. Raises NotFound; Conflict for a summary or an expired row; Changed for one that was edited meanwhile.
        """
        receipt = await self._edit(tenant_id, changed, policy, now, expected, stays, beside)
        if stays is not None:
            await self._forgetting.finish(tenant_id)
        return receipt

    @retried
    async def _edit(
        self, tenant_id: str, changed: NewMemory, policy: Policy, now: datetime, expected: Memory | None,
        stays: Sequence[Span] | None, beside: Beside | None,
    ) -> Receipt:  # fmt: skip
        memory = changed.memory
        async with self._database.tx(tenant_id) as tx:
            await tx.together(writer_locks([memory.scope]))
            of_memory = {"ids": [memory.id]}
            await tx.run("hold_memories", **of_memory)
            rows = await tx.all("get_memories", **of_memory)
            if not rows:
                raise NotFound(f"there is no memory {memory.id!r}")
            if rows[0]["is_summary"]:
                raise Conflict("a summary is derived: edit its sources, or delete it")
            if rows[0]["retention_state"] == RetentionState.EXPIRED:
                raise Conflict("this memory has expired: its text is gone and cannot be edited")
            if expected and (expected.fingerprint, expected.updated_at) != (
                rows[0]["fingerprint"],
                rows[0]["updated_at"],
            ):
                raise Changed(f"memory {memory.id!r} was edited meanwhile")
            # The fingerprint holds it: one of another moment would cut and order a group as no fresh store does.
            memory = replace(memory, created_at=rows[0]["created_at"])
            if changed.ruled is not None and rows[0]["extracted_type"] in policy.group.types:
                # The type is that of its subject, as when it was written.
                memory = replace(memory, extracted_type=rows[0]["extracted_type"])
            changed = replace(changed, memory=memory)
            moves = rows[0]["user_id"] != memory.scope.user_id
            users = {rows[0]["user_id"], memory.scope.user_id}
            ciphers = await self._vault.ciphers(tx, users, hold=True, create=moves)
            if not ciphers:
                raise NotFound(f"there is no memory {memory.id!r}")  # its user was forgotten meanwhile
            settled = self._stays(rows[0], changed)
            apart = (rows[0]["namespace"] or "") != (memory.namespace or "") and not settled
            leaves = Leaves.ALL if moves or apart else Leaves.NONE if settled else Leaves.CLUSTERS
            parameters = row_of(changed, ciphers[memory.scope.user_id], self._vault.keys(tenant_id))
            claims, _ = await self._superseding.claims(tx, [changed], now)
            await self._forgetting.tombstones.lift(tx, memory)
            # Where nothing changed that a prompt shows, nothing that rests on it has to go.
            redacted = [] if settled and parameters["fingerprint"] == rows[0]["fingerprint"] else [memory.id]
            redaction = await self._redacting.redact(tx, redacted, leaves=leaves, now=now)
            # What is sealed with the key of another user could not be opened either.
            await tx.run("strip_message", memory_id=memory.id, text_hash=None if moves else parameters["text_hash"])
            await tx.together(*relisting([memory.id], ("update_memory", parameters | {"updated_at": now})))
            receipt = await self._redacting.settle(tx, redaction)
            if parameters["importance"] != rows[0]["importance"]:
                await tx.run("weigh_summaries", memory_id=memory.id)
            await self._say_anew(tx, memory, ciphers[memory.scope.user_id], redacted, beside, now)
            pairs = await self._rule_groups.replace(tx, memory, now)
            if not settled:
                bound = replace(changed, ruled=None)
                await self._membership.join(tx, [bound], ciphers, policy, now)
            await self._membership.to_places(tx, pairs, now)
            await self._superseding.replace(tx, claims, changed, ciphers, now)
            if stays is not None:
                part = Part(before=rows[0]["fingerprint"], after=parameters["fingerprint"], stays=tuple(stays))
                user_id, until, said = memory.scope.user_id, redaction.until, (expected and expected.text) or ""
                receipt = await self._forgetting.forget_part(tx, receipt, part, user_id=user_id, until=until, said=said)
        return receipt

    async def _say_anew(
        self, tx: Tx, memory: Memory, cipher: Cipher, redacted: Sequence[str], beside: Beside | None, now: datetime
    ) -> None:  # fmt: skip
        """A message that says something else now: its facts go, and it is read again."""
        if memory.metadata.get("kind") != TURN:
            return
        if beside is not None:
            sealed = sealed_payload(beside.payload, cipher, tenant_id=tx.tenant_id, memory_id=memory.id)
            kept = {"opens": list(beside.opens), "closes": list(beside.closes), "is_read": beside.is_read}
            await tx.run("rewrite_message", memory_id=memory.id, **kept, payload_ciphertext=sealed)
        if redacted:
            if beside is None:
                await self._forgetting.tombstones.bury(tx, memory.id, (), now=now)
            await self._forgetting.remove_facts(tx, redacted, now=now)
            wording = wording_hash(memory, self._vault.keys(tx.tenant_id))
            await tx.run("read_again", memory_id=memory.id, wording=wording, now=now)

    def _stays(self, row: Mapping[str, Any], changed: NewMemory) -> bool:
        """An edited row leaves its cluster only when its user, namespace, type, subject or person is another.

        A message is in no cluster, and stays where its conversation has it.
        """
        if changed.memory.metadata.get("kind") == TURN:
            return True
        keys = self._vault.keys(changed.memory.scope.tenant_id)
        place = row["user_id"], row["namespace"] or ""
        return (*place, row["extracted_type"], row["key_hash"], row["person_hash"]) == (
            changed.memory.scope.user_id,
            changed.memory.namespace or "",
            changed.memory.extracted_type,
            key_hash(changed.memory.extracted_key, keys),
            key_hash(changed.person, keys),
        )


async def read_memories(
    tx: Tx, vault: Vault, rows: Sequence[Mapping[str, Any]], ciphers: Mapping[str, Cipher] | None = None
) -> list[Memory]:
    """Rows as memories. A redacted summary is read from its statements; a row whose key is gone is left out.

    ``ciphers`` are those of the users, where they were read.
    """
    if ciphers is None:
        ciphers = await vault.ciphers(tx, {row["user_id"] for row in rows})
    redacted = [row["memory_id"] for row in rows if row["is_summary"] and row["summary_ciphertext"] is None]
    statements = await read_statements(tx, vault, redacted, served=True) if redacted else {}
    return [
        memory_of(
            row,
            ciphers[row["user_id"]],
            tenant_id=tx.tenant_id,
            text=assemble(statements.get(row["memory_id"], ())) if row["memory_id"] in redacted else None,
        )
        for row in rows
        if row["user_id"] in ciphers
    ]
