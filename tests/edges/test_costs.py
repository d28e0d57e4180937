"""/v1/costs and app.costs: by tenant, policy and month, what is left, single calls, and what a plan would cost."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import httpx
import pytest

from precis.app import App
from precis.app.operating import Budget
from precis.bootstrap import Runtime, open_runtime
from precis.engine.spending import NoLedger
from precis.errors import InvalidInput
from precis.makers import Request, Usage
from precis.testing.clock import FrozenClock
from precis.testing.model_server import model_server

pytestmark = pytest.mark.asyncio(loop_scope="session")

PRICES = {"precis-test": {"input_per_million": 1.0, "output_per_million": 4.0}}


async def spend(runtime: Runtime, tenant: str, policy: str, cost: float, outcome: str = "ok") -> None:
    """One call of that price."""
    request = Request(items=(), max_tokens=10, prompt="", tenant_id=tenant, policy=policy, group_id="g")
    usage = Usage(calls=1, tokens_in=100, tokens_out=20, tokens_cached=40, cost=cost)
    token = await runtime.ledger.reserve(request, usage)
    await runtime.ledger.settle(token, usage, outcome, 0.25)


async def test_by_policy_and_month(api: httpx.AsyncClient, runtime: Runtime, tenant: str) -> None:
    """One row each, the newest month first, with failed calls, cached tokens and the tenant."""
    clock = FrozenClock(datetime.fromisoformat("2026-01-31T23:00:00-02:00"))
    async with open_runtime(runtime.settings, clock=clock, follows=False) as february:
        await spend(february, tenant, "views", 0.5)
        clock.now = datetime.fromisoformat("2026-01-31T23:59:59+00:00")
        await spend(february, tenant, "clusters", 0.25)
        await spend(february, tenant, "clusters", 0.25, outcome="timeout")
        await spend(february, tenant, "views", 0.125)
    answer = (await api.get("/v1/costs")).json()
    figures = {"tenant_id": tenant, "lost": 0}
    one = {"calls": 1, "failed": 0, "tokens_in": 100, "tokens_out": 20, "tokens_cached": 40}
    two = {"calls": 2, "failed": 1, "tokens_in": 200, "tokens_out": 40, "tokens_cached": 80}
    assert answer == {
        "monthly_ceiling": None,
        "costs": [
            figures | one | {"policy": "views", "month": "2026-02-01", "cost": 0.5},
            figures | two | {"policy": "clusters", "month": "2026-01-01", "cost": 0.5},
            figures | one | {"policy": "views", "month": "2026-01-01", "cost": 0.125},
        ],
    }


async def test_costs_of_another_tenant_are_not_told(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient, runtime: Runtime, tenant: str
) -> None:
    """A key sees its own tenant's spending and nobody else's."""
    await spend(runtime, tenant, "clusters", 1.0)
    assert len((await api.get("/v1/costs")).json()["costs"]) == 1
    assert (await stranger.get("/v1/costs")).json()["costs"] == []


async def test_a_call_row_says_who_what_and_how_long(runtime: Runtime, tenant: str, app: App) -> None:
    """Policy, group, summary, model, tokens, cost, outcome and latency; newest first, as many as asked for."""
    async with model_server() as server:
        chosen = {"model": "precis-test", "model_base_url": server.base_url, "prices": PRICES}
        async with open_runtime(runtime.settings.model_copy(update=chosen), follows=False) as model:
            rows: list[dict[str, Any]] = [
                {"text": text, "user_id": "ana", "type": "fact", "key": "violin"}
                for text in ("Ana bought a violin.", "Ana tuned the violin.", "Ana lent the violin to Ben.")
            ]
            written = await model.app(tenant).memories.add(rows)
            await model.engine.summarizer.aclose()  # type: ignore[attr-defined]
        await spend(runtime, tenant, "views", 0.5, outcome="timeout")
        late, made = await app.costs.calls()
        assert (late.policy, late.outcome, late.latency_ms, late.summary_id) == ("views", "timeout", 250, None)
        assert (made.policy, made.model, made.state, made.outcome) == ("clusters", "precis-test", "settled", "ok")
        assert (made.summary_id,) == written.summaries
        assert made.group_id == written.memories[0].group_id
        assert (made.tokens_in, made.tokens_out) == (server.stats.tokens_in, server.stats.tokens_out)
        assert made.cost == pytest.approx((made.tokens_in + 4 * made.tokens_out) / 1e6)
        assert await app.costs.calls(limit=1) == [late]


@pytest.mark.parametrize("limit", [0, 1001])
async def test_calls_are_listed_up_to_a_thousand(app: App, limit: int) -> None:
    """And at least one."""
    with pytest.raises(InvalidInput, match="limit"):
        await app.costs.calls(limit=limit)


async def test_what_is_left_of_the_ceiling(runtime: Runtime, tenant: str, app: App) -> None:
    """Nine tenths for everything, all of it for re-derivation; without a ceiling there is nothing to be left."""
    await spend(runtime, tenant, "clusters", 0.5)
    assert await app.costs.budget() == Budget(monthly_ceiling=None, spent=0.5, left=None, left_to_rederive=None)
    async with open_runtime(runtime.settings.model_copy(update={"monthly_ceiling": 0.5}), follows=False) as capped:
        full = await capped.app(tenant).costs.budget()
        assert full == Budget(monthly_ceiling=0.5, spent=0.5, left=0.0, left_to_rederive=0.0)
    async with open_runtime(runtime.settings.model_copy(update={"monthly_ceiling": 2.0}), follows=False) as capped:
        half = await capped.app(tenant).costs.budget()
        assert half.left == pytest.approx(1.3)
        assert half.left_to_rederive == 1.5


async def test_offline_a_plan_costs_nothing(api: httpx.AsyncClient, app: App) -> None:
    """Tokens are told, for they are read all the same; dollars are zero."""
    texts = ("Ana bought a violin.", "Ana tuned the violin.", "Ana lent the violin to Ben.")
    rows = [{"text": text, "user_id": "ana", "type": "fact", "key": "violin"} for text in texts]
    await app.memories.add(rows, summarize="deferred")
    (planned,) = (await api.get("/v1/plan")).json()["plans"]
    assert planned["estimate"]["cost"] == 0
    assert planned["estimate"]["tokens_in"] > 0


async def test_the_ledger_of_nobody_is_empty() -> None:
    """Where no model is called there is a ledger all the same."""
    ledger = NoLedger()
    assert [*(await ledger.costs("t")), *(await ledger.calls("t", limit=5))] == []
    assert await ledger.spent("t") == 0
    assert (await ledger.answers("t", policy="clusters", model="m")).by_kind == {}
