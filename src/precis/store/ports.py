"""What the app needs from a store. PostgreSQL (this package) and memory (precis.testing) both are one.

Every method is one transaction in one tenant; times are passed in; errors are those of precis.errors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from precis.criteria import Moments, Words, check
from precis.engine.forgetting import Receipt
from precis.engine.groups import Groups
from precis.engine.placing import Place
from precis.engine.policy import Policy
from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.memory import Memory, Scope
from precis.recall.question import Question
from precis.recall.ranking import Pool
from precis.store.archive_ports import Backlog
from precis.store.view_ports import Tasks, Views
from precis.summary import Summary

if TYPE_CHECKING:
    from precis.store.clusters import PostgresClusters
    from precis.store.feedback import PostgresFeedback
    from precis.store.sources import PostgresPools

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


_FLAGS = ("is_summary", "pinned", "turns")
_CONDITIONS = ("words", "times")


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which rows of a tenant. None means any. Raises InvalidInput for what no row can be compared with."""

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
    pinned: bool | None = None
    #: Whether the messages of conversations are among them.
    turns: bool = False
    #: Further conditions, by the names in engine.criteria: on words or lists of words, and on times.
    words: Mapping[str, Words] = field(default_factory=dict)
    times: Mapping[str, Moments] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """One check for every door."""
        for name in FILTERS:
            value = getattr(self, name)
            if name in _FLAGS and value is not None and not isinstance(value, bool):
                raise InvalidInput(f"{name}: it is of type {type(value).__name__}; give True or False", field=name)
            if name not in (*_FLAGS, *_CONDITIONS) and value is not None:
                checked_name(value, name)
        check(self.words, self.times)


#: The fields of a filter.
FILTERS = tuple(one.name for one in fields(Filter))


@dataclass(frozen=True, kw_only=True, slots=True)
class Page(Generic[T]):
    """Some rows and where the next ones begin; ``next_cursor`` is None at the end."""

    rows: tuple[T, ...]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """One cluster with what its tuning goes by (SPEC S0.11, S0.12)."""

    group_id: str
    scope: Scope
    extracted_type: str
    #: The subject, as the oldest member that names one has it; None where none does.
    extracted_key: str | None
    #: Memories in it.
    size: int
    #: Whether it has too few members for a summary.
    sparse: bool
    #: Refreshes committed in the last hour.
    churn: int
    #: When the summary that stands was made; None without one.
    last_refresh: datetime | None
    summary_id: str | None
    #: Its members changed since.
    stale: bool


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
    #: Mean tokens (in and out) that models took per committed summary of the last 35 days; 0 when offline.
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

    async def among(self, tenant_id: str, chosen: Filter, ids: Collection[str]) -> set[str]:
        """Those of these rows, expired ones too, that the filter lets through."""
        ...

    async def list(self, tenant_id: str, chosen: Filter, *, limit: int, cursor: str | None) -> Page[Memory]:
        """Newest first, ``limit`` rows from the cursor on."""
        ...

    async def edit(self, tenant_id: str, changed: NewMemory, *, policy: Policy, now: datetime) -> Receipt:
        """Replace a raw row: its old text is forgotten at once (law 4), its summaries become stale.

        Raises NotFound; Conflict for a summary or an expired row.
        """
        ...

    async def forget(self, tenant_id: str, ids: Sequence[str], *, now: datetime, renewable: bool = False) -> Receipt:
        """Law 4. Ids of summaries are refused with Conflict (delete the summary instead).

        With ``renewable`` nobody asked for it: whoever has these ids may write them again.

        Ids that name no memory are ``not_found``; where none does, nothing is written.
        """
        ...

    async def forget_user(self, tenant_id: str, user_id: str, *, now: datetime) -> Receipt:
        """Every row of the user goes, then the user's key. Raises NotFound where there is neither."""
        ...

    async def expire(self, tenant_id: str, ids: Sequence[str], *, now: datetime) -> tuple[str, ...]:
        """Laws 5 and 6: drop text and vector of rows that a frozen node speaks for, in every group with a summary.

        The node is committed and each of these groups is current; a part's node speaks for what reads the part.
        Answers the ids that expired.
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

    async def delete(self, tenant_id: str, summary_id: str, *, now: datetime) -> None:
        """Remove a summary and suppress its source set until it changes; what reads it is stale. Raises NotFound."""
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question as a store needs it."""

    question: Question
    #: None, or all zeros, where the embedder knows none of its words.
    vector: Vector | None
    embedding_version: str
    #: How many candidates each arm brings.
    breadth: int
    #: Of raw rows only those that no summary of their user has read.
    only: bool = False


