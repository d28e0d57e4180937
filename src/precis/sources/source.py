"""What a pass of the archive asks of a store of memories, and what it asks of somebody else's store: a pool."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, Self

from precis import errors, makers
from precis.memory import OldMemory
from precis.policies.archive import Batch
from precis.summary import Counts


@dataclass(frozen=True, kw_only=True, slots=True)
class Backlog:
    """Memories that are old enough for a batch and that no summary covers."""

    #: Whose they are; None: everybody's.
    user_id: str | None
    memories: Sequence[OldMemory]
    #: By id, where the source hands them out.
    texts: Mapping[str, str] = field(default_factory=dict)
    #: How many were left alone because nobody knows how old they are.
    undated: int = 0
    #: Rows that were forgotten and that the source still has.
    forgotten: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolBatchDone:
    """One batch of a pass over a pool."""

    memories: int
    #: Created_at of the oldest and of the newest.
    first: datetime
    last: datetime
    #: Of the originals' texts.
    tokens: int
    #: made, failed, rejected or changed; in a preview: would make.
    result: str
    reason: str = ""
    #: None where nothing was stored.
    summary_id: str | None = None
    #: Law 7: what became of the memories; None where nothing was stored.
    counts: Counts | None = None

    @classmethod
    def of(
        cls, batch: Batch, result: str, *, reason: str = "", summary_id: str | None = None, counts: Counts | None = None
    ) -> Self:
        """What became of a batch."""
        return cls(
            memories=len(batch.members), first=batch.members[0].created_at, last=batch.until, tokens=batch.tokens,
            result=result, reason=reason, summary_id=summary_id, counts=counts,
        )  # fmt: skip

    @property
    def made(self) -> bool:
        """Whether its summary was stored (would be made, in a preview)."""
        return self.result in ("made", "would make")


@dataclass(kw_only=True, slots=True)
class Tally:
    """What a pass comes to for one user, or for everybody at once; its steps add to it."""

    #: None: everybody.
    user_id: str | None
    #: Summaries made, and batches that got none this time.
    batches: int = 0
    failed: int = 0
    #: Memories that joined a batch.
    memories: int = 0
    #: Originals that are gone.
    deletions: int = 0
    #: Originals that are old enough and stay for now: what they say is not safely kept.
    waiting: int = 0
    #: Of those, the ones that no summary says in full.
    left_out: int = 0
    #: Memories left alone because nobody knows how old they are.
    undated: int = 0
    #: Ids of summaries that letting originals go may still change.
    summary_ids: list[str] = field(default_factory=list)
    #: Batch by batch, where the source tells.
    details: list[PoolBatchDone] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    usage: makers.Usage = field(default_factory=makers.Usage)
    #: Why nothing more can be drafted now: the model is down, or the budget is spent.
    stopped: str | None = None


class Source(Protocol):
    """A store of memories as the archive sees it: precis's own, or a pool. One value serves one pass."""

    async def begin(self) -> int:
        """Finish what an earlier pass left; answers how many originals that deleted.

        Raises PoolUnusable, before a model is asked, where no summary could be written.
        """

    async def portions(self, user_id: str | None) -> Sequence[str | None]:
        """The users whose memories are taken up one after the other; None for everybody's at once."""

    async def backlog(self, user_id: str | None, *, before: datetime) -> Backlog:
        """Memories of a portion from before a moment that no summary covers."""

    async def summarize(self, backlog: Backlog, batches: Sequence[Batch], tally: Tally) -> None:
        """Claim each batch, draft its summary and store that. A batch that fails leaves its memories where they are."""

    async def covered(self, user_id: str | None, *, before: datetime) -> Mapping[str, int]:
        """How many originals from before a moment could go now, by user."""

    async def retire(self, tally: Tally, *, before: datetime | None) -> None:
        """Let go of a portion's originals from before a moment that a summary covers; None lets none go."""

    async def end(self) -> None:
        """Do what came up while the pass went on."""

    async def grown(self, by: int) -> Sequence[tuple[str, int]]:
        """Users with at least so many memories more than were counted, and how many they have."""

    async def counted(self, user_id: str, memories: int) -> None:
        """So many memories were there when a pass was begun for this user."""


class PoolUnusable(errors.ConfigurationError):
    """This pool cannot be used as it is: nothing was read or written."""


#: The embedder of a pool: one vector a text, in order, as long as the vectors that lie there.
PoolEmbedder = Callable[[list[str]], Awaitable[list[list[float]]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolMemory:
    """One memory of a pool."""

    #: Empty for one that is to be added: pools may choose ids themselves.
    id: str
    #: Without the marker of a summary.
    text: str
    user_id: str
    agent_id: str | None = None
    run_id: str | None = None
    #: Aware; None where the pool does not know.
    created_at: datetime | None = None
    is_summary: bool = False
    #: Of a summary.
    summarized_memory_ids: tuple[str, ...] = ()
    summarized_until: datetime | None = None

    @property
    def order(self) -> tuple[datetime, bytes]:
        """Oldest first; ties by the bytes of the id. Only for one that has a date."""
        if self.created_at is None:
            raise ValueError("a memory without a date has no place in time")
        return (self.created_at, self.id.encode())


def listed(
    rows: Iterable[PoolMemory], *, before: datetime | None, limit: int | None, agent_id: str | None,
    run_id: str | None, summaries: bool,
) -> Sequence[PoolMemory]:  # fmt: skip
    """Those of a user's rows that ``Pool.list`` is asked for, oldest first; what has no date comes last."""
    kept = [
        row for row in rows
        if row.is_summary is summaries and agent_id in (None, row.agent_id) and run_id in (None, row.run_id)
        and (before is None or (row.created_at is not None and row.created_at < before))
    ]  # fmt: skip
    return sorted(kept, key=lambda row: (row.created_at is None, row.order if row.created_at else ()))[:limit]


class Shelf(Protocol):
    """Where summaries of a pool's memories are put: the pool itself, or precis."""

    async def ready(self) -> None:
        """Raise PoolUnusable where no summary could be added, before a model is asked to write one."""

    async def get(self, ids: Sequence[str]) -> Mapping[str, PoolMemory]:
        """Those that exist, by id."""

    async def add(self, memory: PoolMemory) -> str:
        """Add a summary; answers its id. The same summary again is the one that is there."""

    async def delete(self, ids: Sequence[str]) -> None:
        """Delete these for good. What is gone already is no error."""


class Pool(Shelf, Protocol):
    """A store of memories, small enough to be written for any. Errors of the store itself pass through."""

    @property
    def name(self) -> str:
        """Names the pool in what precis keeps about it: the same store has the same name, whoever opens it."""

    async def users(self) -> Sequence[str]:
        """Everybody who has a memory here, in order."""

    async def list(
        self,
        user_id: str,
        *,
        before: datetime | None = None,
        limit: int | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        summaries: bool = False,
    ) -> Sequence[PoolMemory]:
        """Raw memories of a user made before a moment, oldest first; or, with ``summaries``, what is a summary.

        With ``before`` a memory without a date is not among them: nobody knows how old it is.
        """
