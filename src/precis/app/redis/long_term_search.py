"""A search of the wire over long-term memories, and which of them a policy of forgetting picks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

import numpy as np

from precis.app.inputs import checked_query
from precis.app.parts import Parts
from precis.engine.grouping import Vector
from precis.memory import Memory
from precis.store.filtering import Filter
from precis.store.search import Hit

Mode = Literal["semantic", "keyword", "hybrid"]
#: Recency reorders rows within blocks of so many, so that every page of one search shows another part of one order.
BLOCK = 100
#: Rows that either arm of a mixed search brings: a row in the middle of both may rank before the last of one.
_BOTH = 300
_DAY = 86_400.0
#: Half-lives shorter than this are taken for this.
_SHORTEST = 0.001


@dataclass(frozen=True, kw_only=True, slots=True)
class Recency:
    """How new a row is and how lately it was read, for the wire alone: recall has weights of its own.

    Weights of the mix; those of one pair usually sum to 1.
    """

    #: Of likeness to the question, and of recency.
    semantic_weight: float = 0.8
    recency_weight: float = 0.2
    #: Within recency: of having been read of late, and of being new.
    freshness_weight: float = 0.6
    novelty_weight: float = 0.4
    #: Days after which either has halved.
    half_life_last_access_days: float = 7.0
    half_life_created_days: float = 30.0

    def of(self, *, created: datetime, accessed: datetime | None, now: datetime) -> float:
        """Recency, 0..1. What was never read counts as read when it was created."""
        freshness = _halved(now, accessed or created, self.half_life_last_access_days)
        novelty = _halved(now, created, self.half_life_created_days)
        return min(1.0, max(0.0, self.freshness_weight * freshness + self.novelty_weight * novelty))

    def mixed(self, likeness: float, recency: float) -> float:
        """What rows are ordered by."""
        return self.semantic_weight * likeness + self.recency_weight * recency


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What to look for. An empty text lists what the filter lets through, newest first."""

    filter_: Filter
    text: str = ""
    mode: Mode = "semantic"
    #: Of likeness in meaning, in a mix with likeness in words; 0..1.
    alpha: float = 0.7
    #: Largest cosine distance, 0..2, of a search by meaning; None: any.
    distance: float | None = None
    limit: int = 10
    offset: int = 0
    #: None: by likeness alone.
    recency: Recency | None = field(default_factory=Recency)

    @property
    def by_words(self) -> bool:
        """Whether likeness in words counts at all."""
        return self.mode == "keyword" or (self.mode == "hybrid" and self.alpha < 1)

    @property
    def by_meaning(self) -> bool:
        """Whether likeness in meaning does."""
        return self.mode == "semantic" or (self.mode == "hybrid" and self.alpha > 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """One row of an answer."""

    memory: Memory
    #: Cosine distance, 0..2; in the other modes 1 less the score; 0 in a list.
    distance: float = 0.0
    #: 0..1; None in a list.
    score: float | None = None
    mode: Mode | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A page of an answer."""

    rows: tuple[Scored, ...]
    #: How many rows there are in all.
    total: int
    #: Where the next page begins; None at the end.
    next_offset: int | None


async def search(parts: Parts, request: Wanted) -> Found:
    """Raises InvalidInput."""
    text = checked_query(request.text, field="text") if request.text.strip() else ""
    rows, total = await (_ranked(parts, request) if text else _listed(parts, request))
    after = request.offset + len(rows)
    return Found(rows=tuple(rows), total=total, next_offset=after if rows and after < total else None)


async def _listed(parts: Parts, request: Wanted) -> tuple[list[Scored], int]:
    store, tenant_id = parts.store.long_term, parts.tenant_id
    rows = await store.page(tenant_id, request.filter_, limit=request.limit, offset=request.offset)
    return [Scored(memory=memory) for memory in rows], await store.count(tenant_id, request.filter_)


async def _ranked(parts: Parts, request: Wanted) -> tuple[list[Scored], int]:
    """The page of the order that all pages of this search are cut from."""
    embedder = parts.engine.embedder
    vector: Vector | None = None
    if request.by_meaning:
        vector = np.asarray((await embedder.embed([request.text]))[0], dtype=np.float32)
    words = request.text if request.by_words else ""
    last = request.offset + request.limit
    window = _BOTH if request.mode == "hybrid" else BLOCK
    filter_ = replace(request.filter_, current=True)
    hits = await parts.store.search.search(
        parts.tenant_id, filter_, query=words, vector=vector,
        embedding_version=embedder.version, limit=-(-last // window) * window,
    )  # fmt: skip
    total = await parts.store.long_term.count_matches(
        parts.tenant_id, filter_, words=words, vector=vector,
        embedding_version=embedder.version, distance=request.distance,
    )  # fmt: skip
    scored = sorted(_scored(hits, request), key=lambda row: (row.distance, row.memory.id))
    return _by_recency(parts, scored, request.recency)[request.offset : last], total


def _scored(hits: Sequence[Hit], request: Wanted) -> list[Scored]:
    if request.mode == "semantic":
        near = [(hit, 1 - hit.similarity) for hit in hits if hit.similarity is not None]
        return [
            Scored(memory=hit.memory, distance=at, score=min(1.0, max(0.0, 1 - at)), mode="semantic")
            for hit, at in near
            if request.distance is None or at <= request.distance
        ]
    top = max((hit.bm25 for hit in hits), default=0.0) or 1.0
    weights = [(hit, _weight(hit, top, request)) for hit in hits]
    best = max((weight for _, weight in weights), default=0.0) or 1.0
    scores = [(hit, weight / best) for hit, weight in weights]
    return [Scored(memory=hit.memory, distance=1 - score, score=score, mode=request.mode) for hit, score in scores]


def _weight(hit: Hit, top: float, request: Wanted) -> float:
    """Words alone, or mixed with likeness in meaning; each 0..1."""
    words = hit.bm25 / top
    if request.mode == "keyword":
        return words
    near = 0.0 if hit.similarity is None else (1 + hit.similarity) / 2
    return request.alpha * near + (1 - request.alpha) * words


def _by_recency(parts: Parts, rows: Sequence[Scored], recency: Recency | None) -> list[Scored]:
    if recency is None:
        return list(rows)
    now = parts.engine.clock()

    def mixed(row: Scored) -> float:
        memory = row.memory
        fresh = recency.of(created=memory.created_at, accessed=memory.last_accessed, now=now)
        return recency.mixed(1 - row.distance, fresh)

    blocks = [rows[at : at + BLOCK] for at in range(0, len(rows), BLOCK)]
    return [row for block in blocks for row in sorted(block, key=mixed, reverse=True)]


_DAY = 86_400.0
#: By recency alone.
_BY_RECENCY = Recency()


@dataclass(frozen=True, kw_only=True, slots=True)
class Pruning:
    """What may go. Pinned memories never do; a bound that is None picks nothing."""

    max_age_days: float | None = None
    #: With max_age_days as well, a memory goes when both say so, or when it is very old.
    max_inactive_days: float | None = None
    #: How many memories stay at most; the least recent go first.
    budget: int | None = None
    #: Only these types may go; None: any.
    memory_types: tuple[str, ...] | None = None
    #: Very old is max_age_days times this.
    hard_age_multiplier: float = 12.0

    def is_of_its_types(self, memory: Memory) -> bool:
        """Whether a memory is of a type that may go."""
        return self.memory_types is None or memory.memory_type.value in self.memory_types


def picked(
    scanned: Sequence[Memory], policy: Pruning, *, kept: Collection[str] = (), beyond: int = 0, now: datetime
) -> list[str]:
    """Ids in the order of ``scanned``. ``kept`` never go; ``beyond`` is how many more count against the budget."""
    may_go = [memory for memory in scanned if _may_go(memory, policy, kept)]
    overdue = {memory.id for memory in may_go if _overdue(memory, policy, now)}
    staying = [memory for memory in may_go if memory.id not in overdue]
    if policy.budget is not None:
        too_many = max(0, len(staying) + beyond - policy.budget)
        staying.sort(key=lambda memory: (_recency(memory, now), memory.created_at, memory.id))
        overdue |= {memory.id for memory in staying[:too_many]}
    return [memory.id for memory in scanned if memory.id in overdue]


def _may_go(memory: Memory, policy: Pruning, kept: Collection[str]) -> bool:
    return policy.is_of_its_types(memory) and not memory.pinned and not memory.is_summary and memory.id not in kept


def _overdue(memory: Memory, policy: Pruning, now: datetime) -> bool:
    age = (now - memory.created_at).total_seconds() / _DAY
    inactive = (now - (memory.last_accessed or memory.created_at)).total_seconds() / _DAY
    old = policy.max_age_days is not None and age > policy.max_age_days
    unread = policy.max_inactive_days is not None and inactive > policy.max_inactive_days
    if policy.max_age_days is None or policy.max_inactive_days is None:
        return old or unread
    return (old and unread) or age > policy.max_age_days * policy.hard_age_multiplier


def _recency(memory: Memory, now: datetime) -> float:
    return _BY_RECENCY.of(created=memory.created_at, accessed=memory.last_accessed, now=now)


def _halved(now: datetime, then: datetime, half_life: float) -> float:
    days = max(0.0, (now - then).total_seconds() / _DAY)
    return float(0.5 ** (days / max(half_life, _SHORTEST)))
