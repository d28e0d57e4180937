"""precis forget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from precis.app.verification import Verification
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import errors, print_receipt, write_json
from precis.cli.running import opened_app, run


def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of memories.")] = None,
    *,
    user_id: Annotated[
        str | None, typer.Option("--user-id", help="Everything of this user, and the user's key.")
    ] = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Record here which bytes on disk stand for them, for `verify-forgotten`.")
    ] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Forget memories, or all of a user: they leave every summary at once. Prints the receipt."""
    if bool(ids) == bool(user_id):
        raise typer.BadParameter("name ids of memories, or --user-id USER, not both")
    run(_forget(ids or [], user_id, evidence, tenant, data_dir, as_json=as_json))


async def _forget(
    ids: list[str], user_id: str | None, evidence: Path | None, tenant: str, data_dir: Path | None, *, as_json: bool
) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        if evidence is not None:
            verification = Verification(runtime.database, runtime.settings, tenant)
            recorded = await verification.record(ids, user_id=user_id, now=runtime.engine.clock())
            recorded.write(evidence)
            found = ", ".join(
                f"{hits} of {len(recorded.patterns[kind])} {kind}s" for kind, hits in recorded.found.items()
            )
            errors.print(
                f"Found in the database files and recorded in {evidence}: {found}", style="dim", soft_wrap=True
            )
        receipt = await (app.memories.forget_user(user_id) if user_id else app.memories.forget(ids))
    if as_json:
        write_json(receipt)
    else:
        print_receipt(receipt)
