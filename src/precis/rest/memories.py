"""The resources /v1/memories and /v1/forget."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from precis.app.inputs import AnyId, MemoryChange
from precis.engine.forgetting import Receipt
from precis.errors import Conflict
from precis.rest.answers import EditAnswer, MemoryBody, MemoryPage, WriteAnswer, WrittenBody
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY, Forget, MemoryQuery, NewMemories
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["memories"], route_class=StrictRoute)


@router.post("/memories", status_code=201, dependencies=NO_QUERY)
async def write(app: Tenant, body: NewMemories) -> WriteAnswer:
    """Write memories, all of them or none.

    An id that is there with the same content is answered with ``created: false``, so a write may be repeated. 409 for
    an id that is there with other content, 410 for a forgotten id without ``revive``.
    """
    written = await app.memories.add(body.memories, summarize=body.summarize)
    return WriteAnswer(
        memories=[WrittenBody.of(one) for one in written.memories],
        summaries=written.summaries,
        waiting=written.waiting,
    )


@router.get("/memories")
async def page(app: Tenant, query: Annotated[MemoryQuery, Query()]) -> MemoryPage:
    """List memories and summaries, newest first."""
    found = await app.memories.list(limit=query.limit, cursor=query.cursor, **query.fields())
    return MemoryPage(memories=[MemoryBody.of(row) for row in found.rows], next_cursor=found.next_cursor)


@router.get("/memories/{memory_id:anything}", dependencies=NO_QUERY)
async def read(app: Tenant, memory_id: AnyId) -> MemoryBody:
    """Read one memory, or a summary as the memory it is."""
    return MemoryBody.of(await app.memories.get(memory_id))


@router.patch("/memories/{memory_id:anything}", dependencies=NO_QUERY)
async def edit(app: Tenant, memory_id: AnyId, body: MemoryChange) -> EditAnswer:
    """Replace what the body names. The old text is forgotten at once; summaries that rested on it follow.

    409 for a summary (it is derived: edit its sources) and for an expired memory (its text is gone).
    """
    memory, receipt = await app.memories.edit(memory_id, body)
    return EditAnswer(memory=MemoryBody.of(memory), receipt=receipt)


@router.delete("/memories/{memory_id:anything}", dependencies=NO_QUERY)
async def forget(app: Tenant, memory_id: AnyId) -> Receipt:
    """Forget one memory and everything that rests on it; the receipt names what went."""
    try:
        return await app.memories.forget(memory_id)
    except Conflict as error:
        message = f"{memory_id!r} is a summary: forget its sources, or DELETE /v1/summaries/{memory_id}"
        raise Conflict(message) from error


@router.post("/forget", dependencies=NO_QUERY)
async def forget_many(app: Tenant, body: Forget) -> Receipt:
    """Forget several memories at once; ids that name none are in ``not_found``. 404 when none of them exists."""
    return await app.memories.forget(body.ids)
