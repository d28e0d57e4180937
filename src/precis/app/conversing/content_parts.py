"""One part of a message's content, as chat APIs and client libraries write it: words, a call of a tool, its result.

OpenAI, Anthropic, the AI SDK (messages for models and for screens) and LangChain name a part by its ``type``; Gemini
and Bedrock by its one field.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

#: Characters of what is shown of a call or a payload.
MOST_SHOWN = 2_000
#: Fields of a part that hold words, in the order in which they count.
_WORDS = ("text", "refusal")
#: What stands in the place of a part, by how its type begins.
_SHOWN = {
    "image": "image", "input_image": "image", "audio": "audio", "input_audio": "audio", "video": "video",
    "input_video": "video", "file": "file", "input_file": "file", "document": "file",
}  # fmt: skip
#: With which the AI SDK's screens begin each step of an answer.
_STEP = "step-start"
#: Types of parts that call a tool, that bring what it returned, and what nobody says.
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use", "tool-call", "tool_call", "function_call")
_RESULTS = ("tool_result", "tool-result", "tool-error", "function_response")
_UNSPOKEN = (
    "thinking", "redacted_thinking", "reasoning", "reasoning-file", _STEP, "source", "source-url",
    "source-document", "custom", "tool-approval-request", "tool-approval-response",
)  # fmt: skip
#: The type of a part without one, by the field that it has in Gemini's or Bedrock's API.
_BY_FIELD = {
    "functionCall": "tool_use", "function_call": "tool_use", "toolUse": "tool_use",
    "functionResponse": "tool_result", "function_response": "tool_result", "toolResult": "tool_result",
    "inlineData": "file", "inline_data": "file", "fileData": "file", "file_data": "file", "image": "image",
    "document": "document", "video": "video", "executableCode": "thinking", "executable_code": "thinking",
    "codeExecutionResult": "tool_result", "code_execution_result": "tool_result", "reasoningContent": "thinking",
    "cachePoint": "thinking",
}  # fmt: skip
_IDS = ("tool_use_id", "toolCallId", "toolUseId", "call_id", "id")
_MEDIA, _SIGNATURES = ("mimeType", "mime_type"), ("thoughtSignature", "thought_signature")
_NAMES, _ARGUMENTS = ("toolName", "name"), ("input", "args", "arguments")
_RETURNED = ("content", "output", "result", "response", "errorText", "error")
#: How the AI SDK names the part of a screen that shows a tool, and where its state says that it has returned.
_TOOL, _DYNAMIC, _SETTLED = "tool-", "dynamic-tool", ("output-", "result")
#: The same of its version 4, which has it all in a field of the part.
INVOKED, _INVOCATION = "tool-invocation", "toolInvocation"
_LONGEST_NAME = 100
#: Characters without a space that are data, and no words.
_DATA = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """What one part of a content is."""

    #: What it says, or a word in the place of what it shows.
    words: str = ""
    #: Ids of the call it makes, and of the one whose result it brings; both of a part that has its result with it.
    opens: str | None = None
    closes: str | None = None
    #: Whether its words are what a tool returned.
    is_result: bool = False
    #: Whether its words are all that it has.
    is_plain: bool = False


def read_part(part: object, at: int) -> Part:
    """The part at a place of a content. Raises ValueError for what is none, or of no known type."""
    if isinstance(part, str):
        return Part(words=part, is_plain=True)
    typed = _typed(part) if isinstance(part, Mapping) else {}
    type_ = typed.get("type")
    if not isinstance(type_, str):
        message = f"part {at} of the content has no type: a part is text, image_url, input_audio or file"
        raise ValueError(message)  # noqa: TRY004 - pydantic asks for it
    if type_ in _UNSPOKEN or type_.startswith("data-"):
        return Part(is_plain=type_ == _STEP)
    state = typed.get("state")
    if type_ == _DYNAMIC or (type_.startswith(_TOOL) and state is not None):
        call, id_ = _call({"name": type_.removeprefix(_TOOL), **typed}), _first(typed, _IDS)
        return Part(words=call, opens=id_, closes=id_ if str(state).startswith(_SETTLED) else None)
    if type_ in _CALLS:
        return Part(words=_call(typed), opens=_first(typed, _IDS))
    if type_ in _RESULTS or type_.endswith("_tool_result"):
        returned = next((typed[name] for name in _RETURNED if typed.get(name) is not None), None)
        return Part(words=_returned(returned), closes=_first(typed, _IDS), is_result=True)
    text = next((typed[name] for name in _WORDS if isinstance(typed.get(name), str)), None)
    shown = placeholder(type_, file_name(typed)) if text is None else text
    if shown is None:
        known = "text, image_url, input_audio or file, and no call of a tool or its result"
        message = f"part {at} of the content is no {known}: its type is {type_[:64]!r}; send what it says as text"
        raise ValueError(message)
    return Part(words=shown, is_plain=type_ == "text")


def state_of(part: object) -> str | None:
    """How far a part that shows a tool says it is; None of one that does not say it."""
    state = _typed(part).get("state") if isinstance(part, Mapping) else None
    return state if isinstance(state, str) else None


def _typed(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part with a type: Gemini's and Bedrock's have one field instead, the others of which may be null."""
    if part.get("type") == INVOKED and isinstance(inner := part.get(_INVOCATION), Mapping):
        return {**inner, "type": _DYNAMIC}
    if "type" in part:
        return part
    if isinstance(part.get("text"), str):
        return {"type": "thinking" if part.get("thought") else "text", **part}
    fields = ((type_, part[name]) for name, type_ in _BY_FIELD.items() if part.get(name) is not None)
    type_, inner = next(fields, (None, None))
    if type_ is None:
        return {"type": "thinking" if any(part.get(name) for name in _SIGNATURES) else None}
    if not isinstance(inner, Mapping):
        return {"type": type_}
    kind = (_first(inner, _MEDIA) or "").split("/")[0]
    return {**inner, "type": kind if type_ == "file" and kind in _SHOWN else type_}


