"""Messages as chat APIs write them: a content that is null or a list of parts, and fields that say nothing.

What a part shows or plays is not read: a word in its place says that it was there.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from precis.errors import InvalidInput
from precis.trust import KNOWN_ROLES

#: Characters of a message, and of what is shown of a call or a payload.
MAX_CHARS, MOST_SHOWN = 2_000_000, 2_000
#: What a content may be.
CONTENT_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "maxLength": MAX_CHARS},
        {"type": "array", "items": {"type": "object", "additionalProperties": True}},
        {"type": "null"},
    ]
}
#: Fields of a part that hold words, in the order in which they count.
_WORDS = ("text", "refusal")
#: What stands in the place of a part, by how its type begins.
_SHOWN = {
    "image": "image", "input_image": "image", "audio": "audio", "input_audio": "audio", "video": "video",
    "input_video": "video", "file": "file", "input_file": "file", "document": "file",
}  # fmt: skip
#: Fields of an answer of a chat API that are of a message; the others are of the call.
_OF_MESSAGE = ("id", "role", "content", "name", "created_at")
#: Fields that a chat API answers with every message, and that say nothing where they are null or an empty list.
_EMPTY = ("refusal", "annotations", "audio", "function_call", "tool_calls")
#: Parts of a content by which Anthropic's API calls a tool, and answers with what it returned; and what nobody says.
_CALL, _RESULT, _UNSPOKEN = "tool_use", "tool_result", ("thinking", "redacted_thinking")
_LONGEST_NAME = 100
#: Characters without a space that are data, and no words.
_DATA = 300


def placeholder(type_: str, name: object = None) -> str | None:
    """What stands in the place of a picture, a sound or a file: ``[image]``, ``[file report.pdf]``; None for others."""
    kind = next((word for begins, word in _SHOWN.items() if type_ == begins or type_.startswith(f"{begins}_")), None)
    named = f" {name[:_LONGEST_NAME]}" if isinstance(name, str) and name.strip() else ""
    return None if kind is None else f"[{kind}{named}]"


def placeholders(content: object) -> list[str]:
    """Those of a content in parts, in order; what else is in it is left out."""
    parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list | tuple) else []
    shown = (placeholder(str(part.get("type", "")), _file_name(part)) for part in parts)
    return [word for word in shown if word is not None]


def _file_name(part: Mapping[str, Any]) -> object:
    file = part.get("file")
    return file.get("filename") if isinstance(file, Mapping) else part.get("filename")


def words_of(parts: Sequence[Any]) -> str:
    """A content in parts as words, a line each. Raises ValueError for a part that is none.

    What a tool answered beside a person's words is not theirs, and is not among them.
    """
    only = _of_type(parts, _RESULT) != list(parts)
    spoken = ((at, part) for at, part in enumerate(parts) if not (only and _is(part, _RESULT)))
    return "\n".join(filter(None, (_words(part, at) for at, part in spoken)))


def _is(part: object, type_: str) -> bool:
    return isinstance(part, Mapping) and part.get("type") == type_


def _of_type(parts: Sequence[Any], type_: str) -> list[Any]:
    return [part for part in parts if _is(part, type_)]


def _ids(parts: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    return [part[name] for part in parts if isinstance(part.get(name), str)]


def _words(part: object, at: int) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
        message = f"part {at} of the content has no type: a part is text, image_url, input_audio or file"
        raise ValueError(message)  # noqa: TRY004 - pydantic asks for it
    if part["type"] in _UNSPOKEN:
        return ""
    if part["type"] == _CALL:
        return call_in_words({"name": part.get("name", "a tool"), "args": part.get("input", {})})
    if part["type"] == _RESULT:
        result = part.get("content") or ""
        return result if isinstance(result, str) else words_of(result)
    text = next((part[name] for name in _WORDS if isinstance(part.get(name), str)), None)
    shown = placeholder(part["type"], _file_name(part)) if text is None else text
    if shown is None:
        raise ValueError(f"part {at} of the content is no text, image_url, input_audio or file")
    return shown


def from_chat_api(message: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a message as MessageInput has them. Raises ValueError for a part that is none."""
    fields = {name: value for name, value in message.items() if name not in _EMPTY or value not in (None, [])}
    if fields.get("type") == "message":
        # What an API answered, whole.
        fields = {name: value for name, value in fields.items() if name in _OF_MESSAGE}
    content, refusal, audio = fields.get("content"), fields.pop("refusal", None), fields.pop("audio", None)
    if content is None:
        heard = audio.get("transcript") if isinstance(audio, Mapping) else None
        fields["content"] = next((words for words in (refusal, heard) if isinstance(words, str)), "")
    elif isinstance(content, list | tuple):
        fields["content"] = words_of(content)
        calls, results = _ids(_of_type(content, _CALL), "id"), _of_type(content, _RESULT)
        if calls or results:
            fields["opens"] = [*(fields.get("opens") or ()), *calls]
            fields["closes"] = [*(fields.get("closes") or ()), *_ids(results, "tool_use_id")]
        if results and len(results) == len(content):
            # Anthropic's API has it from the user, who did not say it.
            fields |= {"role": "tool", "handed_in_as": fields.get("role")}
        if any(not isinstance(part, Mapping) or part.get("type") != "text" for part in content):
            fields.setdefault("parts", [{"type": "text", "text": p} if isinstance(p, str) else p for p in content])
    return fields


def without_data(value: Any) -> Any:
    """The same, with a mark in the place of what is encoded in it: a picture in base64 tells a reader nothing."""
    if isinstance(value, Mapping):
        return {name: without_data(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [without_data(part) for part in value]
    is_data = isinstance(value, str) and (value.startswith("data:") or (len(value) > _DATA and " " not in value))
    return "[data]" if is_data and value.isascii() else value


def call_in_words(call: dict[str, Any]) -> str:
    """A call in words: ``[calls search {"query": "tea"}]``."""
    function = function_of(call)
    arguments = function.get("arguments", function.get("args", ""))
    written = arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
    return f"[calls {function.get('name', 'a tool')} {written[:MOST_SHOWN]}]"


def function_of(call: dict[str, Any]) -> dict[str, Any]:
    """What a call calls: chat APIs put it into a field of its own."""
    function = call.get("function")
    return function if isinstance(function, dict) else call


def checked_roles(messages: Iterable[Any]) -> None:
    """Raise InvalidInput for the first message whose role nobody knows, since nothing says who that is."""
    for at, message in enumerate(messages):
        role = message.get("role") if isinstance(message, Mapping) else message.role
        if isinstance(role, str) and role and role.casefold() not in KNOWN_ROLES:
            known = ", ".join(sorted(KNOWN_ROLES))
            reason = f"messages.{at}.role: {role[:64]!r} is no role; write one of {known}, and who speaks into name"
            raise InvalidInput(reason, field=f"messages.{at}.role")
