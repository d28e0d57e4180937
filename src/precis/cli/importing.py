"""What reads a file of the caller's: precis import, summarize and check.

An import writes memories in batches, then makes the summaries that became due; the other two store nothing.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from hashlib import blake2b
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NoReturn

import orjson
import typer
from rich.progress import Progress

from precis.app import App
from precis.app.importing import count, read
from precis.app.persons import is_export
from precis.app.proofs.verification import Verification
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.cli.portability import print_carried
from precis.cli.printing import counted, counts_line, output, plain, print_dim, progress
from precis.cli.receipts import read_lines
from precis.cli.verb import Answer, DataDir, Opening, Tenant, opened_app, settings_for, verb
from precis.engine.commit import Result
from precis.errors import InvalidInput
from precis.ids import checked_name
from precis.keys.tenants import DEFAULT_TENANT
from precis.models.tokens import counter
from precis.moving.kinds import Kind
from precis.rest.answers.summaries import CountsBody
from precis.store.filtering import Filter
from precis.texts import drafting, functions
from precis.texts.drafting import OFFLINE, Summarized
from precis.texts.functions import CheckedSummary, check_summary
from precis.texts.inputs import CheckInput, SummarizeInput
from precis.trust import SourceClass, class_of, least

_ANY = Filter()
Row = dict[str, Any]
#: What of an object in a file belongs to a text that is summarized.
_TEXT_FIELDS = ("text", "speaker", "created_at")
#: Bytes of the first line of an export, at most.
_LONGEST_HEAD = 10_000
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


@verb
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
        moving = import_module("precis.cli.moving")  # it goes on with what stands here
        answer: Answer = await moving.move_in(
            opening, from_, source, dry_run=dry_run, batch=batch, user_id=user_id, assistant=assistant, header=header,
            user_label=user_label,
        )  # fmt: skip
        return answer
    if dry_run or assistant or header or user_label != 1:
        raise InvalidInput("--dry-run, --assistant, --header and --user-label go with --from")
    file = Path(source)
    if is_export(_first_line(file)):
        async with opening() as (_, app):
            carried = await app.persons.put(read_lines(file))
        return Answer(json=carried, words=lambda: print_carried(carried))
    total = count(file)
    if user_id is not None:
        checked_name(user_id, "user_id")
    async with opening() as (runtime, app):
        started = time.monotonic()
        with progress() as bar:
            tally = await _write_all(runtime, app, file, user_id=user_id, batch=batch, bar=bar, total=total)
            await refresh_due(runtime, app, tally, bar=bar)
        tally.seconds = round(time.monotonic() - started, 2)
        tally.summaries = (await app.summaries.stats()).summaries
    return Answer(json=tally, words=lambda: _print_tally(file, tally))


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
    runtime: Runtime, app: App, file: Path, *, user_id: str | None, batch: int, bar: Progress, total: int | None
) -> Tally:
    """Write the file in batches. Raises InvalidInput naming the line; whole batches before it are written."""
    tally, task = Tally(), bar.add_task("reading memories", total=total)
    tenant_id = app.parts.tenant_id
    scan = Verification(runtime.database, runtime.settings, tenant_id).scan
    rows = map(_classed, identified(read(file), user_id))
    while chunk := list(islice(rows, batch)):
        forgotten = await scan.forgotten(tenant_id, [row["id"] for row in chunk if _named(row)])
        known = await app.memories.get_many([row["id"] for row in chunk if "created_at" not in row and _named(row)])
        importable = [row for row in chunk if row.get("revive") or row["id"] not in forgotten]
        fresh = [row for row in importable if row["id"] not in known]
        try:
            written = await app.memories.add(fresh, summarize="deferred") if fresh else None
        except InvalidInput as error:
            raise _placed(error, file, chunk, fresh, tally) from error
        created = sum(1 for memory in (written.memories if written else ()) if memory.created)
        tally.read += len(chunk)
        tally.created += created
        for memory in written.memories if written else ():
            if memory.doubtful:
                tally.doubtful[memory.id] = [other.id for other in memory.doubtful]
        tally.forgotten += len(chunk) - len(importable)
        tally.already_there += len(importable) - created
        bar.update(task, completed=tally.read)
    return tally


async def refresh_due(runtime: Runtime, app: App, tally: Tally, *, bar: Progress) -> None:
    """Make every summary that is due, longest waiting first."""
    tenant_id = app.parts.tenant_id
    due = len(await runtime.store.summaries.groups(tenant_id, _ANY, policy=None, stale_only=True, limit=1_000_000))
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


def _named(row: Row) -> bool:
    return isinstance(row["id"], str)


def _placed(error: InvalidInput, file: Path, chunk: Sequence[Row], fresh: Sequence[Row], tally: Tally) -> InvalidInput:
    """The same error with its place in the file, and what was written before it."""
    parts = (error.field or "").split(".")
    if parts[0] != "memories" or len(parts) < 2 or not parts[1].isdigit():
        return error
    number = next(number for number, row in enumerate(chunk) if row is fresh[int(parts[1])])
    what = str(error).removeprefix(f"memories.{parts[1]}.")
    before = f"; the {tally.read} memories before this batch are in" if tally.read else "; nothing was written"
    return InvalidInput(f"{file}: {line_of(file, tally.read + number)}: {what}{before}", field=error.field)


def line_of(file: Path, ordinal: int) -> str:
    """The line of the n-th memory (from 0), or its number where one memory is not one line."""
    with file.open("rb") as content:
        lines = [number for number, raw in enumerate(content, start=1) if raw.strip()]
    return f"line {lines[ordinal]}" if len(lines) == count(file) else f"memory {ordinal + 1}"


def _print_tally(file: Path, tally: Tally) -> None:
    output.print(
        f"{file}: {counted(tally.created, 'memory', 'memories')} written, {tally.already_there:,} were there already, "
        f"{tally.forgotten:,} skipped because they were forgotten.",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    for id_, others in tally.doubtful.items():
        output.print(f"{id_} replaces nothing: it may mean {', '.join(others)}. Name one by its id.", markup=False)
    output.print(made_now(tally), soft_wrap=True)


def made_now(tally: Tally) -> str:
    """What there is of summaries, and what was made of them, in words."""
    return (
        f"{counted(tally.clusters, 'cluster')}, {counted(tally.summaries, 'summary', 'summaries')} "
        f"({tally.refreshed:,} made or refreshed now"
        f"{f', {tally.failed} failed' if tally.failed else ''}) in {tally.seconds:.1f} s, "
        f"{counted(tally.calls, 'model call')}, {tally.tokens_in + tally.tokens_out:,} tokens, US$ {tally.cost:.4f}."
    )


@verb
async def summarize(
    file: Annotated[
        str,
        typer.Argument(help="Text with one source a line or a paragraph, a JSON list, or JSON lines; - reads stdin."),
    ],
    *,
    max_words: Annotated[int | None, typer.Option(help="Longest summary, in words; else a fifth of the input.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Longest summary, in tokens of the model.")] = None,
    prompt: Annotated[str | None, typer.Option(help="The instruction of the model, in place of ours.")] = None,
    model: Annotated[str | None, typer.Option(help="A model of the endpoint that is set, or extractive.")] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
) -> Answer:
    """Summarize the texts of a file. Offline unless PRECIS_MODEL or --model names a model."""
    limits = {"max_words": max_words, "max_tokens": max_tokens, "prompt": prompt, "model": model}
    texts = functions.read(SummarizeInput, {"texts": _texts_in(_content(file), file), **limits})
    settings = settings_for(data_dir)
    is_asked = model not in OFFLINE and functions.has_endpoint(settings, model)
    if is_asked and settings.model is not None and settings.monthly_ceiling is not None:
        # A ceiling needs the books, and those lie in the database.
        async with opened_app(data_dir, tenant) as (runtime, _):
            summary = await drafting.summarize(
                texts, summarizer=runtime.engine.summarizer, count=counter(model), tenant_id=tenant
            )
    else:
        summary = await functions.summarize(texts.texts, settings=settings, **limits)  # type: ignore[arg-type]
    body = asdict(summary) | {"counts": CountsBody.of(summary.counts)}
    del body["usage"]
    return Answer(json=body, words=lambda: _print_summary(summary))


@verb
async def check(
    file: Annotated[str, typer.Argument(help='JSON: {"summary": "...", "sources": ["...", ...]}; - reads stdin.')],
) -> Answer:
    """Check each sentence of a summary against its sources. No model is asked."""
    document = _parsed(_content(file), file)
    if not isinstance(document, dict):
        _refuse(file, "this is no JSON object with summary and sources")
    checked = check_summary(functions.read(CheckInput, document))
    return Answer(json=checked, words=lambda: _print_checked(checked))


def _texts_in(content: str, file: str) -> list[str | Row]:
    """The texts of a file, by what it looks like. Raises InvalidInput."""
    start = content.lstrip()[:1]
    declared = file.lower().endswith((".json", ".jsonl", ".ndjson"))
    if declared or start == "{" or (start == "[" and _is_json(content)):
        return _texts_in_json(content, file)
    paragraphs: list[str | Row] = [text.strip() for text in content.replace("\r\n", "\n").split("\n\n") if text.strip()]
    return paragraphs if len(paragraphs) > 1 else [line.strip() for line in content.splitlines() if line.strip()]


def _texts_in_json(content: str, file: str) -> list[str | Row]:
    """A list, an object with a list named texts, or an object a line; of an object only what a text has."""
    lines = [line for line in content.splitlines() if line.strip()]
    if lines and lines[0].lstrip().startswith("{") and (len(lines) == 1 or _is_json(lines[0])):
        rows = [_parsed(line, file, line=number) for number, line in enumerate(lines, start=1)]
    else:
        rows = [_parsed(content, file)]
    if len(rows) == 1 and isinstance(rows[0], dict) and "texts" in rows[0]:
        rows = rows[0]["texts"]
    elif len(rows) == 1 and isinstance(rows[0], list):
        rows = rows[0]
    if not isinstance(rows, list):
        _refuse(file, "texts is no list")
    return [{key: row[key] for key in _TEXT_FIELDS if key in row} if isinstance(row, Mapping) else row for row in rows]


def _is_json(content: str) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(content: str, file: str, *, line: int | None = None) -> Any:
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        _refuse(file, f"bad JSON at line {line or error.lineno}, column {error.colno}: {error.msg}")
    except (ValueError, RecursionError):
        _refuse(file, "this JSON cannot be read: its numbers are too long, or it is nested too deeply")


def _content(file: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(file, f"invalid UTF-8 at byte {error.start}; save the file as UTF-8")
    except OSError as error:
        _refuse(file, f"cannot be read ({error.strerror or error}); check the path and its permissions")


def _refuse(file: str, reason: str) -> NoReturn:
    raise InvalidInput(f"{'standard input' if file == '-' else file}: {reason}")


def _print_summary(summary: Summarized) -> None:
    output.print(plain(summary.text), soft_wrap=True)
    output.print()
    for statement in summary.statements:
        importance = plain(f"{statement.importance:.2f}  ", "bold cyan")
        output.print(importance, plain(statement.text), sep="", soft_wrap=True)
        print_dim(f"      from text {', '.join(str(place + 1) for place in statement.sources)}")
    texts = f"{summary.included} of {summary.total} texts read"
    print_dim(f"{texts}, quality {summary.quality:.2f}, made by {summary.made_by}")
    print_dim(counts_line(summary.counts))


def _print_checked(checked: CheckedSummary) -> None:
    for statement in checked.statements:
        score = plain(f"{statement.score:.2f}  ", "red" if statement.reasons else "bold cyan")
        output.print(score, plain(statement.text), sep="", soft_wrap=True)
        if statement.reasons:
            print_dim(f"      {', '.join(statement.reasons)}")
    output.print(plain(f"{checked.score:.2f}  the summary as a whole", "bold"), soft_wrap=True)
