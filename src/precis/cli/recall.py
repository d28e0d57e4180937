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
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is the sum of.")] = False,
    summaries: Annotated[Summaries, typer.Option(help="Mix summaries in, answer only them, or leave them out.")] = (
        Summaries.WITH
    ),
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Find what matters for a question: raw memories and summaries together, best first."""
    run(_recall(query, user_id, limit, summaries, tenant, data_dir, expand=expand, explain=explain, as_json=as_json))


async def _recall(
    query: str, user_id: str | None, limit: int, summaries: Summaries, tenant: str, data_dir: Path | None, *,
    expand: bool, explain: bool, as_json: bool,
) -> None:  # fmt: skip
    async with opened_app(data_dir, tenant) as (_, app):
        results = await app.recall.search(query, limit=limit, expand=expand, summaries=summaries.value, user_id=user_id)
    if as_json:
        write_json(RecallAnswer(results=[RecalledBody.of(one, expand=expand) for one in results]))
    elif not results:
        output.print(
            "Nothing here matches." if user_id is None else f"Nothing of user {user_id} matches.", markup=False
        )
    else:
        print_results(results, explain=explain)


def print_results(results: Sequence[Result], *, explain: bool = False) -> None:
    """Each row with its score, and where it comes from."""
    for one in results:
        memory, score = one.memory, one.score
        of = f"summary of {len(one.source_ids)} memories, {memory.id}" if memory.is_summary else citation(memory)
        output.print(
            plain(f"{score.total:.2f}  ", "bold cyan"), plain(memory.text or "(expired)"), sep="", soft_wrap=True
        )
        output.print(plain(f"      {of}", "dim"), soft_wrap=True)
        if explain:
            parts = f"keywords {score.keyword:.2f} + vector {score.vector:.2f} + importance {score.importance:.2f}"
            output.print(plain(f"      = {parts} + recency {score.recency:.2f}", "dim"), soft_wrap=True)
        for source in one.sources:
            output.print(plain(f"      - {day(source.created_at)} {source.text or '(expired)'}", "dim"), soft_wrap=True)
