"""Whatever ends a process, it ends in time and in order, and leaves no database behind."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator
from pathlib import Path

import living
import pytest

from rooms import with_database

#: How long a stop may take: the grace for requests and refreshes under way, and the database's own stop.
STOPPED_WITHIN = 40.0
EVERYBODY = "0.0.0.0"  # noqa: S104 - it is refused


@pytest.fixture(scope="module")
def folder(rooms_folder: Path) -> Path:
    """One database; each test leaves it without a server."""
    return with_database(rooms_folder / "stopped")


@pytest.fixture(autouse=True)
def _signals_arrive() -> Iterator[None]:
    """A process inherits what its parent ignores: the tests may run under nohup, the processes they stop do not."""
    numbers = (signal.SIGHUP, signal.SIGINT)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if before[number] is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number in numbers:
        signal.signal(number, before[number])


def assert_at_rest(folder: Path) -> None:
    """No process of the database is left."""
    assert living.database_processes(folder) == []
    assert not (folder / "db" / "postmaster.pid").exists()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
async def test_a_signal_takes_the_database_along(folder: Path, number: signal.Signals) -> None:
    """A server and a worker, each alone on the folder; a terminal that closes may send its signal twice."""
    server = await living.serve(folder)
    for _ in range(2 if number == signal.SIGHUP else 1):
        server.process.send_signal(number)
        await asyncio.sleep(0.01)
    assert await asyncio.wait_for(server.process.wait(), STOPPED_WITHIN) == 0
    assert_at_rest(folder)
    worker = await living.begin("worker", "--data-dir", folder, stderr=PIPE)
    assert worker.stderr is not None
    assert b"precis works" in await asyncio.wait_for(worker.stderr.readline(), 60)
    worker.send_signal(number)
    assert await asyncio.wait_for(worker.wait(), STOPPED_WITHIN) == 0
    assert_at_rest(folder)


@pytest.mark.parametrize("seconds", [0.7, 1.5, 2.5])
async def test_a_signal_while_it_starts(folder: Path, seconds: float) -> None:
    """Wherever it is by then: still opening the database, connecting its worker, or serving."""
    process = await living.begin("serve", "--data-dir", folder, "--port", "0", stderr=PIPE)
    await asyncio.sleep(seconds)
    process.send_signal(signal.SIGTERM)
    _, printed = await asyncio.wait_for(process.communicate(), STOPPED_WITHIN)
    assert process.returncode in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
    assert b"Traceback" not in printed
    # Before precis listens for signals the system ends it, and nothing was opened.
    assert_at_rest(folder)


@pytest.mark.parametrize("run", range(3))
async def test_serving_everybody_without_keys_is_refused(folder: Path, run: int) -> None:
    """Each time, in one line, and the process ends."""
    process = await living.begin("serve", "--data-dir", folder, "--host", EVERYBODY, "--port", "0", stderr=PIPE)
    _, printed = await asyncio.wait_for(process.communicate(), STOPPED_WITHIN)
    assert process.returncode == 2, run
    (line,) = printed.decode().splitlines()
    assert line.startswith("precis: without keys precis listens on this computer only")
    assert_at_rest(folder)


@pytest.mark.parametrize("verb", ["serve", "worker"])
async def test_a_stop_while_the_database_is_away(folder: Path, verb: str) -> None:
    """The database is dead and cannot start: what cannot be given back is left, and the process ends."""
    process = await living.begin(verb, "--data-dir", folder, *(["--port", "0"] if verb == "serve" else []), stderr=PIPE)
    assert process.stderr is not None
    while not (line := await asyncio.wait_for(process.stderr.readline(), 60)).startswith(
        (b"precis serves", b"precis works")
    ):
        assert line, "it has ended"
    await asyncio.sleep(1)
    control = folder / "db" / "global" / "pg_control"
    control.rename(control.with_suffix(".away"))
    try:
        living.kill(living.database_processes(folder))
        await asyncio.sleep(6)
        process.send_signal(signal.SIGTERM)
        _, printed = await asyncio.wait_for(process.communicate(), STOPPED_WITHIN)
    finally:
        control.with_suffix(".away").rename(control)
    assert process.returncode == 0, printed.decode()


async def test_an_interrupted_import_says_nothing_more(folder: Path, tmp_path: Path) -> None:
    """Ctrl-C in the middle: at most a line, exit code 130, and what was written before stays readable."""
    file = tmp_path / "many.jsonl"
    rows = [
        {"id": f"i{n}", "user_id": f"u{n % 40}", "text": f"Nora mended clock {n} of shop {n % 7}."} for n in range(4000)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for seconds in (0.0, 0.5):
        process = await living.begin("import", file, "--data-dir", folder, "--batch", "50", stderr=PIPE)
        await living.is_served(folder)
        await asyncio.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, printed = await asyncio.wait_for(process.communicate(), STOPPED_WITHIN)
        assert process.returncode == 130
        assert printed == b"" or (printed.startswith(b"Interrupted: ") and printed.count(b"\n") == 1)
        assert_at_rest(folder)


@pytest.mark.parametrize("module", ["typer", "precis.memory"])
async def test_interrupted_while_it_is_read(folder: Path, module: str) -> None:
    """Ctrl-C before the verb listens for signals: the same, as soon as Python has begun with precis."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-X", "importtime", "-m", "precis", "plan", "--data-dir", folder, stderr=PIPE, stdout=DEVNULL,
        env=living.environment(),
    )  # fmt: skip
    assert process.stderr is not None
    while not (line := await asyncio.wait_for(process.stderr.readline(), 60)).rstrip().endswith(module.encode()):
        assert line, "it has ended"
    process.send_signal(signal.SIGINT)
    _, printed = await asyncio.wait_for(process.communicate(), STOPPED_WITHIN)
    assert process.returncode == 130
    assert all(line.startswith(b"import time:") for line in printed.splitlines())