#: Ids of the rows to read, given the candidates; called once, within the transaction.
Choose = Callable[[Pool], Sequence[str]]


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

    async def read(self, tenant_id: str, chosen: Filter, asked: Asked, choose: Choose) -> Mapping[str, Memory]:
        """The rows that ``choose`` names of the question's candidates, and others it names by id, all of one moment.

        Candidates are, of raw rows and of summaries alike, the ``breadth`` nearest vectors and the ``breadth`` best
        rows by words, with their neighbors in their sessions. A row that is gone is left out.
        """
        ...

    async def over(self, tenant_id: str, ids: Sequence[str]) -> Sequence[str]:
        """Ids of the summaries that stand over these rows."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One group with something to do."""

    group_id: str
    policy: str
    user_id: str
    #: waiting, running, scheduled (for ``due_at``), retrying (after a failure), rejected (no draft passed: tried again
    #: at ``due_at``, or on request where that is None) or failed (until somebody tries again).
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
    scheduled: int
    retrying: int
    failed: int
    rejected: int = 0


class Jobs(Protocol):
    """What waits, runs, failed and why: the stale groups are the work list."""

    async def list(self, tenant_id: str, *, state: str | None, limit: int, now: datetime) -> Sequence[Job]:
        """Failed ones first, then the longest due."""
        ...

    async def counts(self, tenant_id: str, *, now: datetime) -> JobCounts:
        """All of them, by state."""
        ...

    async def retry(self, tenant_id: str, *, group_id: str | None, now: datetime) -> Sequence[str]:
        """Make one group that failed or whose draft was rejected, or all of them, due again; answers which."""
        ...

    async def wake(self, tenant_id: str) -> None:
        """Hint a worker that something is left to do."""
        ...


class Places(Protocol):
    """Members of groups that follow a rule, outside of a write."""

    async def put(self, tenant_id: str, pairs: Sequence[tuple[str, Place]], *, now: datetime) -> int:
        """Make memories members of groups, which are made where they are not there; answers how many joined.

        A memory that was forgotten meanwhile joins nothing.
        """
        ...

    async def sweep(self, tenant_id: str, *, now: datetime) -> int:
        """Let go of the members whose time in a group is over; answers how many. Their groups are stale."""
        ...

    async def drop(self, tenant_id: str, group_ids: Collection[str], *, now: datetime) -> None:
        """Remove groups with all that was derived in them; what reads their summaries is stale."""
        ...


class Zones(Protocol):
    """Time zones by user id; the tenant's own under the empty name."""

    async def list(self, tenant_id: str) -> Mapping[str, str]:
        """IANA names."""
        ...

    async def put(self, tenant_id: str, user_id: str, zone: str | None, *, policies: Sequence[str]) -> Sequence[str]:
        """Set or, with None, unset a zone; answers the memories whose places under these policies may have moved."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """When a policy's pass over a tenant ran last, and when it is due."""

    last_run: datetime | None
    next_run: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """The right to make one pass, until it runs out."""

    tenant_id: str
    policy: str
    token: str
    lasts: timedelta
    #: When it was due.
    due: datetime | None


