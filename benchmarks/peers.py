"""precis beside LangGraph's PostgresStore: the same server, embedder and texts, taken in turns; ratios only.

LangGraph's store is there twice: with its HNSW index, as it comes, and with exact search. A figure is precis's divided
by the other's: a time of less than 1 and a rate of more than 1 are precis's. Rows are about things in people's lives,
of so many users; a write with a summary is one that the summary of its subject is made again for.

    python benchmarks/peers.py                                # 2,000 rows of 4 users
    python benchmarks/peers.py --rows 10000 --users 10
    python benchmarks/peers.py --counts                       # statements and CPU of one write, with a summary, recall
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Self

from langgraph.store.base import PutOp
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import AsyncConnection, AsyncCursor

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.database.sending import Connection
from precis.embedded import server as embedded
from precis.ids import new_id
from precis.settings import Settings

#: Calls that are under way at once where a rate is measured, and rows of a bulk write.
IN_FLIGHT, BULK = 16, 100
PEOPLE = "Odile Tomasz Ingrid Rafael Noor Callum Beatriz Hiro Zanele Piet Marisol Dunja Ewan Farida Leontine".split()
THINGS = "kayak accordion greenhouse scooter telescope loom trailer aquarium kiln drone piano wheelbarrow tent".split()
PLACES = "Utrecht Bergen Cork Lugano Tartu Porto Graz Malmo Ghent Split Turku Riga Bilbao Basel".split()
DEEDS = "repaired sold borrowed painted photographed cleaned measured rented insured moved weighed returned".split()
FEELINGS = "likes dislikes recommends misses prefers avoids collects studies teaches".split()
SUBJECTS = "rye bread|chess openings|river swimming|old maps|jazz records|orchids|board games|fountain pens".split("|")
SUBJECTS += "night trains|sea kayaking|pottery|bird calls|sour beer|crosswords|linen shirts|wild garlic".split("|")


class Texts:
    """Memories that somebody might have; the same seed says the same."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def memory(self) -> str:
        """One sentence."""
        pick = self._dice.choice
        day, sum_ = self._dice.randrange(1, 29), self._dice.randrange(20, 900)
        return pick([
            f"{pick(PEOPLE)} {pick(DEEDS)} the {pick(THINGS)} in {pick(PLACES)} on the {day}th for {sum_} euros.",
            f"{pick(PEOPLE)} {pick(FEELINGS)} {pick(SUBJECTS)} and goes to {pick(PLACES)} for it {day} times a year.",
            f"My {pick(THINGS)} cost {sum_} euros, and {pick(PEOPLE)} has used it since the {day}th.",
            f"The meeting about {pick(SUBJECTS)} with {pick(PEOPLE)} is in {pick(PLACES)}, room {sum_}.",
            f"I {pick(FEELINGS).removesuffix('s')} {pick(SUBJECTS)} more than {pick(SUBJECTS)}.",
        ])  # fmt: skip

    def question(self) -> str:
        """What somebody might ask of them."""
        pick = self._dice.choice
        return pick([
            f"What did {pick(PEOPLE)} do with the {pick(THINGS)}?",
            f"Who {pick(FEELINGS)} {pick(SUBJECTS)}?",
            f"How much was the {pick(THINGS)} in {pick(PLACES)}?",
            f"Where is the meeting about {pick(SUBJECTS)}?",
        ])  # fmt: skip


class Precis:
    """precis, through its Python API."""

    def __init__(self, app: App, *, summarize: Any = "deferred") -> None:
        self._app, self._summarize = app, summarize

    async def write(self, user: str, text: str, key: str | None = None) -> object:
        """One memory; its summary is left to a worker unless this writes with one."""
        row = {"text": text, "user_id": user} | ({"key": key, "type": "fact"} if key else {})
        return await self._app.memories.add([row], summarize=self._summarize)

    async def bulk(self, user: str, texts: Sequence[str]) -> object:
        """Many at once."""
        return await self._app.memories.add([{"text": t, "user_id": user} for t in texts], summarize="deferred")

    async def search(self, user: str, question: str) -> object:
        """The ten best rows."""
        return await self._app.recall.search(question, user_id=user, limit=10)


class Peer:
    """LangGraph's store."""

    def __init__(self, store: AsyncPostgresStore) -> None:
        self._store = store

    async def write(self, user: str, text: str, key: str | None = None) -> object:
        """One item."""
        del key
        return await self._store.aput(("memories", user), new_id(), {"text": text})

    async def bulk(self, user: str, texts: Sequence[str]) -> object:
        """Many at once."""
        space = ("memories", user)
        return await self._store.abatch([PutOp(space, new_id(), {"text": text}) for text in texts])

    async def search(self, user: str, question: str) -> object:
        """The ten nearest."""
        return await self._store.asearch(("memories", user), query=question, limit=10)


