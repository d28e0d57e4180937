"""Items of a LangGraph store as memories and back, and what a search holds against them. Pure."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from langgraph.store.base import Item, MatchCondition, PutOp, SearchItem, get_text_at_path

from precis.agents.person import TEXTS, Metadata, Namespace, label_of
from precis.app.redis.long_term import LabelChange
from precis.memory import Memory

#: ``metadata.kind`` of what no search finds by its words; and its type, which no cluster takes.
_UNSEARCHED = {"kind": "unsearched"}


class ItemChange(LabelChange):
    """The same as an edit of a memory."""

    metadata: Metadata | None = None


def fields_of(op: PutOp, user_id: str, fields: Sequence[str] | None) -> dict[str, Any]:
    """What is written of an item: its words as the text, all of it as metadata."""
    value = dict(op.value or {})
    words = None if op.index is False else words_of(value, fields if op.index is None else op.index)
    item = {"key": op.key, "namespace": list(op.namespace), "value": value}
    searched = {"type": None} if words else {"type": "smalltalk"}
    return {
        "text": words or words_of(value, None),
        "user_id": user_id,
        "source_class": "agent",
        "namespace": label_of(op.namespace),
        "metadata": {"item": item | ({"ttl": op.ttl} if op.ttl is not None else {})} | ({} if words else _UNSEARCHED),
        **searched,
    }


def words_of(value: Mapping[str, Any], fields: Sequence[str] | None) -> str:
    """The text at these paths; where none are named, the words of a memory, else all of it as JSON."""
    if fields is not None:
        return _storable("\n".join(text for field in fields for text in get_text_at_path(value, field))).strip()
    for name in TEXTS:
        words = value.get(name)
        if isinstance(words, str) and _storable(words).strip():
            return _storable(words)
    return _storable(json.dumps(value, ensure_ascii=False, default=str))


def _storable(text: str) -> str:
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def item_of(memory: Memory) -> Item | None:
    """The item that a memory was put as; None for one that did not come from a store, or whose text has expired."""
    kept = memory.metadata.get("item")
    if not isinstance(kept, Mapping):
        return None
    return Item(
        value=dict(kept["value"]), key=kept["key"], namespace=tuple(kept["namespace"]), created_at=memory.created_at,
        updated_at=memory.updated_at,
    )  # fmt: skip


def is_searched(memory: Memory) -> bool:
    """Whether a query may find it by its words."""
    return memory.metadata.get("kind") != _UNSEARCHED["kind"]


def answered(memory: Memory, score: float | None, prefix: Namespace) -> SearchItem:
    """A memory as a search in that namespace answers it; a summary by its text and its sources."""
    item = item_of(memory)
    if item is not None:
        return SearchItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, score)
    value = {"text": memory.text or "", "sources": list(memory.parent_id)}
    return SearchItem(prefix, memory.id, value, memory.created_at, memory.updated_at, score)


def ttl_of(memory: Memory) -> float | None:
    """How many minutes an item stays behind its last use; None for ever."""
    kept = memory.metadata.get("item")
    ttl = kept.get("ttl") if isinstance(kept, Mapping) else None
    return float(ttl) if isinstance(ttl, int | float) else None


def is_over(memory: Memory, now: datetime) -> bool:
    """Whether its time is over."""
    ttl = ttl_of(memory)
    if ttl is None:
        return False
    # Divided, since a date so many minutes ahead may be none.
    return (now - max(memory.updated_at, memory.last_accessed or memory.updated_at)) / timedelta(minutes=1) >= ttl


def is_below(namespace: Namespace, prefix: Namespace) -> bool:
    """Whether the namespace is that one or in it."""
    return namespace[: len(prefix)] == tuple(prefix)


#: As LangGraph's own store compares: order is that of numbers.
_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, operand: bool(value == operand),
    "$ne": lambda value, operand: bool(value != operand),
    "$gt": lambda value, operand: _ordered(value, operand, lambda a, b: a > b),
    "$gte": lambda value, operand: _ordered(value, operand, lambda a, b: a >= b),
    "$lt": lambda value, operand: _ordered(value, operand, lambda a, b: a < b),
    "$lte": lambda value, operand: _ordered(value, operand, lambda a, b: a <= b),
}


def _ordered(value: Any, operand: Any, holds: Callable[[Any, Any], bool]) -> bool:
    """By number where both are numbers or say one, else by text; what has no order fits nothing."""
    try:
        return holds(float(value), float(operand))
    except (TypeError, ValueError):
        return isinstance(value, str) and isinstance(operand, str) and holds(value, operand)


def passes(value: Mapping[str, Any], rules: Mapping[str, Any] | None) -> bool:
    """Whether every rule holds of the value. Raises ValueError for an operator that nobody knows."""
    return all(_fits(value.get(name), rule) for name, rule in (rules or {}).items())


def _fits(value: Any, rule: Any) -> bool:
    if isinstance(rule, Mapping):
        if any(name.startswith("$") for name in rule):
            return all(_rule(name)(value, operand) for name, operand in rule.items())
        return isinstance(value, Mapping) and all(_fits(value.get(name), part) for name, part in rule.items())
    if isinstance(rule, list | tuple):
        return isinstance(value, list | tuple) and len(value) == len(rule) and all(map(_fits, value, rule))
    return bool(value == rule)


def _rule(name: str) -> Callable[[Any, Any], bool]:
    if name not in _RULES:
        raise ValueError(f"Unsupported operator: {name}; there are {', '.join(_RULES)}")
    return _RULES[name]


def matches(namespace: Namespace, conditions: Collection[MatchCondition]) -> bool:
    """Whether the namespace begins and ends as it has to; ``*`` is any label."""
    return all(_matches(namespace, condition) for condition in conditions)


def _matches(namespace: Namespace, condition: MatchCondition) -> bool:
    path: Sequence[str] = condition.path
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(pattern in ("*", label) for pattern, label in zip(path, part, strict=True))
