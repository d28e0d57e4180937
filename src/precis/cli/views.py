"""precis views: declare summary views, run them, read what they say."""

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from precis.app import App
from precis.app.views import PartitionResult
from precis.cli import printing
from precis.cli.verb import Answer, Exit, Opening, beginning, group, verb
from precis.errors import NotFound
from precis.store.tasks import Status, Task
from precis.view import View

verbs = group()
_ViewId = Annotated[str, typer.Argument(help="Id of the view.")]
#: Seconds between two looks at a task.
_LOOK = 0.1


@verbs.command()
@verb
@beginning
async def create(
    opening: Opening,
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
) -> Answer:
    """Declare a view. Memories are in their partitions at once; nothing is summarized yet."""
    if not (name or group_by or where or window_days or continuous or prompt or model):
        raise typer.BadParameter(
            "say what it is over: --group-by, --filter or --window-days; over everything it needs a --name"
        )
    filters = _filters(where or [])
    async with opening() as (_, app):
        view = await app.views.create(
            name=name, group_by=group_by, filters=filters, time_window_days=window_days, continuous=continuous,
            prompt=prompt, model_name=model,
        )  # fmt: skip
        groups = (await app.views.plan(view.id, limit=0)).partitions
    text = f"View {view.id} over {printing.counted(groups, 'group')}: `precis views run {view.id}` summarizes them."
    return Answer(json=_document(view), words=lambda: printing.output.print(text))


def _filters(conditions: Sequence[str]) -> dict[str, Any]:
    filters = {}
    for condition in conditions:
        key, equals, value = condition.partition("=")
        if not equals:
            raise typer.BadParameter(f"{condition!r} is not KEY=VALUE", param_hint="--filter")
        filters[key] = _value(value)
    return filters


def _value(text: str) -> Any:
    """A list or operators as JSON; anything else is the text as it stands."""
    if not text.startswith(("[", "{")):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is not JSON: {error}", param_hint="--filter") from error


def _document(view: View) -> dict[str, Any]:
    """A view as one object, by the names that the wire has."""
    return {
        "id": view.id, "name": view.name, "source": view.source, "group_by": list(view.group_by),
        "filters": dict(view.filters), "time_window_days": view.window_days, "continuous": view.continuous,
        "prompt": view.prompt, "model_name": view.model,
    }  # fmt: skip


@verbs.command("list")
@verb
async def list_(app: App) -> Answer:
    """List the views, oldest first."""
    views = await app.views.list()
    rows = [
        (
            view.id,
            view.name or "",
            ", ".join(view.group_by),
            json.dumps(view.filters) if view.filters else "",
            printing.counted(view.window_days, "day") if view.window_days else "",
            "by itself" if view.continuous else "on request",
        )
        for view in views
    ]
    columns = ("id", "name", "group by", "filters", "window", "refreshed")
    filled = printing.table("Views", *columns, rows=rows, unbroken=("id",))
    return Answer(json={"views": [_document(view) for view in views]}, words=lambda: printing.print_table(filled))


@verbs.command("run")
@verb
async def run_(
    app: App,
    view_id: _ViewId,
    *,
    force: Annotated[bool, typer.Option(help="Also the groups in which nothing changed.")] = False,
) -> Answer:
    """Summarize every group that changed, and wait for the end. Exits with 3 when some failed."""
    task = await _followed(app, await app.views.run(view_id, force=force))
    failed = task.status is Status.FAILED

    def words() -> None:
        if not failed:
            printing.output.print(f"{printing.counted(task.done, 'group')} looked at.")

    def afterwards() -> None:
        if task.ungrouped_count:
            lacking = printing.counted(task.ungrouped_count, "memory", "memories")
            printing.errors.print(f"{lacking} in no group: without a value to group by.", style="yellow")
        if failed:
            printing.tell_failure(str(task.error_message))

    return Answer(json=task, words=words, afterwards=afterwards, code=Exit.FAILURE if failed else Exit.FINE)


async def _followed(app: App, task: Task) -> Task:
    """The task once it has ended, with a bar for somebody who watches."""
    with printing.progress() as bar:
        shown = bar.add_task("groups", total=None)
        while not task.ended:
            await asyncio.sleep(_LOOK)
            task = await app.tasks.get(task.id)
            bar.update(shown, completed=task.done, total=task.total or None)
    return task


@verbs.command()
@verb
async def show(
    app: App,
    view_id: _ViewId,
    *,
    user_id: Annotated[str | None, typer.Option(help="Only this user's groups.")] = None,
    namespace: Annotated[str | None, typer.Option(help="Only this namespace's groups.")] = None,
) -> Answer:
    """Print what a view says of its groups, and what a run would do."""
    fields = {"user_id": user_id, "namespace": namespace}
    view = await app.views.get(view_id)
    results = await app.views.partitions(
        view_id, **{name: value for name, value in fields.items() if value is not None}
    )
    plan = await app.views.plan(view_id)
    estimate = plan.estimate
    text = (
        f"{plan.stale} of {printing.counted(plan.partitions, 'group')} would be looked at by a run: "
        f"{printing.counted(estimate.calls, 'call')}, {estimate.tokens_in:,} tokens in, {estimate.tokens_out:,} out."
    )

    def words() -> None:
        for result in results:
            _print_result(result)
        printing.output.print(text, style="dim")

    return Answer(json={"view": _document(view), "partitions": results, "plan": plan}, words=words)


def _print_result(result: PartitionResult) -> None:
    name = ", ".join(f"{key}={value}" for key, value in result.group.items()) or "everything"
    state = "empty" if result.empty else "rejected" if result.rejected else "stale" if result.stale else "current"
    memories = printing.counted(result.memory_count, "memory", "memories")
    printing.output.print(printing.plain(name, style="bold"))
    printing.output.print(f"{result.included_count} of {memories}, {state}", style="dim")
    printing.output.print(printing.plain(printing.counts_line(result.counts)), style="dim")
    if result.summary:
        printing.output.print(printing.plain(result.summary), soft_wrap=True)
    printing.output.print()


@verbs.command()
@verb
async def delete(app: App, view_id: _ViewId) -> None:
    """Take a view away with its groups and what it said of them; the memories stay."""
    if not await app.views.delete(view_id):
        raise NotFound(f"there is no view {view_id!r}")
    printing.errors.print(f"View {view_id} is gone.", style="dim")
