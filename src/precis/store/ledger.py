"""The ledger of model calls: reserved before a call, settled after it, refused past the monthly ceiling (law 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from precis.engine.ports import Clock, Request, Usage
from precis.errors import BudgetExhausted
from precis.ids import new_id
from precis.store.pool import Database
from precis.store.sql import queries

_SQL = queries("ledger")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reservation:
    """A call under way."""

    tenant_id: str
    call_id: str


class PostgresLedger:
    """Meters the calls of ChatSummarizer; see precis.llm.chat.Meter."""

    def __init__(self, database: Database, clock: Clock, *, monthly_ceiling: float | None, model: str) -> None:
        self._database = database
        self._clock = clock
        #: US dollars a calendar month (UTC) and tenant; None is no ceiling.
        self._ceiling = monthly_ceiling
        self._model = model

    async def reserve(self, request: Request, estimate: Usage) -> Reservation:
        """Set aside what the call may cost at most. Raises BudgetExhausted."""
        now = self._clock()
        reservation = Reservation(tenant_id=request.tenant_id, call_id=new_id())
        async with self._database.tenant(request.tenant_id) as connection:
            if self._ceiling is not None:
                await connection.execute(_SQL["lock_ledger"], {"tenant_id": request.tenant_id})
                since = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
                row = await (
                    await connection.execute(_SQL["spent_since"], {"tenant_id": request.tenant_id, "since": since})
                ).fetchone()
                if row is not None and row["spent"] + estimate.cost > self._ceiling:
                    raise BudgetExhausted
            await connection.execute(
                _SQL["reserve"],
                {
                    "tenant_id": request.tenant_id, "call_id": reservation.call_id, "policy": request.policy,
                    "group_id": request.group_id, "model": request.model or self._model, "cost": estimate.cost,
                    "now": now,
                },
            )  # fmt: skip
        return reservation

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """What the call took; ``latency`` in seconds."""
        if not isinstance(token, Reservation):
            raise TypeError(f"not a reservation of this ledger: {type(token).__name__}")
        async with self._database.tenant(token.tenant_id) as connection:
            await connection.execute(
                _SQL["settle"],
                {
                    "tenant_id": token.tenant_id, "call_id": token.call_id, "outcome": outcome, "cost": usage.cost,
                    "tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out,
                    "tokens_cached": usage.tokens_cached, "latency_ms": round(latency * 1000), "now": self._clock(),
                },
            )  # fmt: skip

    async def costs(self, tenant_id: str) -> Sequence[Mapping[str, Any]]:
        """Spend by policy and month, newest month first: policy, month, calls, tokens_in, tokens_out, cost."""
        async with self._database.tenant(tenant_id) as connection:
            return await (await connection.execute(_SQL["costs"], {"tenant_id": tenant_id})).fetchall()
