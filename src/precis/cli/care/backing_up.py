"""precis backup and precis restore."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from precis.bootstrap import open_runtime, system_clock
from precis.care.copying import Taken, back_up
from precis.care.restoring import restore as restore_copy
from precis.cli.printing import counted, output
from precis.cli.verb import Answer, DataDir, settings_for, tell_progress, verb
from precis.errors import InvalidInput


@verb
async def backup(
    target: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="A file .tar or .tar.gz, or a folder of copies.")
    ],
    *,
    continuous: Annotated[
        bool | None,
        typer.Option("--continuous/--no-continuous", help="Copy the log from now on, too: restores to any moment."),
    ] = None,
    keep: Annotated[int | None, typer.Option(min=1, help="Copies to keep in the folder; older ones go.")] = None,
    keys_to: Annotated[
        Path | None, typer.Option("--keys-to", help="A new folder elsewhere for a copy of the keys.")
    ] = None,
    data_dir: DataDir = None,
) -> Answer:
    """Copy the embedded database while it serves; without keys, whole or not at all."""
    taken = await back_up(
        settings_for(data_dir), target, clock=system_clock, say=tell_progress, keys_to=keys_to, continuous=continuous,
        keep=keep,
    )  # fmt: skip
    return Answer(json=taken, words=lambda: _print(taken))


def _print(taken: Taken) -> None:
    output.print(f"{taken.path}: {taken.bytes / 1e6:,.1f} MB", markup=False, soft_wrap=True)
    if taken.wal is not None:
        output.print(f"The log is copied to {taken.wal}.", markup=False, soft_wrap=True)
    if taken.removed:
        output.print(f"{counted(len(taken.removed), 'older copy', 'older copies')} removed.")


@verb
async def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="What `precis backup` made.")],
    *,
    to: Annotated[
        str | None, typer.Option("--to", help="A moment with its zone, such as 2024-05-08T09:30:00Z; else the latest.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Give up the database that is there.")] = False,
    data_dir: DataDir = None,
) -> Answer:
    """Put a copy in the place of the embedded database; what was forgotten since goes again."""
    settings, moment = settings_for(data_dir), _moment(to)
    restored = await restore_copy(settings, source, to=moment, is_replacing=replace, say=tell_progress)
    async with open_runtime(settings, progress=tell_progress):
        pass  # migrates it, and forgets again
    words = f"Restored the copy of {restored.copy_of.isoformat()}" + (f", as of {moment.isoformat()}" if moment else "")
    return Answer(json=restored, words=lambda: output.print(f"{words}.", soft_wrap=True))


def _moment(to: str | None) -> datetime | None:
    if to is None:
        return None
    try:
        moment = datetime.fromisoformat(to)
    except ValueError:
        raise InvalidInput(f"--to: {to!r} is no moment such as 2024-05-08T09:30:00Z") from None
    if moment.tzinfo is None:
        raise InvalidInput(f"--to: {to!r} has no zone; add Z for UTC")
    return moment
