"""The forgotten-log: keyed hashes of what was forgotten, in a place that no backup of the database covers.

A database restored from an old copy holds memories that were forgotten since. Before it is served, what the log knows
and the database does not is forgotten again. The log only grows, holds no id and no text, and is never restored. The
database keeps how far it has heard of the log, so that a start reads the rest only.

A forget is in the log before it commits, a revival (a forgotten id written again) only after: a crash in between leaves
the memory forgotten. A revival names the content that was written, since an older copy may say something else under
the id, and that was forgotten.

After its commit the log hears the signed receipt, too: a database restored from an old copy has its chain back whole.

Where that commit fails, the database goes on without the receipt. So the line of a forget says until when the rows had
been written that it took: what was written later was not asked to go, and stays.

Where only a part of a memory was forgotten, the line says which characters stay, and of which text: as keyed hashes.
"""

import fcntl
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.cipher import TenantKeys
from precis.keys.log_lines import Entry, Part, entry_of, line_of, pool_tombstone

#: Entries that are read at once.
_READ = 10_000
#: Bytes before a mark that tell one log from another: a line holds a receipt's id, which is like no other.
_LOOKED_AT = 4096
#: Bytes at the end of a log, in which the last receipts stand.
_END_READ = 2**18
_UNWRITABLE = "the forgotten-log cannot be written, so nothing is forgotten"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """How far a database has heard of a log: the database keeps it, so a restored one has an older mark."""

    #: Bytes, whole lines only.
    offset: int = 0
    #: Digest of the last bytes before it, so that another file is not taken for this one.
    before: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Unread:
    """What stands in a log after a mark, or the beginning of it."""

    entries: tuple[Entry, ...]
    #: Where it ends.
    mark: Mark

    @property
    def receipts(self) -> list[str]:
        """Every receipt in it, oldest first."""
        return [entry.receipt for entry in self.entries if entry.receipt is not None]


