"""precis embeddings status, renew and index."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from precis.app import App
from precis.app.embedding import EmbeddingProgress
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import counted, output, progress, write_json
from precis.cli.running import opened_app, run
from precis.jobs.upkeep import settle

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
WholeTenant = Annotated[bool, typer.Option("--whole-tenant", help="An index over all users, for searches without one.")]


@verbs.command()
def status(*, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Show how many rows the embedder in use has read, and which users have more rows than a search reads whole."""
    run(_status(tenant, data_dir, as_json=as_json))


async def _status(tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        far = await app.embeddings.progress()
        indexes = runtime.store.scope_indexes
        large = await indexes.large(tenant)
        indexed = await indexes.indexed(tenant, large, far.version)
    if as_json:
        scopes = [{"user_id": user, "rows": rows, "indexed": user in indexed} for user, rows in large.items()]
        write_json({**asdict(far), "large_scopes": scopes})
        return
    _print_progress(far)
    for user, rows in large.items():
        how = "indexed" if user in indexed else "not indexed: precis embeddings index"
        output.print(f"user {user}: {counted(rows, 'row')}, {how}", markup=False, soft_wrap=True)


@verbs.command()
def renew(*, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Make vectors of other embedders anew now; a worker does so by itself. Recall goes on meanwhile."""
    run(_renew(tenant, data_dir, as_json=as_json))


async def _renew(tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        await _renew_all(app)
        far = await app.embeddings.progress()
    if as_json:
        write_json(asdict(far))
    else:
        _print_progress(far)


def _print_progress(far: EmbeddingProgress) -> None:
    rows = counted(far.current, "row")
    output.print(f"{far.version} has read {rows}, other embedders {far.outdated:,}", markup=False, soft_wrap=True)


async def _renew_all(app: App) -> None:
    """Slice by slice, with a bar for somebody who watches."""
    far = await app.embeddings.progress()
    after: str | None = ""
    with progress() as bar:
        task = bar.add_task("vectors", total=far.outdated)
        while after is not None:
            after = await app.embeddings.renew(after=after)
            now = await app.embeddings.progress()
            bar.update(task, completed=far.outdated - now.outdated)


@verbs.command()
def index(
    *,
    user_id: Annotated[str | None, typer.Option("--user-id", help="Whose rows.")] = None,
    whole_tenant: WholeTenant = False,
    drop: Annotated[bool, typer.Option("--drop", help="Take the index away.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
) -> None:
    """Make and drop vector indexes, as the owner of the tables.

    Without a user: an index for every user of any tenant who has more rows than a search reads whole, and none for
    others; workers that know the owner do so by themselves.
    """
    if user_id is not None and whole_tenant:
        raise typer.BadParameter("name a user with --user-id, or --whole-tenant, not both")
    if user_id is None and not whole_tenant:
        if drop:
            raise typer.BadParameter("--drop needs --user-id or --whole-tenant")
        run(_settle(data_dir))
    else:
        run(_index(user_id, tenant, data_dir, drop=drop))


async def _settle(data_dir: Path | None) -> None:
    async with opened_app(data_dir, DEFAULT_TENANT) as (runtime, _):
        settled = await settle(runtime)
    if settled is None:
        output.print("another process is making indexes; they are looked after")
        return
    for name in settled.made:
        output.print(f"made {name}", markup=False)
    for name in settled.dropped:
        output.print(f"dropped {name}", markup=False)
    if not settled.made + settled.dropped:
        output.print("every large user has an index, and nobody else")


async def _index(user_id: str | None, tenant: str, data_dir: Path | None, *, drop: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, _):
        indexes, embedder = runtime.store.scope_indexes, runtime.engine.embedder
        if drop:
            name = await indexes.drop(tenant, user_id, version=embedder.version)
        else:
            name = await indexes.make(tenant, user_id, version=embedder.version, dimensions=embedder.dimensions)
    output.print(f"{'dropped' if drop else 'there is now'} {name}", markup=False)
