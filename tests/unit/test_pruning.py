"""A policy of forgetting picks by age, by time unread and by number; pinned memories and summaries never."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.app.redis.long_term_search import Pruning, Recency, picked
from precis.memory import Memory, MemoryType, Scope

NOW = datetime(2026, 1, 5, tzinfo=UTC)
SCOPE = Scope(tenant_id="t", user_id="ana")


def aged(id_: str, age: float, read: float | None = None) -> Memory:
    """A memory so many days old, last read so many days ago."""
    at = NOW - timedelta(days=age)
    accessed = None if read is None else NOW - timedelta(days=read)
    return Memory(id=id_, scope=SCOPE, text=id_, created_at=at, updated_at=at, last_accessed=accessed)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Pruning(), ""),
        (Pruning(max_age_days=30), "ab"),
        (Pruning(max_inactive_days=10), "ac"),
        (Pruning(max_age_days=30, max_inactive_days=10), "a"),
        (Pruning(max_age_days=30, max_inactive_days=10, hard_age_multiplier=1.2), "ab"),
        (Pruning(max_age_days=30, budget=1), "abc"),
        (Pruning(budget=9), ""),
    ],
)
def test_what_is_picked(policy: Pruning, expected: str) -> None:
    """What was never read counts as read when it was created."""
    rows = [aged("a", 400), aged("b", 40, 3), aged("c", 20), aged("d", 1)]
    assert expected == "".join(picked(rows, policy, now=NOW))


def test_what_never_goes() -> None:
    """Pinned, summaries, other types, and those that are named."""
    old = aged("a", 400)
    rows = [
        replace(old, pinned=True),
        replace(old, id="b", is_summary=True),
        replace(old, id="c", memory_type=MemoryType.EPISODIC),
        replace(old, id="d"),
    ]
    policy = Pruning(max_age_days=1, budget=0, memory_types=("semantic",))
    assert [] == picked(rows, policy, kept=["d"], now=NOW)


@given(ages=st.lists(st.integers(0, 1000), max_size=8), budget=st.integers(0, 9), beyond=st.integers(0, 5))
def test_a_budget_is_kept(ages: list[int], budget: int, beyond: int) -> None:
    """As far as this pass can: the least recent go first, and no more of them than must."""
    rows = [aged(str(n), age) for n, age in enumerate(ages)]
    gone = picked(rows, Pruning(budget=budget), beyond=beyond, now=NOW)
    assert len(gone) == min(len(rows), max(0, len(rows) + beyond - budget))
    staying = [ages[n] for n in range(len(ages)) if str(n) not in gone]
    assert all(max(staying, default=0) <= ages[int(id_)] for id_ in gone)


def test_recency_halves() -> None:
    """By its two half-lives; a weight moves the order."""
    recency = Recency()
    assert recency.of(created=NOW, accessed=NOW, now=NOW) == pytest.approx(1)
    later = NOW + timedelta(days=30)
    assert recency.of(created=NOW, accessed=later, now=later) == pytest.approx(0.6 + 0.4 / 2)
    assert recency.of(created=later, accessed=None, now=NOW) == pytest.approx(1)
    assert recency.mixed(1, 0) == pytest.approx(0.8)
