"""Pages of a list, and the cursors where they end."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

import orjson

from precis.errors import InvalidInput

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Page(Generic[T]):
    """Some rows and where the next ones begin; ``next_cursor`` is None at the end."""

    rows: tuple[T, ...]
    next_cursor: str | None


def encode_cursor(at: datetime, id_: str) -> str:
    """Where a page ended, for the caller to hand back."""
    return base64.urlsafe_b64encode(orjson.dumps([at.isoformat(), id_])).decode()


def decode_cursor(cursor: str | None) -> tuple[datetime | None, str | None]:
    """And back. Raises InvalidInput for anything else."""
    if cursor is None:
        return None, None
    try:
        at, id_ = orjson.loads(base64.urlsafe_b64decode(cursor))
        return datetime.fromisoformat(at), storable_id(id_)
    except (ValueError, TypeError) as error:
        message = "this cursor is not one that precis gave; start again without it"
        raise InvalidInput(message, field="cursor") from error


def storable_id(id_: object) -> str:
    """An id out of a cursor. Raises ValueError."""
    if not isinstance(id_, str) or "\0" in id_:
        raise ValueError("not an id")
    return id_
