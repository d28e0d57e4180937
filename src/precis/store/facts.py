"""Facts of messages in PostgreSQL: what waits to be read, and what was found, each message at most once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from precis.conversation import Remembering
from precis.database.connections import Database, Row, Tx, retried
from precis.engine.policy import Policy
from precis.keys.vault import Vault
from precis.memory import Memory, Scope
from precis.store.changes.writing import Writing
from precis.store.conversation_rows import opened, remembering_of
from precis.store.memories import read_memories
from precis.store.rows import NewMemory, scope_of

#: Nobody waits longer than this for more messages: what is due later is read by somebody, or failed.
_SOON = timedelta(minutes=1)
#: Messages that were read already, and may be put right by the next.
_BEFORE = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Unread:
    """A message that is to be read."""

    memory: Memory
    #: What its writer calls it.
    message_id: str
    role: str
    #: A message that was read has the same words of the same speaker.
    repeated: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """Messages of one conversation that one process reads."""

    conversation_id: str
    scope: Scope
    #: What was said of facts in this conversation, and what its caller keeps.
    remembering: Remembering
    properties: Mapping[str, Any]
    #: How often it has failed.
    attempts: int
    messages: Sequence[Unread]
    #: Ids of messages whose text is gone: there is nothing to read in them.
    empty: tuple[str, ...] = ()
    #: Those that were read right before them.
    before: Sequence[Unread] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """A conversation with messages to read."""

    conversation_id: str
    user_id: str
    due_at: datetime
    attempts: int
    remembering: Remembering
    properties: Mapping[str, Any]
    messages: int
    #: Of the messages.
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class NewFact:
    """A fact on its way in, and the messages it rests on."""

    row: NewMemory
    sources: tuple[str, ...]


class PostgresFacts:
    """What waits to be read for facts, and what was found. Each method is one transaction."""

    def __init__(self, database: Database, vault: Vault, writing: Writing) -> None:
        self._database = database
        self._vault = vault
        self._writing = writing

    def id_of(self, tenant_id: str, text: str, sources: Collection[str]) -> str:
        """The id of a fact: the same words of the same messages are the same fact. It says nothing by itself.

        It is behind those that precis gives messages, so that what is of one moment has one order with any key.
        """
        digest = self._vault.keys(tenant_id).fingerprint("fact", text, *sorted(sources))
        return "f" + blake2b(digest, digest_size=16, person=b"precis-fact").hexdigest()[1:]

    async def due(self, tenant_id: str, *, now: datetime, limit: int = 100) -> Sequence[str]:
        """Ids of conversations with messages to read now, the longest due first."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("facts_due", now=now, limit=limit)
        return [row["conversation_id"] for row in rows]

    async def hurry(self, tenant_id: str, *, now: datetime) -> None:
        """What waits for more to come, and has not failed, is due now."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("facts_hurried", now=now, soon=now + _SOON)

    async def waiting(self, tenant_id: str, *, user_id: str | None = None) -> Sequence[Waiting]:
        """Every conversation with messages to read, the longest due first."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("facts_waiting", user_id=user_id)
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        return [
            Waiting(
                conversation_id=row["conversation_id"], user_id=row["user_id"], due_at=row["facts_due_at"],
                attempts=row["facts_attempts"], messages=row["messages"], tokens=int(row["tokens"]),
                remembering=remembering_of(row, ciphers.get(row["user_id"]), tenant_id=tenant_id),
                properties=opened(row, "properties", ciphers.get(row["user_id"]), tenant_id=tenant_id),
            )
            for row in rows
        ]  # fmt: skip

    @retried
    async def claim(
        self, tenant_id: str, conversation_id: str, *, now: datetime, until: datetime, limit: int
    ) -> Reading | None:
        """The messages to read; nobody else reads them ``until`` then. None where somebody else does."""
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("claim_facts", conversation_id=conversation_id, now=now, until=until)
            if row is None:
                return None
            rows = await tx.all("waiting_messages", conversation_id=conversation_id, limit=limit)
            before = await tx.all("read_before", conversation_id=conversation_id, limit=_BEFORE)
            memories = await self._read(tx, [message["memory_id"] for message in (*before, *rows)])
            ciphers = await self._vault.ciphers(tx, {row["user_id"]})
        cipher = ciphers.get(row["user_id"])
        return Reading(
            conversation_id=conversation_id,
            scope=scope_of(row, tenant_id),
            remembering=remembering_of(row, cipher, tenant_id=tenant_id),
            properties=opened(row, "properties", cipher, tenant_id=tenant_id),
            attempts=row["facts_attempts"],
            messages=_unread(rows, memories),
            before=_unread(before[::-1], memories),
            empty=tuple(waiting["memory_id"] for waiting in rows if waiting["memory_id"] not in memories),
        )

    async def _read(self, tx: Tx, ids: Sequence[str]) -> Mapping[str, Memory]:
        rows: Sequence[Row] = await tx.all("get_memories", ids=list(ids))
        return {memory.id: memory for memory in await read_memories(tx, self._vault, rows) if memory.text is not None}

    @retried
    async def put(
        self, tenant_id: str, reading: Reading, facts: Sequence[NewFact], *, repeated: Collection[str], policy: Policy,
        now: datetime,
    ) -> Sequence[str]:  # fmt: skip
        """Write what was found and that the messages were read, or neither; answers the ids of new facts.

        A message that was edited, forgotten or read meanwhile is left out with what rests on it, and so is a fact that
        somebody forgot.
        """
        async with self._database.tx(tenant_id) as tx:
            opened = await self._writing.hold_scopes(tx, [reading.scope])
            if await tx.one("lock_conversation", conversation_id=reading.conversation_id) is None:
                return ()
            messages = (*reading.before, *reading.messages)
            read = {message.memory.id: message.memory.fingerprint for message in messages}
            before = [message.memory.id for message in reading.before]
            held = await tx.all(
                "hold_waiting", conversation_id=reading.conversation_id, ids=sorted(read), before=before
            )
            same = {row["memory_id"] for row in held if row["fingerprint"] == read[row["memory_id"]]}
            keys = self._vault.keys(tenant_id)
            stones = await tx.all("tombstoned", hashes=[keys.tombstone(fact.row.memory.id) for fact in facts])
            forgotten = {stone["memory_hash"] for stone in stones if not stone["renewable"]}
            kept = [
                fact
                for fact in facts
                if same.issuperset(fact.sources) and keys.tombstone(fact.row.memory.id) not in forgotten
            ]
            rows = [fact.row for fact in kept]
            await self._writing.refuse_forgotten(tx, rows)
            added = await self._writing.add(tx, rows, opened, policy=policy, now=now) if rows else []
            await tx.many(
                "insert_fact_source",
                [{"memory_id": fact.row.memory.id, "message_id": id_} for fact in kept for id_ in fact.sources],
            )
            await tx.run("messages_read", ids=sorted({*same, *reading.empty}), repeated=sorted(repeated))
            await tx.run("facts_were_read", conversation_id=reading.conversation_id, now=now)
        return [fact.id for fact in added if fact.created]

    async def failed(self, tenant_id: str, conversation_id: str, *, retry_at: datetime, counted: bool) -> None:
        """The messages are read again later; what was nobody's fault is not ``counted``."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("facts_failed", conversation_id=conversation_id, retry_at=retry_at, counted=int(counted))


def _unread(rows: Sequence[Row], memories: Mapping[str, Memory]) -> list[Unread]:
    return [
        Unread(
            memory=memories[row["memory_id"]], message_id=row["message_id"], role=row["role"], repeated=row["repeated"]
        )
        for row in rows
        if row["memory_id"] in memories
    ]
