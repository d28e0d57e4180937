"""``/readyz`` says what is wrong, over HTTP."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from psycopg import AsyncConnection

from precis.bootstrap import Runtime
from precis.embedded.server import running
from precis.jobs.worker import running_worker
from precis.keys.keyring import Keyring
from precis.keys.tenants import DEFAULT_TENANT, PostgresTenants
from precis.keys.vault import Vault
from precis.rest.server import listening
from precis.settings import Settings
from precis.watch.health import wrong_disk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_worker_is_missed_while_none_runs(runtime: Runtime) -> None:
    """Requests are served meanwhile; who starts one is told no more."""
    async with listening(runtime) as url, httpx.AsyncClient(base_url=url) as call:
        async with running_worker(runtime):
            for _ in range(100):
                answer = await call.get("/readyz")
                if not answer.json()["wrong"]:
                    break
                await asyncio.sleep(0.05)
        assert answer.json() == {"status": "ok", "wrong": []}
        async with runtime.database.tx() as tx:
            await tx.connection.execute("DELETE FROM procrastinate_workers")
        answer = await call.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["wrong"] == [
        "worker: none is running, so summaries are not kept current; start `precis worker`"
    ]


async def test_a_worker_that_begins_is_not_missed(runtime: Runtime) -> None:
    """It speaks to its server before the database hears of it; once it has ended it is missed at once."""
    async with listening(runtime) as url, httpx.AsyncClient(base_url=url) as call:
        async with runtime.database.tx() as tx:
            await tx.connection.execute("DELETE FROM procrastinate_workers")
        runtime.worker_figures.hear([])
        assert [] == (await call.get("/readyz")).json()["wrong"]
        runtime.worker_figures.end()
        assert ["worker"] == [wrong.partition(":")[0] for wrong in (await call.get("/readyz")).json()["wrong"]]


async def test_a_database_of_another_release_is_told(runtime: Runtime, rooms_folder: Path) -> None:
    """As it is while a newer precis has migrated it, and this one still runs."""
    async with (
        running(rooms_folder / "shared") as server,
        await AsyncConnection.connect(server.owner_dsn, autocommit=True) as owner,
        listening(runtime) as url,
        httpx.AsyncClient(base_url=url) as call,
    ):
        await owner.execute("INSERT INTO schema_migrations VALUES ('9999_of_tomorrow', 'x', '2099-01-01Z')")
        try:
            answer = await call.get("/readyz")
        finally:
            await owner.execute("DELETE FROM schema_migrations WHERE name = '9999_of_tomorrow'")
        assert (await call.get("/readyz")).status_code == 200
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"
    assert answer.json()["detail"].startswith("migrations: the database has migration 9999_of_tomorrow")


async def test_keys_that_others_may_read_are_told_without_their_path(runtime: Runtime, tmp_path: Path) -> None:
    """503: no row could be opened. The path is for those who are on the server."""
    Keyring(tmp_path).open_tenant(DEFAULT_TENANT)
    (tmp_path / "master.key").chmod(0o644)
    tenants = PostgresTenants(runtime.database, Vault(Keyring(tmp_path)))
    broken = replace(runtime, store=replace(runtime.store, tenants=tenants))
    async with listening(broken) as url, httpx.AsyncClient(base_url=url) as call:
        assert (await call.get("/healthz")).status_code == 200
        answer = await call.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["detail"].startswith("keys: the key files cannot be opened")
        assert str(tmp_path) not in answer.text
        (tmp_path / "master.key").chmod(0o600)
        assert (await call.get("/readyz")).status_code == 200


async def test_a_disk_that_is_nearly_full_is_told(tmp_path: Path) -> None:
    """Each place that precis writes to, by what lies there; also before it was made."""
    settings = Settings(data_dir=tmp_path / "new", keys_dir=Path("/dev/shm"))  # noqa: S108 - some disk
    assert wrong_disk(settings, least=0) == []
    (fault,) = wrong_disk(settings, least=2**80)
    assert str(fault) == "disk: nearly full where these lie: database, forgotten-log, keys; make room"
    assert not fault.stops
