"""A Python that has read precis already and forks for each command, since reading it takes longer than most verbs.

``python warm.py SOCKET`` serves. Each command is a process of its own with the folder, the environment and the files of
whoever asked for it, who may be the shell script that ``write_command`` writes. ``run_warm`` asks for a verb and waits.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, TextIO

_CLIENT = '''\
#!{python} -ISE
"""Stands for the command `precis`: a warm process runs it, with the files of this one."""
import json, os, signal, socket, sys, time

line = socket.socket(socket.AF_UNIX)
deadline = time.monotonic() + 600
while line.connect_ex({socket!r}):
    if time.monotonic() > deadline:
        sys.exit("the warm process does not answer")
    time.sleep(0.05)
request = dict(argv=sys.argv[{skipped}:], cwd=os.getcwd(), env=dict(os.environ), stand_in=os.getpid())
request = json.dumps(request).encode()
socket.send_fds(line, [b"%12d" % len(request)], [0, 1, 2])
line.sendall(request)
answers = line.makefile()
process = int(answers.readline())
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, frame: os.kill(process, number))
code = int(answers.readline())
sys.exit(code if code >= 0 else 128 - code)
'''


#: What it does before, where it stands for the Python of a server, which may start more than its worker.
_WORKER_ONLY = """\
import os, sys
if sys.argv[1:4] != ["-m", "precis", "worker"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
"""


def write_command(path: Path, *, served_at: Path) -> None:
    """Write the executable that a shell finds under the name ``precis``."""
    path.write_text(_CLIENT.format(python=sys.executable, socket=str(served_at), skipped=1))
    path.chmod(0o755)


def _write_python(path: Path, *, served_at: Path) -> None:
    """Write what a server starts its worker with: a Python that has read precis already."""
    head, _, client = _CLIENT.format(python=sys.executable, socket=str(served_at), skipped=3).partition("\n")
    path.write_text(f"{head}\n{_WORKER_ONLY.format(python=sys.executable)}{client}")
    path.chmod(0o755)


#: Seconds that whoever asks may take to say all of it.
_ASKED_WITHIN_S = 30.0
#: What precis or a page imports once it needs it.
_READ_EARLY = (
    "agent_memory_client", "chromadb", "genai_prices", "openai", "openai.resources.chat", "openai.resources.embeddings",
    "anyio._backends._asyncio", "encodings.cp437", "procrastinate.builtin_tasks", "procrastinate.worker",
    "uvicorn.lifespan.off", "uvicorn.protocols.http.httptools_impl",
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
                    code = int(answers.read())
                return code if code >= 0 else 128 - code
            except TimeoutError:
                os.kill(int(process), signal.SIGKILL)
                raise


def start(request: Mapping[str, Any], files: Sequence[int], *, served_at: Path) -> Running:
    """Start a Python program: its text as ``program``, with ``name``, ``cwd`` and ``env``, and these three files."""
    line = _connect(served_at)
    body = json.dumps(request).encode()
    socket.send_fds(line, [b"%12d" % len(body)], list(files))
    line.sendall(body)
    return Running(line=line)


def share() -> Callable[[], None]:
    """Start one for this process and those that it starts; what is answered ends it."""
    folder = Path(tempfile.mkdtemp(prefix="precis-warm-"))
    # The width of a terminal and the settings are the business of each command.
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS" and not name.startswith("PRECIS_")}
    process = subprocess.Popen([sys.executable, __file__, str(folder / "socket")], env=env)
    os.environ[_SHARED] = str(folder / "socket")
    write_command(folder / _COMMAND, served_at=folder / "socket")

    def end() -> None:
        process.kill()
        process.wait()
        shutil.rmtree(folder)

    return end


_SHARED = "WARM_PRECIS"
#: Beside its socket: what stands for the command, for whoever starts processes in a way of its own.
_COMMAND = "precis"
#: In the environment of a server whose worker is to be started as it is elsewhere.
_COLD = "COLD_WORKER"


@cache
def shared() -> Path:
    """Where the warm precis answers that was shared, or one that lives as long as this process."""
    if _SHARED not in os.environ:
        atexit.register(share())
    return Path(os.environ[_SHARED])


def command() -> str:
    """An executable that stands for ``precis``; a signal that it is sent goes on to the process that was forked."""
    return str(shared().with_name(_COMMAND))


def _connect(address: Path) -> socket.socket:
    """As soon as it answers."""
    deadline = time.monotonic() + 600
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(str(address))
        except (FileNotFoundError, ConnectionRefusedError):
            line.close()
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return line


def run_warm(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    timeout: float,
    typed: str = "",
    program: str | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a verb, or a program, to its end, with ``typed`` to read; what it prints is kept as a pipe would keep it."""
    request: dict[str, Any] = {"argv": list(arguments), "cwd": str(cwd or Path.cwd()), "env": dict(env)}
    if program is not None:
        request |= {"program": program, "name": "-c", "arguments": list(arguments)}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as read:
        read.write(typed.encode())
        read.seek(0)
        running = start(request, (read.fileno(), out.fileno(), err.fileno()), served_at=shared())
        code = running.wait(timeout)
        for file in (out, err):
            file.seek(0)
        printed = [file.read().decode() for file in (out, err)]
    return subprocess.CompletedProcess(["precis", *arguments], code, *printed)


class Forked:
    """A process that the warm one forked; it is asked for what it does as asyncio's ``Process`` is."""

    stdin: asyncio.StreamWriter | None = None
    stdout: asyncio.StreamReader | None = None
    stderr: asyncio.StreamReader | None = None
    returncode: int | None = None
    pid: int

    async def begin(self, request: Mapping[str, Any], kinds: Sequence[int | BinaryIO | None]) -> None:
        """Start it with these three files: PIPE, DEVNULL, a file, or ours."""
        self._pipes: list[asyncio.ReadTransport] = []
        ends = [await self._end(number, kind) for number, kind in enumerate(kinds)]
        running = start(request, ends, served_at=shared())
        for number, descriptor in enumerate(ends):
            if kinds[number] in (PIPE, DEVNULL):
                os.close(descriptor)
        loop = asyncio.get_running_loop()
        self._ended = loop.create_future()
        answers = running.line.makefile()
        self.pid = int(await asyncio.to_thread(answers.readline))
        # In a thread, which closes the line whenever the process ends, also after the loop did.
        Thread(target=self._watch, args=(loop, running.line, answers), daemon=True).start()

    async def _end(self, number: int, kind: int | BinaryIO | None) -> int:
        if kind == DEVNULL:
            return os.open(os.devnull, os.O_RDWR)
        if kind != PIPE:
            return number if kind is None else kind if isinstance(kind, int) else kind.fileno()
        loop = asyncio.get_running_loop()
        reading, writing = os.pipe()
        if number == 0:
            opened = await loop.connect_write_pipe(
                lambda: asyncio.streams.FlowControlMixin(loop=loop), os.fdopen(writing, "wb", 0)
            )
            self.stdin = asyncio.StreamWriter(*opened, None, loop)
            return reading
        stream = asyncio.StreamReader()
        pipe = os.fdopen(reading, "rb", 0)
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
        self._pipes.append(transport)
        setattr(self, "stdout" if number == 1 else "stderr", stream)
        return writing

    def _watch(self, loop: asyncio.AbstractEventLoop, line: socket.socket, answers: TextIO) -> None:
        with line, answers:
            self.returncode = int(answers.readline())
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._note_end)

    def _note_end(self) -> None:
        self._ended.set_result(self.returncode)
        if self.stdin is not None:
            self.stdin.close()

    async def wait(self) -> int:
        """What it exits with, or less than nothing: the number of the signal that ended it."""
        code = int(await asyncio.shield(self._ended))
        # What it has printed is read to its end, unless nobody reads it, and the pipes are closed with that.
        deadline = time.monotonic() + 1
        while not all(pipe.is_closing() for pipe in self._pipes) and time.monotonic() < deadline:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0)
        return code

    async def communicate(self) -> tuple[bytes, bytes]:
        """All that it prints, and its end."""
        if self.stdin is not None:
            self.stdin.close()
        streams = [stream.read() if stream is not None else _nothing() for stream in (self.stdout, self.stderr)]
        out, err = await asyncio.gather(*streams)
        await self.wait()
        return out, err

    def send_signal(self, number: int) -> None:
        """Unless it has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """As ``kill -9`` does."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


