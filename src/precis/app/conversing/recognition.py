"""Which of the messages that a caller hands in are stored already, and what is to become of the others.

A message is recognized by its id, else by role and content in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from precis.app.conversing.growing import Again, come_again
from precis.app.conversing.matching import INSTRUCTS, Sending, behind, by_id, recognize
from precis.app.conversing.sent_history import buried_in
from precis.app.messages import CheckedTurn, MessageInput, Turned
from precis.app.parts import Parts
from precis.conversation import Line, Loaded, Message, memory_id
from precis.store.conversation_rows import Computed, NewMessage, Persisted, StoredLine
from precis.trust import role_in_chats

#: Nobody sends the same list as news within so long: what is asked each morning and evening is further apart.
_SOON = timedelta(hours=6)


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Recognized:
    """What a list of messages is, as far as it is stored."""

    #: The messages without those that a person forgot; and for each the stored message that it is.
    inputs: tuple[MessageInput, ...]
    lines: tuple[StoredLine | None, ...]
    #: The others: their ids, or ``messages.N`` by their place where they have none.
    forgotten: tuple[str, ...] = ()
    again: Again = field(default_factory=Again)

    @property
    def is_history(self) -> bool:
        """Whether some are known by their words."""
        return any(line is not None and line.given != row.id for row, line in zip(self.inputs, self.lines, strict=True))


async def recognized(
    parts: Parts, loaded: Loaded | None, conversation_id: str, inputs: Sequence[MessageInput], sending: Sending, *,
    is_read: bool,
) -> Recognized:  # fmt: skip
    """Which of the messages are stored, and which were forgotten.

    An answer of which no word came is none. ``is_read`` is whether messages are read for facts. Raises Conflict for an
    id that is stored with another role; of a turn, with content that this does not go on with.
    """
    numbers = [at for at, message in enumerate(inputs) if message.told]
    inputs = [inputs[at] for at in numbers]
    store, tenant_id = parts.store.conversations, parts.tenant_id
    ids = [memory_id(conversation_id, message.id) for message in inputs if message.id is not None]
    stored = await store.lines(tenant_id, conversation_id, ids=ids) if ids and loaded else ()
    named = by_id([_line(message, None) for message in inputs], stored)
    left_out: frozenset[int] = frozenset()
    if _needs_all(loaded, inputs, named, sending):
        stored = await store.lines(tenant_id, conversation_id) if loaded else ()
        sent = _sent(parts, inputs, stored)
        buried = await buried_in(parts, conversation_id, inputs, sent, stored, by_id(sent, stored))
        places = recognize(sent, stored, sending, buried, soon=_is_soon(inputs, stored, parts.engine.clock()))
        left_out = buried.left_out(places, sent, stored, sending)
    else:
        places = tuple(named.get(at) for at in range(len(inputs)))
    lines = [None if (p := places[at]) is None or at in left_out else stored[p] for at in range(len(inputs))]
    again = Again()
    if sending is not Sending.SESSION:
        again = await come_again(parts, inputs, lines, edited=sending is Sending.TRANSCRIPT, is_read=is_read)
        left_out |= again.cut
    living = [at for at in range(len(inputs)) if at not in left_out]
    forgotten = tuple(inputs[at].id or f"messages.{numbers[at]}" for at in sorted(left_out))
    inputs, lines = [inputs[at] for at in living], [lines[at] for at in living]
    return Recognized(inputs=tuple(inputs), lines=tuple(lines), forgotten=forgotten, again=again)


async def behind_the_end(parts: Parts, conversation_id: str, inputs: Sequence[MessageInput]) -> tuple[range, set[str]]:
    """Places of the messages behind what is stored of a conversation; and the ids that its writers gave that."""
    stored = await parts.store.conversations.lines(parts.tenant_id, conversation_id)
    return behind(_sent(parts, inputs, stored), stored), {line.given for line in stored}


def _needs_all(
    loaded: Loaded | None, inputs: Sequence[MessageInput], named: dict[int, int], sending: Sending
) -> bool:  # fmt: skip
    """Whether all stored lines have to be read: ids suffice where all are known, or all but the last message's."""
    if loaded is None or sending is Sending.SESSION:
        return bool(inputs)
    if sending is Sending.TURN:
        asked = sum(row.role.casefold() == "user" for at, row in enumerate(inputs) if at not in named)
        is_long = len(inputs) > max(1, loaded.total) or any(row.role.casefold() in INSTRUCTS for row in inputs)
        # Before what is known by its id stands what was said before it.
        is_between = any(row.id is None for row in inputs[: max(named, default=0)])
        return asked > 1 or is_between or (is_long and any(message.id is None for message in inputs))
    end = max(named, default=-1) + 1
    return len(named) < len(inputs) and (end == 0 or end > len(named) or len(inputs) > end + 1)


