"""The plan: which nodes must be made to make a group current, and why.

Data, made without a model call; it can be printed.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b

from precis.engine.forgetting import SILENCED, Marks
from precis.engine.policy import Policy
from precis.engine.segments import Kind, Leaf, Node, frozen_node, layout, part_node
from precis.view import View


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
    #: Ids of the members of a frozen node or a part; empty for the others, whose children the layout knows.
    members: tuple[str, ...] = ()
    redactions: int = 0
    #: Score of the checks, 0..1.
    quality: float = 1.0
    #: Keyed hash of what it says; None once a statement left it.
    content: bytes | None = None
    #: Sources it read in part; of a root or a part, with all below it.
    capped: int = 0


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
    #: How often that draft was rejected.
    rejections: int = 0
    #: The view this group is a partition of.
    view: View | None = None
    #: What people marked as wrong of what rests on its members.
    marks: Marks = Marks()  # noqa: RUF009 - frozen


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
    #: Every source, expired ones included.
    leaves: tuple[Leaf, ...] = ()
    #: Direct source rows: the summaries of the parts, and every source none of them covers.
    parents: tuple[str, ...] = ()
    #: The group's policy, with the prompt and model of its view.
    policy: Policy
    #: The draft that was rejected last, still remembered unless this one is committed.
    rejected: str | None = None
    #: How often the draft that is planned was rejected.
    rejections: int = 0
    #: It was rejected, and is not tried again before its time unless somebody asks.
    waits: bool = False
    #: Statements that a draft must not bring back.
    marks: Marks = Marks()  # noqa: RUF009 - frozen
    #: A member was forgotten or edited since the last good refresh: its calls may use what is kept for that.
    rederives: bool = False


def make_plan(
    policy: Policy, snapshot: Snapshot, definition: str, *, offline: bool, force: bool = False, rebuild: bool = False,
    again: bool = False,
) -> Plan:  # fmt: skip
    """Compare the tree that should stand with the nodes that do.

    ``force`` tries again what was rejected or suppressed and re-makes the root; ``again`` tries again what was
    rejected; ``rebuild`` accepts only nodes of the current definition.
    """
    definition = snapshot.marks.define(definition)
    leaves = tuple(sorted(snapshot.leaves, key=lambda leaf: leaf.order))
    kept = kept_nodes(leaves, snapshot.nodes)
    readable = _readable(leaves, [node for node, _ in kept])
    standing = {n.key: n for n in snapshot.nodes if _acceptable(n, definition, offline=offline, rebuild=rebuild)}
    standing |= {node.key: stub for node, stub in kept}

    def answer(action: Action, reason: str, **more: object) -> Plan:
        return Plan(
            group_id=snapshot.group_id, tenant_id=snapshot.tenant_id, version=snapshot.version, action=action,
            reason=reason, summary_id=snapshot.summary_id, definition=definition, standing=standing, leaves=leaves,
            policy=policy, parents=_parents(readable, kept), marks=snapshot.marks,
            **{"rejected": snapshot.rejected} | more,  # type: ignore[arg-type]
        )  # fmt: skip

    lacking = _lacking(policy, snapshot, readable)
    if lacking is not None:
        return answer(Action.DROP if snapshot.summary_id is not None else Action.NOTHING, lacking)
    root = tree(readable, [node for node, _ in kept], policy)
    fingerprint = blake2b(root.key + definition.encode(), digest_size=16).hexdigest()
    rejections = max(1, snapshot.rejections) if fingerprint == snapshot.rejected else 0
    known: dict[str, object] = {"root": root, "fingerprint": fingerprint, "rejections": rejections}
    if not force:
        if root.key in standing and snapshot.summary_id is not None:
            return answer(Action.NOTHING, "current", **known | {"rejected": None})
        # Any change of the members lifts it, so it holds for the sources as they are, also if the summary was stale.
        if snapshot.suppressed is not None and snapshot.summary_id is None:
            return answer(Action.NOTHING, _suppressed(snapshot.suppressed), **known)
        if rejections and not again:
            return answer(Action.NOTHING, "this draft was rejected before", waits=True, **known)
    steps = _steps(root, standing, snapshot)
    return answer(Action.MAKE, steps[-1].reason, steps=steps, **known)


def plan_over(
    policy: Policy, leaves: Sequence[Leaf], *, definition: str = "", tenant_id: str = "", group_id: str = ""
) -> Plan:
    """The plan of sources that no group holds and of which nothing stands; one is enough."""
    snapshot = Snapshot(group_id=group_id, tenant_id=tenant_id, version=0, leaves=tuple(leaves), nodes=())
    policy = replace(policy, trigger=replace(policy.trigger, min_members=1))
    return make_plan(policy, snapshot, definition, offline=False)


def kept_nodes(leaves: Sequence[Leaf], nodes: Sequence[NodeStub]) -> list[tuple[Node, NodeStub]]:
    """The nodes with members of their own: frozen ones, then parts without what those speak for.

    A frozen node is keyed by its remaining members and redactions, a part by its members and what it says. Two may
    claim one member while a part it left is yet to be made anew; the order of their keys decides.
    """
    by_id = {leaf.id: leaf for leaf in leaves}
    kept = []
    for stub in sorted(nodes, key=lambda stub: (stub.kind is Kind.PART, stub.key)):
        members = [by_id[id_] for id_ in stub.members if id_ in by_id]
        if stub.kind not in (Kind.FROZEN, Kind.PART) or not members:
            continue
        if stub.kind is Kind.FROZEN:
            kept.append((frozen_node(members, stub.redactions), stub))
        else:
            kept.append((part_node(members, stub.content or b"%d" % stub.redactions), stub))
        for leaf in members:
            del by_id[leaf.id]
    return kept


def capped_below(root: Node, standing: Mapping[bytes, NodeStub], remade: Collection[bytes] = ()) -> int:
    """How many sources the nodes below were cut to read, apart from those that are made now."""
    number = 0
    for child in root.children:
        if isinstance(child, Node):
            stub = None if child.key in remade else standing.get(child.key)
            number += stub.capped if stub is not None else 0
            if stub is None or stub.kind is not Kind.PART:
                number += capped_below(child, standing, remade)
    return number


def _lacking(policy: Policy, snapshot: Snapshot, readable: Sequence[Leaf]) -> str | None:
    """Why no summary may be, if so."""
    members, needed = len(snapshot.leaves), policy.trigger.min_members
    if members >= needed:
        return None if readable else "the texts of all its members are gone"
    if snapshot.summary_id is not None:
        return f"{members} of {needed} members left"
    return f"{members} members, {needed} are needed"


def _suppressed(by: bytes) -> str:
    """Why none is made of these sources."""
    silenced = by.startswith(SILENCED)
    return "a person marked all that it would say as wrong" if silenced else "its summary was deleted by request"


def _readable(leaves: Sequence[Leaf], kept: Sequence[Node]) -> list[Leaf]:
    """The members with a text, or with a node that speaks for them; one that came without its text is left out."""
    spoken_for = {leaf.id for node in kept for leaf in node.leaves()}
    return [leaf for leaf in leaves if leaf.live or leaf.id in spoken_for]


def _parents(leaves: Sequence[Leaf], kept: Sequence[tuple[Node, NodeStub]]) -> tuple[str, ...]:
    """What parent_id lists, oldest first."""
    parts = [(node.order, stub.id) for node, stub in kept if node.kind is Kind.PART]
    covered = {leaf.id for node, _ in kept if node.kind is Kind.PART for leaf in node.leaves()}
    return tuple(
        id_ for _, id_ in sorted([*parts, *((leaf.order, leaf.id) for leaf in leaves if leaf.id not in covered)])
    )


def tree(leaves: Sequence[Leaf], kept: Sequence[Node], policy: Policy) -> Node:
    """The tree these members should have; sources in a frozen node or a part are spoken for by it."""
    spoken_for = {leaf.id for node in kept for leaf in node.leaves()}
    return layout([leaf for leaf in leaves if leaf.id not in spoken_for], kept, shape=policy.shape)


def _acceptable(stub: NodeStub, definition: str, *, offline: bool, rebuild: bool) -> bool:
    """A changed prompt or model applies to nodes made anew; a fallback stands until the model can redo it."""
    if stub.kind in (Kind.FROZEN, Kind.PART):
        return False  # keyed by what is left of its members, see kept_nodes
    if stub.redactions:
        return False  # statements left it: it no longer says what its key says, even if the memory comes back
    if stub.fallback and not offline:
        return False
    return not rebuild or stub.definition == definition


def _steps(root: Node, standing: Mapping[bytes, NodeStub], snapshot: Snapshot) -> tuple[Step, ...]:
    """Every node of the tree that does not stand, children first; nothing below a standing node is made."""
    steps: dict[bytes, Step] = {}

    def visit(node: Node) -> None:
        for child in node.children:
            if isinstance(child, Node) and child.key not in standing and child.key not in steps:
                visit(child)
        steps[node.key] = Step(node=node, reason=_reason(node, snapshot))

    visit(root)
    return tuple(steps.values())


def _reason(node: Node, snapshot: Snapshot) -> str:
    """Why a node is made, for people."""
    if node.kind is not Kind.ROOT:
        return f"no {node.kind} over these {len(node.leaves())} sources yet"
    if snapshot.summary_id is None:
        members = len(node.leaves())
        return f"{members} member{'s' if members > 1 else ''}, no summary yet"
    stub = next((stub for stub in snapshot.nodes if stub.key == node.key), None)
    if stub is None:
        return "its sources changed"
    if stub.redactions:
        return "a statement left it: something was forgotten, edited or marked as wrong"
    return "made offline in place of the model" if stub.fallback else "asked for, or made by an older definition"
