"""The resource /v1/long-term-memory of the wire. Slashes at the end are part of the format."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

from fastapi import HTTPException, Query
from pydantic import BaseModel, Field

from precis.app.redis.long_term import LabelChange
from precis.app.redis.long_term_search import Found, Mode, Pruning, Wanted
from precis.errors import NotFound
from precis.memory import Memory, MemoryType
from precis.recall.question import Recency
from precis.rest.answers import Answer
from precis.rest.auth import Tenant, keyed_router
from precis.rest.http import JsonRoute
from precis.rest.redis.filters import Filters, Moment
from precis.rest.redis.shapes import Ack, FoundRecord, MemoryRecord, NewRecord, QueryLabel, WireBody
from precis.store.filtering import Filter
from precis.typed import NOT_BLANK, Published, validated

router = keyed_router("/v1/long-term-memory", tag="wire: long-term memory", route_class=JsonRoute)
_Days = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
#: What the edit itself checks.
_Label = Annotated[str, Published(minLength=1, maxLength=512, pattern=r"^[^\x00]*$")]
_Tag = Annotated[str, Published(minLength=1, maxLength=200, pattern=r"^[^,\x00]*$")]
_Owner = Annotated[str, Published(maxLength=512, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
_Weight = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
_THRESHOLD = "distance_threshold is only supported for semantic search mode"


class NewRecords(WireBody):
    """Memories to write."""

    memories: list[NewRecord]
    deduplicate: bool = True


class RecordChange(WireBody):
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


class RecordSearch(Filters):
    """What to look for; without a text, which memories to list."""

    text: str | None = None
    search_mode: Mode = "semantic"
    hybrid_alpha: Annotated[float, Field(ge=0, le=1)] = 0.7
    distance_threshold: Annotated[float, Field(ge=0, le=2)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    recency_boost: bool | None = None
    recency_semantic_weight: _Weight | None = None
    recency_recency_weight: _Weight | None = None
    recency_freshness_weight: _Weight | None = None
    recency_novelty_weight: _Weight | None = None
    recency_half_life_last_access_days: _Weight | None = None
    recency_half_life_created_days: _Weight | None = None
    include_summaries: bool = Field(default=False, description="also answer the summaries that precis made")

    def search(self, text: str | None = None) -> Wanted:
        """The same as the app understands it. Raises HTTPException."""
        if self.distance_threshold is not None and self.search_mode != "semantic":
            raise HTTPException(status_code=400, detail=_THRESHOLD)
        return Wanted(
            filter_=self.rows(is_summary=None if self.include_summaries else False),
            text=(self.text if text is None else text) or "",
            mode=self.search_mode,
            alpha=self.hybrid_alpha,
            distance=self.distance_threshold,
            limit=self.limit,
            offset=self.offset,
            recency=None if self.recency_boost is False else self._recency(),
        )

    def _recency(self) -> Recency:
        weights = {field.name: getattr(self, f"recency_{field.name}") for field in fields(Recency)}
        return Recency(**{name: weight for name, weight in weights.items() if weight is not None})


class RecordResults(Answer):
    """A page of what was found."""

    memories: list[FoundRecord] = Field(validation_alias="rows")
    total: int = Field(description="how many there are in all")
    next_offset: int | None


class PruningPolicy(WireBody):
    """What may be forgotten."""

    max_age_days: _Days | None = None
    max_inactive_days: _Days | None = None
    budget: Annotated[int, Field(ge=0)] | None = None
    memory_type_allowlist: tuple[str, ...] | None = None
    hard_age_multiplier: _Days = 12.0

    @property
    def pruning(self) -> Pruning:
        """The same as the app understands it."""
        return Pruning(memory_types=self.memory_type_allowlist, **self.model_dump(exclude={"memory_type_allowlist"}))


class PruningRequest(WireBody):
    """What to forget by a policy, and what not."""

    policy: PruningPolicy
    pinned_ids: list[str] | None = None


class PruningAnswer(BaseModel):
    """What a policy picked; deleted unless it was a dry run."""

    scanned: int
    deleted: int
    deleted_ids: tuple[str, ...]
    dry_run: bool


@router.post("/")
async def create(app: Tenant, body: NewRecords) -> Ack:
    """Write memories. An id that is there is overwritten; a text that stands already is not written twice."""
    now = app.parts.engine.clock()
    rows = [record.recorded(place, now=now) for place, record in enumerate(body.memories)]
    if rows:
        await app.long_term.add(rows, deduplicate=body.deduplicate)
    return Ack()


@router.post("/search", response_model=RecordResults)
async def search(app: Tenant, body: RecordSearch) -> Found:
    """Find memories by meaning, by words or by both; without a text, list those the filters let through."""
    return await app.long_term.search(body.search())


@router.post("/forget")
async def forget(
    *,
    app: Tenant,
    body: PruningRequest,
    namespace: QueryLabel = None,
    user_id: QueryLabel = None,
    session_id: QueryLabel = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
    dry_run: bool = True,
) -> PruningAnswer:
    """Forget what a policy picks among the oldest memories, or only say what it would pick (the default)."""
    pruned = await app.long_term.prune(
        _filter(namespace=namespace, user_id=user_id, session_id=session_id), body.policy.pruning,
        kept=body.pinned_ids or (), limit=limit, dry_run=dry_run,
    )  # fmt: skip
    return PruningAnswer(scanned=pruned.scanned, deleted=len(pruned.ids), deleted_ids=pruned.ids, dry_run=dry_run)


@router.post("/compact")
async def compact(app: Tenant, namespace: QueryLabel = None, user_id: QueryLabel = None) -> Ack:
    """Merge memories with the same text and the same labels; their ids stay good."""
    remaining = await app.long_term.compact(_filter(namespace=namespace, user_id=user_id))
    return Ack(status=f"ok, {remaining} memories remaining after compaction")


@router.get("/{memory_id:anything}", response_model=MemoryRecord)
async def read(app: Tenant, memory_id: str) -> Memory:
    """Read one memory by its id, or by an id it was written under as well."""
    try:
        return await app.long_term.get(memory_id)
    except NotFound as error:
        raise _not_found(memory_id) from error


@router.patch("/{memory_id:anything}", response_model=MemoryRecord)
async def edit(app: Tenant, memory_id: str, body: RecordChange) -> Memory:
    """Replace what the body names; the old text is forgotten at once."""
    labels = body.model_dump(exclude_none=True)
    if not labels:
        raise HTTPException(status_code=400, detail="No fields provided for update")
    change = validated(LabelChange, labels)
    try:
        return await app.long_term.edit(memory_id, change)
    except NotFound as error:
        raise _not_found(memory_id) from error


@router.delete("")
async def delete(app: Tenant, memory_ids: Annotated[list[str] | None, Query(max_length=10_000)] = None) -> Ack:
    """Forget memories and all that rests on them."""
    forgotten = await app.long_term.forget(memory_ids or [])
    return Ack(status=f"ok, deleted {len(forgotten)} memories")


def _filter(*, namespace: str | None, user_id: str | None, session_id: str | None = None) -> Filter:
    """An empty name is no name."""
    return Filter(namespace=namespace or None, user_id=user_id or None, session_id=session_id or None)


def _not_found(memory_id: str) -> HTTPException:
    return HTTPException(status_code=404, detail=f"Memory with ID {memory_id} not found")
