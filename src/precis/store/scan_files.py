"""Look for bytes in the files of the embedded database."""

from __future__ import annotations

import mmap
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row

from precis.store.embedded import running
from precis.store.purge import purge
from precis.store.scan import Looked, spellings
from precis.store.sql import queries

_SQL = queries("scan")
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
        """Take deleted bytes off the disk; see precis.store.purge. Locks each table while it is rewritten."""
        await purge(self.owner_dsn)


@asynccontextmanager
async def opened_files(data_dir: Path) -> AsyncIterator[Files]:
    """The files of an embedded database, for the length of a block."""
    async with running(data_dir) as server:
        connection = await AsyncConnection[DictRow].connect(server.owner_dsn, autocommit=True, row_factory=dict_row)
        async with connection:
            yield Files(data_dir=data_dir, db=server.db_dir, owner_dsn=server.owner_dsn, connection=connection)


def look_for_words(folder: Path, words: Sequence[str], *, where: str, skip: str | None = None) -> Looked:
    """Search every file below a folder for words, in three encodings and by case; ``skip`` names a child to pass by."""
    patterns = [spelling.encode(encoding) for word in words for spelling in spellings(word) for encoding in _ENCODINGS]
    counts, read = _count(folder, list(dict.fromkeys(patterns)), skip=skip)
    if any(name.startswith(_OWN) for name in counts):
        note = "PostgreSQL's own files hold this word: files cannot tell it from yours, choose a rarer one"
        return Looked(where=where, read=read, hits=0, note=note)
    return Looked(where=where, read=read, hits=sum(counts.values()), places=tuple(counts)[:10])


def look_for_bytes(folder: Path, kinds: Mapping[str, Sequence[bytes]], *, where: str) -> list[Looked]:
    """Search for recorded bytes: one answer a kind, whose hits are the patterns that are still there."""
    looked = []
    for kind, patterns in kinds.items():
        if patterns:
            found = {pattern: _count(folder, [pattern]) for pattern in patterns}
            places = dict.fromkeys(name for counts, _ in found.values() for name in counts)
            hits = sum(1 for counts, _ in found.values() if counts)
            read = next(iter(found.values()))[1]
            looked.append(Looked(where=f"{where}: {kind}", read=read, hits=hits, places=tuple(places)[:10]))
    return looked


def _count(folder: Path, patterns: Sequence[bytes], *, skip: str | None = None) -> tuple[dict[str, int], int]:
    """(How often any of the patterns is in each file that has one, how many files were read)."""
    counts, read = {}, 0
    for path in sorted(folder.rglob("*")):
        with suppress(FileNotFoundError):  # the server removed it meanwhile
            if path.relative_to(folder).parts[0] != skip and path.is_file() and path.stat().st_size:
                with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                    hits = sum(_times(content, pattern) for pattern in patterns)
                read += 1
                if hits:
                    counts[path.relative_to(folder).as_posix()] = hits
    return counts, read


def _times(content: mmap.mmap, pattern: bytes) -> int:
    at, times = content.find(pattern), 0
    while at >= 0:
        times += 1
        at = content.find(pattern, at + len(pattern))
    return times
