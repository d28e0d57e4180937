"""Retention: sealing sources into frozen nodes before their text may go.

A frozen node keeps what its members said when their text is gone: explicit members, never cut again. The text goes in a
later transaction, once the group has been refreshed over the frozen node (law 6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from precis.engine.commit import MadeNode, Outcome, Result
from precis.engine.groups import Lease
from precis.engine.pipeline import Engine, attempt, total
from precis.engine.plan import Snapshot
from precis.engine.policy import Policy
from precis.engine.segments import Kind, Leaf, frozen_node
from precis.engine.summarization import draft_node, gather
from precis.errors import SourceChanged


def covered(memory_id: str, *, current: bool, frozen: Iterable[Collection[str]]) -> bool:
    """Law 6: a source may expire where a summary stands and is current, and a frozen node speaks for the source."""
    return current and any(memory_id in members for members in frozen)


async def freeze(engine: Engine, lease: Lease, ids: Sequence[str]) -> Outcome:
    """Seal these members of the leased group in frozen nodes, each over as many tokens as one segment may have.

    Members that are frozen or expired already are passed over. The lease goes back, and the group is due: a refresh
    that reads the frozen nodes must follow before ``Memories.expire`` lets a text go. The stand-in for a model is never
    asked, for what it leaves out could not be made again.
    """
    return await attempt(engine, lease, lambda: _freeze(engine, lease, ids))


async def _freeze(engine: Engine, lease: Lease, ids: Sequence[str]) -> Outcome:
    policy = engine.policies[lease.policy]
    snapshot = await engine.groups.snapshot(lease.tenant_id, lease.group_id)
    done = Outcome(group_id=lease.group_id, result=Result.UNCHANGED, summary_id=snapshot.summary_id)
    runs = cut(open_members(snapshot, ids), limit=policy.shape.segment_limit)
    made = [await _freeze_run(engine, lease, policy, run) for run in runs]
    await engine.groups.release(lease, retry_at=engine.clock(), error=None, now=engine.clock())
    if not made:
        return replace(done, reason="nothing to freeze")
    usage = total([one.usage for one in made])
    return replace(done, result=Result.COMMITTED, usage=usage, nodes_made=len(made))


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
    await engine.groups.commit_node(lease, made, now=engine.clock())
    return made


def open_members(snapshot: Snapshot, ids: Collection[str]) -> list[Leaf]:
    """Which of these the group holds alive and in no frozen node, oldest first.

    None where no summary stands: a group that is too small, or whose summary was deleted by request, lets nothing go.
    """
    if snapshot.summary_id is None:
        return []
    frozen = {id_ for stub in snapshot.nodes if stub.kind is Kind.FROZEN for id_ in stub.members}
    wanted = [leaf for leaf in snapshot.leaves if leaf.id in ids and leaf.live and leaf.id not in frozen]
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
