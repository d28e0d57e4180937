"""Conditions on the words and the times of a memory: one meaning for every store and every door. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.memory import Memory

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


def time_of(memory: Memory, name: str) -> datetime | None:
    """One of TIMES; what was never read counts as read when it was created."""
    moment: datetime | None = getattr(memory, name)
    return memory.created_at if moment is None and name == "last_accessed" else moment


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
