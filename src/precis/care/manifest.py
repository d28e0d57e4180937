"""What a copy of a database is made of, and whether all of it is there: PostgreSQL's own manifest, read here.

``backup_manifest`` lists every file with its size and SHA-256, and ends with the SHA-256 of itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from precis.errors import InvalidInput

_MANIFEST, _LABEL = "backup_manifest", "precis.json"
#: The last line of a manifest, which its checksum does not cover.
_LAST = re.compile(rb'"Manifest-Checksum": "([0-9a-f]{64})"}\s*\Z')
#: A file of the log holds so many bytes.
_SEGMENT = 16 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Copy:
    """One copy of a database."""

    folder: Path
    ended_at: datetime
    #: The first file of the write-ahead log that it needs, by its name without the timeline.
    first_segment: str


def label(folder: Path, *, ended_at: datetime, release: str) -> None:
    """Note in a finished copy when it ended, and which precis took it."""
    document = {"precis": release, "ended_at": ended_at.isoformat()}
    (folder / _LABEL).write_bytes(orjson.dumps(document) + b"\n")


def read_copy(folder: Path) -> Copy:
    """The copy in a folder, by what it says of itself. Raises InvalidInput."""
    try:
        ended_at = datetime.fromisoformat(orjson.loads((folder / _LABEL).read_bytes())["ended_at"])
        starts = [parts["Start-LSN"] for parts in _manifest(folder)["WAL-Ranges"]]
        return Copy(folder=folder, ended_at=ended_at, first_segment=min(map(_segment, starts)))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"{folder} is no copy that `precis backup` made ({type(error).__name__})") from error


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


def _segment(start: str) -> str:
    high, _, low = start.partition("/")
    return f"{int(high, 16):08X}{int(low, 16) // _SEGMENT:08X}"
