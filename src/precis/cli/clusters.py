"""precis clusters stats and retune."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.app.verification import Verification
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import output, table, write_json
from precis.cli.running import opened_app, run
from precis.engine.grouping import Grouping, assign
from precis.store.scan import Member

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
    made.add_row("tokens per summary", f"{found.tokens_per_summary:,.0f}")
    output.print(made)


@verbs.command()
def retune(
    *,
    distance: Annotated[float, typer.Option(min=0, max=2, help="Cosine distance to a centroid that still joins.")],
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Preview another cluster distance on the stored vectors. Changes nothing."""
    run(_retune(distance, tenant, data_dir, as_json=as_json))


async def _retune(distance: float, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        stored = await app.summaries.stats()
        scan = Verification(runtime.database, runtime.settings, tenant).scan
        members = await scan.clustered(tenant, app.parts.clusters.name)
        limits, minimum = app.parts.clusters.group, runtime.settings.min_cluster_items
    before = replayed(members, limits, minimum)
    after = replayed(members, replace(limits, distance=distance), minimum)
    now = {"clusters": stored.clusters, "sparse": stored.sparse, "sparse_ratio": stored.sparse_ratio}
    if as_json:
        answer = {"stored": now, "before": before | {"distance": limits.distance}}
        write_json(answer | {"after": after | {"distance": distance}, "members": len(members)})
        return
    figures = ("clusters", "sparse", "sparse ratio")
    made = table(f"{len(members):,} memories grouped anew, oldest first", "distance", *figures, right=figures)
    for name, row in (
        ("as stored", now), (f"{limits.distance} (today's setting)", before), (f"{distance} (preview)", after)
    ):  # fmt: skip
        made.add_row(name, f"{row['clusters']:,}", f"{row['sparse']:,}", f"{row['sparse_ratio']:.1%}")
    output.print(made)
    output.print("Nothing was changed. PRECIS_CLUSTER_DISTANCE sets the distance for new memories.", style="dim")


def replayed(members: Sequence[Member], limits: Grouping, minimum: int) -> dict[str, Any]:
    """Group all members from nothing under these limits: clusters, and how many are below the minimum."""
    kin: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for member in members:
        kin[member.kin].append(member)
    numbers = count()
    sizes = [
        cluster.members
        for rows in kin.values()
        for cluster in assign([row.candidate for row in rows], [], grouping=limits, new_id=lambda: str(next(numbers)))[
            1
        ]
    ]
    sparse = sum(1 for size in sizes if size < minimum)
    return {"clusters": len(sizes), "sparse": sparse, "sparse_ratio": sparse / len(sizes) if sizes else 0.0}
