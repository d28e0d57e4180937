"""Drafting: every node of a plan, children first. Gather what it reads, fit it, summarize it, check it.

Whoever wants a summary calls ``draft`` with a plan, something to read from and the makers: a refresh, a turn of a
conversation, a batch of a pool, texts that are stored nowhere. Nothing here knows a store, a lease or a tenant. What
freezes members or counts what a plan would take calls ``walk``, with another way to make a node.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from precis import errors, summary, work
from precis.checks import check
from precis.checks.trifles import meant
from precis.engine.drafted import Drafted, MadeNode, NodeContent, total
from precis.engine.keeping import Below, carried, items_of_node
from precis.engine.node import DraftRejected, Makers, draft_node, spent_on, write_prose
from precis.engine.plan import Plan, Step, capped_below
from precis.engine.policy import Originals
from precis.engine.repeating import as_meant
from precis.engine.segments import Kind, Leaf, Node
from precis.engine.titles.title import READ, title_of
from precis.makers import Item, Request, Usage


class Reader(Protocol):
    """What a draft reads: sources, and nodes that stand."""

    async def items(self, leaves: Sequence[Leaf]) -> Mapping[str, Item]:
        """The sources as entries of a prompt, by id; the ones that are gone are absent."""

    async def contents(self, node_ids: Sequence[str]) -> Mapping[str, NodeContent]:
        """What these nodes say, by node id."""

    async def titles(self, group_id: str) -> Collection[str]:
        """The titles of the newest other summaries of the same policy and user as this group."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InHand:
    """Sources that are in hand; the others, and the nodes that stand, are read from ``stored``, if that is anywhere."""

    known: Mapping[str, Item]
    stored: Reader | None = None

    async def items(self, leaves: Sequence[Leaf]) -> Mapping[str, Item]:
        """Those in hand as they are, the others as stored."""
        unknown = [leaf for leaf in leaves if leaf.id not in self.known]
        stored = await self.stored.items(unknown) if self.stored is not None and unknown else {}
        return {**stored, **{leaf.id: self.known[leaf.id] for leaf in leaves if leaf.id in self.known}}

    async def contents(self, node_ids: Sequence[str]) -> Mapping[str, NodeContent]:
        """As stored."""
        return await self.stored.contents(node_ids) if self.stored is not None else {}

    async def titles(self, group_id: str) -> Collection[str]:
        """As stored."""
        return await self.stored.titles(group_id) if self.stored is not None else ()


#: Makes one node of what it reads: its items, and what the nodes say that are below it.
Make = Callable[[Node, Sequence[Item], Below], Awaitable[MadeNode]]
#: Keeps a node below the summary as soon as it is made, so that a crash repeats one call.
Keep = Callable[[MadeNode], Awaitable[None]]


async def draft(plan: Plan, read: Reader, *, makers: Makers, keep: Keep | None = None) -> Drafted:
    """Every node of the plan, children first: gather, fit, summarize, check.

    Raises DraftFailed and kin, NoSlot, Silenced, and SourceChanged where a source is gone.
    """
    frozen = await _frozen(plan, read)
    read_last: Sequence[Item] = ()

    async def make(node: Node, items: Sequence[Item], below: Below) -> MadeNode:
        nonlocal read_last
        items = plan.marks.items(items)
        read_last = items if _is_root(node) else read_last
        drafted = await make_node(node, items, below, plan=plan, makers=makers)
        if makers.recheck is not None:
            drafted = makers.recheck(drafted, items)
        return carried(drafted, frozen, read=items, below=below, count=makers.count) if _is_root(node) else drafted

    copied = await _copied(plan, read, frozen)
    if copied is None:
        *below, root = await walk(plan, read, make, keep=keep, at_once=makers.at_once)
    else:
        below, root = [], carried(copied, frozen, read=(), below={}, count=makers.count)
    nodes = [*below, root]
    root = replace(
        root,
        fallback=any(node.fallback for node in nodes),
        rejected=next((node.rejected for node in nodes if node.rejected is not None), None),
        capped=frozenset(id_ for node in nodes for id_ in node.capped),
        capped_below=capped_below(root.node, plan.standing, {node.node.key for node in nodes}),
    )
    if not root.statements and plan.policy.of_nothing is not None and root.node.leaves():
        line = plan.policy.of_nothing(root.node.leaves(), root.fates)
        root = replace(root, statements=(line,), tokens=makers.count(line.text), title=line.text.partition(",")[0])
    root = plan.marks.apply(root, makers.count)
    return Drafted(root=root if root.title else await titled(root, read_last, plan, read, makers), below=tuple(below))


