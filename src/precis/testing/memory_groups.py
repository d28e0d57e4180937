"""Groups in memory: leases, snapshots and commits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b

import numpy as np

from precis.engine.commit import MadeNode
from precis.engine.groups import Lease
from precis.engine.plan import NodeStub, Plan, Snapshot
from precis.engine.segments import Kind, Leaf
from precis.errors import LeaseLost, SourceChanged
from precis.lineage import Counts, Fate, Statement
from precis.memory import Memory
from precis.testing.memory_nodes import GroupRow, MemoryRow, NodeRow, SummaryRow
from precis.testing.memory_rows import Rows, TenantRows


class MemoryGroups:
    """Implements ``precis.engine.groups.Groups``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def claim(
        self, tenant_id: str, *, now: datetime, lasts: timedelta, group_id: str | None = None
    ) -> Lease | None:
        """Lease this group, or the one that has been due longest."""
        async with self._rows.lock:
            groups = self._rows.of(tenant_id).groups
            named = [groups[group_id]] if group_id in groups else []
            wanted = named if group_id is not None else self._due(groups.values(), now)
            group = next((g for g in wanted if g.lease_until is None or g.lease_until <= now), None)
            if group is None:
                return None
            group.lease_token, group.lease_until = self._rows.new_id(), now + lasts
            due = group.due_at is not None and group.due_at <= now
            return Lease(
                tenant_id=tenant_id, group_id=group.id, policy=group.policy, token=group.lease_token,
                until=group.lease_until, lasts=lasts, attempts=group.attempts, lost=group.lost,
                due=due,
            )  # fmt: skip

    async def renew(self, lease: Lease, *, now: datetime) -> bool:
        """Let the lease last from now on anew."""
        async with self._rows.lock:
            if not self._holds(lease):
                return False
            _, group = self._leased(lease)
            group.lease_until = now + lease.lasts
            return True

    async def snapshot(self, tenant_id: str, group_id: str) -> Snapshot:
        """Members and nodes at one moment."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            group = tenant.group(group_id)
            parts = [stub for part in tenant.parts(group) for stub in _part_stubs(part)]
            return Snapshot(
                group_id=group.id,
                tenant_id=tenant_id,
                version=group.version,
                leaves=tuple(_leaf(tenant.memories[id_]) for id_ in group.members),
                nodes=(*(one.stub() for one in group.all_nodes()), *parts),
                summary_id=group.summary.root.id if group.summary else None,
                rejected=group.rejected,
                rejections=group.rejections,
                suppressed=group.suppressed,
            )

    async def read_sources(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Memory]:
        """Live memories with their text."""
        async with self._rows.lock:
            memories = self._rows.of(tenant_id).memories
            return {id_: memories[id_].memory for id_ in ids if id_ in memories and memories[id_].live}

    async def read_statements(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, tuple[Statement, ...]]:
        """Every statement of these nodes."""
        async with self._rows.lock:
            groups = self._rows.of(tenant_id).groups.values()
            nodes = [one for group in groups for one in group.all_nodes()]
            return {n.id: n.statements for n in nodes if n.id in node_ids}

    async def read_fates(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, Mapping[str, Fate]]:
        """What became of the sources of these nodes."""
        async with self._rows.lock:
            groups = self._rows.of(tenant_id).groups.values()
            nodes = [one for group in groups for one in group.all_nodes()]
            return {n.id: {id_: n.fates[id_] for id_ in n.sources if id_ in n.fates} for n in nodes if n.id in node_ids}

    async def commit_node(self, lease: Lease, made: MadeNode, *, now: datetime) -> None:
        """Keep one node below the summary; the lease starts anew."""
        async with self._rows.lock:
            tenant, group = self._leased(lease)
            _check_sources(tenant, group, made)
            row = _node_row(made, self._rows.new_id())
            frozen = row.kind is Kind.FROZEN
            replaced = [n.id for n in group.nodes.values() if n.key == row.key and n.kind is not Kind.FROZEN]
            for id_ in replaced:
                del group.nodes[id_]
            group.nodes[row.id] = row
            group.tokens_used += made.usage.tokens_in + made.usage.tokens_out
            group.lease_until = now + lease.lasts
            if frozen:
                group.version += 1
                group.lost, group.due_at = True, now

    async def commit_summary(
        self, lease: Lease, plan: Plan, made: MadeNode, *, vector: Sequence[float], embedding_version: str,
        counts: Counts, now: datetime, retry_at: datetime | None,
    ) -> str:  # fmt: skip
        """Put the summary in place, current as of the planned version; what reads it is stale if it says new things."""
        async with self._rows.lock:
            tenant, group = self._leased(lease)
            _check_sources(tenant, group, made)
            stood = group.summary
            served_from = plan.policy.served_from
            root = _node_row(made, stood.root.id if stood else self._rows.new_id(), served_from=served_from)
            group.summary = SummaryRow(
                root=root,
                parent_id=plan.parents,
                created_at=stood.created_at if stood else now,
                updated_at=now,
                importance=tenant.importance(group, stood.importance if stood else 0.5),
                vector=np.asarray(vector, dtype=np.float32),
                embedding_version=embedding_version,
                counts=counts,
                shared=tenant.shared(group),
            )
            read = {one.key for one in made.node.below()}
            group.nodes = {i: n for i, n in group.nodes.items() if n.kind is Kind.FROZEN or n.key in read}
            group.refreshed_at.append(now)
            group.tokens_used += made.usage.tokens_in + made.usage.tokens_out
            if stood is None or stood.root.content != root.content:
                tenant.touch_whole(group, now)
            rejected = plan.fingerprint if made.rejected is not None else None
            _finish(group, plan, now=now, retry_at=retry_at, rejected=rejected)
            group.attempts, group.error = lease.attempts + 1 if made.fallback else 0, made.rejected
            group.rejections = plan.rejections + 1 if rejected is not None else 0
            return root.id

    async def drop_summary(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """The group fell below its minimum."""
        async with self._rows.lock:
            tenant, group = self._leased(lease)
            if group.version != plan.version:
                raise SourceChanged
            group.drop_derived()
            tenant.touch_whole(group, now)
            _finish(group, plan, now=now, retry_at=None, rejected=None)

    async def silence(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """Nobody marks anything here: the group loses its summary as if it were too small."""
        await self.drop_summary(lease, plan, now=now)

    async def settle(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """Nothing to commit; nothing to settle either when the lease is lost."""
        async with self._rows.lock:
            if self._holds(lease):
                _finish(self._leased(lease)[1], plan, now=now, retry_at=None, rejected=plan.rejected)

    async def reject(self, lease: Lease, plan: Plan, *, retry_at: datetime | None, error: str, now: datetime) -> None:
        """The draft of the plan was rejected: the group stays stale."""
        async with self._rows.lock:
            if self._holds(lease):
                _, group = self._leased(lease)
                group.rejected, group.rejections, group.error = plan.fingerprint, plan.rejections + 1, error
                group.due_at, group.failed_at = retry_at if group.version == plan.version else now, None
                group.unlease()

    async def give_back(self, lease: Lease) -> None:
        """Nothing was done under the lease."""
        async with self._rows.lock:
            if self._holds(lease):
                self._leased(lease)[1].unlease()

    async def release(self, lease: Lease, *, retry_at: datetime | None, error: str | None, now: datetime) -> None:
        """Give the lease back after a failure; a lease that is lost already is nobody's to give."""
        async with self._rows.lock:
            if not self._holds(lease):
                return
            _, group = self._leased(lease)
            group.attempts += error is not None
            group.error = error or group.error
            group.due_at, group.failed_at = retry_at, now if retry_at is None else None
            group.unlease()

    def _due(self, groups: Iterable[GroupRow], now: datetime) -> list[GroupRow]:
        """Those that wait for a refresh now, longest first; a whole waits for its parts."""
        active = {name for name, policy in self._rows.policies.items() if not policy.paused}
        wanted = [group for group in groups if group.policy in active or not self._rows.policies]
        due = [(group.due_at, group.id, group) for group in wanted if group.due_at is not None]
        ripe = sorted((one for one in due if one[0] <= now), key=lambda one: one[:2])
        waiting = {group.part_of for _, _, group in ripe}
        return [group for _, id_, group in ripe if id_ not in waiting]

    def _leased(self, lease: Lease) -> tuple[TenantRows, GroupRow]:
        """The group of a lease that still holds. Raises LeaseLost."""
        if not self._holds(lease):
            raise LeaseLost
        tenant = self._rows.of(lease.tenant_id)
        return tenant, tenant.group(lease.group_id)

    def _holds(self, lease: Lease) -> bool:
        """Whether nobody has taken the group since; the token is the fence, so a late commit of its holder is good."""
        group = self._rows.of(lease.tenant_id).groups.get(lease.group_id)
        return group is not None and group.lease_token == lease.token


