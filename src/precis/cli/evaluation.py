"""precis eval: the measures of the project's benchmarks on memories of the caller's, and on a model of his."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from precis import errors, ids, logs
from precis.app.importing import read
from precis.cli.importing import identified, line_of
from precis.cli.printing import output, plain, print_dim, print_table, table
from precis.cli.verb import Answer, Exit, settings_for, tell_progress, verb
from precis.evaluation.measures import Measures, Share
from precis.evaluation.running import Column, Summarized, evaluate
from precis.evaluation.sampling import Drawn, draw
from precis.settings import Settings
from precis.texts.drafting import OFFLINE
from precis.texts.public import has_endpoint

#: Most memories of a run: they are written at once.
_MOST = 5_000
_NO_ENDPOINT = (
    "--model: nothing says where this model is: set PRECIS_MODEL_BASE_URL to a server of yours, or PRECIS_MODEL_API_KEY"
)
#: Kinds of failure, as people call them.
_FAILURES = {
    "ModelUnavailable": "no answer",
    "BudgetExhausted": "over the ceiling",
    "DraftFailed": "no usable draft",
    "DraftRejected": "rejected by the checks",
    "InvalidInput": "nothing to say",
    "stand-in": "made offline instead",
}
_Cells = tuple[str, Sequence[str]]


@verb
async def evaluate_(
    *,
    data: Annotated[Path, typer.Option(help="Memories: JSON lines, a JSON list, or the LoCoMo layout.")],
    user_id: Annotated[
        str | None, typer.Option("--user-id", help="Put every memory under this user, whatever the file says.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="A model at PRECIS_MODEL_BASE_URL beside the offline summarizer.")
    ] = None,
    sample: Annotated[
        int, typer.Option(min=1, max=_MOST, help="Most memories, in whole conversations drawn by lot.")
    ] = 1_000,
    forget: Annotated[int, typer.Option(min=0, max=100, help="So many are forgotten and looked for.")] = 5,
    seed: Annotated[int, typer.Option(help="Of the lot: the same draws the same.")] = 0,
) -> Answer:
    """Measure summaries of your memories, offline and by a model of yours. Your store is not opened, nothing kept."""
    settings = settings_for(None)
    # Where the model does not answer the table says so, or the error that ends it.
    logs.write_logs(logs.LEVELS["error"], settings.log_format)
    _check_model(model, settings)
    if user_id is not None:
        ids.checked_name(user_id, "user_id")
    rows = list(identified(read(data), user_id))
    drawn = draw(rows, size=sample, seed=seed)
    columns = []
    for name in (None, model) if model is not None else (None,):
        try:
            column = await evaluate(
                drawn.rows, settings=settings, model=name, forget=forget, seed=seed, tell=tell_progress
            )
        except errors.InvalidInput as error:
            raise _placed(error, data, drawn) from error
        columns.append(column)
    leaking = any(column.leaks.at_once or column.leaks.after for column in columns)
    return Answer(
        json={
            "data": str(data), "seed": seed, "memories": len(drawn.rows), "of": len(rows),
            "columns": [_document(column) for column in columns],
        },
        words=lambda: _print(data, drawn, len(rows), columns),
        code=Exit.NO if leaking else Exit.FINE,
    )  # fmt: skip


def _check_model(model: str | None, settings: Settings) -> None:
    if model is not None and (not model.strip() or model in OFFLINE):
        raise errors.InvalidInput(f"--model: {model!r} is no model; the offline summarizer is measured in any case")
    if model is not None and not has_endpoint(settings, model):
        raise errors.InvalidInput(_NO_ENDPOINT)


def _placed(error: errors.InvalidInput, data: Path, drawn: Drawn) -> errors.InvalidInput:
    """The error with its place in the file."""
    root, _, rest = (error.field or "").partition(".")
    place = rest.partition(".")[0]
    if root != "memories" or not place.isdigit():
        return error
    what = str(error).removeprefix(f"memories.{place}.")
    return errors.InvalidInput(f"{data}: {line_of(data, drawn.ordinals[int(place)])}: {what}", field=error.field)


# --- the document ---


def _document(value: Any) -> Any:
    """Every figure by its name; a share with what it is a share of."""
    if isinstance(value, Share):
        return asdict(value) | {"share": value.value}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _document(getattr(value, name)) for name in value.__dataclass_fields__}
    return dict(value) if isinstance(value, Mapping) else value


# --- the table ---


def _print(data: Path, drawn: Drawn, number: int, columns: Sequence[Column]) -> None:
    measured = len(drawn.rows)
    of_them = "" if measured == number else f" of {number:,}"
    output.print(plain(f"{data}: {measured:,}{of_them} memories", "bold"), soft_wrap=True)
    cells: list[Sequence[RenderableType]] = [
        (plain(name, "" if any(values) else "bold"), *values) for name, values in _rows(columns)
    ]
    names = [column.name for column in columns]
    print_table(table("", "", *names, rows=cells, right=names))
    for column in columns:
        for where in column.leaks.leaking:
            print_dim(f"{column.name}: a forgotten word or its bytes are still in: {where}")
    print_dim("What each line measures: docs/reference/measures.md")


def _rows(columns: Sequence[Column]) -> Iterator[_Cells]:
    """A line a measure: its name, and a figure for each column."""
    yield "Whole texts, a fifth of the words each", [""] * len(columns)
    yield from _of_summaries([column.texts for column in columns])
    yield "By subject, as a write makes them", [""] * len(columns)
    yield "memories in a summary", [_share(column.in_summaries) for column in columns]
    yield from _of_summaries([column.subjects for column in columns])
    yield "Checks", [""] * len(columns)
    yield from _of_drafts(columns)
    yield "Forgetting", [""] * len(columns)
    yield from _of_leaks(columns)
    yield "Cost", [""] * len(columns)
    yield "model calls, failed ones too", [f"{column.cost.calls:,}" for column in columns]
    yield "tokens read / written", [f"{column.cost.tokens_in:,} / {column.cost.tokens_out:,}" for column in columns]
    yield "US dollars", [f"{column.cost.cost:.4f}" for column in columns]
    yield "seconds, whole texts", [f"{column.texts.seconds:.1f}" for column in columns]
    yield "seconds, writing and subjects", [f"{column.subjects.seconds:.1f}" for column in columns]


def _of_summaries(kinds: Sequence[Summarized]) -> Iterator[_Cells]:
    measures = [kind.measures for kind in kinds]
    yield "summaries, of statements", [f"{each.summaries:,}, {each.statements:,}" for each in measures]
    for reason in sorted({reason for kind in kinds for reason in kind.without}):
        name = f"without one: {_FAILURES.get(reason, reason)}"
        yield name, [f"{kind.without.get(reason, 0):,}" for kind in kinds]
    for name, field in _SHARES.items():
        yield name, [_share(getattr(each, field)) for each in measures]


#: Lines of the table and the measures they show.
_SHARES: Mapping[str, str] = {
    "length, of the words read": "length",
    "length, of the tokens read": "compression",
    "kept: words": "words_kept",
    "kept: facts": "facts_kept",
    "kept: amounts, dates, times": "values_kept",
    "kept: names": "names_kept",
    "open on a dangling pronoun": "dangling",
    'say "you"': "addressing",
    "only react": "reactions",
    "any of these three": "hard_to_read",
    "summaries that repeat themselves": "repeating",
}
assert set(_SHARES.values()) <= set(Measures.__dataclass_fields__)  # noqa: S101


def _of_drafts(columns: Sequence[Column]) -> Iterator[_Cells]:
    drafts = [column.drafts for column in columns]
    yield "drafts", [f"{each.drafts:,}" for each in drafts]
    for kind in sorted({kind for each in drafts for kind in each.failed}):
        yield f"requests: {_FAILURES.get(kind, kind)}", [f"{each.failed.get(kind, 0):,}" for each in drafts]
    yield "drafts rejected", [_share(each.rejected) for each in drafts]
    yield "statements dropped", [_share(each.dropped) for each in drafts]
    for reason in sorted({reason for each in drafts for reason in each.reasons}):
        yield f"dropped: {reason.replace('_', ' ')}", [f"{each.reasons.get(reason, 0):,}" for each in drafts]


def _of_leaks(columns: Sequence[Column]) -> Iterator[_Cells]:
    leaks = [column.leaks for column in columns]
    yield "memories forgotten, cited", [f"{each.memories:,}, {each.in_statements:,}" for each in leaks]
    yield "their words and bytes before", [f"{each.before:,}" for each in leaks]
    yield "at once after, in places", [f"{each.at_once:,} in {each.places:,}" for each in leaks]
    yield "when all was made anew", [f"{each.after:,}" for each in leaks]


def _share(share: Share | None) -> str:
    """Three digits; a dash of nothing, or where the measure cannot read the texts."""
    return "-" if share is None or share.value is None else f"{share.value:.3f}"
