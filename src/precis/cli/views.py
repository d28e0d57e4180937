"""precis views: declare summary views, run them, read what they say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.app import App
from precis.app.views import PartitionResult
from precis.cli.exits import Exit
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import (
    counted,
    counts_line,
    errors,
    output,
    plain,
    progress,
    tell_failure,
    write_json,
)
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.store.tasks import Status, Task
from precis.view import View

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
_ViewId = Annotated[str, typer.Argument(help="Id of the view.")]
#: Seconds between two looks at a task.
_LOOK = 0.1


@verbs.command()
def create(
    *,
    name: Annotated[str | None, typer.Option(help="What people call it.")] = None,
    group_by: Annotated[
        list[str] | None, typer.Option(help="user_id, namespace, session_id or memory_type; repeat it for several.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option("--filter", help='KEY=VALUE, or KEY=JSON for a list or operators: topics={"any": ["tea"]}.'),
    ] = None,
    window_days: Annotated[int | None, typer.Option(min=1, help="Only what was created within so many days.")] = None,
    continuous: Annotated[bool, typer.Option(help="Refresh it in the background.")] = False,
    prompt: Annotated[str | None, typer.Option(help="Instead of the default one; asks for free prose.")] = None,
    model: Annotated[str | None, typer.Option(help="Instead of PRECIS_FAST_MODEL.")] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Declare a view. Memories are in their partitions at once; nothing is summarized yet."""
    fields = {
        "name": name, "group_by": group_by, "filters": _filters(where or []), "time_window_days": window_days,
        "continuous": continuous, "prompt": prompt, "model_name": model,
    }  # fmt: skip
    run(_create(fields, tenant, data_dir, as_json=as_json))


async def _create(fields: dict[str, Any], tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        view = await app.views.create(**fields)
        groups = (await app.views.plan(view.id, limit=0)).partitions
    if as_json:
        write_json(_shown(view))
        return
    output.print(f"View {view.id} over {counted(groups, 'group')}: `precis views run {view.id}` summarizes them.")


@verbs.command("list")
def list_(*, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False) -> None:
    """List the views, oldest first."""
    run(_list(tenant, data_dir, as_json=as_json))


async def _list(tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        found = await app.views.list()
    if as_json:
        write_json({"views": [_shown(view) for view in found]})
        return
    made = table("Views", "id", "name", "group by", "filters", "window", "refreshed", unbroken=("id",))
    for view in found:
        filters = json.dumps(view.filters) if view.filters else ""
        window = counted(view.window_days, "day") if view.window_days else ""
        when = "by itself" if view.continuous else "on request"
        made.add_row(view.id, view.name or "", ", ".join(view.group_by), filters, window, when)
    print_table(made)


@verbs.command("run")
def run_(
    view_id: _ViewId,
    *,
    force: Annotated[bool, typer.Option(help="Also the groups in which nothing changed.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Summarize every group that changed, and wait for the end. Exits with 3 when some failed."""
    run(_run(view_id, tenant, data_dir, force=force, as_json=as_json))


async def _run(view_id: str, tenant: str, data_dir: Path | None, *, force: bool, as_json: bool) -> int:
    async with opened_app(data_dir, tenant) as (_, app):
        task = await _followed(app, await app.views.run(view_id, force=force))
    failed = task.status is Status.FAILED
    if as_json:
        write_json(asdict(task))
    elif not failed:
        output.print(f"{counted(task.done, 'group')} looked at.")
    if task.ungrouped_count:
        lacking = counted(task.ungrouped_count, "memory", "memories")
        errors.print(f"{lacking} in no group: without a value to group by.", style="yellow")
    if failed:
        tell_failure(str(task.error_message))
    return Exit.FAILURE if failed else Exit.FINE


async def _followed(app: App, task: Task) -> Task:
    """The task once it has ended, with a bar for somebody who watches."""
    with progress() as bar:
        shown = bar.add_task("groups", total=None)
        while not task.ended:
            await asyncio.sleep(_LOOK)
            task = await app.tasks.get(task.id)
            bar.update(shown, completed=task.done, total=task.total or None)
    return task


@verbs.command()
def show(
    view_id: _ViewId,
    *,
    user_id: Annotated[str | None, typer.Option(help="Only this user's groups.")] = None,
    namespace: Annotated[str | None, typer.Option(help="Only this namespace's groups.")] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print what a view says of its groups, and what a run would do."""
    asked = {"user_id": user_id, "namespace": namespace}
    group = {name: value for name, value in asked.items() if value is not None}
    run(_show(view_id, group, tenant, data_dir, as_json=as_json))


async def _show(view_id: str, group: dict[str, str], tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        view, found = await app.views.get(view_id), await app.views.partitions(view_id, **group)
        plan = await app.views.plan(view_id)
    if as_json:
        results = [asdict(one) for one in found]
        write_json({"view": _shown(view), "partitions": results, "plan": asdict(plan)})
        return
    _print_results(found)
    taken = plan.estimate
    output.print(
        f"{plan.stale} of {counted(plan.partitions, 'group')} would be looked at by a run: "
        f"{counted(taken.calls, 'call')}, {taken.tokens_in:,} tokens in, {taken.tokens_out:,} out.",
        style="dim",
    )


def _print_results(found: Sequence[PartitionResult]) -> None:
    for one in found:
        name = ", ".join(f"{key}={value}" for key, value in one.group.items()) or "everything"
        state = "empty" if one.empty else "rejected" if one.rejected else "stale" if one.stale else "current"
        output.print(plain(name, style="bold"))
        output.print(f"{one.included_count} of {counted(one.memory_count, 'memory', 'memories')}, {state}", style="dim")
        output.print(plain(counts_line(one.counts)), style="dim")
        if one.summary:
            output.print(plain(one.summary), soft_wrap=True)
        output.print()


@verbs.command()
def delete(view_id: _ViewId, *, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None) -> None:
    """Take a view away with its groups and what it said of them; the memories stay."""
    run(_delete(view_id, tenant, data_dir))


async def _delete(view_id: str, tenant: str, data_dir: Path | None) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        gone = await app.views.delete(view_id)
    errors.print(f"View {view_id} is gone." if gone else f"There was no view {view_id}.", style="dim")


def _filters(given: Sequence[str]) -> dict[str, Any]:
    found = {}
    for one in given:
        key, equals, value = one.partition("=")
        if not equals:
            raise typer.BadParameter(f"{one!r} is not KEY=VALUE", param_hint="--filter")
        found[key] = _value(value)
    return found


def _value(given: str) -> Any:
    """A list or operators as JSON; anything else is the text as it stands."""
    if not given.startswith(("[", "{")):
        return given
    try:
        return json.loads(given)
    except ValueError as error:
        raise typer.BadParameter(f"{given!r} is not JSON: {error}", param_hint="--filter") from error


def _shown(view: View) -> dict[str, Any]:
    """By the names of the wire."""
    return {
        "id": view.id, "name": view.name, "source": view.source, "group_by": list(view.group_by),
        "filters": dict(view.filters), "time_window_days": view.window_days, "continuous": view.continuous,
        "prompt": view.prompt, "model_name": view.model,
    }  # fmt: skip
