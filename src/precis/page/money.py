"""Plan and money: what is stale and why, what refreshing it would take, and what models took so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.responses import Response

from precis.app.operating import Spend
from precis.app.summaries import Planned
from precis.memory import Memory
from precis.page.visit import Visit
from precis.summary import Summary

#: Plans of a page: each reads its group.
_PLANS = 10


@dataclass(frozen=True, kw_only=True)
class Bill:
    """What the models took in one month, by policy."""

    month: date
    spends: Sequence[Spend]

    @property
    def cost(self) -> float:
        """US dollars."""
        return sum(spend.cost for spend in self.spends)


@dataclass(frozen=True, kw_only=True)
class Named:
    """A plan, and what it is about."""

    planned: Planned
    #: What stands meanwhile.
    summary: Summary | None
    #: The oldest of its memories; it tells of whom and of what the first summary will be.
    oldest: Memory | None


def bills(spending: Sequence[Spend]) -> list[Bill]:
    """By month, the newest first."""
    months = dict.fromkeys(spend.month for spend in spending)
    return [Bill(month=month, spends=[spend for spend in spending if spend.month == month]) for month in months]


async def plan(visit: Visit) -> Response:
    """What waits to be made anew, by name, before anything is spent; and the bills."""
    app = visit.app
    user_id = visit.query.get("user") or None
    scope: dict[str, Any] = {} if user_id is None else {"user_id": user_id}
    planned = await app.summaries.plan(limit=_PLANS, **scope)
    return visit.show(
        "plan.html", plans=await _named(visit, planned), counts=await app.jobs.counts(),
        stats=await app.summaries.stats(**scope) if scope else None, budget=await app.costs.budget(),
        bills=bills(await app.costs.spending()), user_id=user_id, outcome=visit.query.get("outcome"), most=_PLANS,
        facts=await app.facts.plan(user_id=user_id), offline=app.parts.engine.offline,
    )  # fmt: skip


async def _named(visit: Visit, planned: Sequence[Planned]) -> list[Named]:
    plans = [each.plan for each in planned]
    standing = await visit.app.standing.get_many([plan.summary_id for plan in plans if plan.summary_id])
    oldest = await visit.app.memories.get_many([plan.leaves[0].id for plan in plans if plan.leaves])
    return [
        Named(
            planned=each, summary=standing.get(each.plan.summary_id or ""),
            oldest=oldest.get(each.plan.leaves[0].id) if each.plan.leaves else None,
        )
        for each in planned
    ]  # fmt: skip


async def refresh(visit: Visit) -> Response:
    """Make one thing of the plan now."""
    outcome = await visit.app.summaries.refresh_group(visit.needed("group"))
    return visit.go("plan", outcome=outcome.result.value, user=visit.form.get("user") or None)
