"""S3.10: the scheduler runs over Chroma and Cognee as over precis's own store; POST /memory/summarize reaches them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx
import pytest
import yaml
from archiving import TODAY, chroma_store, fill, ids_in, old_rows, on_day, remember
from pydantic import ValidationError

from precis.app import App
from precis.app.archive import archive_passes
from precis.bootstrap import Runtime, build_passes
from precis.jobs.upkeep import run_due
from precis.rest.server import listening
from precis.settings import Settings
from precis.settings_file import PoolSettings
from precis.testing.clock import FrozenClock
from precis.testing.fakes import FakeCognee, Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass
class _File:
    """What Cognee's own reader opens."""

    text: str

    async def read(self) -> str:
        """The whole of it."""
        return self.text


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeCognee:
    """Cognee as it is imported, with a data set of old memories."""
    made = FakeCognee()
    for at in range(3):
        made.put("ana", f"Ana tuned harp number {at} in Riga.", TODAY - timedelta(days=400 + at))

    @asynccontextmanager
    async def open_data_file(location: str) -> AsyncIterator[_File]:
        yield _File(await made.read(location))

    monkeypatch.setitem(sys.modules, "cognee", made)
    names = "cognee.infrastructure.files.utils.open_data_file".split(".")
    for end in range(2, len(names) + 1):
        monkeypatch.setitem(sys.modules, ".".join(names[:end]), ModuleType(".".join(names[:end])))
    monkeypatch.setitem(sys.modules, ".".join(names), SimpleNamespace(open_data_file=open_data_file))
    return made


def scheduled(runtime: Runtime, tenant: str, folder: Path, clock: FrozenClock) -> Runtime:
    """A worker of a deployment with a store of each kind."""
    pools = [
        PoolSettings(name="notes", kind="chroma", path=folder, tenant=tenant, keep_in_precis=True),
        PoolSettings(name="graph", kind="cognee", tenant=tenant),
    ]
    chosen = runtime.settings.model_copy(update={"archive_enabled": True, "archive_pools": pools})
    engine = replace(runtime.engine, clock=clock, summarizer=Quoting())
    return replace(runtime, engine=engine, settings=chosen, passes=tuple(archive_passes(chosen)))


async def test_the_timetable_has_every_store(
    runtime: Runtime, app: App, tenant: str, tmp_path: Path, library: FakeCognee
) -> None:
    """Due at once, then a day later, each by itself; the originals over a year go from where they lay."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(5, newest_days=400))
    clock = FrozenClock(TODAY)
    worker = scheduled(runtime, tenant, tmp_path, clock)
    stores = {"archive", "archive notes", "archive graph"}
    assert stores <= set(await run_due(worker, tenant))
    assert set() == set(ids) & ids_in(store)
    (text,) = library.texts("ana")
    assert text.startswith("[HomeClaw summary] ")
    assert "harp number 2" in text
    rows = (await app.memories.list(limit=100)).rows
    assert [tuple(ids)] == [row.summarized_memory_ids for row in rows]
    for hours, expected in ((1, set()), (23, stores)):
        clock.advance(timedelta(hours=hours))
        assert expected == stores & set(await run_due(worker, tenant))


async def test_another_tenant_does_not_have_them(
    runtime: Runtime, tenant: str, tmp_path: Path, library: FakeCognee
) -> None:
    """A pool is one tenant's."""
    clock = FrozenClock(TODAY)
    worker = scheduled(runtime, "somebody-else", tmp_path, clock)
    assert {"archive", "count of precis"} == set(await run_due(worker, tenant))
    assert 3 == len(library.texts("ana"))


async def test_a_store_that_cannot_be_opened_keeps_the_others_going(
    runtime: Runtime, app: App, tenant: str, tmp_path: Path, library: FakeCognee
) -> None:
    """And is due until it can."""
    clock = FrozenClock(TODAY)
    worker = scheduled(runtime, tenant, tmp_path, clock)
    made = set(await run_due(worker, tenant))
    assert {"archive", "archive graph"} == {one for one in made if one.startswith("archive")}
    fill(chroma_store(tmp_path), old_rows(3))
    clock.advance(timedelta(minutes=3))
    assert "archive notes" in await run_due(worker, tenant)


