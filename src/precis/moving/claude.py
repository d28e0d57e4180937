"""The data export of Claude: conversations.json, alone, in its folder or in the .zip."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from precis.errors import InvalidInput
from precis.moving.arrivals import Arrival, LeftOut, made_id, moment
from precis.moving.exports import BRANCH, Chat, Export, Said, arrivals_of, listed, way_to

#: What lies beside the conversations and is none of them.
_BESIDE = {
    re.compile(r"memories\.json"): "derived from conversations: what Claude keeps of you",
    re.compile(r"projects\.json"): "the instructions and documents of a project",
}
_SENDERS = {"human": False, "user": False, "assistant": True}


class Claude(Export):
    """Conversations of Claude."""

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """The conversations; what lies beside them is counted. Raises InvalidInput."""
        async for arrival in super().arrivals():
            yield arrival
        for name, reason in _BESIDE.items() if self._path.suffix != ".json" else ():
            with suppress(InvalidInput), closing(listed(self._path, name)) as rows:
                for where, _ in rows:
                    yield LeftOut(id=where, reason=reason)

    def _read(self, chat: Any, where: str) -> Iterator[Arrival]:
        if isinstance(chat, Mapping) and "mapping" in chat:
            raise InvalidInput(f"{where}: this is an export of ChatGPT; say --from chatgpt")
        messages_of = chat.get("chat_messages") if isinstance(chat, Mapping) else None
        if not isinstance(messages_of, list):
            yield LeftOut(id=where, reason="a conversation without a list of messages", refused=True)
            return
        messages = [message for message in messages_of if isinstance(message, Mapping)]
        id_ = chat.get("uuid") if isinstance(chat.get("uuid"), str) else made_id("claude", *map(_words, messages))
        ids = [_id(message, str(id_), number) for number, message in enumerate(messages)]
        standing = _standing(messages, ids, chat.get("current_leaf_message_uuid"))
        yield from arrivals_of(
            Chat(
                kind="claude", assistant="Claude", id=str(id_),
                title=chat["name"] if isinstance(chat.get("name"), str) else "",
                started=moment(chat.get("created_at")) or moment(chat.get("updated_at")),
                messages=[
                    part
                    for name, message in zip(ids, messages, strict=True)
                    for part in (
                        [_message(name, message), *_attached(name, message)]
                        if name in standing
                        else [LeftOut(id=name, reason=BRANCH)]
                    )
                ],
            ),
            self._options,
        )  # fmt: skip


def _id(message: Mapping[str, Any], chat: str, number: int) -> str:
    uuid = message.get("uuid")
    return uuid if isinstance(uuid, str) and uuid else made_id("message", chat, str(number), _words(message))


def _standing(messages: Sequence[Mapping[str, Any]], ids: Sequence[str], last: object) -> set[str]:
    """The branch that ends with the last message; all of them where the export names no parents, or not enough."""
    parents = {
        name: message.get("parent_message_uuid") for name, message in zip(ids, messages, strict=True)
    }  # of the first it is an id that no message has
    if not any(parent in parents for parent in parents.values()):
        return set(ids)
    end = last if isinstance(last, str) and last in parents else ids[-1]
    return set(way_to(end, parents))


def _message(name: str, message: Mapping[str, Any]) -> Said | LeftOut:
    by_assistant = _SENDERS.get(str(message.get("sender")))
    if by_assistant is None:
        return LeftOut(id=name, reason="said by the system or by a tool")
    return Said(id=name, text=_words(message), at=moment(message.get("created_at")), by_assistant=by_assistant)


def _attached(name: str, message: Mapping[str, Any]) -> list[LeftOut]:
    attachments = message.get("attachments")
    return [LeftOut(id=name, reason="the text of an attached file") for _ in attachments or () if attachments]


def _words(message: Mapping[str, Any]) -> str:
    """The blocks of text; thoughts and calls of tools are none. Older exports have the text alone."""
    blocks = message.get("content")
    if isinstance(blocks, str):
        return blocks
    texts = [
        block.get("text")
        for block in (blocks if isinstance(blocks, list) else [])
        if isinstance(block, Mapping) and block.get("type", "text") == "text"
    ]
    words = "\n".join(text for text in texts if isinstance(text, str) and text.strip())
    text = message.get("text")
    return words or (text if not blocks and isinstance(text, str) else "")
