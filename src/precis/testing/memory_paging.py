"""Filters and pages in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from precis.errors import InvalidInput
from precis.memory import Memory, Scope
from precis.store.ports import Filter, Page

T = TypeVar("T")


def matches(memory: Memory, chosen: Filter) -> bool:
    """Whether the row is among the chosen ones."""
    asked = {
        "namespace": chosen.namespace,
        "session_id": chosen.session_id,
        "agent_id": chosen.agent_id,
        "run_id": chosen.run_id,
        "memory_type": chosen.memory_type,
        "extracted_type": chosen.extracted_type,
        "is_summary": chosen.is_summary,
    }
    return in_scope(memory.scope, chosen) and all(
        wanted is None or getattr(memory, name) == wanted for name, wanted in asked.items()
    )


def in_scope(scope: Scope, chosen: Filter) -> bool:
    """Whether user, project and environment are the chosen ones."""
    pairs = [
        (chosen.user_id, scope.user_id),
        (chosen.project_id, scope.project_id),
        (chosen.environment, scope.environment),
    ]
    return all(wanted is None or wanted == there for wanted, there in pairs)


def page(rows: Iterable[T], place: Callable[[T], tuple[datetime, str]], *, limit: int, cursor: str | None) -> Page[T]:
    """The rows that come after the cursor in descending order of their places."""
    before = _read(cursor) if cursor is not None else None
    ordered = sorted(rows, key=place, reverse=True)
    after = [row for row in ordered if before is None or place(row) < before]
    shown = after[:limit]
    more = len(after) > len(shown) and shown
    return Page(rows=tuple(shown), next_cursor=_written(place(shown[-1])) if more else None)


def _written(place: tuple[datetime, str]) -> str:
    return f"{place[0].isoformat()} {place[1]}"


def _read(cursor: str) -> tuple[datetime, str]:
    moment, _, id_ = cursor.partition(" ")
    try:
        return datetime.fromisoformat(moment), id_
    except ValueError as error:
        message = f"{cursor!r} is not a cursor that a list has answered"
        raise InvalidInput(message, field="cursor") from error
