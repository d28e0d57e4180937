"""precis worker, jobs, facts, embeddings and costs: the work beside requests, and what it costs."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import asdict
from typing import Annotated

import typer

from precis import bootstrap, typed, work
from precis.app import App
from precis.app.operating import EmbeddingProgress, State
from precis.cli.clusters import refuse_nobody
from precis.cli.printing import counted, errors, output, print_table, progress, table, tell
from precis.cli.verb import Answer, DataDir, Opening, Tenant, User, beginning, group, opened_app, opened_runtime, verb
from precis.errors import ConfigurationError
from precis.jobs.upkeep import settle
from precis.jobs.worker import end_worker, run_worker
from precis.jobs.worker_process import until_server_ends
from precis.keys.tenants import DEFAULT_TENANT
from precis.rest.summary_answers import CostAnswer, CostBody
from precis.store.upkeep.indexes import Settled
from precis.watch.census import told_at

jobs, embeddings = group(), group()


@verb
@beginning
async def worker(
    runtime: bootstrap.Runtime,
    *,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Tenants worked at the same time.")] = 2,
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Tell what the worker counts, at this port.")
    ] = None,
    metrics_host: Annotated[
        str, typer.Option(help="Address of that port; others than this computer send PRECIS_METRICS_KEY.")
    ] = "127.0.0.1",
    beside_server: Annotated[bool, typer.Option("--beside-server", hidden=True)] = False,
) -> None:
    """Refresh what is due until Ctrl-C; several workers may run, on several machines."""
    async with AsyncExitStack() as stack:
        if metrics_port is not None:
            key = _scrapers_key(runtime, metrics_host)
            stack.enter_context(told_at(metrics_host, metrics_port, key))
        await _work(runtime, concurrency=concurrency, beside_server=beside_server)


async def _work(runtime: bootstrap.Runtime, *, concurrency: int, beside_server: bool) -> None:
    """Until it is told to stop."""
    working = asyncio.create_task(run_worker(runtime, concurrency=concurrency, install_signal_handlers=False))
    with work.told_to_stop() as stop:
        if not beside_server:
            tell("precis works; Ctrl-C stops it", "working")
        # Who stops a server and all its processes by a signal leaves it to the server to end its worker.
        ended: asyncio.Task[object] = (
            asyncio.create_task(until_server_ends(runtime.pressure))
            if beside_server
            else asyncio.create_task(stop.wait())
        )
        await asyncio.wait({working, ended}, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    await end_worker(working)


def _scrapers_key(runtime: bootstrap.Runtime, host: str) -> str | None:
    """What a scraper sends; None on this computer. Raises ConfigurationError."""
    key = runtime.settings.metrics_key
    if typed.is_loopback(host):
        return None
    if key is None:
        raise ConfigurationError(
            f"figures are told on {host!r} to whoever sends PRECIS_METRICS_KEY, and none is set: set it, or leave out "
            "--metrics-host"
        )
    return key.get_secret_value()


@jobs.command("list")
@verb
async def list_jobs(
    opening: Opening,
    *,
    state: Annotated[str | None, typer.Option(help="waiting, running, scheduled, retrying, rejected, failed.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 100,
) -> Answer:
    """List the work list, failed jobs first."""
    checked = _state(state)
    async with opening() as (_, app):
        rows = await app.jobs.list(state=checked, limit=limit)
        counts = await app.jobs.counts()

    def words() -> None:
        output.print(
            f"{counts.waiting} waiting, {counts.running} running, {counts.scheduled} scheduled, "
            f"{counts.retrying} to be tried again, {counts.rejected} rejected, {counts.failed} failed"
        )
        if rows:
            cells = [
                (job.group_id, job.policy, job.user_id, str(job.members), job.state, str(job.attempts), job.error or "")
                for job in rows
            ]
            columns = ("group", "policy", "user", "members", "state", "tries", "why")
            print_table(table("Jobs", *columns, rows=cells, right=("members", "tries")))

    return Answer(json={"counts": counts, "jobs": rows}, words=words)


def _state(name: str | None) -> State | None:
    match name:
        case None | "waiting" | "running" | "scheduled" | "retrying" | "rejected" | "failed":
            return name
        case _:
            raise typer.BadParameter(
                f"{name!r} is not waiting, running, scheduled, retrying, rejected or failed", param_hint="--state"
            )


@jobs.command("retry")
@verb
async def retry_jobs(
    app: App,
    group_id: Annotated[str | None, typer.Argument(help="One that failed or was rejected; else all of them.")] = None,
) -> None:
    """Make jobs that failed or were rejected due again."""
    again = await app.jobs.retry(group_id)
    errors.print(f"{len(again)} due again.", style="dim")


@verb
async def costs(runtime: bootstrap.Runtime, app: App) -> Answer:
    """Print what the models cost."""
    spending = [CostBody.model_validate(spend, from_attributes=True) for spend in await app.costs.spending()]
    body = CostAnswer(costs=spending, monthly_ceiling=runtime.settings.monthly_ceiling)

    def words() -> None:
        if body.costs:
            figures = ("calls", "tokens in", "tokens out", "US$")
            rows = [
                (
                    row.month.strftime("%Y-%m"), row.policy, f"{row.calls:,}", f"{row.tokens_in:,}",
                    f"{row.tokens_out:,}", f"{row.cost:.4f}",
                )
                for row in body.costs
            ]  # fmt: skip
            print_table(table("Spend", "month", "policy", *figures, rows=rows, right=figures))
        else:
            output.print("No model was called yet: nothing was spent.")
        ceiling = "none" if body.monthly_ceiling is None else f"US$ {body.monthly_ceiling:.2f}"
        output.print(f"Monthly ceiling: {ceiling}", style="dim")

    return Answer(json=body, words=words)


@embeddings.command("status")
@verb
async def show_progress(runtime: bootstrap.Runtime, app: App) -> Answer:
    """Show how many rows the embedder in use has read, and which users have more rows than a search reads whole."""
    done, indexes, tenant_id = await app.embeddings.progress(), runtime.store.scope_indexes, app.parts.tenant_id
    large = await indexes.large(tenant_id)
    indexed = await indexes.indexed(tenant_id, large, done.version)

    def words() -> None:
        _print_progress(done)
        for user, rows in large.items():
            how = "indexed" if user in indexed else "not indexed: precis embeddings index"
            output.print(f"user {user}: {counted(rows, 'row')}, {how}", markup=False, soft_wrap=True)

    scopes = [{"user_id": user, "rows": rows, "indexed": user in indexed} for user, rows in large.items()]
    return Answer(json=asdict(done) | {"large_scopes": scopes}, words=words)


@embeddings.command("renew")
@verb
async def renew(app: App) -> Answer:
    """Make vectors of other embedders anew now; a worker does so by itself. Recall goes on meanwhile."""
    await _renew_all(app)
    done = await app.embeddings.progress()
    return Answer(json=done, words=lambda: _print_progress(done))


def _print_progress(done: EmbeddingProgress) -> None:
    rows = counted(done.current, "row")
    output.print(f"{done.version} has read {rows}, other embedders {done.outdated:,}", markup=False, soft_wrap=True)


async def _renew_all(app: App) -> None:
    """Slice by slice, with a bar for somebody who watches."""
    total = (await app.embeddings.progress()).outdated
    after: str | None = ""
    with progress() as bar:
        task = bar.add_task("vectors", total=total)
        while after is not None:
            after = await app.embeddings.renew(after=after)
            bar.update(task, completed=total - (await app.embeddings.progress()).outdated)


@verb
async def facts(app: App) -> Answer:
    """Read what was said for facts now; a worker does so by itself."""
    done = await app.facts.read(at_once=True)
    later = f" {counted(done.failed, 'conversation')} could not be read: again later." if done.failed else ""
    words = f"{counted(done.messages, 'message')} read, {counted(done.facts, 'fact')} found.{later}"
    return Answer(json=done, words=lambda: output.print(words))


@embeddings.command("index")
@verb
async def index(
    *,
    user_id: User = None,
    whole_tenant: Annotated[
        bool, typer.Option("--whole-tenant", help="An index over all users, for searches without one.")
    ] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Take the index away.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
) -> None:
    """Make and drop vector indexes.

    Without a user: an index for every user of any tenant who has more rows than a search reads whole, and none for
    others; workers do so by themselves.
    """
    if user_id is not None and whole_tenant:
        raise typer.BadParameter("name a user with --user-id, or --whole-tenant, not both")
    if user_id is not None or whole_tenant:
        async with opened_app(data_dir, tenant) as (runtime, app):
            if not drop:
                await refuse_nobody(app, user_id)
            name = await _indexed(runtime, tenant, user_id, drop=drop)
        output.print(f"{'dropped the index of' if drop else 'there is now an index of'} {name}", markup=False)
    elif drop:
        raise typer.BadParameter("--drop needs --user-id or --whole-tenant")
    else:
        async with opened_runtime(data_dir) as runtime:
            settled = await settle(runtime)
        _print_settled(settled)


async def _indexed(runtime: bootstrap.Runtime, tenant_id: str, user_id: str | None, *, drop: bool) -> str:
    """Make or drop one index; answers whose it is."""
    indexes = runtime.store.scope_indexes
    if drop:
        return await indexes.drop(tenant_id, user_id)
    return await indexes.make(tenant_id, user_id, version=runtime.engine.embedder.version)


def _print_settled(settled: Settled | None) -> None:
    if settled is None:
        output.print("another process is making indexes; they are looked after")
        return
    for name in settled.created:
        output.print(f"made the index of {name}", markup=False)
    for name in settled.dropped:
        output.print(f"dropped the index of {name}", markup=False)
    if not settled.created + settled.dropped:
        output.print("every large user has an index, and nobody else")
