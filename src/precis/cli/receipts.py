"""precis receipts: what was forgotten, signed; and its verification, which needs no database."""

import stat
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Annotated, Any

import typer

from precis.app import App
from precis.cli.printing import counted, escaped, output, plain, print_more, print_table, table, tell
from precis.cli.verb import Answer, DataDir, Exit, Opening, checked_id, group, opened_runtime, verb
from precis.errors import Conflict, InvalidInput
from precis.keys.receipts import Document, Verdict
from precis.keys.receipts import verify as verify_lines
from precis.store.forgotten.relogging import begin_again

verbs = group()
#: Standard output, or input.
_STREAM = Path("-")


def file_name(name: str | Path) -> Path:
    """A file that is not called nothing, as of a variable of the shell that is not set."""
    if not name:
        raise typer.BadParameter("the name is empty: name a file")
    return Path(name)


Replace = Annotated[bool, typer.Option("--replace", help="Give up the file of that name.")]


@verbs.command("list")
@verb
async def list_(
    app: App,
    *,
    memory_id: Annotated[str | None, typer.Option("--memory", help="Those that name this memory.")] = None,
    user_id: Annotated[
        str | None, typer.Option("--user-id", callback=checked_id, help="Those that name this user.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the page before ended.")] = None,
) -> Answer:
    """What was forgotten, the latest first."""
    page = await app.receipts.list(memory_id=memory_id, user_id=user_id, limit=limit, cursor=cursor)

    def words() -> None:
        rows = [
            (str(receipt["number"]), receipt["at"][:19], receipt["kind"], str(len(receipt["memories"])),
             receipt["by"] or "", receipt["id"])
            for receipt in page.receipts
        ]  # fmt: skip
        print_table(
            table("Receipts", "number", "at", "what", "memories", "by", "id", rows=rows, right=("number", "memories"))
        )
        print_more(page.next_cursor)

    return Answer(json=page, words=words)


@verbs.command("show")
@verb
async def show(
    app: App, receipt_id: Annotated[str, typer.Argument(metavar="ID", help="As a forget printed it.")]
) -> Answer:
    """One receipt as it was signed, and the one that completes it."""
    signed = await app.receipts.get(receipt_id)

    def words() -> None:
        _print(signed.receipt)
        if signed.completed_by is not None:
            output.print("Completed by:")
            _print(signed.completed_by)

    return Answer(json=signed, words=words)


@verbs.command("key")
@verb
async def key(app: App) -> Answer:
    """The public key that verifies an export, and its fingerprint."""
    public = app.receipts.key

    def words() -> None:
        output.print(public.public_key, markup=False, highlight=False, soft_wrap=True)
        output.print(f"Fingerprint: {public.fingerprint}", style="dim", soft_wrap=True)

    return Answer(json=public, words=words)


@verbs.command("export")
@verb
async def export(
    app: App,
    file: Annotated[Path, typer.Argument(metavar="FILE", parser=file_name, help="Where to; - is the standard output.")],
    *,
    replace: Replace = False,
) -> None:
    """Write every receipt and the signed head, a line of JSON each."""
    written = await write_lines(file, app.receipts.export(), is_replacing=replace)
    tell_written(file, f"{counted(written - 1, 'receipt')} and the signed head", written)


@verbs.command("verify")
@verb
async def verify(
    opening: Opening,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="An export; without it the receipts in the database.")
    ] = None,
    *,
    public_key: Annotated[
        str | None, typer.Option("--public-key", help="As `precis receipts key` prints it; else the one in the export.")
    ] = None,
) -> Answer:
    """Name every receipt that was changed, is missing or stands elsewhere. Exit code 1 where there is one.

    For a file neither a server nor a database is needed.
    """
    if file is None:
        if public_key is not None:
            raise typer.BadParameter("--public-key goes with a file: the database is read with its own key")
        async with opening() as (_, app):
            verdict = await app.receipts.verify()
    else:
        verdict = verify_lines(read_lines(file), public_key)
    return Answer(
        json=verdict,
        words=lambda: tell_verdict(verdict, stored=file is None),
        code=Exit.FINE if verdict.holds else Exit.NO,
    )


