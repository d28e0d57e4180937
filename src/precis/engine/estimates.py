"""What a plan would take, without a call: the very prompts are built and counted, answers follow the ledger's ratio.

The input of a node is exact where everything it reads stands. Where it reads a node that this plan makes first, that
node's statements are taken to be as long as the latest answers were. A judge is taken to hear about as many statements,
which cite everything that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from precis.engine.commit import MadeNode, NodeContent
from precis.engine.draft import Reader, walk
from precis.engine.keeping import Below
from precis.engine.node import request_for
from precis.engine.plan import Plan
from precis.engine.segments import Leaf, Node
from precis.engine.spending import Answers
from precis.makers import DraftStatement, Item, Request, TokenCounter, Usage
from precis.summary import Statement

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
        return Estimate(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost=self.cost + other.cost,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sized:
    """Reads as another does; a source that left meanwhile counts with its size."""

    stored: Reader

    async def items(self, leaves: Sequence[Leaf]) -> Mapping[str, Item]:
        """What is stored, and words without a meaning for what is gone."""
        placeholders = {
            leaf.id: Item(text=_words(leaf.tokens), source_ids=(leaf.id,), created_at=leaf.created_at)
            for leaf in leaves
        }
        return placeholders | dict(await self.stored.items(leaves))

    async def contents(self, node_ids: Sequence[str]) -> Mapping[str, NodeContent]:
        """As stored."""
        return await self.stored.contents(node_ids)


async def estimate(
    plan: Plan, read: Reader, *, count: TokenCounter, answers: Answers, prompt_tokens: PromptCounter,
    judge_tokens: JudgeCounter | None = None,
) -> tuple[Estimate, Estimate]:  # fmt: skip
    """Of the drafts and of the judge: the sum over the nodes to be made, from the leaves up. Calls nobody."""
    drafts: list[Estimate] = []
    judging: list[Estimate] = []

    async def make(node: Node, items: Sequence[Item], below: Below) -> MadeNode:
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
        return MadeNode(
            node=node, statements=statements, definition=plan.definition, made_by="", fallback=False, quality=1.0,
            tokens=0, usage=Usage(),
        )  # fmt: skip

    await walk(plan, _Sized(stored=read), make)
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


def _statements(node: Node, tokens: int) -> tuple[Statement, ...]:
    """Statements of this length in all, over the sources of the node one after the other."""
    sources, number = node.leaves(), max(1, round(tokens / _STATEMENT))
    return tuple(
        Statement(text=_words(tokens // number), importance=0.5, source_ids=(sources[len(sources) * at // number].id,))
        for at in range(number)
    )


def _words(tokens: int) -> str:
    """A text of so many tokens."""
    return " ".join(["word"] * max(1, tokens))
