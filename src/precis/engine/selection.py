"""Which rows a policy reads. Policies read raw memories only (DECISIONS 5)."""

from __future__ import annotations

from dataclasses import dataclass, field

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