class Schedules(Protocol):
    """Timetables: a pass is made by one process at a time, and one that was missed is due until it is made."""

    async def list(self, tenant_id: str) -> Mapping[str, Schedule]:
        """By policy."""
        ...

    async def ensure(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """The first next run of a policy; one that is known stays."""
        ...

    async def move(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """Another next run."""
        ...

    async def claim(
        self, tenant_id: str, policy: str, *, now: datetime, lasts: timedelta, asked: bool = False
    ) -> Turn | None:
        """The right to make the pass; None when somebody makes it, or it is not due and nobody ``asked`` for it."""
        ...

    async def renew(self, turn: Turn, *, now: datetime) -> bool:
        """Let the turn last from now on anew; False when it is lost."""
        ...

    async def finish(self, turn: Turn, *, last_run: datetime | None, next_run: datetime | None) -> bool:
        """Note the run and the next one, None leaving either as it is; False when the turn was lost."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Overdue:
    """Which originals a policy lets go."""

    #: Created before.
    before: datetime | None = None
    #: In a period that ended before.
    ends_before: date | None = None
    user_id: str | None = None
    #: Only where the summary counts fewer tokens than what it replaces.
    saving: bool = False
    #: Of the tokens of an original, those that a prompt adds to its text.
    rendered: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """A group that holds originals for which none of its frozen nodes speaks."""

    group_id: str
    policy: str
    ids: tuple[str, ...]


class Retention(Protocol):
    """Which originals may go, and what must be done first."""

    async def overdue(
        self, tenant_id: str, policy: str, chosen: Overdue, *, besides: Sequence[str], limit: int
    ) -> Sequence[str]:
        """Live originals in current groups of the policy ``besides`` these, oldest first; pinned ones never go."""
        ...

    async def not_saving(self, tenant_id: str, policy: str, chosen: Overdue) -> Sequence[tuple[str, str]]:
        """(user id, place) of groups whose summary counts no fewer tokens than its originals."""
        ...

    async def said(self, tenant_id: str, policy: str, ids: Sequence[str]) -> Sequence[str]:
        """Those that a current summary of the policy says in full or has set aside for a reason."""
        ...

    async def holders(self, tenant_id: str, ids: Sequence[str]) -> Sequence[Holder]:
        """Groups with a summary in which no frozen node speaks for one of these originals; parts first."""
        ...

    async def behind(self, tenant_id: str, ids: Sequence[str]) -> Sequence[str]:
        """Groups with a summary that hold one of these and are not current; parts first."""
        ...


def twin_key(memory: Memory) -> tuple[object, ...]:
    """Memories alike in this say the same of the same: one of them is enough."""
    kind = memory.metadata.get("kind")
    return memory.scope, memory.namespace, memory.session_id, memory.memory_type, str(kind), memory.text


class LongTerm(Protocol):
    """Rows with a text as the wire reads them: by offset, counted, under second ids, and when they were read."""

    async def page(
        self, tenant_id: str, chosen: Filter, *, limit: int, offset: int, oldest_first: bool = False
    ) -> Sequence[Memory]:
        """The rows from ``offset`` on, newest first unless told."""
        ...

    async def count(self, tenant_id: str, chosen: Filter) -> int:
        """How many there are."""
        ...

    async def count_matches(
        self, tenant_id: str, chosen: Filter, *, words: str, vector: Vector | None, embedding_version: str,
        distance: float | None,
    ) -> int:  # fmt: skip
        """How many lie within the cosine distance (None: any) of the vector, or hold one of the words."""
        ...

    async def accessed(self, tenant_id: str, ids: Collection[str], *, now: datetime, before: datetime) -> None:
        """Count one more reading of those last read before; nothing becomes stale by it."""
        ...

    async def accessed_at(self, tenant_id: str, moments: Mapping[str, datetime]) -> None:
        """When rows that come from elsewhere were last read there; a later reading here stays."""
        ...

    async def same_text(self, tenant_id: str, memories: Sequence[Memory]) -> Mapping[str, str]:
        """For each of these that stands already, by ``twin_key``: its id and the id of the oldest one that stands."""
        ...

    async def repeated(self, tenant_id: str, chosen: Filter) -> Sequence[Sequence[str]]:
        """Ids that say the same, by ``twin_key``, the oldest first in each."""
        ...

    async def alias(self, tenant_id: str, aliases: Mapping[str, str], *, now: datetime) -> None:
        """More ids for memories; an alias goes with its memory."""
        ...

    async def unalias(self, tenant_id: str, ids: Collection[str]) -> None:
        """These ids are free again."""
        ...

    async def resolve(self, tenant_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """Which memories these aliases name; other ids are left out."""
        ...

    async def forgotten(self, tenant_id: str, ids: Collection[str]) -> Collection[str]:
        """Which of these ids a person forgot."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class PeriodRow:
    """The group of one period of one user."""

    group_id: str
    user_id: str
    project_id: str
    environment: str
    starts_on: date
    ends_on: date
    #: None while nothing was made of it.
    summary_id: str | None


class Periods(Protocol):
    """Groups that stand for a day, a week or a month."""

    async def list(
        self, tenant_id: str, policy: str, *, user_id: str | None, limit: int, cursor: str | None
    ) -> Page[PeriodRow]:
        """Those with a summary, newest period first."""
        ...

    async def find(
        self, tenant_id: str, policy: str, *, user_id: str, first: date, last: date, only_open: bool = False
    ) -> Sequence[PeriodRow]:
        """A user's, made or not, that end within these days; oldest first, one for each project and environment.

        ``only_open`` leaves out those that are current and hold no live note.
        """
        ...

    async def schedule(self, tenant_id: str, policy: str, *, last: date, next_run: datetime) -> int:
        """Make stale ones that end by ``last`` and wait longer, or for nothing, due at ``next_run``; how many."""
        ...

    async def made_since(self, tenant_id: str, policies: Sequence[str], since: datetime) -> bool:
        """Whether one of them was made or refreshed since."""
        ...

    async def rest(self, tenant_id: str, policies: Sequence[str]) -> int:
        """Let none of them be due; answers how many were."""
        ...

    async def move(self, tenant_id: str, ids: Sequence[str], policies: Sequence[str], *, now: datetime) -> int:
        """Place live memories anew under these policies; answers how many changed places."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Outdated:
    """A row that another embedder read, whether it could make a vector of it or not."""

    id: str
    text: str
    #: What tells that the row is still the one that was read.
    fingerprint: bytes
    updated_at: datetime


class Embeddings(Protocol):
    """The vectors of a tenant, after a change of the embedder."""

    async def versions(self, tenant_id: str) -> Mapping[str, int]:
        """How many rows there are by the embedder that read them; one that has no use for a vector was read by none."""
        ...

    async def outdated(self, tenant_id: str, version: str, *, after: str, limit: int) -> Sequence[Outdated]:
        """Rows that another embedder than this read, by id from ``after`` on."""
        ...

    async def renew(self, tenant_id: str, version: str, rows: Sequence[tuple[Outdated, Vector]]) -> int:
        """Put these vectors in place, but for rows that changed or went meanwhile; answers how many.

        The centroids of their groups are those of the members that the new embedder has read.
        """
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
    def clusters(self) -> PostgresClusters:
        """Clusters as they are listed."""
        ...

    @property
    def feedback(self) -> PostgresFeedback:
        """What people say of summaries."""
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

    @property
    def places(self) -> Places:
        """Members of groups that follow a rule."""
        ...

    @property
    def zones(self) -> Zones:
        """Time zones."""
        ...

    @property
    def schedules(self) -> Schedules:
        """Timetables."""
        ...

    @property
    def retention(self) -> Retention:
        """Which originals may go."""
        ...

    @property
    def views(self) -> Views:
        """Summary views and their partitions."""
        ...

    @property
    def tasks(self) -> Tasks:
        """Runs of views."""
        ...

    @property
    def rollups(self) -> Periods:
        """Days, weeks and months."""
        ...

    @property
    def long_term(self) -> LongTerm:
        """Memories as the wire reads them."""
        ...

    @property
    def backlog(self) -> Backlog:
        """Memories that no batch of the archive has."""
        ...

    @property
    def pools(self) -> PostgresPools:
        """What is kept about other people's stores."""
        ...

    @property
    def embeddings(self) -> Embeddings:
        """Vectors of another embedder."""
        ...
