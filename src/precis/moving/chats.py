"""The data exports of ChatGPT and of Claude: conversations.json, alone, in its folder or in the .zip.

In that of ChatGPT a conversation is a tree: each edit of a message and each answer that was made anew is a branch.
``current_node`` is the end of the branch that stood.
"""

import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from precis.errors import InvalidInput
from precis.moving.arrivals import Arrival, LeftOut, made_id, moment
from precis.moving.chat_exports import BRANCH, Chat, Export, Said, arrivals_of, listed, way_to

#: Kinds of content that are words to a person; the others are calls of tools, their results, and thoughts.
_WORDS = ("text", "multimodal_text")


class ChatGPT(Export):
    """Conversations of ChatGPT."""

    def _read(self, chat: Any, where: str) -> Iterator[Arrival]:
        if isinstance(chat, Mapping) and "chat_messages" in chat:
            raise InvalidInput(f"{where}: this is an export of Claude; say --from claude")
        nodes = chat.get("mapping") if isinstance(chat, Mapping) else None
        if not isinstance(nodes, Mapping):
            yield LeftOut(id=where, reason="a conversation without a mapping of messages", refused=True)
            return
        nodes = {name: node for name, node in nodes.items() if isinstance(node, Mapping)}
        id_ = _text(chat.get("conversation_id")) or _text(chat.get("id")) or made_id("chatgpt", *sorted(nodes))
        way = way_to(_end(chat, nodes), {name: _text(node.get("parent")) for name, node in nodes.items()})
        standing = [_chatgpt_message(name, nodes[name]) for name in way]
        abandoned = [
            LeftOut(id=name, reason=BRANCH) for name in nodes if name not in set(way) and _says(nodes[name]) is not None
        ]
        messages = [*(message for message in standing if message is not None), *abandoned]
        title = _text(chat.get("title")) or ""
        started = moment(chat.get("create_time")) or moment(chat.get("update_time"))
        yield from arrivals_of(
            Chat(kind="chatgpt", assistant="ChatGPT", id=id_, title=title, started=started, messages=messages),
            self._options,
        )


def _end(chat: Mapping[str, Any], nodes: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Where the branch that stood ends; where the export does not say it, with the latest message."""
    named = _text(chat.get("current_node"))
    if named in nodes:
        return named
    dates = [(_date(node), name) for name, node in nodes.items() if _says(node) is not None]
    return max(dates)[1] if dates else None


def _date(node: Mapping[str, Any]) -> float:
    at = moment((_says(node) or {}).get("create_time"))
    return at.timestamp() if at else 0.0


def _says(node: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The message of a node; the first one of a tree has none."""
    message = node.get("message")
    return message if isinstance(message, Mapping) else None


def _chatgpt_message(name: str, node: Mapping[str, Any]) -> Said | LeftOut | None:
    message = _says(node)
    if message is None:
        return None
    id_ = _text(message.get("id")) or name
    reason = _reason(message)
    if reason:
        return LeftOut(id=id_, reason=reason)
    return Said(
        id=id_, text=_chatgpt_words(_part(message, "content")), at=moment(message.get("create_time")),
        by_assistant=_part(message, "author").get("role") == "assistant",
    )  # fmt: skip


def _reason(message: Mapping[str, Any]) -> str | None:
    """Why a message is none that a person said or read."""
    role, kind = _part(message, "author").get("role"), _part(message, "content").get("content_type", "text")
    if kind == "user_editable_context":
        return "custom instructions"
    if role not in ("user", "assistant"):
        return "said by the system or by a tool"
    if kind not in _WORDS or (role == "assistant" and message.get("recipient", "all") not in ("all", None)):
        return "a call of a tool, or a thought"
    if _part(message, "metadata").get("is_visually_hidden_from_conversation"):
        return "hidden from the conversation"
    return None


def _chatgpt_words(content: Mapping[str, Any]) -> str:
    """The words among the parts: what was typed, and what was said aloud."""
    parts = content.get("parts")
    listed = parts if isinstance(parts, list) else [content.get("text")]
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in listed]
    return "\n".join(text for text in texts if isinstance(text, str) and text.strip())


def _part(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = value.get(name)
    return part if isinstance(part, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


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
        id_ = (
            chat.get("uuid") if isinstance(chat.get("uuid"), str) else made_id("claude", *map(_claude_words, messages))
        )
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
                        [_claude_message(name, message), *_attached(name, message)]
                        if name in standing
                        else [LeftOut(id=name, reason=BRANCH)]
                    )
                ],
            ),
            self._options,
        )  # fmt: skip


def _id(message: Mapping[str, Any], chat: str, number: int) -> str:
    uuid = message.get("uuid")
    return uuid if isinstance(uuid, str) and uuid else made_id("message", chat, str(number), _claude_words(message))


def _standing(messages: Sequence[Mapping[str, Any]], ids: Sequence[str], last: object) -> set[str]:
    """The branch that ends with the last message; all of them where the export names no parents, or not enough."""
    parents = {
        name: message.get("parent_message_uuid") for name, message in zip(ids, messages, strict=True)
    }  # of the first it is an id that no message has
    if not any(parent in parents for parent in parents.values()):
        return set(ids)
    end = last if isinstance(last, str) and last in parents else ids[-1]
    return set(way_to(end, parents))


def _claude_message(name: str, message: Mapping[str, Any]) -> Said | LeftOut:
    by_assistant = _SENDERS.get(str(message.get("sender")))
    if by_assistant is None:
        return LeftOut(id=name, reason="said by the system or by a tool")
    return Said(id=name, text=_claude_words(message), at=moment(message.get("created_at")), by_assistant=by_assistant)


def _attached(name: str, message: Mapping[str, Any]) -> list[LeftOut]:
    attachments = message.get("attachments")
    return [LeftOut(id=name, reason="the text of an attached file") for _ in attachments or () if attachments]


def _claude_words(message: Mapping[str, Any]) -> str:
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
