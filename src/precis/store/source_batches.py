"""What precis keeps about a batch of a pool's memories. Ids, dates and places in a text; no text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolSource:
    """An original of a batch."""

    memory_id: str
    #: Its place in the batch as it was planned.
    position: int
    created_at: datetime
    #: Keyed hash of its text as it was read.
    digest: bytes
    #: live, capped (read in part, so it stays), deleting, deleted or forgotten.
    state: str = "live"

    def is_overdue(self, before: datetime) -> bool:
        """Whether it may go: there, and older than that."""
        return self.state == "live" and self.created_at < before


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """One statement of a summary: where it is in the text, and the positions of the originals it rests on."""

    starts_at: int
    ends_at: int
    sources: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolBatch:
    """Memories of a pool that are one summary, or become one."""

    id: str
    pool: str
    user_id: str
    agent_id: str | None
    run_id: str | None
    #: planned, stored, deleting, done or rejected.
    state: str
    until: datetime
    definition: str
    #: The summary goes to precis, not to the pool.
    kept: bool
    #: Oldest first; those whose forgetting the pool has confirmed are no longer among them.
    sources: tuple[PoolSource, ...]
    #: Keyed hash of the summary's text, from before it is added.
    digest: bytes | None = None
    #: The same of the text that is about to take its place.
    next_digest: bytes | None = None
    summary_id: str | None = None
    old_summary_id: str | None = None
    revision: int = 0
    #: Something of it was forgotten and it is not rewritten yet.
    pending: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TouchedBatch:
    """A batch of which something was forgotten, as it was before its summary is rewritten."""

    batch_id: str
    #: None where none was stored yet.
    summary_id: str | None
    #: Statements of its summary, and how many of them rest on what was forgotten.
    statements: int
    resting: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Hidden:
    """Summaries that still say something forgotten."""

    ids: frozenset[str]
    digests: frozenset[bytes]
