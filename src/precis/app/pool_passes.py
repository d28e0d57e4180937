"""What a pass over a pool did, or would do: values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from precis.lineage import Counts
from precis.makers import Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolBatchDone:
    """One batch of a pass."""

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


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolUser:
    """What a pass did, or would do, for one user."""

    user_id: str
    batches: tuple[PoolBatchDone, ...]
    #: Originals deleted from the pool.
    deletions: int
    #: Why these, or why none.
    reason: str = ""
    #: Memories left alone because nobody knows how old they are.
    undated: int = 0

    @property
    def made(self) -> int:
        """Batches whose summary was stored (would be made, in a preview)."""
        return sum(1 for batch in self.batches if batch.result in ("made", "would make"))


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolPass:
    """A pass over a pool."""

    pool: str
    #: Nothing was called, stored or deleted.
    dry_run: bool
    users: tuple[PoolUser, ...]
    #: Deletions that an earlier pass had begun.
    finished: int = 0
    usage: Usage = Usage()  # noqa: RUF009 - frozen
    #: Why the pass ended before its end: the model is down, or the budget is spent.
    stopped: str | None = None

    @property
    def batches(self) -> int:
        """Summaries made."""
        return sum(user.made for user in self.users)

    @property
    def memories(self) -> int:
        """Originals they cover."""
        return sum(one.memories for user in self.users for one in user.batches if one.result in ("made", "would make"))

    @property
    def deletions(self) -> int:
        """Originals deleted."""
        return self.finished + sum(user.deletions for user in self.users)
