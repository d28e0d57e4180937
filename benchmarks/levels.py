"""Facts kept by a summary several levels deep against one made straight from the sources, at the same length.

Each shared conversation is one group. "One level" reads every turn in one prompt; "segments" goes through the tree of
the engine (segments, folds, prefix, root). Token recall and full answers as in benchmarks/retention.py, over the
whole conversation.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from precis.engine.draft import InHand, draft
from precis.engine.node import Makers
from precis.engine.plan import plan_over
from precis.engine.policy import Budget, Policy
from precis.engine.segments import Leaf, Node
from precis.evaluation.measures import recall
from precis.extractive.summarizer import Extractive
from precis.makers import Item, Request
from precis.models.tokens import counter
from precis.policies.clusters import clusters
from retention import content, load, questions

count = counter()


def leaf(item: Item, at: int) -> Leaf:
    """A turn as the plan sees it; ties of a session's time are broken by its number."""
    key = blake2b(f"{item.source_ids}{item.text}".encode(), digest_size=16).digest()
    return Leaf(id=f"{at:06}", created_at=item.created_at, fingerprint=key, tokens=count(item.text) + 9)


async def by_tree(items: Sequence[Item], policy: Policy) -> tuple[str, int]:
    """The root's text and the depth of the tree."""
    by_id = {f"{at:06}": replace(item, source_ids=(f"{at:06}",)) for at, item in enumerate(items)}
    plan = plan_over(policy, [leaf(item, at) for at, item in enumerate(items)])
    extractive = Extractive()
    makers = Makers(summarizer=extractive, fallback=extractive, count=count)
    drafted = await draft(plan, InHand(known=by_id), makers=makers)
    return " ".join(s.text for s in drafted.root.statements), depth(drafted.root.node)


def depth(node: Node) -> int:
    """How many summaries lie between a source and the root's text."""
    below = [depth(child) for child in node.children if isinstance(child, Node)]
    return 1 + max(below, default=0)


async def at_once(items: Sequence[Item], policy: Policy) -> str:
    """The same length, straight from the turns."""
    request = Request(items=tuple(items), max_tokens=policy.budget.summary_tokens, prompt="")
    return " ".join(s.text for s in (await Extractive().summarize(request)).statements)


def budgets(tokens: int) -> dict[str, Budget]:
    """The default, and a tenth of the group at every level."""
    return {
        "default": Budget(),
        "a tenth": Budget(
            prompt_tokens=1_000_000,
            summary_tokens=tokens // 10,
            segment_share=0.3,
            merge_share=0.6,
            node_tokens=1_000_000,
        ),
    }


async def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    path = parser.parse_args().data / "locomo" / "locomo.json"
    sessions = load(path)
    asked = questions(path, sessions)
    print("length    how        levels  token recall   full")
    for name in ("default", "a tenth"):
        kept: dict[str, list[frozenset[str]]] = {"one level": [], "segments": []}
        levels = 0
        for one in sessions:
            items = [item for number in sorted(one) for item in one[number]]
            budget = budgets(sum(count(item.text) for item in items))[name]
            policy = replace(clusters(), budget=budget)
            text, levels = await by_tree(items, policy)
            kept["segments"].append(content(text))
            kept["one level"].append(content(await at_once(items, policy)))
        for how, texts in kept.items():
            hits = [(q.answer, texts[q.conversation]) for q in asked]
            kept_words = sum(recall(a, got) for a, got in hits) / len(hits)
            full = sum(a <= got for a, got in hits) / len(hits)
            print(
                f"{name:9} {how:10} {levels if how == 'segments' else 1:6} {kept_words:13.3f} {full:6.3f}", flush=True
            )


if __name__ == "__main__":
    asyncio.run(main())
