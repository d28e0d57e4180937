"""precis clusters list, stats and retune."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import counted, day, output, plain, subject_of, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.rest.answers import ClusterBody, ClusterPage
from precis.store.upkeep.retuning import Retuned

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@verbs.command("list")
def list_(
    *,
    user_id: User = None,
    project_id: Annotated[str | None, typer.Option("--project-id", help="Of this project only.")] = None,
    environment: Annotated[str | None, typer.Option("--environment", help="Of this environment only.")] = None,
    extracted_type: Annotated[
        str | None, typer.Option("--type", help="Of this type only: preference, fact, ...")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="About this subject, in any of its spellings.")] = None,
    sparse: Annotated[
        bool | None, typer.Option("--sparse/--no-sparse", help="With too few memories for a summary, or with enough.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the last page ended.")] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """List clusters with size, churn of the last hour, sparseness and last refresh, the largest first."""
    chosen = {
        "user_id": user_id, "project_id": project_id, "environment": environment, "extracted_type": extracted_type,
        "key": key, "sparse": sparse, "limit": limit, "cursor": cursor,
    }  # fmt: skip
    run(_list(chosen, tenant, data_dir, as_json=as_json))


async def _list(chosen: dict[str, Any], tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        page = await app.clusters.list(**chosen)
    if as_json:
        write_json(ClusterPage(clusters=[ClusterBody.of(row) for row in page.rows], next_cursor=page.next_cursor))
        return
    if not page.rows:
        output.print("No such clusters.")
        return
    made = table(
        "Clusters",
        "id",
        "user",
        "about",
        "size",
        "churn",
        "refreshed",
        "state",
        right=("size", "churn"),
        unbroken=("id",),
    )
    for row in page.rows:
        about = subject_of(row.extracted_type, row.extracted_key)
        refreshed = day(row.last_refresh) if row.last_refresh else ""
        state = "sparse" if row.sparse else "stale" if row.stale else "current"
        made.add_row(
            row.group_id, plain(row.scope.user_id), plain(about), f"{row.size:,}", f"{row.churn:,}", refreshed, state
        )
    print_table(made)
    if page.next_cursor:
        output.print(f"More: --cursor {page.next_cursor}", style="dim", soft_wrap=True)


@verbs.command()
def stats(
    *, user_id: User = None, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False
) -> None:
    """Print the figures for tuning: how many clusters are too small for a summary, churn, tokens."""
    run(_stats(user_id, tenant, data_dir, as_json=as_json))


async def _stats(user_id: str | None, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        found = await app.clusters.stats(user_id=user_id)
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
    print_table(made)


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
    print_table(made)
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
