"""What of a conversation goes into its summary now, and what of it fits a budget. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from precis.engine.budget import shorten
from precis.engine.conversation import Message, cuts, tokens_of, turns
from precis.engine.sizes import Limits, Unit
from precis.lineage import Statement
from precis.makers import TokenCounter


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What the check says of the messages that no summary speaks for."""

    #: How many of them, from the oldest, the summary is to speak for; 0: nothing to do.
    hand_over: int
    #: Which limit was passed; empty when none was.
    reason: str = ""

    @property
    def needed(self) -> bool:
        """Whether a summary is to be made."""
        return self.hand_over > 0


def check(messages: Sequence[Message], limits: Limits, *, summary_tokens: int = 0) -> Verdict:
    """Whether these messages are too many, and how many of them go into the summary.

    The newest ``limits.keep`` stay. The cut moves back to where a turn begins, or where nothing belongs together, so
    that more stays rather than less.
    """
    reason = limits.exceeded(len(messages), tokens_of(messages), summary_tokens=summary_tokens)
    if reason is None:
        return Verdict(hand_over=0)
    patient = limits.exceeded(len(messages), tokens_of(messages), times=limits.patience) is None
    places = cuts(messages, settled=not patient)
    latest = _latest(messages, limits)
    possible = [place for place in places if 0 < place <= latest]
    begins = [place for place in turns(messages, possible) if not _exceeded(messages[place:], limits)]
    return Verdict(hand_over=max(begins or possible, default=0), reason=reason)


def _exceeded(messages: Sequence[Message], limits: Limits) -> bool:
    return limits.exceeded(len(messages), tokens_of(messages)) is not None


def _latest(messages: Sequence[Message], limits: Limits) -> int:
    """The last place where a cut leaves what is to be kept: of tokens at least the newest message."""
    if limits.keep.unit is Unit.MESSAGES:
        return len(messages) - int(limits.keep.amount)
    left = limits.kept_tokens - tokens_of(messages[-1:])
    for place in range(len(messages) - 1, 0, -1):
        left -= messages[place - 1].tokens
        if left < 0:
            return place
    return 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """What fits a budget."""

    statements: tuple[Statement, ...]
    messages: tuple[Message, ...]
    tokens: int
    #: Statements, and messages, that did not fit.
    statements_left: int = 0
    messages_left: int = 0


def fit(
    statements: Sequence[Statement],
    messages: Sequence[Message],
    *,
    budget: int,
    count: TokenCounter,
    dates: Mapping[str, datetime] | None = None,
) -> Fitted:
    """The summary and the newest messages within ``budget`` tokens; the summary may have half, or what is left over.

    Messages that belong together come together or not at all; only the very newest is shortened where it alone is
    over the budget.
    """
    share = max(budget // 2, budget - tokens_of(messages))
    said = bounded(statements, limit=share, count=count, dates=dates or {})
    spent = sum(count(one.text) for one in said)
    kept = newest(messages, budget=budget - spent, count=count)
    return Fitted(
        statements=said,
        messages=kept,
        tokens=spent + tokens_of(kept),
        statements_left=len(statements) - len(said),
        messages_left=len(messages) - len(kept),
    )


def newest(messages: Sequence[Message], *, budget: int, count: TokenCounter) -> tuple[Message, ...]:
    """The newest messages that fit, without parting what belongs together."""
    places = cuts(messages, settled=True)
    start = len(messages)
    for place in reversed(places):
        if tokens_of(messages[place:]) > budget:
            break
        start = place
    if start == len(messages) and messages and budget > 0:
        return (_shortened(messages[-1], budget, count),)
    return tuple(messages[start:])


def _shortened(message: Message, budget: int, count: TokenCounter) -> Message:
    text = shorten(message.text, budget, count)
    # What is left of a call can no longer be run, and what is left of a payload is none: the text says what it was.
    return replace(message, text=text, tokens=count(text), payload=None, opens=(), closes=(), shortened=True)


def bounded(
    statements: Sequence[Statement], *, limit: int, count: TokenCounter, dates: Mapping[str, datetime]
) -> tuple[Statement, ...]:
    """Those that are worth most, in their order, worth at most ``limit`` tokens: importance first, then how recent."""
    sizes = [count(one.text) for one in statements]
    if sum(sizes) <= limit:
        return tuple(statements)
    by_age = sorted(range(len(statements)), key=lambda at: (_dated(statements[at], dates), at))
    # The newest counts for as much as a fifth of importance: recent enough to break near ties, no more.
    recency = {at: place / max(1, len(statements) - 1) for place, at in enumerate(by_age)}
    worth = sorted(range(len(statements)), key=lambda at: statements[at].importance + 0.2 * recency[at], reverse=True)
    chosen, left = set(), limit
    for at in worth:
        if sizes[at] <= left:
            chosen.add(at)
            left -= sizes[at]
    return tuple(one for at, one in enumerate(statements) if at in chosen)


def _dated(statement: Statement, dates: Mapping[str, datetime]) -> float:
    return max((dates[id_].timestamp() for id_ in statement.source_ids if id_ in dates), default=0.0)
