"""Retention: sealing sources into frozen nodes before their text may go.

A frozen node keeps what its members said when their text is gone: explicit members, never cut again. The text goes in a
later transaction, once the group has been refreshed over the frozen node (law 6).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

from precis.engine.draft import make_node, walk
from precis.engine.drafted import MadeNode, Outcome, Result, total
from precis.engine.engine import Engine, under_lease
from precis.engine.keeping import keeping, tokens_of
from precis.engine.lease import Lease
from precis.engine.plan import Action, Plan, Snapshot, Step, make_plan
from precis.engine.policy import Originals, Policy
from precis.engine.segments import Kind, Leaf, Node, frozen_node
from precis.errors import SourceChanged
from precis.makers import Usage


def covered(memory_id: str, *, current: bool, frozen: Iterable[Collection[str]]) -> bool:
    """Law 6: a source may expire where a summary stands and is current, and a frozen node speaks for the source."""
    return current and any(memory_id in members for members in frozen)


async def freeze(engine: Engine, lease: Lease, ids: Sequence[str], *, saving: bool = False) -> Outcome:
    """Seal these members of the leased group in frozen nodes, each over as many tokens as one segment may have.

    Members that are frozen or expired already, or that a part speaks for, are passed over. Where they are all that a
    standing summary or segment has read, what that says becomes the frozen node, without a call. The lease goes back,
    and the group is due: a refresh that reads the frozen nodes must follow before ``PostgresRetention.expire`` lets a
    text go. The stand-in for a model is never asked, for what it leaves out could not be made again.

    Under a policy that lets its originals go no call is made either: what the summary says of them is kept, what it
    leaves out is quoted as far as there is room, and who is not said even then is not frozen; with ``saving`` nobody is
    where that would be no shorter.
    """
    return await under_lease(engine, lease, lambda: _freeze(engine, lease, ids, saving=saving))


async def _freeze(engine: Engine, lease: Lease, ids: Sequence[str], *, saving: bool) -> Outcome:
    snapshot = await engine.groups.snapshot(lease.tenant_id, lease.group_id)
    policy = engine.policies[lease.policy].for_view(snapshot.view)
    outcome = Outcome(group_id=lease.group_id, result=Result.UNCHANGED, summary_id=snapshot.summary_id)
    members = open_members(snapshot, ids)
    if policy.originals is not Originals.KEEP:
        frozen = await _freeze_said(engine, lease, policy, snapshot, members, saving=saving)
    else:
        frozen = await _said_already(engine, lease, policy, snapshot, members)
        spoken_for = {leaf.id for node in frozen for leaf in node.node.leaves()}
        others = [leaf for leaf in members if leaf.id not in spoken_for]
        frozen += await _freeze_runs(engine, lease, policy, snapshot, others)
    if not frozen:
        await engine.groups.settle(lease, None, now=engine.clock())
        return replace(outcome, reason="nothing to freeze")
    await engine.give_back(lease, retry_at=engine.clock())
    usage = total(node.usage for node in frozen)
    return replace(outcome, result=Result.COMMITTED, usage=usage, nodes_made=len(frozen))


async def _freeze_said(
    engine: Engine, lease: Lease, policy: Policy, snapshot: Snapshot, members: Sequence[Leaf], *, saving: bool
) -> list[MadeNode]:
    """Frozen nodes over those of these members of whom everything is said or set aside for a reason."""
    root = next((stub for stub in snapshot.nodes if stub.id == snapshot.summary_id), None)
    if root is None or root.fallback or not members:
        return []
    read = engine.groups.reader(lease.tenant_id)
    contents = await read.contents([root.id])
    statements = contents[root.id].statements if root.id in contents else ()
    items = await read.items(members)
    if len(items) < len(members):
        raise SourceChanged
    frozen = []
    for run in cut(members, limit=policy.shape.segment_limit):
        originals = [items[leaf.id] for leaf in run]
        kept = keeping(originals, statements, count=engine.count, saving=saving)
        going = [leaf for leaf in run if leaf.id in kept.fates]
        if going:
            node = MadeNode(
                node=frozen_node(going, 0), statements=kept.statements, definition=engine.definition_of(policy),
                made_by=root.made_by, fallback=False, quality=root.quality,
                tokens=tokens_of(kept.statements, engine.count), usage=Usage(), fates=kept.fates,
            )  # fmt: skip
            await engine.groups.commit_node(lease, node, now=engine.clock())
            frozen.append(node)
    return frozen


async def _said_already(
    engine: Engine, lease: Lease, policy: Policy, snapshot: Snapshot, members: Sequence[Leaf]
) -> list[MadeNode]:
    """Frozen nodes that say what a standing node over nothing but these members says."""
    ids = {leaf.id for leaf in members}
    planned = make_plan(policy, snapshot, engine.definition_of(policy), offline=engine.offline)
    if planned.root is None or planned.root.key not in planned.standing:
        return []
    over = [node for node in planned.root.below() if _reads_only(node, ids) and node.key in planned.standing]
    stubs = [planned.standing[node.key] for node in over]
    contents = await engine.groups.reader(lease.tenant_id).contents([stub.id for stub in stubs])
    frozen = [
        MadeNode(
            node=frozen_node(node.leaves(), 0), statements=contents[stub.id].statements, definition=stub.definition,
            made_by=stub.made_by, fallback=False, quality=stub.quality, tokens=stub.tokens, usage=Usage(),
            fates=contents[stub.id].fates, capped_below=stub.capped,
        )
        for node, stub in zip(over, stubs, strict=True)
        if stub.id in contents and contents[stub.id].statements
    ]  # fmt: skip
    for node in frozen:
        await engine.groups.commit_node(lease, node, now=engine.clock())
    return frozen


def _reads_only(node: Node, ids: Collection[str]) -> bool:
    """Whether a segment or a summary reads sources directly, and none but these."""
    reads = node.kind in (Kind.SEGMENT, Kind.ROOT)
    return reads and all(isinstance(child, Leaf) and child.id in ids for child in node.children)


async def _freeze_runs(
    engine: Engine, lease: Lease, policy: Policy, snapshot: Snapshot, members: Sequence[Leaf]
) -> list[MadeNode]:
    """Draft, check and commit frozen nodes over these members, by the summarizer and nobody else."""
    runs = cut(members, limit=policy.shape.segment_limit)
    plan = Plan(
        group_id=lease.group_id, tenant_id=lease.tenant_id, version=snapshot.version, action=Action.MAKE,
        reason="its originals may go", definition=engine.definition_of(policy), standing={}, policy=policy,
        steps=tuple(Step(node=frozen_node(run, 0), reason="its originals may go") for run in runs),
    )  # fmt: skip
    make = partial(make_node, plan=plan, makers=engine.without_stand_in())

    async def keep(node: MadeNode) -> None:
        await engine.groups.commit_node(lease, node, now=engine.clock())

    return await walk(plan, engine.groups.reader(lease.tenant_id), make, keep=keep)


def open_members(snapshot: Snapshot, ids: Collection[str]) -> list[Leaf]:
    """Which of these the group holds alive and in no frozen node, oldest first.

    None where no summary stands: a group that is too small, or whose summary was deleted by request, lets nothing go.
    """
    if snapshot.summary_id is None:
        return []
    spoken_for = {id_ for stub in snapshot.nodes for id_ in stub.members}
    members = [leaf for leaf in snapshot.leaves if leaf.id in ids and leaf.live and leaf.id not in spoken_for]
    return sorted(members, key=lambda leaf: leaf.order)


def cut(leaves: Sequence[Leaf], *, limit: int) -> list[list[Leaf]]:
    """The sources in runs of at most ``limit`` tokens, oldest first; one that is longer stands alone."""
    runs: list[list[Leaf]] = []
    weight = 0
    for leaf in leaves:
        if not runs or weight + leaf.tokens > limit:
            runs.append([])
            weight = 0
        runs[-1].append(leaf)
        weight += leaf.tokens
    return runs
