"""A data folder with a running database, and the command line over it, each verb as a process of its own.

A room runs its verbs as processes that a warm Python forks (see ``tests/warm.py``); ``precis`` starts a fresh one.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from precis.embedded.server import EmbeddedServer, start, stop
from precis.testing.model_server import ModelServer, model_server
from rooms import new_folder, with_database
from warm import run_warm

Done = subprocess.CompletedProcess[str]
_LIMIT_S = 300.0


def environment(**more: str) -> dict[str, str]:
    """Ours without any setting of precis, wide and without colors."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PRECIS_", "SUMMARY_", "DEMO_"))}
    return clean | {"COLUMNS": "200", "NO_COLOR": "1", "PRECIS_CONFIG": "/dev/null"} | more


def precis(*arguments: str | Path, timeout: float = _LIMIT_S, **env: str) -> Done:
    """Run the command to its end, in a fresh Python."""
    command = [sys.executable, "-m", "precis.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment(**env), check=False)


def warm_precis(*arguments: str | Path, **env: str) -> Done:
    """Run the command to its end, in a process that a warm Python forks."""
    return run_warm([*map(str, arguments)], env=environment(**env), timeout=_LIMIT_S)


@dataclass(frozen=True, kw_only=True)
class Room:
    """The folder, and its server, which this process keeps up so that commands join it."""

    folder: Path
    server: EmbeddedServer

    @property
    def data_dir(self) -> Path:
        """What --data-dir names."""
        return self.folder / "data"

    def run(self, *arguments: str | Path, code: int = 0, **env: Any) -> Done:
        """Run a verb over this folder; it has to end with this code and never with a traceback."""
        done = warm_precis(*arguments, "--data-dir", self.data_dir, **env)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        return done

    def json(self, *arguments: str | Path, code: int = 0) -> Any:
        """Run a verb with --json: stdout is one document and nothing else."""
        return json.loads(self.run(*arguments, "--json", code=code).stdout)

    def write(self, name: str, rows: Sequence[dict[str, Any] | str]) -> Path:
        """A file of JSON lines; a text is written as it is."""
        path = self.folder / name
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
        return path


@contextmanager
def room() -> Iterator[Room]:
    """A room for a module of tests. The server's account must reach it, which it could not in pytest's own folder."""
    folder = new_folder("precis-cli-")
    server = asyncio.run(start(with_database(folder / "data")))
    try:
        yield Room(folder=folder, server=server)
    finally:
        asyncio.run(stop(server))
        shutil.rmtree(folder)


def one_line(done: Done) -> str:
    """The error a person sees: one line, on stderr, with nothing on stdout."""
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@contextmanager
def model_in_thread() -> Iterator[ModelServer]:
    """A model server in a thread of its own: the verb is another process."""
    started, stop, servers = threading.Event(), threading.Event(), []

    async def serve() -> None:
        async with model_server() as server:
            servers.append(server)
            started.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert started.wait(20)
        yield servers[0]
    finally:
        stop.set()
        thread.join()
