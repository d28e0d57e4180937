"""The worker of a server as a process of its own: started with it, started again when it died, ended with it.

Requests have the server's event loop to themselves, and the worker has another core. The worker reads from its stdin
whether requests wait, and by the end of it that the server is gone, however that ended; what it counts it writes to its
stdout, a line of JSON now and then.

While requests wait, the worker leaves most of the time to them.
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from precis import bootstrap, metrics, work
from precis.app.parts import Pressure
from precis.app.refreshing import Runs
from precis.engine.lease import Lease

_log = structlog.get_logger(__name__)
#: Seconds before a worker that ended is started again; doubled while none lives for long, at most so many.
_AGAIN_SECONDS, _LONGEST_AGAIN, _LONG_LIFE = 0.5, 30.0, 60.0
#: Seconds a worker has to end: its own grace for what it does, and the database's. Then it is killed.
_ENDING_SECONDS = 25.0
#: Seconds between two looks whether requests wait, and between two lines of figures.
_LOOK_SECONDS, _FIGURES_SECONDS = 0.1, 1.0
#: Longest line of figures, in bytes.
_LINE = 2**20
_WAITING, _NOBODY, _END = b"1", b"0", b"e"
#: Seconds between two looks whether a server that was killed is gone, and how many there are.
_GONE_SECONDS, _GONE_LOOKS = 0.02, 250


@asynccontextmanager
async def worker_beside(runtime: bootstrap.Runtime, options: Sequence[str]) -> AsyncIterator[None]:
    """A process of ``precis worker`` with these options, for the length of a block."""
    command = [sys.executable, "-m", "precis", "worker", "--beside-server", *options]
    runtime.worker_figures.awaited = True
    keeping = asyncio.create_task(_keep(command, runtime))
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})


async def _keep(command: Sequence[str], runtime: bootstrap.Runtime) -> None:
    """Have a worker until cancelled."""
    loop, pause = asyncio.get_running_loop(), _AGAIN_SECONDS
    while True:
        began = loop.time()
        # A session of its own: Ctrl-C in a terminal is meant for the server, which then ends its worker.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, limit=_LINE, start_new_session=True
        )
        works = asyncio.Event()
        hearing = _hear(process, runtime.worker_figures, works)
        try:
            async with work.alongside(_tell(process, runtime.pressure)), work.alongside(hearing):
                await process.wait()
        finally:
            await _end(process, works=works.is_set())
            runtime.worker_figures.end()
        pause = _AGAIN_SECONDS if loop.time() - began > _LONG_LIFE else min(_LONGEST_AGAIN, 2 * pause)
        _log.error("worker_ended", code=process.returncode, again_in=pause)
        await asyncio.sleep(pause)


async def _end(process: Process, *, works: bool) -> None:
    """Close its stdin, by which it ends in order; a worker that does not is killed: group rows know what is to do."""
    # A loop may refuse to write to somebody who is gone.
    if process.stdin is not None and not process.stdin.is_closing():
        process.stdin.write(_END)
        process.stdin.close()
    if not works:  # it does not read yet
        with suppress(ProcessLookupError):
            process.terminate()
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _ENDING_SECONDS)
    if process.returncode is None:
        _log.error("worker_did_not_end")
        process.kill()
        await process.wait()


async def _tell(process: Process, pressure: Pressure) -> None:
    """Tell the worker whether requests wait, whenever that changes."""
    if process.stdin is None:
        return
    written = _NOBODY
    while not process.stdin.is_closing():
        state = _WAITING if pressure.waiting else _NOBODY
        if state != written:
            process.stdin.write(state)
            written = state
        await asyncio.sleep(_LOOK_SECONDS)


async def _hear(process: Process, worker_figures: metrics.WorkerFigures, works: asyncio.Event) -> None:
    """Take the worker's figures as they come; with the first it works."""
    if process.stdout is None:
        return
    while line := await process.stdout.readline():
        with suppress(ValueError):  # the last line of a worker that was killed
            worker_figures.hear(json.loads(line))
            works.set()


# --- in the worker's process ---


async def until_server_ends(pressure: Pressure) -> None:
    """Note whether the server's requests wait, and tell it the figures, until it is gone or wants the worker to end."""
    loop, server = asyncio.get_running_loop(), os.getppid()
    reader, states = asyncio.StreamReader(), b""
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    # A pipe of its own: the loop closes it, and at its end a verb still writes out what stands in its standard output.
    figures_pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, figures_pipe)
    async with work.alongside(_write_figures(writer)):
        while piece := await reader.read(64):
            states = piece[-1:]
            pressure.waiting = int(states == _WAITING)
    if states != _END:
        await _gone(server)


async def _gone(server: int) -> None:
    """Wait until nothing is left of a server that was killed, for a while.

    The system closes its pipes and its locks in any order: whoever left the embedded database while the server still
    seemed to use it would leave it running.
    """
    for _ in range(_GONE_LOOKS):
        if os.getppid() != server and has_ended(server):
            return
        await asyncio.sleep(_GONE_SECONDS)


def has_ended(pid: int) -> bool:
    """Whether every thread of a process has: its first one may be gone, and another still hold files and locks."""
    process = Path("/proc") / str(pid)
    try:
        state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        threads = list((process / "task").iterdir())
    except OSError:
        return True
    return state in "ZX" and len(threads) == 1


async def _write_figures(writer: asyncio.WriteTransport) -> None:
    """Write what was counted, where something was; a server that does not read is not waited for."""
    written = b""
    while not writer.is_closing():
        line = json.dumps(metrics.figures()).encode() + b"\n"
        if line != written and not writer.get_write_buffer_size():
            writer.write(line)
            written = line
        await asyncio.sleep(_FIGURES_SECONDS)


#: While requests wait, a tick pauses so many times as long as a refresh took, at most so many seconds.
_PAUSES, _LONGEST_PAUSE = 4.0, 2.0


class Paced:
    """A run that leaves most of the time to requests that wait for their turn, in this process or in its server's.

    Groups wait the longer, so that one refresh does for more writes; the longest waiting is still the next.
    """

    def __init__(self, runs: Runs, pressure: Pressure) -> None:
        self._runs, self._pressure = runs, pressure
        self._since: float | None = None

    async def claim(self, tenant_id: str, *, now: datetime, lasts: timedelta) -> Lease | None:
        """The next group of the run, after a pause by how long the last one took."""
        loop = asyncio.get_running_loop()
        if self._pressure.waiting and self._since is not None:
            await asyncio.sleep(min(_LONGEST_PAUSE, _PAUSES * (loop.time() - self._since)))
        self._since = loop.time()
        return await self._runs.claim(tenant_id, now=now, lasts=lasts)
