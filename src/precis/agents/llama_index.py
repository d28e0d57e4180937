"""A LlamaIndex memory block: what was said in any session of a user, as far as it matters for the next answer.

    block = PrecisMemoryBlock(app=app, user_id="ana")
    memory = Memory.from_defaults(session_id="t1", memory_blocks=[block])
    await agent.run("Where do I live?", memory=memory)

Every message of the chat history is written when it is first seen, each once, so that the next session knows it; with
``at_once=False`` only those that leave LlamaIndex's short-term memory, as its own blocks have it.
"""

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field, PrivateAttr

from precis.agents.person import Person, called, message
from precis.app.context import TOKENS_OF_AGENTS
from precis.app.messages import MessageInput
from precis.errors import InvalidInput
from precis.mcp.wording import Calling, own_calls

_ROLES = {
    MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant", MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant", MessageRole.TOOL: "tool", MessageRole.FUNCTION: "tool",
}  # fmt: skip


class PrecisMemoryBlock(BaseMemoryBlock[str]):
    """One user's memory. Made inside the event loop that the app was opened in; an agent may run in another."""

    name: str = "precis"
    #: An App; pydantic would look into it, part by part.
    app: Any = Field(exclude=True, repr=False)
    user_id: str
    project_id: str | None = None
    token_budget: int = TOKENS_OF_AGENTS
    at_once: bool = True
    _person: Person = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Raises InvalidInput for an empty user."""
        super().model_post_init(context)
        self._person = Person(self.app, self.user_id, project_id=self.project_id)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """What matters for the latest question, and is not in the chat history itself."""
        history = _without_echo(messages or [])
        known: list[str] = []
        session_id = block_kwargs.get("session_id")
        if self.at_once and session_id:
            known = await self._person.hear(session_id, _inputs(history))
        question = next((text for row in reversed(history) if (text := _asked(row))), "")
        return await self._person.context(question, token_budget=self.token_budget, known=known)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Write what leaves the short-term memory. Raises InvalidInput where no session is named."""
        session_id = next((name for row in messages if (name := row.additional_kwargs.get("session_id"))), None)
        if session_id is None:
            raise InvalidInput("session_id: name the session that the messages are of, as Memory does")
        await self._person.hear(session_id, _inputs(messages))


def _without_echo(messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
    """The history: LlamaIndex adds the question that is being answered once more at its end."""
    if messages and _asked(messages[-1]):
        latest = next((text for row in reversed(messages[:-1]) if (text := _asked(row))), "")
        if latest == _asked(messages[-1]):
            return messages[:-1]
    return messages


def _asked(row: ChatMessage) -> str:
    return (row.content or "").strip() if row.role is MessageRole.USER else ""


def _inputs(messages: Sequence[ChatMessage]) -> list[MessageInput]:
    """Those that belong to the conversation; instructions to the model are no part of it."""
    own = own_calls([_calling(row) for row in messages])
    return [read for row, calls in zip(messages, own, strict=True) if (read := _read(row, calls)) is not None]


def _calling(row: ChatMessage) -> Calling:
    closes = row.additional_kwargs.get("tool_call_id") if _ROLES.get(row.role) == "tool" else None
    calls = [block for block in row.blocks if isinstance(block, ToolCallBlock)]
    return Calling(
        asks={call.tool_call_id: call.tool_name for call in calls if call.tool_call_id},
        answers={closes: row.content or ""} if closes else {},
    )


def _read(row: ChatMessage, own: frozenset[str]) -> MessageInput | None:
    """Without calls of precis's own tools: what they write and show is stored."""
    if _ROLES.get(row.role) == "tool" and own:
        return None
    calls = [block for block in row.blocks if isinstance(block, ToolCallBlock) and block.tool_call_id not in own]
    words = " ".join(filter(None, [row.content, *(called(call.tool_name, call.tool_kwargs) for call in calls)]))
    role = _ROLES.get(row.role)
    if role is None or not words.strip():
        return None
    closes = row.additional_kwargs.get("tool_call_id") if role == "tool" else None
    opens = tuple(call.tool_call_id for call in calls if call.tool_call_id)
    return message(role, words, opens=opens, closes=(closes,) if closes else ())
