"""A Python that has read precis already and forks for each command, since reading it takes longer than most verbs.

``python warm.py SOCKET`` serves. Each command is a process of its own with the folder, the environment and the files of
whoever asked for it, who may be the shell script that ``write_command`` writes. ``run_warm`` asks for a verb and waits.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import importlib
import json
import os
import pkgutil
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_CLIENT = '''\
#!{python} -ISE
"""Stands for the command `precis`: a warm process runs it, with the files of this one."""
import json, os, signal, socket, sys

line = socket.socket(socket.AF_UNIX)
line.connect({socket!r})
request = json.dumps({{"argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ)}}).encode()
socket.send_fds(line, [b"%12d" % len(request)], [0, 1, 2])
line.sendall(request)
answers = line.makefile()
process = int(answers.readline())
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, frame: os.kill(process, number))
sys.exit(int(answers.readline()))
'''


def write_command(path: Path, *, served_at: Path) -> None:
    """Write the executable that a shell finds under the name ``precis``."""
    path.write_text(_CLIENT.format(python=sys.executable, socket=str(served_at)))
    path.chmod(0o755)


#: What precis or a page imports once it needs it.
_READ_EARLY = (
    "agent_memory_client", "chromadb", "genai_prices", "openai", "openai.resources.chat", "openai.resources.embeddings",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Running:
    """A command that a warm process was asked for."""

    line: socket.socket

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended; past the timeout it is killed. Raises TimeoutError."""
        with self.line:
            self.line.settimeout(timeout)
            process = b""
            try:
                while not process.endswith(b"\n"):
                    process += self.line.recv(1)
                with self.line.makefile() as answers:
                    return int(answers.read())
            except TimeoutError:
                os.kill(int(process), signal.SIGKILL)
                raise


def start(request: Mapping[str, Any], files: Sequence[int], *, served_at: Path) -> Running:
    """Start a Python program: its text as ``program``, with ``name``, ``cwd`` and ``env``, and these three files."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(str(served_at))
    body = json.dumps(request).encode()
    socket.send_fds(line, [b"%12d" % len(body)], list(files))
    line.sendall(body)
    return Running(line=line)


def start_server(address: Path, env: Mapping[str, str]) -> subprocess.Popen[str]:
    """A warm precis that answers at this address; whoever starts it ends it."""
    command = [sys.executable, __file__, str(address)]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@cache
def _server() -> Path:
    """Where the warm precis answers that lives as long as this process."""
    folder = Path(tempfile.mkdtemp(prefix="precis-warm-"))
    # The width of a terminal is the business of each command.
    process = start_server(folder / "socket", {name: value for name, value in os.environ.items() if name != "COLUMNS"})

    def end() -> None:
        process.kill()
        process.communicate()
        shutil.rmtree(folder)

    atexit.register(end)
    return folder / "socket"


def run_warm(arguments: Sequence[str], *, env: Mapping[str, str], timeout: float) -> subprocess.CompletedProcess[str]:
    """Run a verb to its end, with nothing to read; what it prints is kept as a pipe would keep it."""
    request = {"argv": list(arguments), "cwd": str(Path.cwd()), "env": dict(env)}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, Path(os.devnull).open() as nothing:
        running = start(request, (nothing.fileno(), out.fileno(), err.fileno()), served_at=_server())
        code = running.wait(timeout)
        for file in (out, err):
            file.seek(0)
        printed = [file.read().decode() for file in (out, err)]
    return subprocess.CompletedProcess(["precis", *arguments], code, *printed)


def _read_precis() -> None:
    """Import what verbs and examples import, and load the tables that they read."""
    import precis  # noqa: PLC0415 - the client must stay quick
    import precis.cli  # noqa: PLC0415

    for module in pkgutil.iter_modules(precis.cli.__path__):
        if module.name != "__main__":
            importlib.import_module(f"precis.cli.{module.name}")
    for name in (*_READ_EARLY, "precis.bootstrap", "precis.rest.server", "precis.testing.model_server"):
        importlib.import_module(name)
    # Embeds, counts tokens and reads words, so that the tables behind all three are in memory.
    asyncio.run(precis.summarize(["Ana moved to Lisbon in 2021.", "She lives near the river."], max_words=10))
    gc.collect()
    gc.freeze()


def _run(request: dict[str, Any]) -> None:
    """Be the command: a verb of precis, or a Python program."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    if "program" in request:
        sys.argv = [request["name"]]
        sys.path.insert(0, "")
        exec(compile(request["program"], request["name"], "exec"), {"__name__": "__main__"})  # noqa: S102 - our page
        return
    from precis.cli import main  # noqa: PLC0415 - imported already

    sys.argv = ["precis", *request["argv"]]
    main()


def _become(request: dict[str, Any], files: list[int]) -> None:
    """In a fresh process: take the files over, run, and leave as Python leaves."""
    for number, descriptor in enumerate(files):
        os.dup2(descriptor, number)
    os.closerange(3, max(files) + 1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code: Any = 0
    try:
        _run(request)
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001 - as Python does at the end of a program
        traceback.print_exc()
        code = 1
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _attend(line: socket.socket) -> None:
    """In a process beside the command's: start it, tell its number, wait for its end and tell that."""
    head, files, _, _ = socket.recv_fds(line, 12, 3)
    size, body = int(head), b""
    while len(body) < size:
        body += line.recv(size - len(body))
    command = os.fork()
    if command == 0:
        line.close()
        _become(json.loads(body), files)
    for descriptor in files:
        os.close(descriptor)
    line.sendall(b"%d\n" % command)
    _, status = os.waitpid(command, 0)
    code = os.waitstatus_to_exitcode(status)
    with suppress(OSError):
        line.sendall(b"%d\n" % (code if code >= 0 else 128 - code))


def _forget_ended() -> None:
    """Let go of the processes beside commands that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def serve(path: str) -> None:
    """Answer until the process that started us closes our input or ends us."""
    _read_precis()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(64)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        line, _ = listening.accept()
        _forget_ended()
        if os.fork() == 0:
            listening.close()
            _attend(line)
            os._exit(0)
        line.close()


if __name__ == "__main__":
    serve(sys.argv[1])
