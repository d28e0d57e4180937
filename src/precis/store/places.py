"""Groups that follow a rule, in PostgreSQL: which memories are members of which, and how they come and go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from precis.database.connections import Database, retried
from precis.database.jobs import Hints
from precis.database.tx import Tx
from precis.engine.policy import Place, Placing, Policy
from precis.memory import Memory
from precis.store.forgetting import restore_displaced
from precis.view import View

#: A memory and a group it belongs to.
Pair = tuple[str, Place]
#: How many members that left are taken out in one transaction.
_SLICE = 5_000


class PostgresPlaces:
    """Members of groups that follow a rule: outside of a write, and inside a writer's transaction."""

    def __init__(self, database: Database, hints: Hints, policies: Mapping[str, Policy]) -> None:
        self._database = database
        self._hints = hints
        ticking = policies.get("views")
        #: When a group of a view that refreshes by itself does so next.
        self._tick: Callable[[datetime], datetime] = ticking.trigger.tick if ticking else lambda now: now
        self._placers = {name: policy.place for name, policy in policies.items() if policy.place is not None}

    @retried
    async def put(self, tenant_id: str, pairs: Sequence[Pair], *, now: datetime) -> int:
        """Make memories members of groups, which are made where they are not there; answers how many joined.

        A memory that was forgotten meanwhile joins nothing.
        """
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("hold_members", ids=[id_ for id_, _ in pairs])
            existing = {row["memory_id"] for row in rows}
            known = [pair for pair in pairs if pair[0] in existing]
            await self.make(tx, [place for _, place in known], now)
            await self.hold(tx, {place.group_id for _, place in known})
            return await self.join(tx, known, now)

    @retried
    async def sweep(self, tenant_id: str, *, now: datetime) -> int:
        """Let go of the members whose time in a group is over; answers how many. Their groups are stale."""
        departed = 0
        while True:
            async with self._database.tx(tenant_id) as tx:
                rows = await tx.all("leaving", now=now, limit=_SLICE)
                await self.leave(tx, [(row["group_id"], row["memory_id"]) for row in rows], now)
            departed += len(rows)
            if len(rows) < _SLICE:
                return departed

    @retried
    async def drop(self, tenant_id: str, group_ids: Collection[str], *, now: datetime) -> None:
        """Remove groups with all that was derived in them; what reads their summaries is stale."""
        async with self._database.tx(tenant_id) as tx:
            wholes = await self._drop(tx, group_ids)
            await touch_wholes(tx, wholes, now)

    async def share(self, tx: Tx) -> None:
        """The rules of placing stay as they are until the transaction ends. A writer's first lock."""
        await tx.run("share_placing")

    async def places_of(self, tx: Tx, memories: Sequence[Memory], now: datetime) -> list[Pair]:
        """The groups of these memories, which are made where they are not there yet."""
        if not self._placers:
            return []
        placing = await read_placing(tx, {memory.scope.user_id for memory in memories}, now)
        placers = self._placers.values()
        pairs = [(memory.id, place) for memory in memories for placer in placers for place in placer(memory, placing)]
        await self.make(tx, [place for _, place in pairs], now)
        return pairs

    async def make(self, tx: Tx, places: Sequence[Place], now: datetime) -> None:
        """The groups of these places."""
        rows = {place.group_id: _row(tx.tenant_id, place, now) for place in places}
        if rows:
            await tx.many("insert_place", [rows[id_] for id_ in sorted(rows)])

    async def hold(self, tx: Tx, group_ids: Collection[str]) -> None:
        """Lock the group rows, in order."""
        await tx.all("hold_groups", ids=sorted(group_ids))

    async def join(self, tx: Tx, pairs: Sequence[Pair], now: datetime) -> int:
        """The memories become members, under the lock of the groups; answers how many were not before."""
        if not pairs:
            return 0
        grown = await tx.all(
            "join_places", groups=[place.group_id for _, place in pairs],
            memories=[id_ for id_, _ in pairs], leave=[place.leaves_at for _, place in pairs],
        )  # fmt: skip
        joined = Counter(row["group_id"] for row in grown)
        due = _earliest(place for _, place in pairs)
        ids = sorted(joined)
        rows = await tx.all(
            "grow_places", groups=ids, joined=[joined[id_] for id_ in ids],
            due=[due[id_] for id_ in ids],
        )  # fmt: skip
        if any(row["due_at"] is not None and row["due_at"] <= now for row in rows):
            await self._hints.hint(tx)
        return joined.total()

    async def replace(self, tx: Tx, memory: Memory, now: datetime) -> list[Pair]:
        """After an edit: leave the groups the memory no longer belongs to; answers those it belongs to now."""
        pairs = await self.places_of(tx, [memory], now)
        rows = await tx.all("memberships", memory_id=memory.id, policies=list(self._placers))
        stays = {place.group_id for _, place in pairs}
        leaving = [(row["group_id"], memory.id) for row in rows if row["group_id"] not in stays]
        await self.hold(tx, stays.union(group_id for group_id, _ in leaving))
        await self.leave(tx, leaving, now)
        return pairs

    async def leave(self, tx: Tx, pairs: Sequence[tuple[str, str]], now: datetime) -> None:
        """Members leave groups: (group id, memory id). What other groups say of them stays."""
        if not pairs:
            return
        groups, memories = [group_id for group_id, _ in pairs], [id_ for _, id_ in pairs]
        await self.hold(tx, set(groups))
        parameters = {"groups": groups, "memories": memories}
        lost = await tx.all("leave_members", **parameters)
        await tx.run("leave_nodes", **parameters)
        statements = await tx.all("leave_statements", **parameters)
        await tx.run("leave_frozen", **parameters)
        await restore_displaced(tx, statements)
        await self._shrink(tx, {row["group_id"]: row["lost"] for row in lost}, now)

    async def _shrink(self, tx: Tx, lost: Mapping[str, int], now: datetime) -> None:
        rows = await tx.all(
            "shrink_places", now=now, tick=self._tick(now), groups=sorted(lost),
            lost=[lost[id_] for id_ in sorted(lost)],
        )  # fmt: skip
        await tx.run("delete_empty_frozen", groups=sorted(lost))
        empty = [row for row in rows if row["members"] == 0]
        for row in empty:
            await tx.run("drop_summary", summary_id=row["summary_id"])
        # A partition of a view that lost its last member is still one: it answers that it is empty.
        await self._drop(tx, [row["group_id"] for row in empty if row["view_id"] is None])
        await touch_wholes(tx, {row["part_of"] for row in rows if row["part_of"]}, now)
        if rows:
            await self._hints.hint(tx)

    async def _drop(self, tx: Tx, group_ids: Collection[str]) -> set[str]:
        """Answers the groups that read what was dropped."""
        parameters = {"groups": sorted(group_ids)}
        await tx.run("delete_summaries_of", **parameters)
        rows = await tx.all("drop_groups", **parameters)
        return {row["part_of"] for row in rows if row["part_of"]}


