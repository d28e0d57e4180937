"""Recall from a replica that may lag: a real one, by streaming replication, whose replay is paused."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from databases import connect

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.database.connections import Tx
from precis.database.replicas import ReplicatedDatabase
from precis.embedded.account import run_as
from precis.embedded.place import place_at
from precis.errors import ConfigurationError
from precis.settings import Settings
from precis.watch.doctor import check_database
from precis.watch.health import wrongs

pytestmark = pytest.mark.asyncio(loop_scope="module")
CANARY = "Thornvale"
NOTES = [
    {"id": "n0", "user_id": "ana", "text": f"I go to the {CANARY} clinic."},
    {"id": "n1", "user_id": "ana", "text": "My clinic is near the harbor."},
]


def free_port() -> str:
    """One that nobody listens at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return str(taken.getsockname()[1])


@contextmanager
def postgres(folder: Path, port: str, make: Sequence[str]) -> Iterator[None]:
    """A server of this folder, which a command makes."""
    place = place_at(folder)
    db = str(place.db)
    made = run_as(place.account, [str(place.programs / make[0]), "-D", db, *make[1:]])
    assert made.returncode == 0, made.stderr
    options = "-c fsync=off -c hot_standby_feedback=on -c max_connections=60"
    script = f'"$0" -D "$1" -p "$2" -h 127.0.0.1 -k "$1" {options} >>"$3" 2>&1 &'
    run_as(place.account, ["/bin/sh", "-c", script, str(place.programs / "postgres"), db, port, str(place.log)])
    pid_file, until = place.db / "postmaster.pid", time.monotonic() + 60
    while not (
        pid_file.exists() and len(lines := pid_file.read_text().split("\n")) > 7 and lines[7].strip() == "ready"
    ):
        assert time.monotonic() < until, place.log.read_text()
        time.sleep(0.02)
    try:
        yield
    finally:
        os.kill(int(lines[0]), signal.SIGQUIT)
        while pid_file.exists():
            time.sleep(0.02)


@pytest.fixture(scope="module")
def servers(rooms_folder: Path) -> Iterator[tuple[str, str]]:
    """The ports of a primary and of its replica."""
    primary, replica = free_port(), free_port()
    options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
    copy = ["-h", "127.0.0.1", "-p", primary, "-U", "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync"]
    with (
        postgres(rooms_folder / "replicated", primary, ["initdb", *options]),
        postgres(rooms_folder / "replica", replica, ["pg_basebackup", *copy]),
    ):
        yield primary, replica


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def replicated(servers: tuple[str, str], rooms_folder: Path) -> AsyncIterator[Runtime]:
    """precis over both."""
    primary, replica = (f"@127.0.0.1:{port}/precis" for port in servers)
    async with await connect(f"postgresql://postgres@127.0.0.1:{servers[0]}/postgres") as owner:
        await owner.execute("CREATE ROLE precis_app LOGIN")
        await owner.execute("CREATE DATABASE precis")
    async with await connect(f"postgresql://postgres{primary}") as owner:
        await owner.execute("CREATE EXTENSION vector")
    settings = Settings(
        data_dir=rooms_folder / "replicated-data", database_url=f"postgresql://precis_app{primary}",
        database_owner_url=f"postgresql://postgres{primary}", replica_urls=[f"postgresql://precis_app{replica}"],
    )  # fmt: skip
    async with open_runtime(settings) as runtime:
        yield runtime


@pytest_asyncio.fixture(loop_scope="module")
async def app(replicated: Runtime) -> App:
    """precis for a tenant with two notes."""
    app = replicated.app("default")
    await app.memories.add([{**note, "revive": True} for note in NOTES])
    return app


async def on_replica(servers: tuple[str, str], statement: str) -> None:
    """As its superuser."""
    async with await connect(f"postgresql://postgres@127.0.0.1:{servers[1]}/precis") as owner:
        await owner.execute(statement.encode())


async def reads_replica(runtime: Runtime) -> bool:
    """Whether the next recall is answered by it, within seconds."""
    assert isinstance(runtime.database, ReplicatedDatabase)
    for _ in range(200):
        if await runtime.database.current() is not None:
            return True
        await asyncio.sleep(0.05)
    return False


async def found_by_doctor(runtime: Runtime) -> list[str]:
    """How it is, without a long wait."""
    findings, _ = await check_database(runtime.settings)
    return [finding.state.value for finding in findings if finding.part == "replica"]


