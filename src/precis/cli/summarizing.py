"""precis summarize and check: texts of a file, of which nothing is stored."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from precis.cli.printing import counts_line, output, plain, print_dim
from precis.cli.verb import Answer, DataDir, Tenant, opened_app, settings_for, verb
from precis.errors import InvalidInput
from precis.keys.tenants import DEFAULT_TENANT
from precis.models.tokens import counter
from precis.rest.summary_answers import CountsBody
from precis.texts import drafting, public
from precis.texts.drafting import OFFLINE, Summarized
from precis.texts.inputs import CheckInput, SummarizeInput
from precis.texts.public import CheckedSummary, check_summary
from precis.typed import validated

Row = dict[str, Any]
#: What of an object in a file belongs to a text that is summarized.
_TEXT_FIELDS = ("text", "speaker", "created_at")


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
    contents = _texts_in(_content(file), file)
    if not contents:
        _refuse(file, "there is no text in it; a text is a line or a paragraph, or of JSON an item of a list")
    texts = validated(SummarizeInput, {"texts": contents, **limits})
    settings = settings_for(data_dir)
    is_asked = model not in OFFLINE and public.has_endpoint(settings, model)
    if is_asked and settings.model is not None and settings.monthly_ceiling is not None:
        # A ceiling needs the books, and those lie in the database.
        async with opened_app(data_dir, tenant) as (runtime, _):
            summary = await drafting.summarize(
                texts, summarizer=runtime.engine.summarizer, count=counter(model), tenant_id=tenant
            )
    else:
        summary = await public.summarize(texts.texts, settings=settings, **limits)  # type: ignore[arg-type]
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
    checked = check_summary(validated(CheckInput, document))
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
    return [_text_of(row) if isinstance(row, Mapping) else row for row in rows]


def _text_of(row: Mapping[str, Any]) -> Row:
    """What of an object belongs to a text; who speaks may stand in its metadata, as where it is imported."""
    metadata = row.get("metadata")
    speaker = metadata.get("speaker") if isinstance(metadata, Mapping) else None
    said = {"speaker": speaker} if isinstance(speaker, str) and speaker.strip() else {}
    return said | {key: row[key] for key in _TEXT_FIELDS if key in row}


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
