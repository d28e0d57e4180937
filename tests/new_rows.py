"""Rows on their way in, and policies of periods, for tests of the store and the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from precis.engine.grouping import Vector
from precis.engine.policy import Originals, Place, Placing, Policy, Trigger
from precis.memory import Memory, Scope, Tier
from precis.store.rows import NewMemory
from precis.testing.fakes import HashEmbedder, count_words, hash_vector


def new_memory(
    id_: str,
    text: str,
    *,
    scope: Scope,
    created_at: datetime,
    key: str | None = "tea",
    vector: Vector | None = None,
    revive: bool = False,
    **fields: object,
) -> NewMemory:
    """A row on its way in, with the vector of its text; ``fields`` are those of Memory."""
    memory = Memory(
        id=id_,
        scope=scope,
        text=text,
        created_at=created_at,
        updated_at=created_at,
        extracted_key=key,
        tokens=count_words(text),
        embedding_version=HashEmbedder.version,
        **fields,  # type: ignore[arg-type]
    )
    return NewMemory(memory=memory, vector=hash_vector(text) if vector is None else vector, revive=revive)


def plain_periods(like: Policy) -> Mapping[str, Policy]:
    """The three policies by name; each is like another one but for its name, its trigger and its rule."""
    trigger = Trigger(min_members=1)
    return {
        "day": replace(like, name="day", tier=Tier.DAY, trigger=trigger, place=in_day, originals=Originals.REPLACE),
        "week": replace(like, name="week", tier=Tier.WEEK, trigger=trigger, place=in_week, served_from=0.5,
                        originals=Originals.KEEP),
        "month": replace(like, name="month", tier=Tier.MONTH, trigger=trigger, place=in_month,
                         originals=Originals.KEEP),
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
