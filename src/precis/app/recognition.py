"""Which of the messages that a caller hands in are stored already, and what is to become of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from precis.app.messages import MessageInput
from precis.engine.conversation import Loaded, memory_id
from precis.engine.messages import Message
from precis.engine.transcript import Line, Sending, by_id, recognize
from precis.errors import Conflict
from precis.store.turns import Conversations, NewMessage, StoredLine


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
    store: Conversations, tenant_id: str, loaded: Loaded | None, given: Sequence[MessageInput], sending: Sending
) -> tuple[StoredLine | None, ...]:
    """For each message the stored one that it is. Raises Conflict for an id that is stored with other content."""
    if loaded is None or not given:
        return (None,) * len(given)
    conversation_id = loaded.conversation.id
    ids = [memory_id(conversation_id, one.id) for one in given if one.id is not None]
    stored = await store.lines(tenant_id, conversation_id, ids=ids) if ids else ()
    named = by_id([_line(one, None) for one in given], stored)
    if _needs_all(loaded, given, named, sending):
        stored = await store.lines(tenant_id, conversation_id)
        marks = store.marks(tenant_id, [one.told for one in given])
        places = recognize([_line(one, mark) for one, mark in zip(given, marks, strict=True)], stored, sending)
    else:
        places = tuple(named.get(at) for at in range(len(given)))
    lines = tuple(None if place is None else stored[place] for place in places)
    if sending is not Sending.SESSION:
        _refuse_changed(store, tenant_id, given, lines)
    return lines


def _needs_all(loaded: Loaded, given: Sequence[MessageInput], named: dict[int, int], sending: Sending) -> bool:
    """Whether ids alone do not tell: they do where all are known, or where only what comes last is not."""
    if sending is Sending.SESSION:
        return True
    if sending is Sending.TURN:
        return len(given) > loaded.total > 1 and any(one.id is None for one in given)
    end = max(named, default=-1) + 1
    return len(named) < len(given) and (end == 0 or end > len(named) or len(given) > end + 1)


def _line(one: MessageInput, mark: int | None) -> Line:
    return Line(given=one.id, role=one.role, mark=mark)


def _refuse_changed(
    store: Conversations, tenant_id: str, given: Sequence[MessageInput], lines: Sequence[StoredLine | None]
) -> None:
    for one, line in zip(given, lines, strict=True):
        if line is None or line.given != one.id:
            continue
        if line.role != one.role or not store.is_same(tenant_id, line, speaker=one.speaker, text=one.told):
            message = f"message {one.id!r} exists with other content; PATCH memory {line.id!r}, or give another id"
            raise Conflict(message)


def arranged(
    loaded: Loaded | None,
    given: Sequence[MessageInput],
    lines: Sequence[StoredLine | None],
    new: Sequence[NewMessage],
    sending: Sending,
) -> Arranged:
    """What is stored and what is new, in one order."""
    fresh = iter(new)
    messages = _each_once(
        next(fresh).message if line is None else _stored(line, one) for one, line in zip(given, lines, strict=True)
    )
    there = loaded.open if loaded else ()
    made = {one.message.id for one in new}
    if sending is not Sending.SESSION:
        return Arranged(messages=messages, open=(*there, *(one for one in messages if one.id in made)))
    stubs = {one.id: one for one in there}
    kept = tuple(stubs.get(one.id, one) for one in messages if one.id in stubs or one.id in made)
    stays = {one.id for one in kept}
    return Arranged(
        messages=messages, open=kept, removed=tuple(one.id for one in there if one.id not in stays),
        order=_moved(kept, made),
    )  # fmt: skip


def _each_once(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple({one.id: one for one in messages}.values())


def _stored(line: StoredLine, one: MessageInput) -> Message:
    return Message(
        id=line.id, given=line.given, role=line.role, text=one.told, created_at=line.created_at,
        tokens=line.tokens, name=one.name, opens=line.opens, closes=line.closes, payload=one.kept, seq=line.seq,
    )  # fmt: skip


def _moved(messages: Sequence[Message], new: set[str]) -> tuple[str, ...]:
    """The messages from the first one on that does not stand behind the one before it."""
    last = 0
    for place, one in enumerate(messages):
        if one.id in new or one.seq < last:
            return tuple(later.id for later in messages[place:])
        last = one.seq
    return ()