Client = Precis | Peer
Clients = Mapping[str, Client]


@asynccontextmanager
async def opened(settings: Mapping[str, Any]) -> AsyncIterator[tuple[Runtime, dict[str, Client]]]:
    """All of them over one new server."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="precis-peers-"))
        Path(folder).chmod(0o755)
        runtime = await stack.enter_async_context(open_runtime(Settings(data_dir=Path(folder) / "data", **settings)))
        server = await stack.enter_async_context(embedded.running(Path(folder) / "data"))
        embedder = runtime.engine.embedder
        clients: dict[str, Client] = {"precis": Precis(runtime.app("peers"))}
        async with await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner:
            for kind in ("hnsw", "flat"):
                await owner.execute(f"CREATE DATABASE peer_{kind}")  # type: ignore[arg-type]
        for kind in ("hnsw", "flat"):
            index: Any = {"dims": embedder.dimensions, "embed": embedder.embed, "fields": ["text"]}
            dsn = f"{server.owner_dsn} dbname=peer_{kind}"
            store = await stack.enter_async_context(
                AsyncPostgresStore.from_conn_string(dsn, pool_config={"min_size": 1, "max_size": 16}, index=index)
            )
            await store.setup()
            if kind == "flat":
                async with await AsyncConnection.connect(dsn, autocommit=True) as owner:
                    await owner.execute("DROP INDEX store_vectors_embedding_idx")
            clients[kind] = Peer(store)
        await embedder.embed(["warm up"])
        yield runtime, clients


async def timed(work: Awaitable[object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    await work
    return (time.perf_counter() - began) * 1000


def in_turn(clients: Clients, turn: int) -> Iterator[tuple[str, Client]]:
    """Each once, another one first each time."""
    names = list(clients)
    for name in [*names[turn % len(names) :], *names[: turn % len(names)]]:
        yield name, clients[name]


async def medians(
    clients: Clients, call: Callable[[Client, int], Awaitable[object]], turns: int, warm: int = 8
) -> dict[str, float]:
    """The median time of a call of each, one call at a time."""
    times: dict[str, list[float]] = defaultdict(list)
    for turn in range(turns + warm):
        for name, client in in_turn(clients, turn):
            took = await timed(call(client, turn))
            if turn >= warm:
                times[name].append(took)
    return {name: statistics.median(row) for name, row in times.items()}


async def rates(
    clients: Clients, call: Callable[[Client, int], Awaitable[object]], number: int, rounds: int = 6
) -> dict[str, float]:
    """Calls a second with IN_FLIGHT of them under way: the median of the rounds, the first of which only warms up."""
    seconds: dict[str, list[float]] = defaultdict(list)

    async def of(client: Client, start: int) -> None:
        rows = iter(range(start, start + number))

        async def lane() -> None:
            for row in rows:
                await call(client, row)

        await asyncio.gather(*(lane() for _ in range(IN_FLIGHT)))

    for turn in range(rounds + 1):
        for name, client in in_turn(clients, turn):
            took = await timed(of(client, turn * number))
            if turn:
                seconds[name].append(took / 1000)
    return {name: number / statistics.median(row) for name, row in seconds.items()}


def show(what: str, figures: Mapping[str, float]) -> None:
    """precis's figure over the others'."""
    own = figures["precis"]
    print(f"{what:<36} {own / figures['hnsw']:6.2f} {own / figures['flat']:10.2f}", flush=True)


async def fill(clients: Clients, users: Sequence[str], rows: int, texts: Texts) -> dict[str, float]:
    """Write so many rows in bulk; answers rows a second."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for turn in range(max(1, rows // BULK)):
        batch = [texts.memory() for _ in range(BULK)]
        for name, client in in_turn(clients, turn):
            seconds[name].append(await timed(client.bulk(users[turn % len(users)], batch)) / 1000)
    return {name: BULK / statistics.median(row) for name, row in seconds.items()}


