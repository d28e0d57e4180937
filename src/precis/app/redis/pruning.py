"""Which memories a policy of forgetting picks: too old, not read for long, or more than there may be. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from precis.memory import Memory
from precis.recall.recency import Recency

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
    typed = policy.memory_types is None or memory.memory_type.value in policy.memory_types
    return typed and not memory.pinned and not memory.is_summary and memory.id not in kept


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
