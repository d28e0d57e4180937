"""ADK's events as precis keeps them, and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import orjson
from google.adk.events.event import Event
from google.genai import types
from pydantic_core import to_jsonable_python

from precis.agents.person import message
from precis.app.messages import MessageInput
from precis.conversation import Message
from precis.errors import InvalidInput


def inputs_of(events: Sequence[Event]) -> list[MessageInput]:
    """Those in which somebody says something; a summary in ADK's form is nobody's words."""
    return [input_of(event) for event in events if text_of(event.content).strip() and not event.actions.compaction]


def input_of(event: Event) -> MessageInput:
    """An event as a message; the same whichever service writes it."""
    calls, results = event.get_function_calls(), event.get_function_responses()
    words = [
        text_of(event.content),
        *(f"[calls {call.name} {_json(call.args)}]" for call in calls),
        *(f"[{result.name} answers {_json(result.response)}]" for result in results),
    ]
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
    )


def event_of(stored: Message) -> Event:
    """And back; one that was corrected, or that another door wrote, by who says what."""
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


def _json(value: Any) -> str:
    return orjson.dumps(to_jsonable_python(value)).decode()


def moment_of(timestamp: str) -> datetime:
    """A time without a zone is UTC's. Raises InvalidInput."""
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError as error:
        raise InvalidInput(f"timestamp: {timestamp!r} is no time; write it as 2026-03-14T12:00:00Z") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
