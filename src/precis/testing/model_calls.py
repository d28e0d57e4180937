"""What the model server remembers of each call: for tests to inspect and for measurements to add up."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Records kept; totals go on.
KEPT = 20_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One call as the server saw it."""

    id: str
    #: chat or embeddings
    endpoint: str
    model: str
    #: json_schema, tool, json_object or plain; what the caller asked for.
    format: str
    #: ``ok``, or the behavior that spoiled the answer, e.g. ``truncated`` or ``status 503``.
    outcome: str
    #: Billed tokens: zero where the server answered with an error status.
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    #: Contents of the messages, or the inputs, one after the other.
    prompt: str = ""
    #: Content of the answer as sent.
    answer: str = ""
    #: The request's body as received.
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    """Totals since the start or the last reset."""

    calls: int = 0
    chat_calls: int = 0
    embedding_calls: int = 0
    #: Calls that were not answered ``ok``.
    spoiled: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    #: Most calls in progress at once.
    most_at_once: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)


class Calls:
    """The records and their totals."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget every call; those in progress are still counted as in progress."""
        self.records: deque[Record] = deque(maxlen=KEPT)
        self._totals: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._most = 0

    def started(self, in_progress: int) -> None:
        """Note how many calls are in progress now."""
        self._most = max(self._most, in_progress)

    def add(self, record: Record) -> None:
        """One more call has ended."""
        self.records.append(record)
        self._outcomes[record.outcome] += 1
        self._totals["calls"] += 1
        self._totals["chat_calls" if record.endpoint == "chat" else "embedding_calls"] += 1
        self._totals["spoiled"] += record.outcome != "ok"
        self._totals["tokens_in"] += record.tokens_in
        self._totals["tokens_out"] += record.tokens_out
        self._totals["tokens_cached"] += record.tokens_cached

    @property
    def stats(self) -> Stats:
        """The totals now."""
        return Stats(**dict(self._totals), most_at_once=self._most, outcomes=dict(self._outcomes))
