"""A filter as query parameters (store/sql/filter.sql), and pages of a list with the cursors where they end."""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any, Generic, TypeVar

import orjson
from psycopg.types.range import Range

from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.keys.cipher import TenantKeys
from precis.memory import LISTS, TIMES, WORDS, Moments, Words, check
from precis.trust import ORDER, SourceClass, at_least

_APART = ("words", "times", "turns", "among")
_NO_WORDS = Words()
_NO_MOMENTS = Moments()


_FLAGS = ("is_summary", "pinned", "turns", "recalled", "current", "searched")


_CONDITIONS = ("words", "times", "among")


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which rows of a tenant. None means any. Raises InvalidInput for what no row can be compared with."""

    user_id: str | None = None
    project_id: str | None = None
    environment: str | None = None
    #: One, or several of which any will do.
    namespace: str | Sequence[str] | None = None
    session_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    memory_type: str | None = None
    extracted_type: str | None = None
    is_summary: bool | None = None
    pinned: bool | None = None
    #: Whether the messages of conversations are among them.
    turns: bool = False
    #: Only rows from this source class or a more trusted one.
    min_trust: SourceClass | None = None
    #: Whether messages that were kept out of recall when they were written are left out.
    recalled: bool | None = None
    #: Whether those that a newer one replaced are left out.
    current: bool | None = None
    #: Whether those are left out that their writer keeps out of every search.
    searched: bool | None = None
    #: This namespace, and those that begin with it and a full stop.
    under: str | None = None
    #: Their ids, where only these may be answered.
    among: tuple[str, ...] | None = None
    #: What was known and stood at a moment; of summaries those that stand as they did then.
    as_of: datetime | None = None
    #: Further conditions, by the names in precis.memory: on words or lists of words, and on times.
    words: Mapping[str, Words] = field(default_factory=dict)
    times: Mapping[str, Moments] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """One check for every door."""
        for name in FILTERS:
            value = getattr(self, name)
            if name in _FLAGS and value is not None and not isinstance(value, bool):
                raise InvalidInput(f"{name}: it is of type {type(value).__name__}; give True or False", field=name)
            if name == "as_of" and value is not None and (not isinstance(value, datetime) or value.tzinfo is None):
                raise InvalidInput("as_of: give a time with its zone", field=name)
            if name not in (*_FLAGS, *_CONDITIONS, "as_of") and value is not None:
                for word in _several(value) if name == "namespace" else (value,):
                    checked_name(word, name)
        if self.min_trust is not None and self.min_trust not in ORDER:
            message = f"min_trust: {self.min_trust!r} is no source class; there are {', '.join(ORDER)}"
            raise InvalidInput(message, field="min_trust")
        check(self.words, self.times)


def _several(value: str | Sequence[str]) -> list[str]:
    """A name, or a list of names. Raises InvalidInput for an empty list, which nothing is in."""
    names: list[Any] = [value] if isinstance(value, str) or not isinstance(value, list | tuple) else [*value]
    if not names:
        raise InvalidInput("namespace: the list is empty; name one at least, or leave it out", field="namespace")
    return names


#: The fields of a filter.
FILTERS = tuple(field.name for field in fields(Filter))


def filter_parameters(filter_: Filter, keys: TenantKeys) -> dict[str, Any]:
    """Every parameter of the fragment; None is no condition."""
    parameters = {field.name: getattr(filter_, field.name) for field in fields(Filter) if field.name not in _APART}
    parameters["namespace"] = None if filter_.namespace is None else _several(filter_.namespace)
    parameters["current"] = filter_.current or None
    parameters["searched"] = filter_.searched or None
    parameters["among"] = None if filter_.among is None else list(filter_.among)
    parameters["min_trust"] = None if filter_.min_trust is None else list(at_least(SourceClass(filter_.min_trust)))
    parameters["recalled"] = filter_.recalled or None
    parameters["no_turns"] = None if filter_.turns else True
    for name in WORDS:
        words = filter_.words.get(name, _NO_WORDS)
        parameters |= _list(name, words.folded(), keys) if name in LISTS else _word(name, words)
    for name in TIMES:
        moments = filter_.times.get(name, _NO_MOMENTS)
        parameters |= {f"{name}_within": _range(moments), f"{name}_none": list(moments.none) or None}
    return parameters


def _word(name: str, words: Words) -> dict[str, Any]:
    allowed = words.one_of()
    return {
        f"{name}_any": None if allowed is None else list(allowed),
        f"{name}_none": list(words.none) or None,
        f"{name}_start": words.startswith,
    }


def _list(name: str, words: Words, keys: TenantKeys) -> dict[str, Any]:
    """Lists are compared by keyed hashes. What a word begins with is hashed too: one more that must be there."""

    def hashed(some: Iterable[str]) -> list[int]:
        return [keys.term(f"\0{name}={word}") for word in some]

    begun = [keys.term(f"\0{name}^{words.startswith}")] if words.startswith else []
    return {
        f"{name}_any": None if words.any is None else hashed(words.any),
        f"{name}_all": [*hashed(words.all), *begun] or None,
        f"{name}_none": hashed(words.none) or None,
    }


def _range(moments: Moments) -> Range[Any] | None:
    """All bounds as one range; the tighter of two counts, and bounds that exclude each other are an empty one."""
    if not moments.bounded:
        return None
    lower = max(((at, open_) for at, open_ in ((moments.gte, 0), (moments.gt, 1)) if at is not None), default=None)
    upper = min(((at, closed) for at, closed in ((moments.lt, 0), (moments.lte, 1)) if at is not None), default=None)
    if lower and upper and lower[0] > upper[0]:
        return Range(empty=True)
    bounds = ("(" if lower and lower[1] else "[") + ("]" if upper and upper[1] else ")")
    return Range(lower[0] if lower else None, upper[0] if upper else None, bounds)


T = TypeVar("T")
_NO_CURSOR = "this cursor is not one that this list gave; start again without it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Page(Generic[T]):
    """Some rows and where the next ones begin; ``next_cursor`` is None at the end."""

    rows: tuple[T, ...]
    next_cursor: str | None


def encode_cursor(list_: str, at: date | int, id_: str) -> str:
    """Where a page of a list ended, for the caller to hand back: a moment, a day or a number, and an id."""
    place = at if isinstance(at, int) else at.isoformat()
    return base64.urlsafe_b64encode(orjson.dumps([list_, place, id_])).decode()


def decode_cursor(list_: str, cursor: str | None) -> tuple[datetime | None, str | None]:
    """And back, of a moment. Raises InvalidInput for anything else."""
    return (None, None) if cursor is None else read_cursor(list_, cursor, datetime.fromisoformat)


def read_cursor(list_: str, cursor: str, read: Callable[[Any], T], *, refusal: str = _NO_CURSOR) -> tuple[T, str]:
    """And back, of what ``read`` reads. Raises InvalidInput for what is none of this list."""
    try:
        of_list, at, id_ = orjson.loads(base64.urlsafe_b64decode(cursor))
        return read(at), _storable_id(id_ if of_list == list_ else None)
    except (ValueError, TypeError) as error:
        raise InvalidInput(refusal, field="cursor") from error


def _storable_id(id_: object) -> str:
    if not isinstance(id_, str) or "\0" in id_:
        raise ValueError("not an id")
    return id_
