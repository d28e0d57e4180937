"""Groups in memory: leases, snapshots and commits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from precis.engine.commit import Counts, MadeNode
from precis.engine.groups import Lease
from precis.engine.plan import Plan, Snapshot
from precis.engine.segments import Kind, Leaf
from precis.errors import LeaseLost, SourceChanged
from precis.lineage import Statement
from precis.memory import Memory
from precis.testing.memory_rows import GroupRow, MemoryRow, NodeRow, Rows, SummaryRow, TenantRows


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
            wanted = named if group_id is not None else _due(groups.values(), now)
            group = next((g for g in wanted if g.lease_until is None or g.lease_until <= now), None)
            if group is None:
                return None
            group.lease_token, group.lease_until = self._rows.new_id(), now + lasts
            return Lease(
                tenant_id=tenant_id, group_id=group.id, policy=group.policy, token=group.lease_token,
                until=group.lease_until, lasts=lasts, attempts=group.attempts, lost=group.lost,
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
            nodes = [*group.nodes.values(), *([group.summary.root] if group.summary else [])]
            return Snapshot(
                group_id=group.id,
                tenant_id=tenant_id,
                version=group.version,
                leaves=tuple(_leaf(tenant.memories[id_]) for id_ in group.members),
                nodes=tuple(one.stub() for one in nodes),
                summary_id=group.summary.root.id if group.summary else None,
                rejected=group.rejected,
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
            nodes = [n for g in groups for n in (*g.nodes.values(), *([g.summary.root] if g.summary else []))]
            return {n.id: n.statements for n in nodes if n.id in node_ids}

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
        """Put the summary in place, current as of the planned version."""
        del counts  # what this store keeps of a root says the same
        async with self._rows.lock:
            tenant, group = self._leased(lease)
            _check_sources(tenant, group, made)
            stood = group.summary
            root = _node_row(made, stood.root.id if stood else self._rows.new_id())
            group.summary = SummaryRow(
                root=root,
                parent_id=tuple(leaf.id for leaf in plan.leaves),
                created_at=stood.created_at if stood else now,
                updated_at=now,
                importance=tenant.importance(group, stood.importance if stood else 0.5),
                vector=np.asarray(vector, dtype=np.float32),
                embedding_version=embedding_version,
            )
            read = {one.key for one in made.node.below()}
            group.nodes = {i: n for i, n in group.nodes.items() if n.kind is Kind.FROZEN or n.key in read}
            group.refreshed_at.append(now)
            group.tokens_used += made.usage.tokens_in + made.usage.tokens_out
            group.rejected = None
            _finish(tenant, group, plan, now=now)
            if retry_at is not None:
                group.due_at = retry_at
                group.attempts = lease.attempts + 1
            return root.id

    async def drop_summary(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """The group fell below its minimum."""
        async with self._rows.lock:
            tenant, group = self._leased(lease)
            if group.version != plan.version:
                raise SourceChanged
            group.drop_derived()
            group.rejected = None
            _finish(tenant, group, plan, now=now)

    async def settle(self, lease: Lease, plan: Plan, *, rejected: bool, now: datetime) -> None:
        """Nothing to commit; nothing to settle either when the lease is lost."""
        async with self._rows.lock:
            if not self._holds(lease):
                return
            tenant, group = self._leased(lease)
            lost = group.lost and group.version != plan.version
            _finish(tenant, group, plan, now=now, lost=lost)
            group.rejected = plan.fingerprint if rejected else plan.rejected

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


def _due(groups: Iterable[GroupRow], now: datetime) -> list[GroupRow]:
    """Those that wait for a refresh now, longest first."""
    waiting = [(group.due_at, group.id, group) for group in groups if group.due_at is not None and group.due_at <= now]
    return [group for _, _, group in sorted(waiting, key=lambda one: one[:2])]


def _leaf(row: MemoryRow) -> Leaf:
    memory = row.memory
    return Leaf(
        id=memory.id,
        created_at=memory.created_at,
        fingerprint=memory.fingerprint,
        tokens=memory.tokens,
        live=row.live,
    )


def _node_row(made: MadeNode, id_: str) -> NodeRow:
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
        sources=tuple(dict.fromkeys(leaf.id for leaf in made.node.leaves())),
    )


def _check_sources(tenant: TenantRows, group: GroupRow, made: MadeNode) -> None:
    """Every source must be a member of the group and what the draft has read."""
    for leaf in made.node.leaves():
        row = tenant.memories.get(leaf.id)
        if row is None or leaf.id not in group.members or row.memory.fingerprint != leaf.fingerprint:
            raise SourceChanged


def _finish(tenant: TenantRows, group: GroupRow, plan: Plan, *, now: datetime, lost: bool = False) -> None:
    """Current as of the planned version; due again when something changed since that the plan has not seen."""
    planned = {leaf.id: leaf.fingerprint for leaf in plan.leaves}
    group.added = sum(id_ not in planned for id_ in group.members)
    group.lost = lost or any(
        id_ not in group.members or tenant.memories[id_].memory.fingerprint != seen for id_, seen in planned.items()
    )
    # An addition that was forgotten again leaves nothing to do, and an expiry may have raised both versions meanwhile.
    seen_all = not group.added and not group.lost
    group.refreshed_version = group.version if seen_all else max(group.refreshed_version, plan.version)
    group.due_at = now if group.wants_refresh and not seen_all else None
    group.attempts, group.error, group.failed_at = 0, None, None
    group.unlease()
