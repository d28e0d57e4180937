"""precis plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.app.summaries import Planned
from precis.bootstrap import Runtime
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import counted, output, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.rest.answers import PlanBody


def plan(
    *,
    user_id: User = None,
    all_: Annotated[bool, typer.Option("--all", help="Current clusters too.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Show what is stale, why, and what making it current would take. No model is called."""
    run(_plan(user_id, tenant, data_dir, stale_only=not all_, as_json=as_json))


async def _plan(user_id: str | None, tenant: str, data_dir: Path | None, *, stale_only: bool, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        plans = await app.summaries.plan(stale_only=stale_only, user_id=user_id)
        totals = _totals(runtime, plans)
    if as_json:
        write_json({"plans": [PlanBody.of(one) for one in plans], "total": totals})
        return
    if plans:
        figures = ("calls", "tokens in", "tokens out")
        made = table("Plan", "cluster", "policy", "action", "why", *figures, right=figures, unbroken=("cluster",))
        for one in plans:
            took = one.estimate
            made.add_row(
                one.plan.group_id, one.policy, one.plan.action, one.plan.reason, f"{took.calls:,}",
                f"{took.tokens_in:,}", f"{took.tokens_out:,}",
            )  # fmt: skip
        print_table(made)
    output.print(_sentence(totals, stale_only=stale_only))


def _totals(runtime: Runtime, plans: Sequence[Planned]) -> dict[str, Any]:
    """The sums over all of them."""
    took = [one.estimate for one in plans]
    return {
        "clusters": len(plans),
        "calls": sum(one.calls for one in took),
        "tokens_in": sum(one.tokens_in for one in took),
        "tokens_out": sum(one.tokens_out for one in took),
        "model": runtime.settings.model,
        "cost": sum((one.cost for one in took), start=0.0),
    }


def _sentence(totals: dict[str, Any], *, stale_only: bool) -> str:
    if not totals["clusters"]:
        return "Everything is current: a refresh now would call nothing." if stale_only else "There are no clusters."
    by = f"with {totals['model']}" if totals["model"] else "offline, so no model is called and no token leaves"
    work = f"{counted(totals['clusters'], 'cluster')}, {counted(totals['calls'], 'draft')}"
    tokens = f"about {totals['tokens_in']:,} tokens to read and {totals['tokens_out']:,} to write"
    return f"{work}, {tokens}: US$ {totals['cost']:.4f} ({by})."
