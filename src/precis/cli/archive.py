"""``precis archive``: one pass of the archive, over precis's own store or over somebody else's."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.app import App
from precis.app.archive import ArchivePreview, ArchiveRun
from precis.app.archiving import Archived
from precis.app.pool_opening import open_pool
from precis.app.pool_passes import PoolPass, PoolUser
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import counted, counts_line, day, output, print_receipt, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.errors import ConfigurationError, DraftFailed
from precis.settings import PoolSettings, Settings
from precis.sources.source import Pool

_COLUMNS = ("user", "batches", "memories", "from", "to", "tokens", "deletes")
_FIGURES = ("batches", "memories", "tokens", "deletes")


class PoolKind(StrEnum):
    """Whose store."""

    CHROMA = "chroma"
    COGNEE = "cognee"


def archive(
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
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Summarize what is old in batches, and let originals go that are older still and covered by a summary."""
    if store is not None:
        if pool is not None or dry_run or forget or forget_user is not None:
            raise typer.BadParameter("--store makes a pass as the settings have it; give only --user-id with it")
        run(_store(store, user_id, tenant, data_dir, as_json=as_json))
        return
    if pool is None:
        run(_own(user_id, tenant, data_dir, dry_run=dry_run, as_json=as_json))
        return

    def opened(settings: Settings) -> Pool:
        if pool is PoolKind.CHROMA and path is None:
            raise ConfigurationError("--path: name the folder of the Chroma store")
        named = PoolSettings(
            name=pool.value, kind=pool.value, path=path, collection=collection, embed_model=embed_model,
            embed_url=embed_url,
        )  # fmt: skip
        return open_pool(named, settings)

    if forget and forget_user is not None:
        raise typer.BadParameter("give --forget with ids, or --forget-user, not both")
    if forget or forget_user is not None:
        run(_forget(opened, forget or [], forget_user, tenant, data_dir, as_json=as_json))
        return
    how = {"keep_in_precis": keep_in_precis, "again": again}
    run(_pool(opened, how, user_id, tenant, data_dir, dry_run=dry_run, as_json=as_json))


async def _own(user_id: str | None, tenant: str, data_dir: Path | None, *, dry_run: bool, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        if dry_run:
            _print_preview(await app.archive.preview(user_id=user_id), as_json=as_json)
            return
        done = await app.archive.run(user_id=user_id)
    if as_json:
        write_json(done)
    else:
        _print_own(done)
    if done.failed:
        raise DraftFailed(f"{counted(done.failed, 'batch', 'batches')} got no summary; the next pass tries again")


async def _store(store: str, user_id: str | None, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        done = await app.archiving.run(store=store, user_id=user_id)
    if as_json:
        write_json(done)
    else:
        _print_stores(done)
    for name, reason in done.failures.items():
        raise DraftFailed(f"{name}: the pass ended early: {reason}")


def _print_stores(done: Archived) -> None:
    for name, one in done.pools.items():
        output.print(f"{name}:", markup=False)
        _print_pass(one)
    if done.own is not None:
        _print_own(done.own)


def _print_own(done: ArchiveRun) -> None:
    stay = f" ({done.left_out:,} of them because no summary says all that they say)" if done.left_out else ""
    output.print(
        f"{counted(done.batches, 'summary', 'summaries')} made of {counted(done.memories, 'memory', 'memories')}; "
        f"{counted(done.deletions, 'original')} deleted, {done.waiting} wait{stay}; "
        f"{counted(done.usage.calls, 'call')}, {done.usage.tokens_in + done.usage.tokens_out:,} tokens."
    )
    if done.counts.total:
        output.print(counts_line(done.counts), style="dim")


def _print_preview(found: Sequence[ArchivePreview], *, as_json: bool) -> None:
    if as_json:
        write_json(list(found))
        return
    made = table("A pass would make", *_COLUMNS, right=_FIGURES)
    for one in found:
        made.add_row(
            one.user_id, f"{one.batches:,}", f"{one.memories:,}", day(one.first) if one.first else "",
            day(one.last) if one.last else "", f"{one.tokens:,}", f"{one.deletions:,}",
        )  # fmt: skip
    print_table(made)
    output.print("Nothing was changed.", style="dim")


async def _pool(
    opened: Any, how: dict[str, Any], user_id: str | None, tenant: str, data_dir: Path | None, *, dry_run: bool,
    as_json: bool,
) -> None:  # fmt: skip
    async with opened_app(data_dir, tenant) as (runtime, app):
        pool = opened(runtime.settings)
        done = await _passed(app, pool, how, user_id, dry_run=dry_run)
    if as_json:
        write_json(done)
    else:
        _print_pass(done)
    if done.stopped is not None:
        raise DraftFailed(f"the pass ended early: {done.stopped}")


async def _passed(app: App, pool: Pool, how: dict[str, Any], user_id: str | None, *, dry_run: bool) -> PoolPass:
    if dry_run:
        return await app.pools.preview(pool, user_id=user_id)
    return await app.pools.archive(pool, user_id=user_id, **how)


def _print_pass(done: PoolPass) -> None:
    made = table("A pass would make" if done.dry_run else "The pass made", *_COLUMNS, right=_FIGURES)
    for user in done.users:
        made.add_row(*_row(user))
    print_table(made)
    for user in done.users:
        for batch in user.batches:
            if batch.reason:
                span = f"{day(batch.first)} to {day(batch.last)}"
                output.print(f"{user.user_id}, {span}: {batch.result}: {batch.reason}", markup=False, soft_wrap=True)
        if user.undated:
            output.print(
                f"{user.user_id}: {counted(user.undated, 'memory', 'memories')} without a date left alone",
                markup=False, soft_wrap=True,
            )  # fmt: skip
    if done.users:
        output.print(f"Old enough, oldest first; {done.users[0].reason}.", style="dim", soft_wrap=True)
    if done.dry_run:
        output.print("Nothing was changed.", style="dim")
    else:
        calls = f"{counted(done.usage.calls, 'call')}, {done.usage.tokens_in + done.usage.tokens_out:,} tokens"
        output.print(f"{calls}; {counted(done.deletions, 'original')} deleted.", style="dim")


def _row(user: PoolUser) -> list[str]:
    good = [batch for batch in user.batches if batch.result in ("made", "would make")]
    return [
        user.user_id or "(none)",
        f"{len(good):,}",
        f"{sum(batch.memories for batch in good):,}",
        day(min(batch.first for batch in good)) if good else "",
        day(max(batch.last for batch in good)) if good else "",
        f"{sum(batch.tokens for batch in good):,}",
        f"{user.deletions:,}",
    ]


async def _forget(
    opened: Any, ids: list[str], user_id: str | None, tenant: str, data_dir: Path | None, *, as_json: bool
) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        pool = opened(runtime.settings)
        receipt = await (app.pools.forget(pool, ids) if user_id is None else app.pools.forget_user(pool, user_id))
    if as_json:
        write_json(receipt)
    else:
        print_receipt(receipt)
