"""Timetables: when each policy's pass over a tenant ran and is due, the archive's backlog, and time zones of users."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from precis.database.connections import Database, Row, retried
from precis.ids import new_id
from precis.keys.vault import Vault
from precis.memory import OldMemory, RetentionState
from precis.store.filtering import Page, encode_cursor, read_cursor
from precis.store.membership import hold_groups, make_places, share_placing
from precis.store.memories import read_memories
from precis.store.rule_groups import PostgresRuleGroups

_NO_CURSOR = "cursor: this is not what a list answered as next_cursor"


@dataclass(frozen=True, kw_only=True, slots=True)
class PeriodRow:
    """The group of one period of one user."""

    group_id: str
    user_id: str
    project_id: str
    environment: str
    starts_on: date
    ends_on: date
    #: None while nothing was made of it.
    summary_id: str | None


class PostgresRollups:
    """Groups that stand for a day, a week or a month."""

    def __init__(self, database: Database, vault: Vault, rule_groups: PostgresRuleGroups) -> None:
        self._database = database
        self._vault = vault
        self._rule_groups = rule_groups

    async def list(
        self, tenant_id: str, policy: str, *, user_id: str | None, limit: int, cursor: str | None
    ) -> Page[PeriodRow]:
        """Those with a summary, newest period first."""
        before, before_id = (
            (None, "") if cursor is None else read_cursor("rollups", cursor, date.fromisoformat, refusal=_NO_CURSOR)
        )
        asked = {"policy": policy, "user_id": user_id, "before": before, "before_id": before_id, "limit": limit + 1}
        (periods,) = await self._database.read(tenant_id, ("list_periods", asked))
        rows = tuple(PeriodRow(**row) for row in periods[:limit])
        more = len(periods) > limit
        return Page(
            rows=rows, next_cursor=encode_cursor("rollups", rows[-1].starts_on, rows[-1].group_id) if more else None
        )

    async def find(
        self, tenant_id: str, policy: str, *, user_id: str, first: date, last: date, only_open: bool = False
    ) -> Sequence[PeriodRow]:
        """A user's, made or not, that end within these days; oldest first, one for each project and environment.

        ``only_open`` leaves out those that are current and hold no live note.
        """
        rows = await self._all(
            "find_periods", tenant_id, policy=policy, user_id=user_id, first=first, last=last, open=only_open
        )
        return [PeriodRow(**row) for row in rows]

    async def schedule(self, tenant_id: str, policy: str, *, last: date, next_run: datetime) -> int:
        """Make stale groups that end by ``last`` due at ``next_run``, if due later or not at all; answers how many."""
        return len(await self._all("schedule_periods", tenant_id, policy=policy, last=last, next_run=next_run))

    async def made_since(self, tenant_id: str, policies: Sequence[str], since: datetime) -> bool:
        """Whether a summary of these policies was made or refreshed since."""
        (row,) = await self._all("made_since", tenant_id, policies=list(policies), since=since)
        return bool(row["made"])

    async def rest(self, tenant_id: str, policies: Sequence[str]) -> int:
        """Take the due time of all groups of these policies away; answers how many had one."""
        return len(await self._all("rest_periods", tenant_id, policies=list(policies)))

    async def unread_messages(self, tenant_id: str, policy: str, *, user_id: str | None) -> Sequence[str]:
        """Ids of what users said that is in no group of the policy, and not kept out of recall; of one user or all."""
        rows = await self._all("unread_messages", tenant_id, policy=policy, user_id=user_id)
        return [row["memory_id"] for row in rows]

    @retried
    async def move(self, tenant_id: str, ids: Sequence[str], policies: Sequence[str], *, now: datetime) -> int:
        """Place live memories anew under these policies; answers how many changed places."""
        async with self._database.tx(tenant_id) as tx:
            await share_placing(tx)
            # None of them is forgotten while it moves.
            await tx.all("hold_members", ids=sorted(ids))
            rows = await tx.all("get_memories", ids=list(ids))
            memories = await read_memories(tx, self._vault, rows)
            live = [memory for memory in memories if memory.retention_state is not RetentionState.EXPIRED]
            membership = self._rule_groups.membership
            rules = await membership.rules(tx, {memory.scope.user_id for memory in live})
            pairs = [pair for pair in membership.pairs_of(live, rules, now) if pair[1].policy in policies]
            await make_places(tx, [place for _, place in pairs], now)
            current = {(place.group_id, id_) for id_, place in pairs}
            memberships = await tx.all("memberships_of", ids=[memory.id for memory in live], policies=list(policies))
            before = {(row["group_id"], row["memory_id"]) for row in memberships}
            leaving, joining = before - current, current - before
            await hold_groups(tx, {group_id for group_id, _ in leaving | current})
            await self._rule_groups.leave(tx, sorted(leaving), now)
            await membership.to_places(tx, pairs, now)
        return len({id_ for _, id_ in leaving | joining})

    async def _all(self, name: str, tenant_id: str, **parameters: Any) -> Sequence[Mapping[str, Any]]:
        async with self._database.tx(tenant_id) as tx:
            return await tx.all(name, **parameters)


class PostgresZones:
    """Time zones by user id; the tenant's own under the empty name."""

    def __init__(self, database: Database, rule_groups: PostgresRuleGroups) -> None:
        self._database = database
        self._rule_groups = rule_groups

    async def list(self, tenant_id: str) -> Mapping[str, str]:
        """IANA names by user id; the tenant's own zone is under the empty id."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("list_zones")
        return {row["user_id"]: row["zone"] for row in rows}

    async def of(self, tenant_id: str, user_id: str) -> Mapping[str, str]:
        """The same of one user, and the tenant's own: a tenant may have as many zones as users."""
        (rows,) = await self._database.read(tenant_id, ("zones_of", {"user_id": user_id}))
        return {row["user_id"]: row["zone"] for row in rows}

    async def of_memories(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, str]:
        """The same of the users of these memories."""
        (rows,) = await self._database.read(tenant_id, ("zones_of_memories", {"ids": list(ids)}))
        return {row["user_id"]: row["zone"] for row in rows}

    @retried
    async def put(self, tenant_id: str, user_id: str, zone: str | None, *, policies: Sequence[str]) -> Sequence[str]:
        """Set or, with None, unset a zone; answers the memories whose places under these policies may have moved."""
        parameters = {"user_id": user_id}
        async with self._database.tx(tenant_id) as tx:
            await tx.run("take_placing")
            if zone is None:
                await tx.run("delete_zone", **parameters)
            else:
                await tx.run("put_zone", **parameters, zone=zone)
            rows = await tx.all("placed_memories", **parameters, policies=list(policies))
        return [row["memory_id"] for row in rows]


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """When a policy's pass over a tenant ran last, and when it is due."""

    last_run: datetime | None
    next_run: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PassClaim:
    """The right to make one pass, until it runs out."""

    tenant_id: str
    policy: str
    token: str
    lasts: timedelta
    #: When it was due.
    due: datetime | None


