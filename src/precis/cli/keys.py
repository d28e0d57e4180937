"""precis keys: API keys of tenants, and the encryption keys behind them."""

import asyncio
from typing import Annotated

import typer

from precis.app import App
from precis.bootstrap import Runtime
from precis.cli.printing import errors, output, print_table, table
from precis.cli.verb import Answer, DataDir, Tenant, beginning, group, settings_for, verb
from precis.errors import ConfigurationError, NotFound
from precis.keys.opening import move_from_folders
from precis.keys.tenants import DEFAULT_TENANT, parse

verbs = group()


@verbs.command("create")
@verb
@beginning
async def create_key(
    runtime: Runtime,
    *,
    name: Annotated[str, typer.Option(help="What the key is for, so that you know it again.")] = "",
    tenant: Tenant = DEFAULT_TENANT,
) -> Answer:
    """Make a key. It is shown this once; a tenant that is not there is made."""
    is_first = not await runtime.store.tenants.any_keys()
    secret = await runtime.store.tenants.create_key(tenant, name=name, now=runtime.engine.clock())

    def words() -> None:
        output.print(secret, soft_wrap=True)
        errors.print("Keep it: precis stores only its hash. Send it as `Authorization: Bearer <key>`.", style="dim")
        if is_first:
            first = "It is the first: from now on nobody is served without a key, on this computer either."
            errors.print(first, style="dim", soft_wrap=True)

    return Answer(json={"key": secret, "key_id": parse(secret).key_id, "tenant_id": tenant, "name": name}, words=words)


@verbs.command("list")
@verb
async def list_keys(runtime: Runtime, app: App) -> Answer:
    """List the keys of a tenant, revoked ones too; never their secrets."""
    tenant_id = app.parts.tenant_id
    rows = await runtime.store.tenants.keys(tenant_id)
    others = [] if rows else await _with_keys(runtime)

    def words() -> None:
        if not rows:
            output.print(_no_keys(tenant_id, others), markup=False, soft_wrap=True)
            return
        cells = [
            (
                key.key_id,
                key.name,
                f"{key.created_at:%Y-%m-%d %H:%M}",
                f"revoked {key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else "valid",
            )
            for key in rows
        ]
        print_table(table(f"Keys of {tenant_id}", "key id", "name", "created", "state", rows=cells))

    return Answer(json={"keys": rows}, words=words)


async def _with_keys(runtime: Runtime) -> list[str]:
    """The tenants that some valid key opens."""
    valid = await _valid_keys(runtime)
    return [name for name, number in valid.items() if number]


async def _valid_keys(runtime: Runtime) -> dict[str, int]:
    tenants = runtime.store.tenants
    return {name: sum(not key.revoked_at for key in await tenants.keys(name)) for name in await tenants.list()}


def _no_keys(tenant_id: str, others: list[str]) -> str:
    """What is told where a tenant has none: others may have some, and then precis serves more than this computer."""
    if not others:
        return "No keys: precis serves this computer only."
    named = ", ".join(others[:10]) + (", ..." if len(others) > 10 else "")
    return f"No keys of tenant {tenant_id}. --tenant names another; keys have: {named}."


@verbs.command("tenants")
@verb
async def list_tenants(runtime: Runtime) -> Answer:
    """List the tenants of this deployment, and how many keys open each. A key itself shows its own tenant alone."""
    valid = await _valid_keys(runtime)
    cells = [(name, str(number)) for name, number in valid.items()]
    return Answer(json={"tenants": valid}, words=lambda: print_table(table("Tenants", "tenant", "keys", rows=cells)))


@verbs.command("revoke")
@verb
async def revoke_key(
    runtime: Runtime,
    key_id: Annotated[str, typer.Argument(help="As `precis keys list` shows it.")],
    *,
    tenant: Annotated[str | None, typer.Option("--tenant", help="Whose key; else that of whichever tenant.")] = None,
) -> Answer:
    """End a key: from now on it opens nothing."""
    owner = await _owner_of(runtime, key_id, tenant)
    made = await runtime.store.tenants.revoke_key(owner, key_id, now=runtime.engine.clock())
    document = {"key_id": key_id, "tenant_id": owner, "revoked": True, "revoked_with_it": list(made)}
    line = f"{key_id} of tenant {owner} is revoked."
    if made:
        line += f" So is what was made with it: {', '.join(made)}."
    return Answer(json=document, words=lambda: output.print(line, markup=False))


async def _owner_of(runtime: Runtime, key_id: str, tenant_id: str | None) -> str:
    """The tenant with this key, which is still valid. Raises NotFound."""
    tenants = runtime.store.tenants
    known = await tenants.list()
    if tenant_id is not None and tenant_id not in known:
        raise NotFound(f"there is no tenant {tenant_id!r}: nothing was revoked")
    for name in known if tenant_id is None else [tenant_id]:
        if any(key.key_id == key_id and not key.revoked_at for key in await tenants.keys(name)):
            return name
    whose = "of any tenant" if tenant_id is None else f"of tenant {tenant_id!r}"
    raise NotFound(f"there is no key {key_id!r} {whose} that is still valid: nothing was revoked")


@verbs.command("rotate")
@verb
async def rotate_keys(
    runtime: Runtime,
    app: App,
    *,
    tenant: Tenant = DEFAULT_TENANT,
    master: Annotated[bool, typer.Option("--master", help="Replace the master key instead.")] = False,
) -> None:
    """Replace the encryption key of a tenant, or the master key: data keys are wrapped anew, no text is touched."""
    if master:
        if runtime.settings.master_key is not None and runtime.settings.key_provider == "folder":
            # A random one would be in no file, and nobody would know it.
            reason = "the master key is that of PRECIS_MASTER_KEY, and precis cannot set another one there"
            raise ConfigurationError(f"{reason}: nothing was changed")
        await asyncio.to_thread(runtime.store.tenants.keyring.rotate_master)
    else:
        await runtime.store.tenants.rotate(app.parts.tenant_id)
    errors.print("The master key is new." if master else f"The key of {tenant} is new.", style="dim")


@verbs.command("move")
@verb
async def move_keys(*, data_dir: DataDir = None) -> Answer:
    """Copy keys and forgotten-log to PRECIS_KEYS_URL and PRECIS_FORGOTTEN_URL, while nothing serves."""
    tenants, logs = await asyncio.to_thread(move_from_folders, settings_for(data_dir))

    def words() -> None:
        output.print(f"The keys of {tenants} tenants are there, and the forgotten-logs of {logs}.")
        output.print("The folders stay as they were: keep them until you have seen precis serve, then remove them.")

    return Answer(json={"keys": tenants, "forgotten_logs": logs}, words=words)
