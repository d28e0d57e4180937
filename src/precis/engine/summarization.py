"""Draft one node: gather its items, ask the summarizer, check the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from precis.checks import Checked, Thresholds, check
from precis.checks.fates import set_aside
from precis.checks.overruling import overrule
from precis.checks.repeats import united
from precis.engine.budget import Fitted, fit
from precis.engine.commit import MadeNode
from precis.engine.fates import Below, node_fates
from precis.engine.finishing import within
from precis.engine.policy import Policy
from precis.engine.segments import Kind, Leaf, Node
from precis.engine.splitting import Splitting
from precis.errors import BudgetExhausted, DraftFailed, ModelUnavailable, NoSlot
from precis.language.visible import disarmed, visible
from precis.lineage import Statement
from precis.makers import Draft, DraftStatement, Item, Judge, Request, Summarizer, TokenCounter, Usage
from precis.memory import Memory
from precis.summary import served_of

#: Tokens by which the one statement of an answer may pass a limit that none keeps.
_NEARLY = 40


class DraftRejected(DraftFailed):
    """The draft did not pass the checks."""

    def __init__(self, checked: Checked, usage: Usage) -> None:
        super().__init__(f"the draft did not pass the checks: {', '.join(checked.reasons)}")
        self.checked = checked
        #: What it took, with the judge and with the nodes that were made for it.
        self.usage = usage


def item_of(memory: Memory) -> Item:
    """A memory as an entry of a prompt."""
    return Item(
        text=visible(memory.text or ""),
        source_ids=(memory.id,),
        created_at=memory.created_at,
        speaker=visible(memory.speaker) if memory.speaker else memory.speaker,
        importance=memory.importance,
    )


def items_of_node(node: Node, statements: Sequence[Statement]) -> list[Item]:
    """The statements of a node as entries of its parent's prompt, dated by the newest source each rests on."""
    dates = {leaf.id: leaf.created_at for leaf in node.leaves()}
    newest = node.order[0]
    return [
        Item(
            text=disarmed(s.text),
            source_ids=s.source_ids,
            created_at=max((dates[id_] for id_ in s.source_ids if id_ in dates), default=newest),
            importance=s.importance,
            derived=True,
        )
        for s in statements
        if s.superseded_by is None
    ]


def gather(node: Node, memories: Mapping[str, Memory], statements: Mapping[bytes, Sequence[Statement]]) -> list[Item]:
    """Everything a node reads, oldest first."""
    items: list[Item] = []
    for child in node.children:
        if isinstance(child, Leaf):
            items.append(item_of(memories[child.id]))
        else:
            items += items_of_node(child, statements[child.key])
    return items


def request_for(
    items: Sequence[Item], kind: Kind, *, policy: Policy, count: TokenCounter, **addressed: Any
) -> tuple[Request, frozenset[str]]:
    """The request for a node of this kind over these items, and the sources it reads in part.

    ``addressed`` are the request's fields for the ledger.
    """
    budget = policy.budget
    fitted = (
        Fitted(items=tuple(items), capped=frozenset())
        if policy.splits
        else fit(items, prompt_tokens=budget.prompt_tokens, item_tokens=budget.item_tokens, count=count)
    )
    tokens_read = sum(count(item.text) for item in fitted.items)
    request = Request(
        items=fitted.items,
        max_tokens=budget.for_kind(kind, tokens_read),
        prompt=policy.summarize.for_kind(kind),
        aim=policy.summarize.aim,
        model=policy.summarize.model,
        policy=policy.name,
        kind=kind.value,
        tokens_read=tokens_read,
        prose=policy.summarize.prose and kind is Kind.ROOT,
        **addressed,
    )
    return request, fitted.capped


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
    rederives: bool = False,
    judge: Judge | None = None,
    below: Below | None = None,
) -> MadeNode:
    """One call, its check and, if there is a judge, what that thinks of what passed.

    Where no item tells anything, the node says nothing. Raises DraftRejected, or DraftFailed from the summarizer.
    """
    request, capped = request_for(
        items, node.kind, policy=policy, count=count, tenant_id=tenant_id, group_id=group_id, rederives=rederives
    )
    if policy.splits:
        limits = policy.budget
        summarizer = Splitting(
            summarizer, count=count, prompt_tokens=limits.prompt_tokens, item_tokens=limits.item_tokens
        )
    if policy.skips_small_talk and set_aside(items):
        draft = Draft(statements=(), made_by=summarizer.name)
    else:
        draft = united(await _drafted(summarizer, request))
    checked, judging = await judged(draft, request, judge, thresholds=policy.checks)
    if not checked.passed:
        raise DraftRejected(checked, draft.usage + judging)
    limit = request.max_tokens if node.kind is Kind.ROOT else 3 * request.max_tokens // 2
    dates = {leaf.id: leaf.created_at for leaf in node.leaves()}
    statements = within(checked.statements, limit=limit, count=count, dates=dates)
    if checked.statements and not statements:
        # A caller's limit may be shorter than any sentence: he cuts what is nearly short enough himself.
        served = [one for one in checked.statements if one.superseded_by is None]
        shortest = min(served, key=lambda one: count(one.text), default=None)
        statements = (shortest,) if shortest is not None and count(shortest.text) <= limit + _NEARLY else ()
    if checked.statements and not statements:
        raise DraftRejected(replace(checked, passed=False, reasons=("too_long",)), draft.usage + judging)
    served_from = policy.served_from if node.kind is Kind.ROOT else 0.0
    return MadeNode(
        node=node,
        statements=statements,
        definition=definition,
        made_by=draft.made_by,
        fallback=draft.fallback,
        quality=checked.score,
        tokens=tokens_of(statements, count),
        usage=draft.usage + judging,
        fates=node_fates(node, items, served_of(statements, served_from), below),
        capped=capped,
    )


def tokens_of(statements: Sequence[Statement], count: TokenCounter) -> int:
    """Tokens of what is served; what was displaced is only kept."""
    return sum(count(one.text) for one in statements if one.superseded_by is None)


async def _drafted(summarizer: Summarizer, request: Request) -> Draft:
    """A draft; where no item tells anything, none is no failure."""
    try:
        return await summarizer.summarize(request)
    except (ModelUnavailable, BudgetExhausted):
        raise
    except DraftFailed:
        if not set_aside(request.items):
            raise
        return Draft(statements=(), made_by=summarizer.name)


async def judged(
    draft: Draft, request: Request, judge: Judge | None, *, thresholds: Thresholds
) -> tuple[Checked, Usage]:
    """The draft after the checks and the judge, and what the judge took; where that has no opinion the checks stand."""
    checked = check(draft, request.items, thresholds=thresholds)
    if judge is None or not checked.passed:
        return checked, Usage()
    places = [place for place, verdict in enumerate(checked.verdicts) if verdict.kept]
    heard = [
        DraftStatement(
            text=checked.verdicts[place].text,
            importance=draft.statements[place].importance,
            # As the checks cite, not as the model did.
            sources=checked.verdicts[place].sources,
        )
        for place in places
    ]
    try:
        judgment = await judge.judge(heard, request)
    except (DraftFailed, NoSlot):
        return checked, Usage()
    rulings = {places[at]: ruling for at, ruling in judgment.rulings.items()}
    return overrule(checked, rulings, draft, request.items, thresholds=thresholds), judgment.usage
