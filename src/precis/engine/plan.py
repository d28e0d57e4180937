"""The plan: which nodes must be made to make a group current, and why.

Data, made without a model call; it can be printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

from precis.engine.policy import Policy
from precis.engine.segments import Kind, Leaf, Node, frozen_node, layout


class Action(StrEnum):
    """What a refresh would do."""

    MAKE = "make"
    #: Nothing changed, or nothing may be made of it yet.
    NOTHING = "nothing"
    #: The group fell below its minimum: the summary goes, recall falls back to raw rows.
    DROP = "drop"


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeStub:
    """A committed node as the plan sees it."""

    id: str
    key: bytes
    kind: Kind
    definition: str
    made_by: str
    #: Made offline in place of a model: to be redone once the model answers.
    fallback: bool
    #: Tokens of its statements.
    tokens: int
    #: Ids of a frozen node's members; empty for the others, whose children the layout knows.
    members: tuple[str, ...] = ()
    redactions: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """One group at one moment: its members and nodes, no text."""

    group_id: str
    tenant_id: str
    #: Raised by each write, edit, forget and expiry of a member.
    version: int
    leaves: tuple[Leaf, ...]
    nodes: tuple[NodeStub, ...]
    #: Id of the standing summary (its node is the one of kind root).
    summary_id: str | None = None
    #: Fingerprint of the draft that was rejected last, and key of the root that was deleted by request: none is made
    #: until a member comes, goes or changes.
    rejected: str | None = None
    suppressed: bytes | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One node to make."""

    node: Node
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What a refresh of one group would do."""

    group_id: str
    tenant_id: str
    version: int
    action: Action
    reason: str
    #: Children before parents; the last is the root.
    steps: tuple[Step, ...] = ()
    root: Node | None = None
    #: Sources and definition in one word; remembered when the draft is rejected.
    fingerprint: str = ""
    definition: str = ""
    summary_id: str | None = None
    #: Nodes that stand and are read, by key.
    standing: Mapping[bytes, NodeStub]
    #: Every source, expired ones included: what parent_id lists.
    leaves: tuple[Leaf, ...] = ()
    #: The draft that was rejected last, still remembered unless this one is committed.
    rejected: str | None = None


def make_plan(
    policy: Policy, snapshot: Snapshot, definition: str, *, offline: bool, force: bool = False, rebuild: bool = False
) -> Plan:
    """Compare the tree that should stand with the nodes that do.

    ``force`` tries again what was rejected or suppressed and re-makes the root; ``rebuild`` accepts only nodes of the
    current definition.
    """
    leaves = tuple(sorted(snapshot.leaves, key=lambda leaf: leaf.order))
    frozen = frozen_nodes(leaves, snapshot.nodes)
    standing = {n.key: n for n in snapshot.nodes if _acceptable(n, definition, offline=offline, rebuild=rebuild)}
    standing |= {one.key: stub for one, stub in frozen}

    def answer(action: Action, reason: str, **more: object) -> Plan:
        return Plan(
            group_id=snapshot.group_id, tenant_id=snapshot.tenant_id, version=snapshot.version, action=action,
            reason=reason, summary_id=snapshot.summary_id, definition=definition, standing=standing, leaves=leaves,
            rejected=snapshot.rejected,
            **more,  # type: ignore[arg-type]
        )  # fmt: skip

    if len(leaves) < policy.trigger.min_members:
        if snapshot.summary_id is not None:
            return answer(Action.DROP, f"{len(leaves)} of {policy.trigger.min_members} members left")
        return answer(Action.NOTHING, f"{len(leaves)} members, {policy.trigger.min_members} are needed")
    root = tree(leaves, [one for one, _ in frozen], policy)
    fingerprint = blake2b(root.key + definition.encode(), digest_size=16).hexdigest()
    if not force:
        if root.key in standing and snapshot.summary_id is not None:
            return answer(Action.NOTHING, "current", root=root, fingerprint=fingerprint)
        if fingerprint == snapshot.rejected:
            return answer(Action.NOTHING, "this draft was rejected before", root=root, fingerprint=fingerprint)
        # Any change of the members lifts it, so it holds for the sources as they are, also if the summary was stale.
        if snapshot.suppressed is not None and snapshot.summary_id is None:
            return answer(Action.NOTHING, "its summary was deleted by request", root=root, fingerprint=fingerprint)
    steps = _steps(root, standing, snapshot)
    return answer(Action.MAKE, steps[-1].reason, steps=steps, root=root, fingerprint=fingerprint)


def frozen_nodes(leaves: Sequence[Leaf], nodes: Sequence[NodeStub]) -> list[tuple[Node, NodeStub]]:
    """The frozen nodes as their remaining members and redactions key them."""
    by_id = {leaf.id: leaf for leaf in leaves}
    found = []
    for stub in nodes:
        members = [by_id[id_] for id_ in stub.members if id_ in by_id]
        if stub.kind is Kind.FROZEN and members:
            found.append((frozen_node(members, stub.redactions), stub))
    return found


def tree(leaves: Sequence[Leaf], frozen: Sequence[Node], policy: Policy) -> Node:
    """The tree these members should have; sources in a frozen node are spoken for by it."""
    spoken_for = {leaf.id for one in frozen for leaf in one.leaves()}
    return layout([leaf for leaf in leaves if leaf.id not in spoken_for], frozen, shape=policy.shape)


def _acceptable(stub: NodeStub, definition: str, *, offline: bool, rebuild: bool) -> bool:
    """A changed prompt or model applies to nodes made anew; a fallback stands until the model can redo it."""
    if stub.kind is Kind.FROZEN:
        return False  # keyed by what is left of its members, see frozen_nodes
    if stub.redactions:
        return False  # statements left it: it no longer says what its key says, even if the memory comes back
    if stub.fallback and not offline:
        return False
    return not rebuild or stub.definition == definition


def _steps(root: Node, standing: Mapping[bytes, NodeStub], snapshot: Snapshot) -> tuple[Step, ...]:
    """Every node of the tree that does not stand, children first; nothing below a standing node is made."""
    steps: dict[bytes, Step] = {}

    def visit(one: Node) -> None:
        for child in one.children:
            if isinstance(child, Node) and child.key not in standing and child.key not in steps:
                visit(child)
        steps[one.key] = Step(node=one, reason=_reason(one, snapshot))

    visit(root)
    return tuple(steps.values())


def _reason(one: Node, snapshot: Snapshot) -> str:
    """Why a node is made, for people."""
    if one.kind is not Kind.ROOT:
        return f"no {one.kind} over these {len(one.leaves())} sources yet"
    if snapshot.summary_id is None:
        return f"{len(one.leaves())} members, no summary yet"
    if any(stub.key == one.key for stub in snapshot.nodes):
        return "asked for, or made by a fallback or an older definition"
    return "its sources changed"
