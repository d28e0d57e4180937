"""precis forget, and precis verify-forgotten."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.app import App
from precis.app.in_words.answers import Meant, Preview
from precis.app.receipts import Evidence, Proof, Verification, read_evidence
from precis.cli.printing import counted, errors, output, plain, print_receipt, print_table, table
from precis.cli.verb import Answer, Exit, Json, Opening, checked_id, verb
from precis.engine.forgetting import Receipt
from precis.errors import Conflict, InvalidInput, NotFound
from precis.store.forgotten.previews import Choice
from precis.store.forgotten.scan import EVERY_COLUMN, Looked
from precis.store.upkeep.census import Held

_WHOSE = "Whose memories the words are about; alone: everything, and the user's key."
_Whose = Annotated[str | None, typer.Option("--user-id", callback=checked_id, help=_WHOSE)]
_Yes = Annotated[
    bool, typer.Option("--yes", help="Of words: do not ask, forget what is surely meant; of a whole user: do not ask.")
]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Of words or a whole user: only show what would go.")]
_IncludeDoubtful = Annotated[
    bool, typer.Option("--include-doubtful", help="Of words: forget what is in doubt as well.")
]
_Also = Annotated[
    list[str] | None, typer.Option("--also", help="Of words: this id, in doubt, goes as well; may be repeated.")
]
_Keep = Annotated[list[str] | None, typer.Option("--keep", help="Of words: this id stays; may be repeated.")]
_MostDoubtful = Annotated[
    int | None,
    typer.Option("--most-doubtful", min=1, max=1000, help="Of words: list so many in doubt; otherwise 30."),
]


@verb
async def forget(
    opening: Opening,
    what: Annotated[
        list[str] | None, typer.Argument(help='Ids of memories; with --user-id, words: "everything about Frank".')
    ] = None,
    *,
    user_id: _Whose = None,
    yes: _Yes = False,
    dry_run: _DryRun = False,
    include_doubtful: _IncludeDoubtful = False,
    also: _Also = None,
    keep: _Keep = None,
    most_doubtful: _MostDoubtful = None,
    namespace: Annotated[str | None, typer.Option(help="Of words: only this namespace.")] = None,
    session_id: Annotated[str | None, typer.Option("--session-id", help="Of words: only this session.")] = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Record here which bytes on disk stand for them, for `verify-forgotten`.")
    ] = None,
    as_json: Json = False,
) -> Answer:
    """Forget memories by their ids, in words, or all of a user: they leave every summary at once. Prints the receipt.

    Words are shown with what they mean first, and forgotten once that is confirmed; so is how much there is of a user.
    """
    if not what and not user_id:
        raise typer.BadParameter("name ids of memories, --user-id USER, or both words and --user-id")
    given = (("namespace", namespace), ("session_id", session_id), ("most_doubtful", most_doubtful))
    scope: dict[str, Any] = {name: value for name, value in given if value}
    choice = Choice(doubtful=include_doubtful, also=frozenset(also or ()), keep=frozenset(keep or ()))
    if not (what and user_id) and (scope or choice != Choice() or ((yes or dry_run) and what)):
        raise typer.BadParameter("these options go with words and --user-id")
    async with opening() as (runtime, app):
        ids, preview = what or [], None
        if what and user_id:
            preview = await _found(app, what, user_id, propose=not yes, **scope)
            code = _asked(preview, choice, yes=yes, dry_run=dry_run, silent=as_json)
            if code is not None:
                return Answer(json=preview, words=lambda: None, code=code)
            ids = [row.id for row in _going(preview, choice) if row.keeps is None]
        elif user_id and not yes:
            held = await app.persons.leaving(user_id)
            if dry_run:
                counts = {"user_id": user_id, "memories": held.memories, "summaries": held.summaries}
                words = plain(f"It would forget {_all_of(held)}.")
                return Answer(json=counts, words=lambda: output.print(words, soft_wrap=True))
            _agree_to_all(held, silent=as_json)
        if evidence is not None:
            verification = Verification(runtime.database, runtime.settings, app.parts.tenant_id)
            owner = None if preview else user_id
            recorded = await verification.record(ids, user_id=owner, now=runtime.engine.clock())
            recorded.write(evidence)
            _tell_recorded(recorded, evidence)
        if preview is not None:
            # What was shown goes by its id; with --yes no model was asked.
            receipt: Receipt = await app.memories.forget_preview(
                preview.preview_id, include_doubtful=include_doubtful, also=choice.also, keep=choice.keep
            )
        else:
            receipt = await (app.memories.forget_user(user_id) if user_id else app.memories.forget(ids))
    return Answer(json=receipt, words=lambda: print_receipt(receipt))


async def _found(app: App, what: Sequence[str], user_id: str, **scope: Any) -> Preview:
    """What the words mean. Raises NotFound where they mean nothing, and are ids of memories of this user."""
    try:
        preview = await app.memories.find_to_forget(" ".join(what), user_id=user_id, **scope)
    except (NotFound, InvalidInput):
        if not await _are_ids(app, what, user_id):
            raise
    else:
        if preview.forget or preview.doubtful or not await _are_ids(app, what, user_id):
            return preview
    ids = " ".join(what)
    raise NotFound(f"with --user-id {ids!r} is read as words, and means nothing: `precis forget {ids}` forgets by id")


async def _are_ids(app: App, what: Sequence[str], user_id: str) -> bool:
    known = await app.memories.get_many(what)
    return all(id_ in known and known[id_].scope.user_id == user_id for id_ in what)


def _going(preview: Preview, choice: Choice) -> tuple[Meant, ...]:
    """What would go of it. Raises InvalidInput where the choice names what it does not show."""
    rows = [*((row, True) for row in preview.forget), *((row, False) for row in preview.doubtful)]
    if unknown := sorted((choice.also | choice.keep) - {row.id for row, _ in rows}):
        raise InvalidInput(f"{unknown[0]!r} is neither among what goes nor in doubt: nothing was forgotten")
    return tuple(row for row, sure in rows if choice.takes(row.id, sure=sure))


def _asked(preview: Preview, choice: Choice, *, yes: bool, dry_run: bool, silent: bool) -> Exit | None:
    """Show what was meant and ask; None to go on. A document that is printed asks nobody."""
    if not silent and not yes:
        print_preview(preview)
    if not (preview.forget or preview.doubtful):
        errors.print(_nothing(preview))
        return Exit.NO
    if dry_run or (silent and not yes):
        return Exit.FINE
    number = len(_going(preview, choice))
    if not number:
        errors.print(_nothing(preview))
        return Exit.NO
    if yes or _agrees(f"Forget {counted(number, 'memory', 'memories')}?"):
        return None
    errors.print("Nothing was forgotten.")
    return Exit.NO


def _agree_to_all(held: Held, *, silent: bool) -> None:
    """Ask before a whole user goes. Raises Conflict where that is not wanted, or nobody could say so."""
    if silent or not sys.stdin.isatty() or not _agrees(f"Forget {_all_of(held)}?"):
        raise Conflict(f"nothing was forgotten; with --yes goes {_all_of(held)}")


def _all_of(held: Held) -> str:
    memories, summaries = counted(held.memories, "memory", "memories"), counted(held.summaries, "summary", "summaries")
    return f"everything of user {held.user_id!r}: {memories}, {summaries}, and the key that opens old copies"


def _nothing(preview: Preview) -> str:
    """What is said where nothing goes, and what to do then."""
    if preview.doubtful:
        return (
            "Nothing is surely meant, and nothing was forgotten: --include-doubtful forgets what is in doubt, "
            "--also ID one of it."
        )
    near = counted(len(preview.near), "memory", "memories")
    return f"Nothing is meant, and nothing was forgotten: {near} only near. Use other words, or forget one by its id."


def _agrees(question: str) -> bool:
    """Ask on the terminal; nobody there is a no."""
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        return False


def print_preview(preview: Preview) -> None:
    """What a request in words means."""
    lists = (
        ("Goes", preview.forget),
        ("In doubt: stays unless you add --also ID, or --include-doubtful", preview.doubtful),
        ("Stays, though it is near", preview.near),
    )
    for title, rows in lists:
        if rows:
            filled = table(title, "id", "memory", "why")
            for row in rows:
                filled.add_row(plain(row.id), plain(row.text), plain(_reason(row)))
            print_table(filled)
    if preview.more_doubtful:
        more = f"{preview.more_doubtful} more are in doubt, less likely meant"
        output.print(f"{more}: they stay. --most-doubtful N lists more.")
    if preview.summaries:
        filled = table("Leaves with them", "summary", "statement")
        for leaving in preview.summaries:
            for statement in leaving.statements:
                filled.add_row(plain(leaving.summary_id), plain(statement.text))
        print_table(filled)


def _reason(row: Meant) -> str:
    rest = f"; stays: {row.keeps}" if row.keeps else "; it speaks of others, too, and goes whole" if row.shared else ""
    return f"{row.why}{rest}"


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
