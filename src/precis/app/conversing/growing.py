"""A message that comes again under its id and says more by now: a streamed answer, a call that has returned.

The last version counts, as an edit by its owner. What an edit or a forget took away does not come back with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import zip_longest
from typing import Any, NamedTuple

import orjson

from precis.app.conversing.content_parts import INVOKED, function_of, read_part, state_of
from precis.app.memories import Memories
from precis.app.messages import Grown, MessageInput, Turned
from precis.app.parts import Parts, lessened
from precis.conversation import Message
from precis.errors import Changed, Conflict, NotFound
from precis.ids import as_read
from precis.memory import Memory
from precis.store.conversation_rows import Beside, StoredLine
from precis.trust import role_in_chats

#: Whose messages are written while they are said: an earlier version that comes late is no other message.
_STREAMED = frozenset({"assistant", "tool", "function"})
#: How a part that asks for a call says that its arguments are not complete.
_UNFINISHED = frozenset({"input-streaming", "partial-call"})
#: Of a call whose arguments have not come yet.
_NO_ARGUMENTS = " {}]"
#: What stands for a result without a word.
_NO_WORDS = "(nothing)"


class Version(Enum):
    """What a message that comes under a stored id is."""

    LATER = "later"
    EARLIER = "earlier"
    ANOTHER = "another"


class Piece(NamedTuple):
    """What one part of a message says, asks for or brings; ``id`` is that of the call, None where it has words."""

    kind: str
    id: str | None
    words: str
    is_complete: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Again:
    """What the messages are that come under a stored id and are not the stored ones."""

    #: Those that are brought up to date.
    grown: tuple[Grown, ...] = ()
    #: Earlier versions, by the ids of their memories: what is stored stays.
    earlier: Mapping[str, Message] = field(default_factory=dict)
    #: Places of those that hold what was taken away from the stored ones.
    cut: frozenset[int] = frozenset()


def is_as_stored(parts: Parts, message: MessageInput, line: StoredLine) -> bool:
    """Whether a message says what is stored under its id; what was handed in beside its words is measured only."""
    return says_the_same(parts, message, line) and _size(message.kept) == line.beside and _calls(message) == line.calls


def says_the_same(parts: Parts, message: MessageInput, line: StoredLine) -> bool:
    """Whether it says the same words in the same role."""
    hashes = parts.store.conversations.hashes(parts.tenant_id)
    is_same = line.mark in hashes.marks([message.told], [line])
    return is_same or hashes.is_same(line, speaker=message.speaker, text=message.told)


async def come_again(
    parts: Parts, inputs: Sequence[MessageInput], lines: Sequence[StoredLine | None], *, edited: bool, is_read: bool
) -> Again:  # fmt: skip
    """What each message with a stored id is; of ``edited`` ones only the roles are held against the stored ones.

    Raises Conflict for another role, or for words that do not go on with the stored ones.
    """
    pairs = {
        at: (message, line)
        for at, (message, line) in enumerate(zip(inputs, lines, strict=True))
        if line is not None and line.given == message.id
    }
    others = [line for message, line in pairs.values() if line.role != role_in_chats(message.role)]
    pairs = {
        at: pair for at, pair in pairs.items()
        if not edited and pair[1] not in others and not is_as_stored(parts, *pair)
    }  # fmt: skip
    changed = {line.id: message.told for message, line in pairs.values() if not says_the_same(parts, message, line)}
    rests = await lessened(parts, changed)
    ids = [line.id for _, line in pairs.values() if line.id not in rests]
    stored = {row.id: row for row in await parts.store.conversations.read(parts.tenant_id, ids)} if ids else {}
    memories = await parts.store.memories.get(parts.tenant_id, ids)
    touched = await parts.store.memories.taken_from(parts.tenant_id, ids)
    grown, earlier, cut = [], {}, set()
    for at, (message, line) in pairs.items():
        if line.id in rests or (line.id not in changed and line.id not in stored.keys() - touched):
            continue
        if (row := stored.get(line.id)) is None or line.id not in memories:
            others.append(line)
        elif line.id in touched:
            # Nobody knows any more what an answer said before: it may be an earlier version that holds what went.
            if line.role in _STREAMED or holds_rest(row.text, message.told):
                cut.add(at)
            else:
                others.append(line)
        elif (version := version_of(row, message, role=line.role)) is Version.ANOTHER:
            others.append(line)
        elif version is Version.EARLIER:
            earlier[line.id] = row
        else:
            heard = is_read and message.is_read and message.spoken
            grown.append(Grown(message=message, memory=memories[line.id], is_read=heard))
    if others:
        raise _refused(others)
    return Again(grown=tuple(grown), earlier=earlier, cut=frozenset(cut))


def _refused(others: Sequence[StoredLine]) -> Conflict:
    first = others[0]
    reason = f"message {first.given!r} exists with other content, which this does not go on with; "
    return Conflict(f"{reason}PATCH memory {first.id!r}, or give another id", ids=[line.id for line in others])


def holds_rest(rest: str, text: str) -> bool:
    """Whether what is left of a message stands in a text, letter by letter in its order: it may be what it was cut of.

    A cut takes words away, and may leave other marks and capitals where it joins the rest.
    """
    letters = iter(letter for letter in as_read(text).casefold() if letter.isalnum())
    return all(letter in letters for letter in as_read(rest).casefold() if letter.isalnum())


def version_of(stored: Message, message: MessageInput, *, role: str) -> Version:
    """What a message is to the stored one of its id and role, to which nobody but its writer has put a hand."""
    old, new = stored.payload or {}, message.kept or {}
    is_streamed = role in _STREAMED
    texts, pieces = (stored.text, message.told), (_pieces(stored.text, old), _pieces(message.told, new))
    goes_on = _begins(*texts, within=is_streamed) or _all_begin(*pieces, within=is_streamed)
    falls_short = _begins(*texts[::-1]) or _all_begin(*pieces[::-1])
    states, later = _states(old), _states(new)
    is_later = all(later.get(id_, 0) >= state for id_, state in states.items())
    if goes_on and not falls_short:
        return Version.LATER if is_later else Version.ANOTHER
    if not goes_on:
        return Version.EARLIER if falls_short and is_streamed else Version.ANOTHER
    # The same words: what has returned counts, else what was handed in with more.
    if is_later and (later != states or _size(new) > _size(old)):
        return Version.LATER
    return Version.EARLIER


def _begins(old: str, new: str, *, within: bool = True) -> bool:
    """Whether a text goes on with another; ``within``: also where that ends within a word."""
    before, after = ("" if text == _NO_WORDS else as_read(text) for text in (old, new))
    if not after.startswith(before):
        # A stream may end between a letter and its accent.
        return within and new.startswith(old)
    last, following = before[-1:], after[len(before) : len(before) + 1]
    is_cut = last.isalnum() and following.isalnum() and (last.isdigit() or last.lower() != last.upper())
    return within or not is_cut


def _all_begin(old: Sequence[Piece], new: Sequence[Piece], *, within: bool = True) -> bool:
    return bool(old) and all(
        piece is not None and (later is not None and _piece_begins(piece, later, within=within))
        for piece, later in zip_longest(old, new[: len(old)])
    )


def _piece_begins(old: Piece, new: Piece, *, within: bool) -> bool:
    if (old.kind, old.id) != (new.kind, new.id):
        return False
    return not old.is_complete or _begins(old.words, new.words, within=within)


def _pieces(text: str, kept: Mapping[str, Any]) -> list[Piece]:
    """What a message says, asks for and brings, as its parts have it; what nobody says is left out."""
    content = next((part for name in ("parts", "content") if isinstance(part := kept.get(name), list)), None)
    pieces = [_piece(part, at) for at, part in enumerate(content)] if content is not None else []
    if content is None:
        words = kept.get("content", text)
        pieces = [Piece("text", None, words if isinstance(words, str) else text)]
    return [*(piece for piece in pieces if piece is not None), *map(_asked, kept.get("tool_calls") or ())]


def _piece(part: Any, at: int) -> Piece | None:
    try:
        known = read_part(part, at)
    except ValueError:
        return Piece("other", None, _written(part))
    if not known.words and known.opens is None and known.closes is None:
        return None
    kind = "result" if known.is_result else "call" if known.opens is not None else "text"
    is_complete = state_of(part) not in _UNFINISHED and not (kind == "call" and known.words.endswith(_NO_ARGUMENTS))
    return Piece(kind, known.opens or known.closes, known.words, is_complete)


def _asked(call: Mapping[str, Any]) -> Piece:
    arguments = function_of(call).get("arguments", function_of(call).get("args", ""))
    words = arguments if isinstance(arguments, str) else _written(arguments)
    return Piece(f"call {function_of(call).get('name')}", str(call.get("id")), words, words not in ("", "{}"))


def _states(kept: Mapping[str, Any]) -> dict[str, int]:
    """How far each call is that stands among the parts of a message, by its id: returned is furthest."""
    parts = next((part for name in ("parts", "content") if isinstance(part := kept.get(name), list)), [])
    parts = [*parts, *({"type": INVOKED, "toolInvocation": call} for call in kept.get("toolInvocations") or ())]
    states: dict[str, int] = {}
    for at, part in enumerate(parts):
        try:
            known = read_part(part, at)
        except ValueError:
            continue
        if (id_ := known.closes or known.opens) is not None:
            states[id_] = max(states.get(id_, 0), _how_far(known.closes is not None, part))
    return states


def _how_far(is_settled: bool, part: Any) -> int:  # noqa: FBT001
    if is_settled:
        return 4 if isinstance(part, Mapping) and part.get("preliminary") else 5
    return {"input-streaming": 0, "partial-call": 0, "approval-requested": 2, "approval-responded": 3}.get(
        state_of(part) or "", 1
    )


def _written(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS, default=dict).decode()


def _size(kept: Mapping[str, Any] | None) -> int:
    return len(orjson.dumps(dict(kept), default=dict)) if kept else 0


def _calls(message: MessageInput) -> tuple[str, ...]:
    return (*message.opened, *message.closed)


async def bring_up_to_date(parts: Parts, grown: Sequence[Grown]) -> None:
    """Give each stored message its later version, as an edit by its owner; one that was forgotten meanwhile stays so.

    Raises Conflict for one that was edited since it was read.
    """
    # No model reads each piece of an answer for labels.
    memories = Memories(replace(parts, engine=replace(parts.engine, extractor=None)))
    for row in grown:
        try:
            await _edit(memories, row, expected=row.memory)
        except NotFound:
            continue
        except Changed as error:
            raise Conflict(f"{error}; write it again", ids=[row.memory.id]) from error


async def _edit(memories: Memories, row: Grown, *, expected: Memory | None = None) -> None:
    message = row.message
    beside = Beside(opens=message.opened, closes=message.closed, payload=message.kept, is_read=row.is_read)
    await memories.edit(
        row.memory.id, {"text": message.told}, expected=expected, beside=beside, max_text_chars=len(message.told)
    )


async def correct(parts: Parts, memories: Memories, turned: Turned, messages: Sequence[MessageInput]) -> None:
    """Messages that are stored otherwise than they are given: the old text is forgotten.

    Of a message of which something was taken away, and which is given with more than the rest, the rest stays.
    """
    store, tenant_id = parts.store, parts.tenant_id
    named = {message.id: message for message in messages if message.id is not None}
    ids = {message.id for message in turned.messages if message.given in named} - set(turned.created)
    lines = await store.conversations.lines(tenant_id, turned.conversation_id, ids=sorted(ids)) if ids else ()
    changed = {line.id: named[line.given] for line in lines if not is_as_stored(parts, named[line.given], line)}
    if not changed:
        return
    kept = {row.id: row for row in await store.conversations.read(tenant_id, list(changed))}
    stored = await store.memories.get(tenant_id, list(kept))
    rests = await lessened(parts, {id_: message.told for id_, message in changed.items()})
    touched = await store.memories.taken_from(tenant_id, list(kept))
    for id_, memory in stored.items():
        message, text = changed[id_], memory.text or ""
        is_cut = id_ in rests or (id_ in touched and holds_rest(text, message.told))
        is_same = as_read(text) == as_read(message.told)
        if not is_cut and not (is_same and version_of(kept[id_], message, role=message.role) is not Version.LATER):
            await _edit(memories, Grown(message=message, memory=memory, is_read=False))