def _part_stubs(part: GroupRow) -> list[NodeStub]:
    """What a whole reads of a part: its summary or, while it has none, what stands in place of texts that are gone."""
    roots = [part.summary.root] if part.summary is not None else []
    return [one.stub(part=True) for one in roots or part.nodes.values() if roots or one.kind is Kind.FROZEN]


def _leaf(row: MemoryRow) -> Leaf:
    memory = row.memory
    return Leaf(
        id=memory.id,
        created_at=memory.created_at,
        fingerprint=memory.fingerprint,
        tokens=memory.tokens,
        live=row.live,
    )


def _node_row(made: MadeNode, id_: str, *, served_from: float = 0.0) -> NodeRow:
    read = [leaf.id for leaf in made.node.leaves()]
    said = repr([(s.text, s.importance, s.superseded_by, s.source_ids) for s in made.statements])
    return NodeRow(
        id=id_,
        key=made.node.key,
        kind=made.node.kind,
        definition=made.definition,
        made_by=made.made_by,
        fallback=made.fallback,
        quality=made.quality,
        tokens=made.tokens,
        statements=tuple(replace(statement) for statement in made.statements),
        sources=tuple(dict.fromkeys([*read, *_cited(made)])),
        served_from=served_from,
        content=blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest(),
        capped=made.capped_count,
        fates=dict(made.fates),
        prose=made.prose,
        title=made.title,
    )