async def walk(plan: Plan, read: Reader, make: Make, *, keep: Keep | None = None, at_once: int = 1) -> list[MadeNode]:
    """The nodes of the plan, made children first. This is the one place that walks the tree."""
    below = await _standing(plan, read)
    nodes: list[MadeNode] = []

    async def make_step(step: Step) -> MadeNode:
        leaves = [child for child in step.node.children if isinstance(child, Leaf)]
        items = await read.items(leaves) if leaves else {}
        if len(items) < len(leaves):
            raise errors.SourceChanged
        return await make(step.node, gather(step.node, items, below), below)

    for steps in _rounds(plan.steps, at_once):
        try:
            drafted = await work.together(steps, make_step, at_once=at_once)
        except DraftRejected as error:
            error.usage += total(node.usage for node in nodes)
            raise
        for node in drafted:
            if keep is not None and not _is_root(node.node):
                await keep(node)
            below[node.node.key] = node.content
            nodes.append(node)
    return nodes


def _rounds(steps: Sequence[Step], at_once: int) -> list[list[Step]]:
    """One step after the other; where several may be made at once, those together that wait for none of each other."""
    if at_once == 1:
        return [[step] for step in steps]
    height: dict[bytes, int] = {}
    rounds: list[list[Step]] = []
    for step in steps:
        lower = [height[child.key] for child in step.node.children if child.key in height]
        at = height[step.node.key] = max(lower, default=-1) + 1
        rounds += [[]] if at == len(rounds) else []
        rounds[at].append(step)
    return rounds


def _is_root(node: Node) -> bool:
    return node.kind is Kind.ROOT


async def _standing(plan: Plan, read: Reader) -> dict[bytes, NodeContent]:
    """What the standing nodes say that the nodes to be made read, by key."""
    to_make = {step.node.key for step in plan.steps}
    children = [child for step in plan.steps for child in step.node.children if isinstance(child, Node)]
    ids = {child.key: plan.standing[child.key].id for child in children if child.key not in to_make}
    contents = await read.contents(list(ids.values())) if ids else {}
    return {key: contents.get(id_, NodeContent()) for key, id_ in ids.items()}


async def _frozen(plan: Plan, read: Reader) -> list[tuple[Node, NodeContent]]:
    """The frozen nodes whose words the summary must say: those of a policy that lets its originals go."""
    if plan.policy.originals is Originals.KEEP or plan.root is None:
        return []
    nodes = [node for node in plan.root.below() if node.kind is Kind.FROZEN and node.key in plan.standing]
    ids = [plan.standing[node.key].id for node in nodes]
    contents = await read.contents(ids) if ids else {}
    return [(node, contents.get(id_, NodeContent())) for node, id_ in zip(nodes, ids, strict=True)]


async def _copied(plan: Plan, read: Reader, frozen: Sequence[tuple[Node, NodeContent]]) -> MadeNode | None:
    """A summary over one frozen node and nothing else says what that says, without a call.

    Where originals go, so does one over several: it says what all of them say. It begins with the first that says
    anything, and where none does, as after small talk, it says nothing either.
    """
    root = plan.steps[-1].node
    kept = {leaf.id for node, _ in frozen for leaf in node.leaves()}
    says_all = bool(frozen) and all(leaf.id in kept for leaf in root.leaves())
    if plan.policy.summarize.prose or (len(root.children) > 1 and not says_all):
        return None
    if says_all:
        first, content = next((pair for pair in frozen if pair[1].statements), frozen[0])
        stub = plan.standing[first.key]
    else:
        only = plan.standing.get(root.children[0].key)
        if only is None or only.kind is not Kind.FROZEN:
            return None
        stub, content = only, (await read.contents([only.id])).get(only.id, NodeContent())
        if not content.statements:
            return None
    return MadeNode(
        node=root, statements=content.statements, definition=plan.definition, made_by=stub.made_by,
        fallback=stub.fallback, quality=stub.quality, tokens=stub.tokens, usage=Usage(), fates=content.fates,
    )  # fmt: skip