async def _nothing() -> bytes:
    return b""


async def fork(
    *arguments: str | Path,
    program: str | Path | None = None,
    stdin: int | BinaryIO | None = DEVNULL,
    stdout: int | BinaryIO | None = None,
    stderr: int | BinaryIO | None = None,
    env: Mapping[str, str] | None = None,
) -> Forked:
    """Start a verb of precis, a program or a script as a process of its own; it has read precis already."""
    request: dict[str, Any] = {"cwd": str(Path.cwd()), "env": dict(os.environ if env is None else env)}
    request["ignores_hangup"] = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    if program is None:
        request |= {"argv": [*map(str, arguments)]}
    else:
        text, name = (program.read_text(), str(program)) if isinstance(program, Path) else (program, "-c")
        request |= {"program": text, "name": name, "arguments": [*map(str, arguments)]}
    process = Forked()
    await process.begin(request, (stdin, stdout, stderr))
    return process


def _read_precis() -> None:
    """Import what verbs and examples import, and load the tables that they read; all of it stays."""
    gc.disable()
    import precis  # noqa: PLC0415 - the client must stay quick
    import precis.cli  # noqa: PLC0415

    for module in pkgutil.iter_modules(precis.cli.__path__):
        if module.name != "__main__":
            importlib.import_module(f"precis.cli.{module.name}")
    for name in (*_READ_EARLY, "precis.bootstrap", "precis.rest.server", "precis.testing.model_server"):
        importlib.import_module(name)
    # What each verb reads before it does anything: its options, the settings, the queries.
    with redirect_stdout(io.StringIO()), suppress(SystemExit):
        precis.cli.cli(["keys", "list", "--help"], prog_name="precis")
    precis.settings.Settings()
    precis.database.queries.every_query()
    _use_precis()
    gc.collect()
    gc.freeze()
    gc.enable()


