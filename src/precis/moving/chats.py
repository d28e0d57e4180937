"""A chat of a data export, whoever wrote it: which of its messages stand, and what memories they become."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from precis.moving.archives import listed
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, cleaned, existing, memory

#: Large exports come in several files.
_FILE = re.compile(r"conversations(?:[-_]\d+)?\.json")
#: Between messages of which the later one has no date.
_STEP = timedelta(seconds=1)
ASSISTANT = "said by the assistant: --assistant moves it too"
BRANCH = "in a branch that was left: edited or made anew since"
SILENT = "without words: an image, a file or a tool alone"


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A message."""

    id: str
    text: str
    by_assistant: bool = False
    at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """A conversation as an export has it."""

    #: Whose export it is; begins the ids.
    kind: str
    #: Who the assistant is.
    assistant: str
    id: str
    title: str
    started: datetime | None
    messages: Sequence[Said | LeftOut] = field(default=())


class Export(ABC):
    """Reads conversation by conversation, whatever the size of the file."""

    def __init__(self, source: str, options: MoveOptions) -> None:
        """Raises InvalidInput."""
        options.owner()
        self._path, self._options = existing(source), options
        self.total: int | None = None

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Raises InvalidInput."""
        with closing(listed(self._path, _FILE)) as chats:
            for where, chat in chats:
                for arrival in self._read(chat, where):
                    yield arrival

    @abstractmethod
    def _read(self, chat: Any, where: str) -> Iterator[Arrival]:
        """What a conversation of the file holds."""


def way_to(last: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """From the first message to this one, by the parents; it ends where a parent is unknown, or comes again."""
    way: dict[str, None] = {}
    while last is not None and last in parents and last not in way:
        way[last] = None
        last = parents[last]
    return list(reversed(way))


def arrivals_of(chat: Chat, options: MoveOptions) -> Iterator[Arrival]:
    """Each message as a memory of the person, dated, with who said it."""
    before = chat.started or _begun(chat)
    for message in chat.messages:
        if isinstance(message, LeftOut):
            yield message
            continue
        at = message.at or (before + _STEP if before else None)
        before = at
        if not message.text.strip():
            yield LeftOut(id=message.id, reason=SILENT)
        elif message.by_assistant and not options.assistant:
            yield LeftOut(id=message.id, reason=ASSISTANT)
        else:
            yield _memory(chat, message, at, options.owner())


def _begun(chat: Chat) -> datetime | None:
    """Where the chat itself has no date: as long before its first message with one as there are messages."""
    first = next((message.at for message in chat.messages if isinstance(message, Said) and message.at), None)
    return first - _STEP * len(chat.messages) if first else None


def _memory(chat: Chat, message: Said, at: datetime | None, owner: str) -> Arrival:
    return memory(
        f"{chat.kind}:{message.id}",
        {
            "text": cleaned(message.text),
            "user_id": owner,
            "session_id": chat.id,
            "memory_type": "message",
            "created_at": at,
            "metadata": {
                "speaker": chat.assistant if message.by_assistant else owner,
                "role": "assistant" if message.by_assistant else "user",
                "from": chat.kind,
                **({"title": cleaned(chat.title)[:_TITLE]} if chat.title else {}),
            },
        },
    )


#: Characters of a title.
_TITLE = 300
