"""Writers and readers above what a server can do, over real HTTP: what is acknowledged, how long it takes, who waits.

A server process on the embedded database, clients in another process, on loopback. Four rounds on the same server,
each a few seconds: a writer alone (the baseline); the load (64 writers and 32 readers); ten times the load; a tenant
with one writer beside a tenant with the load. A client that is answered 503 comes again after Retry-After. Everything
that was acknowledged is looked for in the database at the end.

    python benchmarks/load.py
    python benchmarks/load.py --writers 8 --readers 4 --seconds 3
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import speed
from precis.bootstrap import open_runtime
from precis.ids import new_id
from precis.settings import Settings

#: Tenants: one that floods, and one that is beside it.
FLOOD, QUIET = "flood", "quiet"
#: Seconds between two looks at /healthz, and at whether summaries are current.
PULSE, LOOK = 0.05, 0.25
#: Most seconds until summaries have to be current.
PATIENCE = 120.0
#: Longest pause of a client that was told to come again.
LONGEST_PAUSE = 5.0


class Caller:
    """HTTP/1.1 over one connection that stays open: as little work as can be, for the client shares the cores."""

    def __init__(self, url: str, key: str) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._key = parts.hostname, parts.port, key
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> bytes:
        """What is answered to a call on a connection of its own: one that waits long is closed."""
        self.close()
        return (await self.call("GET", path))[2]

    async def call(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, str], bytes]:
        """Status, headers, body."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        payload = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {self._key}\r\nContent-Length: {len(payload)}"
        )
        writer.write(f"{head}\r\nContent-Type: application/json\r\n\r\n".encode() + payload)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        answer = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.close()
        return int(lines[0].split()[1]), headers, answer

    def close(self) -> None:
        """Hang up; the next call connects anew."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass(kw_only=True, slots=True)
class Tally:
    """What clients of one kind were answered."""

    #: Seconds of each answer that was neither 503 nor an error.
    took: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    #: Ids that were acknowledged.
    ids: list[str] = field(default_factory=list)

    def p99(self) -> float:
        """Milliseconds."""
        ordered = sorted(self.took)
        return 1000 * ordered[int(len(ordered) * 0.99)] if ordered else float("nan")

    def __str__(self) -> str:
        refused = self.statuses[503]
        others = {status: times for status, times in self.statuses.items() if status not in (200, 201, 503)}
        half = 1000 * sorted(self.took)[len(self.took) // 2] if self.took else float("nan")
        failed = f"others {others or 'none'}"
        return f"{len(self.took)} answered, {refused} times 503, {failed}; p50 {half:.0f} ms, p99 {self.p99():.0f} ms"


@dataclass(frozen=True, kw_only=True)
class Load:
    """So many clients of a tenant, over so many users of it."""

    url: str
    key: str
    users: Sequence[str]
    speech: speed.Speech
    summarize: str = "inline"

    def memory(self) -> dict[str, str]:
        """A memory of one of the users, on one of a few subjects."""
        subject = random.choice(speed.PLAIN[:4])
        text = f"I thought about {subject}: {self.speech.sentence(10)}."
        return {"id": new_id(), "user_id": random.choice(self.users), "type": "fact", "key": subject, "text": text}

    async def write(self, tally: Tally, until: float) -> None:
        """One writer."""
        row: dict[str, str] = {}

        def body() -> object:
            row.update(self.memory())
            return {"memories": [row], "summarize": self.summarize}

        await self._again("/v1/memories", body, tally, until, acknowledged=lambda: tally.ids.append(row["id"]))

    async def read(self, tally: Tally, until: float) -> None:
        """One reader."""

        def body() -> object:
            return {"query": self.speech.sentence(4), "user_id": random.choice(self.users)}

        await self._again("/v1/recall", body, tally, until, acknowledged=lambda: None)

    async def look(self, tally: Tally, until: float) -> None:
        """Ask for a sign of life now and then."""
        caller = Caller(self.url, self.key)
        while time.perf_counter() < until:
            began = time.perf_counter()
            status, _, _ = await caller.call("GET", "/healthz")
            tally.statuses[status] += 1
            tally.took.append(time.perf_counter() - began)
            await asyncio.sleep(PULSE)
        caller.close()

    async def _again(
        self, path: str, body: Callable[[], object], tally: Tally, until: float, acknowledged: Callable[[], None]
    ) -> None:
        caller = Caller(self.url, self.key)
        try:
            while time.perf_counter() < until:
                began = time.perf_counter()
                try:
                    status, headers, _ = await caller.call("POST", path, body())
                except (OSError, asyncio.IncompleteReadError):
                    caller.close()
                    status, headers = 0, {}
                tally.statuses[status] += 1
                if status in (200, 201):
                    tally.took.append(time.perf_counter() - began)
                    acknowledged()
                else:
                    pause = min(LONGEST_PAUSE, float(headers.get("retry-after", 1)))
                    await asyncio.sleep(min(pause * random.uniform(1, 1.5), max(0.0, until - time.perf_counter())))
        finally:
            caller.close()


@dataclass(frozen=True, kw_only=True)
class Round:
    """What came of a load."""

    writes: Tally
    reads: Tally
    health: Tally
    seconds: float

    @property
    def rate(self) -> float:
        """Acknowledged writes a second."""
        return len(self.writes.took) / self.seconds


async def put(load: Load, *, writers: int, readers: int, seconds: float) -> Round:
    """The load, for so many seconds; a call that has begun is finished."""
    writes, reads, health = Tally(), Tally(), Tally()
    began = time.perf_counter()
    until = began + seconds
    await asyncio.gather(
        *(load.write(writes, until) for _ in range(writers)), *(load.read(reads, until) for _ in range(readers)),
        load.look(health, until),
    )  # fmt: skip
    return Round(writes=writes, reads=reads, health=health, seconds=time.perf_counter() - began)


async def current(caller: Caller) -> float:
    """Seconds until no summary of the tenant waits to be made."""
    began = time.perf_counter()
    while time.perf_counter() - began < PATIENCE:
        counts = json.loads(await caller.get("/v1/jobs"))["counts"]
        if not sum(counts[state] for state in ("waiting", "running", "scheduled", "retrying")):
            return time.perf_counter() - began
        await asyncio.sleep(LOOK)
    return float("inf")


async def lost(caller: Caller, tallies: Sequence[Tally]) -> int:
    """How many of the memories that were acknowledged are not there."""
    stored: set[str] = set()
    cursor = ""
    while True:
        page = json.loads(await caller.get(f"/v1/memories?limit=1000&is_summary=false{cursor}"))
        stored.update(row["id"] for row in page["memories"])
        if page["next_cursor"] is None:
            return len({id_ for tally in tallies for id_ in tally.ids} - stored)
        cursor = f"&cursor={page['next_cursor']}"


@dataclass(frozen=True, kw_only=True)
class Server:
    """Where a new server listens, the keys of its tenants, its process and its data."""

    url: str
    keys: dict[str, str]
    pid: int
    folder: Path


@asynccontextmanager
async def server() -> AsyncIterator[Server]:
    """A server for the length of a block."""
    with tempfile.TemporaryDirectory(prefix="precis-load-") as name:
        Path(name).chmod(0o755)
        folder = Path(name) / "data"
        keys = {}
        async with open_runtime(Settings(data_dir=folder)) as runtime:
            for tenant in (FLOOD, QUIET):
                now = runtime.engine.clock()
                await runtime.store.tenants.create(tenant, name=tenant, now=now)
                keys[tenant] = await runtime.store.tenants.create_key(tenant, name="load", now=now)
        command = [sys.executable, "-m", "precis", "serve", "--port", "0", "--data-dir", str(folder)]
        environment = {**os.environ, "PRECIS_LOG_FORMAT": "json", "PRECIS_LOG_LEVEL": "error"}
        process = await asyncio.create_subprocess_exec(*command, stderr=PIPE, env=environment)
        if process.stderr is None:
            raise SystemExit("the server has no log")
        try:
            while b'"url"' not in (line := await process.stderr.readline()):
                pass
            rest = asyncio.create_task(process.stderr.read())
            yield Server(url=json.loads(line)["url"], keys=keys, pid=process.pid, folder=folder)
        finally:
            process.terminate()
            await process.wait()
        print(f"errors in the server's log: {len((await rest).splitlines())}")


@contextmanager
def cpu(running: Server) -> Iterator[Callable[[], str]]:
    """Processor seconds of the server, its worker, the database and this client since the beginning of the block."""

    def seconds() -> Sequence[float]:
        database = int((running.folder / "db" / "postmaster.pid").read_text().split()[0])
        processes = {running.pid: "server", database: "database"}
        spent = {"server": 0.0, "worker": 0.0, "database": 0.0}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = stat.read_text().rpartition(") ")[2].split()
                kind = processes.get(int(stat.parent.name))
                if kind is None:
                    kind = {running.pid: "worker", database: "database"}.get(int(fields[1]))
                if kind is not None:
                    # Of the database also what its ended processes have spent.
                    ended = int(fields[13]) + int(fields[14]) if int(stat.parent.name) == database else 0
                    spent[kind] += (int(fields[11]) + int(fields[12]) + ended) / os.sysconf("SC_CLK_TCK")
        return [*spent.values(), time.process_time()]

    before = seconds()

    def since() -> str:
        of_server, worker, database, client = (now - then for now, then in zip(seconds(), before, strict=True))
        return (
            f"processor: server {of_server:.1f} s, its worker {worker:.1f} s, database {database:.1f} s, "
            f"client {client:.1f} s; load average {os.getloadavg()[0]:.1f}"
        )

    yield since


async def measure(options: argparse.Namespace) -> int:
    """Four rounds; answers how many acknowledged writes were lost."""
    speech = speed.Speech(5)
    async with server() as running:
        url, keys = running.url, running.keys
        flood = Load(url=url, key=keys[FLOOD], users=[f"user-{n}" for n in range(options.users)], speech=speech)
        quiet = Load(url=url, key=keys[QUIET], users=["ben"], speech=speech, summarize="deferred")
        caller, tallies = Caller(url, keys[FLOOD]), []

        async def tell(name: str, writers: int, readers: int) -> Round:
            with cpu(running) as since:
                done = await put(flood, writers=writers, readers=readers, seconds=options.seconds)
                print(f"\n{name}: {writers} writers, {readers} readers, {done.seconds:.1f} s; {since()}")
            print(f"  writes  {done.writes}; {done.rate:.1f} acknowledged a second")
            print(f"  recalls {done.reads}; {len(done.reads.took) / done.seconds:.1f} a second")
            first, *later = done.health.took
            behind = f"the first, which connects behind all others, {1000 * first:.0f} ms"
            print(f"  /healthz {behind}; later p99 {Tally(took=later).p99():.0f} ms")
            print(f"  summaries current after {await current(caller):.1f} s", flush=True)
            tallies.append(done.writes)
            return done

        for each in (quiet, flood):
            await put(each, writers=1, readers=1, seconds=1.0)  # warms up
        alone = await put(quiet, writers=1, readers=0, seconds=options.seconds)
        now_ = f"load average {os.getloadavg()[0]:.1f}"
        print(f"one writer alone, deferred: {alone.writes}; {alone.rate:.1f} a second; {now_}", flush=True)
        load = await tell("the load", options.writers, options.readers)
        tenfold = await tell("ten times the load", 10 * options.writers, 10 * options.readers)
        flooding = asyncio.create_task(
            put(flood, writers=options.writers, readers=options.readers, seconds=options.seconds)
        )
        await asyncio.sleep(options.seconds / 4)
        beside = await put(quiet, writers=1, readers=1, seconds=options.seconds / 2)
        flooded = await flooding
        print(f"\na tenant with one writer beside the load of another: {beside.writes}; {beside.rate:.1f} a second")
        missing = await lost(caller, [*tallies, flooded.writes])
        missing += await lost(Caller(url, keys[QUIET]), [alone.writes, beside.writes])
    share = beside.rate * 2 / (beside.rate + flooded.rate)
    for what, ratio in (
        ("writes a second under the load, to one writer alone", load.rate / alone.rate),
        ("p99 of a write at ten times the load, to the load", tenfold.writes.p99() / load.writes.p99()),
        ("p99 of a recall at ten times the load, to the load", tenfold.reads.p99() / load.reads.p99()),
        ("one writer beside the load: writes a second, to half of all", share),
        ("one writer beside the load: p99, to when it was alone", beside.writes.p99() / alone.writes.p99()),
        ("one writer beside the load: p99, to that of who floods", beside.writes.p99() / flooded.writes.p99()),
    ):
        print(f"{ratio:6.2f}  {what}")
    print(f"acknowledged writes that are lost: {missing}")
    return missing


def main() -> int:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=64)
    parser.add_argument("--readers", type=int, default=32)
    parser.add_argument("--users", type=int, default=16, help="of the tenant that floods")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each round")
    return int(asyncio.run(measure(parser.parse_args())) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
