"""The data export of ChatGPT: conversations.json, alone, in its folder or in the .zip.

A conversation is a tree: each edit of a message and each answer that was made anew is a branch. ``current_node`` is the
end of the branch that stood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from precis.errors import InvalidInput
from precis.moving.arrivals import Arrival, LeftOut, made_id, moment
from precis.moving.exports import BRANCH, Chat, Export, Said, arrivals_of, way_to

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
        standing = [_message(name, nodes[name]) for name in way]
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


def _message(name: str, node: Mapping[str, Any]) -> Said | LeftOut | None:
    message = _says(node)
    if message is None:
        return None
    id_ = _text(message.get("id")) or name
    reason = _reason(message)
    if reason:
        return LeftOut(id=id_, reason=reason)
    return Said(
        id=id_, text=_words(_part(message, "content")), at=moment(message.get("create_time")),
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


def _words(content: Mapping[str, Any]) -> str:
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
