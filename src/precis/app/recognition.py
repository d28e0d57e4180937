"""Which of the messages that a caller hands in are stored already, and what is to become of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from precis.app.messages import MessageInput
from precis.engine.conversation import Loaded, Message, memory_id
from precis.engine.transcript import Line, Sending, by_id, recognize
from precis.errors import Conflict
from precis.store.conversation_rows import NewMessage, StoredLine
from precis.store.conversations import PostgresConversations


@dataclass(frozen=True, kw_only=True, slots=True)
class Arranged:
    """A conversation as it will be once a turn is written."""

    #: The messages that were handed in, each once, as they are stored or will be.
    messages: tuple[Message, ...]
    #: Those of the conversation that no summary speaks for.
    open: tuple[Message, ...]
    #: Ids of messages that leave it.
    removed: tuple[str, ...] = field(default=())
    #: Ids of messages that come last, in this order.
    order: tuple[str, ...] = field(default=())


async def recognized(
    store: PostgresConversations,
    tenant_id: str,
    loaded: Loaded | None,
    inputs: Sequence[MessageInput],
    sending: Sending,
) -> tuple[StoredLine | None, ...]:
    """For each message the stored message that it is. Raises Conflict for an id that is stored with other content."""
    if loaded is None or not inputs:
        return (None,) * len(inputs)
    conversation_id = loaded.conversation.id
    ids = [memory_id(conversation_id, message.id) for message in inputs if message.id is not None]
    stored = await store.lines(tenant_id, conversation_id, ids=ids) if ids else ()
    named = by_id([_line(message, None) for message in inputs], stored)
    if _needs_all(loaded, inputs, named, sending):
        stored = await store.lines(tenant_id, conversation_id)
        marks = store.marks(tenant_id, [message.told for message in inputs])
        places = recognize([_line(message, mark) for message, mark in zip(inputs, marks, strict=True)], stored, sending)
    else:
        places = tuple(named.get(at) for at in range(len(inputs)))
    lines = tuple(None if place is None else stored[place] for place in places)
    if sending is not Sending.SESSION:
        _refuse_changed(store, tenant_id, inputs, lines)
    return lines


def _needs_all(loaded: Loaded, inputs: Sequence[MessageInput], named: dict[int, int], sending: Sending) -> bool:
    """Whether ids alone do not tell: they do where all are known, or where only what comes last is not."""
    if sending is Sending.SESSION:
        return True
    if sending is Sending.TURN:
        return len(inputs) > loaded.total > 1 and any(message.id is None for message in inputs)
    end = max(named, default=-1) + 1
    return len(named) < len(inputs) and (end == 0 or end > len(named) or len(inputs) > end + 1)


def _line(message: MessageInput, mark: int | None) -> Line:
    return Line(given=message.id, role=message.role, mark=mark)


def _refuse_changed(
    store: PostgresConversations, tenant_id: str, inputs: Sequence[MessageInput], lines: Sequence[StoredLine | None]
) -> None:
    for message, line in zip(inputs, lines, strict=True):
        if line is None or line.given != message.id:
            continue
        if line.role != message.role or not store.is_same(tenant_id, line, speaker=message.speaker, text=message.told):
            reason = f"message {message.id!r} exists with other content; PATCH memory {line.id!r}, or give another id"
            raise Conflict(reason)


def arranged(
    loaded: Loaded | None,
    inputs: Sequence[MessageInput],
    lines: Sequence[StoredLine | None],
    new: Sequence[NewMessage],
    sending: Sending,
) -> Arranged:
    """What is stored and what is new, in one order."""
    fresh = iter(new)
    messages = _each_once(
        next(fresh).message if line is None else _stored(line, message)
        for message, line in zip(inputs, lines, strict=True)
    )
    standing = loaded.open if loaded else ()
    fresh_ids = {message.message.id for message in new}
    if sending is not Sending.SESSION:
        return Arranged(
            messages=messages, open=(*standing, *(message for message in messages if message.id in fresh_ids))
        )
    stubs = {message.id: message for message in standing}
    kept = tuple(
        stubs.get(message.id, message) for message in messages if message.id in stubs or message.id in fresh_ids
    )
    stays = {message.id for message in kept}
    return Arranged(
        messages=messages, open=kept, removed=tuple(message.id for message in standing if message.id not in stays),
        order=_moved(kept, fresh_ids),
    )  # fmt: skip


def _each_once(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple({message.id: message for message in messages}.values())


def _stored(line: StoredLine, message: MessageInput) -> Message:
    return Message(
        id=line.id, given=line.given, role=line.role, text=message.told, created_at=line.created_at,
        tokens=line.tokens, name=message.name, opens=line.opens, closes=line.closes, payload=message.kept, seq=line.seq,
    )  # fmt: skip


def _moved(messages: Sequence[Message], new: set[str]) -> tuple[str, ...]:
    """The messages from the first one on that does not stand behind the one before it."""
    last = 0
    for place, message in enumerate(messages):
        if message.id in new or message.seq < last:
            return tuple(later.id for later in messages[place:])
        last = message.seq
    return ()
