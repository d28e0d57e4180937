"""Several processes share the tests: ``pytest --processes 4``.

The tests are collected once, and each process is a fork that has read them, and precis, already: reading both takes
longer than a thousand tests. A file belongs to the process that asks for it, so that a process sets up once what the
tests of a file share.
"""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import random
import socket
import struct
import tempfile
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest
from _pytest.capture import FDCapture

import precis
from rooms import empty_database

#: What goes to a process to end it: no file has this number.
_END = -1


@dataclass(kw_only=True)
class _Process:
    """One that was forked, as the process that forked it knows it."""

    pid: int
    line: Connection
    #: Of the files that it was given, the tests that have not ended, in their order.
    waiting: deque[pytest.Item] = field(default_factory=deque)


def run(session: pytest.Session, count: int) -> None:
    """Run all tests of the session in so many processes, and report them here."""
    files = [list(items) for _, items in groupby(session.items, key=lambda item: item.path)]
    _get_ready(session.config)
    numbers = iter(range(len(files)))
    processes = [_fork(session, files) for _ in range(min(count, len(files)))]
    running = {process.line: process for process in processes}
    while running:
        for line in wait([*running]):
            process = running[line]  # type: ignore[index]
            if not _attend(session, process, files, numbers):
                del running[process.line]
    codes = [os.waitstatus_to_exitcode(os.waitpid(process.pid, 0)[1]) for process in processes]
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if any(codes):
        raise session.Failed(f"processes of the tests ended with {codes}")


def _get_ready(config: pytest.Config) -> None:
    """Do once what each process would do else."""
    # Embeds, counts tokens and reads words, so that the tables behind all three are in memory.
    asyncio.run(precis.summarize(["Ana moved to Lisbon in 2021.", "She lives near the river."], max_words=10))
    empty_database()
    # The folder of `tmp_path`: each process would make one of its own.
    config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    gc.collect()
    gc.freeze()


def _attend(
    session: pytest.Session, process: _Process, files: Sequence[list[pytest.Item]], numbers: Iterator[int]
) -> bool:
    """Do what the process asks for, once; whether it goes on."""
    try:
        kind, value = pickle.loads(process.line.recv_bytes())  # noqa: S301 - what our own fork wrote
    except EOFError:
        _report_lost(session.config, process)
        return False
    if kind == "next":
        number = _END if session.shouldfail or session.shouldstop else next(numbers, _END)
        process.line.send_bytes(struct.pack("i", number))
        process.waiting += files[number] if number != _END else ()
    elif kind == "report":
        report = session.config.hook.pytest_report_from_serializable(config=session.config, data=value)
        session.config.hook.pytest_runtest_logreport(report=report)
    else:
        item = process.waiting.popleft()
        session.config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _report_lost(config: pytest.Config, process: _Process) -> None:
    """Where a process ended before its tests did, each of these has failed."""
    for item in process.waiting:
        report = pytest.TestReport(
            item.nodeid, item.location, {}, "failed", "the process of this test died, in it or in one before", "call"
        )
        config.hook.pytest_runtest_logreport(report=report)


def _fork(session: pytest.Session, files: Sequence[list[pytest.Item]]) -> _Process:
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid:
        theirs.close()
        return _Process(pid=pid, line=Connection(ours.detach()))
    ours.close()
    code = 1
    try:
        _be_forked(session, files, Connection(theirs.detach()))
        code = 0
    except (EOFError, ConnectionError):  # the one that forked it has ended
        pass
    except BaseException:  # noqa: BLE001 - whatever it is, it ends this process and not the one that forked it
        traceback.print_exc()
    finally:
        os._exit(code)


def _be_forked(session: pytest.Session, files: Sequence[list[pytest.Item]], line: Connection) -> None:
    """In a fresh process: run file after file, and report to the process that forked this one."""
    random.seed()
    plugins = session.config.pluginmanager
    plugins.unregister(name="terminalreporter")
    plugins.register(_Sending(session.config, line))
    _capture_apart(plugins.getplugin("capturemanager"))
    following = _next(files, line)
    while items := following:
        for item, after in zip(items, [*items[1:], None], strict=True):
            if after is None:
                following = _next(files, line)
            nextitem = after or next(iter(following), None)
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
            _send(line, "ended", None)


def _capture_apart(capturing: Any) -> None:
    """What is printed goes into files that a fork shares with the others: others take their place.

    They are not closed, since what was imported may hold them as its standard output.
    """
    streams = capturing._global_capturing
    for stream in (streams.out, streams.err):
        if isinstance(stream, FDCapture):
            with tempfile.TemporaryFile(buffering=0) as fresh:
                os.dup2(fresh.fileno(), stream.tmpfile.fileno(), inheritable=False)


def _next(files: Sequence[list[pytest.Item]], line: Connection) -> list[pytest.Item]:
    """The tests of the next file, which no other process runs; none at the end."""
    _send(line, "next", None)
    (number,) = struct.unpack("i", line.recv_bytes())
    return files[number] if number != _END else []


def _send(line: Connection, kind: str, value: Any) -> None:
    line.send_bytes(pickle.dumps((kind, value)))


class _Sending:
    """Passes reports on."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config = config
        self._line = line

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What a test came to."""
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        _send(self._line, "report", data)
