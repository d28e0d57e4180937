"""A view: a declared GROUP BY over memories, as a value. Which memories it takes and in which partition; pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

from precis.errors import InvalidInput
from precis.ids import is_storable, zoned
from precis.memory import LISTS, Memory, MemoryType, Moments, Words, fold, strategy_of

#: What a view can be grouped by.
GROUP_FIELDS = ("user_id", "namespace", "session_id", "memory_type")
#: Days; a longer window means no window.
LONGEST_WINDOW = 36_500
__all__ = ["FILTER_KEYS", "GROUP_FIELDS", "View", "labels_hash"]


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What to summarize, in which partitions, with which words. Raises InvalidInput when it makes no sense."""

    id: str
    name: str | None
    #: ``long_term``; the wire format knows a second one that nobody serves.
    source: str
    group_by: tuple[str, ...]
    #: As they were given; a memory is taken when it meets all of them.
    filters: Mapping[str, Any]
    #: Memories created within so many days; None: all of them.
    window_days: int | None
    #: Refreshed in the background.
    continuous: bool
    #: Instead of the default one; what it asks for is free prose.
    prompt: str | None
    #: Instead of the configured one.
    model: str | None
    conditions: Conditions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        unknown = [name for name in self.group_by if name not in GROUP_FIELDS]
        if unknown:
            raise InvalidInput(f"Unsupported group_by fields: {', '.join(sorted(unknown))}", field="group_by")
        if len(set(self.group_by)) < len(self.group_by):
            raise InvalidInput("group_by names a field twice", field="group_by")
        if self.window_days is not None and not 1 <= self.window_days <= LONGEST_WINDOW:
            raise InvalidInput(f"a window is 1 to {LONGEST_WINDOW} days", field="time_window_days")
        object.__setattr__(self, "conditions", parse(self.filters))

    @property
    def window(self) -> timedelta | None:
        """How long a memory stays in."""
        return timedelta(days=self.window_days) if self.window_days is not None else None

    def takes(self, memory: Memory) -> bool:
        """Whether the memory is one of those it is about, the window aside. Summaries never are."""
        return not memory.is_summary and self.conditions.hold(memory)

    def within(self, created_at: datetime, now: datetime) -> bool:
        """Whether what was created then is inside the rolling window."""
        return self.window is None or created_at > now - self.window

    def partition(self, memory: Memory) -> Mapping[str, str] | None:
        """The values that name the memory's partition; None when it lacks one of them."""
        labels = {}
        for name in self.group_by:
            values = VALUES_OF[name](memory)
            if not values:
                return None
            labels[name] = next(iter(values))
        return labels

    def check_group(self, group: Mapping[str, str]) -> None:
        """Raises InvalidInput for values that do not name one of its partitions, or that its filters exclude."""
        if set(group) != set(self.group_by):
            raise InvalidInput(
                f"group keys {sorted(group)} must exactly match view.group_by {sorted(self.group_by)}", field="group"
            )
        for key, value in group.items():
            if not self.conditions.allow(key, value):
                raise InvalidInput(f"group value {key}={value!r} contradicts the view's own filter", field="group")

    def user_of(self, labels: Mapping[str, str]) -> str:
        """The one user whose memories a partition holds; empty when they can be of several."""
        if "user_id" in labels:
            return labels["user_id"]
        condition = self.conditions.words.get("user_id")
        users = frozenset(condition.one_of() or ()) if condition else frozenset()
        return next(iter(users)) if len(users) == 1 else ""

    def place_name(self, labels: Mapping[str, str]) -> str:
        """What its partition is called among the groups of a scope."""
        return f"{self.id}:{labels_hash(labels)}"


def labels_hash(labels: Mapping[str, str]) -> str:
    """The same values are the same partition, in whatever order they come."""
    return blake2b(json.dumps(dict(labels), sort_keys=True).encode(), digest_size=16).hexdigest()


#: What an operator is called by the server of the wire format, and by its published client.
_SPELLINGS = {"in_": "any", "in": "any", "not_eq": "ne", "not_in": "none"}
#: What the wire format answers for a row that names no strategy.
_STRATEGY = "discrete"
_SEVERAL = ("any", "all", "none")


def _some(value: str | None) -> frozenset[str]:
    return frozenset({value}) if value else frozenset()


#: The values a memory has in each field, by the field's wire name; none where it has no value.
VALUES_OF: dict[str, Callable[[Memory], frozenset[str]]] = {
    "user_id": lambda memory: _some(memory.scope.user_id),
    "namespace": lambda memory: _some(memory.namespace),
    "session_id": lambda memory: _some(memory.session_id),
    "memory_type": lambda memory: frozenset({memory.memory_type.value}),
    "extraction_strategy": lambda memory: frozenset({strategy_of(memory.metadata) or _STRATEGY}),
    "topics": lambda memory: frozenset(map(fold, memory.topics)),
}
FILTER_KEYS = (*VALUES_OF, "event_date")

