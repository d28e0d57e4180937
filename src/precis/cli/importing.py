"""precis import: memories of a file are written in batches, then the summaries that became due are made; and export.

`precis export` writes everything that is held about a user; `precis import` puts it into another store.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.progress import Progress

from precis.app import App, importing, persons, receipts
from precis.bootstrap import Runtime
from precis.cli.moving import Tally, made_now, move_in, refresh_due
from precis.cli.printing import counted, output, progress, tell
from precis.cli.receipts import Replace, file_name, read_lines, tell_written, write_lines
from precis.cli.verb import Answer, Opening, beginning, checked_id, verb
from precis.errors import Conflict, InvalidInput
from precis.ids import checked_name
from precis.memory import Memory
from precis.moving.arrivals import Kind
from precis.trust import SourceClass, class_of, least

Row = dict[str, Any]
#: Bytes of the first line of an export, at most.
_LONGEST_HEAD = 10_000


@verb
@beginning
async def import_(
    opening: Opening,
    source: Annotated[
        str,
        typer.Argument(
            help="A file: JSON lines, a JSON list, or the LoCoMo layout. With --from: a URL, a configuration, an "
            "export, or a folder of notes."
        ),
    ],
    *,
    from_: Annotated[Kind | None, typer.Option("--from", help="Move in from another memory, of this kind.")] = None,
    user_id: Annotated[
        str | None,
        typer.Option(
            "--user-id",
            help="Put every memory under this user, whatever the file says; with --from only what names nobody.",
        ),
    ] = None,
    batch: Annotated[int, typer.Option(min=1, max=5000, help="Memories written at once: all of them or none.")] = 200,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --from: count, and write nothing.")] = False,
    assistant: Annotated[bool, typer.Option("--assistant", help="With --from: also what the assistant said.")] = False,
    header: Annotated[
        str | None,
        typer.Option(help="With --from: a header of its requests, 'Name: value'.", envvar="IMPORT_HEADER"),
    ] = None,
    user_label: Annotated[
        int, typer.Option(help="With --from langgraph: which label of a namespace is the user; -1 is the last.")
    ] = 1,
) -> Answer:
    """Read memories from a file, or move in. Run it again and nothing happens twice; what was forgotten stays so.

    What `precis export` wrote goes into a store that does not know the user, summaries and all.
    """
    if from_ is not None:
        return await move_in(
            opening, from_, source, dry_run=dry_run, batch=batch, user_id=user_id, assistant=assistant, header=header,
            user_label=user_label,
        )  # fmt: skip
    if dry_run or assistant or header or user_label != 1:
        raise InvalidInput("--dry-run, --assistant, --header and --user-label go with --from")
    file = Path(source)
    if persons.is_export(_first_line(file)):
        if user_id is not None:
            raise InvalidInput(
                f"{file} is what `precis export` wrote: it is put in for the user it names, and --user-id would change "
                "nothing; leave that out"
            )
        async with opening() as (_, app):
            carried = await app.persons.put(read_lines(file))
        return Answer(json=carried, words=lambda: print_carried(carried))
    tally = await _import_rows(opening, file, user_id, batch)
    return Answer(json=tally, words=lambda: _print_tally(file, tally))


async def _import_rows(opening: Opening, file: Path, user_id: str | None, batch: int) -> Tally:
    """Write what a file holds, and make the summaries that became due; whoever ends it early is told how far it is."""
    total, tally = importing.count(file), Tally()
    if user_id is not None:
        checked_name(user_id, "user_id")
    async with opening() as (runtime, app):
        started, began = time.monotonic(), runtime.engine.clock()
        try:
            with progress() as bar:
                await _write_all(runtime, app, file, tally, user_id=user_id, batch=batch, bar=bar, total=total)
                await refresh_due(runtime, app, tally, since=began, bar=bar)
        except asyncio.CancelledError:
            _tell_how_far(tally, total)
            raise
        tally.seconds = round(time.monotonic() - started, 2)
        tally.summaries = (await app.summaries.stats()).summaries
    return tally


def _tell_how_far(tally: Tally, total: int | None) -> None:
    of_all = f" of {total:,}" if total is not None else ""
    message = (
        f"Interrupted: {tally.read:,}{of_all} memories of the file are in, {tally.created:,} of them written now. "
        "Run it again to go on; nothing is written twice."
    )
    tell(message, "import_stopped", read=str(tally.read), created=str(tally.created))


def _first_line(file: Path) -> bytes:
    """Nothing of what cannot be read: whoever reads it says why."""
    with suppress(OSError), file.open("rb") as opened:
        return opened.readline(_LONGEST_HEAD)
    return b""


def _classed(row: dict[str, Any]) -> dict[str, Any]:
    """What a file does not say to be from somebody is imported, or less trusted where its role says so."""
    metadata = row.get("metadata")
    by_role = class_of(metadata) if isinstance(metadata, dict) else SourceClass.USER
    return {"source_class": least([SourceClass.IMPORTED, by_role]), **row}


async def _write_all(
    runtime: Runtime, app: App, file: Path, tally: Tally, *, user_id: str | None, batch: int, bar: Progress,
    total: int | None,
) -> None:  # fmt: skip
    """Write the file in batches. Raises InvalidInput naming the line; whole batches before it are written."""
    task = bar.add_task("reading memories", total=total)
    tenant_id = app.parts.tenant_id
    scan = receipts.Verification(runtime.database, runtime.settings, tenant_id).scan
    chunks = _chunks(map(_classed, identified(importing.read(file), user_id)), batch)
    while chunk := _next_of(chunks, tally):
        forgotten = await scan.forgotten(tenant_id, [row["id"] for row in chunk if _named(row)])
        known = await app.memories.get_many([row["id"] for row in chunk if "created_at" not in row and _named(row)])
        importable = [row for row in chunk if row.get("revive") or row["id"] not in forgotten]
        fresh = [row for row in importable if not _says_same(row, known.get(row["id"]))]
        in_words = {row["id"] for row in fresh if _replaces_in_words(row)}
        try:
            written = await app.memories.add(fresh, summarize="deferred") if fresh else None
        except InvalidInput as error:
            raise _placed(error, file, chunk, fresh, tally) from error
        except Conflict as error:
            stored = await app.memories.get_many(error.ids)
            raise _placed_conflict(error, file, user_id, tally.read + len(chunk), tally, stored) from error
        created = sum(1 for memory in (written.memories if written else ()) if memory.created)
        tally.read += len(chunk)
        tally.created += created
        for memory in written.memories if written else ():
            if memory.doubtful or (memory.created and not memory.supersedes and memory.id in in_words):
                tally.doubtful[memory.id] = [other.id for other in memory.doubtful]
        tally.forgotten += len(chunk) - len(importable)
        tally.already_there += len(importable) - created
        bar.update(task, completed=tally.read)


def identified(rows: Iterator[Row], user_id: str | None) -> Iterator[Row]:
    """Rows with an id: their own, or an id that follows from what they say, so that a second run knows them."""
    seen: Counter[str] = Counter()
    for line in rows:
        row = line if user_id is None else line | {"user_id": user_id}
        if row.get("id") is None:
            digest = blake2b(orjson.dumps(row, option=orjson.OPT_SORT_KEYS), digest_size=12).hexdigest()
            seen[digest] += 1
            row = row | {"id": f"file-{digest}-{seen[digest]}"}
        yield row


def _chunks(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    """Rows that are written at once; before what is named in words is looked for, all that stands before is there."""
    chunk: list[Row] = []
    for row in rows:
        if chunk and _replaces_in_words(row):
            yield chunk
            chunk = []
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _replaces_in_words(row: Row) -> bool:
    return isinstance(row.get("supersedes"), str)


def _next_of(chunks: Iterator[list[Row]], tally: Tally) -> list[Row]:
    """The next rows to write; of a line that is none, what was written before it is said."""
    try:
        return next(chunks, [])
    except InvalidInput as error:
        raise InvalidInput(str(error).removesuffix(".") + _written_before(tally), field=error.field) from error


def _written_before(tally: Tally) -> str:
    return f"; the {tally.read} memories before this batch are in" if tally.read else "; nothing was written"


def _says_same(row: Row, stored: Memory | None) -> bool:
    """Whether a row without a date is there already; its text may have expired since."""
    return stored is not None and stored.text in (None, row["text"])


def _named(row: Row) -> bool:
    return isinstance(row["id"], str)


def _placed(error: InvalidInput, file: Path, chunk: Sequence[Row], fresh: Sequence[Row], tally: Tally) -> InvalidInput:
    """The error with its place in the file, and what was written before it."""
    parts = (error.field or "").split(".")
    if parts[0] != "memories" or len(parts) < 2 or not parts[1].isdigit():
        return error
    number = next(number for number, row in enumerate(chunk) if row is fresh[int(parts[1])])
    what = str(error).removeprefix(f"memories.{parts[1]}.")
    place = f"{file}: {line_of(file, tally.read + number)}"
    return InvalidInput(f"{place}: {what}{_written_before(tally)}", field=error.field)


def _placed_conflict(
    error: Conflict, file: Path, user_id: str | None, read: int, tally: Tally, stored: Mapping[str, Memory]
) -> Conflict | InvalidInput:
    """The conflict with its place: two lines of the file, or one that says something else than a row that is stored."""
    rows = enumerate(islice(identified(importing.read(file), user_id), read))
    alike = [(number, row) for number, row in rows if row["id"] in error.ids]
    if not alike:
        return error
    (first, said), id_ = alike[0], error.ids[0]
    other = next((number for number, row in alike if any(row[name] != said[name] for name in row.keys() & said)), None)
    if other is not None:
        lines = f"{line_of(file, first)} and {line_of(file, other)} have the id {id_!r} and say different things"
        return InvalidInput(f"{file}: {lines}; give one of them another id{_written_before(tally)}", field="id")
    is_others = id_ in stored and stored[id_].scope.user_id != said["user_id"]
    whose = f"of user {stored[id_].scope.user_id!r} is there" if is_others else "says something else"
    message = f"{file}: {line_of(file, first)}: a memory with the id {id_!r} {whose} already; give this one another id"
    return Conflict(f"{message}, or forget the other first{_written_before(tally)}", ids=error.ids)


def line_of(file: Path, ordinal: int) -> str:
    """The line of the n-th memory (from 0), or its number where one memory is not one line."""
    with file.open("rb") as content:
        lines = [number for number, raw in enumerate(content, start=1) if raw.strip()]
    return f"line {lines[ordinal]}" if len(lines) == importing.count(file) else f"memory {ordinal + 1}"


def _print_tally(file: Path, tally: Tally) -> None:
    output.print(
        f"{file}: {counted(tally.created, 'memory', 'memories')} written, {tally.already_there:,} were there already, "
        f"{tally.forgotten:,} skipped because they were forgotten.",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    for id_, others in tally.doubtful.items():
        which = f"it may mean {', '.join(others)}" if others else "no memory is surely meant by its words"
        output.print(f"{id_} replaces nothing: {which}. Name one by its id.", markup=False)
    output.print(made_now(tally), soft_wrap=True)


@verb
async def export(
    app: App,
    file: Annotated[
        Path, typer.Argument(metavar="[FILE]", parser=file_name, help="Where to; the standard output without it.")
    ] = Path("-"),
    *,
    user_id: Annotated[str, typer.Option("--user-id", callback=checked_id, help="Whose.")],
    replace: Replace = False,
) -> None:
    """Write everything that is held about a user as JSON lines: memories, summaries, conversations, receipts."""
    written = await write_lines(file, app.persons.export(user_id), is_replacing=replace)
    tell_written(file, f"all that is held about user {user_id!r}, in the clear", written)


def print_carried(carried: persons.Carried) -> None:
    """What an import of a user did."""
    memories = counted(carried.memories, "memory", "memories")
    output.print(
        f"User {carried.user_id}: {memories}, {counted(carried.summaries, 'summary', 'summaries')} and "
        f"{counted(carried.receipts, 'receipt')} were put in.",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    if carried.forgotten:
        output.print(f"{carried.forgotten} were forgotten here and stay away, with what rested on them.")
