"""Rows of conversations and messages as values, and back. What is sealed is opened here, as in precis.store.rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import orjson

from precis import conversation, memory, summary, trust
from precis.engine.drafted import MadeNode
from precis.engine.plan import Plan
from precis.engine.segments import Leaf
from precis.keys.cipher import OVERHEAD_BYTES, Cipher, TenantKeys
from precis.store.rows import (
    NewMemory,
    fingerprint,
    fingerprints_of,
    open_attributes,
    scope_of,
    text_hash,
    wording_hash,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMessage:
    """A message on its way in, and the memory it is."""

    message: conversation.Message
    row: NewMemory
    #: Whether it is to be read for facts.
    is_read: bool = False

    @property
    def tells(self) -> bool:
        """Whether it may hold one."""
        return self.is_read and self.row.memory.extracted_type not in ("smalltalk", "question")


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """What belongs to the text of a message."""

    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    payload: Mapping[str, Any] | None = None
    #: Whether it is to be read for facts, where it was not before.
    is_read: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredLine(conversation.Line):
    """A message that is stored, as far as it takes to recognize it and to answer it."""

    given: str
    #: Of the memory that it is.
    id: str
    seq: int
    created_at: datetime
    tokens: int
    opens: tuple[str, ...]
    closes: tuple[str, ...]
    fingerprint: bytes
    #: Bytes of what was handed in beside the words; 0 where that is nothing.
    beside: int


class MessageHashes:
    """What tells messages of one tenant apart, keyed, so that it says nothing by itself."""

    def __init__(self, keys: TenantKeys) -> None:
        self._keys = keys

    def marks(self, texts: Sequence[str], stored: Sequence[StoredLine] = ()) -> Sequence[int]:
        """What tells these texts from others, as the ``stored`` lines have it: those of before 0.2 to the byte."""
        kept = {line.mark for line in stored}
        both = ((text_hash(text, self._keys), text_hash(text, self._keys, exact=True)) for text in texts)
        return [exact if exact in kept else mark for mark, exact in both]

    def is_same(self, line: StoredLine, *, speaker: str, text: str) -> bool:
        """Whether the stored message says this."""
        rendered = (line.id, line.created_at.isoformat(), speaker, text)
        return line.fingerprint in fingerprints_of(*rendered, keys=self._keys)

    def leaves(self, messages: Sequence[NewMessage]) -> Sequence[Leaf]:
        """Messages as sources, before they are written."""
        memories = [message.row.memory for message in messages]
        return [
            Leaf(
                id=m.id,
                created_at=m.created_at,
                fingerprint=fingerprint(m, self._keys),
                tokens=m.tokens,
                source_class=m.source_class,
            )
            for m in memories
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Computed:
    """A summary that was made and checked, and that nobody has written yet."""

    plan: Plan
    #: Nodes below the summary, children first; and the summary itself.
    nodes: tuple[MadeNode, ...]
    root: MadeNode
    vector: Sequence[float]
    embedding_version: str
    counts: summary.Counts

    def plan_at(self, version: int) -> Plan:
        """The plan as if it had been made of the group at this version."""
        return replace(self.plan, version=version)


@dataclass(frozen=True, kw_only=True, slots=True)
class Properties:
    """What a caller keeps beside the messages; replaces what was there."""

    values: Mapping[str, Any] = field(default_factory=dict)
    ttl_seconds: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewTurn:
    """Everything one turn writes, in one transaction."""

    address: conversation.Address
    messages: Sequence[NewMessage] = ()
    #: Ids of messages that leave the conversation; they may be written again.
    removed: Sequence[str] = ()
    #: Ids, new ones included, that come behind everything else in this order; those of new messages where it is empty.
    order: Sequence[str] = ()
    #: Ids of the messages that the summary is to speak for from now on.
    hand_over: Sequence[str] = ()
    #: Place of the newest message that was covered when this was decided.
    after: int = 0
    #: Of those and of what it covered before; None: none was made.
    computed: Computed | None = None
    #: When a worker is to make the summary, where it was not made or cannot be written.
    due_at: datetime | None = None
    #: None leaves them as they are.
    properties: Properties | None = None
    #: What it says of recall and of facts; None leaves that as it is.
    remembering: conversation.Remembering | None = None
    #: When its messages are to be read for facts, if any of them tells something.
    facts_due_at: datetime | None = None
    #: Refuse with Conflict when the conversation has another version.
    expected_version: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Persisted:
    """What a turn wrote."""

    conversation_id: str
    version: int
    #: Ids that were not there before.
    created: tuple[str, ...]
    #: The places of the messages that were written or moved, by id.
    places: Mapping[str, int] = field(default_factory=dict)
    #: The summary, where it was written with them; and why not, where one had been made.
    summary_id: str | None = None
    discarded: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sessions:
    """A page of names."""

    #: In full; several may share a session id.
    addresses: tuple[conversation.Address, ...]
    total: int

    @property
    def names(self) -> tuple[str, ...]:
        """Their session ids."""
        return tuple(address.session_id for address in self.addresses)


def opened(row: Mapping[str, Any], column: str, cipher: Cipher | None, *, tenant_id: str) -> Any:
    """What a sealed column of a conversation holds."""
    sealed = row[f"{column}_ciphertext"]
    if sealed is None or cipher is None:
        return {}
    return orjson.loads(cipher.open(sealed, tenant_id=tenant_id, row_id=row["conversation_id"], column=column))


def remembering_of(row: Mapping[str, Any], cipher: Cipher | None, *, tenant_id: str) -> conversation.Remembering:
    """What was said of the recall and the facts of a conversation."""
    return conversation.Remembering(**opened(row, "remembering", cipher, tenant_id=tenant_id))


def conversation_of(row: Mapping[str, Any], cipher: Cipher | None, *, tenant_id: str) -> conversation.Conversation:
    """A row of find_conversation."""
    return conversation.Conversation(
        id=row["conversation_id"],
        session_id=row["session_id"],
        namespace=row["namespace"],
        scope=scope_of(row, tenant_id),
        group_id=row["group_id"],
        version=row["version"],
        summary_id=row["summary_id"],
        behind=bool(row["behind"]),
        properties=opened(row, "properties", cipher, tenant_id=tenant_id),
        remembering=remembering_of(row, cipher, tenant_id=tenant_id),
        ttl_seconds=row["ttl_seconds"],
        expires_at=row["expires_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def message_of(row: Mapping[str, Any], cipher: Cipher, *, tenant_id: str) -> conversation.Message:
    """A row of read_messages."""
    row_id = row["memory_id"]
    attributes = open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row_id)
    payload = row["payload_ciphertext"]
    return conversation.Message(
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
        was_read=row["facts"] in ("read", "repeated"),
    )


def living(rows: Sequence[Mapping[str, Any]]) -> tuple[conversation.Message, ...]:
    """Those whose text is there, as messages without it."""
    return tuple(stub_of(row) for row in rows if row["retention_state"] != memory.RetentionState.EXPIRED)


def stub_of(row: Mapping[str, Any]) -> conversation.Message:
    """A row of tail, gaps or message_stubs."""
    return conversation.Message(
        id=row["memory_id"], given=row["message_id"], role=row["role"], text="", created_at=row["created_at"],
        tokens=row["tokens"], opens=tuple(row["opens"]), closes=tuple(row["closes"]), seq=row["seq"],
    )  # fmt: skip


def line_of(row: Mapping[str, Any]) -> StoredLine:
    """A row of lines_of_conversation or lines_by_memory."""
    opens, closes, role = tuple(row["opens"]), tuple(row["closes"]), trust.role_in_chats(row["role"])
    return StoredLine(
        id=row["memory_id"], given=row["message_id"], role=role, mark=row["text_hash"],
        spoken=not opens and not closes and role in ("user", "assistant"), seq=row["seq"],
        created_at=row["created_at"], tokens=row["tokens"], opens=opens, closes=closes, fingerprint=row["fingerprint"],
        calls=(*opens, *closes), beside=max(0, (row["payload_bytes"] or 0) - OVERHEAD_BYTES),
    )  # fmt: skip


def message_row(new: NewMessage, conversation_id: str, seq: int, cipher: Cipher, keys: TenantKeys) -> dict[str, Any]:
    """The parameters of insert_message."""
    message, tenant_id = new.message, keys.tenant_id
    return {
        "tenant_id": tenant_id,
        "conversation_id": conversation_id,
        "seq": seq,
        "memory_id": message.id,
        "message_id": message.given,
        "role": message.role,
        "opens": list(message.opens),
        "closes": list(message.closes),
        "facts": "waiting" if new.is_read else None,
        "wording": wording_hash(new.row.memory, keys),
        "payload_ciphertext": sealed_payload(message.payload, cipher, tenant_id=tenant_id, memory_id=message.id),
    }


def sealed_payload(
    payload: Mapping[str, Any] | None, cipher: Cipher, *, tenant_id: str, memory_id: str
) -> bytes | None:
    """What is kept of a message beside its text, as a column has it."""
    if payload is None:
        return None
    return cipher.seal(orjson.dumps(dict(payload)), tenant_id=tenant_id, row_id=memory_id, column="payload")
