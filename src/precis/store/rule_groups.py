"""Groups that follow a rule, in PostgreSQL: members join and leave them outside of a write. See membership."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from precis.database.connections import Database, Tx, retried
from precis.database.jobs import Hints, note_cause
from precis.engine.policy import Policy
from precis.memory import Memory
from precis.store.changes.posting import delete_memories
from precis.store.changes.redacting import drop_summary, restore_displaced
from precis.store.membership import Membership, Pair, hold_groups, make_places
from precis.store.rows import AHEAD

#: How many members that left are taken out in one transaction.
_SLICE = 5_000


class PostgresRuleGroups:
    """Members of groups that follow a rule: how they join outside of a write, and how they leave."""

    def __init__(self, database: Database, hints: Hints, policies: Mapping[str, Policy]) -> None:
        self._database = database
        self._hints = hints
        ticking = policies.get("views")
        #: When a group of a view that refreshes by itself does so next.
        self._tick: Callable[[datetime], datetime] = ticking.trigger.tick if ticking else lambda now: now
        self.membership = Membership(hints, policies)
        #: When this process swept each tenant last.
        self._swept: dict[str, datetime] = {}

    @retried
    async def put(self, tenant_id: str, pairs: Sequence[Pair], *, now: datetime) -> int:
        """Make memories members of groups, which are made where they are not there; answers how many joined.

        A memory that was forgotten meanwhile joins nothing.
        """
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("hold_members", ids=[id_ for id_, _ in pairs])
            existing = {row["memory_id"] for row in rows}
            known = [pair for pair in pairs if pair[0] in existing]
            await make_places(tx, [place for _, place in known], now)
            await hold_groups(tx, {place.group_id for _, place in known})
            return await self.membership.to_places(tx, known, now)

    @retried
    async def sweep(self, tenant_id: str, *, now: datetime) -> int:
        """Let go of the members whose time in a group is over; answers how many. Their groups are stale.

        Where a clock was put back, since then or before this process began, clusters that became due by it are due.
        """
        if (last := self._swept.get(tenant_id)) is None or now + AHEAD < last:
            async with self._database.tx(tenant_id) as tx:
                await tx.run("due_by_a_clock_ahead", now=now, soon=now + AHEAD)
        self._swept[tenant_id] = now
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

    async def replace(self, tx: Tx, memory: Memory, now: datetime) -> list[Pair]:
        """After an edit: leave the groups the memory no longer belongs to; answers those it belongs to now."""
        pairs = await self.membership.places_of(tx, [memory], now)
        rows = await tx.all("memberships", memory_id=memory.id, policies=list(self.membership.placing))
        stays = {place.group_id for _, place in pairs}
        leaving = [(row["group_id"], memory.id) for row in rows if row["group_id"] not in stays]
        await hold_groups(tx, stays.union(group_id for group_id, _ in leaving))
        await self.leave(tx, leaving, now)
        return pairs

    async def leave(self, tx: Tx, pairs: Sequence[tuple[str, str]], now: datetime) -> None:
        """Members leave groups: (group id, memory id). What other groups say of them stays."""
        if not pairs:
            return
        groups, memories = [group_id for group_id, _ in pairs], [id_ for _, id_ in pairs]
        await hold_groups(tx, set(groups))
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
            await drop_summary(tx, row["summary_id"])
        # A partition of a view that lost its last member is still one: it answers that it is empty.
        await self._drop(tx, [row["group_id"] for row in empty if row["view_id"] is None])
        await touch_wholes(tx, {row["part_of"] for row in rows if row["part_of"]}, now)
        await note_cause(tx, [row["group_id"] for row in rows])
        if rows:
            await self._hints.hint(tx)

    async def _drop(self, tx: Tx, group_ids: Collection[str]) -> set[str]:
        """Answers the groups that read what was dropped."""
        parameters = {"groups": sorted(group_ids)}
        await delete_memories(tx, [row["summary_id"] for row in await tx.all("summaries_of", **parameters)])
        rows = await tx.all("drop_groups", **parameters)
        return {row["part_of"] for row in rows if row["part_of"]}


async def touch_wholes(tx: Tx, wholes: Collection[str], now: datetime) -> None:
    """A part changed: what reads it is stale."""
    if wholes:
        await tx.run("touch_wholes", wholes=sorted(wholes), now=now)