async def compare(options: argparse.Namespace) -> None:
    """Print the table."""
    users = [f"u{number}" for number in range(options.users)]
    async with opened({}) as (runtime, clients):
        print(f"{options.rows} rows of {options.users} users; precis divided by LangGraph's store")
        print(f"{'':<36} {'HNSW':>6} {'exact':>10}")
        texts = Texts(1)
        bulk = await fill(clients, users, options.rows, texts)
        show("bulk, rows a second", bulk)
        asked = [texts.question() for _ in range(4_000)]
        await runtime.engine.embedder.embed(asked[:1])

        def search(client: Client, at: int) -> Awaitable[object]:
            return client.search(users[at % len(users)], asked[at % len(asked)])

        fresh = [texts.memory() for _ in range(options.calls * 20)]

        def write(client: Client, at: int) -> Awaitable[object]:
            return client.write(users[at % len(users)], fresh[at % len(fresh)])

        def keyed(client: Client, at: int) -> Awaitable[object]:
            return client.write(users[at % len(users)], fresh[-1 - at], key=SUBJECTS[at // len(users) % 4])

        show("search, p50", await medians(clients, search, options.calls))
        show(f"searches a second, {IN_FLIGHT} in flight", await rates(clients, search, options.calls))
        show("deferred write, p50", await medians(clients, write, options.calls))
        show(f"deferred writes a second, {IN_FLIGHT} in flight", await rates(clients, write, options.calls))
        # Enough writes before the counting begins that each subject has its summary.
        inline = {**clients, "precis": Precis(runtime.app("peers"), summarize="inline")}
        warm = 3 * 4 * len(users)
        show("write with a summary, p50", await medians(inline, keyed, options.calls // 2, warm))


async def count(options: argparse.Namespace) -> None:
    """Print statements, answers waited for and CPU of precis alone, a call."""
    users = [f"u{number}" for number in range(options.users)]
    async with opened({}) as (runtime, clients):
        texts = Texts(1)
        app = runtime.app("peers")
        await fill({"precis": clients["precis"]}, users, options.rows, texts)
        inline = Precis(app, summarize="inline")
        calls: dict[str, Callable[[int], Awaitable[object]]] = {
            "deferred write": lambda at: clients["precis"].write(users[at % len(users)], texts.memory()),
            "write with a summary": lambda at: inline.write(
                users[at % len(users)], texts.memory(), key=SUBJECTS[at // len(users) % 4]
            ),
            "recall": lambda at: clients["precis"].search(users[at % len(users)], texts.question()),
        }
        print(f"{'':<24} {'statements':>10} {'round trips':>12} {'CPU ms':>8}")
        for name, call in calls.items():
            for at in range(12 * len(users)):
                await call(at)
            statements, trips, cpu = await counted(call, options.calls)
            print(f"{name:<24} {statements:10.1f} {trips:12.1f} {cpu:8.2f}", flush=True)


class Counting:
    """Counts, in a block, the statements of this process and the answers it waited for."""

    def __init__(self) -> None:
        self.statements = self.trips = 0

    def __enter__(self) -> Self:
        self._wait = AsyncConnection.wait
        self._cursor, self._send = AsyncCursor.execute, Connection.send
        counting = self

        async def wait(connection: Any, gen: Any, interval: float = 0.1) -> Any:
            return await counting._wait(connection, counting._waited(gen), interval)

        async def execute(cursor: Any, *args: Any, **kwargs: Any) -> Any:
            counting.statements += 1
            return await counting._cursor(cursor, *args, **kwargs)

        async def send(connection: Any, statements: Sequence[Any]) -> Any:
            counting.statements += len(statements)
            return await counting._send(connection, statements)

        AsyncConnection.wait = wait  # type: ignore[method-assign]
        AsyncCursor.execute, Connection.send = execute, send  # type: ignore[method-assign]
        return self

    def _waited(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """The same generator; each time that it waits for something to read counts."""
        ready = None
        while True:
            try:
                state = gen.send(ready)
            except StopIteration as stop:
                return stop.value
            self.trips += int(state) == 1
            ready = yield state

    def __exit__(self, *_: object) -> None:
        AsyncConnection.wait = self._wait  # type: ignore[method-assign]
        AsyncCursor.execute, Connection.send = self._cursor, self._send  # type: ignore[method-assign]


async def counted(call: Callable[[int], Awaitable[object]], number: int) -> tuple[float, float, float]:
    """Statements, round trips and milliseconds of this process's CPU, each a call."""
    with Counting() as counting:
        for at in range(number):
            await call(at)
    began = time.process_time()
    for at in range(number):
        await call(at)
    cpu = (time.process_time() - began) * 1000
    return counting.statements / number, counting.trips / number, cpu / number


def main() -> None:
    """Compare, or count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--users", type=int, default=4)
    parser.add_argument("--calls", type=int, default=150, help="calls of each kind that are counted")
    parser.add_argument("--counts", action="store_true", help="statements and CPU of precis alone")
    options = parser.parse_args()
    asyncio.run((count if options.counts else compare)(options))


if __name__ == "__main__":
    main()
