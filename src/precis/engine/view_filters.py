"""Static filters of a view as conditions on the fields of a memory. Pure, and checked when the view is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from precis.engine.criteria import LISTS, Moments, Words, fold, strategy_of
from precis.errors import InvalidInput
from precis.memory import Memory, MemoryType
from precis.storable import is_storable

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
    given = {key: _operators(key, wanted) for key, wanted in filters.items() if wanted is not None}
    times = {key: _moments_of(operators) for key, operators in given.items() if key == "event_date"}
    words = {key: _words_of(key, operators) for key, operators in given.items() if key != "event_date"}
    return Conditions(words=words, times=times)


def _operators(key: str, wanted: Any) -> list[tuple[str, Any]]:
    """Operators under their one spelling; a scalar means equality, a list any of it."""
    if not isinstance(wanted, Mapping):
        return [("any" if isinstance(wanted, list | tuple) else "eq", wanted)]
    given = [(str(name), value) for name, value in wanted.items() if value is not None]
    if not given:
        raise _wrong(key, "names no operator")
    known: Mapping[str, object] = _TIMES if key == "event_date" else _WORDS
    for name, _ in given:
        if _SPELLINGS.get(name, name) not in known:
            raise _wrong(key, f"has no operator {name!r}; it has {', '.join(known)}")
    return [(_SPELLINGS.get(name, name), value) for name, value in given]


def _words_of(key: str, operators: Sequence[tuple[str, Any]]) -> Words:
    found = Words()
    for operator, wanted in operators:
        found = _WORDS[operator](found, _values(key, operator, wanted))
    return found.folded() if key in LISTS else found


def _values(key: str, operator: str, wanted: Any) -> tuple[str, ...]:
    listed = wanted if operator in _SEVERAL and isinstance(wanted, list | tuple) else [wanted]
    if not listed or not all(isinstance(value, str) and value and is_storable(value) for value in listed):
        raise _wrong(key, "takes text" + (", or a list of texts that is not empty" if operator in _SEVERAL else ""))
    if key == "memory_type" and operator != "startswith":
        unknown = sorted(set(listed) - set(MemoryType))
        if unknown:
            raise _wrong(key, f"is {', '.join(MemoryType)}, not {', '.join(unknown)}")
    return tuple(listed)


def _moments_of(operators: Sequence[tuple[str, Any]]) -> Moments:
    found = Moments()
    for operator, wanted in operators:
        listed = wanted if operator == "between" and isinstance(wanted, list | tuple) else [wanted]
        if operator not in _TIMES or len(listed) != 1 + (operator == "between"):
            raise _wrong("event_date", "takes two dates for between, and one otherwise")
        moments = [_moment(value) for value in listed]
        if moments[0] > moments[-1]:
            raise _wrong("event_date", "ends before it begins")
        found = _TIMES[operator](found, moments[0], moments[-1])
    return found


def _moment(value: Any) -> datetime:
    """A date as the wire spells it: ISO text, or seconds since 1970."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        read = datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError):
        raise _wrong("event_date", "takes a date such as 2026-02-17T09:00:00Z") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _both(known: tuple[str, ...] | None, words: tuple[str, ...]) -> tuple[str, ...]:
    return words if known is None else tuple(word for word in words if word in known)


def _later(known: datetime | None, one: datetime) -> datetime:
    return one if known is None else max(known, one)


def _earlier(known: datetime | None, one: datetime) -> datetime:
    return one if known is None else min(known, one)


def _wrong(key: str, why: str) -> InvalidInput:
    return InvalidInput(f"Invalid filter: {key} {why}", field=f"filters.{key}")
