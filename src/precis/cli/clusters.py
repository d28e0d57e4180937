"""precis clusters list, stats and retune, and precis plan."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import typer

from precis.app import App
from precis.app.conversing.extracting import FactsPlan
from precis.app.summaries import Planned
from precis.bootstrap import Runtime
from precis.cli.printing import counted, day, output, plain, print_more, print_table, subject_of, table
from precis.cli.verb import Answer, Cursor, Limit, User, group, verb
from precis.errors import NotFound
from precis.makers import about
from precis.rest.summary_answers import ClusterBody, ClusterPage, PlanBody
from precis.store.upkeep.retuning import Retuned

verbs = group()


@verbs.command("list")
@verb
async def list_(
    app: App,
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
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Answer:
    """List clusters with size, churn of the last hour, sparseness and last refresh, the largest first."""
    page = await app.clusters.list(
        user_id=user_id, project_id=project_id, environment=environment, extracted_type=extracted_type, key=key,
        sparse=sparse, limit=limit, cursor=cursor,
    )  # fmt: skip

    def words() -> None:
        if not page.rows:
            output.print("No such clusters.")
            return
        columns = ("id", "user", "about", "size", "churn", "refreshed", "state")
        rows = [
            (
                row.group_id,
                plain(row.scope.user_id),
                plain(subject_of(row.extracted_type, row.extracted_key, title=row.title)),
                f"{row.size:,}",
                f"{row.churn:,}",
                day(row.last_refresh) if row.last_refresh else "",
                "sparse" if row.sparse else "stale" if row.stale else "current",
            )
            for row in page.rows
        ]
        print_table(table("Clusters", *columns, rows=rows, right=("size", "churn"), unbroken=("id",)))
        print_more(page.next_cursor)

    body = ClusterPage(clusters=[ClusterBody.of(row) for row in page.rows], next_cursor=page.next_cursor)
    return Answer(json=body, words=words)


@verbs.command()
@verb
async def stats(runtime: Runtime, app: App, *, user_id: User = None) -> Answer:
    """Print the figures for tuning: how many clusters are too small for a summary, churn, tokens."""
    figures, minimum = await app.clusters.stats(user_id=user_id), runtime.settings.min_cluster_items
    rows = {
        "memories in clusters": f"{figures.members:,}",
        "clusters": f"{figures.clusters:,}",
        f"of them below {minimum} memories (sparse)": f"{figures.sparse:,} ({figures.sparse_ratio:.0%})",
        "summaries": f"{figures.summaries:,}",
        "stale, failed": f"{figures.stale:,}, {figures.failed:,}",
        "refreshes in the last hour, per cluster that had any": f"{figures.churn:.2f}",
        "tokens of model calls per summary, over 35 days": f"{figures.tokens_per_summary:,.0f}",
    }
    filled = table("Clusters", "figure", "value", rows=rows.items(), right=("value",))
    return Answer(json=figures, words=lambda: print_table(filled))


@verbs.command()
@verb
async def retune(
    runtime: Runtime,
    app: App,
    *,
    distance: Annotated[float, typer.Option(min=0, max=2, help="Distance to a cluster that still joins.")],
    apply: Annotated[bool, typer.Option("--apply", help="Regroup what is stored, too.")] = False,
) -> Answer:
    """Preview another cluster distance on the stored vectors; with --apply, move what is stored."""
    tenant_id, policy = app.parts.tenant_id, app.parts.engine.policies["clusters"]
    setting, grouping = runtime.settings.cluster_distance, replace(policy.group, distance=distance)
    retuning, reading = runtime.store.retuning, partial(about, runtime.engine.embedder)
    if apply:
        retuned = await retuning.apply(
            tenant_id, policy=policy, grouping=grouping, now=runtime.engine.clock(), reading=reading
        )
    else:
        retuned = await retuning.preview(tenant_id, policy=policy, grouping=grouping, reading=reading)
    return Answer(
        json=_figures(retuned) | {"distance": distance, "setting": setting, "applied": apply},
        words=lambda: _print_retuned(retuned, distance, setting, apply=apply),
    )


def _figures(retuned: Retuned) -> dict[str, Any]:
    """The figures as one object."""
    sizes = {
        name: {"clusters": each.clusters, "sparse": each.sparse, "sparse_ratio": each.sparse_ratio}
        for name, each in (("before", retuned.before), ("after", retuned.after))
    }
    return {
        "members": retuned.members, "moved": retuned.moved, "changed": retuned.changed, "opened": retuned.opened,
        "closed": retuned.closed, **sizes,
    }  # fmt: skip


def _print_retuned(retuned: Retuned, distance: float, setting: float, *, apply: bool) -> None:
    figures = ("clusters", "sparse", "sparse ratio")
    stages = {"before": retuned.before, f"at {distance} ({'applied' if apply else 'preview'})": retuned.after}
    rows = [
        (name, f"{sizes.clusters:,}", f"{sizes.sparse:,}", f"{sizes.sparse_ratio:.1%}")
        for name, sizes in stages.items()
    ]
    print_table(
        table(f"{retuned.members:,} memories grouped anew, oldest first", "", *figures, rows=rows, right=figures)
    )
    output.print(
        f"{counted(retuned.moved, 'memory', 'memories')} of {counted(retuned.changed, 'cluster')} "
        f"{'moved' if apply else 'would move'}: {retuned.opened:,} new clusters, {retuned.closed:,} end."
    )
    output.print(_what_now(distance, setting, apply=apply), style="dim")


def _what_now(distance: float, setting: float, *, apply: bool) -> str:
    """What was done, and which setting keeps it so."""
    if not apply:
        return "Nothing was changed. --apply regroups what is stored; PRECIS_CLUSTER_DISTANCE is for new memories."
    due = "A worker brings the summaries up to date."
    if setting == distance:
        return due
    return f"{due} New memories still join at {setting}: set PRECIS_CLUSTER_DISTANCE={distance} to keep it so."


@verb
async def plan(
    runtime: Runtime,
    app: App,
    *,
    user_id: User = None,
    all_: Annotated[bool, typer.Option("--all", help="Current clusters too.")] = False,
) -> Answer:
    """Show what is stale, why, and what making it current would take. No model is called."""
    await refuse_nobody(app, user_id)
    plans = await app.summaries.plan(stale_only=not all_, user_id=user_id)
    totals = _totals(plans, model=runtime.settings.model)
    facts = await app.facts.plan(user_id=user_id)
    return Answer(
        json={"plans": [PlanBody.of(planned) for planned in plans], "total": totals, "facts": facts},
        words=lambda: _print_plans(plans, f"{_sentence(totals, stale_only=not all_)}{_to_read(facts)}"),
    )


async def refuse_nobody(app: App, user_id: str | None) -> None:
    """Raise NotFound where a user is named of whom there is nothing: a misspelled one is current, and empty."""
    if user_id is not None and not (await app.memories.list(user_id=user_id, limit=1)).rows:
        raise NotFound(f"there is no user {user_id!r}")


def _print_plans(plans: Sequence[Planned], sentence: str) -> None:
    if plans:
        figures = ("drafts", "tokens in", "tokens out")
        rows = [
            (
                planned.plan.group_id, planned.policy, planned.plan.action, planned.plan.reason,
                f"{planned.estimate.calls:,}", f"{planned.estimate.tokens_in:,}", f"{planned.estimate.tokens_out:,}",
            )
            for planned in plans
        ]  # fmt: skip
        columns = ("cluster", "policy", "action", "why", *figures)
        print_table(table("Plan", *columns, rows=rows, right=figures, unbroken=("cluster",)))
    output.print(sentence)


def _to_read(facts: FactsPlan) -> str:
    """The messages that wait to be read for facts."""
    if not facts.messages:
        return ""
    calls = f"at most {counted(facts.calls, 'call')}, about {facts.tokens_in:,} tokens to read"
    return f"\n{counted(facts.messages, 'message')} to be read for facts: {calls if facts.calls else 'by rules'}."


def _totals(plans: Sequence[Planned], *, model: str | None) -> dict[str, Any]:
    """The sums over all of them."""
    estimates = [planned.estimate for planned in plans]
    return {
        "clusters": len(plans),
        "calls": sum(estimate.calls for estimate in estimates),
        "tokens_in": sum(estimate.tokens_in for estimate in estimates),
        "tokens_out": sum(estimate.tokens_out for estimate in estimates),
        "model": model,
        "cost": sum((estimate.cost for estimate in estimates), start=0.0),
    }


def _sentence(totals: dict[str, Any], *, stale_only: bool) -> str:
    if not totals["clusters"]:
        return "Everything is current: a refresh now would call nothing." if stale_only else "There are no clusters."
    by = f"with {totals['model']}" if totals["model"] else "offline, so no model is called and no token leaves"
    work = f"{counted(totals['clusters'], 'cluster')}, {counted(totals['calls'], 'draft')}"
    tokens = f"about {totals['tokens_in']:,} tokens to read and {totals['tokens_out']:,} to write"
    return f"{work}, {tokens}: US$ {totals['cost']:.4f} ({by})."
