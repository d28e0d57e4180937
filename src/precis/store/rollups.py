"""Days, weeks and months in PostgreSQL."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

import orjson

from precis.errors import InvalidInput
from precis.memory import RetentionState
from precis.store.asking import Queries
from precis.store.memories import read_memories
from precis.store.places import PostgresPlaces
from precis.store.pool import Database, retried
from precis.store.ports import Page, PeriodRow
from precis.store.vault import Vault

_SQL = Queries("rollups")
_MEMORIES = Queries("memories")


class PostgresRollups:
    """See precis.store.ports.Periods."""

    def __init__(self, database: Database, vault: Vault, places: PostgresPlaces) -> None:
        self._database = database
        self._vault = vault
        self._places = places

    async def list(
        self, tenant_id: str, policy: str, *, user_id: str | None, limit: int, cursor: str | None
    ) -> Page[PeriodRow]:
        """See the port."""
        before, before_id = decode_cursor(cursor)
        found = await self._all(
            "list_periods", tenant_id, policy=policy, user_id=user_id, before=before, before_id=before_id,
            limit=limit + 1,
        )  # fmt: skip
        rows = tuple(PeriodRow(**row) for row in found[:limit])
        more = len(found) > limit
        return Page(rows=rows, next_cursor=encode_cursor(rows[-1]) if more else None)

    async def find(
        self, tenant_id: str, policy: str, *, user_id: str, first: date, last: date, only_open: bool = False
    ) -> Sequence[PeriodRow]:
        """See the port."""
        found = await self._all(
            "find_periods", tenant_id, policy=policy, user_id=user_id, first=first, last=last, open=only_open
        )
        return [PeriodRow(**row) for row in found]

    async def schedule(self, tenant_id: str, policy: str, *, last: date, next_run: datetime) -> int:
        """See the port."""
        return len(await self._all("schedule_periods", tenant_id, policy=policy, last=last, next_run=next_run))

    async def made_since(self, tenant_id: str, policies: Sequence[str], since: datetime) -> bool:
        """See the port."""
        (row,) = await self._all("made_since", tenant_id, policies=list(policies), since=since)
        return bool(row["made"])

    async def rest(self, tenant_id: str, policies: Sequence[str]) -> int:
        """See the port."""
        return len(await self._all("rest_periods", tenant_id, policies=list(policies)))

    @retried
    async def move(self, tenant_id: str, ids: Sequence[str], policies: Sequence[str], *, now: datetime) -> int:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            await self._places.share(connection, tenant_id)
            rows = await _MEMORIES.all(connection, "get_memories", tenant_id=tenant_id, ids=list(ids))
            memories = await read_memories(connection, self._vault, tenant_id, rows)
            live = [memory for memory in memories if memory.retention_state is not RetentionState.EXPIRED]
            found = await self._places.places_of(connection, tenant_id, live, now)
            pairs = [(id_, place) for id_, place in found if place.policy in policies]
            there = {(place.group_id, id_) for id_, place in pairs}
            held = await _SQL.all(
                connection, "memberships_of", tenant_id=tenant_id, ids=[memory.id for memory in live],
                policies=list(policies),
            )  # fmt: skip
            before = {(row["group_id"], row["memory_id"]) for row in held}
            left, new = before - there, there - before
            await self._places.hold(connection, tenant_id, {group_id for group_id, _ in left | there})
            await self._places.leave(connection, tenant_id, sorted(left), now)
            await self._places.join(connection, tenant_id, pairs, now)
        return len({id_ for _, id_ in left | new})

    async def _all(self, name: str, tenant_id: str, **parameters: Any) -> Sequence[Mapping[str, Any]]:
        async with self._database.tenant(tenant_id) as connection:
            return await _SQL.all(connection, name, tenant_id=tenant_id, **parameters)


def encode_cursor(row: PeriodRow) -> str:
    """Where a page ended, opaque to callers."""
    return base64.urlsafe_b64encode(orjson.dumps([row.starts_on.isoformat(), row.group_id])).decode()


def decode_cursor(cursor: str | None) -> tuple[date | None, str]:
    """Where the next page begins. Raises InvalidInput."""
    if cursor is None:
        return None, ""
    try:
        starts_on, group_id = orjson.loads(base64.urlsafe_b64decode(cursor))
        return date.fromisoformat(starts_on), _id(group_id)
    except (ValueError, TypeError) as error:
        raise InvalidInput("cursor: this is not what a list answered as next_cursor", field="cursor") from error


def _id(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError("no id")
    return value
