"""The resource /v1/working-memory of the wire. Slashes at the end are part of the format."""

from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import Header, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, BeforeValidator, Field

from precis import conversation, errors, typed
from precis.app import App
from precis.app.redis.working_memory import Session
from precis.memory import Memory
from precis.models.tokens import window_of
from precis.rest import answers, auth, http
from precis.rest.redis import shapes

router = auth.keyed_router("/v1/working-memory", tag="wire: working memory", route_class=http.JsonRoute)
_UNDATED = "created_at will become required for messages; please provide it"
_Window = Annotated[int | None, Query(ge=1)]
_of_conversation = partial(answers.found_at, "loaded", "conversation")
_of_context = partial(answers.found_at, "context")


class AnsweredMessage(answers.Answer):
    """A message as it is answered."""

    role: str
    content: str = Field(validation_alias="text")
    id: str = Field(validation_alias="given")
    created_at: datetime
    persisted_at: datetime = Field(validation_alias="created_at")
    discrete_memory_extracted: str
    memory_id: str = Field(
        validation_alias="id", description="of the memory that the message is; statements name it as their source"
    )


_Word = Annotated[str | None, BeforeValidator(lambda word: word or None)]


class WorkingMemoryAnswer(answers.Answer):
    """A session as it is answered."""

    session_id: str = _of_conversation("session_id")
    messages: list[AnsweredMessage]
    memories: list[shapes.MemoryRecord]
    data: dict[str, Any] | None
    context: _Word = Field(
        validation_alias="summary", description="the summary of the messages that are no longer in the list"
    )
    user_id: _Word = _of_conversation("scope", "user_id")
    namespace: str | None = _of_conversation("namespace")
    tokens: int = _of_context("tokens", description="of summary and messages, by a real tokenizer")
    long_term_memory_strategy: shapes.MemoryStrategy
    ttl_seconds: int | None = _of_conversation("ttl_seconds")
    last_accessed: datetime
    created_at: datetime = _of_conversation("created_at")
    updated_at: datetime = _of_conversation("updated_at")
    context_percentage_total_used: float | None = Field(validation_alias="used")
    context_percentage_until_summarization: float | None = Field(validation_alias="until_summary")
    title: str | None = _of_context("title")
    summary_id: str | None = _of_context("summary_id")
    covered_count: int = _of_context("covered", description="messages that the summary speaks for")
    degraded: bool = _of_context("degraded", description="a summary is overdue, or messages did not fit the window")


class SessionList(BaseModel):
    """A page of names."""

    sessions: tuple[str, ...]
    total: int


@router.get("/")
async def sessions(
    app: auth.Tenant,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    namespace: shapes.QueryLabel = None,
    user_id: shapes.QueryLabel = None,
) -> SessionList:
    """List sessions, the latest written first."""
    names = await app.working_memory.sessions(
        user_id=user_id or None, namespace=namespace or None, limit=limit, offset=offset
    )
    return SessionList(sessions=names.names, total=names.total)


@router.get("", status_code=307, response_class=RedirectResponse, include_in_schema=False)
async def sessions_without_slash(request: Request) -> RedirectResponse:
    """The same with a slash at the end. The address is a relative one, so that it leads nowhere but here."""
    query = request.url.query
    return RedirectResponse("working-memory/" + (f"?{query}" if query else ""))


@router.get("/{session_id:anything}")
async def read(
    app: auth.Tenant,
    response: Response,
    session_id: str,
    user_id: shapes.QueryLabel = None,
    namespace: shapes.QueryLabel = None,
    model_name: str | None = None,
    context_window_max: _Window = None,
    recent_messages_limit: Annotated[int | None, Query(ge=1)] = None,
) -> WorkingMemoryAnswer:
    """Read a session; with a window, its newest messages that fit."""
    window = _window(model_name, context_window_max)
    address = conversation.Address(session_id=session_id, user_id=user_id or None, namespace=namespace or None)
    try:
        session = await app.working_memory.get(address, window=window, recent=recent_messages_limit)
    except (errors.NotFound, errors.Conflict) as error:
        raise HTTPException(status_code=404, detail=f"Session {session_id} not found") from error
    response.headers["ETag"] = f'"{session.tag}"'
    return await _answer(app, session)


@router.put("/{session_id:anything}")
async def write(
    app: auth.Tenant,
    response: Response,
    session_id: typed.AnyId,
    body: shapes.WorkingMemory,
    user_id: Annotated[shapes.Owner | None, Query()] = None,
    model_name: str | None = None,
    context_window_max: _Window = None,
    if_match: Annotated[str | None, Header()] = None,
) -> WorkingMemoryAnswer:
    """Make a session what the body says; messages that its summary covers stay covered.

    A message is recognized by its id, else by role and content in their order. With ``If-Match`` and the ``ETag`` of a
    session that was read: 412, and nothing is written, when the session is another by now; ``*`` is any that exists.
    """
    window = _window(model_name, context_window_max)
    now = app.parts.engine.clock()
    messages = shapes.inputs_of(body.messages, now)
    if any(message.created_at is None for message in body.messages):
        response.headers["X-Deprecation-Warning"] = _UNDATED
    address = conversation.Address(
        session_id=session_id, user_id=body.user_id or user_id or "", namespace=body.namespace or None,
        project_id="", environment="production",
    )  # fmt: skip
    rows = shapes.records_of(body.memories, session_id, address, now)
    await app.long_term.check(rows)
    written = shapes.written_of(body, messages, rows, seen=answers.tags_of(if_match) if if_match is not None else None)
    try:
        session = await app.working_memory.put(address, written, window=window)
    except errors.Conflict as error:
        raise HTTPException(status_code=412 if if_match is not None else 409, detail=str(error)) from error
    if rows:
        await app.long_term.add(rows)
    response.headers["ETag"] = f'"{session.tag}"'
    return await _answer(app, session)


@router.delete("/{session_id:anything}")
async def delete(
    app: auth.Tenant, session_id: str, user_id: shapes.QueryLabel = None, namespace: shapes.QueryLabel = None
) -> shapes.Ack:
    """End a session with its summary and title; its long-term memories stay, and its messages may come again."""
    await app.working_memory.delete(
        conversation.Address(session_id=session_id, user_id=user_id or None, namespace=namespace or None)
    )
    return shapes.Ack()


def _window(model_name: str | None, context_window_max: int | None) -> int | None:
    """Tokens the client's model reads; None when the client does not say. Raises what a bad query raises."""
    if context_window_max is not None:
        return context_window_max
    if model_name is None:
        return None
    window = window_of(model_name)
    if window is None:
        raise http.flaw("this model is not known", "query", "model_name", kind="literal_error")
    return window


async def _answer(app: App, session: Session) -> WorkingMemoryAnswer:
    properties = session.properties
    extracted = set(properties.get("extracted") or ())
    memories = [await _memory(app, id_) for id_ in properties.get("memories") or ()]
    return WorkingMemoryAnswer.of(
        session,
        messages=[
            AnsweredMessage.of(
                message, discrete_memory_extracted="t" if message.was_read or message.given in extracted else "f"
            )
            for message in session.messages
        ],
        memories=[shapes.MemoryRecord.of(memory) for memory in memories if memory is not None],
        data=properties.get("data"),
        long_term_memory_strategy=properties.get("strategy") or {},
        last_accessed=app.parts.engine.clock(),
    )


async def _memory(app: App, memory_id: str) -> Memory | None:
    """A long-term memory of the session; None once it was forgotten."""
    try:
        return await app.long_term.get(memory_id)
    except errors.NotFound:
        return None
