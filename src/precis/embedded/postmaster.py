"""Whether the server of a folder truly runs: what its ``postmaster.pid`` says, held against the process it names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import make_conninfo

DATABASE = "precis"
#: Rows of postmaster.pid.
_PID, _PORT, _SOCKETS, _STATUS = 0, 3, 4, 7


@dataclass(frozen=True, kw_only=True)
class Postmaster:
    """A server process that was seen alive."""

    pid: int
    port: int
    sockets: Path
    #: Its own word: starting, ready or stopping.
    status: str

    def dsn(self, *, user: str) -> str:
        """How to connect to it."""
        return make_conninfo(host=str(self.sockets), port=self.port, dbname=DATABASE, user=user)


def find_postmaster(db: Path, uid: int) -> Postmaster | None:
    """The server that the postmaster.pid of this folder names, if that process truly is it, of that user."""
    try:
        lines = (db / "postmaster.pid").read_text().splitlines()
        postmaster = Postmaster(
            pid=int(lines[_PID]),
            port=int(lines[_PORT]),
            sockets=Path(lines[_SOCKETS]),
            status=lines[_STATUS].strip() if len(lines) > _STATUS else "starting",
        )
    except (FileNotFoundError, IndexError, ValueError):
        return None  # none, or one that is still being written
    return postmaster if serves(postmaster.pid, db, uid) else None


def serves(pid: int, db: Path, uid: int) -> bool:
    """Whether a process is alive (a zombie is not), PostgreSQL's, of this user, and on this folder."""
    process = Path("/proc") / str(pid)
    try:
        name, state = _name_and_state((process / "stat").read_text())
        arguments = (process / "cmdline").read_bytes().split(b"\0")
        owner = process.stat().st_uid
    except (FileNotFoundError, ProcessLookupError):
        return False
    alive = name == "postgres" and state not in "ZX" and owner == uid
    return alive and (os.fsencode(db) in arguments or _works_in(process, db))


def _name_and_state(stat: str) -> tuple[str, str]:
    # The name stands in parentheses and may itself hold blanks and parentheses.
    head, _, tail = stat.rpartition(")")
    return head.partition("(")[2], tail.split()[0]


def _works_in(process: Path, folder: Path) -> bool:
    try:
        return (process / "cwd").readlink() == folder
    except OSError:
        return False  # root without every right may not look; the arguments then decide alone
