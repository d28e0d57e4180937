"""What models may cost and took, and what a plan would take, without a call.

An estimate builds and counts the very prompts; answers follow the ledger's ratio. The input of a node is exact where
everything it reads stands. Where it reads a node that this plan makes first, that node's statements are taken to be as
long as the latest answers were. A judge is taken to hear about as many statements, which cite everything that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from precis.engine import draft, drafted, keeping, segments
from precis.engine.node import request_for
from precis.engine.plan import Plan
from precis.makers import DraftStatement, Item, Request, TokenCounter, Usage
from precis.summary import Statement

#: How much longer an answer is than its texts, until the ledger knows better: JSON, citations, importance.
_JSON = 1.6
#: How many tokens of real answers weigh as much as that guess.
_GUESS_WEIGHS = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Lengths:
    """Sums over some good answers."""

    #: Tokens that their texts could have had: what was read or the stated limit, whichever is less.
    allowed: int = 0
    #: Tokens that they had, JSON included.
    written: int = 0

    def ratio(self, guess: float) -> float:
        """Tokens written for each one asked for; the fewer there were, the nearer to the guess."""
        return (self.written + guess * _GUESS_WEIGHS) / (self.allowed + _GUESS_WEIGHS)


@dataclass(frozen=True, slots=True)
class Answers:
    """The latest good answers of a model under one policy, by the kind of node they are for."""

    by_kind: Mapping[str, Lengths] = field(default_factory=dict)

    def ratio(self, kind: str) -> float:
        """Tokens of an answer for each one asked for; a kind not yet seen is taken to be like the others."""
        seen = self.by_kind.values()
        overall = Lengths(allowed=sum(sums.allowed for sums in seen), written=sum(sums.written for sums in seen))
        return self.by_kind.get(kind, Lengths()).ratio(overall.ratio(_JSON))

    def text_ratio(self, kind: str) -> float:
        """The same for the texts alone, which a node above will read: they keep to their limit."""
        return min(1.0, self.ratio(kind) / _JSON)


@dataclass(frozen=True, kw_only=True, slots=True)
class CallRow:
    """One model call as the ledger has it: ids and figures, never a text."""

    call_id: str
    policy: str
    group_id: str
    #: The summary of that group today; None where none stands.
    summary_id: str | None
    model: str
    #: reserved, settled or lost
    state: str
    #: ``ok`` or what went wrong; None while the call is under way.
    outcome: str | None
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    #: US dollars; of a call under way what it may take at most, of a lost one what it might have taken.
    cost: float
    latency_ms: int | None
    created_at: datetime


class Ledger(Protocol):
    """What has been spent."""

    async def costs(self, tenant_id: str) -> Sequence[Mapping[str, Any]]:
        """Spending by policy and month, newest month first."""

    async def calls(self, tenant_id: str, *, limit: int) -> Sequence[CallRow]:
        """The latest calls, newest first."""

    async def spent(self, tenant_id: str) -> float:
        """US dollars of this month, with what calls under way may take."""

    async def answers(self, tenant_id: str, *, policy: str, model: str) -> Answers:
        """How long the latest good answers were."""


class NoLedger:
    """The ledger of a precis that calls no model."""

    async def costs(self, tenant_id: str) -> Sequence[Mapping[str, Any]]:
        """Nothing was spent."""
        del tenant_id
        return []

    async def calls(self, tenant_id: str, *, limit: int) -> Sequence[CallRow]:
        """Nobody was called."""
        del tenant_id, limit
        return []

    async def spent(self, tenant_id: str) -> float:
        """Nothing."""
        del tenant_id
        return 0.0

    async def answers(self, tenant_id: str, *, policy: str, model: str) -> Answers:
        """None yet."""
        del tenant_id, policy, model
        return Answers()


@dataclass(frozen=True, kw_only=True, slots=True)
class Guards:
    """Limits of each tenant. They hold over all processes: what they count lies in the database."""

    #: US dollars a calendar month (UTC); None is no ceiling.
    monthly_ceiling: float | None = None
    #: The part of the ceiling that only re-derivation after forgetting or an edit may use.
    kept_share: float = 0.1
    #: Model calls under way at once, inline ones included, and groups that one run refreshes at once.
    concurrent_jobs: int = 3
    #: How long a call waits for its turn before its group is left to a worker.
    slot_wait: timedelta = timedelta(seconds=10)
    #: A reservation older than this belongs to a call nobody waits for: it is settled as spent. Longer than any call.
    reservation_lasts: timedelta = timedelta(seconds=120)
    #: Between the end of one scheduler run and the beginning of the next.
    cooldown: timedelta = timedelta(minutes=2)
    #: Groups of one user and project that one scheduler run refreshes.
    jobs_per_run: int = 20

    def may_spend(self, cost: float, *, spent: float, rederives: bool) -> bool:
        """Whether a call that costs at most this fits under the ceiling, with what this month's calls took."""
        if self.monthly_ceiling is None:
            return True
        share = 1.0 if rederives else 1.0 - self.kept_share
        return spent + cost <= self.monthly_ceiling * share


