"""Timetables in PostgreSQL: when each policy's pass over a tenant ran last and is due next, and who makes it now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from precis.ids import new_id
from precis.store.asking import Queries, Row
from precis.store.pool import Database
from precis.store.ports import Schedule, Turn

_SQL = Queries("schedules")


class PostgresSchedules:
    """See precis.store.ports.Schedules."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, tenant_id: str) -> Mapping[str, Schedule]:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "list_schedules", tenant_id=tenant_id)
        return {row["policy"]: Schedule(last_run=row["last_run"], next_run=row["next_run"]) for row in rows}

    async def ensure(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            await _SQL.run(connection, "ensure_schedule", tenant_id=tenant_id, policy=policy, next_run=next_run)

    async def move(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            await _SQL.run(connection, "move_schedule", tenant_id=tenant_id, policy=policy, next_run=next_run)

    async def claim(
        self, tenant_id: str, policy: str, *, now: datetime, lasts: timedelta, asked: bool = False
    ) -> Turn | None:
        """See the port."""
        token = new_id()
        row = await self._one("claim_schedule", tenant_id, policy, now=now, until=now + lasts, token=token, asked=asked)
        if row is None:
            return None
        return Turn(tenant_id=tenant_id, policy=policy, token=token, lasts=lasts, due=row["next_run"])

    async def renew(self, turn: Turn, *, now: datetime) -> bool:
        """See the port."""
        row = await self._one("renew_schedule", turn.tenant_id, turn.policy, token=turn.token, until=now + turn.lasts)
        return row is not None

    async def finish(self, turn: Turn, *, last_run: datetime | None, next_run: datetime | None) -> bool:
        """See the port."""
        row = await self._one(
            "finish_schedule", turn.tenant_id, turn.policy, token=turn.token, last_run=last_run, next_run=next_run
        )
        return row is not None

    async def _one(self, name: str, tenant_id: str, policy: str, **parameters: Any) -> Row | None:
        async with self._database.tenant(tenant_id) as connection:
            return await _SQL.one(connection, name, tenant_id=tenant_id, policy=policy, **parameters)
