"""precis import --from: moving in from another memory."""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict
from typing import Any

from precis.cli.importing import Tally, made_now, refresh_due
from precis.cli.printing import counted, output, plain, print_dim, progress, tell
from precis.cli.verb import Answer, Exit, Opening
from precis.ids import checked_name, system_clock
from precis.moving.arrivals import Count, Kind, MoveOptions, Report, origin_of

_WORDS = {"memories": ("memory", "memories"), "messages": ("message", "messages"), "sessions": ("session", "sessions"),
          "views": ("view", "views")}  # fmt: skip


async def move_in(opening: Opening, kind: Kind, source: str, *, dry_run: bool, batch: int, **wishes: Any) -> Answer:
    """Move it in, make the summaries that became due, and answer what became of everything it showed."""
    from precis.moving.mover import Mover  # noqa: PLC0415 - it has the shapes of the wire, and those need FastAPI

    if wishes.get("user_id") is not None:
        checked_name(wishes["user_id"], "user_id")
    origin = origin_of(kind, source, MoveOptions(now=system_clock(), page=batch, **wishes))
    async with opening() as (runtime, app):
        started = time.monotonic()
        with progress() as bar:
            task = bar.add_task("counting" if dry_run else "moving in", total=None)

            def show(shown: int, total: int | None) -> None:
                bar.update(task, completed=shown, total=total)

            mover = Mover(app, batch=batch, dry_run=dry_run, progress=show)
            try:
                report = await mover.move(origin)
            except BaseException as error:
                _tell_how_far(mover.report, interrupted=isinstance(error, asyncio.CancelledError))
                raise
            tally = Tally()
            if not dry_run:
                await refresh_due(runtime, app, tally, bar=bar)
        tally.seconds = round(time.monotonic() - started, 2)
        tally.summaries = (await app.summaries.stats()).summaries
    return Answer(
        json=_document(kind, report, tally),
        words=lambda: _print(kind, report, tally),
        code=Exit.NO if report.refused else Exit.FINE,
    )


def _document(kind: Kind, report: Report, tally: Tally) -> dict[str, Any]:
    left_out = sorted(report.reasons.values(), key=lambda entry: -entry.count)
    made = ("summaries", "refreshed", "failed", "calls", "tokens_in", "tokens_out", "cost", "seconds")
    return {
        "from": kind.value,
        "dry_run": report.dry_run,
        **{name: asdict(getattr(report, name)) for name in _WORDS},
        "users": len(report.users),
        "in_precis": report.in_precis,
        "left_out": [asdict(entry) for entry in left_out],
        **{name: getattr(tally, name) for name in made},
    }


def _tell_how_far(report: Report, *, interrupted: bool) -> None:
    written = report.memories.written + report.messages.written
    if written and not report.dry_run:
        why = "Interrupted" if interrupted else "It stopped"
        tell(f"{why}: {written:,} are in. Run it again to go on; nothing is moved twice.", "move_stopped")


def _print(kind: Kind, report: Report, tally: Tally) -> None:
    for name, (singular, plural) in _WORDS.items():
        counts: Count = getattr(report, name)
        if counts.shown:
            would = "would be written" if report.dry_run else "written"
            parts = [
                f"{counts.written:,} {would}", f"{counts.already_there:,} were there already",
                f"{counts.forgotten:,} forgotten here stay away" if counts.forgotten else "",
                f"{counts.refused:,} refused" if counts.refused else "",
            ]  # fmt: skip
            shown = counted(counts.shown, singular, plural)
            output.print(plain(f"{kind}: {shown} shown: {', '.join(filter(None, parts))}."), soft_wrap=True)
    for entry in sorted(report.reasons.values(), key=lambda entry: (not entry.refused, -entry.count)):
        what = "Refused" if entry.refused else "Left out"
        examples = ", ".join(entry.examples) + (", …" if entry.count > len(entry.examples) else "")
        output.print(
            plain(f"{what}: {entry.count:,} · {entry.reason}", "yellow" if entry.refused else ""), soft_wrap=True
        )
        print_dim(f"      {examples}")
    users = counted(len(report.users), "user")
    if report.dry_run:
        output.print(f"A dry run: nothing was written ({users}).")
    else:
        output.print(f"In precis, counted afterwards: {report.in_precis:,} of these, of {users}.")
        output.print(made_now(tally), soft_wrap=True)