@verbs.command("begin-log")
@verb
async def begin_log(*, data_dir: DataDir = None) -> Answer:
    """Begin the forgotten-log again where every copy of it is lost, with what the database knows. Nothing else does."""
    async with opened_runtime(data_dir, follows=False) as runtime:
        log, now = runtime.store.restoring.log, runtime.engine.clock()
        tenants = await runtime.store.tenants.list()
        began = [await begin_again(runtime.database, log, tenant_id, now=now) for tenant_id in tenants]
    logs = [begun for begun in began if begun is not None]

    def words() -> None:
        for begun in logs:
            forgotten, signed = counted(begun.memories, "forgotten id"), counted(begun.receipts, "receipt")
            output.print(plain(f"Tenant {begun.tenant_id}: begun again with {forgotten} and {signed}."), soft_wrap=True)
        if logs:
            output.print("Destroy copies of the database from before: they do not forget all users again.")
        else:
            output.print("No forgotten-log lacks anything: nothing was changed.")

    return Answer(json={"logs": logs}, words=words)


async def write_lines(file: Path, lines: AsyncGenerator[bytes], *, is_replacing: bool) -> int:
    """Into the file, which is there only when it is whole; or to the standard output. Answers how many lines.

    Raises Conflict for a file that is there, unless it is given up.
    """
    async with aclosing(lines):
        return await _write_lines(file, lines, is_replacing=is_replacing)


async def _write_lines(file: Path, lines: AsyncIterator[bytes], *, is_replacing: bool) -> int:
    written = 0
    if file == _STREAM:
        async for line in lines:
            # The same JSON; only somebody who looks at it needs the escapes, and a terminal obeys none.
            sys.stdout.buffer.write(escaped(line.decode()).encode() if sys.stdout.isatty() else line)
            written += 1
        sys.stdout.buffer.flush()
        return written
    with _opened(file, is_replacing=is_replacing) as target:
        async for line in lines:
            target.write(line)
            written += 1
    return written


def tell_written(file: Path, what: str, lines: int) -> None:
    """Say on stderr what stands in a file now. What went to the standard output is seen there."""
    if file != _STREAM:
        tell(f"{file}: {what} ({counted(lines, 'line')}).", "exported", file=str(file), lines=str(lines))


@contextmanager
def _opened(file: Path, *, is_replacing: bool) -> Iterator[IO[bytes]]:
    """A file to write, which takes the place of one that is there when all is written, with its mode.

    A new one is for the owner's eyes only.
    A link stays one: what it points to is written. Through a pipe or a device it is written, and nothing replaces it.
    """
    if file.exists() and not file.is_file():
        with file.open("wb") as target:
            yield target
        return
    if file.exists() and not is_replacing:
        raise Conflict(f"{file} exists: name another file, or add --replace to give that one up")
    place = file.resolve()
    fresh: Path | None = None
    try:
        with NamedTemporaryFile(dir=place.parent, prefix=f"{place.name}.", suffix=".part", delete=False) as target:
            fresh = Path(target.name)
            if place.exists():
                fresh.chmod(stat.S_IMODE(place.stat().st_mode))
            yield target
        fresh.replace(place)
    except OSError as error:  # by the name that was given
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        if fresh is not None:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)


def read_lines(file: Path) -> list[bytes]:
    """The lines of a file, or of the standard input. Raises InvalidInput."""
    try:
        text = sys.stdin.buffer.read() if file == _STREAM else file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read ({error.strerror})", field="file") from error
    return text.split(b"\n")


def _print(receipt: Document) -> None:
    for name, value in receipt.items():
        output.print(plain(f"{name}: {_written(value)}"), soft_wrap=True)


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_written(part)}" for name, part in value.items())
    if isinstance(value, list):
        return "; ".join(map(_written, value)) or "none"
    return "none" if value is None else str(value)


def tell_verdict(verdict: Verdict, *, stored: bool = False) -> None:
    """What a verification came to, in words; of the receipts of a database they are verified with its own key."""
    for fault in verdict.faults:
        output.print(plain(fault.what, "bold red"), soft_wrap=True)
    if verdict.fingerprint is not None:
        source = "the key given" if verdict.is_given else "the key that the export names, compare its fingerprint"
        source = "the key of this database" if stored else source
        output.print(plain(f"Verified with {source}: {verdict.fingerprint}", "dim"), soft_wrap=True)
    read = counted(verdict.receipts, "receipt")
    if verdict.holds:
        output.print(f"{read}, none changed, none missing; the head was signed {verdict.at}", style="bold green")
    else:
        output.print(f"{read} read; {counted(len(verdict.faults), 'fault')}", style="bold red")