def month_of(moment: datetime) -> datetime:
    """When the month of this moment began, in UTC: spending starts anew there."""
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


# --- estimates ---

#: Counts the input tokens of the call for a request.
PromptCounter = Callable[[Request, TokenCounter], int]
#: Counts the input and output tokens of a judge's call about some statements on a request.
JudgeCounter = Callable[[Sequence[DraftStatement], Request, TokenCounter], tuple[int, int]]
#: Tokens of one statement, where there is none to look at yet.
_STATEMENT = 25


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """Calls and tokens of a plan, and US dollars; offline the calls are drafts that cost nothing."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        """Both together."""
        return Estimate(**{part.name: getattr(self, part.name) + getattr(other, part.name) for part in fields(self)})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sized:
    """Reads as another does; a source that left meanwhile counts with its size."""

    stored: draft.Reader

    async def items(self, leaves: Sequence[segments.Leaf]) -> Mapping[str, Item]:
        """What is stored, and words without a meaning for what is gone."""
        placeholders = {
            leaf.id: Item(text=_words(leaf.tokens), source_ids=(leaf.id,), created_at=leaf.created_at)
            for leaf in leaves
        }
        return placeholders | dict(await self.stored.items(leaves))

    async def contents(self, node_ids: Sequence[str]) -> Mapping[str, drafted.NodeContent]:
        """As stored."""
        return await self.stored.contents(node_ids)

    async def titles(self, group_id: str) -> Collection[str]:
        """As stored."""
        return await self.stored.titles(group_id)


async def estimate(
    plan: Plan, read: draft.Reader, *, count: TokenCounter, answers: Answers, prompt_tokens: PromptCounter,
    judge_tokens: JudgeCounter | None = None,
) -> tuple[Estimate, Estimate]:  # fmt: skip
    """Of the drafts and of the judge: the sum over the nodes to be made, from the leaves up. Calls nobody."""
    drafts: list[Estimate] = []
    judging: list[Estimate] = []

    async def make(node: segments.Node, items: Sequence[Item], below: keeping.Below) -> drafted.MadeNode:
        del below
        request, _ = request_for(items, node, plan=plan, count=count)
        limit = min(request.max_tokens, request.tokens_read)
        drafts.append(
            Estimate(
                calls=1,
                tokens_in=prompt_tokens(request, count),
                tokens_out=round(limit * answers.ratio(request.kind)),
            )
        )
        statements = _statements(node, round(limit * answers.text_ratio(request.kind)))
        if judge_tokens is not None:
            tokens_in, tokens_out = judge_tokens(_claims(statements, request), request, count)
            judging.append(Estimate(calls=1, tokens_in=tokens_in, tokens_out=tokens_out))
        return drafted.MadeNode(
            node=node, statements=statements, definition=plan.definition, made_by="", fallback=False, quality=1.0,
            tokens=0, usage=Usage(),
        )  # fmt: skip

    await draft.walk(plan, _Sized(stored=read), make)
    return sum(drafts, start=Estimate()), sum(judging, start=Estimate())


def _claims(statements: Sequence[Statement], request: Request) -> list[DraftStatement]:
    """Such statements as a judge hears them: together they cite every item; of prose, each sentence cites all."""
    number, items = len(statements), len(request.items)
    every = tuple(range(items))
    return [
        DraftStatement(
            text=statement.text,
            importance=statement.importance,
            sources=every if request.prose else every[items * at // number : max(1, items * (at + 1) // number)],
        )
        for at, statement in enumerate(statements)
    ]


def _statements(node: segments.Node, tokens: int) -> tuple[Statement, ...]:
    """Statements of this length in all, over the sources of the node one after the other."""
    sources, number = node.leaves(), max(1, round(tokens / _STATEMENT))
    return tuple(
        Statement(text=_words(tokens // number), importance=0.5, source_ids=(sources[len(sources) * at // number].id,))
        for at in range(number)
    )


def _words(tokens: int) -> str:
    """A text of so many tokens."""
    return " ".join(["word"] * max(1, tokens))
