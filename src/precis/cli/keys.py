"""precis keys create, list, revoke and rotate."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import errors, output, write_json
from precis.cli.running import opened, opened_app, run
from precis.cli.tables import print_table, table
from precis.store.tenants import parse

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@verbs.command()
def create(
    *,
    name: Annotated[str, typer.Option(help="What the key is for, so that you know it again.")] = "",
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Make a key. It is shown this once; a tenant that is not there is made."""
    run(_create(name, tenant, data_dir, as_json=as_json))


async def _create(name: str, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened(data_dir) as runtime:
        secret = await runtime.store.tenants.create_key(tenant, name=name, now=runtime.engine.clock())
    if as_json:
        write_json({"key": secret, "key_id": parse(secret).key_id, "tenant_id": tenant, "name": name})
        return
    output.print(secret, soft_wrap=True)
    errors.print("Keep it: precis stores only its hash. Send it as `Authorization: Bearer <key>`.", style="dim")


@verbs.command("list")
def list_(*, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False) -> None:
    """List the keys of a tenant, revoked ones too; never their secrets."""
    run(_list(tenant, data_dir, as_json=as_json))


async def _list(tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, _):
        keys = await runtime.store.tenants.keys(tenant)
    if as_json:
        write_json({"keys": [asdict(key) for key in keys]})
        return
    if not keys:
        output.print("No keys: precis serves this computer only.")
        return
    made = table(f"Keys of {tenant}", "key id", "name", "created", "state")
    for key in keys:
        state = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else "valid"
        made.add_row(key.key_id, key.name, f"{key.created_at:%Y-%m-%d %H:%M}", state)
    print_table(made)


@verbs.command()
def revoke(
    key_id: Annotated[str, typer.Argument(help="As `precis keys list` shows it.")],
    *,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """End a key: from now on it opens nothing."""
    run(_revoke(key_id, tenant, data_dir, as_json=as_json))


async def _revoke(key_id: str, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, _):
        await runtime.store.tenants.revoke_key(tenant, key_id, now=runtime.engine.clock())
    if as_json:
        write_json({"key_id": key_id, "revoked": True})
    else:
        output.print(f"{key_id} is revoked.")


@verbs.command()
def rotate(
    *,
    tenant: Tenant = DEFAULT_TENANT,
    master: Annotated[bool, typer.Option("--master", help="Replace the master key instead.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Replace the encryption key of a tenant, or the master key: data keys are wrapped anew, no text is touched."""
    run(_rotate(tenant, data_dir, master=master))


async def _rotate(tenant: str, data_dir: Path | None, *, master: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, _):
        if master:
            await asyncio.to_thread(runtime.store.tenants.keyring.rotate_master)
        else:
            await runtime.store.tenants.rotate(tenant)
    errors.print("The master key is new." if master else f"The key of {tenant} is new.", style="dim")
