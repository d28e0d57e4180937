"""An AutoGen ``Memory``: what an agent hears is kept, and what matters for the next answer is put before it.

    memory = PrecisMemory(app, user_id="ana", session_id="t1")
    agent = AssistantAgent("assistant", model_client, memory=[memory])

With a ``session_id`` the messages of the agent's context are written to that conversation each time the agent is about
to answer, each once. Without one only what ``add`` is given is kept.
"""

from collections.abc import Sequence
from typing import Any

from autogen_core import CancellationToken
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import AssistantMessage, FunctionExecutionResultMessage, LLMMessage, SystemMessage, UserMessage

from precis.agents.person import Person, as_json, called, message
from precis.app import App
from precis.app.context import TOKENS_OF_AGENTS
from precis.app.messages import MessageInput
from precis.errors import InvalidInput
from precis.mcp.wording import Calling, own_calls

_OPENING = "What is remembered of the user from before:\n\n"


class PrecisMemory(Memory):
    """One user's memory. Made inside the event loop that the app was opened in; an agent may run in another."""

    def __init__(
        self,
        app: App,
        *,
        user_id: str,
        session_id: str | None = None,
        project_id: str | None = None,
        token_budget: int = TOKENS_OF_AGENTS,
    ) -> None:
        self._person = Person(app, user_id, project_id=project_id)
        self._session_id = session_id
        self._token_budget = token_budget

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Keep what was said, and add what matters for the latest question, unless it was added already."""
        messages = await model_context.get_messages()
        known: list[str] = []
        if self._session_id is not None:
            known = await self._person.hear(self._session_id, _inputs(messages))
        question = next((_text(row.content) for row in reversed(messages) if _is_asked(row)), "")
        remembered = await self._person.context(question, token_budget=self._token_budget, known=known)
        if not remembered:
            return UpdateContextResult(memories=MemoryQueryResult(results=[]))
        added = SystemMessage(content=_OPENING + remembered)
        if added not in messages:
            await model_context.add_message(added)
        return UpdateContextResult(memories=MemoryQueryResult(results=[_content(remembered)]))

    async def query(
        self, query: str | MemoryContent, cancellation_token: CancellationToken | None = None, **kwargs: Any
    ) -> MemoryQueryResult:
        """The memories and summaries that matter, best first; ``limit`` of them, 10 by default."""
        del cancellation_token
        question = query if isinstance(query, str) else _words(query)
        results = await self._person.recall(question, limit=kwargs.get("limit", 10))
        return MemoryQueryResult(
            results=[
                _content(
                    result.dated_text or result.memory.text or "",
                    id=result.memory.id,
                    created_at=result.memory.created_at.isoformat(),
                    relevance=result.relevance.value,
                )
                for result in results
            ]
        )

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Remember a text or a JSON value, once however often it is added. Raises InvalidInput for anything else."""
        del cancellation_token
        await self._person.remember(_words(content), metadata=content.metadata or {})

    async def clear(self) -> None:
        """Forget everything of this user, within the project if one was given. It cannot be undone."""
        await self._person.forget_all()

    async def close(self) -> None:
        """Nothing: the app is closed by whoever opened it."""


def _content(text: str, **metadata: Any) -> MemoryContent:
    return MemoryContent(content=text, mime_type=MemoryMimeType.TEXT, metadata=metadata or None)


def _words(content: MemoryContent) -> str:
    if isinstance(content.content, str):
        return content.content
    if isinstance(content.content, dict):
        return as_json(content.content)
    kind = type(content.content).__name__
    raise InvalidInput(f"content: precis remembers text and JSON, not {kind}; say in words what it shows")


def _is_asked(row: LLMMessage) -> bool:
    return isinstance(row, UserMessage) and bool(_text(row.content).strip())


def _text(content: Any) -> str:
    """The words of a message; pictures have none."""
    if isinstance(content, str):
        return content
    return "\n".join(part for part in content if isinstance(part, str))


def _inputs(messages: Sequence[LLMMessage]) -> list[MessageInput]:
    """Those that belong to the conversation; instructions to the model, precis's own among them, are no part of it."""
    own = own_calls([_calling(row) for row in messages])
    return [read for row, calls in zip(messages, own, strict=True) for read in _read(row, calls)]


def _calling(row: LLMMessage) -> Calling:
    if isinstance(row, FunctionExecutionResultMessage):
        return Calling(answers={result.call_id: result.content for result in row.content})
    calls = row.content if isinstance(row, AssistantMessage) and not isinstance(row.content, str) else []
    return Calling(asks={call.id: call.name for call in calls})


def _read(row: LLMMessage, own: frozenset[str]) -> list[MessageInput]:
    """Without calls of precis's own tools: what they write and show is stored."""
    if isinstance(row, FunctionExecutionResultMessage):
        return [
            message("tool", result.content or "(nothing)", name=result.name, closes=(result.call_id,))
            for result in row.content
            if result.call_id not in own
        ]
    if isinstance(row, AssistantMessage) and not isinstance(row.content, str):
        others = [call for call in row.content if call.id not in own]
        words = " ".join(called(call.name, call.arguments) for call in others)
        opens = tuple(call.id for call in others)
        return [message("assistant", words, name=row.source, opens=opens)] if others else []
    if isinstance(row, UserMessage | AssistantMessage) and _text(row.content).strip():
        role = "user" if isinstance(row, UserMessage) else "assistant"
        return [message(role, _text(row.content), name=row.source)]
    return []
