"""precis rollups run and list, and precis zone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from precis.app.rollups import Made, PeriodName, Rollup
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import counted, counts_line, errors, output, plain, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.rest.answers import MadeBody, RollupBody
from precis.store.paging import Page

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
Period = Annotated[str, typer.Argument(help="daily, weekly or monthly.")]


@verbs.command("run")
def run_(
    user_id: Annotated[str, typer.Argument(help="Whose notes.")],
    period: Period,
    *,
    force: Annotated[bool, typer.Option("--force", help="Make it anew although nothing changed.")] = False,
    day: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Any day of the period; else the last one over.")
    ] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Summarize a user's day, week or month now."""
    run(_run(user_id, _period(period), day, tenant, data_dir, force=force, as_json=as_json))


async def _run(
    user_id: str, period: PeriodName, day: datetime | None, tenant: str, data_dir: Path | None, *, force: bool,
    as_json: bool,
) -> None:  # fmt: skip
    async with opened_app(data_dir, tenant) as (_, app):
        made = await app.rollups.summarize(user_id, period, force=force, day=day.date() if day else None)
    if as_json:
        write_json(MadeBody.of(made).model_dump(mode="json", by_alias=True, exclude_unset=True))
    else:
        _print_made(made)


def _print_made(made: Made) -> None:
    if made.status == "empty":
        output.print("Nothing was noted in that period, or nothing that tells anything.")
    else:
        notes = counted(made.notes_consolidated, "note")
        output.print(f"{made.status}: {made.summary_id}, made of {notes}", soft_wrap=True)
    if made.counts is not None:
        output.print(plain(counts_line(made.counts), "dim"), soft_wrap=True)
    for day in made.days_kept:
        output.print(f"{day}: its notes stay, the compacted form would not be shorter")
    if made.notes_kept:
        notes = counted(made.notes_kept, "note")
        output.print(f"{notes} old enough to go stay: no compacted day says all that they say", soft_wrap=True)


@verbs.command("list")
def list_(
    period: Period,
    *,
    user_id: User = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 100,
    cursor: Annotated[str | None, typer.Option(help="Where the last page ended.")] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """List summaries of a period, newest first, with their key insights."""
    run(_list(_period(period), user_id, limit, cursor, tenant, data_dir, as_json=as_json))


async def _list(
    period: PeriodName, user_id: str | None, limit: int, cursor: str | None, tenant: str, data_dir: Path | None, *,
    as_json: bool,
) -> None:  # fmt: skip
    async with opened_app(data_dir, tenant) as (_, app):
        page = await app.rollups.list(period, user_id=user_id, limit=limit, cursor=cursor)
    if as_json:
        rows = [RollupBody.of(row, named=user_id is None) for row in page.rows]
        write_json([row.model_dump(mode="json", by_alias=True, exclude_unset=True) for row in rows])
        if page.next_cursor:
            errors.print(f"More: --cursor {page.next_cursor}", style="dim", soft_wrap=True)
        return
    _print_page(page)


def _print_page(page: Page[Rollup]) -> None:
    if not page.rows:
        output.print("No summaries of that period yet.")
    for row in page.rows:
        span = str(row.start_date) if row.start_date == row.end_date else f"{row.start_date} to {row.end_date}"
        heading = f"{span}  {row.user_id}  {counted(row.notes_consolidated, 'note')}"
        output.print(plain(heading, "bold"), plain(f"  {row.summary_id}", "dim"), sep="", soft_wrap=True)
        output.print(plain(f"  {counts_line(row.counts)}", "dim"), soft_wrap=True)
        for insight in row.key_insights:
            output.print(plain(f"  • {insight}"), soft_wrap=True)
    if page.next_cursor:
        output.print(f"More: --cursor {page.next_cursor}", style="dim", soft_wrap=True)


def zone(
    name: Annotated[str | None, typer.Argument(help="Such as Europe/Berlin; without it the zones are listed.")] = None,
    *,
    user_id: Annotated[str, typer.Option("--user-id", help="Whose; else that of everybody who has none.")] = "",
    unset: Annotated[bool, typer.Option("--unset", help="Take it back.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Show or set the time zones in which days, weeks and nights are reckoned."""
    if unset and name is not None:
        raise typer.BadParameter("give a zone or --unset, not both", param_hint="--unset")
    run(_zone(name, user_id, tenant, data_dir, unset=unset, as_json=as_json))


async def _zone(
    name: str | None, user_id: str, tenant: str, data_dir: Path | None, *, unset: bool, as_json: bool
) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        if unset or name is not None:
            moved = await app.rollups.set_zone(name, user_id=user_id)
            errors.print(f"{counted(moved, 'note')} moved to other days.", style="dim")
        zones = await app.rollups.zones()
    if as_json:
        write_json(zones)
        return
    made = table("Zones", "user", "zone")
    for user, one in ({"": "UTC"} | zones).items():
        made.add_row(plain(user or "everybody else"), one)
    print_table(made)


def _period(given: str) -> PeriodName:
    match given:
        case "daily" | "weekly" | "monthly":
            return given
        case _:
            raise typer.BadParameter(f"{given!r} is not daily, weekly or monthly", param_hint="PERIOD")
