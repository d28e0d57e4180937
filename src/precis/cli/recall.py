"""precis recall."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from precis.app.recall import Result
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import citation, day, output, plain, write_json
from precis.cli.running import opened_app, run
from precis.recall.ranking import Score
from precis.rest.answers import RecallAnswer, RecalledBody


class Summaries(StrEnum):
    """What part summaries take in an answer."""

    WITH = "with"
    ONLY = "only"
    WITHOUT = "without"


def recall(
    query: Annotated[str, typer.Argument(help="What to look for, in your own words.")],
    *,
    user_id: User = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many rows.")] = 5,
    expand: Annotated[bool, typer.Option("--expand", help="Show the sources of summaries too.")] = False,
    fold: Annotated[bool, typer.Option("--fold", help="Show a summary and its found sources as one.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is the sum of.")] = False,
    summaries: Annotated[Summaries, typer.Option(help="Mix summaries in, answer only them, or leave them out.")] = (
        Summaries.WITH
    ),
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Find what matters for a question: raw memories and summaries together, best first."""
    run(
        _recall(
            query, user_id, limit, summaries, tenant, data_dir, expand=expand, fold=fold, explain=explain,
            as_json=as_json,
        )
    )  # fmt: skip


async def _recall(
    query: str, user_id: str | None, limit: int, summaries: Summaries, tenant: str, data_dir: Path | None, *,
    expand: bool, fold: bool, explain: bool, as_json: bool,
) -> None:  # fmt: skip
    async with opened_app(data_dir, tenant) as (_, app):
        results = await app.recall.search(
            query, limit=limit, expand=expand, folded=fold, summaries=summaries.value, user_id=user_id
        )
    if as_json:
        write_json(RecallAnswer(results=[RecalledBody.of(one, expand=expand) for one in results]))
    elif not results:
        output.print(
            "Nothing here matches." if user_id is None else f"Nothing of user {user_id} matches.", markup=False
        )
    else:
        print_results(results, explain=explain)


def print_results(results: Sequence[Result], *, explain: bool = False, indent: str = "") -> None:
    """Each row with its score, and where it comes from; folded rows under the one they are shown with."""
    for one in results:
        memory = one.memory
        of = f"summary of {len(one.source_ids)} memories, {memory.id}" if memory.is_summary else citation(memory)
        output.print(
            plain(f"{indent}{one.score.total:.2f}  ", "bold cyan"),
            plain(memory.text or "(expired)"),
            sep="",
            soft_wrap=True,
        )
        output.print(plain(f"{indent}      {of}", "dim"), soft_wrap=True)
        if explain:
            output.print(plain(f"{indent}      = {_explained(one.score)}", "dim"), soft_wrap=True)
        for source in one.sources:
            said = f"{indent}      - {day(source.created_at)} {source.text or '(expired)'}"
            output.print(plain(said, "dim"), soft_wrap=True)
        print_results(one.folded, explain=explain, indent=f"{indent}      ")


#: What the parts of a score are called where they are shown.
_NAMES = {"keyword": "keywords", "date": "its date", "summary": "its summary", "newest": "newest value"}


def _explained(score: Score) -> str:
    """Every part that counts; the words, the vector and the importance always."""
    shown = ("keyword", "vector", "importance")
    return " + ".join(
        f"{_NAMES.get(name, name)} {value:.2f}"
        for name, value in score.parts.items()
        if name in shown or round(value, 2) > 0
    )
