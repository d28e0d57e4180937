"""Conversations in PostgreSQL: what is read of them. What a turn writes stands in ``changes/conversation_turn.py``."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from precis.conversation import Address, Conversation, Loaded, Message, Spoken
from precis.database.connections import Database, Tx, retried
from precis.errors import Conflict
from precis.keys.vault import Vault
from precis.store import conversation_rows
from precis.store.changes.conversation_turn import Turns
from precis.store.groups import read_statements
from precis.store.rows import counts_in


class PostgresConversations:
    """Conversations. Each method is one transaction."""

    def __init__(self, database: Database, vault: Vault, turns: Turns) -> None:
        self._database = database
        self._vault = vault
        self._turns = turns

    async def load(self, tenant_id: str, address: Address, *, at_least: int, now: datetime) -> Loaded | None:
        """The summary, what it has not read, and at least so many messages; None where there is none of that name.

        Raises Conflict where several conversations have it. What the summary covers is not read.
        """
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all(
                "find_conversation", session_id=address.session_id,
                user_id=address.user_id, namespace=address.namespace, project_id=address.project_id,
                environment=address.environment, now=now,
            )  # fmt: skip
            if not rows:
                return None
            if len(rows) > 1:
                message = "several conversations have this name: say the user, the namespace or the project as well"
                raise Conflict(message)
            conversation = await self._conversation(tx, rows[0])
            spoken = await self._spoken(tx, conversation)
            return await self._open(tx, conversation, spoken, at_least)

    async def _conversation(self, tx: Tx, row: Mapping[str, Any]) -> Conversation:
        ciphers = await self._vault.ciphers(tx, {row["user_id"]})
        return conversation_rows.conversation_of(row, ciphers.get(row["user_id"]), tenant_id=tx.tenant_id)

    async def _spoken(self, tx: Tx, conversation: Conversation) -> Spoken | None:
        summary_id = conversation.summary_id
        if summary_id is None:
            return None
        node = await tx.one("spoken", summary_id=summary_id)
        if node is None:
            return None
        statements = await read_statements(tx, self._vault, [summary_id], served=True)
        ciphers = await self._vault.ciphers(tx, {conversation.scope.user_id})
        cipher = ciphers.get(conversation.scope.user_id)
        title = node["title_ciphertext"]
        return Spoken(
            id=summary_id,
            statements=statements.get(summary_id, ()),
            title=cipher.open_text(title, tenant_id=tx.tenant_id, row_id=summary_id, column="title")
            if title is not None and cipher
            else None,
            made_by=node["made_by"],
            fallback=node["fallback"],
            covered=node["read_count"],
            counts=counts_in(node),
        )

    async def _open(self, tx: Tx, conversation: Conversation, spoken: Spoken | None, at_least: int) -> Loaded:
        """With what the summary has not read; and of the rest the newest, up to the number asked for."""
        names = {"conversation_id": conversation.id, "summary_id": conversation.summary_id}
        last = await tx.one("last_covered", **names) if conversation.summary_id else None
        after = last["seq"] if last else 0
        tail = await tx.all("tail", **names, after=after, at_least=at_least)
        gaps = await tx.all("gaps", **names, after=after) if conversation.behind and after else []
        missing = {row["memory_id"] for row in gaps}
        unread = [*gaps, *(row for row in tail if row["seq"] > after)]
        recent = [row for row in tail if row["seq"] <= after and row["memory_id"] not in missing]
        return Loaded(
            conversation=conversation,
            spoken=spoken,
            open=conversation_rows.living(unread),
            recent=conversation_rows.living(recent),
            after=after,
        )

    async def read(self, tenant_id: str, ids: Sequence[str]) -> Sequence[Message]:
        """These messages with their text and payload, in order, without those that were deleted."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("read_messages", ids=list(ids))
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        return [
            conversation_rows.message_of(row, ciphers[row["user_id"]], tenant_id=tenant_id)
            for row in rows
            if row["user_id"] in ciphers
        ]

    async def stubs(self, tenant_id: str, conversation_id: str, *, before: int | None, limit: int) -> Sequence[Message]:
        """A page of a conversation, newest first, without text."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("message_stubs", conversation_id=conversation_id, before=before, limit=limit)
        return [conversation_rows.stub_of(row) for row in rows]

    async def lines(
        self, tenant_id: str, conversation_id: str, *, ids: Sequence[str] | None = None
    ) -> Sequence[conversation_rows.StoredLine]:
        """What a conversation consists of, in order, without text; or only the messages with these ids of memories."""
        names = {"conversation_id": conversation_id}
        async with self._database.tx(tenant_id) as tx:
            if ids is None:
                rows = await tx.all("lines_of_conversation", **names)
            else:
                rows = await tx.all("lines_by_memory", **names, ids=list(ids))
        return [conversation_rows.line_of(row) for row in rows]

    def hashes(self, tenant_id: str) -> conversation_rows.MessageHashes:
        """Tells messages of this tenant apart."""
        return conversation_rows.MessageHashes(self._vault.keys(tenant_id))

    @retried
    async def persist(
        self, tenant_id: str, turn: conversation_rows.NewTurn, *, now: datetime
    ) -> conversation_rows.Persisted:
        """Messages, summary and title, all or none; a summary that a race has outdated is left out and stays due.

        Raises Conflict (an id exists with other content or elsewhere, or another version), Forgotten.
        """
        async with self._database.tx(tenant_id) as tx:
            return await self._turns.write(tx, turn, now=now)

    async def sessions(
        self, tenant_id: str, *, user_id: str | None, namespace: str | None, limit: int, offset: int, now: datetime
    ) -> conversation_rows.Sessions:
        """Full names, the latest written first."""
        names = {"user_id": user_id, "namespace": namespace, "now": now}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("list_conversations", **names, limit=limit, offset=offset)
            count = await tx.one("count_conversations", **names)
        addresses = tuple(
            Address(
                session_id=row["session_id"], user_id=row["user_id"], namespace=row["namespace"] or "",
                project_id=row["project_id"], environment=row["environment"],
            )
            for row in rows
        )  # fmt: skip
        return conversation_rows.Sessions(addresses=addresses, total=count["total"] if count else 0)

    async def ended(self, tenant_id: str, *, first: str, limit: int, now: datetime) -> Sequence[str]:
        """Ids of conversations whose time is over; ``first`` is the first of them if it is one."""
        names = {"first": first, "limit": limit, "now": now}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("ended_conversations", **names)
        return [row["conversation_id"] for row in rows]

    async def message_ids(self, tenant_id: str, conversation_id: str) -> Sequence[str]:
        """Every message of one."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("ids_of_conversation", conversation_id=conversation_id)
        return [row["memory_id"] for row in rows]

    async def delete(self, tenant_id: str, conversation_id: str) -> None:
        """The row; its messages are forgotten as memories are."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("delete_conversation", conversation_id=conversation_id)
