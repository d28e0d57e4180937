"""``/readyz`` says what is wrong, over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from psycopg import AsyncConnection
from structlog.testing import capture_logs

from precis.bootstrap import Runtime, open_runtime
from precis.database.migrate import Standing, check_migrated, status
from precis.embedded.server import APPLICATION, running
from precis.errors import ModelUnavailable, StoreUnavailable
from precis.jobs.worker import running_worker
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.keys.tenants import DEFAULT_TENANT, PostgresTenants
from precis.keys.vault import Vault
from precis.makers import Item, Request
from precis.metrics import figures
from precis.models.chat import ChatSummarizer
from precis.models.setbacks import Patience
from precis.prompts import load
from precis.rest.http import status_of
from precis.rest.server import listening
from precis.settings import Settings
from precis.watch.health import has_no_room, silence, wrong_disk

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
    """As it is while a newer precis has migrated it, and this one still runs; over what was only added it serves on."""
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
        await owner.execute("INSERT INTO schema_migrations VALUES ('9999_later.additive.sql', 'x', '2099-01-01Z')")
        try:
            goes_on = await call.get("/readyz")
            await check_migrated(server.dsn(user=APPLICATION))
            standings = {migration.name: migration.standing for migration in await status(server.owner_dsn)}
        finally:
            await owner.execute("DELETE FROM schema_migrations WHERE name = '9999_later.additive.sql'")
    assert goes_on.status_code == 200
    assert [line for line in goes_on.json()["wrong"] if line.startswith("migrations: 9999_later.additive.sql is of")]
    assert standings["9999_later.additive.sql"] is Standing.NEWER
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"
    assert answer.json()["detail"].startswith("migrations: the database has migration 9999_of_tomorrow")


async def test_keys_that_others_may_read_are_told_without_their_path(runtime: Runtime, tmp_path: Path) -> None:
    """503: no row could be opened. The path is for those who are on the server."""
    Keyring(tmp_path).open_tenant(DEFAULT_TENANT)
    (tmp_path / "master.key").chmod(0o644)
    tenants = PostgresTenants(runtime.database, Vault(Keyring(tmp_path)), ForgottenLog(tmp_path))
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


async def test_a_database_that_is_away_is_told_with_what_to_do(tmp_path: Path) -> None:
    """The embedded one is started again, and needs room for that; another's owner hears that it is silent."""
    own, other = Settings(data_dir=tmp_path), Settings(data_dir=tmp_path, database_url="postgresql://db.example/precis")
    assert (has_no_room(own, needed=2**80), has_no_room(own, needed=0)) == (True, False)
    assert not has_no_room(other, needed=2**80)
    away = StoreUnavailable()
    assert "its disk is full: make room" in silence(own, away, is_full=True)
    assert "precis starts it again" in silence(own, away, is_full=False)
    assert "it does not answer" == silence(other, away, is_full=False)
    assert "another copy is put in place" == silence(
        own, StoreUnavailable("another copy is put in place"), is_full=False
    )


async def test_a_log_that_cannot_be_written_is_told(runtime: Runtime, tenant: str, tmp_path: Path) -> None:
    """With the reason and without its path; all else goes on, and nothing is forgotten meanwhile: that is a 503."""
    app = runtime.app(tenant)
    await app.memories.add([{"id": "m1", "user_id": "ana", "text": "Ana keeps bees."}])
    folder = runtime.settings.forgotten_folder
    kept = tmp_path / "forgotten"
    if folder.exists():
        shutil.copytree(folder, kept)
        shutil.rmtree(folder)
    folder.write_text("no folder any more")
    try:
        async with listening(runtime) as url, httpx.AsyncClient(base_url=url) as call:
            ready = await call.get("/readyz")
            with pytest.raises(StoreUnavailable, match="the forgotten-log cannot be written"):
                await app.memories.forget("m1")
            await app.memories.add([{"id": "m2", "user_id": "ana", "text": "Ana keeps goats."}])
    finally:
        folder.unlink()
        if kept.exists():
            shutil.copytree(kept, folder)
    assert ready.status_code == 200
    told_of = "forgotten-log: nothing can be forgotten: the forgotten-log cannot be written"
    assert [line for line in ready.json()["wrong"] if line.startswith(told_of)]
    assert str(folder) not in ready.text
    assert (await app.memories.get("m1")).text == "Ana keeps bees."
    assert status_of(StoreUnavailable()) == 503


async def test_a_model_that_does_not_answer_is_told(runtime: Runtime) -> None:
    """Once in the log for each outage, and as a note: requests are served."""
    asker = ChatSummarizer(
        model="gone", base_url="http://eve:sesame@127.0.0.1:9/v1", api_key="x", patience=Patience(attempts=1)
    )
    without = replace(runtime, engine=replace(runtime.engine, summarizer=asker))
    item = Item(text="I take the early train.", source_ids=("1",), created_at=runtime.engine.clock())
    request = Request(items=(item,), max_tokens=40, prompt=load("cluster"), tokens_read=10)
    with capture_logs() as lines:
        for _ in range(3):
            with pytest.raises(ModelUnavailable):
                await asker.summarize(request)
    (line,) = [line for line in lines if line["event"] == "model_unavailable"]
    assert (line["log_level"], line["at"]) == ("warning", "127.0.0.1:9")
    async with listening(without) as url, httpx.AsyncClient(base_url=url) as call:
        answer = await call.get("/readyz")
        assert answer.status_code == 200
        assert [wrong for wrong in answer.json()["wrong"] if wrong.startswith("model: its last call failed")]
        runtime.worker_figures.hear(json.loads(json.dumps(figures())))
        await asker.aclose()
        assert "model" in (await call.get("/readyz")).text
        runtime.worker_figures.end()
        assert "model" not in (await call.get("/readyz")).text


async def test_a_clock_that_is_wrong_is_told(runtime: Runtime) -> None:
    """Its memories would count as written at another time than they were; requests are served all the same."""
    clock = runtime.engine.clock
    ahead = replace(runtime, engine=replace(runtime.engine, clock=lambda: clock() + timedelta(hours=1)))
    async with listening(ahead) as url, httpx.AsyncClient(base_url=url) as call:
        answer = await call.get("/readyz")
    assert answer.status_code == 200
    (line,) = [line for line in answer.json()["wrong"] if line.startswith("clock: ")]
    assert re.search(r"3,(599|600) s apart", line)
    with capture_logs() as lines:
        async with open_runtime(runtime.settings, clock=lambda: clock() - timedelta(minutes=5)):
            pass
    assert "clocks_differ" in {line["event"] for line in lines}
    with capture_logs() as lines:
        async with open_runtime(runtime.settings):
            pass
    assert "clocks_differ" not in {line["event"] for line in lines}
