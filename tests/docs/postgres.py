"""A PostgreSQL that is nobody's: what a page means by its own server at 127.0.0.1:5432."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from precis.embedded.account import run_as
from precis.embedded.place import place_at

_LIMIT_S = 60.0


@contextmanager
def postgres(folder: Path, *, port: str) -> Iterator[None]:
    """A new server on this port of 127.0.0.1, with the superuser ``postgres``; every user may log in from here."""
    place = place_at(folder)
    db, log = str(place.db), str(place.log)
    made = run_as(
        place.account, [str(place.programs / "initdb"), "-D", db, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
    )
    assert made.returncode == 0, made.stderr
    script = '"$0" -D "$1" -p "$2" -h 127.0.0.1 -k "$1" -F >>"$3" 2>&1 &'
    run_as(place.account, ["/bin/sh", "-c", script, str(place.programs / "postgres"), db, port, log])
    pid_file = place.db / "postmaster.pid"
    process = _ready(pid_file)
    try:
        yield
    finally:
        os.kill(process, signal.SIGINT)
        # Not the process: where nobody reaps it, it stays as a zombie.
        while pid_file.exists():
            time.sleep(0.02)


def _ready(pid_file: Path) -> int:
    deadline = time.monotonic() + _LIMIT_S
    while time.monotonic() < deadline:
        lines = pid_file.read_text().splitlines() if pid_file.exists() else []
        if len(lines) > 7 and lines[7].strip() == "ready":
            return int(lines[0])
        time.sleep(0.02)
    raise TimeoutError(f"no PostgreSQL after {_LIMIT_S} seconds")
