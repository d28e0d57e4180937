"""precis embeddings status, renew and index."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from precis.app import App
from precis.bootstrap import Runtime
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import counted, output, progress, write_json
from precis.cli.running import opened_app, run, settings_for
from precis.errors import ConfigurationError
from precis.store import embedded
from precis.store.embeddings import drop_index, index_name, index_scope

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
WholeTenant = Annotated[bool, typer.Option("--whole-tenant", help="An index over all users, for searches without one.")]


@verbs.command()
def status(*, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Show how many vectors are of the embedder in use, and which users have more rows than a search reads whole."""
    run(_status(tenant, data_dir, as_json=as_json))


async def _status(tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        far = await app.embeddings.progress()
        large = await runtime.store.embeddings.large_scopes(tenant)
        made = set(await runtime.store.embeddings.indexed())
    indexed = {user: index_name(tenant, user, far.version) in made for user in large}
    if as_json:
        scopes = [{"user_id": user, "rows": rows, "indexed": indexed[user]} for user, rows in large.items()]
        write_json({**asdict(far), "large_scopes": scopes})
        return
    output.print(f"{far.version}: {far.current:,} vectors; of other embedders: {far.outdated:,}", markup=False)
    for user, rows in large.items():
        how = "indexed" if indexed[user] else f"not indexed: precis embeddings index --user-id {user}"
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
        output.print(f"{far.version}: {far.current:,} vectors; of other embedders: {far.outdated:,}", markup=False)


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
    """Make a vector index for one large user, as the owner of the tables. Drop it when you forget the user."""
    if (user_id is None) is not whole_tenant:
        raise typer.BadParameter("name a user with --user-id, or --whole-tenant")
    run(_index(user_id, tenant, data_dir, drop=drop))


async def _index(user_id: str | None, tenant: str, data_dir: Path | None, *, drop: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, _):
        embedder = runtime.engine.embedder
        if runtime.settings.database_url is None:
            async with embedded.running(settings_for(data_dir).data_dir) as server:
                await _change(server.owner_dsn, tenant, user_id, runtime, drop=drop)
        elif runtime.settings.database_owner_url is None:
            raise ConfigurationError("indexes are made by the owner of the tables: set PRECIS_DATABASE_OWNER_URL")
        else:
            await _change(runtime.settings.database_owner_url, tenant, user_id, runtime, drop=drop)
    name = index_name(tenant, user_id, embedder.version)
    output.print(f"{'dropped' if drop else 'there is now'} {name}", markup=False)


async def _change(owner_dsn: str, tenant: str, user_id: str | None, runtime: Runtime, *, drop: bool) -> None:
    embedder = runtime.engine.embedder
    if drop:
        await drop_index(owner_dsn, index_name(tenant, user_id, embedder.version))
    else:
        await index_scope(owner_dsn, tenant, user_id, version=embedder.version, dimensions=embedder.dimensions)