def _is_soon(inputs: Sequence[MessageInput], stored: Sequence[StoredLine], now: datetime) -> bool:
    """Whether the list begins before the talk is over, or not long after it."""
    first = min((row.created_at for row in inputs if row.created_at is not None), default=now)
    return not stored or first - max(line.created_at for line in stored) <= _SOON


def _sent(parts: Parts, inputs: Sequence[MessageInput], stored: Sequence[StoredLine]) -> list[Line]:
    """The messages as lines to be held against the stored ones."""
    marks = parts.store.conversations.hashes(parts.tenant_id).marks([message.told for message in inputs], stored)
    return [_line(message, mark) for message, mark in zip(inputs, marks, strict=True)]


def _line(message: MessageInput, mark: int | None) -> Line:
    calls = (*message.opened, *message.closed)
    return Line(
        given=message.id, role=role_in_chats(message.role), mark=mark, size=len(message.told.encode()), calls=calls,
        created_at=message.created_at,
    )  # fmt: skip


def unchanged(checked: CheckedTurn) -> Turned:
    """What a turn did that had nothing new to write."""
    loaded = checked.loaded
    return Turned(
        conversation_id=checked.address.conversation_id, version=loaded.conversation.version if loaded else 0,
        messages=checked.messages, created=(), summarized=False, degraded=False,
        summary_id=loaded.conversation.summary_id if loaded else None, title=loaded.title if loaded else None,
        forgotten=checked.forgotten,
    )  # fmt: skip


def turned(checked: CheckedTurn, written: Persisted, computed: Computed | None, reason: str) -> Turned:
    """What a turn did, by what it wrote."""
    summarized, loaded = written.summary_id is not None, checked.loaded
    return Turned(
        conversation_id=written.conversation_id, version=written.version,
        messages=tuple(replace(row, seq=written.places.get(row.id, row.seq)) for row in checked.messages),
        created=written.created, summarized=summarized,
        summary_id=written.summary_id or (loaded.conversation.summary_id if loaded else None),
        title=computed.root.title if computed and summarized else loaded.title if loaded else None,
        degraded=checked.verdict.needed and not summarized, reason=written.discarded or reason,
        forgotten=checked.forgotten,
    )  # fmt: skip


def arranged(
    loaded: Loaded | None,
    inputs: Sequence[MessageInput],
    lines: Sequence[StoredLine | None],
    new: Sequence[NewMessage],
    sending: Sending,
    earlier: Mapping[str, Message],
) -> Arranged:
    """What is stored and what is new, in one order; of ``earlier`` versions what is stored."""
    fresh = iter(new)
    messages = _each_once(
        next(fresh).message if line is None else earlier.get(line.id) or _stored(line, message)
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
    """Ids from the first message on that is new, or that is stored before the message it now follows."""
    last = 0
    for place, message in enumerate(messages):
        if message.id in new or message.seq < last:
            return tuple(later.id for later in messages[place:])
        last = message.seq
    return ()
