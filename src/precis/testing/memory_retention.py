"""Which originals may go, and what must be done first, in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from precis.engine.retention import covered
from precis.lineage import Fate, rests_on
from precis.store.ports import Holder, Overdue
from precis.summary import served_of
from precis.testing.memory_nodes import GroupRow, MemoryRow, SummaryRow
from precis.testing.memory_rows import Rows, TenantRows


class MemoryRetention:
    """Implements ``precis.store.ports.Retention``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def overdue(
        self, tenant_id: str, policy: str, chosen: Overdue, *, besides: Sequence[str], limit: int
    ) -> Sequence[str]:
        """Live originals in current groups of the policy, oldest first."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            rows = [
                tenant.memories[id_].memory
                for group, summary in _periods(tenant, policy, chosen)
                if group.current and group.rejected is None and not summary.root.fallback
                and not (chosen.saving and summary.root.tokens >= _tokens(tenant, group, chosen))
                for id_ in group.members
                if id_ not in besides and _may_go(tenant.memories[id_], chosen) and not _awaited(tenant, id_)
            ]  # fmt: skip
        rows.sort(key=lambda memory: (memory.created_at, memory.id))
        return list(dict.fromkeys(memory.id for memory in rows))[:limit]

    async def not_saving(self, tenant_id: str, policy: str, chosen: Overdue) -> Sequence[tuple[str, str]]:
        """(user id, place) of groups whose summary counts no fewer tokens than its originals."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            found = [
                (group.place or "", group.scope.user_id)
                for group, summary in _periods(tenant, policy, chosen)
                if any(tenant.memories[id_].live for id_ in group.members)
                and summary.root.tokens >= _tokens(tenant, group, chosen)
            ]
        return [(user_id, place) for place, user_id in sorted(found)]

    async def said(self, tenant_id: str, policy: str, ids: Sequence[str]) -> Sequence[str]:
        """Those that a current summary of the policy says in full or has set aside for a reason."""
        async with self._rows.lock:
            groups = self._rows.of(tenant_id).holding(ids)
            mine = [group for group in groups if group.policy == policy]
            return sorted({id_ for id_ in ids for group in mine if id_ in group.members and _says(group, id_)})

    async def holders(self, tenant_id: str, ids: Sequence[str]) -> Sequence[Holder]:
        """Groups with a summary in which no frozen node speaks for one of these; parts first."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            found = []
            for group in _parts_first(tenant, ids):
                spoken_for = group.frozen().union(*(part.frozen() for part in tenant.parts(group)))
                if mine := sorted(id_ for id_ in ids if id_ in group.members and id_ not in spoken_for):
                    found.append(Holder(group_id=group.id, policy=group.policy, ids=tuple(mine)))
            return found

    async def behind(self, tenant_id: str, ids: Sequence[str]) -> Sequence[str]:
        """Groups with a summary that hold one of these and are not current; parts first."""
        async with self._rows.lock:
            return [group.id for group in _parts_first(self._rows.of(tenant_id), ids) if not group.current]


def _says(group: GroupRow, id_: str) -> bool:
    """Whether its current summary, which is no stand-in, says this one in full or has set it aside for a reason."""
    if group.summary is None or not group.current or group.rejected is not None or group.summary.root.fallback:
        return False
    root = group.summary.root
    fate = root.fates.get(id_) if id_ in root.sources else None
    served = served_of(root.statements, root.served_from)
    return fate is not None and (fate is not Fate.SAID or any(rests_on(one, [id_]) for one in served))


def may_expire(tenant: TenantRows, id_: str, keepers: Collection[str]) -> bool:
    """Law 6, in every group with a summary that holds the row; a part's frozen node speaks for what reads the part."""
    row = tenant.memories.get(id_)
    groups = [group for group in tenant.holding([id_]) if group.summary is not None]

    def holds(group: GroupRow) -> bool:
        parts = [part.frozen() for part in tenant.parts(group) if part.summary is not None]
        return covered(id_, current=group.current and group.rejected is None, frozen=[group.frozen(), *parts])

    said = any(group.policy in keepers and id_ in group.frozen() and _says(group, id_) for group in groups)
    return row is not None and row.live and said and all(holds(group) for group in groups)


def _periods(tenant: TenantRows, policy: str, chosen: Overdue) -> Iterator[tuple[GroupRow, SummaryRow]]:
    """Groups of the policy with a summary, as far as they are asked for."""
    for group, summary in tenant.summarized():
        ended = chosen.ends_before is None or (group.ends_on is not None and group.ends_on < chosen.ends_before)
        if group.policy == policy and ended and chosen.user_id in (None, group.scope.user_id):
            yield group, summary


def _may_go(row: MemoryRow, chosen: Overdue) -> bool:
    return row.live and not row.memory.pinned and (chosen.before is None or row.memory.created_at < chosen.before)


def _awaited(tenant: TenantRows, id_: str) -> bool:
    """Whether a group with a place is still to be made of it for the first time, and no part speaks for it there."""
    holding = tenant.holding([id_])
    told = {group.part_of for group in holding if group.summary is not None}
    return any(
        group.place is not None and group.summary is None and group.id not in told
        and (group.due_at is not None or group.failed_at is not None)
        for group in holding
    )  # fmt: skip


def _tokens(tenant: TenantRows, group: GroupRow, chosen: Overdue) -> int:
    """What the originals count, less what rendering adds to each."""
    return sum(tenant.memories[id_].memory.tokens - chosen.rendered for id_ in group.members)


def _parts_first(tenant: TenantRows, ids: Sequence[str]) -> list[GroupRow]:
    """Groups with a summary that hold one of these."""
    groups = [group for group in tenant.holding(ids) if group.summary is not None]
    return sorted(groups, key=lambda group: (group.part_of is None, group.id))
