"""Drafting over values: one function walks every plan, whoever brings what is read."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import pytest

from precis.engine.draft import InHand, draft, walk
from precis.engine.drafted import MadeNode, NodeContent
from precis.engine.keeping import Below
from precis.engine.node import DraftRejected, Makers
from precis.engine.plan import NodeStub, Plan, Snapshot, make_plan, plan_over
from precis.engine.policy import Originals
from precis.engine.segments import NEVER, Kind, Leaf, Node, Shape, frozen_node
from precis.errors import DraftFailed, SourceChanged
from precis.makers import Draft, Item, Request, Usage
from precis.policies.clusters import clusters
from precis.summary import Fate, Statement
from precis.testing.fakes import Quoting, count_words

#: A dozen short notes make segments, folds and a prefix.
SHAPE = Shape(segment_tokens=14, segment_limit=30, small_tokens=20, fan=2, fan_limit=4)
POLICY = replace(clusters(), shape=SHAPE, budget=replace(clusters().budget, node_tokens=90, segment_share=1.0))
START = datetime(2026, 3, 2, tzinfo=UTC)
PLACES = "Oslo Turin Bergen Ghent Porto Cork Lyon Graz Kyoto Quito Perth Omsk Izmir Basra Pune Accra".split()
TEXTS = tuple(f"The crate number {at} went to {place}." for at, place in enumerate(PLACES, start=11))
ITEMS = {
    f"c{at:02}": Item(text=text, source_ids=(f"c{at:02}",), created_at=START + timedelta(days=at))
    for at, text in enumerate(TEXTS)
}
LEAVES = tuple(
    Leaf(
        id=id_,
        created_at=item.created_at or NEVER,
        fingerprint=blake2b(item.text.encode(), digest_size=16).digest(),
        tokens=count_words(item.text),
    )
    for id_, item in ITEMS.items()
)


@dataclass
class Stored:
    """A store as a draft sees it: what it has, and what it was asked for."""

    contents_by_id: Mapping[str, NodeContent] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    async def items(self, leaves: Sequence[Leaf]) -> Mapping[str, Item]:
        """Every crate."""
        self.read += [leaf.id for leaf in leaves]
        return {leaf.id: ITEMS[leaf.id] for leaf in leaves if leaf.id in ITEMS}

    async def contents(self, node_ids: Sequence[str]) -> Mapping[str, NodeContent]:
        """As far as there are some."""
        return {id_: self.contents_by_id[id_] for id_ in node_ids if id_ in self.contents_by_id}

    async def titles(self, group_id: str) -> Collection[str]:
        """None: it has no other summary."""
        return ()


def makers(model: Quoting, stand_in: Quoting | None = None) -> Makers:
    """The model, and who stands in for it."""
    return Makers(summarizer=model, fallback=stand_in or model, count=count_words)


def below(plan: Plan) -> list[bytes]:
    """The keys of the nodes to be made below the summary."""
    return [step.node.key for step in plan.steps[:-1]]


async def test_every_node_is_made_and_kept_children_first() -> None:
    """Nothing is read twice, the summary is not kept, and what it rests on are the texts themselves."""
    plan, kept, model = plan_over(POLICY, LEAVES), [], Quoting()

    async def keep(node: MadeNode) -> None:
        kept.append(node.node.key)

    stored = Stored()
    drafted = await draft(plan, stored, makers=makers(model), keep=keep)
    assert len(below(plan)) > 3
    assert kept == below(plan) == [node.node.key for node in drafted.below]
    assert sorted(stored.read) == sorted(ITEMS)
    assert drafted.root.node == plan.root
    assert drafted.nodes_made == drafted.usage.calls == len(model.requests) == len(plan.steps)
    for statement in drafted.root.statements:
        assert all(statement.text == ITEMS[id_].text for id_ in statement.source_ids)


async def test_what_is_in_hand_is_not_read() -> None:
    """The rest is read from below, and both make the same summary."""
    plan, stored = plan_over(POLICY, LEAVES), Stored()
    known = {id_: ITEMS[id_] for id_ in list(ITEMS)[:5]}
    mixed = await draft(plan, InHand(known=known, stored=stored), makers=makers(Quoting()))
    assert sorted(stored.read) == sorted(ITEMS.keys() - known.keys())
    assert mixed == await draft(plan, InHand(known=ITEMS), makers=makers(Quoting()))


async def test_a_source_that_is_gone_ends_the_draft() -> None:
    """Before anything is asked about the node that reads it."""
    plan, model = plan_over(POLICY, LEAVES[:2]), Quoting()
    with pytest.raises(SourceChanged):
        await draft(plan, InHand(known={"c00": ITEMS["c00"]}), makers=makers(model))
    assert model.requests == []


class Busy(Quoting):
    """Counts how many drafts are under way at once."""

    def __init__(self) -> None:
        super().__init__()
        self.under_way = self.most = 0

    async def summarize(self, request: Request) -> Draft:
        """As others do, after a moment."""
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.001)
        self.under_way -= 1
        return await super().summarize(request)


async def test_several_at_once_make_the_same() -> None:
    """Never more than asked for, and no node before those that it reads."""
    plan, read, model = plan_over(POLICY, LEAVES), InHand(known=ITEMS), Busy()
    drafted = await draft(plan, read, makers=replace(makers(model), at_once=2))
    assert model.most == 2
    assert drafted.root == (await draft(plan, read, makers=makers(Quoting()))).root


async def test_a_further_check_sees_every_node() -> None:
    """It may take a statement away, which is then in no node above, or end the draft."""
    plan, read, seen = plan_over(POLICY, LEAVES), InHand(known=ITEMS), []

    def without_oslo(node: MadeNode, items: Sequence[Item]) -> MadeNode:
        seen.append(node.node.key)
        assert items
        return replace(node, statements=tuple(s for s in node.statements if "Oslo" not in s.text))

    drafted = await draft(plan, read, makers=replace(makers(Quoting()), recheck=without_oslo))
    assert seen == [step.node.key for step in plan.steps]
    assert not any("Oslo" in s.text for node in (*drafted.below, drafted.root) for s in node.statements)

    def refusing(node: MadeNode, items: Sequence[Item]) -> MadeNode:
        raise DraftFailed(f"{node.node.kind} over {len(items)}")

    with pytest.raises(DraftFailed, match="segment over"):
        await draft(plan, read, makers=replace(makers(Quoting()), recheck=refusing))


async def test_a_rejected_draft_counts_what_it_took_until_then() -> None:
    """The nodes that were made for it, and itself."""
    plan, model = plan_over(POLICY, LEAVES), Quoting()

    async def failing(node: Node, items: Sequence[Item], below: Below) -> MadeNode:
        del below
        if node.kind is Kind.ROOT:
            model.says = ("Reginald owns 47 llamas.",)
        drafted = await draft(plan_over(POLICY, node.leaves()), InHand(known=ITEMS), makers=makers(model))
        assert items
        return replace(drafted.root, node=node, usage=Usage(calls=1))

    with pytest.raises(DraftRejected) as caught:
        await walk(plan, InHand(known=ITEMS), failing)
    assert caught.value.usage.calls > len(plan.steps) - 1


def frozen_group(number: int, *, contents: Mapping[int, NodeContent]) -> tuple[Plan, Stored]:
    """A group of which each member is frozen by itself, under a policy that lets its originals go."""
    nodes = [frozen_node([leaf], 0) for leaf in LEAVES[:number]]
    stubs = tuple(
        NodeStub(
            id=f"n{at}", key=node.key, kind=Kind.FROZEN, definition="d", made_by="model@1", fallback=False, tokens=7,
            members=(LEAVES[at].id,),
        )
        for at, node in enumerate(nodes)
    )  # fmt: skip
    policy = replace(POLICY, originals=Originals.TTL)
    leaves = tuple(replace(leaf, live=False) for leaf in LEAVES[:number])
    snapshot = Snapshot(group_id="g", tenant_id="t", version=1, leaves=leaves, nodes=stubs)
    stored = Stored({f"n{at}": content for at, content in contents.items()})
    return make_plan(policy, snapshot, "d", offline=False), stored


def crate_said(at: int) -> NodeContent:
    """What a frozen node over one member says."""
    statement = Statement(text=TEXTS[at], importance=0.5, source_ids=(LEAVES[at].id,))
    return NodeContent(statements=(statement,), fates={LEAVES[at].id: Fate.SAID})


async def test_a_summary_over_frozen_nodes_says_what_they_say() -> None:
    """Without a call, and without reading a text that may be gone."""
    plan, stored = frozen_group(9, contents={at: crate_said(at) for at in range(9)})
    model = Quoting()
    drafted = await draft(plan, stored, makers=makers(model))
    assert model.requests == []
    assert stored.read == []
    assert [s.text for s in drafted.root.statements] == list(TEXTS[:9])
    assert drafted.root.fates == {leaf.id: Fate.SAID for leaf in LEAVES[:9]}
    assert drafted.below == ()


async def test_a_frozen_node_without_a_statement_is_no_obstacle() -> None:
    """The oldest held nothing but small talk, and there are so many that other nodes lie between: all are made."""
    small_talk = NodeContent(fates={LEAVES[0].id: Fate.SMALL_TALK})
    plan, stored = frozen_group(9, contents={0: small_talk} | {at: crate_said(at) for at in range(1, 9)})
    assert len(plan.steps) > 1
    drafted = await draft(plan, stored, makers=makers(Quoting()))
    assert stored.read == []
    assert {s.text for s in drafted.root.statements} == set(TEXTS[1:9])
    assert drafted.root.fates[LEAVES[0].id] is Fate.SMALL_TALK