def _first(part: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((part[name] for name in names if isinstance(part.get(name), str)), None)


def _call(part: Mapping[str, Any]) -> str:
    arguments: Any = next((part[name] for name in _ARGUMENTS if part.get(name) is not None), {})
    return call_in_words({"name": _first(part, _NAMES) or "a tool", "args": arguments})


def _returned(value: object) -> str:
    """What a tool returned, in words: texts a line each, anything else as JSON without what is encoded in it."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list | tuple):
        return "\n".join(filter(None, map(_returned, value)))
    if isinstance(value, Mapping):
        if isinstance(value.get("text"), str):
            return str(value["text"])
        if (shown := placeholder(str(value.get("type", "")), file_name(value))) is not None:
            return shown
        if "value" in value and isinstance(value.get("type"), str):
            inner = value["value"]
            is_content = value["type"] == "content" or isinstance(inner, str)
            return _returned(inner) if is_content else orjson.dumps(without_data(inner)).decode()
    return orjson.dumps(without_data(value)).decode()


def placeholder(type_: str, name: object = None) -> str | None:
    """What stands in the place of a picture, a sound or a file: ``[image]``, ``[file report.pdf]``; None for others."""
    kind = next((word for begins, word in _SHOWN.items() if type_ == begins or type_.startswith(f"{begins}_")), None)
    named = f" {name[:_LONGEST_NAME]}" if isinstance(name, str) and name.strip() else ""
    return None if kind is None else f"[{kind}{named}]"


def placeholders(content: object) -> list[str]:
    """Those of a content in parts, in order; what else is in it is left out."""
    parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list | tuple) else []
    shown = (placeholder(str(part.get("type", "")), file_name(part)) for part in parts)
    return [word for word in shown if word is not None]


def file_name(part: Mapping[str, Any]) -> object:
    """How the file of a part is called, where the part says it."""
    file = part.get("file")
    return file.get("filename") if isinstance(file, Mapping) else part.get("filename")


def without_data(value: Any) -> Any:
    """The same, with a mark in the place of what is encoded in it: a picture in base64 tells a reader nothing."""
    if isinstance(value, Mapping):
        return {name: without_data(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [without_data(part) for part in value]
    is_data = isinstance(value, str) and (value.startswith("data:") or (len(value) > _DATA and " " not in value))
    return "[data]" if is_data and value.isascii() else value


def call_in_words(call: Mapping[str, Any]) -> str:
    """A call in words: ``[calls search {"query": "tea"}]``."""
    function = function_of(call)
    arguments = function.get("arguments", function.get("args", ""))
    written = arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
    return f"[calls {function.get('name', 'a tool')} {written[:MOST_SHOWN]}]"


def function_of(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a call calls: chat APIs put it into a field of its own."""
    function = call.get("function")
    return function if isinstance(function, dict) else call
