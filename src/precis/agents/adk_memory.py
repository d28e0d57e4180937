"""Memory for Google's ADK, in precis itself: no server between them.

    runner = Runner(
        app_name="shop", agent=agent, session_service=PrecisSessionService(app), memory_service=PrecisMemoryService(app)
    )

A session is a conversation of its user, and an application is a project: what one application knows no other sees. The
events of a session are its messages, so what ``PrecisSessionService`` has written is found, and adding the session to
memory stores nothing twice. Any other session service may be used beside it.

What ADK's ``load_memory`` showed is kept by the ids of its memories: who opens the session again reads what they say
now, and a memory that was forgotten is in no event either.

ADK's events as precis keeps them, and back, are here for its sessions, too.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from precis import conversation, errors, ids
from precis.agents.loop import AppLoop
from precis.agents.person import Person, as_json, called, message, plain
from precis.app import App
from precis.app.messages import MessageInput
from precis.memory import Memory

#: ADK's own tool that asks the memory service.
_LOADS = "load_memory"
#: Says of an entry that its words are in precis, and need not be kept a second time.
_OURS = {"kept_by": "precis"}


def inputs_of(events: Sequence[Event]) -> list[MessageInput]:
    """Those in which somebody says something; a summary in ADK's form is nobody's words."""
    return [input_of(event) for event in events if text_of(event.content).strip() and not event.actions.compaction]


def input_of(event: Event) -> MessageInput:
    """An event as a message; the same whichever service writes it."""
    event = showing(event, _unworded)
    calls, results = event.get_function_calls(), event.get_function_responses()
    words = [
        text_of(event.content),
        *(called(str(call.name), call.args) for call in calls),
        *(f"[{result.name} answers {_answer(result)}]" for result in results),
    ]
    of_memory = [call.name == _LOADS for call in calls] + [loaded_by(result) is not None for result in results]
    role = "user" if event.author == "user" else "tool" if results else "assistant"
    return message(
        role,
        " ".join(filter(None, words)) or f"[sets {', '.join(event.actions.state_delta) or 'nothing'}]",
        name=event.author,
        id=event.id,
        created_at=datetime.fromtimestamp(event.timestamp, UTC),
        opens=tuple(call.id for call in calls if call.id),
        closes=tuple(result.id for result in results if result.id),
        payload=event.model_dump(mode="json", exclude_none=True),
        is_recalled=bool(words[0] or not of_memory) or not all(of_memory),
    )


def loaded_by(result: types.FunctionResponse) -> list[dict[str, Any]] | None:
    """The memories of precis that an answer of ``load_memory`` holds, as JSON; None where it holds something else."""
    answer = plain((result.response or {}).get("result")) if result.name == _LOADS else None
    entries = answer.get("memories") if isinstance(answer, dict) else None
    return entries if isinstance(entries, list) and all(map(_is_ours, entries)) else None


def _is_ours(entry: Any) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        return False
    metadata = entry.get("custom_metadata")
    return isinstance(metadata, dict) and metadata.items() >= _OURS.items()


def showing(event: Event, shown: Callable[[dict[str, Any]], dict[str, Any] | None]) -> Event:
    """The event with other entries in place of the memories of precis that it shows; None leaves one out."""
    if not any(map(loaded_by, event.get_function_responses())):
        return event
    event = event.model_copy(deep=True)
    for result in event.get_function_responses():
        if entries := loaded_by(result):
            memories = [other for other in map(shown, entries) if other is not None]
            result.response = {**(result.response or {}), "result": {"memories": memories}}
    return event


def _unworded(entry: dict[str, Any]) -> dict[str, Any]:
    return {"id": entry["id"], "custom_metadata": entry["custom_metadata"]}


def event_of(stored: conversation.Message) -> Event:
    """A stored message as its event; of one that was corrected, or came from elsewhere, only who says what."""
    payload = (stored.payload or {}).get("payload")
    if isinstance(payload, dict) and "invocation_id" in payload:
        return Event.model_validate(payload)
    role = "user" if stored.role == "user" else "model"
    return Event(
        id=stored.given,
        author=stored.name or stored.role,
        content=types.Content(role=role, parts=[types.Part(text=stored.text)]),
        timestamp=stored.created_at.timestamp(),
    )


def text_of(content: types.Content | None) -> str:
    """The words of a content, without thoughts."""
    parts = content.parts or [] if content else []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _answer(result: types.FunctionResponse) -> str:
    entries = loaded_by(result)
    return as_json(result.response) if entries is None else f"with {len(entries)} memories"


def moment_of(timestamp: str) -> datetime:
    """A time without a zone is UTC's. Raises InvalidInput."""
    try:
        return ids.zoned(datetime.fromisoformat(timestamp))
    except ValueError as error:
        raise errors.InvalidInput(f"timestamp: {timestamp!r} is no time; write it as 2026-03-14T12:00:00Z") from error


def entry_of(memory: Memory, text: str, metadata: Mapping[str, Any]) -> MemoryEntry:
    """A memory as ADK has it."""
    return MemoryEntry(
        id=memory.id,
        content=types.Content(role="user", parts=[types.Part(text=text)]),
        author=memory.speaker,
        timestamp=(memory.event_date or memory.created_at).isoformat(),
        custom_metadata=dict(metadata),
    )


#: The conversation that explicit events are of, where nobody names a session.
_NO_SESSION = "unknown"


class PrecisMemoryService(BaseMemoryService):
    """Made inside the event loop that the app was opened in; a runner may be in another."""

    def __init__(self, app: App, *, limit: int = 10) -> None:
        self._app = app
        self._limit = limit
        self._loop = AppLoop()

    async def add_session_to_memory(self, session: Session) -> None:
        """Write what was said in a session, each event once."""
        person = self._person(session.app_name, session.user_id)
        await person.hear(session.id, inputs_of(session.events))

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Write these events, each once; ``custom_metadata`` is ignored."""
        del custom_metadata
        await self._person(app_name, user_id).hear(session_id or _NO_SESSION, inputs_of(events))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remember facts, each once. Raises InvalidInput for one without words."""
        person = self._person(app_name, user_id)
        for entry in memories:
            metadata = {**(custom_metadata or {}), **entry.custom_metadata}
            event_date = {} if entry.timestamp is None else {"event_date": moment_of(entry.timestamp)}
            speaker = {"speaker": entry.author} if entry.author else {}
            await person.remember(text_of(entry.content), metadata={**metadata, **speaker}, **event_date)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """What was said and summarized that matters for a question, best first, but for the question itself."""
        results = await self._person(app_name, user_id).recall(query, limit=self._limit)
        entries = [
            entry_of(
                result.memory, result.dated_text or result.memory.text, {**_OURS, "relevance": result.relevance.value}
            )
            for result in results
            if result.memory.text and result.memory.text.strip() != query.strip()
        ]
        return SearchMemoryResponse(memories=entries)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget one memory of this user. Raises NotFound; InvalidInput without an id."""
        if not memory_id:
            raise errors.InvalidInput(
                "memory_id: say which memory; app.memories.forget_user forgets all of a user", field="id"
            )
        await self._person(app_name, user_id).forget([memory_id])

    def _person(self, app_name: str, user_id: str) -> Person:
        return Person(self._app, user_id, project_id=app_name, loop=self._loop)
