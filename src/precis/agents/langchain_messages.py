"""LangChain's messages as precis keeps them, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_to_dict,
    messages_from_dict,
)
from pydantic_core import to_jsonable_python

from precis.agents.person import OPENING
from precis.agents.person import message as message_input
from precis.app.conversing.content_parts import placeholders
from precis.app.messages import Context, MessageInput
from precis.conversation import Address, Message, dangling
from precis.errors import InvalidInput
from precis.mcp.wording import Calling, own_calls

#: ``additional_kwargs`` of a message that precis put there: it is not a message of the conversation.
MARK = "precis"
#: The same of what a memory tool of precis answered: it is in the conversation, and stored as memories only.
OWN_TOOL = "precis_tool"
#: A content block that is a call, and under which names it has its id.
_CALL_BLOCKS = ("tool_use", "tool_call", "function_call")
_ROLES = {"human": "user", "ai": "assistant"}


def is_ours(message: AnyMessage) -> bool:
    """Whether precis made it: the summary in front of the messages, or a message that is told in other words."""
    return MARK in message.additional_kwargs


def is_summary(message: AnyMessage) -> bool:
    """Whether it is the summary in front of the messages."""
    return "summary_id" in (message.additional_kwargs.get(MARK) or ())


def inputs_of(messages: Sequence[AnyMessage]) -> list[MessageInput]:
    """Those that belong to the conversation; neither instructions to the model nor lookups in precis are part of it."""
    return [
        _input(message)
        for message in without_own_calls(messages)
        if message is not None and not is_ours(message) and not isinstance(message, SystemMessage)
    ]


def without_own_calls(messages: Sequence[AnyMessage]) -> list[AnyMessage | None]:
    """Each message without calls of precis's memory tools that were answered; None where nothing else is in it."""
    own = own_calls([_calling(message) for message in messages])
    return [_without(message, calls) if calls else message for message, calls in zip(messages, own, strict=True)]


def _calling(message: AnyMessage) -> Calling:
    if isinstance(message, ToolMessage):
        text = None if OWN_TOOL in message.additional_kwargs else str(message.text)
        return Calling(answers={message.tool_call_id: text})
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return Calling(asks={call["id"]: call["name"] for call in calls if call["id"]})


def _without(message: AnyMessage, calls: frozenset[str]) -> AnyMessage | None:
    if not isinstance(message, AIMessage):
        return None
    others = [call for call in message.tool_calls if call["id"] not in calls]
    if not others and not str(message.text).strip():
        return None
    content = message.content
    if isinstance(content, list):
        content = [part for part in content if not (isinstance(part, dict) and _is_call(part, calls))]
    extra = dict(message.additional_kwargs)
    if isinstance(raw := extra.pop("tool_calls", None), list) and others:
        extra["tool_calls"] = [call for call in raw if not (isinstance(call, dict) and call.get("id") in calls)]
    return message.model_copy(update={"content": content, "tool_calls": others, "additional_kwargs": extra})


def _is_call(part: Mapping[str, Any], calls: frozenset[str]) -> bool:
    return part.get("type") in _CALL_BLOCKS and (part.get("call_id") in calls or part.get("id") in calls)


def _input(message: AnyMessage) -> MessageInput:
    opens = [call["id"] for call in message.tool_calls if call["id"]] if isinstance(message, AIMessage) else []
    closes = [message.tool_call_id] if isinstance(message, ToolMessage) else []
    return message_input(
        _ROLES.get(message.type, message.type),
        _words(message),
        name=message.name if isinstance(message.name, str) else None,
        id=message.id,
        opens=tuple(opens),
        closes=tuple(closes),
        payload=message_to_dict(_without_objects(message)),
    )


def _without_objects(message: AnyMessage) -> AnyMessage:
    """Without what a tool keeps beside its answer for the program, unless that is JSON: no model reads it."""
    if not isinstance(message, ToolMessage) or message.artifact is None:
        return message
    try:
        to_jsonable_python(message.artifact)
    except ValueError:
        return message.model_copy(update={"artifact": None})
    return message


def _words(message: AnyMessage) -> str:
    """The text, a word for each picture, sound or file; for calls, what was called with what."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    called = [f"[calls {call['name']} {call['args']}]" for call in calls]
    return " ".join(filter(None, [str(message.text), *placeholders(message.content), *called]))


def message_of(message: Message) -> AnyMessage:
    """A message as LangChain handed it in; of one that was shortened, or came from elsewhere, only role and text."""
    payload: Any = (message.payload or {}).get("payload")
    if isinstance(payload, dict) and payload.get("type") and "data" in payload:
        return messages_from_dict([payload])[0]  # type: ignore[return-value]
    if message.role == "user":
        return HumanMessage(message.text, id=message.given, name=message.name, additional_kwargs=_marked(message))
    if message.role == "system":
        return SystemMessage(message.text, id=message.given)
    words = message.text if message.role == "assistant" else f"[{message.role}] {message.text}"
    return AIMessage(words, id=message.given, additional_kwargs=_marked(message))


def _marked(message: Message) -> dict[str, Any]:
    """For what is told in other words than it is stored in: handed in again, it is no edit."""
    return {MARK: {"message_id": message.id}}


def history_of(context: Context) -> list[AnyMessage]:
    """The messages of a context. A result without its call, and a call nobody will answer, are shown as text."""
    unanswered = dangling(context.messages)
    opened = {id_ for message in context.messages if message.id not in unanswered for id_ in message.opens}
    history: list[AnyMessage] = []
    for message in context.messages:
        restored = message_of(message)
        if isinstance(restored, ToolMessage) and restored.tool_call_id not in opened:
            words = f"Result of an earlier call: {message.text}"
            restored = HumanMessage(words, id=restored.id, additional_kwargs=_marked(message))
        elif message.id in unanswered:
            restored = AIMessage(message.text, id=restored.id, additional_kwargs=_marked(message))
        history.append(restored)
    return history


def says_the_same(message: AnyMessage, other: AnyMessage) -> bool:
    """Whether both are of one kind and ask for the same calls."""
    calls = [side.tool_calls if isinstance(side, AIMessage) else [] for side in (message, other)]
    return message.type == other.type and [call["id"] for call in calls[0]] == [call["id"] for call in calls[1]]


def summary_message(context: Context) -> list[AnyMessage]:
    """The summary in front of the messages; nothing where there is none."""
    if not context.summary:
        return []
    mark = {MARK: {"summary_id": context.summary_id, "version": context.version}}
    return [
        HumanMessage(
            f"{OPENING}{context.summary}",
            id=f"precis-{context.summary_id}-{context.version}",
            additional_kwargs={**mark, "lc_source": "summarization"},
        )
    ]


def address_of(config: Mapping[str, Any]) -> Address:
    """Which conversation a run is of, by its configuration. Raises InvalidInput without a thread_id."""
    names = config.get("configurable", {})
    if not names.get("thread_id"):
        raise InvalidInput("configurable.thread_id: it names the conversation and is needed", field="thread_id")
    return Address(
        session_id=str(names["thread_id"]),
        user_id=str(names.get("user_id") or ""),
        namespace=names.get("namespace"),
        project_id=names.get("project_id") or "",
        environment=names.get("environment") or "production",
    )