def gather(node: Node, items: Mapping[str, Item], below: Below) -> list[Item]:
    """Everything a node reads, oldest first, as it was meant."""
    gathered: list[Item] = []
    leaves = sorted(node.leaves(), key=lambda leaf: leaf.order)
    before = {leaf.id: earlier.id for earlier, leaf in pairwise(leaves)}
    for child in node.children:
        if isinstance(child, Leaf):
            last = gathered[-1].source_ids if gathered else ()
            apart = child.id in before and before[child.id] not in last
            gathered.append(replace(items[child.id], apart=apart) if apart else items[child.id])
        else:
            gathered += items_of_node(child, below[child.key].statements)
    return as_meant(gathered)


async def make_node(node: Node, items: Sequence[Item], below: Below, *, plan: Plan, makers: Makers) -> MadeNode:
    """One node by the summarizer; where nothing stands and the model gives no good draft, by the stand-in."""
    try:
        if _is_root(node) and plan.policy.summarize.prose and not makers.offline:
            companion = await draft_node(node, items, below, plan=plan, makers=makers.only_stand_in())
            return await write_prose(companion, items, plan=plan, makers=makers)
        return await draft_node(node, items, below, plan=plan, makers=makers)
    except errors.DraftFailed as error:
        if makers.offline or plan.summary_id is not None:
            raise
        with suppress(DraftRejected):
            drafted = await draft_node(node, items, below, plan=plan, makers=makers.only_stand_in())
            rejected = None if isinstance(error, errors.ModelUnavailable | errors.BudgetExhausted) else str(error)
            return replace(drafted, fallback=True, rejected=rejected, usage=drafted.usage + spent_on(error))
        raise


# --- titles ---

#: Tokens of a title.
_TITLE = 24


async def titled(root: MadeNode, items: Sequence[Item], plan: Plan, read: Reader, makers: Makers) -> MadeNode:
    """The root with a title made of what it says, and checked against that; without a model, of its noun phrases.

    What most of ``items`` have, of which it was made, is what it is about.
    """
    asks = plan.policy.summarize.title is not None
    if not asks and not plan.policy.named:
        return root
    title, usage = None, Usage()
    if asks and not makers.offline and not root.fallback:
        title, usage = await _title_by_model(root, plan, makers)
    if title is None or title.endswith("\u2026") or makers.count(title) > 2 * _TITLE:
        days = {leaf.id: leaf.created_at.date() for leaf in plan.leaves}
        taken = await read.titles(plan.group_id) if plan.policy.named else ()
        members = [item.text[:READ] for item in items]
        title = title_of(meant(summary.served_of(root.statements)), days, taken, rank=makers.rank, members=members)
    return replace(root, title=title, usage=root.usage + usage)


async def _title_by_model(root: MadeNode, plan: Plan, makers: Makers) -> tuple[str | None, Usage]:
    """The title by a model, if it gives one that the statements bear out, and what it took."""
    dates = {leaf.id: leaf.created_at for leaf in plan.leaves}
    items = tuple(
        Item(
            text=statement.text, source_ids=statement.source_ids, importance=statement.importance, derived=True,
            created_at=max((dates[id_] for id_ in statement.source_ids if id_ in dates), default=root.node.order[0]),
        )
        for statement in summary.served_of(root.statements)
    )  # fmt: skip
    instruction = plan.policy.summarize
    request = Request(
        items=items, max_tokens=_TITLE, prompt=instruction.title or "", model=instruction.title_model,
        tenant_id=plan.tenant_id, policy=plan.policy.name, group_id=plan.group_id, kind="title",
    )  # fmt: skip
    try:
        answer = await makers.summarizer.summarize(request)
    except (errors.DraftFailed, errors.NoSlot):
        return None, Usage()
    checked = check(answer, items, thresholds=plan.policy.checks)
    if not checked.passed or not checked.statements:
        return None, answer.usage
    return checked.statements[0].text.strip().strip("\"'").rstrip("."), answer.usage
