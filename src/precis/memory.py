"""A memory: one row of what an agent was told or noticed. The first of the three nouns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

#: ``metadata.kind`` of a summary that is kept here for a pool: the archive of precis's own store leaves it alone.
POOL_SUMMARY = "pool_summary"


class MemoryType(StrEnum):
    """What kind of row it is, in the words of the wire format."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    MESSAGE = "message"


class Tier(StrEnum):
    """Which policy made the row; ``raw`` is what a caller wrote."""

    RAW = "raw"
    CLUSTER = "cluster"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    ARCHIVE = "archive"
    VIEW = "view"
    CONVERSATION = "conversation"


class RetentionState(StrEnum):
    """Live rows have a text; expired rows are stubs whose derived summaries stay; forgotten rows are gone."""

    LIVE = "live"
    EXPIRING = "expiring"
    EXPIRED = "expired"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """Whose memory it is. Nothing is compared, clustered or summarized across two scopes."""

    tenant_id: str
    #: Empty when the wire client gave none.
    user_id: str
    project_id: str = ""
    environment: str = "production"


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """One row. Raw rows carry ``text``; the text of a summary is its statements (see summary.py)."""

    id: str
    scope: Scope
    #: None once the row has expired.
    text: str | None
    created_at: datetime
    updated_at: datetime
    memory_type: MemoryType = MemoryType.SEMANTIC
    namespace: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    #: Who said it, when the row is a message or a note of one ("speaker" in metadata).
    speaker: str | None = None
    #: preference, fact, relationship, ... given by the caller or extracted.
    extracted_type: str = "fact"
    #: The subject; None when neither caller nor rules named one.
    extracted_key: str | None = None
    #: 0..1
    importance: float = 0.5
    event_date: datetime | None = None
    last_accessed: datetime | None = None
    access_count: int = 0
    pinned: bool = False
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    tier: Tier = Tier.RAW
    retention_state: RetentionState = RetentionState.LIVE
    is_summary: bool = False
    #: Ids of the direct source rows of a summary, oldest first; empty for a raw row.
    parent_id: tuple[str, ...] = ()
    #: Keyed hash (16 bytes) of the id and every field a prompt renders.
    fingerprint: bytes = b""
    #: Length of the rendered text in tokens.
    tokens: int = 0
    #: Which embedder read the text, e.g. ``static-minilm-256@1``; None where there is no text or it is not recalled.
    embedding_version: str | None = None

    @property
    def summarized_memory_ids(self) -> tuple[str, ...] | None:
        """Of a summary of the archive: the originals it stands for, oldest first; None for any other row."""
        if self.tier is Tier.ARCHIVE:
            return self.parent_id
        ids = self.metadata.get("summarized_memory_ids") if self._stands_for_a_pool else None
        return tuple(map(str, ids)) if isinstance(ids, (list, tuple)) else None

    @property
    def summarized_until(self) -> datetime | None:
        """Of a summary of the archive: when its newest original was made; None while it waits to be made again."""
        until = self.metadata.get("summarized_until")
        if not isinstance(until, str) or not (self.tier is Tier.ARCHIVE or self._stands_for_a_pool):
            return None
        try:
            return datetime.fromisoformat(until)
        except ValueError:
            return None

    @property
    def summarized_day(self) -> date | None:
        """The same as a day (UTC)."""
        until = self.summarized_until
        return until.astimezone(UTC).date() if until else None

    @property
    def _stands_for_a_pool(self) -> bool:
        return self.metadata.get("kind") == POOL_SUMMARY


@dataclass(frozen=True, kw_only=True, slots=True)
class Extracted:
    """What was found in one text when it was written, by rules or by a model."""

    #: preference, fact, relationship, plan, decision, event, opinion, question, smalltalk, or another short word.
    type: str
    #: The subject as a short normalized noun phrase; None where none is named.
    key: str | None
    #: Whom it is about: the speaker, a named person, or None (nobody, or a team).
    person: str | None
    #: 0..1
    importance: float


@dataclass(frozen=True, kw_only=True, slots=True)
class OldMemory:
    """A memory as the archive batches it: no text."""

    id: str
    created_at: datetime
    user_id: str
    project_id: str = ""
    environment: str = ""
    agent_id: str | None = None
    run_id: str | None = None
    #: Of its text.
    tokens: int = 0

    @property
    def order(self) -> tuple[datetime, bytes]:
        """Oldest first; ties by the bytes of the id."""
        return (self.created_at, self.id.encode())