async def test_every_line_of_the_log_is_json(folder: Path) -> None:
    """With PRECIS_LOG_FORMAT=json: the address, requests, a killed database, the stop; also why a verb ended."""
    env = {"PRECIS_LOG_FORMAT": "json", "PRECIS_LOG_LEVEL": "info"}
    process = await living.begin("serve", "--data-dir", folder, "--port", "0", stderr=PIPE, **env)
    assert process.stderr is not None
    lines = []
    while b"127.0.0.1" not in (line := await asyncio.wait_for(process.stderr.readline(), 60)):
        lines.append(line)
    lines.append(line)
    reader = asyncio.create_task(process.stderr.read())
    client = living.Serving(process=process, url=json.loads(line)["url"]).client()
    async with client:
        for path in ("/healthz", "/v1/memories/none", "/nowhere"):
            await client.get(path)
        await client.post("/v1/memories", content=b"{")
        living.kill([living.postmaster(folder)])
        for _ in range(10):
            await client.get("/readyz")
            await asyncio.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    lines += (await asyncio.wait_for(reader, STOPPED_WITHIN)).splitlines()
    await process.wait()
    refused = await living.begin("serve", "--host", EVERYBODY, "--data-dir", folder, stderr=PIPE, **env)
    lines += (await asyncio.wait_for(refused.communicate(), STOPPED_WITHIN))[1].splitlines()
    wrong = await living.begin("plan", "--data-dir", folder, stderr=PIPE, **env, PRECIS_CLUSTER_DISTANCE="9")
    lines += (await asyncio.wait_for(wrong.communicate(), STOPPED_WITHIN))[1].splitlines()
    for call in (["serve", "--port", "none"], ["nosuch"], ["plan", "--nosuch"]):
        mistaken = await living.begin(*call, stderr=PIPE, **env)
        lines += (await asyncio.wait_for(mistaken.communicate(), STOPPED_WITHIN))[1].splitlines()
        assert mistaken.returncode == 2
    events = [json.loads(line) for line in lines if line.strip()]
    assert all({"event", "level", "timestamp"} <= set(event) for event in events)
    assert len(events) > 5
    assert events[-4]["error"].startswith("setting cluster_distance")
    assert ["failed"] * 3 == [event["event"] for event in events[-3:]]
    await a_worker_as_well(folder, env)


async def a_worker_as_well(folder: Path, env: dict[str, str]) -> None:
    """From its first line to the last, though its database is killed meanwhile."""
    worker = await living.begin("worker", "--data-dir", folder, stderr=PIPE, **env)
    assert worker.stderr is not None
    lines = [await asyncio.wait_for(worker.stderr.readline(), 60)]
    while json.loads(lines[-1])["event"] != "working":
        lines.append(await asyncio.wait_for(worker.stderr.readline(), 60))
    living.kill([living.postmaster(folder)])
    await asyncio.sleep(2)
    worker.send_signal(signal.SIGTERM)
    lines += (await asyncio.wait_for(worker.communicate(), STOPPED_WITHIN))[1].splitlines()
    assert all({"event", "level", "timestamp"} <= set(json.loads(line)) for line in lines if line.strip())


#: A program of somebody else, which starts a child of its own and ends that one first.
OPENS = """
import asyncio, multiprocessing, sys, time
import precis

async def main():
    async with precis.open(data_dir=sys.argv[1]):
        child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
        child.start()
        await asyncio.sleep(1)
        child.terminate()
        child.join()
        print("open", child.exitcode, flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_program_that_opens_precis_takes_the_database_along(folder: Path) -> None:
    """It ends by SIGTERM as ever, and only once the database is closed; its child's end is none of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OPENS, str(folder), stdout=PIPE, env=living.environment()
    )
    assert process.stdout is not None
    assert await asyncio.wait_for(process.stdout.readline(), 120) == b"open -15\n"
    process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), STOPPED_WITHIN) == -signal.SIGTERM
    assert_at_rest(folder)


async def test_a_hangup_that_is_ignored_stays_ignored(folder: Path) -> None:
    """Under nohup a closing terminal ends nobody."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        server = await living.serve(folder)
    finally:
        signal.signal(signal.SIGHUP, before)
    server.process.send_signal(signal.SIGHUP)
    async with server.client() as client:
        assert (await client.get("/healthz")).status_code == 200
    await living.end(server.process)
    assert_at_rest(folder)
