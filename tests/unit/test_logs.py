"""A log tells where an error came from, and no value that was at hand there."""

from __future__ import annotations

import ast
import json
import os
import re
import select
import subprocess
import sys
import time

import pytest

#: Logs an error of a package that quotes a row, led to by one of precis, in a function that holds the row.
PROGRAM = """
import logging, sys
import structlog
from precis.errors import Conflict
from precis.logs import write_logs

write_logs(logging.INFO, sys.argv[1])

def write(text):
    try:
        raise Conflict("memory 'm1' exists with other content")
    except Conflict:
        raise ExceptionGroup("some", [ValueError(f"invalid input syntax: {text}")])

try:
    write("zq" + "canary")
except ExceptionGroup:
    structlog.get_logger().exception("ours")
    logging.getLogger("of.a.package").exception("theirs")
"""


@pytest.mark.parametrize("log_format", ["console", "json"])
def test_a_stack_holds_no_value(log_format: str) -> None:
    """Neither those of variables nor the message of an error that precis did not word."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, log_format], capture_output=True, text=True, check=True)
    assert "zqcanary" not in done.stderr
    assert 2 == done.stderr.count("precis.errors.Conflict: memory 'm1' exists with other content")
    assert 2 == done.stderr.count("builtins.ValueError")
    assert done.stderr.count("in write") >= 4
    if log_format == "json":
        events = [json.loads(line) for line in done.stderr.splitlines()]
        assert ["ours", "theirs"] == [event["event"] for event in events]


#: Logs what a full disk of the database leads to.
FULL = """
import logging, sys
from psycopg.errors import DiskFull
from precis.logs import write_logs

write_logs(logging.INFO, "console")
try:
    try:
        raise DiskFull("zq" + "canary")
    except DiskFull as error:
        raise RuntimeError("a job") from error
except RuntimeError:
    logging.getLogger("of.a.package").exception("ended")
"""


def test_a_full_disk_is_no_stack() -> None:
    """A worker tries again every few seconds."""
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=True)
    assert len(done.stderr.splitlines()) == 2
    assert done.stderr.endswith("psycopg.errors.DiskFull (53100)\n")


#: Ends badly in each way there is, with a message that quotes what no line of it says: some Pythons show the lines.
CRASHES = """
import asyncio, logging, threading
from precis.logs import write_logs

write_logs(logging.INFO, "json")

class Left:
    def __del__(self):
        raise ValueError("zq" + "canary")

async def forgotten():
    raise ValueError("zq" + "canary")

async def main():
    task = asyncio.create_task(forgotten())
    await asyncio.sleep(0)
    del task

def fail():
    raise ValueError("zq" + "canary")

asyncio.run(main())
thread = threading.Thread(target=fail)
thread.start()
thread.join()
Left()
fail()
"""


def test_a_crash_is_a_line_like_any_other() -> None:
    """Of a task that nobody waits for, a thread, what is cleared away, and the process; without the message."""
    done = subprocess.run([sys.executable, "-c", CRASHES], capture_output=True, text=True, check=False)
    assert 1 == done.returncode
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert ["Task exception was never retrieved", "crashed", "crashed", "crashed"] == [each["event"] for each in events]
    assert all("builtins.ValueError" in each["exception"] for each in events)
    assert "zqcanary" not in done.stderr


#: Answers a request; what it does is logged by precis, by a package, and by a task that goes on after the answer.
SERVED = """
import asyncio, logging
import structlog
from precis.logs import write_logs
from precis.rest.http import Access

write_logs(logging.INFO, "json")
later = []

async def after():
    structlog.get_logger().info("after")

async def answer(scope, receive, send):
    structlog.get_logger().info("ours")
    logging.getLogger("of.a.package").warning("theirs")
    later.append(asyncio.create_task(after()))
    await send({"type": "http.response.start", "status": 200, "headers": []})

async def main():
    sent = []
    async def send(message):
        sent.append(message)
    await Access(answer)({"type": "http", "method": "GET", "headers": []}, None, send)
    await later[0]
    structlog.get_logger().info("outside")
    print(dict(sent[0]["headers"])[b"x-request-id"].decode())

asyncio.run(main())
"""


def test_every_line_of_a_request_names_it() -> None:
    """By the id in the header of its answer; a line outside of requests names none."""
    done = subprocess.run([sys.executable, "-c", SERVED], capture_output=True, text=True, check=True)
    lines = {line["event"]: line for line in map(json.loads, done.stderr.splitlines())}
    assert set(lines) == {"ours", "theirs", "after", "request", "outside"}
    named = {event: line.get("request_id", line.get("id")) for event, line in lines.items()}
    request_id = done.stdout.strip()
    assert named == {**dict.fromkeys(["ours", "theirs", "after", "request"], request_id), "outside": None}


#: Logs in each of the ways there are, to a stderr that tells what was written to it at once.
WRITES = """
import io, logging, sys
import structlog
from precis.logs import tells_in_json, write_logs

class Recording(io.StringIO):
    writes = []

    def write(self, text):
        self.writes.append(text)
        return super().write(text)

sys.stderr = Recording()
write_logs(logging.INFO, "json")
structlog.get_logger().info("ours")
logging.getLogger("of.a.package").info("theirs")
tells_in_json("spoken", "info")
print(repr(Recording.writes))
"""


def test_a_line_is_one_write() -> None:
    """Several processes write to one stderr; with PYTHONUNBUFFERED each write goes out by itself."""
    done = subprocess.run([sys.executable, "-c", WRITES], capture_output=True, text=True, check=True)
    writes = ast.literal_eval(done.stdout)
    assert ["ours", "theirs", "spoken"] == [json.loads(line)["event"] for line in writes]
    assert all(line.endswith("\n") for line in writes)


#: Logs stacks of a hundred calls, which are longer than what a pipe takes at once.
STACKS = """
import structlog
from precis.logs import tells_in_json, write_logs

write_logs(20, "json")
calls = "".join(f"def call_number_{at}():\\n    return call_number_{at + 1}()\\n" for at in range(100))
exec(calls + "def call_number_100():\\n    raise ValueError\\n")
for _ in range(40):
    try:
        call_number_0()
    except ValueError:
        structlog.get_logger().exception("failed", at=1)
    tells_in_json("spoken", "info", error="first " + "\u00e4" * 9000 + " last")
"""


def test_long_lines_of_two_processes_do_not_mix() -> None:
    """In a pipe that is read slowly each stays whole: of a long text the middle is left out."""
    reading, writing = os.pipe()
    processes = [subprocess.Popen([sys.executable, "-c", STACKS], stderr=writing) for _ in range(2)]
    os.close(writing)
    content = b""
    while piece := os.read(reading, 2_000):
        content += piece
        time.sleep(0.0005)
    os.close(reading)
    assert [0, 0] == [process.wait() for process in processes]
    events = [json.loads(line) for line in content.splitlines()]
    assert 160 == len(events)
    assert all("call_number_0" in event["exception"] for event in events if event["event"] == "failed")
    assert all(event["exception"].endswith("builtins.ValueError") for event in events if event["event"] == "failed")
    assert all(re.fullmatch("first .* last", event["error"]) for event in events if event["event"] == "spoken")
    assert max(map(len, content.splitlines())) < select.PIPE_BUF