@asynccontextmanager
async def serving(worker: Runtime, tenant: str) -> AsyncIterator[httpx.AsyncClient]:
    """That deployment over HTTP."""
    key = await worker.store.tenants.create_key(tenant, name="test", now=worker.engine.clock())
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(listening(worker))
        headers = {"Authorization": f"Bearer {key}"}
        yield await stack.enter_async_context(httpx.AsyncClient(base_url=url, headers=headers, timeout=60))


async def test_a_request_reaches_every_store(
    runtime: Runtime, app: App, tenant: str, tmp_path: Path, library: FakeCognee
) -> None:
    """Without a body all of them, with a store one, with a user one user's memories; the settings are shown."""
    store = chroma_store(tmp_path)
    fill(store, old_rows(4, newest_days=400))
    fill(store, old_rows(3, newest_days=400, user_id="ben"))
    today, clock = on_day(app)
    await remember(today, old_rows(3))
    async with serving(scheduled(runtime, tenant, tmp_path, clock), tenant) as api:
        body = {"store": "notes", "userId": "ben", "originals": "keep"}
        one = (await api.post("/memory/summarize", json=body)).json()
        assert {"notes": {"batches": 1, "memories": 3, "deletions": 0}} == one["pools"]
        done = (await api.post("/memory/summarize")).json()
        assert (3, 10, 10) == (done["batches"], done["memories"], done["deletions"])
        assert {
            "notes": {"batches": 1, "memories": 4, "deletions": 7},
            "graph": {"batches": 1, "memories": 3, "deletions": 3},
        } == done["pools"]
        shown = (await api.get("/memory/summarize")).json()
        assert ["precis", "notes", "graph"] == shown["archive"]["stores"]
        assert (50, 7, 365) == tuple(
            shown["archive"][name] for name in ("after_memories", "min_age_days", "keep_original_days")
        )
        assert 422 == (await api.post("/memory/summarize", json={"store": "elsewhere"})).status_code


async def test_a_store_that_fails_is_named(
    runtime: Runtime, app: App, tenant: str, tmp_path: Path, library: FakeCognee
) -> None:
    """The answer is a 503 with its name; what the others did stands."""
    today, clock = on_day(app)
    await remember(today, old_rows(3))
    async with serving(scheduled(runtime, tenant, tmp_path, clock), tenant) as api:
        answer = await api.post("/memory/summarize")
    assert 503 == answer.status_code
    assert "notes: " in answer.json()["detail"]
    assert 1 == len((await app.summaries.list(policy="archive")).rows)
    assert 1 == len(library.texts("ana"))


async def test_the_pools_stand_in_the_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the document's block; what is no store is refused by name."""
    chroma = {"name": "notes", "kind": "chroma", "path": "/srv/chroma", "collection": "memory"}
    block = {"enabled": True, "schedule": "weekly", "min_age_days": 2}
    cases: list[tuple[list[dict[str, Any]], str | None]] = [
        ([chroma, {"name": "graph", "kind": "cognee"}], None),
        ([{"name": "notes", "kind": "chroma"}], "path"),
        ([{"name": "precis", "kind": "cognee"}], "precis's own store"),
        ([{"name": "x", "kind": "redis"}], "kind"),
    ]
    monkeypatch.setenv("PRECIS_CONFIG", str(tmp_path / "precis.yaml"))
    for pools, refused in cases:
        document = {"memory_summarization": block, "archive_pools": pools}
        (tmp_path / "precis.yaml").write_text(yaml.safe_dump(document))
        if refused is not None:
            with pytest.raises(ValidationError, match=refused):
                Settings()
            continue
        settings = Settings()
        assert {"rollups", "clusters", "clusters_soon", "archive", "archive notes", "archive graph", "count of precis",
                "count of notes", "count of graph"} == {one.name for one in build_passes(settings)}  # fmt: skip
        assert (2, Path("/srv/chroma")) == (settings.archive_min_age_days, settings.archive_pools[0].path)
