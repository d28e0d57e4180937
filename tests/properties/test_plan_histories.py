"""Laws 2, 3 and 5 of the plan over random histories of values: no store, and so many histories."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import count

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from precis.engine.plan import Action, NodeStub, Plan, Snapshot, make_plan
from precis.engine.segments import Kind, Leaf, Node, Shape, frozen_node
from precis.policies.clusters import clusters

POLICY = replace(clusters(), shape=Shape(segment_tokens=24, segment_limit=60, small_tokens=40, fan=2, fan_limit=4))
START = datetime(2026, 1, 1, tzinfo=UTC)
MINIMUM = POLICY.trigger.min_members


class PlanHistories(RuleBasedStateMachine):
    """The members of one group come, change, expire and go; its nodes are those that plans asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = count()
        self.leaves: dict[str, Leaf] = {}
        #: The nodes below the summary and the summary, and what each was made of.
        self.nodes: dict[bytes, tuple[NodeStub, Node]] = {}
        self.frozen: dict[bytes, NodeStub] = {}

    @property
    def snapshot(self) -> Snapshot:
        """The group as the plan sees it."""
        stubs = [stub for stub, _ in self.nodes.values()]
        root = next((stub.id for stub in stubs if stub.kind is Kind.ROOT), None)
        return Snapshot(
            group_id="g", tenant_id="t", version=1, leaves=tuple(self.leaves.values()),
            nodes=(*stubs, *self.frozen.values()), summary_id=root,
        )  # fmt: skip

    @property
    def spoken_for(self) -> set[str]:
        """The members of frozen nodes."""
        return {id_ for stub in self.frozen.values() for id_ in stub.members}

    def plan(self, snapshot: Snapshot) -> Plan:
        """By a model that works."""
        return make_plan(POLICY, snapshot, "d", offline=False)

    @initialize(many=st.integers(MINIMUM, 40))
    def begin(self, many: int) -> None:
        """A group that may have a summary."""
        self.add(many, 0)

    @rule(many=st.integers(1, 8), day=st.integers(0, 60))
    def add(self, many: int, day: int) -> None:
        """Some members, dated anywhere in two months."""
        for _ in range(many):
            number = next(self.numbers)
            self.put(f"m{number:04d}", START + timedelta(days=day, minutes=number), 3 + number % 17)

    def put(self, id_: str, at: datetime, tokens: int) -> None:
        """A member with a text that no member had before."""
        fingerprint = blake2b(f"{id_} {next(self.numbers)}".encode(), digest_size=16).digest()
        self.leaves[id_] = Leaf(id=id_, created_at=at, fingerprint=fingerprint, tokens=tokens)

    @precondition(lambda self: set(self.leaves) - self.spoken_for)
    @rule(pick=st.randoms(use_true_random=False), day=st.none() | st.integers(0, 60))
    def edit(self, pick: random.Random, day: int | None) -> None:
        """A member says something else, perhaps of another day: what read it goes."""
        leaf = self.leaves[pick.choice(sorted(set(self.leaves) - self.spoken_for))]
        self.drop_nodes_over(leaf.id)
        at = leaf.created_at if day is None else START + timedelta(days=day)
        self.put(leaf.id, at, leaf.tokens + 1)

    @precondition(lambda self: self.leaves)
    @rule(pick=st.randoms(use_true_random=False))
    def forget(self, pick: random.Random) -> None:
        """A member goes, and what read it; a frozen node is redacted instead."""
        id_ = pick.choice(sorted(self.leaves))
        del self.leaves[id_]
        self.drop_nodes_over(id_)
        for key, stub in self.frozen.items():
            if id_ in stub.members:
                members = tuple(member for member in stub.members if member != id_)
                self.frozen[key] = replace(stub, members=members, redactions=stub.redactions + 1)

    def drop_nodes_over(self, id_: str) -> None:
        """Every node that read this member goes."""
        read = {key for key, (_, node) in self.nodes.items() if id_ in {leaf.id for leaf in node.leaves()}}
        self.nodes = {key: entry for key, entry in self.nodes.items() if key not in read}

    @precondition(lambda self: set(self.leaves) - self.spoken_for)
    @rule(pick=st.randoms(use_true_random=False))
    def expire(self, pick: random.Random) -> None:
        """The oldest members that no frozen node has are frozen; the texts of some of them go."""
        ordered = sorted(self.leaves.values(), key=lambda leaf: leaf.order)
        open_ = [leaf for leaf in ordered if leaf.id not in self.spoken_for]
        members = open_[: pick.randint(1, len(open_))]
        node = frozen_node(members, 0)
        self.frozen[node.key] = replace(stub_of(node), members=tuple(leaf.id for leaf in members))
        for leaf in members[: pick.randint(0, len(members))]:
            self.leaves[leaf.id] = replace(leaf, live=False)

    @rule()
    def refresh(self) -> None:
        """Law 2: what the plan asks for is made, and then it asks for nothing."""
        plan = self.plan(self.snapshot)
        if plan.action is Action.DROP:
            self.nodes.clear()
        if plan.action is Action.MAKE:
            assert plan.root is not None
            known = (
                {step.node.key for step in plan.steps}
                | set(self.nodes)
                | {n.key for n in plan.root.below() if n.kind is Kind.FROZEN}
            )
            assert {node.key for node in plan.root.below()} <= known
            read = [node for node in plan.root.below() if node.kind is not Kind.FROZEN]
            self.nodes = {node.key: (stub_of(node), node) for node in read}
        again = self.plan(self.snapshot)
        assert (Action.NOTHING, ()) == (again.action, again.steps)

    @invariant()
    def every_member_is_read_once(self) -> None:
        """Law 7: the tree holds each member that is alive or spoken for, and nothing else."""
        root = self.plan(self.snapshot).root
        if root is not None:
            readable = {leaf.id for leaf in self.leaves.values() if leaf.live} | self.spoken_for
            assert sorted(readable) == sorted(leaf.id for leaf in root.leaves())

    @invariant()
    def law_3_order_does_not_matter(self) -> None:
        """Members and nodes are sets."""
        snapshot = self.snapshot
        turned = replace(snapshot, leaves=snapshot.leaves[::-1], nodes=snapshot.nodes[::-1])
        plans = self.plan(snapshot), self.plan(turned)
        assert 1 == len({(plan.action, plan.root, plan.fingerprint) for plan in plans})

    @invariant()
    def law_3_the_past_does_not_matter(self) -> None:
        """Where nothing is frozen the tree is that of a group which only ever had the survivors."""
        if not self.frozen:
            fresh = replace(self.snapshot, nodes=(), summary_id=None)
            assert self.plan(self.snapshot).root == self.plan(fresh).root


def stub_of(node: Node) -> NodeStub:
    """The node once it is committed."""
    return NodeStub(
        id=node.key.hex(), key=node.key, kind=node.kind, definition="d", made_by="model@1", fallback=False, tokens=9
    )


TestPlanHistories = PlanHistories.TestCase
TestPlanHistories.settings = settings(
    max_examples=120, stateful_step_count=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