def _use_precis() -> None:
    """Keep, find and forget something, so that what precis reads and makes at the first use is in memory.

    It is a third of what a verb computes: the tables of words, the patterns made of them, the queries.
    """
    import structlog  # noqa: PLC0415 - the client must stay quick

    from precis.bootstrap import open_runtime  # noqa: PLC0415
    from precis.settings import Settings  # noqa: PLC0415
    from rooms import new_folder, with_database  # noqa: PLC0415

    parent = new_folder()

    async def use() -> None:
        async with open_runtime(Settings(data_dir=with_database(parent / "used"))) as runtime:
            app = runtime.app("default")
            texts = ("I moved to Lisbon in 2021.", "My sister lives near the river.", "I sold my bicycle last week.")
            rows = [{"id": f"m{at}", "text": text, "user_id": "ana", "key": "home"} for at, text in enumerate(texts)]
            await app.memories.add([*rows, rows[0] | {"id": "said", "type": "message", "session_id": "talk"}])
            for question in ("Where do I live?", "When did Ana sell her bicycle, and who lives near the river?"):
                await app.recall.search(question, user_id="ana")
                await app.context.assemble(question, token_budget=200, user_id="ana")
            await app.memories.find_to_forget("Forget my bicycle.", user_id="ana")
            await app.memories.forget("m1")
            await app.memories.forget_user("ana")

    asyncio.run(use())
    structlog.reset_defaults()  # each program says how it logs
    shutil.rmtree(parent)
    parent.with_name(f"{parent.name}.owner").unlink(missing_ok=True)
    assert threading.active_count() == 1, threading.enumerate()


