"""Which of the messages that a caller hands in are stored already, and what is to become of the others.

A message is recognized by its id, else by role and content in their order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from precis.app.memories import Memories
from precis.app.messages import CheckedTurn, MessageInput, Turned
from precis.app.parts import Parts, lessened
from precis.conversation import Line, Loaded, Message, memory_id
from precis.errors import Conflict
from precis.store.conversation_rows import NewMessage, StoredLine

#: Of messages that say the same, so many are compared with each one that is sent.
_SAME = 200
#: Of so many lines of a repetition, one may be another than it was.
_ODD = 4


class Sending(StrEnum):
    """What a list of messages is that somebody sends."""

    #: The messages since the last turn. One without an id is new, even where its words are stored already, unless the
    #: list begins with the whole stored conversation.
    TURN = "turn"
    #: The conversation as the sender knows it, or only its end.
    TRANSCRIPT = "transcript"
    #: The whole conversation as it shall be from now on.
    SESSION = "session"


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
    parts: Parts, loaded: Loaded | None, inputs: Sequence[MessageInput], sending: Sending
) -> tuple[StoredLine | None, ...]:  # fmt: skip
    """For each message the stored message that it is.

    Raises Conflict for an id that is stored with another role; of a turn, with other content.
    """
    if loaded is None or not inputs:
        return (None,) * len(inputs)
    store, tenant_id, conversation_id = parts.store.conversations, parts.tenant_id, loaded.conversation.id
    ids = [memory_id(conversation_id, message.id) for message in inputs if message.id is not None]
    stored = await store.lines(tenant_id, conversation_id, ids=ids) if ids else ()
    named = by_id([_line(message, None) for message in inputs], stored)
    if _needs_all(loaded, inputs, named, sending):
        stored = await store.lines(tenant_id, conversation_id)
        marks = store.hashes(tenant_id).marks([message.told for message in inputs])
        places = recognize([_line(message, mark) for message, mark in zip(inputs, marks, strict=True)], stored, sending)
    else:
        places = tuple(named.get(at) for at in range(len(inputs)))
    lines = tuple(None if place is None else stored[place] for place in places)
    if sending is not Sending.SESSION:
        await _refuse_changed(parts, inputs, lines, edited=sending is Sending.TRANSCRIPT)
    return lines


def _needs_all(loaded: Loaded, inputs: Sequence[MessageInput], named: dict[int, int], sending: Sending) -> bool:
    """Whether all stored lines have to be read: ids suffice where all are known, or all but the last message's."""
    if sending is Sending.SESSION:
        return True
    if sending is Sending.TURN:
        return len(inputs) > loaded.total > 1 and any(message.id is None for message in inputs)
    end = max(named, default=-1) + 1
    return len(named) < len(inputs) and (end == 0 or end > len(named) or len(inputs) > end + 1)


def _line(message: MessageInput, mark: int | None) -> Line:
    return Line(given=message.id, role=message.role, mark=mark)


async def _refuse_changed(
    parts: Parts, inputs: Sequence[MessageInput], lines: Sequence[StoredLine | None], *, edited: bool
) -> None:
    hashes = parts.store.conversations.hashes(parts.tenant_id)
    changed = {
        line.id: (line, message)
        for message, line in zip(inputs, lines, strict=True)
        if line is not None
        and line.given == message.id
        and not (edited and line.role == message.role)
        and not (line.role == message.role and hashes.is_same(line, speaker=message.speaker, text=message.told))
    }
    rests = await lessened(parts, {id_: message.told for id_, (_, message) in changed.items()})
    others = [line for id_, (line, _) in changed.items() if id_ not in rests]
    if others:
        first = others[0]
        reason = f"message {first.given!r} exists with other content; PATCH memory {first.id!r}, or give another id"
        raise Conflict(reason, ids=[line.id for line in others])


def unchanged(checked: CheckedTurn) -> Turned:
    """What a turn did that had nothing new to write."""
    loaded = checked.loaded
    return Turned(
        conversation_id=checked.address.conversation_id, version=loaded.conversation.version if loaded else 0,
        messages=checked.messages, created=(), summarized=False, degraded=False,
        summary_id=loaded.conversation.summary_id if loaded else None, title=loaded.title if loaded else None,
    )  # fmt: skip


async def correct(parts: Parts, memories: Memories, turned: Turned, messages: Sequence[MessageInput]) -> None:
    """Messages that were stored with another text than they are given with: the old one is forgotten.

    Of a message that lost a part of just the text it is given with the rest stays as it is.
    """
    store, tenant_id = parts.store.conversations, parts.tenant_id
    named = {message.id: message for message in messages if message.id is not None}
    ids = {message.id for message in turned.messages if message.given in named} - set(turned.created)
    lines = await store.lines(tenant_id, turned.conversation_id, ids=sorted(ids)) if ids else ()
    marks = store.hashes(tenant_id).marks([named[line.given].told for line in lines])
    changed = [line for line, mark in zip(lines, marks, strict=True) if line.mark not in (mark, None)]
    rests = await lessened(parts, {line.id: named[line.given].told for line in changed})
    for line in changed:
        if line.id not in rests:
            message = named[line.given]
            memory, _ = await memories.edit(line.id, {"text": message.told})
            await parts.store.memories.rewrite_message(
                tenant_id, memory.scope.user_id, memory.id, opens=message.opened, closes=message.closed,
                payload=message.kept,
            )  # fmt: skip


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
    """Ids from the first message on that is new, or that is stored before the message it now follows."""
    last = 0
    for place, message in enumerate(messages):
        if message.id in new or message.seq < last:
            return tuple(later.id for later in messages[place:])
        last = message.seq
    return ()


