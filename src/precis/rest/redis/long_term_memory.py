"""The resource /v1/long-term-memory of the wire. Slashes at the end are part of the format."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Query
from pydantic import BaseModel, Field, ValidationError

from precis.app import App
from precis.app.inputs import NOT_BLANK, invalid
from precis.app.long_term import LabelChange
from precis.app.pruning import Pruning
from precis.app.typed import Published
from precis.errors import NotFound
from precis.memory import Memory, MemoryType
from precis.rest.auth import Tenant
from precis.rest.redis.filters import Moment
from precis.rest.redis.searching import Results, Search
from precis.rest.redis.shapes import Given, NewRecord, Record
from precis.rest.strict import JsonRoute
from precis.store.filtering import Filter

router = APIRouter(prefix="/v1/long-term-memory", tags=["wire: long-term memory"], route_class=JsonRoute)
_Days = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
#: What the edit itself checks.
_Label = Annotated[str, Published(minLength=1, maxLength=512, pattern=r"^[^\x00]*$")]
_Tag = Annotated[str, Published(minLength=1, maxLength=200, pattern=r"^[^,\x00]*$")]
_Owner = Annotated[str, Published(maxLength=512, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
_Where = Annotated[str | None, Query(max_length=512, pattern=r"^[^\x00]*$")]


class Ack(BaseModel):
    """Done."""

    status: str = "ok"


class NewRecords(Given):
    """Memories to write."""

    memories: list[NewRecord]
    deduplicate: bool = True


class Change(Given):
    """What an edit replaces; null and what is not known are ignored."""

    text: Annotated[str, NOT_BLANK] | None = None
    topics: tuple[_Tag, ...] | None = None
    entities: tuple[_Tag, ...] | None = None
    memory_type: MemoryType | None = None
    namespace: _Label | None = None
    user_id: _Owner | None = None
    session_id: _Label | None = None
    event_date: Moment | None = None
    pinned: bool | None = None


class Policy(Given):
    """What may be forgotten."""

    max_age_days: _Days | None = None
    max_inactive_days: _Days | None = None
    budget: Annotated[int, Field(ge=0)] | None = None
    memory_type_allowlist: tuple[str, ...] | None = None
    hard_age_multiplier: _Days = 12.0

    @property
    def pruning(self) -> Pruning:
        """The same as the app understands it."""
        return Pruning(
            max_age_days=self.max_age_days,
            max_inactive_days=self.max_inactive_days,
            budget=self.budget,
            memory_types=self.memory_type_allowlist,
            hard_age_multiplier=self.hard_age_multiplier,
        )


class Forgotten(BaseModel):
    """What a policy picked; deleted unless it was a dry run."""

    scanned: int
    deleted: int
    deleted_ids: tuple[str, ...]
    dry_run: bool


@router.post("/")
async def create(app: Tenant, body: NewRecords) -> Ack:
    """Write memories. An id that is there is overwritten; a text that stands already is not written twice."""
    now = app.parts.engine.clock()
    rows = [given.recorded(at, now=now) for at, given in enumerate(body.memories)]
    if rows:
        await app.long_term.add(rows, deduplicate=body.deduplicate)
    return Ack()


@router.post("/search")
async def search(app: Tenant, body: Search) -> Results:
    """Find memories by meaning, by words or by both; without a text, list those the filters let through."""
    return Results.of(await app.long_term.search(body.wanted()))


@router.post("/forget")
async def forget(
    *,
    app: Tenant,
    policy: Annotated[Policy, Body()],
    pinned_ids: Annotated[list[str] | None, Body()] = None,
    namespace: _Where = None,
    user_id: _Where = None,
    session_id: _Where = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
    dry_run: bool = True,
) -> Forgotten:
    """Forget what a policy picks among the oldest memories, or only say what it would pick (the default)."""
    pruned = await app.long_term.prune(
        _chosen(namespace=namespace, user_id=user_id, session_id=session_id), policy.pruning, kept=pinned_ids or (),
        limit=limit, dry_run=dry_run,
    )  # fmt: skip
    return Forgotten(scanned=pruned.scanned, deleted=len(pruned.ids), deleted_ids=pruned.ids, dry_run=dry_run)


@router.post("/compact")
async def compact(app: Tenant, namespace: _Where = None, user_id: _Where = None) -> Ack:
    """Merge memories with the same text and the same labels; their ids stay good."""
    left = await app.long_term.compact(_chosen(namespace=namespace, user_id=user_id))
    return Ack(status=f"ok, {left} memories remaining after compaction")


@router.get("/{memory_id:anything}")
async def read(app: Tenant, memory_id: str) -> Record:
    """Read one memory by its id, or by an id it was written under as well."""
    try:
        return Record.of(await app.long_term.get(memory_id))
    except NotFound as error:
        raise _not_found(memory_id) from error


@router.patch("/{memory_id:anything}")
async def edit(app: Tenant, memory_id: str, body: Change) -> Record:
    """Replace what the body names; the old text is forgotten at once."""
    given = body.model_dump(exclude_none=True)
    if not given:
        raise HTTPException(status_code=400, detail="No fields provided for update")
    try:
        return Record.of(await _edited(app, memory_id, given))
    except NotFound as error:
        raise _not_found(memory_id) from error


@router.delete("")
async def delete(app: Tenant, memory_ids: Annotated[list[str] | None, Query(max_length=10_000)] = None) -> Ack:
    """Forget memories and all that rests on them."""
    gone = await app.long_term.forget(memory_ids or [])
    return Ack(status=f"ok, deleted {len(gone)} memories")


async def _edited(app: App, memory_id: str, given: dict[str, Any]) -> Memory:
    try:
        change = LabelChange.model_validate(given)
    except ValidationError as error:
        raise invalid(error) from error
    return await app.long_term.edit(memory_id, change)


def _chosen(*, namespace: str | None, user_id: str | None, session_id: str | None = None) -> Filter:
    """An empty name is no name."""
    return Filter(namespace=namespace or None, user_id=user_id or None, session_id=session_id or None)


def _not_found(memory_id: str) -> HTTPException:
    return HTTPException(status_code=404, detail=f"Memory with ID {memory_id} not found")
