"""Summary views in PostgreSQL: a row a view; its partitions are groups, and which rows are in them is membership."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from precis.database.connections import Database, retried
from precis.database.queries import Connection, Queries
from precis.engine.placing import Place
from precis.errors import NotFound
from precis.keys.vault import Vault
from precis.memory import Memory, MemoryType, Scope
from precis.store.filtering import filter_parameters
from precis.store.places import Pair, PostgresPlaces, view_of
from precis.store.ports import Filter
from precis.store.view_ports import Partition, Rule
from precis.view import View

_SQL = Queries("views")
_PLACES = Queries("places")
_TASKS = Queries("tasks")


class PostgresViews:
    """See precis.store.view_ports.Views."""

    def __init__(self, database: Database, vault: Vault, places: PostgresPlaces) -> None:
        self._database = database
        self._vault = vault
        self._places = places

    @retried
    async def create(self, tenant_id: str, view: View, *, place: Rule, now: datetime) -> int:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            # Nobody writes while the rules change, so every row is placed either here or by whoever writes it.
            await _PLACES.run(connection, "take_placing", tenant_id=tenant_id)
            await _SQL.run(connection, "insert_view", **_row(tenant_id, view, now))
            pairs = await self._pairs(connection, tenant_id, view, place, now)
            await self._fill(connection, tenant_id, pairs, now)
        return len({found.group_id for _, found in pairs})

    async def get(self, tenant_id: str, view_id: str) -> View:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            return await self._get(connection, tenant_id, view_id, "get_view")

    async def list(self, tenant_id: str) -> Sequence[View]:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            return [view_of(row) for row in await _SQL.all(connection, "list_views", tenant_id=tenant_id)]

    @retried
    async def replace(self, tenant_id: str, view: View, *, place: Rule, tick: datetime, now: datetime) -> None:
        """See the port."""
        here = {"tenant_id": tenant_id, "view_id": view.id}
        async with self._database.tenant(tenant_id) as connection:
            await _PLACES.run(connection, "take_placing", tenant_id=tenant_id)
            before = await self._get(connection, tenant_id, view.id, "hold_view")
            await _SQL.run(connection, "update_view", **_row(tenant_id, view, now))
            if _keyed(before) != _keyed(view):
                await self._drop(connection, tenant_id, view.id)
            moved = (before.group_by, before.filters, before.window_days) != (
                view.group_by, view.filters, view.window_days,
            )  # fmt: skip
            if moved:
                await self._move(connection, tenant_id, view, place, now)
            if (before.prompt, before.model) != (view.prompt, view.model):
                await _SQL.run(connection, "outdate_roots", **here)
                await _SQL.run(connection, "outdate_groups", **here)
            due_at = tick if view.continuous else None
            await _SQL.run(connection, "set_ticks", **here, due_at=due_at)

    @retried
    async def delete(self, tenant_id: str, view_id: str, *, now: datetime) -> bool:
        """See the port."""
        here = {"tenant_id": tenant_id, "view_id": view_id}
        async with self._database.tenant(tenant_id) as connection:
            await _PLACES.run(connection, "take_placing", tenant_id=tenant_id)
            await self._drop(connection, tenant_id, view_id)
            gone = await _SQL.all(connection, "delete_view", **here)
            reason = "the view was deleted"
            await _TASKS.run(connection, "end_tasks_of_view", **here, error_message=reason, now=now)
        return bool(gone)

    async def partitions(self, tenant_id: str, view_id: str, *, labels: Mapping[str, str]) -> Sequence[Partition]:
        """See the port."""
        here = {"tenant_id": tenant_id, "view_id": view_id, "labels": Jsonb(dict(labels))}
        async with self._database.tenant(tenant_id) as connection:
            return [Partition(**row) for row in await _SQL.all(connection, "list_partitions", **here)]

    @retried
    async def partition(self, tenant_id: str, place: Place, *, now: datetime) -> Partition:
        """See the port."""
        here = {"tenant_id": tenant_id, "group_id": place.group_id}
        async with self._database.tenant(tenant_id) as connection:
            found = await _SQL.all(connection, "get_partition", **here)
            if not found:
                # The lock of a writer: the view is not taken away meanwhile, which would leave this behind.
                await _PLACES.run(connection, "share_placing", tenant_id=tenant_id)
                await self._get(connection, tenant_id, place.view_id or "", "get_view")
                await self._places.make(connection, tenant_id, [place], now)
                await _SQL.run(connection, "keep_empty", **here)
                found = await _SQL.all(connection, "get_partition", **here)
        return Partition(**found[0])

    async def stale(self, tenant_id: str, view_id: str, *, forced: bool) -> Sequence[Partition]:
        """See the port."""
        query = "filled_partitions" if forced else "stale_partitions"
        async with self._database.tenant(tenant_id) as connection:
            return [Partition(**row) for row in await _SQL.all(connection, query, tenant_id=tenant_id, view_id=view_id)]

    async def count(self, tenant_id: str, view_id: str) -> int:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "count_partitions", tenant_id=tenant_id, view_id=view_id)
        return int(rows[0]["partitions"])

    async def stand_ins(self, tenant_id: str, view_id: str) -> int:
        """See the port."""
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "count_stand_ins", tenant_id=tenant_id, view_id=view_id)
        return int(rows[0]["partitions"])

    async def ungrouped(self, tenant_id: str, view: View, *, now: datetime) -> int:
        """See the port."""
        if not {"user_id", "namespace", "session_id"}.intersection(view.group_by):
            return 0
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.filtered(connection, "count_ungrouped", **self._chosen(tenant_id, view, now))
        return int(rows[0]["rows"])

    async def _get(self, connection: Connection, tenant_id: str, view_id: str, query: str) -> View:
        rows = await _SQL.all(connection, query, tenant_id=tenant_id, view_id=view_id)
        if not rows:
            raise NotFound(f"SummaryView {view_id} not found")
        return view_of(rows[0])

    def _chosen(self, tenant_id: str, view: View, now: datetime) -> dict[str, Any]:
        """The rows a view takes, as parameters."""
        conditions = Filter(is_summary=False, words=view.conditions.words, times=view.conditions.times)
        return {
            **filter_parameters(conditions, self._vault.keys(tenant_id)),
            "tenant_id": tenant_id,
            "since": now - view.window if view.window is not None else None,
            "by_user": "user_id" in view.group_by,
            "by_namespace": "namespace" in view.group_by,
            "by_session": "session_id" in view.group_by,
        }

    async def _pairs(
        self, connection: Connection, tenant_id: str, view: View, place: Rule, now: datetime
    ) -> Sequence[Pair]:
        """Every row that the view takes, and its place; rows with the same values share one."""
        rows = await _SQL.filtered(connection, "rows_of_view", **self._chosen(tenant_id, view, now))
        known: dict[tuple[Any, ...], Place | None] = {}
        pairs = []
        for row in rows:
            values = tuple(row[name] for name in view.group_by)
            if values not in known:
                known[values] = place(_bare(row, tenant_id))
            there = known[values]
            if there is not None:
                leaves = {"leaves_at": row["created_at"] + view.window} if view.window is not None else {}
                pairs.append((row["memory_id"], replace(there, **leaves) if leaves else there))
        return pairs

    async def _fill(self, connection: Connection, tenant_id: str, pairs: Sequence[Pair], now: datetime) -> None:
        places = list({place.name: place for _, place in pairs}.values())
        await self._places.make(connection, tenant_id, places, now)
        await self._places.hold(connection, tenant_id, {place.group_id for place in places})
        await self._places.join(connection, tenant_id, pairs, now)

    async def _move(self, connection: Connection, tenant_id: str, view: View, place: Rule, now: datetime) -> None:
        """Rows leave the partitions they no longer belong to and join those they do."""
        pairs = await self._pairs(connection, tenant_id, view, place, now)
        wanted = {(found.group_id, id_) for id_, found in pairs}
        held = await _SQL.all(connection, "members_of_view", tenant_id=tenant_id, view_id=view.id)
        left = [pair for row in held if (pair := (row["group_id"], row["memory_id"])) not in wanted]
        await self._fill(connection, tenant_id, pairs, now)
        await self._places.leave(connection, tenant_id, left, now)

    async def _drop(self, connection: Connection, tenant_id: str, view_id: str) -> None:
        rows = await _SQL.all(connection, "groups_of_view", tenant_id=tenant_id, view_id=view_id)
        here = {"tenant_id": tenant_id, "groups": [row["group_id"] for row in rows]}
        await _PLACES.run(connection, "delete_summaries_of", **here)
        await _PLACES.run(connection, "drop_groups", **here)


def _keyed(view: View) -> tuple[tuple[str, ...], str]:
    """What names the partitions of a view, and whose key seals them where none of them names a user."""
    return view.group_by, "" if "user_id" in view.group_by else view.user_of({})


def _row(tenant_id: str, view: View, now: datetime) -> dict[str, Any]:
    return {
        "tenant_id": tenant_id, "view_id": view.id, "name": view.name, "source": view.source,
        "group_by": list(view.group_by), "filters": Jsonb(dict(view.filters)), "window_days": view.window_days,
        "continuous": view.continuous, "prompt": view.prompt, "model": view.model, "now": now,
    }  # fmt: skip


def _bare(row: Mapping[str, Any], tenant_id: str) -> Memory:
    """A row of rows_of_view: what names its partition, and nothing that lies encrypted."""
    return Memory(
        id=row["memory_id"], scope=Scope(tenant_id=tenant_id, user_id=row["user_id"]), text=None,
        created_at=row["created_at"], updated_at=row["created_at"], memory_type=MemoryType(row["memory_type"]),
        namespace=row["namespace"], session_id=row["session_id"],
    )  # fmt: skip
