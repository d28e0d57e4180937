"""Messages as chat APIs write them: a content that is null or a list of parts, and fields that say nothing.

What a part shows or plays is not read: a word in its place says that it was there.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from precis.app.conversing.content_parts import Part, call_in_words, read_part
from precis.errors import InvalidInput
from precis.trust import KNOWN_ROLES, role_in_chats

#: Characters of a message.
MAX_CHARS = 2_000_000
#: What a content may be.
CONTENT_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "maxLength": MAX_CHARS},
        {"type": "array", "items": {"type": "object", "additionalProperties": True}},
        {"type": "null"},
    ]
}
#: Fields of an answer of a chat API that are of a message; the others are of the call.
_OF_MESSAGE = ("id", "role", "content", "name", "created_at")
#: Fields that a chat API answers with every message, and that say nothing where they are null or an empty list.
_EMPTY = ("refusal", "annotations", "audio", "function_call", "tool_calls", "parts")
#: Fields that libraries write beside what was said: they come back with the message, and are not read.
_BESIDE = (
    "reasoning_content", "reasoning", "reasoning_details", "thinking_blocks", "provider_specific_fields",
    "providerOptions", "providerMetadata", "metadata", "parsed", "annotations", "additional_kwargs",
    "toolInvocations", "experimental_attachments", "revisionId",
)  # fmt: skip
#: What an item of OpenAI's Responses API is that nobody says.
_REASONING = "reasoning"
_CALL, _OUTPUT = "_call", "_call_output"
#: So many fields are named of a message that is none.
_NAMED = 8


def words_of(parts: Sequence[Part]) -> str:
    """A content in parts as words, a line each: what a tool returned beside a person's words is not among them."""
    beside = any(part.words and not part.is_result for part in parts)
    return "\n".join(part.words for part in parts if part.words and not (beside and part.is_result))


def from_chat_api(message: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a message as MessageInput has them. Raises ValueError for a part that is none."""
    fields = {name: value for name, value in message.items() if name not in _EMPTY or value not in (None, [])}
    if isinstance(fields.get("type"), str) and "role" not in fields:
        fields = _of_item(fields)
    if fields and "role" not in fields:
        names = ", ".join(sorted(map(str, fields))[:_NAMED])
        known = "a message has a role and a content, as chat APIs write it, and this one has no role"
        raise ValueError(f"{known} but {names}; have your library turn its messages into those of a chat API first")
    if fields.get("type") == "message":
        # What an API answered, whole.
        fields = {name: value for name, value in fields.items() if name in _OF_MESSAGE}
    fields, called = _of_older_apis(fields)
    beside = {name: value for name in _BESIDE if (value := fields.pop(name, None)) is not None}
    content, refusal, audio = fields.get("content"), fields.pop("refusal", None), fields.pop("audio", None)
    shown = fields.pop("parts", None)
    # A message of the AI SDK's screens, or of Gemini's API, has its parts in the place of a content.
    name = "content" if content or shown is None else "parts"
    if name == "parts":
        content = shown
    elif shown is not None:
        beside["parts"] = shown
    if content is None:
        heard = audio.get("transcript") if isinstance(audio, Mapping) else None
        fields["content"] = next((words for words in (refusal, heard) if isinstance(words, str)), "")
    elif isinstance(content, list | tuple):
        parts = [read_part(part, at) for at, part in enumerate(content)]
        fields |= _of_parts(parts, fields)
        if any(part.is_result for part in parts) and not any(part.words and not part.is_result for part in parts):
            # Anthropic's and Gemini's API have it from the user, who did not say it.
            beside |= {"role": fields.get("role")} if fields.get("role") != "tool" else {}
            fields["role"] = "tool"
        if not all(part.is_plain for part in parts):
            beside[name] = [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]
    fields |= {"handed_in_as": beside} if beside else {}
    return _with_call(fields, called) if isinstance(called, Mapping) else fields


def _of_older_apis(fields: Mapping[str, Any]) -> tuple[dict[str, Any], object]:
    """The fields as newer APIs have them, and the call in a field of its own, where there is one."""
    fields = {"created_at" if name == "createdAt" else name: value for name, value in fields.items()}
    called, name = fields.pop("function_call", None), fields.get("name")
    if fields.get("role") == "function" and isinstance(name, str) and not fields.get("tool_call_id"):
        fields["closes"] = [*(fields.get("closes") or ()), name]
    return fields, called


def _with_call(fields: Mapping[str, Any], called: Mapping[str, Any]) -> dict[str, Any]:
    """The one call that OpenAI's API made before there were tools: its name stands in the place of an id."""
    content, name = fields.get("content"), str(called.get("name"))
    words = filter(None, [content if isinstance(content, str) else "", call_in_words(called)])
    beside = {"content": content, **(fields.get("handed_in_as") or {}), "function_call": dict(called)}
    return {**fields, "content": " ".join(words), "opens": [*(fields.get("opens") or ()), name], "handed_in_as": beside}


def _of_parts(parts: Sequence[Part], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The words, and the calls that are asked for or settled; a call whose result is with it is neither."""
    opens = [part.opens for part in parts if part.opens is not None]
    closes = [part.closes for part in parts if part.closes is not None]
    calls = {
        "opens": [*(fields.get("opens") or ()), *(id_ for id_ in opens if id_ not in closes)],
        "closes": [*(fields.get("closes") or ()), *(id_ for id_ in closes if id_ not in opens)],
    }
    return {"content": words_of(parts)} | {name: ids for name, ids in calls.items() if ids}


def _of_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item of OpenAI's Responses API that is no message, as a message; the same where nobody knows what it is."""
    type_, id_ = str(item["type"]), {"id": item["id"]} if isinstance(item.get("id"), str) else {}
    if type_ == _REASONING:
        return {**id_, "role": "assistant", "content": ""}
    if type_.endswith(_OUTPUT):
        (part,) = [read_part({**item, "type": "tool_result"}, 0)]
        return {**id_, "role": "tool", "tool_call_id": part.closes, "content": part.words}
    if type_.endswith(_CALL):
        name, asked = item.get("name") or type_, item.get("arguments", item.get("input", item.get("action")))
        called = item.get("call_id") or item.get("id")
        call = {"id": called, "type": "function", "function": {"name": name, "arguments": asked or ""}}
        return {**id_, "role": "assistant", "tool_calls": [call]}
    return dict(item)


def in_known_roles(messages: Iterable[Any]) -> list[Any]:
    """The messages in the roles of chat APIs. Raises InvalidInput for one that nobody knows."""
    spoken = []
    for at, message in enumerate(messages):
        role = message.get("role") if isinstance(message, Mapping) else message.role
        if not isinstance(role, str) or not role:
            spoken.append(message)
            continue
        if role.casefold() not in KNOWN_ROLES:
            known = ", ".join(sorted(KNOWN_ROLES))
            reason = f"messages.{at}.role: {role[:64]!r} is no role; write one of {known}, and who speaks into name"
            raise InvalidInput(reason, field=f"messages.{at}.role")
        as_role = {"role": role_in_chats(role)}
        spoken.append({**message, **as_role} if isinstance(message, Mapping) else message.model_copy(update=as_role))
    return spoken
