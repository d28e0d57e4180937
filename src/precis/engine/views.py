"""A view: a declared GROUP BY over memories, as a value. Which memories it takes and in which partition; pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from precis.engine.view_filters import FILTER_KEYS, VALUES_OF, Conditions, parse
from precis.errors import InvalidInput
from precis.memory import Memory

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
        wanted = self.conditions.words.get("user_id")
        users = frozenset(wanted.one_of() or ()) if wanted else frozenset()
        return next(iter(users)) if len(users) == 1 else ""

    def place_name(self, labels: Mapping[str, str]) -> str:
        """What its partition is called among the groups of a scope."""
        return f"{self.id}:{labels_hash(labels)}"


def labels_hash(labels: Mapping[str, str]) -> str:
    """The same values are the same partition, in whatever order they come."""
    return blake2b(json.dumps(dict(labels), sort_keys=True).encode(), digest_size=16).hexdigest()
