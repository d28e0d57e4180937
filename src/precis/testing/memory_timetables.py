"""Time zones and timetables in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from precis.store.ports import Schedule, Turn
from precis.testing.memory_rows import Rows, ScheduleRow


class MemoryZones:
    """Implements ``precis.store.ports.Zones``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def list(self, tenant_id: str) -> Mapping[str, str]:
        """IANA names by user id."""
        async with self._rows.lock:
            return dict(self._rows.of(tenant_id).zones)

    async def put(self, tenant_id: str, user_id: str, zone: str | None, *, policies: Sequence[str]) -> Sequence[str]:
        """Set or unset a zone; answers the memories whose places may have moved."""
        async with self._rows.lock:
            tenant = self._rows.of(tenant_id)
            if zone is None:
                tenant.zones.pop(user_id, None)
            else:
                tenant.zones[user_id] = zone
            placed = {id_ for group in tenant.groups.values() if group.policy in policies for id_ in group.members}
            owners = {id_: tenant.memories[id_].memory.scope.user_id for id_ in placed}
            own = tenant.zones.keys() - {""}
            return sorted(id_ for id_, owner in owners.items() if (owner == user_id if user_id else owner not in own))


class MemorySchedules:
    """Implements ``precis.store.ports.Schedules``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def list(self, tenant_id: str) -> Mapping[str, Schedule]:
        """By policy."""
        async with self._rows.lock:
            rows = self._rows.of(tenant_id).schedules
            return {name: Schedule(last_run=row.last_run, next_run=row.next_run) for name, row in rows.items()}

    async def ensure(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """The first next run; one that is known stays."""
        async with self._rows.lock:
            self._rows.of(tenant_id).schedules.setdefault(policy, ScheduleRow(next_run=next_run))

    async def move(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """Another next run of a policy that has one."""
        async with self._rows.lock:
            row = self._rows.of(tenant_id).schedules.get(policy)
            if row is not None:
                row.next_run = next_run

    async def claim(
        self, tenant_id: str, policy: str, *, now: datetime, lasts: timedelta, asked: bool = False
    ) -> Turn | None:
        """The right to make the pass, unless somebody makes it or it is not due."""
        async with self._rows.lock:
            row = self._rows.of(tenant_id).schedules.get(policy)
            if row is None or (row.lease_until is not None and row.lease_until > now):
                return None
            if not asked and (row.next_run is None or row.next_run > now):
                return None
            token = self._rows.new_id()
            row.lease(token, now + lasts)
            return Turn(tenant_id=tenant_id, policy=policy, token=token, lasts=lasts, due=row.next_run)

    async def renew(self, turn: Turn, *, now: datetime) -> bool:
        """Let the turn last from now on anew."""
        async with self._rows.lock:
            row = self._held(turn)
            if row is not None:
                row.lease(turn.token, now + turn.lasts)
            return row is not None

    async def finish(self, turn: Turn, *, last_run: datetime | None, next_run: datetime | None) -> bool:
        """Note the run and the next one; None leaves either as it is."""
        async with self._rows.lock:
            row = self._held(turn)
            if row is None:
                return False
            row.last_run, row.next_run = last_run or row.last_run, next_run or row.next_run
            row.lease_token = row.lease_until = None
            return True

    def _held(self, turn: Turn) -> ScheduleRow | None:
        """The row, while nobody else has taken the turn."""
        row = self._rows.of(turn.tenant_id).schedules.get(turn.policy)
        return row if row is not None and row.lease_token == turn.token else None