async def answered(app: App) -> str:
    """By recall and by the list."""
    texts = [str(hit.memory.text) for hit in await app.recall.search("Which clinic?", user_id="ana")]
    return "\n".join([*texts, *(str(memory.text) for memory in (await app.memories.list(user_id="ana")).rows)])


async def test_a_replica_that_has_everything_answers(
    replicated: Runtime, app: App, servers: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recall reads there, and nothing on the primary."""
    ports = list[int]()
    read = replicated.store.search._candidates

    async def noted(tx: Tx, *args: Any, **kwargs: Any) -> Any:
        ports.append(tx.connection.info.port)
        return await read(tx, *args, **kwargs)

    monkeypatch.setattr(replicated.store.search, "_candidates", noted)
    assert await reads_replica(replicated)
    assert CANARY in await answered(app)
    assert ports == [int(servers[1])]


async def test_a_lagging_replica_never_answers_what_was_forgotten(
    replicated: Runtime, app: App, servers: tuple[str, str]
) -> None:
    """The primary answers meanwhile, also what was edited and written since; then the replica again, without it."""
    assert await reads_replica(replicated)
    await on_replica(servers, "SELECT pg_wal_replay_pause()")
    try:
        await app.memories.forget(["n0"])
        await app.memories.add([{"id": "n9", "user_id": "ana", "text": "The clinic has a garden."}])
        async with await connect(f"postgresql://postgres@127.0.0.1:{servers[1]}/precis") as owner:
            row = await (await owner.execute("SELECT count(*) AS n FROM memories WHERE memory_id = 'n0'")).fetchone()
            assert row == {"n": 1}, "the replica would still show it"
        assert CANARY not in await answered(app)
        assert "garden" in await answered(app)
        assert [fault for fault in await wrongs(replicated) if fault.part == "replica" and not fault.stops]
        assert await found_by_doctor(replicated) == ["warn"]
    finally:
        await on_replica(servers, "SELECT pg_wal_replay_resume()")
    assert await reads_replica(replicated)
    assert CANARY not in await answered(app)
    assert "garden" in await answered(app)
    assert not [fault for fault in await wrongs(replicated) if fault.part == "replica"]
    assert await found_by_doctor(replicated) == ["ok"]


async def test_a_replica_that_fails_in_the_middle_is_not_noticed(
    replicated: Runtime, app: App, servers: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The primary answers, and the replica is left alone for a while."""
    assert await reads_replica(replicated)
    assert isinstance(replicated.database, ReplicatedDatabase)
    (replica,) = replicated.database.replicas
    store = replicated.store.search
    read, calls = store._candidates, list[str]()

    async def broken(tx: Tx, *args: Any, **kwargs: Any) -> Any:
        calls.append("asked")
        if len(calls) == 1:
            await on_replica(
                servers, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'precis_app'"
            )
        return await read(tx, *args, **kwargs)

    monkeypatch.setattr(store, "_candidates", broken)
    assert "harbor" in "".join(str(hit.memory.text) for hit in await app.recall.search("Which clinic?", user_id="ana"))
    assert len(calls) == 2
    assert replica.is_away
    monkeypatch.setattr(replica, "_away_until", 0.0)
    assert await reads_replica(replicated)


async def test_what_is_no_replica_of_this_primary_is_not_asked(
    replicated: Runtime, app: App, servers: tuple[str, str], runtime: Runtime
) -> None:
    """The primary itself, another server, and a role above row-level security."""
    assert isinstance(replicated.database, ReplicatedDatabase)
    (replica,) = replicated.database.replicas
    position = dict(await replicated.database.ask("log_position") or {})
    assert await replica.is_current(position, wait=1.0)
    assert not await replica.is_current({**position, "system": 1}, wait=0.0)
    assert not await replica.is_current({**position, "timeline": 9}, wait=0.0)
    row = await replicated.database.ask("has_replayed", **position)
    assert row is not None
    assert not row["is_replica"]
    above = f"postgresql://postgres@127.0.0.1:{servers[1]}/precis"
    settings = replicated.settings.model_copy(update={"replica_urls": [above]})
    async with open_runtime(settings) as other:
        assert isinstance(other.database, ReplicatedDatabase)
        assert await other.database.current() is None
        with pytest.raises(ConfigurationError, match="row-level security"):
            await other.database.replicas[0].database.check_role()
