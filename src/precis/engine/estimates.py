"""What a plan would take, without a call: input tokens from the stubs, output from the limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.engine.ports import TokenCounter
from precis.engine.segments import Leaf, Node

#: What the answer format and its instructions add to a prompt.
_FORMAT = 220
#: How much longer an answer is than its statements: JSON, citations, importance.
_JSON = 1.6


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """Calls and tokens of a plan."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


def estimate(plan: Plan, policy: Policy, count: TokenCounter) -> Estimate:
    """Sum over the nodes to be made, from the leaves up."""
    sizes: dict[bytes, int] = {}
    total = Estimate()
    for step in plan.steps:
        node = step.node
        read = min(policy.budget.prompt_tokens, sum(_size(child, plan, sizes) for child in node.children))
        limit = policy.budget.for_kind(node.kind, read)
        sizes[node.key] = min(limit, read)
        total = Estimate(
            calls=total.calls + 1,
            tokens_in=total.tokens_in + read + count(policy.summarize.for_kind(node.kind)) + _FORMAT,
            tokens_out=total.tokens_out + round(sizes[node.key] * _JSON),
        )
    return total


def _size(child: Leaf | Node, plan: Plan, sizes: Mapping[bytes, int]) -> int:
    if isinstance(child, Leaf):
        return child.tokens
    stub = plan.standing.get(child.key)
    return stub.tokens if stub is not None else sizes.get(child.key, 0)