class PostgresSchedules:
    """Timetables: a pass is made by one process at a time, and one that was missed is due until it is made."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, tenant_id: str) -> Mapping[str, Schedule]:
        """By policy."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("list_schedules")
        return {row["policy"]: Schedule(last_run=row["last_run"], next_run=row["next_run"]) for row in rows}

    async def ensure(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """Set when a policy runs next, unless that is set already."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("ensure_schedule", policy=policy, next_run=next_run)

    async def move(self, tenant_id: str, policy: str, *, next_run: datetime) -> None:
        """Change when a policy runs next."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("move_schedule", policy=policy, next_run=next_run)

    async def claim(
        self, tenant_id: str, policy: str, *, now: datetime, lasts: timedelta, requested: bool = False
    ) -> PassClaim | None:
        """The right to make the pass; None when somebody makes it, or it is not due and nobody ``requested`` it."""
        token = new_id()
        row = await self._one(
            "claim_schedule", tenant_id, policy, now=now, until=now + lasts, token=token, asked=requested
        )
        if row is None:
            return None
        return PassClaim(tenant_id=tenant_id, policy=policy, token=token, lasts=lasts, due=row["next_run"])

    async def renew(self, claim: PassClaim, *, now: datetime) -> bool:
        """Let the claim last from now on anew; False when it is lost."""
        row = await self._one(
            "renew_schedule", claim.tenant_id, claim.policy, token=claim.token, until=now + claim.lasts
        )
        return row is not None

    async def finish(self, claim: PassClaim, *, last_run: datetime | None, next_run: datetime | None) -> bool:
        """Note the run and the next one, None leaving either as it is; False when the claim was lost."""
        row = await self._one(
            "finish_schedule", claim.tenant_id, claim.policy, token=claim.token, last_run=last_run, next_run=next_run
        )
        return row is not None

    async def _one(self, name: str, tenant_id: str, policy: str, **parameters: Any) -> Row | None:
        async with self._database.tx(tenant_id) as tx:
            return await tx.one(name, policy=policy, **parameters)


class PostgresBacklog:
    """Memories that are old enough for a batch and in none."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(
        self, tenant_id: str, *, before: datetime, without_kinds: Sequence[str], user_id: str | None = None
    ) -> Sequence[OldMemory]:
        """Live raw memories from before a moment, oldest first, in one query."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("backlog", before=before, without_kinds=sorted(without_kinds), user_id=user_id)
        return [OldMemory(**row) for row in rows]

    async def overdue(self, tenant_id: str, *, before: datetime, user_id: str | None = None) -> Mapping[str, int]:
        """How many live originals from before a moment are in a batch with a current summary, by user."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("overdue_by_user", before=before, user_id=user_id)
        return {row["user_id"]: row["originals"] for row in rows}

    async def grown(self, tenant_id: str, *, by: int, without_kinds: Sequence[str]) -> Sequence[tuple[str, int]]:
        """Users with at least so many raw memories more than were counted, and how many they have."""
        kinds = sorted(without_kinds)
        async with self._database.tx(tenant_id) as tx:
            await tx.run("lower_counts", without_kinds=kinds)
            rows = await tx.all("grown", without_kinds=kinds, by=by)
        return [(row["user_id"], row["total"]) for row in rows]

    async def counts(self, tenant_id: str, pool: str) -> Mapping[str, int]:
        """How many memories of a pool were counted, by user."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("counts", pool=pool)
        return {row["user_id"]: row["counted"] for row in rows}

    async def counted(self, tenant_id: str, user_id: str, total: int, *, pool: str = "") -> None:
        """So many memories were there when the archive was begun for this user; without a pool, in precis."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("put_count", pool=pool, user_id=user_id, counted=total)
