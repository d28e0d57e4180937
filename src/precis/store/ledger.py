"""The ledger of model calls: reserved before a call, settled after it, refused past the monthly ceiling (law 10).

A reservation is the slot of its call, too: a tenant has at most so many open at once, whatever process they are of.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from precis.engine.guards import Guards, month_of
from precis.engine.ports import Clock, Request, Usage
from precis.engine.spending import Answers, CallRow, Lengths
from precis.errors import BudgetExhausted, NoSlot
from precis.ids import new_id
from precis.store.asking import Queries
from precis.store.pool import Connection, Database

_SQL = Queries("ledger")
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
    """Meters the calls of ChatSummarizer, see precis.llm.chat.Meter; and tells of them, see engine.spending.Ledger."""

    def __init__(
        self, database: Database, clock: Clock, *, guards: Guards, model: str, margin: Callable[[str], float]
    ) -> None:
        self._database = database
        self._clock = clock
        self._guards = guards
        self._model = model
        #: How much more tokens the model may count than we do.
        self._margin = margin

    async def reserve(self, request: Request, estimate: Usage) -> Reservation:
        """Wait for a slot, then set aside what the call may cost at most. Raises BudgetExhausted, NoSlot."""
        reservation = Reservation(tenant_id=request.tenant_id, call_id=new_id())
        loop = asyncio.get_running_loop()
        give_up, pause = loop.time() + self._guards.slot_wait.total_seconds(), _FIRST_LOOK
        try:
            while not await self._try_to_reserve(reservation, request, estimate):
                if loop.time() >= give_up:
                    raise NoSlot
                # Uneven pauses, so that those who wait do not look all at once.
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads load, guards nothing
                pause = min(_LAST_LOOK, 2 * pause)
        except asyncio.CancelledError:
            # The row may stand: canceled at the last moment, the call is never made.
            await asyncio.shield(self._withdraw(reservation))
            raise
        return reservation

    async def _try_to_reserve(self, reservation: Reservation, request: Request, estimate: Usage) -> bool:
        """One look: False when all slots are in use. Raises BudgetExhausted."""
        now, tenant_id, model = self._clock(), request.tenant_id, request.model or self._model
        cost = estimate.cost * (self._margin(model) if model else 1.0)
        async with self._database.tenant(tenant_id) as connection:
            await _SQL.run(connection, "lock_ledger", tenant_id=tenant_id)
            await self._reap(connection, tenant_id, now)
            if await self._under_way(connection, tenant_id) >= self._guards.concurrent_jobs:
                return False
            if self._guards.monthly_ceiling is not None:
                spent = await self._spent(connection, tenant_id, now)
                if not self._guards.may_spend(cost, spent=spent, rederives=request.rederives):
                    raise BudgetExhausted
            await _SQL.run(
                connection, "reserve", tenant_id=tenant_id, call_id=reservation.call_id, policy=request.policy,
                group_id=request.group_id, model=model, kind=request.kind, cost=cost,
                asked=min(request.max_tokens, request.tokens_read), now=now,
            )  # fmt: skip
        return True

    async def _withdraw(self, reservation: Reservation) -> None:
        async with self._database.tenant(reservation.tenant_id) as connection:
            await _SQL.run(connection, "withdraw", tenant_id=reservation.tenant_id, call_id=reservation.call_id)

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """What the call took; ``latency`` in seconds."""
        if not isinstance(token, Reservation):
            raise TypeError(f"not a reservation of this ledger: {type(token).__name__}")
        async with self._database.tenant(token.tenant_id) as connection:
            await _SQL.run(
                connection, "settle", tenant_id=token.tenant_id, call_id=token.call_id, outcome=outcome,
                cost=usage.cost, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out,
                tokens_cached=usage.tokens_cached, latency_ms=round(latency * 1000), now=self._clock(),
            )  # fmt: skip

    async def reap(self, tenant_id: str) -> int:
        """Settle lost reservations as spent; answers how many. Each new reservation does so first."""
        async with self._database.tenant(tenant_id) as connection:
            return await self._reap(connection, tenant_id, self._clock())

    async def costs(self, tenant_id: str) -> Sequence[Mapping[str, Any]]:
        """Spend by policy and month, newest month first: tenant_id, policy, month, calls, tokens, cost, ..."""
        async with self._database.tenant(tenant_id) as connection:
            return await _SQL.all(connection, "costs", tenant_id=tenant_id)

    async def calls(self, tenant_id: str, *, limit: int) -> Sequence[CallRow]:
        """The latest calls, newest first."""
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "calls", tenant_id=tenant_id, limit=limit)
        return [CallRow(**row) for row in rows]

    async def spent(self, tenant_id: str) -> float:
        """US dollars of this month, with what calls under way may take."""
        async with self._database.tenant(tenant_id) as connection:
            return await self._spent(connection, tenant_id, self._clock())

    async def answers(self, tenant_id: str, *, policy: str, model: str) -> Answers:
        """How long the latest good answers were."""
        here = {"tenant_id": tenant_id, "policy": policy, "model": model, "limit": _LATEST}
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "answers", **here)
        return Answers({row["kind"]: Lengths(asked=row["asked"], written=row["written"]) for row in rows})

    async def _reap(self, connection: Connection, tenant_id: str, now: datetime) -> int:
        before = now - self._guards.reservation_lasts
        return await _SQL.run(connection, "reap", tenant_id=tenant_id, now=now, before=before)

    async def _under_way(self, connection: Connection, tenant_id: str) -> int:
        row = await _SQL.one(connection, "under_way", tenant_id=tenant_id)
        return int(row["calls"]) if row else 0

    async def _spent(self, connection: Connection, tenant_id: str, now: datetime) -> float:
        here = {"tenant_id": tenant_id, "since": month_of(now)}
        row = await _SQL.one(connection, "spent_since", **here)
        return float(row["spent"]) if row else 0.0
