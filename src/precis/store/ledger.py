"""The ledger: every call of a model and what it cost, and the runs of the scheduler with their limits."""

import asyncio
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from precis import errors, ids, makers
from precis.database.connections import Database, Tx
from precis.engine.lease import Lease
from precis.engine.spending import Answers, CallRow, Guards, Lengths, month_of
from precis.store.rows import AHEAD

#: Seconds between two looks for a free slot: the first, and the longest.
_FIRST_LOOK, _LAST_LOOK = 0.02, 0.25
#: So many of the latest answers make the running ratio.
_LATEST = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Reservation:
    """A call under way."""

    tenant_id: str
    call_id: str


class PostgresLedger:
    """Meters the calls of models (precis.models.chat.Meter), and answers what they cost (engine.spending.Ledger)."""

    def __init__(
        self, database: Database, clock: makers.Clock, *, guards: Guards, model: str, margin: Callable[[str], float]
    ) -> None:
        self._database = database
        self._clock = clock
        self._guards = guards
        self._model = model
        #: How much more tokens the model may count than we do.
        self._margin = margin

    async def reserve(self, request: makers.Request, estimate: makers.Usage) -> Reservation:
        """Wait for a slot, then set aside what the call may cost at most. Raises BudgetExhausted, NoSlot."""
        reservation = Reservation(tenant_id=request.tenant_id, call_id=ids.new_id())
        loop = asyncio.get_running_loop()
        give_up, pause = loop.time() + self._guards.slot_wait.total_seconds(), _FIRST_LOOK
        try:
            while not await self._try_to_reserve(reservation, request, estimate):
                if loop.time() >= give_up:
                    raise errors.NoSlot
                # Uneven pauses, so that those who wait do not look all at once.
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads load, guards nothing
                pause = min(_LAST_LOOK, 2 * pause)
        except asyncio.CancelledError:
            # The row may stand: canceled at the last moment, the call is never made.
            await asyncio.shield(self._withdraw(reservation))
            raise
        return reservation

    async def _try_to_reserve(self, reservation: Reservation, request: makers.Request, estimate: makers.Usage) -> bool:
        """One look: False when all slots are in use. Raises BudgetExhausted."""
        now, tenant_id, model = self._clock(), request.tenant_id, request.model or self._model
        cost = estimate.cost * (self._margin(model) if model else 1.0)
        async with self._database.tx(tenant_id) as tx:
            await tx.run("lock_ledger")
            await self._reap(tx, now)
            if await self._under_way(tx) >= self._guards.concurrent_jobs:
                return False
            if self._guards.monthly_ceiling is not None:
                spent = await self._spent(tx, now)
                if not self._guards.may_spend(cost, spent=spent, rederives=request.rederives):
                    raise errors.BudgetExhausted
            await tx.run(
                "reserve", call_id=reservation.call_id, policy=request.policy,
                group_id=request.group_id, model=model, kind=request.kind, cost=cost,
                asked=min(request.max_tokens, request.tokens_read), now=now,
            )  # fmt: skip
        return True

    async def _withdraw(self, reservation: Reservation) -> None:
        async with self._database.tx(reservation.tenant_id) as tx:
            await tx.run("withdraw", call_id=reservation.call_id)

    async def settle(self, token: object, usage: makers.Usage, outcome: str, latency: float) -> None:
        """What the call took; ``latency`` in seconds."""
        if not isinstance(token, Reservation):
            raise TypeError(f"not a reservation of this ledger: {type(token).__name__}")
        async with self._database.tx(token.tenant_id) as tx:
            await tx.run(
                "settle", call_id=token.call_id, outcome=outcome,
                cost=usage.cost, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out,
                tokens_cached=usage.tokens_cached, latency_ms=round(latency * 1000), now=self._clock(),
            )  # fmt: skip

    async def reap(self, tenant_id: str) -> int:
        """Settle lost reservations as spent; answers how many. Each new reservation does so first."""
        async with self._database.tx(tenant_id) as tx:
            return await self._reap(tx, self._clock())

    async def costs(self, tenant_id: str) -> Sequence[Mapping[str, Any]]:
        """Spend by policy and month, newest month first: tenant_id, policy, month, calls, tokens, cost, ..."""
        async with self._database.tx(tenant_id) as tx:
            return await tx.all("costs")

    async def calls(self, tenant_id: str, *, limit: int) -> Sequence[CallRow]:
        """The latest calls, newest first."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("calls", limit=limit)
        return [CallRow(**row) for row in rows]

    async def spent(self, tenant_id: str) -> float:
        """US dollars of this month, with what calls under way may take."""
        async with self._database.tx(tenant_id) as tx:
            return await self._spent(tx, self._clock())

    async def answers(self, tenant_id: str, *, policy: str, model: str) -> Answers:
        """How long the latest good answers were."""
        parameters = {"policy": policy, "model": model, "limit": _LATEST}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("answers", **parameters)
        return Answers({row["kind"]: Lengths(allowed=row["asked"], written=row["written"]) for row in rows})

    async def _reap(self, tx: Tx, now: datetime) -> int:
        before = now - self._guards.reservation_lasts
        return await tx.run("reap", now=now, before=before)

    async def _under_way(self, tx: Tx) -> int:
        row = await tx.one("under_way")
        return int(row["calls"]) if row else 0

    async def _spent(self, tx: Tx, now: datetime) -> float:
        parameters = {"since": month_of(now)}
        row = await tx.one("spent_since", **parameters)
        return float(row["spent"]) if row else 0.0


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
        async with self._database.tx(tenant_id) as tx:
            await tx.run("insert_run")
            row = await _one(tx, "lock_run", tenant_id=tenant_id)
            if await self._goes_on(tx, row, now, lasts):
                lease = await self._take(tx, row["run"], row["began_at"], now, lasts)
                if lease is not None or await self._jobs(tx, row["run"], now):
                    return lease
                await tx.run("end_run", run=row["run"], ended_at=now)
                row = await _one(tx, "lock_run", tenant_id=tenant_id)
            if self._cools_until(row, now) is not None:
                return None
            # Without a group to take up there is no run: a tick that came for nothing starts no cooldown.
            return await self._take(tx, row["run"] + 1, now, now, lasts)

    async def ready_at(self, tenant_id: str, *, now: datetime, lasts: timedelta) -> datetime | None:
        """When the tenant will have cooled down; None when it has, or while its run goes on."""
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("read_run")
            if row is None or await self._goes_on(tx, row, now, lasts):
                return None
        return self._cools_until(row, now)

    async def _goes_on(self, tx: Tx, row: Mapping[str, Any], now: datetime, lasts: timedelta) -> bool:
        """Whether a run is open. Its workers may all have died before its end: without a sign of life it is over."""
        if row["active_at"] is None or row["ended_at"] is not None:
            return False
        fresh = now < row["active_at"] + lasts
        return fresh or await self._jobs(tx, row["run"], now) > 0

    async def _jobs(self, tx: Tx, run: int, now: datetime) -> int:
        jobs: int = (await _one(tx, "jobs_under_way", tenant_id=tx.tenant_id, run=run, now=now))["jobs"]
        return jobs

    def _cools_until(self, row: Mapping[str, Any], now: datetime) -> datetime | None:
        ended: datetime | None = row["ended_at"] or row["active_at"]
        # One that ended later than now had a clock that was ahead: nobody waits until that is right.
        ready = ended + self._guards.cooldown if ended is not None and ended <= now + AHEAD else now
        return ready if ready > now else None

    async def _take(self, tx: Tx, run: int, began_at: datetime, now: datetime, lasts: timedelta) -> Lease | None:
        if await self._jobs(tx, run, now) >= self._guards.concurrent_jobs:
            return None
        token, until = ids.new_id(), now + lasts
        parameters = {"run": run, "began_at": began_at, "now": now}
        await tx.set("walk_in_order")
        row = await tx.one(
            "claim_for_run", **parameters, token=token, until=until, jobs=self._guards.jobs_per_run,
            policies=self._policies,
        )  # fmt: skip
        if row is None:
            return None
        await tx.run("go_on", **parameters)
        return Lease(
            tenant_id=tx.tenant_id, group_id=row["group_id"], policy=row["policy"], user_id=row["user_id"],
            token=token, until=until, lasts=lasts, attempts=row["attempts"], lost=row["lost"], due=row["due"],
        )  # fmt: skip


async def _one(tx: Tx, name: str, **parameters: Any) -> Mapping[str, Any]:
    """The one row of an answer that always has one."""
    row = await tx.one(name, **parameters)
    return row or {}
