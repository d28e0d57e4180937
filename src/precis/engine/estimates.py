"""What a plan would take, without a call: the very prompts are built and counted, answers follow the ledger's ratio.

The input of a node is exact where everything it reads stands. Where it reads a node that this plan makes first, that
node's statements are taken to be as long as the latest answers were. A judge is taken to hear about as many statements,
which cite everything that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from precis.engine.pipeline import Engine, standing_statements
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.engine.segments import Leaf, Node
from precis.engine.spending import Answers
from precis.engine.summarization import item_of, items_of_node, request_for
from precis.lineage import Statement
from precis.makers import DraftStatement, Item, Request, TokenCounter
from precis.memory import Memory

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


async def estimate(
    engine: Engine, plan: Plan, policy: Policy, answers: Answers, prompt_tokens: PromptCounter,
    judge_tokens: JudgeCounter | None = None,
) -> tuple[Estimate, Estimate]:  # fmt: skip
    """Of the drafts and of the judge: the sum over the nodes to be made, from the leaves up. Calls nobody."""
    ids = [child.id for step in plan.steps for child in step.node.children if isinstance(child, Leaf)]
    memories = await engine.groups.read_sources(plan.tenant_id, ids) if ids else {}
    said = await standing_statements(engine, plan)
    drafts, judging = Estimate(), Estimate()
    for step in plan.steps:
        items = _items(step.node, memories, said)
        request, _ = request_for(items, step.node.kind, policy=policy, count=engine.count)
        asked = min(request.max_tokens, request.tokens_read)
        drafts += Estimate(
            calls=1,
            tokens_in=prompt_tokens(request, engine.count),
            tokens_out=round(asked * answers.ratio(request.kind)),
        )
        texts = _statements(step.node, round(asked * answers.text_ratio(request.kind)))
        said[step.node.key] = texts
        if judge_tokens is not None:
            tokens_in, tokens_out = judge_tokens(_claims(texts, request), request, engine.count)
            judging += Estimate(calls=1, tokens_in=tokens_in, tokens_out=tokens_out)
    return drafts, judging


def _claims(texts: Sequence[Statement], request: Request) -> list[DraftStatement]:
    """Such statements as a judge hears them: together they cite every item; of prose, each sentence cites all."""
    number, items = len(texts), len(request.items)
    every = tuple(range(items))
    return [
        DraftStatement(
            text=one.text,
            importance=one.importance,
            sources=every if request.prose else every[items * at // number : max(1, items * (at + 1) // number)],
        )
        for at, one in enumerate(texts)
    ]


def _items(node: Node, memories: Mapping[str, Memory], said: Mapping[bytes, tuple[Statement, ...]]) -> list[Item]:
    """Everything the node would read; a source that left meanwhile counts with its size."""
    items: list[Item] = []
    for child in node.children:
        if isinstance(child, Node):
            items += items_of_node(child, said[child.key])
        elif child.id in memories:
            items.append(item_of(memories[child.id]))
        else:
            items.append(Item(text=_words(child.tokens), source_ids=(child.id,), created_at=child.created_at))
    return items


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
