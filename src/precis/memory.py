"""A memory: one row of what an agent was told or noticed; and the conditions on its words and times. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.trust import SourceClass

#: ``metadata.kind`` of a message of a conversation, by which every other policy passes it over; and of a fact that was
#: found in messages.
TURN, EXTRACTED = "turn", "extracted"
#: ``metadata.kind`` of a summary that is kept here for a pool: the archive of precis's own store leaves it alone.
POOL_SUMMARY = "pool_summary"
#: What a prompt adds to a text: number, speaker, line break and now and then a date, in tokens.
RENDERED = 9


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


#: What a memory is labeled with, by its writer, by rules or by a model.
LABELS = ("type", "key", "importance")


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
    #: Ids of the direct source rows of a summary, of the messages a fact rests on; oldest first. Empty for other rows.
    parent_id: tuple[str, ...] = ()
    #: Keyed hash (16 bytes) of the id and every field a prompt renders.
    fingerprint: bytes = b""
    #: Length of the rendered text in tokens.
    tokens: int = 0
    #: Which embedder read the text, e.g. ``static-minilm-256@2``; None where there is no text or it is not recalled.
    embedding_version: str | None = None
    #: Ids of the memories that it replaces, and of those that replace it.
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    #: From when on the first of those holds.
    superseded_at: datetime | None = None
    #: From whom it is; of a summary the least trusted of what it has read.
    source_class: SourceClass = SourceClass.USER
    #: The type that a rule found for it, where one did; its ``extracted_type`` then is that of its subject.
    ruled_type: str | None = None
    #: Which of its labels its writer gave, of LABELS: they stay when its text is edited.
    own_labels: tuple[str, ...] = ()

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
    namespace: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    #: Of its text.
    tokens: int = 0
    #: Whether it stays however old it is: it is pinned, or its week, say, is still to be made of it.
    stays: bool = False

    @property
    def order(self) -> tuple[datetime, bytes]:
        """Oldest first; ties by the bytes of the id."""
        return (self.created_at, self.id.encode())


#: Fields that may have conditions on their word, or on their list of words.
WORDS = ("session_id", "user_id", "namespace", "memory_type", "extraction_strategy", "topics", "entities")
#: Those of them that hold lists, whose words are compared without regard to case.
LISTS = ("topics", "entities")
#: Fields that may have conditions on their time.
TIMES = ("created_at", "last_accessed", "event_date")


def check(words: Mapping[str, Words], times: Mapping[str, Moments]) -> None:
    """Raises InvalidInput for conditions on what has none, or that nothing can be compared with."""
    for name, condition in words.items():
        _known(name, WORDS)
        for word in (
            *(condition.any or ()),
            *condition.all,
            *condition.none,
            *([] if condition.startswith is None else [condition.startswith]),
        ):
            checked_name(word, name)
    for name, moments in times.items():
        _known(name, TIMES)
        if any(at.tzinfo is None for at in moments.given):
            raise InvalidInput(f"{name}: it is compared with a time without a zone; give the zone", field=name)


def _known(name: str, names: Collection[str]) -> None:
    if name not in names:
        raise InvalidInput(f"{name}: there are no such conditions; there are some on {', '.join(names)}", field=name)


def fold(word: str) -> str:
    """A word of a list as it is compared."""
    return word.casefold()


def strategy_of(metadata: Mapping[str, Any]) -> str | None:
    """How whoever wrote a row came by it, as the wire has it in its metadata; None is "discrete"."""
    wire = metadata.get("wire")
    strategy = wire.get("extraction_strategy") if isinstance(wire, Mapping) else None
    return strategy if isinstance(strategy, str) else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """What holds of a word, or of a list of words. Everything that is given must hold; an empty ``any`` never does."""

    any: tuple[str, ...] | None = None
    all: tuple[str, ...] = ()
    #: A row without a word satisfies this one.
    none: tuple[str, ...] = ()
    startswith: str | None = None

    def hold(self, words: Collection[str]) -> bool:
        """Whether it is so of these; a row without a value has none."""
        return (
            (self.any is None or any(word in words for word in self.any))
            and all(word in words for word in self.all)
            and not any(word in words for word in self.none)
            and (self.startswith is None or any(word.startswith(self.startswith) for word in words))
        )

    def folded(self) -> Words:
        """The same for a list, whose words are compared without regard to case."""
        return Words(
            any=None if self.any is None else tuple(map(fold, self.any)),
            all=tuple(map(fold, self.all)),
            none=tuple(map(fold, self.none)),
            startswith=None if self.startswith is None else fold(self.startswith),
        )

    def one_of(self) -> tuple[str, ...] | None:
        """For a field of one word: which it may be, by ``any`` and ``all`` together; None when it may be any."""
        if not self.all:
            return self.any
        allowed = self.all if self.any is None else self.any
        return tuple(word for word in dict.fromkeys(allowed) if {word} == set(self.all))


@dataclass(frozen=True, kw_only=True, slots=True)
class Moments:
    """What holds of a time. Everything that is given must hold; a row without a time is within no bounds."""

    gt: datetime | None = None
    gte: datetime | None = None
    lt: datetime | None = None
    lte: datetime | None = None
    #: A row without a time satisfies this one.
    none: tuple[datetime, ...] = ()

    def hold(self, moment: datetime | None) -> bool:
        """Whether it is so of this time."""
        if moment is None:
            return not self.bounded
        return (
            (self.gt is None or moment > self.gt)
            and (self.gte is None or moment >= self.gte)
            and (self.lt is None or moment < self.lt)
            and (self.lte is None or moment <= self.lte)
            and moment not in self.none
        )

    @property
    def bounded(self) -> bool:
        """Whether there is a bound at all."""
        return any(bound is not None for bound in (self.gt, self.gte, self.lt, self.lte))

    @property
    def given(self) -> tuple[datetime, ...]:
        """Every time that is compared with."""
        bounds = (self.gt, self.gte, self.lt, self.lte)
        return (*(bound for bound in bounds if bound is not None), *self.none)
