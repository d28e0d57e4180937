"""What the app needs from a store. PostgreSQL (this package) and memory (precis.testing) both are one.

Every method is one transaction in one tenant; times are passed in; errors are those of precis.errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from precis.engine.forgetting import Receipt
from precis.engine.groups import Groups
from precis.engine.policy import Policy
from precis.memory import Memory
from precis.summary import Summary

Vector = NDArray[np.float32]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMemory:
    """A validated, extracted and embedded row on its way in. Fingerprint and keyed terms are made by the store."""

    memory: Memory
    #: Unit vector; all zeros when the embedder knows none of the words.
    vector: Vector
    #: Whom the row is about, when it names somebody.
    person: str | None = None
    #: Whether the writer gave created_at; without it a repeated write is the same whenever it comes.
    dated: bool = True
    #: Write although the id was forgotten.
    revive: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Added:
    """What became of one row of a write."""

    id: str
    #: False when the id was there already with the same content.
    created: bool
    #: The cluster it joined; None for a row that was there, or that no cluster takes.
    group_id: str | None
    #: Whether that cluster wants a refresh now.
    due: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which rows of a tenant. None means any."""

    user_id: str | None = None
    project_id: str | None = None
    environment: str | None = None
    namespace: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    memory_type: str | None = None
    extracted_type: str | None = None
    is_summary: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Page(Generic[T]):
    """Some rows and where the next ones begin; ``next_cursor`` is None at the end."""

    rows: tuple[T, ...]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterStats:
    """SPEC S0.11: the figures for tuning."""

    clusters: int
    #: Clusters below the minimum.
    sparse: int
    #: sparse / clusters, 0..1; 0 without clusters.
    sparse_ratio: float
    members: int
    summaries: int
    stale: int
    failed: int
    #: Refreshes committed in the last hour, by cluster id; only clusters that had any.
    refreshes_last_hour: Mapping[str, int]
    #: refreshes_last_hour summed over clusters / clusters that had any; 0 without.
    churn: float
    #: Mean tokens (in and out) that models took per committed summary; 0 when offline.
    tokens_per_summary: float


class Memories(Protocol):
    """Raw rows, and every row as it is read."""

    async def add(self, tenant_id: str, rows: Sequence[NewMemory], *, policy: Policy, now: datetime) -> list[Added]:
        """Write all rows or none, each into its cluster; mark the clusters stale and hint a worker.

        Repeating is safe: an id that is there with the same content is answered ``created=False``. Raises Conflict for
        an id that is there with other content, Forgotten for a forgotten id without ``revive``.
        """
        ...

    async def get(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Memory]:
        """The rows that exist, by id. The text of a summary row is its served statements."""
        ...

    async def list(self, tenant_id: str, chosen: Filter, *, limit: int, cursor: str | None) -> Page[Memory]:
        """Newest first, ``limit`` rows from the cursor on."""
        ...

    async def edit(self, tenant_id: str, changed: NewMemory, *, policy: Policy, now: datetime) -> Receipt:
        """Replace a raw row: its old text is forgotten at once (law 4), its summaries become stale.

        Raises NotFound; Conflict for a summary or an expired row.
        """
        ...

    async def forget(self, tenant_id: str, ids: Sequence[str], *, policy: Policy, now: datetime) -> Receipt:
        """Law 4. Ids of summaries are refused with Conflict (delete the summary instead)."""
        ...

    async def forget_user(self, tenant_id: str, user_id: str, *, policy: Policy, now: datetime) -> Receipt:
        """Every row of the user goes, then the user's key."""
        ...

    async def expire(self, tenant_id: str, ids: Sequence[str], *, now: datetime) -> tuple[str, ...]:
        """Laws 5 and 6: drop text and vector of rows that a frozen node speaks for in every group that holds them.

        The node is committed and its group current. Answers the ids that expired.
        """
        ...


class Summaries(Protocol):
    """Committed summaries."""

    async def get(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Summary]:
        """The summaries that exist, by id."""
        ...

    async def list(
        self, tenant_id: str, chosen: Filter, *, policy: str | None, limit: int, cursor: str | None
    ) -> Page[Summary]:
        """Newest refresh first."""
        ...

    async def delete(self, tenant_id: str, summary_id: str) -> None:
        """Remove a summary and suppress its source set until it changes. Raises NotFound."""
        ...

    async def group_of(self, tenant_id: str, summary_id: str) -> tuple[str, str]:
        """(group id, policy) of a summary. Raises NotFound."""
        ...

    async def groups(
        self, tenant_id: str, chosen: Filter, *, policy: str | None, stale_only: bool, limit: int
    ) -> Sequence[tuple[str, str]]:
        """(group id, policy) of groups in a scope, longest due first: what ``plan`` walks."""
        ...

    async def stats(self, tenant_id: str, chosen: Filter, *, min_members: int, now: datetime) -> ClusterStats:
        """SPEC S0.11."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A candidate of recall with the raw figures that ranking mixes."""

    memory: Memory
    #: Cosine similarity to the query, -1..1; None without a comparable vector.
    similarity: float | None
    #: BM25 over the scope; 0 when no word of the query is in it.
    bm25: float
    #: For a summary: its direct source rows.
    source_ids: tuple[str, ...] = ()
    #: For a raw row: whether a summary stands that has it as a source.
    summarized: bool = False


class Search(Protocol):
    """The two arms of recall over one scope."""

    async def search(
        self,
        tenant_id: str,
        chosen: Filter,
        *,
        query: str,
        vector: Vector | None,
        embedding_version: str,
        limit: int,
    ) -> Sequence[Hit]:
        """The ``limit`` nearest vectors and the ``limit`` best keyword rows together, each with the figures of both."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One group with something to do."""

    group_id: str
    policy: str
    user_id: str
    #: waiting, running, retrying (after a failure, at ``due_at``) or failed (until somebody retries it).
    state: str
    members: int
    #: The summary that stands meanwhile, if any.
    summary_id: str | None
    #: Failures since the last good refresh.
    attempts: int
    #: What went wrong last; never a text of a memory.
    error: str | None
    due_at: datetime | None
    failed_at: datetime | None
    #: Until when whoever refreshes it has the right to.
    lease_until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class JobCounts:
    """How many jobs of a tenant are in each state."""

    waiting: int
    running: int
    retrying: int
    failed: int


class Jobs(Protocol):
    """What waits, runs, failed and why: the stale groups are the work list."""

    async def list(self, tenant_id: str, *, state: str | None, limit: int, now: datetime) -> Sequence[Job]:
        """Failed ones first, then the longest due."""
        ...

    async def counts(self, tenant_id: str, *, now: datetime) -> JobCounts:
        """All of them, by state."""
        ...

    async def retry(self, tenant_id: str, *, group_id: str | None, now: datetime) -> Sequence[str]:
        """Make one failed group, or all of them, due again; answers which."""
        ...

    async def wake(self, tenant_id: str) -> None:
        """Hint a worker that something is left to do."""
        ...


class Store(Protocol):
    """All of it: a value with attributes."""

    @property
    def memories(self) -> Memories:
        """Raw rows, and reading every row."""
        ...

    @property
    def summaries(self) -> Summaries:
        """Committed summaries."""
        ...

    @property
    def groups(self) -> Groups:
        """What a refresh needs."""
        ...

    @property
    def search(self) -> Search:
        """The two arms of recall."""
        ...

    @property
    def jobs(self) -> Jobs:
        """The work list."""
        ...
