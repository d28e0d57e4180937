"""Summary views in PostgreSQL: a row a view; its partitions are groups, and which rows are in them is membership."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from precis.database.connections import Database, Tx, retried
from precis.engine.policy import Place
from precis.errors import NotFound
from precis.keys.vault import Vault
from precis.memory import Memory, MemoryType, Scope
from precis.store.changes.posting import delete_memories
from precis.store.filtering import Filter, filter_parameters
from precis.store.membership import Pair, hold_groups, make_places, share_placing, view_of
from precis.store.rule_groups import PostgresRuleGroups
from precis.view import View

#: Where a row that a view takes belongs; the row comes without its text.
Rule = Callable[[Memory], Place | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Partition:
    """One group of a view as its row tells it."""

    group_id: str
    labels: Mapping[str, str]
    #: Memories in it now.
    members: int
    #: The result that stands.
    summary_id: str | None
    #: It changed since, or its last draft failed or was rejected.
    stale: bool
    #: No draft of it as it is passed the checks.
    rejected: bool
    #: It was looked at, and no memory in it tells anything.
    empty: bool
    #: Why the last draft failed.
    error: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PartitionCounts:
    """How many partitions of a view there are."""

    #: With a member.
    filled: int
    #: Whose result was made without the model it should have been made by.
    stand_ins: int


class PostgresViews:
    """Views and what of them is in groups."""

    def __init__(self, database: Database, vault: Vault, rule_groups: PostgresRuleGroups) -> None:
        self._database = database
        self._vault = vault
        self._rule_groups = rule_groups

    @retried
    async def create(self, tenant_id: str, view: View, *, place: Rule, now: datetime) -> int:
        """Keep a new view and put every row it takes into its partitions; answers how many there are."""
        async with self._database.tx(tenant_id) as tx:
            # Nobody writes while the rules change, so every row is placed either here or by whoever writes it.
            await tx.run("take_placing")
            await tx.run("insert_view", **_row(tenant_id, view, now))
            pairs = await self._pairs(tx, view, place, now)
            await self._fill(tx, pairs, now)
        return len({partition.group_id for _, partition in pairs})

    async def get(self, tenant_id: str, view_id: str) -> View:
        """Raises NotFound."""
        async with self._database.tx(tenant_id) as tx:
            return await self._get(tx, view_id, "get_view")

    async def list(self, tenant_id: str) -> Sequence[View]:
        """Oldest first."""
        async with self._database.tx(tenant_id) as tx:
            return [view_of(row) for row in await tx.all("list_views")]

    @retried
    async def replace(self, tenant_id: str, view: View, *, place: Rule, tick: datetime, now: datetime) -> None:
        """The view is another one from now on: rows move, and what an other prompt or model made is stale.

        ``tick`` is when a view that refreshes by itself does so next. Raises NotFound.
        """
        parameters = {"view_id": view.id}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("take_placing")
            before = await self._get(tx, view.id, "hold_view")
            await tx.run("update_view", **_row(tenant_id, view, now))
            if _keyed(before) != _keyed(view):
                await self._drop(tx, view.id)
            moved = (before.group_by, before.filters, before.window_days) != (
                view.group_by, view.filters, view.window_days,
            )  # fmt: skip
            if moved:
                await self._move(tx, view, place, now)
            if (before.prompt, before.model) != (view.prompt, view.model):
                await tx.run("outdate_roots", **parameters)
                await tx.run("outdate_groups", **parameters)
            due_at = tick if view.continuous else None
            await tx.run("set_ticks", **parameters, due_at=due_at)

    @retried
    async def delete(self, tenant_id: str, view_id: str, *, now: datetime) -> bool:
        """Take it away with its partitions and their results, and end its tasks; False when there is none."""
        parameters = {"view_id": view_id}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("take_placing")
            await self._drop(tx, view_id)
            deleted = await tx.all("delete_view", **parameters)
            reason = "the view was deleted"
            await tx.run("end_tasks_of_view", **parameters, error_message=reason, now=now)
        return bool(deleted)

    async def partitions(self, tenant_id: str, view_id: str, *, labels: Mapping[str, str]) -> Sequence[Partition]:
        """Those that have these values and a result, or had one and are empty now."""
        parameters = {"view_id": view_id, "labels": Jsonb(dict(labels))}
        async with self._database.tx(tenant_id) as tx:
            return [Partition(**row) for row in await tx.all("list_partitions", **parameters)]

    @retried
    async def partition(self, tenant_id: str, place: Place, *, now: datetime) -> Partition:
        """One of them; one that nobody ever belonged to is kept as empty."""
        parameters = {"group_id": place.group_id}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("get_partition", **parameters)
            if not rows:
                # The lock of a writer: the view is not taken away meanwhile, which would leave this behind.
                await share_placing(tx)
                await self._get(tx, place.view_id or "", "get_view")
                await make_places(tx, [place], now)
                await tx.run("keep_empty", **parameters)
                rows = await tx.all("get_partition", **parameters)
        return Partition(**rows[0])

    async def stale(self, tenant_id: str, view_id: str, *, forced: bool) -> Sequence[Partition]:
        """What a run has to look at: what changed, or with ``forced`` all that has members."""
        query = "filled_partitions" if forced else "stale_partitions"
        async with self._database.tx(tenant_id) as tx:
            return [Partition(**row) for row in await tx.all(query, view_id=view_id)]

    async def count(self, tenant_id: str, view_id: str) -> PartitionCounts:
        """How many partitions it has, and how many of their results stand in for those of a model."""
        async with self._database.tx(tenant_id) as tx:
            (row,) = await tx.all("count_partitions", view_id=view_id)
        return PartitionCounts(**row)

    async def ungrouped(self, tenant_id: str, view: View, *, now: datetime) -> int:
        """How many rows the view takes that lack a field it groups by."""
        if not {"user_id", "namespace", "session_id"}.intersection(view.group_by):
            return 0
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.filtered("count_ungrouped", **self._parameters(tenant_id, view, now))
        return int(rows[0]["rows"])

    async def _get(self, tx: Tx, view_id: str, query: str) -> View:
        rows = await tx.all(query, view_id=view_id)
        if not rows:
            raise NotFound(f"SummaryView {view_id} not found")
        return view_of(rows[0])

    def _parameters(self, tenant_id: str, view: View, now: datetime) -> dict[str, Any]:
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

    async def _pairs(self, tx: Tx, view: View, place: Rule, now: datetime) -> Sequence[Pair]:
        """Every row that the view takes, and its place; rows with the same values share one."""
        rows = await tx.filtered("rows_of_view", **self._parameters(tx.tenant_id, view, now))
        known: dict[tuple[Any, ...], Place | None] = {}
        pairs = []
        for row in rows:
            values = tuple(row[name] for name in view.group_by)
            if values not in known:
                known[values] = place(_bare(row, tx.tenant_id))
            partition = known[values]
            if partition is not None:
                leaves = {"leaves_at": row["created_at"] + view.window} if view.window is not None else {}
                pairs.append((row["memory_id"], replace(partition, **leaves) if leaves else partition))
        return pairs

    async def _fill(self, tx: Tx, pairs: Sequence[Pair], now: datetime) -> None:
        places = list({place.name: place for _, place in pairs}.values())
        await make_places(tx, places, now)
        await hold_groups(tx, {place.group_id for place in places})
        await self._rule_groups.membership.to_places(tx, pairs, now)

    async def _move(self, tx: Tx, view: View, place: Rule, now: datetime) -> None:
        """Rows leave the partitions they no longer belong to and join those they do."""
        pairs = await self._pairs(tx, view, place, now)
        current = {(partition.group_id, id_) for id_, partition in pairs}
        rows = await tx.all("members_of_view", view_id=view.id)
        leaving = [pair for row in rows if (pair := (row["group_id"], row["memory_id"])) not in current]
        await self._fill(tx, pairs, now)
        await self._rule_groups.leave(tx, leaving, now)

    async def _drop(self, tx: Tx, view_id: str) -> None:
        rows = await tx.all("groups_of_view", view_id=view_id)
        parameters = {"groups": [row["group_id"] for row in rows]}
        await delete_memories(tx, [row["summary_id"] for row in await tx.all("summaries_of", **parameters)])
        await tx.run("drop_groups", **parameters)


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
