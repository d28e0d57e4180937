"""A message of a conversation, and which messages never part: a call and its results, a request and its approval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

#: The role of a message that carries what somebody else summarized before precis saw the conversation.
CARRIED = "context"


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message, as every door hands it in and gets it back."""

    #: The id of its memory.
    id: str
    #: What the caller calls it, unique within the conversation.
    given: str
    #: user, assistant, system, tool, or what the caller calls it.
    role: str
    #: What a summarizer reads: of a call without words, what was called with what.
    text: str
    created_at: datetime
    #: Of the text, by the tokenizer in use.
    tokens: int
    #: Who speaks, where the role does not say it.
    name: str | None = None
    #: Ids of the tool calls and approvals it asks for, and of those it settles.
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    #: The message as the caller's library knows it; None where role and text are all there is.
    payload: Mapping[str, Any] | None = field(default=None)
    #: Its place in the conversation, from 1; 0 until it is written.
    seq: int = 0
    #: Whether only a part of the text is here: it was longer than the budget.
    shortened: bool = False


def pending(messages: Sequence[Message]) -> dict[str, int]:
    """Calls and approvals nobody has settled yet, with the place of the message that asks for each."""
    asked: dict[str, int] = {}
    for place, message in enumerate(messages):
        for settled in message.closes:
            asked.pop(settled, None)
        for id_ in message.opens:
            asked.setdefault(id_, place)
    return asked


def dangling(messages: Sequence[Message]) -> frozenset[str]:
    """Ids of messages with a call nobody settled although a user has spoken since: no model takes them as they are."""
    waiting = pending(messages)
    spoken = max((place for place, one in enumerate(messages) if one.role == "user"), default=-1)
    return frozenset(messages[place].id for place in waiting.values() if place < spoken)


def cuts(messages: Sequence[Message], *, settled: bool = False) -> list[int]:
    """Where the messages may be parted, as numbers of messages before the cut: 0 and ``len(messages)`` included.

    A message that asks for a call stays with whatever settles it, and with all that stands between; one that waits
    for an answer stays with everything behind it, unless ``settled`` says to count it as given up.
    """
    #: For each message, the last one that must stay with it.
    until = list(range(len(messages)))
    asked: dict[str, int] = {}
    for place, message in enumerate(messages):
        for id_ in message.closes:
            if id_ in asked:
                opened = asked.pop(id_)
                until[opened] = max(until[opened], place)
        for id_ in message.opens:
            asked.setdefault(id_, place)
    if not settled:
        for opened in asked.values():
            until[opened] = len(messages)
    places, held = [0], -1
    for place, last in enumerate(until):
        held = max(held, last)
        if held <= place:
            places.append(place + 1)
    return places


def turns(messages: Sequence[Message], places: Iterable[int]) -> list[int]:
    """Those of these cuts that a new turn begins at: somebody else than the assistant takes the word."""
    return [
        place
        for place in places
        if place in (0, len(messages)) or (messages[place].role == "user" and messages[place - 1].role != "user")
    ]


def tokens_of(messages: Iterable[Message]) -> int:
    """Their tokens together."""
    return sum(message.tokens for message in messages)
