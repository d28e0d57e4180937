"""precis memories add, list, show and edit; `precis forget` lets them go."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from precis.app import App
from precis.app.memories import Written
from precis.cli import printing
from precis.cli.verb import Answer, AsOf, Cursor, Limit, User, beginning, checked_id, group, verb
from precis.errors import InvalidInput
from precis.memory import Memory
from precis.rest.answers import EditAnswer, MemoryBody, MemoryPage, WriteAnswer
from precis.trust import SourceClass

verbs = group()
#: How an argument is called where its option has not the name of its field.
_ARGUMENTS = {"text": "TEXT", "created_at": "--at", "memory_id": "MEMORY_ID"}
MemoryId = Annotated[str, typer.Argument(help="As `precis memories list` shows it.")]
Type = Annotated[str | None, typer.Option("--type", help="preference, fact, ...; else found by rules.")]
Key = Annotated[str | None, typer.Option("--key", help="The subject; else found by rules.")]
Source = Annotated[SourceClass | None, typer.Option("--source-class", help="From whom it is.")]
EventDate = Annotated[str | None, typer.Option("--event-date", help="When it happens: a time with its zone.")]
Supersedes = Annotated[
    list[str] | None, typer.Option("--supersedes", help="The id of a memory that it replaces; more than once for more.")
]


@verbs.command()
@verb
@beginning
async def add(
    app: App,
    text: Annotated[str, typer.Argument(help="What to remember; - reads it from the standard input.")],
    *,
    user_id: Annotated[str, typer.Option("--user-id", callback=checked_id, help="Whose memory it is.")],
    memory_id: Annotated[str | None, typer.Option("--id", help="Its id; else one is made.")] = None,
    session_id: Annotated[str | None, typer.Option("--session-id", help="The conversation it is from.")] = None,
    created_at: Annotated[str | None, typer.Option("--at", help="When it was said: a time with its zone.")] = None,
    event_date: EventDate = None,
    type_: Type = None,
    key: Key = None,
    source_class: Source = None,
    supersedes: Supersedes = None,
) -> Answer:
    """Write one memory; the summary that became due is made at once. Many are read by `precis import`."""
    fields = _named(
        text=text, user_id=user_id, id=memory_id, session_id=session_id, created_at=created_at, event_date=event_date,
        type=type_, key=key, source_class=source_class, supersedes=supersedes,
    )  # fmt: skip
    with _by_arguments():
        written = await app.memories.add([fields])
    return Answer(json=WriteAnswer.model_validate(written), words=lambda: _print_written(written))


def _named(**fields: Any) -> dict[str, Any]:
    """The fields that the call names; a text may be on the standard input."""
    if fields.get("text") == "-":
        fields["text"] = sys.stdin.read().strip()
    return {name: value for name, value in fields.items() if value not in (None, [])}


@contextmanager
def _by_arguments() -> Iterator[None]:
    """What is wrong with a field is told of the argument that it came from."""
    try:
        yield
    except InvalidInput as error:
        name = (error.field or "").removeprefix("memories.0.").partition(".")[0]
        argument = _ARGUMENTS.get(name, f"--{name.replace('_', '-')}")
        message = str(error).removeprefix(f"{error.field}:")
        if message == str(error):
            raise
        raise InvalidInput(f"{argument}:{message}", field=error.field) from error


def _print_written(written: Written) -> None:
    (memory,) = written.memories
    state = "Remembered as" if memory.created else "It was there already:"
    printing.output.print(printing.plain(f"{state} {memory.id}"), soft_wrap=True)
    if memory.supersedes:
        printing.output.print(printing.plain(f"It replaces {', '.join(memory.supersedes)}"), soft_wrap=True)
    if memory.superseded_by:
        printing.output.print(
            printing.plain(f"A newer memory replaces it: {', '.join(memory.superseded_by)}"), soft_wrap=True
        )
    if written.summaries:
        made = printing.counted(len(written.summaries), "summary", "summaries")
        printing.print_dim(f"{made} made or refreshed: {', '.join(written.summaries)}")
    if written.waiting:
        printing.print_dim(f"{printing.counted(len(written.waiting), 'summary', 'summaries')} made next by a worker")


@verbs.command("list")
@verb
async def list_(
    app: App,
    *,
    user_id: User = None,
    session_id: Annotated[str | None, typer.Option("--session-id", help="Only of this conversation.")] = None,
    as_of: AsOf = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Answer:
    """List memories as they were said, the newest first; `precis summaries list` lists what was made of them."""
    chosen = _named(user_id=user_id, session_id=session_id, as_of=as_of)
    page = await app.memories.list(limit=limit, cursor=cursor, is_summary=False, **chosen)

    def words() -> None:
        if not page.rows:
            printing.output.print("No memories.")
        for memory in page.rows:
            printing.output.print(
                printing.plain(memory.text or "(expired)"),
                printing.plain(printing.citation(memory), "dim"),
                soft_wrap=True,
            )
        printing.print_more(page.next_cursor)

    return Answer(json=MemoryPage.model_validate(page), words=words)


@verbs.command()
@verb
async def show(app: App, memory_id: MemoryId) -> Answer:
    """Show a memory: who said it and when, what it is about, what it replaces and what replaces it."""
    memory = await app.memories.get(memory_id)
    return Answer(json=MemoryBody.of(memory), words=lambda: _print_memory(memory))


def _print_memory(memory: Memory) -> None:
    printing.output.print(printing.plain(memory.text or "(expired)"), soft_wrap=True)
    figures = {
        "id": memory.id,
        "user": memory.scope.user_id,
        "said": " ".join(filter(None, (printing.day(memory.created_at), memory.speaker))),
        "about": printing.subject_of(memory.extracted_type, memory.extracted_key),
        "happens": printing.day(memory.event_date) if memory.event_date else "",
        "conversation": memory.session_id or "",
        "from": memory.source_class,
        "replaces": ", ".join(memory.supersedes),
        "replaced by": ", ".join(memory.superseded_by),
        "written": _written_later(memory),
    }
    for name, value in figures.items():
        if value:
            printing.print_dim(f"  {name}: {value}")


def _written_later(memory: Memory) -> str:
    """The day on which precis took it, or the last edit of it, where that is no day on which it was said."""
    written = printing.day(memory.updated_at)
    return written if memory.text and written != printing.day(memory.created_at) else ""


@verbs.command()
@verb
async def edit(
    app: App,
    memory_id: MemoryId,
    text: Annotated[str | None, typer.Argument(help="What it says from now on; - reads it from the input.")] = None,
    *,
    event_date: EventDate = None,
    type_: Type = None,
    key: Key = None,
    source_class: Source = None,
    supersedes: Supersedes = None,
) -> Answer:
    """Replace what a memory says; the old text is forgotten at once, and its summaries follow."""
    change = _named(
        text=text, event_date=event_date, type=type_, key=key, source_class=source_class, supersedes=supersedes
    )
    if not change:
        raise typer.BadParameter("say what it says from now on, or give an option that changes something")
    with _by_arguments():
        memory, receipt = await app.memories.edit(memory_id, change)

    def words() -> None:
        _print_memory(memory)
        gone = printing.counted(receipt.statements_removed, "statement")
        printing.print_dim(f"What it said before is forgotten, {gone} of summaries with it.")

    return Answer(json=EditAnswer(memory=MemoryBody.of(memory), receipt=receipt), words=words)
