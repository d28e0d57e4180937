"""precis clusters stats and retune."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import counted, output, table, write_json
from precis.cli.running import opened_app, run
from precis.store.retuning import Retuned

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@verbs.command()
def stats(
    *, user_id: User = None, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False
) -> None:
    """Print the figures for tuning: how many clusters are too small for a summary, churn, tokens."""
    run(_stats(user_id, tenant, data_dir, as_json=as_json))


async def _stats(user_id: str | None, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        found = await app.summaries.stats(user_id=user_id)
        minimum = runtime.settings.min_cluster_items
    if as_json:
        write_json(found)
        return
    made = table("Clusters", "figure", "value", right=("value",))
    made.add_row("memories in clusters", f"{found.members:,}")
    made.add_row("clusters", f"{found.clusters:,}")
    made.add_row(f"of them below {minimum} memories (sparse)", f"{found.sparse:,} ({found.sparse_ratio:.0%})")
    made.add_row("summaries", f"{found.summaries:,}")
    made.add_row("stale, failed", f"{found.stale:,}, {found.failed:,}")
    made.add_row("refreshes in the last hour, per cluster that had any", f"{found.churn:.2f}")
    made.add_row("tokens per summary, over 35 days", f"{found.tokens_per_summary:,.0f}")
    output.print(made)


@verbs.command()
def retune(
    *,
    distance: Annotated[float, typer.Option(min=0, max=2, help="Cosine distance to a centroid that still joins.")],
    apply: Annotated[bool, typer.Option("--apply", help="Regroup what is stored, too.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Preview another cluster distance on the stored vectors; with --apply, move what is stored."""
    run(_retune(distance, tenant, data_dir, apply=apply, as_json=as_json))


async def _retune(distance: float, tenant: str, data_dir: Path | None, *, apply: bool, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        policy, kept = app.parts.clusters, runtime.settings.cluster_distance
        retuning, grouping = runtime.store.retuning, replace(policy.group, distance=distance)
        if apply:
            found = await retuning.apply(tenant, policy=policy, grouping=grouping, now=runtime.engine.clock())
        else:
            found = await retuning.preview(tenant, policy=policy, grouping=grouping)
    if as_json:
        write_json(_answer(found) | {"distance": distance, "setting": kept, "applied": apply})
        return
    made = table(f"{found.members:,} memories grouped anew, oldest first", "", "clusters", "sparse", "sparse ratio",
                 right=("clusters", "sparse", "sparse ratio"))  # fmt: skip
    what = "applied" if apply else "preview"
    for name, sizes in (("before", found.before), (f"at {distance} ({what})", found.after)):
        made.add_row(name, f"{sizes.clusters:,}", f"{sizes.sparse:,}", f"{sizes.sparse_ratio:.1%}")
    output.print(made)
    output.print(
        f"{counted(found.moved, 'memory', 'memories')} of {counted(found.changed, 'cluster')} "
        f"{'moved' if apply else 'would move'}: {found.opened:,} new clusters, {found.closed:,} end."
    )
    output.print(_what_now(distance, kept, apply=apply), style="dim")


def _answer(found: Retuned) -> dict[str, Any]:
    """The figures as one object."""
    sizes = {
        name: {"clusters": one.clusters, "sparse": one.sparse, "sparse_ratio": one.sparse_ratio}
        for name, one in (("before", found.before), ("after", found.after))
    }
    return {
        "members": found.members, "moved": found.moved, "changed": found.changed, "opened": found.opened,
        "closed": found.closed, **sizes,
    }  # fmt: skip


def _what_now(distance: float, kept: float, *, apply: bool) -> str:
    """What was done, and which setting keeps it so."""
    if not apply:
        return "Nothing was changed. --apply regroups what is stored; PRECIS_CLUSTER_DISTANCE is for new memories."
    due = "A worker brings the summaries up to date."
    if kept == distance:
        return due
    return f"{due} New memories still join at {kept}: set PRECIS_CLUSTER_DISTANCE={distance} to keep it so."
