"""Which rows a policy reads, and when a group is due. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from precis.memory import Memory, MemoryType


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """A filter over raw memories."""

    memory_types: frozenset[MemoryType] = field(default_factory=lambda: frozenset(MemoryType))
    #: Types that carry nothing worth a summary.
    without: frozenset[str] = frozenset({"smalltalk", "question"})
    #: By ``metadata.kind``: the messages of a conversation are its policy's alone.
    without_kinds: frozenset[str] = frozenset({"turn"})

    def takes(self, memory: Memory) -> bool:
        """Whether the policy reads this row."""
        return (
            not memory.is_summary
            and memory.memory_type in self.memory_types
            and memory.extracted_type not in self.without
            # A caller may write anything there, also what cannot be looked up in a set.
            and memory.metadata.get("kind") not in list(self.without_kinds)
        )


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trigger:
    """By count of changes since the last refresh."""

    #: Below this many members there is no summary (SUMMARY_MIN_CLUSTER_ITEMS).
    min_members: int = 3
    #: How many new members a refresh waits for once a summary stands; losing one never waits.
    refresh_after: int = 1
    #: Groups that refresh by themselves do so at multiples of this since 1970; None: as soon as they are due.
    every: timedelta | None = None

    def tick(self, now: datetime) -> datetime:
        """When a group that changed now is due: all processes mean the same moment."""
        return _EPOCH + ((now - _EPOCH) // self.every + 1) * self.every if self.every is not None else now

    def is_due(self, *, members: int, has_summary: bool, added: int, lost: bool) -> bool:
        """Whether a group with these figures wants a refresh now."""
        if not has_summary:
            return members >= self.min_members and (added > 0 or lost)
        return lost or members < self.min_members or added >= self.refresh_after
