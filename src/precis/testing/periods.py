"""Days, weeks and months of the UTC calendar as policies: the plainest groups that follow a rule, for tests of stores.

A day takes notes only; a week is a part of the month in which it begins, and serves what matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from precis.engine.grouping import Trigger
from precis.engine.placing import Place, Placing
from precis.engine.policy import Originals, Policy
from precis.memory import Memory, Tier


def plain_periods(like: Policy) -> Mapping[str, Policy]:
    """The three policies by name; each is like another one but for its name, its trigger and its rule."""
    one = Trigger(min_members=1)
    return {
        "day": replace(like, name="day", tier=Tier.DAY, trigger=one, place=in_day, originals=Originals.REPLACE),
        "week": replace(like, name="week", tier=Tier.WEEK, trigger=one, place=in_week, served_from=0.5,
                        originals=Originals.KEEP),
        "month": replace(like, name="month", tier=Tier.MONTH, trigger=one, place=in_month, originals=Originals.KEEP),
    }  # fmt: skip


def in_day(memory: Memory, placing: Placing) -> Sequence[Place]:
    """The day of a note."""
    del placing
    return [_placed(memory, "day", _midnight(memory), 1)] if memory.metadata.get("kind") == "note" else []


def in_week(memory: Memory, placing: Placing) -> Sequence[Place]:
    """The week, which is a part of its month."""
    del placing
    monday = _monday(memory)
    return [_placed(memory, "week", monday, 7, ("month", monday.replace(day=1).date().isoformat()))]


def in_month(memory: Memory, placing: Placing) -> Sequence[Place]:
    """The month in which its week begins."""
    del placing
    return [_placed(memory, "month", _monday(memory).replace(day=1), 28)]


def _placed(memory: Memory, name: str, first: datetime, days: int, part_of: tuple[str, str] | None = None) -> Place:
    last = first + timedelta(days=days - 1)
    return Place(
        policy=name, name=first.date().isoformat(), user_id=memory.scope.user_id, starts_on=first.date(),
        ends_on=last.date(), due_at=last + timedelta(days=1), part_of=part_of,
    )  # fmt: skip


def _midnight(memory: Memory) -> datetime:
    """When the day began that the memory tells of, or else was written on."""
    at = memory.event_date or memory.created_at
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _monday(memory: Memory) -> datetime:
    day = _midnight(memory)
    return day - timedelta(days=day.weekday())
