"""precis rollups, zone and archive: what is old is summarized by the calendar, and in batches."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast

import typer

from precis.app import App
from precis.app.archive import Archived
from precis.app.rollups import PeriodName
from precis.cli.printing import (
    counted,
    counts_line,
    day,
    errors,
    output,
    plain,
    print_dim,
    print_more,
    print_receipt,
    print_table,
    table,
    tell,
)  # fmt: skip
from precis.cli.verb import Answer, Cursor, Limit, Opening, User, checked_id, group, verb
from precis.engine.forgetting import Receipt
from precis.errors import ConfigurationError, DraftFailed, NotFound
from precis.rest.summary_answers import MadeBody, RollupBody
from precis.settings_file import PoolSettings
from precis.sources.archive import ArchivePreview, ArchiveRun, PoolPass, PoolUser, open_pool

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
    async with opening() as (runtime, app):
        rollup = await app.rollups.summarize(user_id, name, force=force, day=day.date() if day else None)

    def words() -> None:
        if rollup.status == "empty":
            kinds = " or ".join(runtime.settings.rollups_note_kinds)
            messages = runtime.settings.rollups_messages and name != "daily"
            others = "beside notes, what users say in conversations is read" if messages else "no other is read"
            output.print("Nothing was noted in that period, or nothing that tells anything.")
            print_dim(f"A note is a memory of memory_type episodic whose metadata.kind is {kinds}; {others}.")
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
    if name in ("daily", "weekly", "monthly"):
        return cast("PeriodName", name)
    raise typer.BadParameter(f"{name!r} is not daily, weekly or monthly", param_hint="PERIOD")


@verb
async def zone(
    opening: Opening,
    name: Annotated[str | None, typer.Argument(help="Such as Europe/Berlin; without it the zones are listed.")] = None,
    *,
    user_id: Annotated[
        str | None, typer.Option("--user-id", callback=checked_id, help="Whose; else everybody's.")
    ] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Take it back.")] = False,
) -> Answer:
    """Show or set the time zones in which days, weeks and nights are reckoned."""
    if unset and name is not None:
        raise typer.BadParameter("give a zone or --unset, not both", param_hint="--unset")
    async with opening() as (_, app):
        if unset or name is not None:
            await _set_zone(app, name, user_id)
        zones = await app.rollups.zones()
    rows = [(plain(user or "everybody else"), zone_name) for user, zone_name in ({"": "UTC"} | zones).items()]
    return Answer(json=zones, words=lambda: print_table(table("Zones", "user", "zone", rows=rows)))


async def _set_zone(app: App, name: str | None, user_id: str | None) -> None:
    """Set or take back a zone, and say what came of it. Raises NotFound for one to take back that is not set."""
    if name is None and (user_id or "") not in await app.rollups.zones():
        raise NotFound(f"no zone is set for {f'user {user_id!r}' if user_id else 'everybody'}")
    is_known = not user_id or await app.persons.is_known(user_id)
    moved = await app.rollups.set_zone(name, user_id=user_id or "")
    errors.print(f"{counted(moved, 'note')} moved to other days.", style="dim")
    if not is_known:
        tell(f"Nothing else is held about user {user_id!r} yet; --unset takes the zone back.", "zone_of_nobody")


_COLUMNS = ("user", "batches", "memories", "from", "to", "tokens", "deletes")
_FIGURES = ("batches", "memories", "tokens", "deletes")


class PoolKind(StrEnum):
    """The kinds of store that somebody else keeps."""

    CHROMA = "chroma"
    COGNEE = "cognee"


@verb
async def archive(
    opening: Opening,
    *,
    pool: Annotated[PoolKind | None, typer.Option("--pool", help="Somebody else's store; else precis's own.")] = None,
    path: Annotated[Path | None, typer.Option("--path", help="The folder of a Chroma store.")] = None,
    collection: Annotated[str | None, typer.Option("--collection", help="Which one; else the only one there.")] = None,
    store: Annotated[
        str | None, typer.Option("--store", help="A store of the setting archive_pools, by its name there.")
    ] = None,
    user_id: User = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be summarized and deleted, and why; change nothing.")
    ] = False,
    embed_model: Annotated[str | None, typer.Option("--embed-model", help="What embeds for the pool.")] = None,
    embed_url: Annotated[str | None, typer.Option("--embed-url", help="Where; else as PRECIS_MODEL.")] = None,
    keep_in_precis: Annotated[
        bool, typer.Option("--keep-in-precis", help="Put the summaries into precis, not into the pool.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Try batches once more whose draft was rejected.")] = False,
    forget: Annotated[
        list[str] | None, typer.Option("--forget", help="Forget this memory of the pool; no pass is made.")
    ] = None,
    forget_user: Annotated[
        str | None, typer.Option("--forget-user", help="The same of every memory of a user in the pool.")
    ] = None,
) -> Answer:
    """Summarize what is old in batches, and let originals go that are older still and covered by a summary."""
    if store is not None and (pool is not None or dry_run or forget or forget_user is not None):
        raise typer.BadParameter("--store makes a pass as the settings have it; give only --user-id with it")
    if store is None and pool is not None and forget and forget_user is not None:
        raise typer.BadParameter("give --forget with ids, or --forget-user, not both")
    if store is None and pool is None and (forget or forget_user is not None):
        raise typer.BadParameter("--forget and --forget-user are of a pool: name it with --pool, or use precis forget")
    async with opening() as (runtime, app):
        if store is not None:
            return _stores_answer(await app.archiving.run(store=store, user_id=user_id))
        if pool is None:
            return await _own_answer(app, user_id, dry_run=dry_run)
        if pool is PoolKind.CHROMA and path is None:
            raise ConfigurationError("--path: name the folder of the Chroma store")
        named = PoolSettings(
            name=pool.value, kind=pool.value, path=path, collection=collection, embed_model=embed_model,
            embed_url=embed_url,
        )  # fmt: skip
        source = open_pool(named, runtime.settings)
        if forget_user is not None:
            return _receipt_answer(await app.pools.forget_user(source, forget_user))
        if forget:
            return _receipt_answer(await app.pools.forget(source, forget))
        if dry_run:
            return _pass_answer(await app.pools.preview(source, user_id=user_id))
        return _pass_answer(
            await app.pools.archive(source, user_id=user_id, keep_in_precis=keep_in_precis, again=again)
        )


def _receipt_answer(receipt: Receipt) -> Answer:
    return Answer(json=receipt, words=lambda: print_receipt(receipt))


async def _own_answer(app: App, user_id: str | None, *, dry_run: bool) -> Answer:
    """A pass over precis's own store, or what it would be."""
    if dry_run:
        previews = await app.archive.preview(user_id=user_id)
        return Answer(json=previews, words=lambda: _print_previews(previews))
    done = await app.archive.run(user_id=user_id)
    failed = f"{counted(done.failed, 'batch', 'batches')} got no summary; the next pass tries again"
    return Answer(json=done, words=lambda: _print_own(done), failure=DraftFailed(failed) if done.failed else None)