def _run(request: dict[str, Any]) -> None:
    """Be the command: a verb of precis, or a Python program."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    tempfile.tempdir = None
    if "stand_in" in request:
        os.getppid = lambda: _parent_of(request["stand_in"])
    if "program" in request:
        sys.argv = [request["name"], *request.get("arguments", ())]
        sys.path.insert(0, str(Path(request["name"]).parent) if Path(request["name"]).is_absolute() else "")
        code = compile(request["program"], request["name"], "exec", dont_inherit=True)
        exec(code, {"__name__": "__main__", "__file__": request["name"]})  # noqa: S102 - our page or script
        return
    from precis.cli import main  # noqa: PLC0415 - imported already

    sys.argv = ["precis", *request["argv"]]
    if request["argv"][:1] == ["serve"] and _COLD not in os.environ:
        sys.executable = request["python"]
    main()


def _parent_of(pid: int) -> int:
    """Of whoever asked, as a process knows its own parent."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 1


def _become(request: dict[str, Any], files: list[int]) -> None:
    """In a fresh process: take the files over, run, and leave as Python leaves."""
    for number, descriptor in enumerate(files):
        os.dup2(descriptor, number)
    # Also the lines to whoever asked for others.
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # A process inherits what its parent ignores.
    signal.signal(signal.SIGHUP, signal.SIG_IGN if request.get("ignores_hangup") else signal.SIG_DFL)
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


@dataclass(frozen=True, kw_only=True)
class _Command:
    """A process that was forked, and the line to whoever asked for it."""

    process: int
    #: Readable once it has ended.
    ended: int
    line: socket.socket
    #: Whoever asked stands for it, and is killed in its place.
    stands_in: bool


def _start(line: socket.socket, python: str) -> _Command:
    """Fork a process for what the line asks for, and tell its number. Raises OSError, ValueError: who asked is gone."""
    line.settimeout(_ASKED_WITHIN_S)
    head, files, _, _ = socket.recv_fds(line, 12, 3)
    try:
        size, body = int(head), b""
        while len(body) < size:
            part = line.recv(size - len(body))
            if not part:
                raise ConnectionAbortedError
            body += part
        request = json.loads(body) | {"python": python}
        process = os.fork()
        if process == 0:
            _become(request, files)
    finally:
        for descriptor in files:
            os.close(descriptor)
    with suppress(OSError):
        line.sendall(b"%d\n" % process)
    return _Command(process=process, ended=os.pidfd_open(process), line=line, stands_in="stand_in" in request)


def _finish(command: _Command) -> None:
    """Tell how it ended."""
    os.close(command.ended)
    _, status = os.waitpid(command.process, 0)
    with command.line, suppress(OSError):
        command.line.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


class _Commands:
    """The lines that ask, and the processes that run: one process attends to all of them."""

    def __init__(self, listening: socket.socket, python: str) -> None:
        self._listening, self._python = listening, python
        self._selector = selectors.DefaultSelector()
        self._selector.register(listening, selectors.EVENT_READ, self._accept)

    def attend(self) -> None:
        """For ever."""
        while True:
            for key, _ in self._selector.select():
                # What stood for a command may have gone together with it.
                if key.fileobj in self._selector.get_map():
                    key.data()

    def _accept(self) -> None:
        line, _ = self._listening.accept()
        self._selector.register(line, selectors.EVENT_READ, partial(self._begin, line))

    def _begin(self, line: socket.socket) -> None:
        self._selector.unregister(line)
        try:
            command = _start(line, self._python)
        except (OSError, ValueError):
            line.close()
            return
        self._selector.register(command.ended, selectors.EVENT_READ, partial(self._end, command))
        if command.stands_in:
            # Who stands for it says no more: the line is readable once that process has been killed.
            self._selector.register(line, selectors.EVENT_READ, partial(self._kill, command))

    def _kill(self, command: _Command) -> None:
        self._selector.unregister(command.line)
        signal.pidfd_send_signal(command.ended, signal.SIGKILL)

    def _end(self, command: _Command) -> None:
        self._selector.unregister(command.ended)
        if command.line in self._selector.get_map():
            self._selector.unregister(command.line)
        _finish(command)


def serve(path: str) -> None:
    """Answer until the process that started us closes our input or ends us."""
    _read_precis()
    python = f"{path}-python"
    _write_python(Path(python), served_at=Path(path))
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(64)
    _Commands(listening, python).attend()


if __name__ == "__main__":
    serve(sys.argv[1])