_WORDS: dict[str, Callable[[Words, tuple[str, ...]], Words]] = {
    "eq": lambda known, words: replace(known, any=_both(known.any, words)),
    "any": lambda known, words: replace(known, any=_both(known.any, words)),
    "all": lambda known, words: replace(known, all=(*known.all, *words)),
    "ne": lambda known, words: replace(known, none=(*known.none, *words)),
    "none": lambda known, words: replace(known, none=(*known.none, *words)),
    "startswith": lambda known, words: replace(known, startswith=words[0]),
}
_TIMES: dict[str, Callable[[Moments, datetime, datetime], Moments]] = {
    "gt": lambda known, first, _: replace(known, gt=first),
    "gte": lambda known, first, _: replace(known, gte=_later(known.gte, first)),
    "lt": lambda known, first, _: replace(known, lt=first),
    "lte": lambda known, first, _: replace(known, lte=_earlier(known.lte, first)),
    "eq": lambda known, first, _: replace(known, gte=_later(known.gte, first), lte=_earlier(known.lte, first)),
    "ne": lambda known, first, _: replace(known, none=(*known.none, first)),
    "between": lambda known, first, last: replace(known, gte=_later(known.gte, first), lte=_earlier(known.lte, last)),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Conditions:
    """What a view takes; all of it must hold."""

    words: Mapping[str, Words] = field(default_factory=dict)
    times: Mapping[str, Moments] = field(default_factory=dict)

    def hold(self, memory: Memory) -> bool:
        """Whether the memory meets them."""
        return all(words.hold(VALUES_OF[key](memory)) for key, words in self.words.items()) and all(
            moments.hold(memory.event_date) for moments in self.times.values()
        )

    def allow(self, key: str, value: str) -> bool:
        """Whether a memory whose field has just this value can meet them."""
        return key not in self.words or self.words[key].hold({value})


def parse(filters: Mapping[str, Any]) -> Conditions:
    """The conditions that filters stand for; a null filters nothing. Raises InvalidInput."""
    unknown = sorted(key for key in filters if key not in FILTER_KEYS)
    if unknown:
        raise InvalidInput(f"Unsupported filter fields: {', '.join(unknown)}", field="filters")
    operators_of = {key: _operators(key, condition) for key, condition in filters.items() if condition is not None}
    times = {key: _moments_of(operators) for key, operators in operators_of.items() if key == "event_date"}
    words = {key: _words_of(key, operators) for key, operators in operators_of.items() if key != "event_date"}
    return Conditions(words=words, times=times)


def _operators(key: str, condition: Any) -> list[tuple[str, Any]]:
    """Operators under their one spelling; a scalar means equality, a list any of it."""
    if not isinstance(condition, Mapping):
        return [("any" if isinstance(condition, list | tuple) else "eq", condition)]
    operators = [(str(name), value) for name, value in condition.items() if value is not None]
    if not operators:
        raise _wrong(key, "names no operator")
    known: Mapping[str, object] = _TIMES if key == "event_date" else _WORDS
    for name, _ in operators:
        if _SPELLINGS.get(name, name) not in known:
            raise _wrong(key, f"has no operator {name!r}; it has {', '.join(known)}")
    return [(_SPELLINGS.get(name, name), value) for name, value in operators]


def _words_of(key: str, operators: Sequence[tuple[str, Any]]) -> Words:
    condition = Words()
    for operator, operand in operators:
        condition = _WORDS[operator](condition, _values(key, operator, operand))
    return condition.folded() if key in LISTS else condition


def _values(key: str, operator: str, operand: Any) -> tuple[str, ...]:
    listed = operand if operator in _SEVERAL and isinstance(operand, list | tuple) else [operand]
    if not listed or not all(isinstance(value, str) and value and is_storable(value) for value in listed):
        raise _wrong(key, "takes text" + (", or a list of texts that is not empty" if operator in _SEVERAL else ""))
    if key == "memory_type" and operator != "startswith":
        unknown = sorted(set(listed) - set(MemoryType))
        if unknown:
            raise _wrong(key, f"is {', '.join(MemoryType)}, not {', '.join(unknown)}")
    return tuple(listed)


def _moments_of(operators: Sequence[tuple[str, Any]]) -> Moments:
    condition = Moments()
    for operator, operand in operators:
        listed = operand if operator == "between" and isinstance(operand, list | tuple) else [operand]
        if operator not in _TIMES or len(listed) != 1 + (operator == "between"):
            raise _wrong("event_date", "takes two dates for between, and one otherwise")
        moments = [_moment(value) for value in listed]
        if moments[0] > moments[-1]:
            raise _wrong("event_date", "ends before it begins")
        condition = _TIMES[operator](condition, moments[0], moments[-1])
    return condition


def _moment(value: Any) -> datetime:
    """A date as the wire spells it: ISO text, or seconds since 1970."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        return zoned(datetime.fromisoformat(value))
    except (TypeError, ValueError, OverflowError, OSError):
        raise _wrong("event_date", "takes a date such as 2026-02-17T09:00:00Z") from None


def _both(known: tuple[str, ...] | None, words: tuple[str, ...]) -> tuple[str, ...]:
    return words if known is None else tuple(word for word in words if word in known)


def _later(known: datetime | None, moment: datetime) -> datetime:
    return moment if known is None else max(known, moment)


def _earlier(known: datetime | None, moment: datetime) -> datetime:
    return moment if known is None else min(known, moment)


def _wrong(key: str, why: str) -> InvalidInput:
    return InvalidInput(f"Invalid filter: {key} {why}", field=f"filters.{key}")
