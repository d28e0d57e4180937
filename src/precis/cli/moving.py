"""precis import --from: moving in from another memory; and the summaries that became due, which every import makes."""

import asyncio
import time
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from rich.progress import Progress

from precis.app import App
from precis.app.passes import regroup_written
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.cli.printing import counted, output, plain, print_dim, progress, tell
from precis.cli.verb import Answer, Exit, Opening
from precis.engine.drafted import Result
from precis.ids import checked_name, system_clock
from precis.moving.arrivals import Count, Kind, MoveOptions, Report, origin_of
from precis.store.filtering import Filter

_WORDS = {"memories": ("memory", "memories"), "messages": ("message", "messages"), "sessions": ("session", "sessions"),
          "views": ("view", "views")}  # fmt: skip
#: How long summaries are refreshed before the bar moves.
_SLICE = timedelta(seconds=1)


@dataclass(kw_only=True)
class Tally:
    """What an import did so far."""

    read: int = 0
    created: int = 0
    #: Ids of memories of which it is in doubt what they replace, with what they may mean.
    doubtful: dict[str, list[str]] = field(default_factory=dict)
    already_there: int = 0
    forgotten: int = 0
    clusters: int = 0
    refreshed: int = 0
    dropped: int = 0
    failed: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    summaries: int = 0


async def move_in(opening: Opening, kind: Kind, source: str, *, dry_run: bool, batch: int, **wishes: Any) -> Answer:
    """Move it in, make the summaries that became due, and answer what became of everything it showed."""
    from precis.moving.mover import Mover  # noqa: PLC0415 - it has the shapes of the wire, and those need FastAPI

    if wishes.get("user_id") is not None:
        checked_name(wishes["user_id"], "user_id")
    origin = origin_of(kind, source, MoveOptions(now=system_clock(), page=batch, **wishes))
    async with opening() as (runtime, app):
        started, began = time.monotonic(), runtime.engine.clock()
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
                await refresh_due(runtime, app, tally, since=began, bar=bar)
        tally.seconds = round(time.monotonic() - started, 2)
        tally.summaries = (await app.summaries.stats()).summaries
    return Answer(
        json=_document(kind, report, tally),
        words=lambda: _print(kind, report, tally),
        code=Exit.NO if report.refused else Exit.FINE,
    )


def _document(kind: Kind, report: Report, tally: Tally) -> dict[str, Any]:
    left_out = sorted(report.reasons.values(), key=lambda entry: -entry.count)
    figures = ("summaries", "refreshed", "failed", "calls", "tokens_in", "tokens_out", "cost", "seconds")
    return {
        "from": kind.value,
        "dry_run": report.dry_run,
        **{name: asdict(getattr(report, name)) for name in _WORDS},
        "users": len(report.users),
        "in_precis": report.in_precis,
        "left_out": [asdict(entry) for entry in left_out],
        **{name: getattr(tally, name) for name in figures},
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


async def refresh_due(
    runtime: Runtime, app: App, tally: Tally, *, since: datetime | None = None, bar: Progress
) -> None:
    """Make every summary that is due, longest waiting first; what was written ``since`` is grouped anew before."""
    tenant_id = app.parts.tenant_id
    if since is not None:
        await regroup_written(app.parts, since)
    due = len(await runtime.store.summaries.groups(tenant_id, Filter(), policy=None, stale_only=True, limit=1_000_000))
    task = bar.add_task("making summaries", total=due)
    while outcomes := await work(runtime.engine, tenant_id, until=runtime.engine.clock() + _SLICE):
        for outcome in outcomes:
            tally.refreshed += outcome.result is Result.COMMITTED
            tally.dropped += outcome.result is Result.DROPPED
            tally.failed += outcome.result in (Result.FAILED, Result.REJECTED)
            tally.calls += outcome.usage.calls
            tally.tokens_in += outcome.usage.tokens_in
            tally.tokens_out += outcome.usage.tokens_out
            tally.cost += outcome.usage.cost
        bar.advance(task, len(outcomes))
    tally.clusters = (await app.summaries.stats()).clusters


def made_now(tally: Tally) -> str:
    """What there is of summaries, and what was made of them, in words."""
    return (
        f"{counted(tally.clusters, 'cluster')}, {counted(tally.summaries, 'summary', 'summaries')} "
        f"({tally.refreshed:,} made or refreshed now"
        f"{f', {tally.failed} failed' if tally.failed else ''}) in {tally.seconds:.1f} s, "
        f"{counted(tally.calls, 'model call')}, {tally.tokens_in + tally.tokens_out:,} tokens, US$ {tally.cost:.4f}."
    )
