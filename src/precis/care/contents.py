"""What a copy of a database holds: its files, by PostgreSQL's own manifest, and the keys that open its data.

``backup_manifest`` lists every file with its size and SHA-256, and ends with the SHA-256 of itself.

An old copy has data keys wrapped under a version of a tenant's key that may be erased: forgetting a user wraps the data
keys of the others anew and erases the older version, so that no copy opens what was that user's. A data key is the same
in each of its wrappings: the newest ones, from the database as it was last, open an old copy, too. Who is not among
them was forgotten.
"""

import asyncio
import gzip
import hashlib
import re
import shutil
import sys
import tarfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from psycopg.errors import UndefinedTable
from psycopg.rows import dict_row

from precis.database.connections import Row, Tx
from precis.database.sending import Connection
from precis.errors import ConfigurationError, InvalidInput, StoreUnavailable
from precis.keys.forgotten_log import ForgottenLog, Mark, entries
from precis.keys.keyring import Keyring

_MANIFEST, _LABEL = "backup_manifest", "precis.json"
#: The last line of a manifest, which its checksum does not cover.
_LAST = re.compile(rb'"Manifest-Checksum": "([0-9a-f]{64})"}\s*\Z')
#: The name of a whole file of the log, packed or not; it holds so many bytes.
_OF_LOG = re.compile(r"[0-9A-F]{24}(\.gz)?\Z")
_SEGMENT = 16 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Copy:
    """One copy of a database."""

    folder: Path
    ended_at: datetime
    #: The first file of the write-ahead log that it needs, by its name without the timeline.
    first_segment: str
    #: On which branch of the log it was taken, by PostgreSQL's number, and how far that was written by then.
    timeline: int
    end: int


def label(folder: Path, *, ended_at: datetime, release: str) -> None:
    """Note in a finished copy when it ended, and which precis took it."""
    document = {"precis": release, "ended_at": ended_at.isoformat()}
    (folder / _LABEL).write_bytes(orjson.dumps(document) + b"\n")


def read_copy(folder: Path) -> Copy:
    """The copy in a folder, by what it says of itself. Raises InvalidInput."""
    try:
        ended_at = datetime.fromisoformat(orjson.loads((folder / _LABEL).read_bytes())["ended_at"])
        ranges = _manifest(folder)["WAL-Ranges"]
        last = max(ranges, key=lambda parts: parts["Timeline"])
        return Copy(
            folder=folder, ended_at=ended_at, first_segment=min(_segment(parts["Start-LSN"]) for parts in ranges),
            timeline=last["Timeline"], end=_place(last["End-LSN"]),
        )  # fmt: skip
    except (OSError, KeyError, TypeError, ValueError) as error:
        message = f"{folder} is no whole copy that `precis backup` made: {_LABEL} is missing or was altered"
        raise InvalidInput(message) from error


def bring(copy: Path, folder: Path) -> None:
    """Unpack a copy into a new folder.

    Raises InvalidInput where the copy is damaged, and StoreUnavailable where there is no room for it, or no right.
    """
    try:
        if copy.is_dir():
            shutil.copytree(copy, folder, symlinks=True)
        else:
            with tarfile.open(copy) as archive:
                archive.extractall(folder, filter="data")
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error, ValueError) as error:
        what = "it was cut off" if isinstance(error, EOFError) else "it is no archive, or was altered"
        raise InvalidInput(f"{copy} is damaged or is no copy: take another one ({what})") from error
    except OSError as error:
        # Of a folder, what became of the first of its files.
        reason = error.strerror or error.args[0][0][2]
        message = f"{copy} cannot be unpacked in {folder.parent}, where it takes as much room as the database: {reason}"
        raise StoreUnavailable(message) from error


def unlabel(folder: Path) -> None:
    """Take out of a database what a copy of it says of itself: the next copy is another one."""
    for name in (_LABEL, _MANIFEST):
        (folder / name).unlink(missing_ok=True)


def branch_in(folders: Sequence[Path]) -> Mapping[int, int] | None:
    """Where the newest branch of a log left each of those before it, by their numbers; None where there is but one.

    A restore to a moment begins a branch there: what was written and copied after that moment is on none of it.
    """
    files = {
        int(path.name.partition(".")[0], 16): path
        for folder in folders
        for path in (*folder.glob("*.history"), *folder.glob("*.history.gz"))
    }
    if not files:
        return None
    newest = max(files)
    raw = files[newest].read_bytes()
    text = (gzip.decompress(raw) if files[newest].suffix == ".gz" else raw).decode()
    left = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {newest: sys.maxsize} | {int(parent): _place(place) for parent, place, *_ in left}


def gap_in(log: Sequence[Path], copy: Copy) -> str | None:
    """The first file that a log lacks before the newest one of its archive, of those after a copy; None: none."""
    names = {path.name[:24] for folder in log for path in folder.glob("*") if _OF_LOG.match(path.name)}
    there = {int(name[8:16], 16) << 8 | int(name[16:], 16): name for name in sorted(names)}
    first = int(copy.first_segment[:8], 16) << 8 | int(copy.first_segment[8:], 16)
    newest = max((number for number, name in there.items() if (log[0] / f"{name}.gz").exists()), default=first)
    lacking = next((number for number in range(first, newest) if number not in there), None)
    return None if lacking is None else f"{there[newest][:8]}{lacking >> 8:08X}{lacking & 255:08X}.gz"