def _print_previews(previews: Sequence[ArchivePreview]) -> None:
    rows = [
        (
            preview.user_id, f"{preview.batches:,}", f"{preview.memories:,}",
            day(preview.first) if preview.first else "", day(preview.last) if preview.last else "",
            f"{preview.tokens:,}", f"{preview.deletions:,}",
        )
        for preview in previews
    ]  # fmt: skip
    print_table(table("A pass would make", *_COLUMNS, rows=rows, right=_FIGURES))
    output.print("Nothing was changed.", style="dim")


def _print_own(done: ArchiveRun) -> None:
    stay = f" ({done.left_out:,} of them because no summary says all that they say)" if done.left_out else ""
    output.print(
        f"{counted(done.batches, 'summary', 'summaries')} made of {counted(done.memories, 'memory', 'memories')}; "
        f"{counted(done.deletions, 'original')} deleted, {done.waiting} wait{stay}; "
        f"{counted(done.usage.calls, 'call')}, {done.usage.tokens_in + done.usage.tokens_out:,} tokens."
    )
    if done.counts.total:
        output.print(counts_line(done.counts), style="dim")


def _stores_answer(done: Archived) -> Answer:
    """A pass over stores as the settings have them."""
    failed = (DraftFailed(f"{name}: the pass ended early: {reason}") for name, reason in done.failures.items())
    return Answer(json=done, words=lambda: _print_stores(done), failure=next(failed, None))


def _print_stores(done: Archived) -> None:
    for name, pool_pass in done.pools.items():
        output.print(f"{name}:", markup=False)
        _print_pass(pool_pass)
    if done.own is not None:
        _print_own(done.own)


def _pass_answer(done: PoolPass) -> Answer:
    """A pass over somebody else's store, or what it would be."""
    failure = None if done.stopped is None else DraftFailed(f"the pass ended early: {done.stopped}")
    return Answer(json=done, words=lambda: _print_pass(done), failure=failure)


def _print_pass(done: PoolPass) -> None:
    title = "A pass would make" if done.dry_run else "The pass made"
    print_table(table(title, *_COLUMNS, rows=map(_cells, done.users), right=_FIGURES))
    for user in done.users:
        for batch in user.batches:
            if batch.reason:
                span = f"{day(batch.first)} to {day(batch.last)}"
                output.print(f"{user.user_id}, {span}: {batch.result}: {batch.reason}", markup=False, soft_wrap=True)
        if user.undated:
            undated = counted(user.undated, "memory", "memories")
            output.print(f"{user.user_id}: {undated} without a date left alone", markup=False, soft_wrap=True)
    if done.users:
        output.print(f"Old enough, oldest first; {done.users[0].reason}.", style="dim", soft_wrap=True)
    if done.dry_run:
        print_dim("Nothing was changed.")
    else:
        calls = f"{counted(done.usage.calls, 'call')}, {done.usage.tokens_in + done.usage.tokens_out:,} tokens"
        print_dim(f"{calls}; {counted(done.deletions, 'original')} deleted.")


def _cells(user: PoolUser) -> list[str]:
    batches = [batch for batch in user.batches if batch.made]
    return [
        user.user_id or "(none)", f"{len(batches):,}", f"{sum(batch.memories for batch in batches):,}",
        day(min(batch.first for batch in batches)) if batches else "",
        day(max(batch.last for batch in batches)) if batches else "",
        f"{sum(batch.tokens for batch in batches):,}", f"{user.deletions:,}",
    ]  # fmt: skip
