"""precis jobs: what waits, runs and failed, and trying again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from precis.app.jobs import State
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import errors, output, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@verbs.command("list")
def list_(
    *,
    state: Annotated[str | None, typer.Option(help="waiting, running, scheduled, retrying, rejected, failed.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 100,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """List the work list, failed jobs first."""
    run(_list(state, limit, tenant, data_dir, as_json=as_json))


async def _list(state: str | None, limit: int, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        found = await app.jobs.list(state=_state(state), limit=limit)
        counts = await app.jobs.counts()
    if as_json:
        write_json({"counts": asdict(counts), "jobs": [asdict(job) for job in found]})
        return
    output.print(
        f"{counts.waiting} waiting, {counts.running} running, {counts.scheduled} scheduled, "
        f"{counts.retrying} to be tried again, {counts.rejected} rejected, {counts.failed} failed"
    )
    if found:
        made = table("Jobs", "group", "policy", "user", "members", "state", "tries", "why", right=("members", "tries"))
        for job in found:
            made.add_row(
                job.group_id, job.policy, job.user_id, str(job.members), job.state, str(job.attempts), job.error or ""
            )
        print_table(made)


@verbs.command()
def retry(
    group_id: Annotated[str | None, typer.Argument(help="One that failed or was rejected; else all of them.")] = None,
    *,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
) -> None:
    """Make jobs that failed or were rejected due again."""
    run(_retry(group_id, tenant, data_dir))


async def _retry(group_id: str | None, tenant: str, data_dir: Path | None) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        again = await app.jobs.retry(group_id)
    errors.print(f"{len(again)} due again.", style="dim")


def _state(given: str | None) -> State | None:
    match given:
        case None | "waiting" | "running" | "scheduled" | "retrying" | "rejected" | "failed":
            return given
        case _:
            raise typer.BadParameter(
                f"{given!r} is not waiting, running, scheduled, retrying, rejected or failed", param_hint="--state"
            )