def _cited(made: MadeNode) -> list[str]:
    return [id_ for statement in made.statements for id_ in statement.source_ids]


def _check_sources(tenant: TenantRows, group: GroupRow, made: MadeNode) -> None:
    """Every source must be a member of the group and what the draft has read; a part may cite what left the group."""
    for leaf in made.node.leaves():
        row = tenant.memories.get(leaf.id)
        if row is None or leaf.id not in group.members or row.memory.fingerprint != leaf.fingerprint:
            raise SourceChanged
    if not tenant.memories.keys() >= set(_cited(made)):
        raise SourceChanged


def _finish(group: GroupRow, plan: Plan, *, now: datetime, retry_at: datetime | None, rejected: str | None) -> None:
    """Current as of the planned version; what came in since then decides whether it is due again."""
    current = group.version == plan.version
    group.added = 0 if current else max(1, group.added)
    group.lost = group.lost and not current
    # A view that is not continuous waits to be asked for, unless something was forgotten.
    on_request = group.view_id is not None and group.due_at is None and not group.lost
    again = not current and group.wants_refresh and not on_request
    group.due_at = now if again else retry_at
    group.refreshed_version, group.rejected = plan.version, rejected
    group.rejections = plan.rejections if rejected is not None else 0
    group.attempts, group.error, group.failed_at = 0, None, None
    group.unlease()