def recognize(sent: Sequence[Line], stored: Sequence[Line], sending: Sending) -> tuple[int | None, ...]:
    """For each line that is sent, the place of the stored one that it is; None for what is new.

    In doubt a line is new: what is stored twice can be read, what was taken for a repetition is lost.
    """
    pinned = by_id(sent, stored, roles=sending is Sending.SESSION)
    if sending is Sending.SESSION:
        return _filled(sent, pinned, _aligned(sent, stored, pinned))
    if sending is Sending.TRANSCRIPT:
        return _filled(sent, pinned, _repeated(sent, stored, pinned))
    begins_with_all = len(stored) > 1 and len(sent) > len(stored) and all(map(_may_be, sent, stored))
    return (
        tuple(range(len(stored))) + (None,) * (len(sent) - len(stored))
        if begins_with_all
        else _filled(sent, pinned, {})
    )


def by_id(sent: Sequence[Line], stored: Sequence[Line], *, roles: bool = False) -> dict[int, int]:
    """The place of each sent line whose id is stored, with the stored place; with ``roles`` only for equal roles."""
    places = {line.given: place for place, line in enumerate(stored)}
    known = {at: places[line.given] for at, line in enumerate(sent) if line.given is not None and line.given in places}
    return {at: place for at, place in known.items() if not roles or sent[at].role == stored[place].role}


def _may_be(sent: Line, stored: Line) -> bool:
    return sent.given == stored.given or (sent.given is None and sent.words is not None and sent.words == stored.words)


def _filled(sent: Sequence[Line], *known: Mapping[int, int]) -> tuple[int | None, ...]:
    places = {at: place for pairs in reversed(known) for at, place in pairs.items()}
    return tuple(places.get(at) for at in range(len(sent)))


def _aligned(sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int]) -> dict[int, int]:
    """Sent lines that no id identifies, matched to stored lines by role and content, in the order of both."""
    taken, named = set(pinned.values()), {line.given for line in sent if line.given is not None}
    unknown = [at for at in range(len(sent)) if at not in pinned]
    free = [p for p, line in enumerate(stored) if p not in taken and line.given not in named]
    pairs = common([sent[at] for at in unknown], [stored[place] for place in free])
    return {unknown[at]: free[place] for at, place in pairs}


def _repeated(sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int]) -> dict[int, int]:
    """Sent lines that repeat stored lines under new ids.

    Lines before the last known id are matched in order. Lines after it count as a repetition if they reach the last
    stored line and nearly all of them up to there are stored. Where an id is known they must reach back to the first
    stored line, too: then they are a second copy of the conversation, and not the same few words said again.
    """
    end = max(pinned, default=-1) + 1
    before = _aligned(sent[:end], stored, {at: place for at, place in pinned.items() if at < end})
    spoken = [place for place, line in enumerate(stored) if line.spoken] or list(range(len(stored)))
    run = {end + at: place for at, place in common(sent[end:], stored)}
    if not spoken or spoken[-1] not in run.values() or (end and (len(spoken) == 1 or spoken[0] not in run.values())):
        return before
    others = [at for at in range(end, max(run)) if at not in run]
    if len(others) * _ODD > len(run):
        return before
    return before | run | _anywhere(sent, stored, others, set(run.values()))


def _anywhere(
    sent: Sequence[Line], stored: Sequence[Line], places: Sequence[int], taken: Collection[int]
) -> dict[int, int]:
    """The sent lines at these places that are stored out of order, as they were new when they were first sent."""
    free = {line.words: place for place, line in enumerate(stored) if place not in taken and line.words is not None}
    return {at: free[words] for at in places if (words := sent[at].words) in free}


def common(sent: Sequence[Line], stored: Sequence[Line]) -> list[tuple[int, int]]:
    """The longest sequence of lines that both have in the same order, as pairs of places; of several the latest stored.

    Hunt and Szymanski, 1977, walked from the end.
    """
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, line in enumerate(stored):
        if line.words is not None:
            places[line.words].append(place)
    #: For each length, the latest place at which so many lines can begin, negated; and how they go on.
    ends: list[int] = []
    chains: list[_Chain] = []
    for at in reversed(range(len(sent))):
        words = sent[at].words
        for place in places.get(words, ())[-_SAME:] if words is not None else ():
            length = bisect_left(ends, -place)
            chain = _Chain(at, place, chains[length - 1] if length else None)
            ends[length : length + 1] = [-place]
            chains[length : length + 1] = [chain]
    return list(chains[-1].pairs()) if chains else []


@dataclass(frozen=True, slots=True)
class _Chain:
    at: int
    place: int
    rest: _Chain | None

    def pairs(self) -> Iterator[tuple[int, int]]:
        """From the first to the last."""
        link: _Chain | None = self
        while link is not None:
            yield link.at, link.place
            link = link.rest
