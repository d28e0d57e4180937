"""precis export: everything that is held about a user; `precis import` puts it into another store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from precis.app import App
from precis.app.persons import Carried
from precis.cli.printing import counted, output
from precis.cli.receipts import write_lines
from precis.cli.verb import verb


@verb
async def export(
    app: App,
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="Where to; the standard output without it.")] = Path(
        "-"
    ),
    *,
    user_id: Annotated[str, typer.Option("--user-id", help="Whose.")],
) -> None:
    """Write everything that is held about a user as JSON lines: memories, summaries, conversations, receipts."""
    await write_lines(file, app.persons.export(user_id))


def print_carried(carried: Carried) -> None:
    """What an import of a user did."""
    memories = counted(carried.memories, "memory", "memories")
    output.print(
        f"User {carried.user_id}: {memories}, {counted(carried.summaries, 'summary', 'summaries')} and "
        f"{counted(carried.receipts, 'receipt')} were put in.",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    if carried.forgotten:
        output.print(f"{carried.forgotten} were forgotten here and stay away, with what rested on them.")
