"""precis forget, and precis verify-forgotten."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from precis.app.verification import Evidence, Proof, Verification, read_evidence
from precis.cli.printing import counted, errors, output, plain, print_receipt, print_table, table
from precis.cli.verb import Answer, Exit, Opening, verb
from precis.store.upkeep.scan import EVERY_COLUMN, Looked


@verb
async def forget(
    opening: Opening,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of memories.")] = None,
    *,
    user_id: Annotated[
        str | None, typer.Option("--user-id", help="Everything of this user, and the user's key.")
    ] = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Record here which bytes on disk stand for them, for `verify-forgotten`.")
    ] = None,
) -> Answer:
    """Forget memories, or all of a user: they leave every summary at once. Prints the receipt."""
    if bool(ids) == bool(user_id):
        raise typer.BadParameter("name ids of memories, or --user-id USER, not both")
    async with opening() as (runtime, app):
        if evidence is not None:
            verification = Verification(runtime.database, runtime.settings, app.parts.tenant_id)
            recorded = await verification.record(ids or [], user_id=user_id, now=runtime.engine.clock())
            recorded.write(evidence)
            _tell_recorded(recorded, evidence)
        receipt = await (app.memories.forget_user(user_id) if user_id else app.memories.forget(ids or []))
    return Answer(json=receipt, words=lambda: print_receipt(receipt))


def _tell_recorded(recorded: Evidence, path: Path) -> None:
    counts = ", ".join(f"{hits} of {len(recorded.patterns[kind])} {kind}s" for kind, hits in recorded.hits.items())
    errors.print(f"Found in the database files and recorded in {path}: {counts}", style="dim", soft_wrap=True)


@verb
async def verify_forgotten(
    opening: Opening,
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Words that only the forgotten memories held; - reads them from the standard input."),
    ] = None,
    *,
    evidence: Annotated[Path | None, typer.Option(help="What `precis forget --evidence` recorded.")] = None,
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Rewrite the embedded database's files first, so that deleted bytes are gone."),
    ] = False,
) -> Answer:
    """Look for words everywhere precis writes. Exit code 1 when one is found. The words are repeated nowhere."""
    searched = sys.stdin.read().split("\n") if words == ["-"] else words or []
    searched = [word.strip() for word in searched if word.strip()] if words == ["-"] else searched
    recorded = read_evidence(evidence) if evidence is not None else None
    async with opening() as (runtime, app):
        verification = Verification(runtime.database, runtime.settings, app.parts.tenant_id)
        looked = await verification.look(searched, evidence=recorded, deep=deep)
    proof = Proof.of(looked, words=len(searched))
    return Answer(
        json=proof, words=lambda: print_looked(looked, _named(len(searched), recorded)),
        code=Exit.NO if proof.found else Exit.FINE,
    )  # fmt: skip


def _named(words: int, recorded: Evidence | None) -> str:
    """What was looked for, without saying it."""
    named = [counted(words, "word") if words > 1 else "the word"] if words else []
    return " and ".join([*named, *(["the recorded bytes"] if recorded is not None else [])])


def _merged(looked: Sequence[Looked]) -> list[Looked]:
    """The tables in which nothing was found as one line."""
    clean = [place for place in looked if place.where.endswith(EVERY_COLUMN) and not place.hits and not place.note]
    others = [place for place in looked if place not in clean]
    tables = Looked(where=f"{len(clean)} tables{EVERY_COLUMN}", read=sum(place.read for place in clean), hits=0)
    return [*others, tables] if clean else others


def print_looked(looked: Sequence[Looked], what: str) -> None:
    """Every place that was searched, and the verdict on ``what``."""
    filled = table("Where it was looked for", "where", "read", "hits", "in", right=("read", "hits"))
    for place in _merged(looked):
        style = "bold red" if place.hits else "yellow" if place.note else ""
        columns = ", ".join(place.places[:3]) + (" …" if len(place.places) > 3 else "")
        filled.add_row(place.where, f"{place.read:,}", f"{place.hits:,}", plain(columns or place.note), style=style)
    print_table(filled)
    hits = sum(place.hits for place in looked)
    limits = ", as far as it could be looked for (see the notes)" if any(place.note for place in looked) else ""
    verdict = f"Found: {hits} hits for {what}." if hits else f"Nothing found of {what} in these places{limits}."
    output.print(plain(verdict, "bold red" if hits else "bold green"))
