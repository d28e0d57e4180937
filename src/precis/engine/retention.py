"""Retention: sealing sources into frozen nodes before their text may go.

A frozen node keeps what its members said when their text is gone: explicit members, never cut again. The text goes in a
later transaction, once the group has been refreshed over the frozen node (law 6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from precis.engine.commit import MadeNode, Outcome, Result
from precis.engine.groups import Lease
from precis.engine.keeping import ROOM, keeping
from precis.engine.pipeline import Engine, attempt, total
from precis.engine.plan import Snapshot, make_plan
from precis.engine.policy import Originals, Policy
from precis.engine.segments import Kind, Leaf, Node, frozen_node
from precis.engine.summarization import draft_node, gather, item_of, tokens_of
from precis.errors import SourceChanged
from precis.makers import Usage


def covered(memory_id: str, *, current: bool, frozen: Iterable[Collection[str]]) -> bool:
    """Law 6: a source may expire where a summary stands and is current, and a frozen node speaks for the source."""
    return current and any(memory_id in members for members in frozen)


async def freeze(engine: Engine, lease: Lease, ids: Sequence[str]) -> Outcome:
    """Seal these members of the leased group in frozen nodes, each over as many tokens as one segment may have.

    Members that are frozen or expired already, or that a part speaks for, are passed over. Where they are all that a
    standing summary or segment has read, what that says becomes the frozen node, without a call. The lease goes back,
    and the group is due: a refresh that reads the frozen nodes must follow before ``Memories.expire`` lets a text go.
    The stand-in for a model is never asked, for what it leaves out could not be made again.

    Under a policy that lets its originals go no call is made either: what the summary says of them is kept, what it
    leaves out is quoted as far as there is room, and who is not said even then is not frozen.
    """
    return await attempt(engine, lease, lambda: _freeze(engine, lease, ids))


async def _freeze(engine: Engine, lease: Lease, ids: Sequence[str]) -> Outcome:
    snapshot = await engine.groups.snapshot(lease.tenant_id, lease.group_id)
    policy = engine.policies[lease.policy].told(snapshot.view)
    done = Outcome(group_id=lease.group_id, result=Result.UNCHANGED, summary_id=snapshot.summary_id)
    wanted = open_members(snapshot, ids)
    if policy.originals is not Originals.KEEP:
        return await _end(engine, lease, done, await _freeze_said(engine, lease, policy, snapshot, wanted))
    made = [await _keep(engine, lease, one) for one in await _said_already(engine, lease, policy, snapshot, wanted)]
    kept = {leaf.id for one in made for leaf in one.node.leaves()}
    runs = cut([leaf for leaf in wanted if leaf.id not in kept], limit=policy.shape.segment_limit)
    made += [await _freeze_run(engine, lease, policy, run) for run in runs]
    return await _end(engine, lease, done, made)


async def _end(engine: Engine, lease: Lease, done: Outcome, made: Sequence[MadeNode]) -> Outcome:
    """Give the lease back; where something was frozen the group is due."""
    if not made:
        await engine.groups.give_back(lease)
        return replace(done, reason="nothing to freeze")
    await engine.groups.release(lease, retry_at=engine.clock(), error=None, now=engine.clock())
    usage = total([one.usage for one in made])
    return replace(done, result=Result.COMMITTED, usage=usage, nodes_made=len(made))


async def _freeze_said(
    engine: Engine, lease: Lease, policy: Policy, snapshot: Snapshot, wanted: Sequence[Leaf]
) -> list[MadeNode]:
    """Frozen nodes over those of these members of whom everything is said or set aside for a reason."""
    root = next((stub for stub in snapshot.nodes if stub.id == snapshot.summary_id), None)
    if root is None or root.fallback or not wanted:
        return []
    told = (await engine.groups.read_statements(lease.tenant_id, [root.id])).get(root.id, ())
    memories = await engine.groups.read_sources(lease.tenant_id, [leaf.id for leaf in wanted])
    if len(memories) < len(wanted):
        raise SourceChanged
    made = []
    for run in cut(wanted, limit=policy.shape.segment_limit):
        items = [item_of(memories[leaf.id]) for leaf in run]
        room = int(ROOM * sum(engine.count(item.text) for item in items))
        kept = keeping(items, told, room=room, count=engine.count)
        members = [leaf for leaf in run if leaf.id in kept.fates]
        if members:
            one = MadeNode(
                node=frozen_node(members, 0), statements=kept.statements, definition=engine.definition_of(policy),
                made_by=root.made_by, fallback=False, quality=root.quality,
                tokens=tokens_of(kept.statements, engine.count), usage=Usage(), fates=kept.fates,
            )  # fmt: skip
            made.append(await _keep(engine, lease, one))
    return made


async def _said_already(
    engine: Engine, lease: Lease, policy: Policy, snapshot: Snapshot, wanted: Sequence[Leaf]
) -> list[MadeNode]:
    """Frozen nodes that say what a standing node over nothing but these members says."""
    ids = {leaf.id for leaf in wanted}
    planned = make_plan(policy, snapshot, engine.definition_of(policy), offline=engine.offline)
    if planned.root is None or planned.root.key not in planned.standing:
        return []
    over = [one for one in planned.root.below() if _reads_only(one, ids) and one.key in planned.standing]
    stubs = [planned.standing[one.key] for one in over]
    said = await engine.groups.read_statements(lease.tenant_id, [stub.id for stub in stubs])
    fates = await engine.groups.read_fates(lease.tenant_id, [stub.id for stub in stubs])
    return [
        MadeNode(
            node=frozen_node(one.leaves(), 0), statements=said[stub.id], definition=stub.definition,
            made_by=stub.made_by, fallback=False, quality=stub.quality, tokens=stub.tokens, usage=Usage(),
            fates=fates.get(stub.id, {}), capped_below=stub.capped,
        )
        for one, stub in zip(over, stubs, strict=True)
        if said.get(stub.id)
    ]  # fmt: skip


def _reads_only(one: Node, ids: Collection[str]) -> bool:
    """Whether a segment or a summary reads sources directly, and none but these."""
    reads = one.kind in (Kind.SEGMENT, Kind.ROOT)
    return reads and all(isinstance(child, Leaf) and child.id in ids for child in one.children)


async def _keep(engine: Engine, lease: Lease, made: MadeNode) -> MadeNode:
    await engine.groups.commit_node(lease, made, now=engine.clock())
    return made


async def _freeze_run(engine: Engine, lease: Lease, policy: Policy, run: Sequence[Leaf]) -> MadeNode:
    """Draft, check and commit one frozen node."""
    node = frozen_node(run, 0)
    memories = await engine.groups.read_sources(lease.tenant_id, [leaf.id for leaf in run])
    if len(memories) < len(run):
        raise SourceChanged
    made = await draft_node(
        node,
        gather(node, memories, {}),
        policy=policy,
        definition=engine.definition_of(policy),
        summarizer=engine.summarizer,
        judge=engine.judge,
        count=engine.count,
        tenant_id=lease.tenant_id,
        group_id=lease.group_id,
    )
    return await _keep(engine, lease, made)


def open_members(snapshot: Snapshot, ids: Collection[str]) -> list[Leaf]:
    """Which of these the group holds alive and in no frozen node, oldest first.

    None where no summary stands: a group that is too small, or whose summary was deleted by request, lets nothing go.
    """
    if snapshot.summary_id is None:
        return []
    spoken_for = {id_ for stub in snapshot.nodes for id_ in stub.members}
    wanted = [leaf for leaf in snapshot.leaves if leaf.id in ids and leaf.live and leaf.id not in spoken_for]
    return sorted(wanted, key=lambda leaf: leaf.order)


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
