"""Filters and pages in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from precis.criteria import LISTS, Words, fold, strategy_of, time_of
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
        "pinned": chosen.pinned,
    }
    return (
        in_scope(memory.scope, chosen)
        and (chosen.turns or memory.metadata.get("kind") != "turn")
        and all(wanted is None or getattr(memory, name) == wanted for name, wanted in asked.items())
        and all(_hold(memory, name, words) for name, words in chosen.words.items())
        and all(moments.hold(time_of(memory, name)) for name, moments in chosen.times.items())
    )


def _hold(memory: Memory, name: str, words: Words) -> bool:
    if name in LISTS:
        return words.folded().hold([fold(word) for word in getattr(memory, name)])
    return words.hold(_word(memory, name))


def _word(memory: Memory, name: str) -> tuple[str, ...]:
    """The one word of a field, or none."""
    if name == "extraction_strategy":
        return (strategy_of(memory.metadata) or "discrete",)
    word = memory.scope.user_id if name == "user_id" else getattr(memory, name)
    return () if word is None else (word,)


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
