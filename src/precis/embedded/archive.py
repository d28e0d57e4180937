"""The folder that a server copies its write-ahead log to, so that a copy can be restored to a point in time.

``DATA_DIR/wal-archive`` names it. The server packs each file of the log as soon as it is full, or after five minutes;
a name that lies there without ``.new`` is complete and on the disk.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

from precis.embedded.account import first_blocked, top_down
from precis.embedded.place import Place
from precis.errors import ConfigurationError

#: The file in a data folder that names it.
MARKER = "wal-archive"
#: These mean something to the shell, to the server's settings, or to both.
_REFUSED = frozenset("'\"\\%$`\n")
#: %p is the file, %f its name. What is there already has to be the same: after a crash the server asks twice.
_ARCHIVE = (
    'f="{folder}/%f.gz"; if test -f "$f"; then gzip -dc "$f" | cmp -s - "%p"; else gzip -1c "%p" >"$f.new" '
    '&& sync "$f.new" && mv "$f.new" "$f" && sync "{folder}"; fi'
)
_SETTINGS = """\
archive_mode = on
archive_timeout = 300s
archive_command = '{command}'
"""


def archive_of(place: Place) -> Path | None:
    """Where the log of this database is copied to; None where it is not."""
    try:
        return Path((place.folder / MARKER).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def set_archive(place: Place, folder: Path | None) -> None:
    """Copy the log there from the server's next start on; None: no longer. Raises ConfigurationError."""
    marker = place.folder / MARKER
    if folder is None:
        marker.unlink(missing_ok=True)
        return
    _refuse_odd(folder)
    if not folder.exists():
        folder.mkdir(mode=0o700)
        place.account.give(folder)
    blocked = first_blocked(place.account, [*top_down(folder)])
    if blocked:
        message = f"the database's user {place.account.name!r} may not pass through {blocked}: name another folder"
        raise ConfigurationError(message)
    fresh = marker.with_suffix(".new")
    fresh.write_text(str(folder), encoding="utf-8")
    fresh.replace(marker)


def archive_settings(place: Place) -> str:
    """The lines of the server's settings that have its log copied."""
    folder = archive_of(place)
    return _SETTINGS.format(command=_ARCHIVE.format(folder=folder)) if folder else ""


def fetch_command(*folders: Path) -> str:
    """What a server that recovers asks for a file of the log: the archive, or else a folder that has it unpacked."""
    archive, *others = folders
    for folder in folders:
        _refuse_odd(folder)
    return " || ".join([f'gzip -dc "{archive}/%f.gz" >"%p"', *(f'cp "{folder}/%f" "%p"' for folder in others)])


def keep_history(archive: Path, log: Path) -> None:
    """Tell the archive where a restored log branched off: the next restore follows this branch."""
    for path in log.glob("*.history"):
        target = archive / f"{path.name}.gz"
        if not target.exists():
            fresh = target.with_suffix(".gz.new")
            fresh.write_bytes(gzip.compress(path.read_bytes()))
            fresh.chmod(0o600)
            os.chown(fresh, path.stat().st_uid, path.stat().st_gid)
            fresh.replace(target)


def _refuse_odd(folder: Path) -> None:
    if _REFUSED & set(str(folder)):
        raise ConfigurationError(f"the name of the folder {folder} has a quote, a backslash, % or $: name another one")
