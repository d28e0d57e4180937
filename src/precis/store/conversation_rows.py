"""Rows of conversations and messages as values, and back. What is sealed is opened here, as in precis.store.rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from precis.engine.conversation import Conversation, Message
from precis.keys.cipher import Cipher
from precis.memory import RetentionState, Scope
from precis.store.rows import open_attributes
from precis.store.turns import StoredLine


def conversation_of(row: Mapping[str, Any], cipher: Cipher | None, *, tenant_id: str) -> Conversation:
    """A row of find_conversation."""
    sealed = row["properties_ciphertext"]
    opened = (
        cipher.open(sealed, tenant_id=tenant_id, row_id=row["conversation_id"], column="properties")
        if sealed is not None and cipher
        else b"{}"
    )
    return Conversation(
        id=row["conversation_id"],
        session_id=row["session_id"],
        namespace=row["namespace"],
        scope=Scope(
            tenant_id=tenant_id, user_id=row["user_id"], project_id=row["project_id"], environment=row["environment"]
        ),
        group_id=row["group_id"],
        version=row["version"],
        summary_id=row["summary_id"],
        behind=bool(row["behind"]),
        properties=orjson.loads(opened),
        ttl_seconds=row["ttl_seconds"],
        expires_at=row["expires_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def message_of(row: Mapping[str, Any], cipher: Cipher, *, tenant_id: str) -> Message:
    """A row of read_messages."""
    row_id = row["memory_id"]
    attributes = open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row_id)
    payload = row["payload_ciphertext"]
    return Message(
        id=row_id,
        given=row["message_id"],
        role=row["role"],
        text=cipher.open_text(row["text_ciphertext"], tenant_id=tenant_id, row_id=row_id, column="text"),
        created_at=row["created_at"],
        tokens=row["tokens"],
        name=attributes.speaker if attributes.speaker != row["role"] else None,
        opens=tuple(row["opens"]),
        closes=tuple(row["closes"]),
        payload=orjson.loads(cipher.open(payload, tenant_id=tenant_id, row_id=row_id, column="payload"))
        if payload is not None
        else None,
        seq=row["seq"],
    )


def living(rows: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    """Those whose text is there, as messages without it."""
    return tuple(stub_of(row) for row in rows if row["retention_state"] != RetentionState.EXPIRED)


def stub_of(row: Mapping[str, Any]) -> Message:
    """A row of tail, gaps or message_stubs."""
    return Message(
        id=row["memory_id"], given=row["message_id"], role=row["role"], text="", created_at=row["created_at"],
        tokens=row["tokens"], opens=tuple(row["opens"]), closes=tuple(row["closes"]), seq=row["seq"],
    )  # fmt: skip


def line_of(row: Mapping[str, Any]) -> StoredLine:
    """A row of lines_of_conversation or lines_by_memory."""
    opens, closes = tuple(row["opens"]), tuple(row["closes"])
    return StoredLine(
        id=row["memory_id"], given=row["message_id"], role=row["role"], mark=row["text_hash"],
        spoken=not opens and not closes and row["role"] in ("user", "assistant"), seq=row["seq"],
        created_at=row["created_at"], tokens=row["tokens"], opens=opens, closes=closes, fingerprint=row["fingerprint"],
    )  # fmt: skip


def message_row(message: Message, tenant_id: str, conversation_id: str, seq: int, cipher: Cipher) -> dict[str, Any]:
    """The parameters of insert_message."""
    payload = message.payload
    return {
        "tenant_id": tenant_id,
        "conversation_id": conversation_id,
        "seq": seq,
        "memory_id": message.id,
        "message_id": message.given,
        "role": message.role,
        "opens": list(message.opens),
        "closes": list(message.closes),
        "payload_ciphertext": None
        if payload is None
        else cipher.seal(orjson.dumps(dict(payload)), tenant_id=tenant_id, row_id=message.id, column="payload"),
    }
