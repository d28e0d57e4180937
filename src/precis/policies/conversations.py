"""Conversations: the messages that left the context, as statements; extended as more of them leave.

The limits say how much of a conversation stays verbatim, ``check`` what goes into its summary now, and ``fit`` what of
both fits a budget. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from precis.conversation import POLICY, Message, cuts, tokens_of, turns
from precis.engine.budget import bounded, shorten
from precis.engine.policy import Budget, Instruction, Policy, Selection, Trigger
from precis.engine.segments import Leaf, Shape
from precis.language.dates import in_words
from precis.language.newest.corrections import Turn, settled
from precis.language.newest.taken_back import bound
from precis.makers import Aim, TokenCounter
from precis.memory import MemoryType, Tier
from precis.prompts import load
from precis.sizes import Size, Unit
from precis.summary import Fate, Statement


def conversations(*, summary_tokens: int = 800, title_model: str | None = None) -> Policy:
    """The policy with these settings."""
    return Policy(
        name=POLICY,
        tier=Tier.CONVERSATION,
        trigger=Trigger(min_members=1),
        select=Selection(memory_types=frozenset({MemoryType.MESSAGE}), without=frozenset(), without_kinds=frozenset()),
        # Long stretches condensed once and merged without loss keep more of the beginning than short ones condensed at
        # every level: benchmarks/extensions.py.
        shape=Shape(segment_tokens=2000, segment_limit=4000, small_tokens=3000, fan=16, fan_limit=32),
        budget=Budget(
            prompt_tokens=10_000,
            item_tokens=2_000,
            summary_tokens=summary_tokens,
            segment_share=0.12,
            merge_share=1.0,
            node_tokens=4 * summary_tokens,
        ),
        summarize=Instruction(
            summary=load("conversation"),
            segment=load("segment"),
            merge=load("prefix"),
            aim=Aim.FACTS,
            title=load("title"),
            title_model=title_model,
        ),
        splits=True,
        of_nothing=passed_the_time,
        orders_first=True,
    )


def passed_the_time(leaves: Sequence[Leaf], fates: Mapping[str, Fate]) -> Statement:
    """The line for messages of which nothing is told, so that they leave the context: how many they were, and when.

    Those that may tell something are left out: the line rests on the first and the last, whose days it names.
    """
    untold = any(leaf.id not in fates for leaf in leaves)
    questions = [fates.get(leaf.id) is Fate.QUESTION for leaf in leaves]
    what = "Questions" if all(questions) else "Small talk and questions" if any(questions) else "Small talk"
    by_age = sorted(leaves, key=lambda leaf: leaf.created_at)
    days = [leaf.created_at.date() for leaf in by_age]
    first, last = days[0], in_words(days[-1])
    begins = str(first.day) if (first.year, first.month) == (days[-1].year, days[-1].month) else in_words(first)
    when = last if first == days[-1] else f"{begins} to {last}"
    what = "Nothing is told here" if untold else what
    resting = dict.fromkeys((by_age[0].id, by_age[-1].id)) if untold else [leaf.id for leaf in leaves]
    return Statement(
        text=f"{what}, {len(leaves)} message{'s' if len(leaves) > 1 else ''}, {when}.", importance=0.0,
        source_ids=tuple(resting),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """When a conversation is summarized, and what stays verbatim."""

    #: Over any one of these a summary is due.
    triggers: tuple[Size, ...] = (Size(amount=20, unit=Unit.MESSAGES), Size(amount=4000, unit=Unit.TOKENS))
    keep: Size = field(default=Size(amount=4, unit=Unit.MESSAGES))
    #: Of the model, in tokens: what a share is a share of, and what a context must fit.
    window: int = 128_000
    #: Tokens of the summary.
    summary_tokens: int = 800
    #: Seconds the message path waits for a summary.
    deadline: float = 10.0
    #: Messages that are read whatever the summary covers, where ``keep`` is no number of messages.
    least: int = 4
    #: A call nobody settles holds back what follows it, until this many times a trigger has gathered.
    patience: int = 4

    def exceeded(self, messages: int, tokens: int, *, summary_tokens: int = 0, times: float = 1.0) -> str | None:
        """Which trigger these figures are over, in words; None when they are over none.

        ``messages`` and ``tokens`` are what no summary speaks for; a share of the window counts the summary too.
        """
        for size in self.triggers:
            is_share = size.unit is Unit.WINDOW
            limit = times * (size.amount * self.window if is_share else size.amount)
            amount = messages if size.unit is Unit.MESSAGES else tokens + (summary_tokens if is_share else 0)
            if amount > limit:
                return f"{amount} {Unit.TOKENS if is_share else size.unit}, over {size}"
        return None

    @property
    def at_least(self) -> int:
        """Messages that are loaded whatever the summary covers."""
        return int(self.keep.amount) if self.keep.unit is Unit.MESSAGES else self.least

    @property
    def kept_tokens(self) -> float:
        """Tokens that stay verbatim, where that is how much to keep."""
        return self.keep.amount * (self.window if self.keep.unit is Unit.WINDOW else 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class HandOver:
    """How many of the messages that no summary speaks for a summary is to speak for now."""

    #: How many of them, from the oldest, the summary is to speak for; 0: nothing to do.
    hand_over: int
    #: Which limit was passed; empty when none was.
    reason: str = ""

    @property
    def needed(self) -> bool:
        """Whether a summary is to be made."""
        return self.hand_over > 0


def check(messages: Sequence[Message], limits: Limits, *, summary_tokens: int = 0) -> HandOver:
    """Whether these messages are too many, and how many of them go into the summary.

    The newest ``limits.keep`` stay. The cut moves back to where a turn begins, or where nothing belongs together, so
    that more stays rather than less: nor is what somebody takes back parted from what takes it back.
    """
    reason = limits.exceeded(len(messages), tokens_of(messages), summary_tokens=summary_tokens)
    if reason is None:
        return HandOver(hand_over=0)
    patient = limits.exceeded(len(messages), tokens_of(messages), times=limits.patience) is None
    taken = _taken_back(messages)
    places = [
        place
        for place in cuts(messages, settled=not patient)
        if not any(first < place <= last for first, last in taken)
    ]
    latest = _latest(messages, limits)
    possible = [place for place in places if 0 < place <= latest]
    begins = [place for place in turns(messages, possible) if not _exceeded(messages[place:], limits)]
    return HandOver(hand_over=max(begins or possible, default=0), reason=reason)


def _taken_back(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """The places of messages that others take back or put right, each with that of the last of those.

    Of two summaries one would tell the first without them. Stored messages do not say by name who speaks.
    """
    talk = [Turn(message.text, message.role, message.created_at) for message in messages]
    return [(min(told.of), max(told.of)) for read in (settled, bound) for told in read(talk) if len(told.of) > 1]


def _exceeded(messages: Sequence[Message], limits: Limits) -> bool:
    return limits.exceeded(len(messages), tokens_of(messages)) is not None


def _latest(messages: Sequence[Message], limits: Limits) -> int:
    """The last place where a cut leaves what is to be kept: of tokens at least the newest message."""
    if limits.keep.unit is Unit.MESSAGES:
        return len(messages) - int(limits.keep.amount)
    rest = limits.kept_tokens - tokens_of(messages[-1:])
    for place in range(len(messages) - 1, 0, -1):
        rest -= messages[place - 1].tokens
        if rest < 0:
            return place
    return 0


@dataclass(frozen=True, kw_only=True, slots=True)
class FittedContext:
    """What fits a budget."""

    statements: tuple[Statement, ...]
    messages: tuple[Message, ...]
    tokens: int


def fit(
    statements: Sequence[Statement], messages: Sequence[Message], *, budget: int, count: TokenCounter
) -> FittedContext:
    """The summary and the newest messages within ``budget`` tokens; the summary may have half, or what is left over.

    Messages that belong together come together or not at all; only the very newest is shortened where it alone is
    over the budget.
    """
    share = max(budget // 2, budget - tokens_of(messages))
    fitting = bounded(statements, limit=share, count=count, dates={})
    spent = sum(count(statement.text) for statement in fitting)
    kept = newest(messages, budget=budget - spent, count=count)
    return FittedContext(statements=fitting, messages=kept, tokens=spent + tokens_of(kept))


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
