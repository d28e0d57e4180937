"""The resources /v1/memories and /v1/users."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import date, datetime
from typing import Annotated

from fastapi import HTTPException, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from precis.app.inputs import MemoryChange, MemoryInput, RowFilter, Summarize
from precis.app.memories import Written
from precis.app.persons import Carried
from precis.engine.forgetting import Receipt
from precis.errors import Conflict
from precis.memory import Memory
from precis.recall.naming import Doubtful
from precis.rest.answers import Answer, MemoryBody
from precis.rest.auth import Tenant, keyed_router
from precis.rest.http import declared_type
from precis.store.filtering import Page
from precis.store.upkeep.census import Held
from precis.typed import Cursor, KnownId, PageSize, StrictBody

router = keyed_router("/v1", tag="memories")


class NewMemories(StrictBody):
    """Memories to write: all of them or none."""

    memories: Annotated[list[MemoryInput], Field(min_length=1)]
    summarize: Summarize = Field(
        default="inline",
        description="inline: clusters that became due are summarized before the answer, or by a worker while more "
        "requests wait than are served at once; deferred: by a worker",
    )


class MemoryQuery(RowFilter):
    """A page of memories."""

    is_summary: bool | None = None
    limit: PageSize = 50
    cursor: Cursor | None = None


class WrittenBody(Answer):
    """What became of one memory of a write."""

    id: str
    created: bool = Field(description="false when it was there already with the same content")
    group_id: str | None = Field(description="the cluster it joined")
    supersedes: tuple[str, ...] = Field(description="ids of the memories that this write replaced by it")
    superseded_by: tuple[str, ...] = Field(description="ids of newer memories that replace it by the rules")
    doubtful: tuple[Doubtful, ...] = Field(
        description="memories that the words in supersedes may name; none of them was replaced: name it by its id"
    )


class WriteAnswer(Answer):
    """What a write did."""

    memories: list[WrittenBody]
    summaries: tuple[str, ...] = Field(description="summaries made or refreshed before this answer")
    waiting: tuple[str, ...] = Field(description="groups whose summary a worker makes next")


class MemoryPage(Answer):
    """Some memories, newest first."""

    memories: list[MemoryBody] = Field(validation_alias="rows")
    next_cursor: str | None


class EditAnswer(Answer):
    """The memory as it is now, and what left with its old text."""

    memory: MemoryBody
    receipt: Receipt


@router.post("/memories", status_code=201, response_model=WriteAnswer)
async def write(app: Tenant, body: NewMemories) -> Written:
    """Write memories, all of them or none.

    An id that is there with the same content is answered with ``created: false``, so a write may be repeated. 409 for
    an id that is there with other content, 410 for a forgotten id without ``revive``.
    """
    return await app.memories.add(body.memories, summarize=body.summarize)


@router.get("/memories", response_model=MemoryPage)
async def page(app: Tenant, query: Annotated[MemoryQuery, Query()]) -> Page[Memory]:
    """List memories and summaries, newest first."""
    return await app.memories.list(limit=query.limit, cursor=query.cursor, **query.fields())


@router.get("/memories/{memory_id:anything}", response_model=MemoryBody)
async def read(app: Tenant, memory_id: KnownId) -> Memory:
    """Read one memory, or a summary as the memory it is."""
    return await app.memories.get(memory_id)


@router.patch("/memories/{memory_id:anything}")
async def edit(app: Tenant, memory_id: KnownId, body: MemoryChange) -> EditAnswer:
    """Replace what the body names. The old text is forgotten at once; summaries that rested on it follow.

    409 for a summary (it is derived: edit its sources) and for an expired memory (its text is gone).
    """
    memory, receipt = await app.memories.edit(memory_id, body)
    return EditAnswer(memory=MemoryBody.of(memory), receipt=receipt)


@router.delete("/memories/{memory_id:anything}")
async def forget(app: Tenant, memory_id: KnownId) -> Receipt:
    """Forget one memory and everything that rests on it; the receipt names what went."""
    try:
        return await app.memories.forget(memory_id)
    except Conflict as error:
        message = f"{memory_id!r} is a summary: forget its sources, or DELETE /v1/summaries/{memory_id}"
        raise Conflict(message) from error


users_router = keyed_router("/v1", tag="users")


class _JsonLines(StreamingResponse):
    """Lines of JSON, sent as they are read."""

    media_type = "application/x-ndjson"


@users_router.get(
    "/users/{user_id:anything}/export", response_class=_JsonLines, name="export",
    responses={200: {"description": "JSON lines", "content": {_JsonLines.media_type: {"schema": {"type": "string"}}}}},
)  # fmt: skip
async def export_user(app: Tenant, user_id: KnownId) -> _JsonLines:
    """Everything that is held about a user, as ``precis export`` writes it: JSON lines, all of one moment.

    404 for a user of whom there is nothing.
    """
    lines = app.persons.export(user_id)
    # Asked for here, so that an unknown user is a 404 and not the beginning of an answer.
    opening = await anext(lines)

    async def every_line() -> AsyncIterator[bytes]:
        async with aclosing(lines):
            yield opening
            async for line in lines:
                yield line

    return _JsonLines(every_line())


@users_router.post(
    "/import", status_code=201, name="import",
    openapi_extra={
        "requestBody": {"required": True, "content": {_JsonLines.media_type: {"schema": {"type": "string"}}}}
    },
)  # fmt: skip
async def import_user(app: Tenant, request: Request) -> Carried:
    """Put what an export wrote into this store, which must not know the user: all of it or nothing.

    The lines of ``GET /v1/users/{user_id}/export`` as they are, read while they come, at most 256 MiB; a second export
    is the first byte for byte. What was forgotten here stays away, and what rests on it. 409 where the user is known,
    410 where all of it was forgotten.
    """
    if declared_type(request) != _JsonLines.media_type:
        detail = "the body must be JSON lines: send it with the header Content-Type: application/x-ndjson"
        raise HTTPException(status_code=415, detail=detail)
    return await app.persons.put_stream(request.stream())


class HeldBody(Answer):
    """How much is held of a user."""

    user_id: str
    memories: int = Field(description="raw ones, those whose text has expired among them")
    expired: int
    summaries: int
    by_type: dict[str, int] = Field(description="raw memories by memory_type")
    by_age: dict[str, int] = Field(
        description="raw memories made within 7 days (week), 30 days (month), 365 days (year), or before (older)"
    )
    by_month: dict[date, int] = Field(
        description="raw memories made in each of the last twelve months (UTC), by its first day"
    )
    by_tier: dict[str, int] = Field(description="summaries by what made them: cluster, day, week, month, ...")
    oldest: datetime | None = Field(description="when the first raw memory was made")
    newest: datetime | None


class UserPage(Answer):
    """Some users, by their names."""

    users: list[HeldBody] = Field(validation_alias="rows")
    next_cursor: str | None


class UsersQuery(StrictBody):
    """A page of users."""

    limit: PageSize = 50
    cursor: Cursor | None = None


@users_router.get("/users", response_model=UserPage, name="page")
async def users(app: Tenant, query: Annotated[UsersQuery, Query()]) -> Page[Held]:
    """List the users of whom anything is held, by their names, and how much."""
    return await app.persons.list(limit=query.limit, cursor=query.cursor)


@users_router.get("/users/{user_id:anything}", response_model=HeldBody, name="read")
async def user(app: Tenant, user_id: KnownId) -> Held:
    """Answer how much is held of one user."""
    return await app.persons.get(user_id)


@users_router.delete("/users/{user_id:anything}", name="forget")
async def forget_user(app: Tenant, user_id: KnownId) -> Receipt:
    """Forget everything of a user, then destroy the key that could open old copies of it.

    404 for a user of whom there is nothing: no key is destroyed, and no receipt says that somebody is gone.
    """
    return await app.memories.forget_user(user_id)
