"""POST /v1/memory/prompt of the wire: a question with what is remembered of it, ready for a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import HTTPException
from pydantic import BaseModel, Field

from precis.app import App
from precis.app.redis.long_term_search import Found
from precis.conversation import CARRIED, Message
from precis.errors import NotFound
from precis.memory import TURN, Memory
from precis.rest.auth import Tenant, keyed_router
from precis.rest.http import JsonRoute
from precis.rest.redis.filters import TagFilter
from precis.rest.redis.long_term_memory import RecordSearch
from precis.rest.redis.shapes import FoundRecord, WireBody
from precis.typed import Storable

router = keyed_router("/v1/memory", tag="wire: memory prompt", route_class=JsonRoute)
_Word = Annotated[Storable, Field(max_length=512)]
_SUMMARY = "## A summary of the conversation so far:\n"
_MEMORIES = "## Long term memories related to the user's query\n "
_NONE = "No relevant long-term memories found."
_NEITHER = "Either session or long_term_search must be provided"


class PromptSession(WireBody):
    """Which conversation."""

    session_id: _Word
    namespace: _Word | None = None
    user_id: _Word | None = None
    model_name: str | None = None
    context_window_max: Annotated[int, Field(ge=1)] | None = Field(default=None, description="tokens; may be a string")


class Prompt(WireBody):
    """The question, and where to look."""

    query: Storable
    session: PromptSession | None = None
    long_term_search: bool | RecordSearch | None = None


class PromptText(BaseModel):
    """What a message says."""

    type: Literal["text"] = "text"
    text: str


class PromptMessage(BaseModel):
    """One message for a model."""

    role: Literal["system", "user", "assistant"]
    content: PromptText


class Prompted(BaseModel):
    """The messages, and the memories that are among them as rows."""

    messages: list[PromptMessage]
    long_term_memories: list[FoundRecord] | None


@router.post("/prompt")
async def prompt(app: Tenant, body: Prompt) -> Prompted:
    """Answer summary and messages of the session, then the memories found for the question, then the question."""
    search = _search(body)
    if body.session is None and search is None:
        raise HTTPException(status_code=400, detail=_NEITHER)
    messages = await _session(app, body.session) if body.session else []
    page = await app.long_term.search(search.search(body.query)) if search else None
    if page is not None and body.session is not None:
        # Its own messages are above already, or in the summary.
        others = tuple(row for row in page.rows if not _is_said_in(row.memory, body.session))
        page = replace(page, rows=others)
    if page is not None:
        messages.append(_message("system", _MEMORIES + _listed(page)))
    messages.append(_message("user", body.query))
    rows = [FoundRecord.of(row) for row in page.rows] if page else []
    return Prompted(messages=messages, long_term_memories=rows or None)


def _is_said_in(memory: Memory, session: PromptSession) -> bool:
    return memory.metadata.get("kind") == TURN and memory.session_id == session.session_id


def _search(body: Prompt) -> RecordSearch | None:
    """``true`` searches what the session's user has outside the session."""
    search, session = body.long_term_search, body.session
    if isinstance(search, RecordSearch):
        user_id = session.user_id if session else None
        return search if search.user_id or not user_id else search.model_copy(update={"user_id": TagFilter(eq=user_id)})
    if not search:
        return None
    if session is None:
        return RecordSearch()
    return RecordSearch(
        session_id=TagFilter(ne=session.session_id),
        user_id=TagFilter(eq=session.user_id) if session.user_id else None,
        namespace=TagFilter(eq=session.namespace) if session.namespace else None,
    )


async def _session(app: App, session: PromptSession) -> list[PromptMessage]:
    """What is known of the conversation; a session nobody has begun has no messages."""
    try:
        context = await app.conversations.context(
            session.session_id, token_budget=session.context_window_max, user_id=session.user_id or None,
            namespace=session.namespace or None,
        )  # fmt: skip
    except NotFound:
        return []
    carried = [message.text for message in context.messages if message.role == CARRIED]
    summary = "\n".join(part for part in (*carried, context.summary) if part)
    messages = [_message(_role(message), message.text) for message in context.messages if message.role != CARRIED]
    return [_message("system", _SUMMARY + summary), *messages] if summary else messages


def _role(message: Message) -> Literal["system", "user", "assistant"]:
    """Whoever is neither the user nor the system is the assistant."""
    if message.role == "user":
        return "user"
    return "system" if message.role == "system" else "assistant"


def _message(role: Literal["system", "user", "assistant"], text: str) -> PromptMessage:
    return PromptMessage(role=role, content=PromptText(text=text))


def _listed(page: Found) -> str:
    return "\n".join(f"- {row.memory.text} (ID: {row.memory.id})" for row in page.rows) or _NONE
