"""precis verify-forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from precis.app.verification import Verification, read_evidence
from precis.cli.exits import Exit
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import output, plain, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.store.upkeep.scan import EVERY_COLUMN, Looked


def verify_forgotten(
    words: Annotated[list[str] | None, typer.Argument(help="Words that only the forgotten memories held.")] = None,
    *,
    evidence: Annotated[Path | None, typer.Option(help="What `precis forget --evidence` recorded.")] = None,
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Rewrite the embedded database's files first, so that deleted bytes are gone."),
    ] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Look for words everywhere precis writes. Exit code 1 when one is found."""
    run(_verify(words or [], evidence, tenant, data_dir, deep=deep, as_json=as_json))


async def _verify(
    words: list[str], evidence: Path | None, tenant: str, data_dir: Path | None, *, deep: bool, as_json: bool
) -> int:
    recorded = read_evidence(evidence) if evidence is not None else None
    async with opened_app(data_dir, tenant) as (runtime, _):
        verification = Verification(runtime.database, runtime.settings, tenant)
        looked = await verification.look(words, evidence=recorded, deep=deep)
    hits = sum(one.hits for one in looked)
    if as_json:
        write_json({"words": words, "found": hits > 0, "hits": hits, "looked": looked})
    else:
        print_looked(looked, words)
    return Exit.NO if hits else Exit.FINE


def _merged(looked: Sequence[Looked]) -> list[Looked]:
    """The tables in which nothing was found as one line."""
    clean = [one for one in looked if one.where.endswith(EVERY_COLUMN) and not one.hits and not one.note]
    rest = [one for one in looked if one not in clean]
    whole = Looked(where=f"{len(clean)} tables{EVERY_COLUMN}", read=sum(one.read for one in clean), hits=0)
    return [*rest, whole] if clean else rest


def print_looked(looked: Sequence[Looked], words: Sequence[str]) -> None:
    """Every place that was searched, and the verdict."""
    made = table("Where it was looked for", "where", "read", "hits", "in", right=("read", "hits"))
    for one in _merged(looked):
        style = "bold red" if one.hits else "yellow" if one.note else ""
        more = ", ".join(one.places[:3]) + (" …" if len(one.places) > 3 else "")
        made.add_row(one.where, f"{one.read:,}", f"{one.hits:,}", plain(more or one.note), style=style)
    print_table(made)
    hits = sum(one.hits for one in looked)
    what = ", ".join(repr(word) for word in words) or "the recorded bytes"
    limits = ", as far as it could be looked for (see the notes)" if any(one.note for one in looked) else ""
    verdict = (
        f"Found: {hits} hits for {what}." if hits else f"Nothing found: {what} is in none of these places{limits}."
    )
    output.print(plain(verdict, "bold red" if hits else "bold green"))
