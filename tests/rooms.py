"""Where the databases of tests lie: in memory if there is room, since none of them outlives its tests."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

#: What the databases of all processes of a run take together, with as much to spare.
_NEEDED_BYTES = 8 << 30
_MEMORY = Path("/dev/shm")  # noqa: S108 - only fresh folders in it are used


def new_folder(prefix: str = "precis-", *, on_disk: bool = False) -> Path:
    """A fresh folder under a path short enough for a socket; programs cannot be run from it.

    It is open to others only for the sake of systems that let root enter no user namespace: there the server runs as
    another account, which could not enter a private folder.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=None if on_disk or not _has_room() else _MEMORY))
    folder.chmod(0o755)
    return folder


def _has_room() -> bool:
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _NEEDED_BYTES:
        return False
    available = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    return available is not None and int(available[1]) * 1024 >= _NEEDED_BYTES
