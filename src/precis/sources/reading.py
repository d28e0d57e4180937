"""Reading what other stores write about a memory: the same field under several names, dates in several forms."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from precis.ids import zoned

#: A field, and how stores spell it; ours first.
SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "user_id": ("user_id", "userId", "user"),
    "agent_id": ("agent_id", "agentId", "agent"),
    "run_id": ("run_id", "runId", "run"),
    "created_at": ("created_at", "createdAt", "created", "timestamp", "date"),
    "text": ("data", "memory", "text", "content", "raw_data"),
    "is_summary": ("is_summary", "isSummary"),
    "summarized_memory_ids": ("summarized_memory_ids", "summarizedMemoryIds", "summarized_ids"),
    "summarized_until": ("summarized_until", "summarizedUntil"),
}
#: Epochs above this are milliseconds: as seconds it is the year 5138.
_MILLISECONDS = 1e11


def spelled(fields: Mapping[str, Any], name: str) -> str | None:
    """Under which name the field is there."""
    return next((key for key in SPELLINGS[name] if fields.get(key) is not None), None)


def read(fields: Mapping[str, Any], name: str) -> Any:
    """The field, whatever it is called; None where it is not there."""
    key = spelled(fields, name)
    return None if key is None else fields[key]


def read_word(fields: Mapping[str, Any], name: str) -> str | None:
    """The field as a word: an id may be a number where it was written."""
    value = read(fields, name)
    return None if value is None or value == "" else str(value)


def read_flag(fields: Mapping[str, Any], name: str) -> bool:
    """The field as yes or no: stores without booleans write 1, "1" or "true"."""
    value = read(fields, name)
    return value.strip().lower() in {"true", "1", "yes"} if isinstance(value, str) else bool(value)


def read_ids(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The field as a list of ids, which some stores keep in one string."""
    value = read(fields, name)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = [part.strip() for part in str(value).split(",") if part.strip()]
    return tuple(str(each) for each in value) if isinstance(value, list | tuple) else ()


def read_date(fields: Mapping[str, Any], name: str) -> datetime | None:
    """The field as a moment; None where there is none, or none that can be read."""
    return as_moment(read(fields, name))


def as_moment(value: Any) -> datetime | None:
    """ISO, a day, or seconds or milliseconds since 1970. Without an offset it is UTC: a store has one clock."""
    try:
        if isinstance(value, datetime):
            return zoned(value).astimezone(UTC)
        if isinstance(value, str):
            return _from_text(value.strip())
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if abs(value) > _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _from_text(text: str) -> datetime | None:
    try:
        return zoned(datetime.fromisoformat(text)).astimezone(UTC)
    except ValueError:
        return as_moment(float(text))


def like(example: Any, moment: datetime) -> str | float | int:
    """A moment in the form in which an example of the store is written; ISO where there is none."""
    if isinstance(example, bool) or not isinstance(example, int | float):
        return moment.isoformat()
    seconds = moment.timestamp() * (1000 if abs(example) > _MILLISECONDS else 1)
    return int(seconds) if isinstance(example, int) else seconds


def fields_of(value: Any) -> Mapping[str, Any]:
    """A row of a store as fields: a mapping as it is, an object by its attributes."""
    return value if isinstance(value, Mapping) else _Attributes(value)


class _Attributes(Mapping[str, Any]):
    """The attributes of an object, looked up by name."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self._value, name)
        except AttributeError as error:
            raise KeyError(name) from error

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self._value))

    def __len__(self) -> int:
        return len(vars(self._value))
