"""Summaries in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from precis.errors import NotFound
from precis.store.ports import ClusterStats, Filter, Page
from precis.summary import Summary
from precis.testing.memory_nodes import GroupRow, SummaryRow
from precis.testing.memory_paging import in_scope, matches, page
from precis.testing.memory_rows import Rows, TenantRows, memory_of, summary_of

_NEVER = datetime.max.replace(tzinfo=UTC)


class MemorySummaries:
    """Implements ``precis.store.ports.Summaries``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def get(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Summary]:
        """The summaries that exist."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            found = {s.root.id: summary_of(g, s, tenant.memories) for g, s in tenant.summarized()}
            return {id_: found[id_] for id_ in ids if id_ in found}

    async def list(
        self, tenant_id: str, chosen: Filter, *, policy: str | None, limit: int, cursor: str | None
    ) -> Page[Summary]:
        """Newest refresh first."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            rows = [
                summary_of(group, row, tenant.memories)
                for group, row in tenant.summarized()
                if policy in (None, group.policy) and matches(memory_of(group, row), chosen)
            ]
            return page(rows, lambda summary: (summary.updated_at, summary.id), limit=limit, cursor=cursor)

    async def delete(self, tenant_id: str, summary_id: str, *, now: datetime) -> None:
        """Remove a summary and suppress its source set until it changes; a draft in flight is refused."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            group, row = _find(tenant, summary_id)
            group.summary = None
            group.suppressed = row.root.key
            group.refreshed_version = group.version
            group.added, group.lost, group.due_at = 0, False, None
            group.unlease()
            tenant.touch_whole(group, now)

    async def group_of(self, tenant_id: str, summary_id: str) -> tuple[str, str]:
        """(group id, policy) of a summary."""
        async with self._rows.lock:
            group, _ = _find(self._rows.of(tenant_id), summary_id)
            return group.id, group.policy

    async def groups(
        self, tenant_id: str, chosen: Filter, *, policy: str | None, stale_only: bool, limit: int
    ) -> Sequence[tuple[str, str]]:
        """(group id, policy), longest due first."""
        async with self._rows.lock:
            found = [
                group
                for group in _chosen(self._rows.of(tenant_id), chosen)
                if policy in (None, group.policy) and (group.due_at is not None or not stale_only)
            ]
            found.sort(key=lambda group: (group.due_at or _NEVER, group.id))
            return [(group.id, group.policy) for group in found[:limit]]

    async def stats(self, tenant_id: str, chosen: Filter, *, min_members: int, now: datetime) -> ClusterStats:
        """SPEC S0.11."""
        async with self._rows.lock:
            groups = [g for g in _chosen(self._rows.of(tenant_id), chosen) if g.policy == "clusters"]
        sparse = sum(len(group.members) < min_members for group in groups)
        hour = {g.id: sum(now - timedelta(hours=1) < at <= now for at in g.refreshed_at) for g in groups}
        recent = {id_: refreshes for id_, refreshes in hour.items() if refreshes}
        commits = sum(len(group.refreshed_at) for group in groups)
        return ClusterStats(
            clusters=len(groups),
            sparse=sparse,
            sparse_ratio=sparse / len(groups) if groups else 0.0,
            members=sum(len(group.members) for group in groups),
            summaries=sum(group.summary is not None for group in groups),
            stale=sum(group.due_at is not None for group in groups),
            failed=sum(group.failed_at is not None for group in groups),
            refreshes_last_hour=recent,
            churn=sum(recent.values()) / len(recent) if recent else 0.0,
            tokens_per_summary=sum(group.tokens_used for group in groups) / commits if commits else 0.0,
        )


def _find(tenant: TenantRows, summary_id: str) -> tuple[GroupRow, SummaryRow]:
    found = tenant.summary(summary_id)
    if found is None:
        raise NotFound
    return found


def _chosen(tenant: TenantRows, chosen: Filter) -> list[GroupRow]:
    """Groups of a scope and type; the other filters are about rows."""
    return [
        group
        for group in tenant.groups.values()
        if in_scope(group.scope, chosen) and chosen.extracted_type in (None, group.extracted_type)
    ]