async def touch_wholes(tx: Tx, wholes: Collection[str], now: datetime) -> None:
    """A part changed: what reads it is stale."""
    if wholes:
        await tx.run("touch_wholes", wholes=sorted(wholes), now=now)


async def read_placing(tx: Tx, users: Collection[str], now: datetime) -> Placing:
    """The rules of placing as they are now."""
    zones = await tx.all("read_zones", users=sorted({"", *users}))
    views = await tx.all("read_views")
    return Placing(
        now=now,
        zones={row["user_id"]: row["zone"] for row in zones},
        views=tuple(view_of(row) for row in views),
    )


def view_of(row: Mapping[str, Any]) -> View:
    """A row of views."""
    return View(
        id=row["view_id"], name=row["name"], source=row["source"], group_by=tuple(row["group_by"]),
        filters=row["filters"], window_days=row["window_days"], continuous=row["continuous"], prompt=row["prompt"],
        model=row["model"],
    )  # fmt: skip


def _row(tenant_id: str, place: Place, now: datetime) -> dict[str, Any]:
    return {
        "tenant_id": tenant_id, "group_id": place.group_id, "policy": place.policy, "user_id": place.user_id,
        "project_id": place.project_id, "environment": place.environment, "place": place.name,
        "starts_on": place.starts_on, "ends_on": place.ends_on, "view_id": place.view_id,
        "labels": Jsonb(dict(place.labels)) if place.labels is not None else None, "part_of": place.whole_id,
        "now": now,
    }  # fmt: skip


def _earliest(places: Iterable[Place]) -> dict[str, datetime | None]:
    """When each group is due by what its newcomers say."""
    due: dict[str, datetime | None] = {}
    for place in places:
        known = due.get(place.group_id)
        due[place.group_id] = min(known, place.due_at) if known and place.due_at else known or place.due_at
    return due
