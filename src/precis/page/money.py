"""Plan and money: what is stale and why, what refreshing it would take, and what models took so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.responses import Response

from precis.app.operating import Spend
from precis.app.summaries import Planned
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
        "plan.html", planned=planned, names=await _standing(visit, planned), stats=await app.summaries.stats(**scope),
        budget=await app.costs.budget(), bills=bills(await app.costs.spending()), user_id=user_id,
        outcome=visit.query.get("outcome"), most=_PLANS, facts=await app.facts.plan(user_id=user_id),
    )  # fmt: skip


async def _standing(visit: Visit, planned: Sequence[Planned]) -> Mapping[str, Summary]:
    ids = [each.plan.summary_id for each in planned if each.plan.summary_id]
    summaries = await visit.app.standing.get_many(ids)
    return {summary.group_id: summary for summary in summaries.values()}


async def refresh(visit: Visit) -> Response:
    """Make one thing of the plan now."""
    outcome = await visit.app.summaries.refresh_group(visit.needed("group"))
    return visit.go("plan", outcome=outcome.result.value, user=visit.form.get("user") or None)