def is_on(copy: Copy, branch: Mapping[int, int] | None) -> bool:
    """Whether a log that goes on along this branch goes on from this copy."""
    return branch is None or copy.end <= branch.get(copy.timeline, -1)


def verify(folder: Path) -> int:
    """Compare every file with the manifest; answers the bytes. Raises InvalidInput at the first that differs."""
    total = 0
    for file in _manifest(folder)["Files"]:
        path = folder / _path_of(file)
        if not path.is_file() or path.stat().st_size != file["Size"] or _digest(path) != file["Checksum"]:
            raise InvalidInput(f"{path} is missing or was altered: this copy cannot be restored, take another one")
        total += file["Size"]
    return total


def _manifest(folder: Path) -> Mapping[str, Any]:
    path = folder / _MANIFEST
    try:
        raw = path.read_bytes()
        last = _LAST.search(raw)
        if last is None or hashlib.sha256(raw[: last.start()]).hexdigest().encode() != last[1]:
            raise InvalidInput(f"{path} is damaged or incomplete: this copy cannot be restored, take another one")
        document: Mapping[str, Any] = orjson.loads(raw)
    except OSError as error:
        raise InvalidInput(f"{folder} is no copy that `precis backup` made: {error.strerror}") from error
    return document


def _path_of(file: Mapping[str, Any]) -> str:
    path = file["Path"] if "Path" in file else bytes.fromhex(file["Encoded-Path"]).decode("utf-8", "surrogateescape")
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise InvalidInput("the manifest of this copy names a file outside it")
    return str(path)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _place(written: str) -> int:
    """A place in the log: "0/5000028"."""
    high, _, low = written.partition("/")
    return (int(high, 16) << 32) + int(low, 16)


def _segment(start: str) -> str:
    high, _, low = start.partition("/")
    return f"{int(high, 16):08X}{int(low, 16) // _SEGMENT:08X}"


_LOST = (
    "this copy has users whom nobody forgot and who are not in the newer database, and the key that opens theirs was "
    "erased when somebody else was forgotten: restore with the keys of that day, by --keys-from"
)
#: The wrapped data keys of users, by tenant.
Wrapped = Mapping[str, Sequence[Row]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """What became of the data keys of a copy."""

    rewrapped: int = 0
    #: Of users who were forgotten since.
    destroyed: int = 0
    #: Tenants that have keys here and of whom the copy knows nothing: they came after it.
    missing_tenants: tuple[str, ...] = ()


async def read_wrapped(owner_dsn: str) -> Wrapped:
    """Every data key of a database; of one without tables none."""
    async with await Connection.connect(owner_dsn, row_factory=dict_row) as connection:
        try:
            tenants = [row["tenant_id"] for row in await Tx(connection, "").all("list_tenants")]
        except UndefinedTable:
            return {}
        return {tenant_id: await Tx(connection, tenant_id).all("all_user_keys") for tenant_id in tenants}


async def prove_log(owner_dsn: str, log: ForgottenLog) -> None:
    """Raise ConfigurationError where the log lacks what a copy has heard of it: its start would be refused."""
    async with await Connection.connect(owner_dsn, row_factory=dict_row) as connection:
        try:
            tenants = [row["tenant_id"] for row in await Tx(connection, "").all("list_tenants")]
            marks = {name: await Tx(connection, name).one("read_mark", receipt_id=log.mark) for name in tenants}
        except UndefinedTable:
            return
    for tenant_id, row in marks.items():
        await asyncio.to_thread(log.prove, tenant_id, signed=0, heard=None if row is None else Mark(**row["body"]))


def closed(wrapped: Wrapped, keyring: Keyring) -> set[str]:
    """Tenants of whom the key folder does not open every data key. Raises ConfigurationError without their files."""
    opened = {tenant_id: keyring.open_tenant(tenant_id, create=False) for tenant_id, rows in wrapped.items() if rows}
    return {
        tenant_id for tenant_id, keys in opened.items()
        if not all(map(keys.has, {row["key_version"] for row in wrapped[tenant_id]}))
    }  # fmt: skip


async def rewrap(
    owner_dsn: str, tenants: set[str], newest: Wrapped, keyring: Keyring, log: ForgottenLog
) -> Opened:  # fmt: skip
    """Take over the newest wrappings, and drop the keys of users who were forgotten.

    Raises ConfigurationError where the newest are no better, or lack a user whom nobody forgot.
    """
    if lacking := sorted(tenants - set(newest) | closed(newest, keyring) & tenants):
        raise ConfigurationError(
            f"the keys of tenant {lacking[0]!r} that open this copy were erased when a user was forgotten, and there "
            "is no newer database to take the others' from: restore with the keys of that day, by --keys-from"
        )
    rewrapped = destroyed = 0
    async with await Connection.connect(owner_dsn, row_factory=dict_row) as connection:
        for tenant_id in sorted(tenants):
            tx = Tx(connection, tenant_id)
            before = {row["user_ref"] for row in await tx.all("all_user_keys")}
            latest = {row["user_ref"]: row for row in newest[tenant_id] if row["user_ref"] in before}
            lost = before - set(latest)
            if lost - {entry.user for entry in entries(log, tenant_id)}:
                raise ConfigurationError(_LOST)
            await tx.many("rewrap_user_key", list(latest.values()))
            await tx.run("delete_user_keys", refs=sorted(lost))
            rewrapped, destroyed = rewrapped + len(latest), destroyed + len(lost)
    return Opened(rewrapped=rewrapped, destroyed=destroyed)