class ForgottenLog:
    """One file a tenant, appended under a lock and synced before the forget commits."""

    #: What else its keeper may do.
    _last_resort = ". Where every copy is lost, `precis receipts begin-log` begins another, and says what that costs"
    #: Where, among the receipts, the database keeps how far it has heard of it; every log's begins like this one's.
    mark = "forgotten-log"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def where(self) -> str:
        """The folder, as a person would find it."""
        return str(self._folder)

    def check(self) -> None:
        """Whether it may be written. Raises StoreUnavailable, which names no folder."""
        standing = next(path for path in (self._folder.absolute(), *self._folder.absolute().parents) if path.exists())
        if not os.access(standing, os.W_OK | os.X_OK):
            raise StoreUnavailable(f"{_UNWRITABLE}: its folder may not be written")

    def prove(self, tenant_id: str, *, signed: int, heard: Mark | None = None) -> None:
        """Raise ConfigurationError where the log lacks what a database has heard of it."""
        if (heard is not None and not self.has(tenant_id, heard)) or self._signed(tenant_id, signed) < signed:
            raise ConfigurationError(self._lost(tenant_id))

    def _signed(self, tenant_id: str, enough: int) -> int:
        """The highest number of a signed receipt in the log; of a log that ends with as much, the end alone is read."""
        path, highest = self._path(tenant_id), 0
        if not enough or not path.exists():
            return 0
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            for start in dict.fromkeys((max(0, size - _END_READ), 0)):
                file.seek(start)
                raws = iter(file)
                if start:
                    next(raws, None)  # the rest of a line
                for raw in raws:
                    if raw.startswith(b'{"signed"') and raw.endswith(b"\n"):
                        highest = max(highest, _number(raw))
                if highest >= enough:
                    break
        return highest

    def _lost(self, tenant_id: str) -> str:
        """What to do where it lacks what the database knows of it."""
        return (
            f"the forgotten-log of tenant {tenant_id!r} in {self.where} lacks what the database has told it: it was "
            "lost, cut, or replaced by an older copy. Put the newest copy back, or name it (PRECIS_FORGOTTEN_DIR, "
            f"PRECIS_FORGOTTEN_URL); nothing is served that cannot be proven{self._last_resort}"
        )

    def forgot(
        self, keys: TenantKeys, receipt: str, ids: Collection[str], *, until: datetime | None,
        user_id: str | None = None, renewable: bool = False, pool: str | None = None, part: Part | None = None,
    ) -> None:  # fmt: skip
        """Remember a forget, inside its transaction: a crash before the commit repeats what was asked for anyway.

        ``until`` is when the last of the rows that go had been written, or later: the forget is repeated up to then.
        Of memories in a ``pool`` nobody knows; it is repeated whenever they were written. With ``part`` the one
        memory stays, less that.
        """
        hashes = (keys.tombstone(id_) if pool is None else pool_tombstone(keys, pool, id_) for id_ in ids)
        entry = Entry(
            receipt=receipt, memories=frozenset(hashes), user=None if user_id is None else keys.user_ref(user_id),
            pool=pool, until=until, renewable=renewable, part=part,
        )  # fmt: skip
        self._append(keys.tenant_id, line_of(entry))

    def revived(self, keys: TenantKeys, contents: Mapping[bytes, bytes]) -> None:
        """Remember that these ids were written again, and with which contents: once the write has committed."""
        self._append(keys.tenant_id, line_of(Entry(receipt=None, revived=contents)))

    def signed(self, tenant_id: str, documents: Sequence[Mapping[str, Any]]) -> None:
        """Remember receipts as they were signed, once what they say has committed."""
        self._append(tenant_id, *(line_of(Entry(receipt=None, signed=document)) for document in documents))

    def begin_again(self, tenant_id: str, entries: Sequence[Entry]) -> None:
        """Write what another log had, which is lost: behind what is left of it."""
        self._append(tenant_id, *map(line_of, entries))

    def unread(self, tenant_id: str, since: Mark, *, limit: int) -> Unread:
        """What a database with this mark may not have heard of, the first ``limit`` lines of it.

        It begins at the beginning where the mark is not of this file. Without entries there is no more. Raises
        ConfigurationError where a line after the mark is damaged.
        """
        path = self._path(tenant_id)
        if not path.exists():
            return Unread(entries=(), mark=Mark())
        entries = []
        with path.open("rb") as file:
            start = since.offset if _digest_before(file, since.offset) == since.before else 0
            end = file.seek(start)
            for raw in islice(file, limit):
                if not raw.endswith(b"\n"):
                    break  # being written, or torn by a crash: then that forget never committed
                entries.append(_read(raw, path, end))
                end += len(raw)
            return Unread(entries=tuple(entries), mark=Mark(offset=end, before=_digest_before(file, end)))

    def has(self, tenant_id: str, mark: Mark) -> bool:
        """Whether a tenant's log begins with what a database has heard of."""
        path = self._path(tenant_id)
        if not path.exists():
            return mark.offset == 0
        with path.open("rb") as file:
            return _digest_before(file, mark.offset) == mark.before

    def tenants(self) -> list[str]:
        """Tenants that have forgotten something."""
        return sorted(bytes.fromhex(path.stem).decode() for path in self._folder.glob("*.log"))

    def _append(self, tenant_id: str, *lines: Mapping[str, object]) -> None:
        """Write lines, durably. Raises StoreUnavailable: then what is to be forgotten is not acknowledged."""
        try:
            self._write(tenant_id, lines)
        except OSError as error:
            raise StoreUnavailable(f"{_UNWRITABLE}: {error.strerror}") from error

    def _write(self, tenant_id: str, lines: Sequence[Mapping[str, object]]) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._path(tenant_id), os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _drop_torn_line(file)
            file.write(b"".join(orjson.dumps(line) + b"\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())

    def _path(self, tenant_id: str) -> Path:
        return file_of(self._folder, tenant_id)


def file_of(folder: Path, tenant_id: str) -> Path:
    """The log of a tenant among those of a folder."""
    return folder / f"{tenant_id.encode().hex()}.log"


def entries(log: ForgottenLog, tenant_id: str) -> Iterator[Entry]:
    """All of a tenant's log, read page by page. Raises ConfigurationError where a line is damaged."""
    mark = Mark()
    while (unread := log.unread(tenant_id, mark, limit=_READ)).entries:
        yield from unread.entries
        mark = unread.mark


def every_line(path: Path) -> list[Mapping[str, object]]:
    """All of a log. Raises ConfigurationError where one is damaged."""
    lines = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    offset = 0
    for line in lines:
        _read(line, path, offset)
        offset += len(line)
    return [orjson.loads(line) for line in lines]


def _digest_before(file: BinaryIO, offset: int) -> str:
    """A digest of the last bytes before a place in the file; empty at its beginning."""
    if offset > file.seek(0, os.SEEK_END):
        return "beyond the end"
    file.seek(max(0, offset - _LOOKED_AT))
    return blake2b(file.read(min(offset, _LOOKED_AT)), digest_size=16).hexdigest() if offset else ""


def _read(raw: bytes, path: Path, offset: int) -> Entry:
    try:
        return entry_of(orjson.loads(raw))
    except (orjson.JSONDecodeError, ValueError, KeyError) as error:
        message = f"{path} is damaged at byte {offset:,}; restore the file, it guards what was forgotten"
        raise ConfigurationError(message) from error


def _number(raw: bytes) -> int:
    """The number of a signed receipt; 0 where the line is damaged, which is told when it is read."""
    try:
        return int(orjson.loads(raw)["signed"]["number"])
    except (orjson.JSONDecodeError, ValueError, KeyError, TypeError):
        return 0


def _drop_torn_line(file: BinaryIO) -> None:
    """Place the file at its end. What a crash tore off in the middle never committed: the next line takes its place."""
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return
    file.seek(end - 1)
    if file.read(1) != b"\n":
        file.seek(0)
        file.seek(file.read().rfind(b"\n") + 1)
        file.truncate()
