"""Look for bytes in the files of the embedded database."""

import asyncio
import os
import stat
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import BinaryIO

from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow, dict_row

from precis.database.queries import queries
from precis.embedded.server import running
from precis.errors import StoreUnavailable
from precis.store.forgotten.needles import is_short_figure, spellings
from precis.store.forgotten.scan import Looked

_SQL = queries("scan")
#: Bytes of a file that are looked at together.
_CHUNK = 1 << 24
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
#: Databases of PostgreSQL itself: what is in them is its own vocabulary.
_OWN = ("base/1/", "base/4/", "base/5/")


@dataclass(frozen=True, kw_only=True, slots=True)
class Files:
    """The files of an embedded database that runs, and a connection as its owner."""

    data_dir: Path
    db: Path
    owner_dsn: str
    connection: AsyncConnection[DictRow]

    async def settle(self) -> None:
        """Everything that is in memory is in the files."""
        await self.connection.execute(_SQL["checkpoint"])

    async def rewrite(self) -> None:
        """Take deleted bytes off the disk: every table is rewritten, and locked while it is."""
        await purge(self.owner_dsn)


@asynccontextmanager
async def opened_files(data_dir: Path) -> AsyncIterator[Files]:
    """The files of an embedded database, for the length of a block."""
    async with running(data_dir) as server:
        connection = await AsyncConnection[DictRow].connect(server.owner_dsn, autocommit=True, row_factory=dict_row)
        async with connection:
            yield Files(data_dir=data_dir, db=server.db_dir, owner_dsn=server.owner_dsn, connection=connection)


def look_for_words(folder: Path, words: Sequence[str], *, where: str, skip: str | None = None) -> Looked:
    """Search every file below a folder for words, in three encodings and by case; ``skip`` names a child to pass by.

    A short figure is not looked for: any file holds it by chance.
    """
    rest = [word for word in words if not is_short_figure(word)]
    patterns = {spelling.encode(encoding) for word in rest for spelling in spellings(word) for encoding in _ENCODINGS}
    by_file, read = _search(folder, patterns, skip=skip)
    hits, notes = sum(times.total() for times in by_file.values()), []
    if len(rest) < len(words):
        notes.append(f"not looked for here: {len(words) - len(rest)} short figures, which any file holds by chance")
    if any(name.startswith(_OWN) for name in by_file):
        by_file, hits = {}, 0
        notes.append("PostgreSQL's own files hold this word: files cannot tell it from yours, choose a rarer one")
    return Looked(where=where, read=read, hits=hits, places=tuple(by_file)[:10], note="; ".join(notes))


def look_for_bytes(folder: Path, kinds: Mapping[str, Sequence[bytes]], *, where: str) -> list[Looked]:
    """Search for recorded bytes: one answer a kind, whose hits are the patterns that are still there.

    Every file is read once, however many patterns there are.
    """
    by_file, read = _search(folder, {pattern for patterns in kinds.values() for pattern in patterns})
    looked = []
    for kind, patterns in kinds.items():
        if patterns:
            places = [name for name, times in by_file.items() if not times.keys().isdisjoint(patterns)]
            hits = sum(any(pattern in times for times in by_file.values()) for pattern in set(patterns))
            looked.append(Looked(where=f"{where}: {kind}", read=read, hits=hits, places=tuple(places)[:10]))
    return looked


def _search(
    folder: Path, patterns: Collection[bytes], *, skip: str | None = None
) -> tuple[dict[str, Counter[bytes]], int]:  # fmt: skip
    """(How often each pattern is in each file that has one, how many files were read)."""
    by_file, read = {}, 0
    for name in _files(folder, skip) if patterns else ():
        with suppress(FileNotFoundError):  # the server removed it meanwhile
            with (folder / name).open("rb") as file:
                times = _times(file, patterns)
            read += 1
            if times:
                by_file[name] = times
    return by_file, read


def _files(folder: Path, skip: str | None) -> list[str]:
    """The names of all files with something in them, below a folder."""
    names = []
    for parent, children, files in os.walk(folder):
        if skip is not None and parent == str(folder):
            children[:] = [child for child in children if child != skip]
            files = [file for file in files if file != skip]  # noqa: PLW2901
        for file in files:
            path = os.path.join(parent, file)  # noqa: PTH118 - there are thousands, of which most are empty
            with suppress(FileNotFoundError):
                status = os.stat(path)  # noqa: PTH116
                if stat.S_ISREG(status.st_mode) and status.st_size:
                    names.append(os.path.relpath(path, folder))
    return sorted(names, key=lambda name: Path(name).parts)


def _times(file: BinaryIO, patterns: Collection[bytes]) -> Counter[bytes]:
    """How often each of them stands in a file. It is read, not mapped: the server may cut it meanwhile."""
    longest, before, times = max(map(len, patterns)), b"", Counter[bytes]()
    while chunk := file.read(_CHUNK):
        content = before + chunk
        # A database is full of zeros, at each of which a search for a pattern with zeros would stop.
        without_zeros = content.translate(None, b"\0")
        for pattern in patterns:
            if pattern.translate(None, b"\0") in without_zeros:
                # What lies wholly in the end of the last chunk was counted with it.
                hits = content.count(pattern, max(0, len(before) - len(pattern) + 1))
                if hits:
                    times[pattern] += hits
        before = content[max(0, len(content) - longest + 1) :]
    return times


_PURGE = queries("purge")
_POLL_S = 0.1


async def purge(owner_dsn: str, *, patience: float = 60.0) -> None:
    """Rewrite every table and leave the old log behind, as the owner of an embedded server.

    Afterwards no file of the database holds a byte of a row that was deleted before the call. Reads and writes of a
    table wait while it is rewritten, and the disk needs room for a second copy of the largest one. Transactions that
    began before the call are waited for, ``patience`` seconds at most.

    Raises:
        StoreUnavailable: a transaction that may still see deleted rows does not end, and nothing was rewritten; or the
            log of before is kept by the server's settings.
    """
    connection = await AsyncConnection[DictRow].connect(owner_dsn, autocommit=True, row_factory=dict_row)
    async with connection:
        await _outlive_older(connection, patience)
        for step in ("clear_statistics", "rewrite_tables", "sample_again"):
            await connection.execute(_PURGE[step])
        try:
            await connection.execute(_PURGE["leave_log"])
        except errors.RaiseException as error:
            raise StoreUnavailable(error.diag.message_primary) from error


async def _outlive_older(connection: AsyncConnection[DictRow], patience: float) -> None:
    cursor = await connection.execute(_PURGE["moment"])
    began = (await cursor.fetchone() or {})["began"]
    limit = monotonic() + patience
    while older := await _older(connection, began):
        if monotonic() > limit:
            message = (
                f"{older} transactions have been open for more than {patience:.0f} seconds and may still see deleted "
                "rows: end them and purge again"
            )
            raise StoreUnavailable(message)
        await asyncio.sleep(_POLL_S)


async def _older(connection: AsyncConnection[DictRow], began: datetime) -> int:
    cursor = await connection.execute(_PURGE["older_transactions"], {"began": began})
    return int((await cursor.fetchone() or {})["older"])
