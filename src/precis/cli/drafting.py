"""precis summarize and precis check: texts of a file in, an answer out, nothing stored."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from precis.app import drafting, functions
from precis.app.checking import CheckedSummary, check_summary
from precis.app.drafting import OFFLINE, Summarized
from precis.app.texts import CheckInput, SummarizeInput
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import counts_line, output, plain, write_json
from precis.cli.running import opened_app, run, settings_for
from precis.errors import InvalidInput
from precis.models.tokens import counter
from precis.rest.answers import CountsBody

_KNOWN = ("text", "speaker", "created_at")
_Row = str | dict[str, Any]


def summarize(
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
    as_json: Json = False,
) -> None:
    """Summarize the texts of a file. Offline unless PRECIS_MODEL or --model names a model."""
    run(_summarize(file, max_words, max_tokens, prompt, model, tenant, data_dir, as_json=as_json))


def check(
    file: Annotated[str, typer.Argument(help='JSON: {"summary": "...", "sources": ["...", ...]}; - reads stdin.')],
    *,
    as_json: Json = False,
) -> None:
    """Check each sentence of a summary against its sources. No model is asked."""
    run(_check(file, as_json=as_json))


async def _summarize(
    file: str, max_words: int | None, max_tokens: int | None, prompt: str | None, model: str | None, tenant: str,
    data_dir: Path | None, *, as_json: bool,
) -> None:  # fmt: skip
    limits = {"max_words": max_words, "max_tokens": max_tokens, "prompt": prompt, "model": model}
    wanted = functions.read(SummarizeInput, {"texts": texts_in(_content(file), file), **limits})
    settings = settings_for(data_dir)
    is_asked = model not in OFFLINE and functions.has_endpoint(settings, model)
    if is_asked and settings.model is not None and settings.monthly_ceiling is not None:
        # A ceiling needs the books, and those lie in the database.
        async with opened_app(data_dir, tenant) as (runtime, _):
            made = await drafting.summarize(
                wanted, summarizer=runtime.engine.summarizer, count=counter(model), tenant_id=tenant
            )
    else:
        made = await functions.summarize(wanted.texts, settings=settings, **limits)  # type: ignore[arg-type]
    _print_summary(made, as_json=as_json)


async def _check(file: str, *, as_json: bool) -> None:
    given = _parsed(_content(file), file)
    if not isinstance(given, dict):
        _refuse(file, "this is no JSON object with summary and sources")
    _print_check(check_summary(functions.read(CheckInput, given)), as_json=as_json)


def texts_in(content: str, file: str) -> list[_Row]:
    """The texts of a file, by what it looks like. Raises InvalidInput."""
    start = content.lstrip()[:1]
    declared = file.lower().endswith((".json", ".jsonl", ".ndjson"))
    if declared or start == "{" or (start == "[" and _is_json(content)):
        return _of_json(content, file)
    paragraphs = content.replace("\r\n", "\n").split("\n\n")
    found = paragraphs if len([one for one in paragraphs if one.strip()]) > 1 else content.splitlines()
    return [one.strip() for one in found if one.strip()]


def _of_json(content: str, file: str) -> list[_Row]:
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
    return [{key: row[key] for key in _KNOWN if key in row} if isinstance(row, Mapping) else row for row in rows]


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
    message = f"{'standard input' if file == '-' else file}: {reason}"
    raise InvalidInput(message)


def _print_summary(made: Summarized, *, as_json: bool) -> None:
    if as_json:
        known = asdict(made)
        del known["usage"]
        known["counts"] = CountsBody.of(made.counts)
        write_json(known)
        return
    output.print(plain(made.text), soft_wrap=True)
    output.print()
    for one in made.statements:
        at = ", ".join(str(place + 1) for place in one.sources)
        output.print(plain(f"{one.importance:.2f}  ", "bold cyan"), plain(one.text), sep="", soft_wrap=True)
        output.print(plain(f"      from text {at}", "dim"), soft_wrap=True)
    told = f"{made.included} of {made.total} texts read, quality {made.quality:.2f}, made by {made.made_by}"
    output.print(plain(told, "dim"), soft_wrap=True)
    output.print(plain(counts_line(made.counts), "dim"), soft_wrap=True)


def _print_check(checked: CheckedSummary, *, as_json: bool) -> None:
    if as_json:
        write_json(asdict(checked))
        return
    for one in checked.statements:
        output.print(plain(f"{one.score:.2f}  ", "red" if one.reasons else "bold cyan"), plain(one.text), sep="",
                     soft_wrap=True)  # fmt: skip
        if one.reasons:
            output.print(plain(f"      {', '.join(one.reasons)}", "dim"), soft_wrap=True)
    output.print(plain(f"{checked.score:.2f}  the summary as a whole", "bold"), soft_wrap=True)
