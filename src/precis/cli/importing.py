"""precis import: a file of memories, in batches, then the summaries that became due."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.progress import Progress

from precis.app import App
from precis.app.importing import count, read
from precis.app.refreshing import work
from precis.app.verification import Verification
from precis.bootstrap import Runtime
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import counted, output, progress, write_json
from precis.cli.running import opened_app, run
from precis.engine.commit import Result
from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.store.filtering import Filter

_ANY = Filter()
Row = dict[str, Any]
#: How long one turn of refreshing lasts before the bar moves.
_TURN = timedelta(seconds=1)


@dataclass(kw_only=True)
class Tally:
    """What an import did so far."""

    read: int = 0
    created: int = 0
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


def import_(
    file: Annotated[Path, typer.Argument(help="JSON lines, a JSON list, or the LoCoMo layout.")],
    *,
    user_id: Annotated[
        str | None, typer.Option("--user-id", help="Put every memory under this user, whatever the file says.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, max=5000, help="Memories written at once: all of them or none.")] = 200,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Read memories from a file. Run it again and nothing happens twice; what was forgotten stays forgotten."""
    run(_import(file, user_id, batch, tenant, data_dir, as_json=as_json))


async def _import(
    file: Path, user_id: str | None, batch: int, tenant: str, data_dir: Path | None, *, as_json: bool
) -> None:
    total = count(file)
    if user_id is not None:
        checked_name(user_id, "user_id")
    async with opened_app(data_dir, tenant) as (runtime, app):
        started = time.monotonic()
        with progress() as bar:
            tally = await write_all(runtime, app, file, user_id=user_id, batch=batch, bar=bar, total=total)
            await refresh_due(runtime, app, tally, bar=bar)
        tally.seconds = round(time.monotonic() - started, 2)
        tally.summaries = (await app.summaries.stats()).summaries
    if as_json:
        write_json(vars(tally))
    else:
        _print(file, tally)


async def write_all(
    runtime: Runtime, app: App, file: Path, *, user_id: str | None, batch: int, bar: Progress, total: int | None
) -> Tally:
    """Write the file in batches. Raises InvalidInput naming the line; whole batches before it are written."""
    tally, task = Tally(), bar.add_task("reading memories", total=total)
    verification = Verification(runtime.database, runtime.settings, app.parts.tenant_id)
    rows = _identified(read(file), user_id)
    while chunk := list(islice(rows, batch)):
        gone = await verification.scan.forgotten(app.parts.tenant_id, [row["id"] for row in chunk if _named(row)])
        known = await app.memories.get_many([row["id"] for row in chunk if "created_at" not in row and _named(row)])
        wanted = [row for row in chunk if row.get("revive") or row["id"] not in gone]
        fresh = [row for row in wanted if row["id"] not in known]
        try:
            written = await app.memories.add(fresh, summarize="deferred") if fresh else None
        except InvalidInput as error:
            raise _placed(error, file, chunk, fresh, tally) from error
        added = written.memories if written else ()
        created = sum(1 for one in added if one.created)
        tally.read += len(chunk)
        tally.created += created
        tally.forgotten += len(chunk) - len(wanted)
        tally.already_there += len(wanted) - created
        bar.update(task, completed=tally.read)
    return tally


async def refresh_due(runtime: Runtime, app: App, tally: Tally, *, bar: Progress) -> None:
    """Make every summary that is due, longest waiting first."""
    tenant_id = app.parts.tenant_id
    due = len(await runtime.store.summaries.groups(tenant_id, _ANY, policy=None, stale_only=True, limit=1_000_000))
    task = bar.add_task("making summaries", total=due)
    while outcomes := await work(runtime.engine, tenant_id, until=runtime.engine.clock() + _TURN):
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


def _identified(rows: Iterator[Row], user_id: str | None) -> Iterator[Row]:
    """Rows with an id; one of their own, or one that follows from what they say, so that a second run knows them."""
    seen: Counter[str] = Counter()
    for row in rows:
        given = row if user_id is None else row | {"user_id": user_id}
        if given.get("id") is None:
            digest = blake2b(orjson.dumps(given, option=orjson.OPT_SORT_KEYS), digest_size=12).hexdigest()
            seen[digest] += 1
            given = given | {"id": f"file-{digest}-{seen[digest]}"}
        yield given


def _named(row: Row) -> bool:
    return isinstance(row["id"], str)


def _placed(error: InvalidInput, file: Path, chunk: Sequence[Row], fresh: Sequence[Row], tally: Tally) -> InvalidInput:
    """The same error with its place in the file, and what was written before it."""
    parts = (error.field or "").split(".")
    if parts[0] != "memories" or len(parts) < 2 or not parts[1].isdigit():
        return error
    at = next(i for i, row in enumerate(chunk) if row is fresh[int(parts[1])])
    what = str(error).removeprefix(f"memories.{parts[1]}.")
    before = f"; the {tally.read} memories before this batch are in" if tally.read else "; nothing was written"
    return InvalidInput(f"{file}: {_place(file, tally.read + at)}: {what}{before}", field=error.field)


def _place(file: Path, ordinal: int) -> str:
    """The line of the n-th memory (from 0), or its number where one memory is not one line."""
    with file.open("rb") as content:
        lines = [number for number, raw in enumerate(content, start=1) if raw.strip()]
    return f"line {lines[ordinal]}" if len(lines) == count(file) else f"memory {ordinal + 1}"


def _print(file: Path, tally: Tally) -> None:
    output.print(
        f"{file}: {counted(tally.created, 'memory', 'memories')} written, {tally.already_there:,} were there already, "
        f"{tally.forgotten:,} skipped because they were forgotten.",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    output.print(
        f"{counted(tally.clusters, 'cluster')}, {counted(tally.summaries, 'summary', 'summaries')} "
        f"({tally.refreshed:,} made or refreshed now"
        f"{f', {tally.failed} failed' if tally.failed else ''}) in {tally.seconds:.1f} s, {tally.calls:,} model calls, "
        f"{tally.tokens_in + tally.tokens_out:,} tokens, US$ {tally.cost:.4f}.",
        soft_wrap=True,
    )
