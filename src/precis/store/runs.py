"""Runs of the scheduler: what was due when a run began is its work, within the limits of its tenant (SPEC S0.9).

The state is one row a tenant, so the limits hold over all worker processes. A process that dies takes no run with it:
another joins the run while it is fresh, and what it leaves is still due.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from precis.engine.groups import Lease
from precis.engine.guards import Guards
from precis.ids import new_id
from precis.store.asking import Queries
from precis.store.pool import Connection, Database

_SQL = Queries("runs")
_GROUPS = Queries("groups")


class PostgresRuns:
    """Leases groups to the scheduler."""

    def __init__(self, database: Database, guards: Guards, policies: Collection[str] | None = None) -> None:
        self._database = database
        self._guards = guards
        #: Groups of other policies are left alone; None is all of them.
        self._policies = None if policies is None else sorted(policies)

    async def claim(self, tenant_id: str, *, now: datetime, lasts: timedelta) -> Lease | None:
        """The next group of the run that goes on, or of a new one where the tenant has cooled down.

        None when nothing of the run is left or it has as many jobs under way as it may, or while it cools down.
        """
        async with self._database.tenant(tenant_id) as connection:
            await _SQL.run(connection, "insert_run", tenant_id=tenant_id)
            row = await _one(connection, "lock_run", tenant_id=tenant_id)
            if await self._goes_on(connection, tenant_id, row, now, lasts):
                lease = await self._take(connection, tenant_id, row["run"], row["began_at"], now, lasts)
                if lease is not None or await self._jobs(connection, tenant_id, row["run"], now):
                    return lease
                await _SQL.run(connection, "end_run", tenant_id=tenant_id, run=row["run"], ended_at=now)
                row = await _one(connection, "lock_run", tenant_id=tenant_id)
            if self._cools_until(row, now) is not None:
                return None
            # Without a group to take up there is no run: a tick that came for nothing starts no cooldown.
            return await self._take(connection, tenant_id, row["run"] + 1, now, now, lasts)

    async def ready_at(self, tenant_id: str, *, now: datetime, lasts: timedelta) -> datetime | None:
        """When the tenant will have cooled down; None when it has, or while its run goes on."""
        async with self._database.tenant(tenant_id) as connection:
            row = await _SQL.one(connection, "read_run", tenant_id=tenant_id)
            if row is None or await self._goes_on(connection, tenant_id, row, now, lasts):
                return None
        return self._cools_until(row, now)

    async def _goes_on(
        self, connection: Connection, tenant_id: str, row: Mapping[str, Any], now: datetime, lasts: timedelta
    ) -> bool:
        """Whether a run is open. Its workers may all have died before its end: without a sign of life it is over."""
        if row["active_at"] is None or row["ended_at"] is not None:
            return False
        fresh = now < row["active_at"] + lasts
        return fresh or await self._jobs(connection, tenant_id, row["run"], now) > 0

    async def _jobs(self, connection: Connection, tenant_id: str, run: int, now: datetime) -> int:
        jobs: int = (await _one(connection, "jobs_under_way", tenant_id=tenant_id, run=run, now=now))["jobs"]
        return jobs

    def _cools_until(self, row: Mapping[str, Any], now: datetime) -> datetime | None:
        ended: datetime | None = row["ended_at"] or row["active_at"]
        ready = ended + self._guards.cooldown if ended is not None else now
        return ready if ready > now else None

    async def _take(
        self, connection: Connection, tenant_id: str, run: int, began_at: datetime, now: datetime, lasts: timedelta
    ) -> Lease | None:
        if await self._jobs(connection, tenant_id, run, now) >= self._guards.concurrent_jobs:
            return None
        token, until = new_id(), now + lasts
        here = {"tenant_id": tenant_id, "run": run, "began_at": began_at, "now": now}
        await _GROUPS.run(connection, "walk_in_order")
        row = await _SQL.one(
            connection, "claim_for_run", **here, token=token, until=until, jobs=self._guards.jobs_per_run,
            policies=self._policies,
        )  # fmt: skip
        if row is None:
            return None
        await _SQL.run(connection, "go_on", **here)
        return Lease(
            tenant_id=tenant_id, group_id=row["group_id"], policy=row["policy"], token=token, until=until,
            lasts=lasts, attempts=row["attempts"], lost=row["lost"], due=row["due"],
        )  # fmt: skip


async def _one(connection: Connection, name: str, **parameters: Any) -> Mapping[str, Any]:
    """The one row of an answer that always has one."""
    row = await _SQL.one(connection, name, **parameters)
    return row or {}
