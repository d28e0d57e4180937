"""precis rollups run and list, and precis zone."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from precis.app.rollups import PeriodName
from precis.cli.printing import (
    counted,
    counts_line,
    errors,
    output,
    plain,
    print_dim,
    print_more,
    print_table,
    table,
)  # fmt: skip
from precis.cli.verb import Answer, Cursor, Limit, Opening, User, group, verb
from precis.rest.answers.summaries import MadeBody, RollupBody

verbs = group()
Period = Annotated[str, typer.Argument(help="daily, weekly or monthly.")]


@verbs.command("run")
@verb
async def run_(
    opening: Opening,
    user_id: Annotated[str, typer.Argument(help="Whose notes.")],
    period: Period,
    *,
    force: Annotated[bool, typer.Option("--force", help="Make it anew although nothing changed.")] = False,
    day: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Any day of the period; else the last one over.")
    ] = None,
) -> Answer:
    """Summarize a user's day, week or month now."""
    name = _period(period)
    async with opening() as (_, app):
        rollup = await app.rollups.summarize(user_id, name, force=force, day=day.date() if day else None)

    def words() -> None:
        if rollup.status == "empty":
            output.print("Nothing was noted in that period, or nothing that tells anything.")
        else:
            notes = counted(rollup.notes_consolidated, "note")
            output.print(f"{rollup.status}: {rollup.summary_id}, made of {notes}", soft_wrap=True)
        if rollup.counts is not None:
            print_dim(counts_line(rollup.counts))
        for kept in rollup.days_kept:
            output.print(f"{kept}: its notes stay, the compacted form would not be shorter")
        if rollup.notes_kept:
            notes = counted(rollup.notes_kept, "note")
            output.print(f"{notes} old enough to go stay: no compacted day says all that they say", soft_wrap=True)

    body = MadeBody.of(rollup).model_dump(mode="json", by_alias=True, exclude_unset=True)
    return Answer(json=body, words=words)


@verbs.command("list")
@verb
async def list_(
    opening: Opening, period: Period, *, user_id: User = None, limit: Limit = 100, cursor: Cursor = None
) -> Answer:
    """List summaries of a period, newest first, with their key insights."""
    name = _period(period)
    async with opening() as (_, app):
        page = await app.rollups.list(name, user_id=user_id, limit=limit, cursor=cursor)
    bodies = [RollupBody.of(row, named=user_id is None) for row in page.rows]

    def words() -> None:
        if not page.rows:
            output.print("No summaries of that period yet.")
        for row in page.rows:
            span = str(row.start_date) if row.start_date == row.end_date else f"{row.start_date} to {row.end_date}"
            heading = f"{span}  {row.user_id}  {counted(row.notes_consolidated, 'note')}"
            output.print(plain(heading, "bold"), plain(f"  {row.summary_id}", "dim"), sep="", soft_wrap=True)
            print_dim(f"  {counts_line(row.counts)}")
            for insight in row.key_insights:
                output.print(plain(f"  • {insight}"), soft_wrap=True)
        print_more(page.next_cursor)

    return Answer(
        json=[body.model_dump(mode="json", by_alias=True, exclude_unset=True) for body in bodies],
        words=words,
        beside_json=lambda: print_more(page.next_cursor, errors),
    )


def _period(name: str) -> PeriodName:
    match name:
        case "daily" | "weekly" | "monthly":
            return name
        case _:
            raise typer.BadParameter(f"{name!r} is not daily, weekly or monthly", param_hint="PERIOD")


@verb
async def zone(
    opening: Opening,
    name: Annotated[str | None, typer.Argument(help="Such as Europe/Berlin; without it the zones are listed.")] = None,
    *,
    user_id: Annotated[str, typer.Option("--user-id", help="Whose; else that of everybody who has none.")] = "",
    unset: Annotated[bool, typer.Option("--unset", help="Take it back.")] = False,
) -> Answer:
    """Show or set the time zones in which days, weeks and nights are reckoned."""
    if unset and name is not None:
        raise typer.BadParameter("give a zone or --unset, not both", param_hint="--unset")
    async with opening() as (_, app):
        if unset or name is not None:
            moved = await app.rollups.set_zone(name, user_id=user_id)
            errors.print(f"{counted(moved, 'note')} moved to other days.", style="dim")
        zones = await app.rollups.zones()
    rows = [(plain(user or "everybody else"), zone_name) for user, zone_name in ({"": "UTC"} | zones).items()]
    return Answer(json=zones, words=lambda: print_table(table("Zones", "user", "zone", rows=rows)))
