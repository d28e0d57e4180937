"""Groups that follow a rule, in memory: which memories are members of which, and how they come and go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from precis.engine.grouping import Trigger
from precis.engine.placing import Place, Placing
from precis.engine.segments import Kind
from precis.memory import Memory, Scope, Tier
from precis.testing.memory_nodes import GroupRow, earliest
from precis.testing.memory_rows import Rows, TenantRows

#: A memory and a group it belongs to.
Pair = tuple[str, Place]


class MemoryPlaces:
    """Implements ``precis.store.ports.Places``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def put(self, tenant_id: str, pairs: Sequence[Pair], *, now: datetime) -> int:
        """Make memories members of groups."""
        del now
        async with self._rows.lock:
            there = self._rows.of(tenant_id).memories
            return join(self._rows, tenant_id, [pair for pair in pairs if pair[0] in there])

    async def sweep(self, tenant_id: str, *, now: datetime) -> int:
        """Let go of the members whose time is over."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            over = [
                (group.id, id_)
                for group in tenant.groups.values()
                for id_, leaves_at in group.members.items()
                if leaves_at is not None and leaves_at <= now
            ]
            leave(tenant, over, now)
            return len(over)

    async def drop(self, tenant_id: str, group_ids: Collection[str], *, now: datetime) -> None:
        """Remove groups with all that was derived in them."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            for id_ in tenant.groups.keys() & set(group_ids):
                tenant.touch_whole(tenant.groups.pop(id_), now)


def places_of(rows: Rows, tenant_id: str, memories: Iterable[Memory], now: datetime) -> list[Pair]:
    """The groups these memories belong to."""
    placing = Placing(now=now, zones=rows.of(tenant_id).zones)
    placers = [policy.place for policy in rows.policies.values() if policy.place is not None]
    return [(memory.id, place) for memory in memories for placer in placers for place in placer(memory, placing)]


def join(rows: Rows, tenant_id: str, pairs: Sequence[Pair]) -> int:
    """The memories become members, of new groups where they are not there; answers how many were not before."""
    by_group: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_group.setdefault(pair[1].group_id, []).append(pair)
    return sum(_join(rows, tenant_id, own) for own in by_group.values())


def _join(rows: Rows, tenant_id: str, pairs: Sequence[Pair]) -> int:
    tenant, place = rows.of(tenant_id), pairs[0][1]
    known = tenant.groups.get(place.group_id)
    group = known or _group_of(rows, tenant_id, place)
    tenant.groups[group.id] = group
    due: datetime | None = None
    for _, one in pairs:
        due = earliest(due, one.due_at)
    stood = len(group.members)
    group.members |= {id_: one.leaves_at for id_, one in pairs}
    joined = len(group.members) - stood
    if joined:
        group.grown(added=joined, due_at=due)
    return joined


def _group_of(rows: Rows, tenant_id: str, place: Place) -> GroupRow:
    policy = rows.policies.get(place.policy)
    return GroupRow(
        id=place.group_id, policy=place.policy, tier=policy.tier if policy else Tier.RAW, extracted_type="",
        scope=Scope(
            tenant_id=tenant_id, user_id=place.user_id, project_id=place.project_id, environment=place.environment
        ),
        trigger=policy.trigger if policy else Trigger(min_members=1), place=place.name, starts_on=place.starts_on,
        ends_on=place.ends_on, view_id=place.view_id, labels=place.labels or {}, part_of=place.whole_id,
    )  # fmt: skip


def replace_places(rows: Rows, tenant_id: str, memory: Memory, now: datetime) -> None:
    """After an edit: leave the groups the memory no longer belongs to, join those it belongs to now."""
    tenant = rows.of(tenant_id)
    pairs = places_of(rows, tenant_id, [memory], now)
    stays = {place.group_id for _, place in pairs}
    placed = {name for name, policy in rows.policies.items() if policy.place is not None}
    left = [group.id for group in tenant.holding([memory.id]) if group.policy in placed and group.id not in stays]
    leave(tenant, [(group_id, memory.id) for group_id in left], now)
    join(rows, tenant_id, pairs)


def leave(tenant: TenantRows, pairs: Sequence[tuple[str, str]], now: datetime) -> None:
    """Members leave groups: (group id, memory id). A summary stands, stale, until it is made anew."""
    for group_id in dict.fromkeys(group_id for group_id, _ in pairs):
        group = tenant.groups[group_id]
        ids = {id_ for of, id_ in pairs if of == group_id}
        for id_ in ids:
            del group.members[id_]
        for one in [one for one in group.nodes.values() if ids.intersection(one.sources)]:
            if one.kind is Kind.FROZEN:
                one.withdraw(ids, lambda _: False)
            if one.kind is not Kind.FROZEN or not one.sources:
                del group.nodes[one.id]
        _shrink(tenant, group, now)


def _shrink(tenant: TenantRows, group: GroupRow, now: datetime) -> None:
    group.shrunk(now)
    if not group.members:
        group.summary = None
        # A partition of a view that lost its last member is still one: it answers that it is empty.
        if group.view_id is None:
            del tenant.groups[group.id]
    tenant.touch_whole(group, now)
