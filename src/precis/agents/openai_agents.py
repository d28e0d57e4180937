"""The session protocol of the OpenAI Agents SDK over a conversation.

    session = PrecisSession(app, "t1", user_id="ana")
    await Runner.run(agent, "Hello", session=session)

``get_items`` answers the summary and the items it does not speak for; a call and its output, and a reasoning item and
what it led to, are never parted. ``remembering`` says what becomes of the items in recall and as facts. Calls of
the tools of precis's MCP server and what they answered are left out: they are in the store already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from precis.agents.person import OPENING, called
from precis.agents.person import message as message_input
from precis.app import App
from precis.app.conversing.content_parts import placeholders
from precis.app.messages import Context, MessageInput
from precis.conversation import AS_SET, Address, Message, Remembering, dangling
from precis.errors import NotFound
from precis.ids import new_id
from precis.mcp.wording import Calling, is_answer, own_calls
from precis.policies.conversations import Limits

if TYPE_CHECKING:
    from agents.items import TResponseInputItem
    from agents.memory.session_settings import SessionSettings

#: What an item opens and what it closes, by type, as the names of its fields.
_OPENS = {"function_call": "call_id", "computer_call": "call_id", "local_shell_call": "id", "shell_call": "call_id",
          "apply_patch_call": "call_id", "custom_tool_call": "call_id", "mcp_approval_request": "id"}  # fmt: skip
_CLOSES = {"function_call_output": "call_id", "computer_call_output": "call_id", "local_shell_call_output": "id",
           "shell_call_output": "call_id", "apply_patch_call_output": "call_id", "custom_tool_call_output": "call_id",
           "mcp_approval_response": "approval_request_id"}  # fmt: skip


class PrecisSession:
    """A ``Session``: one conversation of one user."""

    def __init__(
        self,
        app: App,
        session_id: str,
        *,
        user_id: str = "",
        limits: Limits | None = None,
        namespace: str | None = None,
        remembering: Remembering = AS_SET,
    ) -> None:
        self._remembering = remembering
        self.session_id = session_id
        self.session_settings: SessionSettings | None = None
        self._conversations = app.conversations
        self._limits = limits or app.conversations.limits()
        self._address = Address(
            session_id=session_id, user_id=user_id, namespace=namespace, project_id="", environment="production"
        )

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The summary and the latest items, or the latest ``limit`` of them; the summary is one more."""
        try:
            context = await self._conversations.context(self._address, limits=self._limits)
        except NotFound:
            return []
        limit = limit if limit is not None else getattr(self.session_settings, "limit", None)
        kept = context.messages if limit is None else context.messages[max(0, len(context.messages) - limit) :]
        return cast("list[TResponseInputItem]", [*_summary(context), *_items(kept)])

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Write them; and extend the summary where it is due, within the deadline."""
        messages = _inputs([dict(item) for item in items])
        await self._conversations.turn(self._address, messages, limits=self._limits, remembering=self._remembering)

    async def pop_item(self) -> TResponseInputItem | None:
        """Forget the latest item and answer it; None where there is none."""
        try:
            latest = await self._conversations.messages(self._address, limit=1)
        except NotFound:
            return None
        for message in latest:
            await self._conversations.forget_messages(self._address, [message.given])
            return cast("TResponseInputItem", _items([message])[0])
        return None

    async def clear_session(self) -> None:
        """Forget all of it."""
        try:
            await self._conversations.forget(self._address)
        except NotFound:
            return


def _inputs(items: Sequence[dict[str, Any]]) -> list[MessageInput]:
    """Items as messages; a reasoning item belongs to the one behind it. Lookups in precis are no messages."""
    messages = []
    tie: str | None = None
    for item in _without_own_calls(items):
        opens, closes = _id(item, _OPENS), _id(item, _CLOSES)
        if tie is not None:
            closes.append(tie)
        tie = f"reasoning-{new_id()}" if item.get("type") == "reasoning" else None
        if tie is not None:
            opens.append(tie)
        messages.append(message_input(_role(item), _text(item), opens=tuple(opens), closes=tuple(closes), payload=item))
    return messages


def _without_own_calls(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items but for calls of precis's memory tools that were answered, and what the model reasoned before them."""
    own = own_calls([_calling(item) for item in items])
    kept: list[dict[str, Any]] = []
    #: Whether a call is behind the item; and whether anything is kept of what a reasoning item before it led to.
    before_call, leads = False, True
    for item, calls in zip(reversed(items), reversed(own), strict=True):
        kind = item.get("type")
        hosted = kind == "mcp_call" and is_answer(str(item.get("name")), str(item.get("output") or ""))
        is_kept = leads if kind == "reasoning" else not calls and not hosted
        if is_kept:
            kept.append(item)
        leads = is_kept or (leads and before_call and kind in _OPENS)
        before_call = kind in _OPENS
    return kept[::-1]


def _calling(item: dict[str, Any]) -> Calling:
    """Of the items, function calls are what precis's tools are called by."""
    ids = [str(item.get("call_id"))]
    return Calling(
        asks=dict.fromkeys(ids, str(item.get("name"))) if item.get("type") == "function_call" else {},
        answers=dict.fromkeys(ids, _text(item)) if item.get("type") == "function_call_output" else {},
    )


def _id(item: dict[str, Any], names: dict[str, str]) -> list[str]:
    id_ = item.get(names.get(str(item.get("type")), ""))
    return [id_] if isinstance(id_, str) else []


def _role(item: dict[str, Any]) -> str:
    if isinstance(item.get("role"), str):
        return str(item["role"])
    return "tool" if str(item.get("type", "")).endswith(("_output", "_response")) else "assistant"


def _text(item: dict[str, Any]) -> str:
    """What a summarizer reads of an item."""
    kind = item.get("type")
    if kind in _OPENS:
        arguments = item.get("arguments") or item.get("action") or item.get("input") or ""
        return called(str(item.get("name") or kind), arguments)
    content = item.get("content", item.get("output", item.get("summary", "")))
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "\n".join([*(part for part in parts if isinstance(part, str)), *placeholders(content)])


def _items(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as items; an output without its call, and a call nobody will answer, are shown as text."""
    unanswered = dangling(messages)
    opened = {id_ for message in messages if message.id not in unanswered for id_ in message.opens}
    items = []
    for message in messages:
        payload = (message.payload or {}).get("payload")
        type_ = payload.get("type") if isinstance(payload, dict) else None
        lonely = type_ in _CLOSES and not opened.issuperset(message.closes)
        # A request for approval may wait; a call may not.
        waits = message.id in unanswered and type_ != "mcp_approval_request"
        if isinstance(payload, dict) and not lonely and not waits:
            items.append(payload)
        else:
            role = message.role if message.role in {"user", "assistant", "system", "developer"} else "user"
            text = f"Result of an earlier call: {message.text}" if lonely else message.text
            items.append({"role": role, "content": text})
    return items


def _summary(context: Context) -> list[dict[str, Any]]:
    return [{"role": "system", "content": f"{OPENING}{context.summary}"}] if context.summary else []
