"""Draft one node: gather its items, ask the summarizer, check the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from precis.engine.budget import fit
from precis.engine.checks import Checked, check
from precis.engine.commit import MadeNode
from precis.engine.policy import Policy
from precis.engine.ports import Item, Request, Summarizer, TokenCounter
from precis.engine.segments import Leaf, Node
from precis.errors import DraftFailed
from precis.lineage import Statement
from precis.memory import Memory


class DraftRejected(DraftFailed):
    """The draft did not pass the checks."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(f"the draft did not pass the checks: {', '.join(checked.reasons)}")
        self.checked = checked


def item_of(memory: Memory) -> Item:
    """A memory as an entry of a prompt."""
    return Item(
        text=memory.text or "",
        source_ids=(memory.id,),
        created_at=memory.created_at,
        speaker=memory.speaker,
        importance=memory.importance,
    )


def items_of_node(node: Node, statements: Sequence[Statement]) -> list[Item]:
    """The statements of a node as entries of its parent's prompt, dated by the newest source each rests on."""
    dates = {leaf.id: leaf.created_at for leaf in node.leaves()}
    newest = node.order[0]
    return [
        Item(
            text=s.text,
            source_ids=s.source_ids,
            created_at=max((dates[id_] for id_ in s.source_ids if id_ in dates), default=newest),
            importance=s.importance,
            derived=True,
        )
        for s in statements
        if s.superseded_by is None
    ]


def gather(
    node: Node, memories: Mapping[str, Memory], statements: Mapping[bytes, Sequence[Statement]]
) -> list[Item]:
    """Everything a node reads, oldest first."""
    items: list[Item] = []
    for child in node.children:
        if isinstance(child, Leaf):
            items.append(item_of(memories[child.id]))
        else:
            items += items_of_node(child, statements[child.key])
    return items


async def draft_node(
    node: Node,
    items: Sequence[Item],
    *,
    policy: Policy,
    definition: str,
    summarizer: Summarizer,
    count: TokenCounter,
    tenant_id: str,
    group_id: str,
) -> MadeNode:
    """One call and its check. Raises DraftRejected, or DraftFailed from the summarizer."""
    budget = policy.budget
    fitted = fit(items, prompt_tokens=budget.prompt_tokens, item_tokens=budget.item_tokens, count=count)
    tokens_read = sum(count(item.text) for item in fitted.items)
    draft = await summarizer.summarize(
        Request(
            items=fitted.items,
            max_tokens=budget.for_kind(node.kind, tokens_read),
            prompt=policy.summarize.for_kind(node.kind),
            aim=policy.summarize.aim,
            model=policy.summarize.model,
            tenant_id=tenant_id,
            policy=policy.name,
            group_id=group_id,
        )
    )
    checked = check(draft, fitted.items, thresholds=policy.checks)
    if not checked.passed:
        raise DraftRejected(checked)
    return MadeNode(
        node=node,
        statements=checked.statements,
        definition=definition,
        made_by=draft.made_by,
        fallback=draft.fallback,
        quality=checked.score,
        tokens=sum(count(s.text) for s in checked.statements),
        usage=draft.usage,
        capped=fitted.capped,
    )
