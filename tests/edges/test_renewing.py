"""Vectors of another embedder, made anew through the verb."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from precis.app import App, app_over
from precis.app.parts import Parts
from precis.bootstrap import Runtime
from precis.engine.engine import Engine
from precis.errors import ModelUnavailable
from precis.jobs.upkeep import Renewal, renew_all
from precis.policies.clusters import clusters
from precis.settings import Settings
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, Quoting, count_words

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Other(HashEmbedder):
    """Another embedder."""

    version = "other@1"


class Picky(Other):
    """One that refuses every slice with a text that says so."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """As others do, unless it refuses."""
        if any("refused" in text for text in texts):
            raise self._error
        return await super().embed(texts)


@pytest.fixture
def parts(runtime: Runtime, tenant: str) -> Parts:
    """precis with an embedder that hashes words."""
    policy = clusters()
    engine = Engine(
        groups=runtime.store.groups, policies={policy.name: policy}, summarizer=Quoting(), fallback=Quoting(),
        embedder=HashEmbedder(), count=count_words, clock=FrozenClock(),
    )  # fmt: skip
    return Parts(tenant_id=tenant, store=runtime.store, engine=engine, settings=Settings())


async def test_slices_until_nothing_is_left(parts: Parts) -> None:
    """Progress is told; recall by vectors comes back with each slice."""
    await app_over(parts).memories.add([{"text": f"tea number {at}", "user_id": "ana"} for at in range(7)])
    app = renewed_by(app_over(parts), Other())
    before = await app.embeddings.progress()
    assert (before.version, before.current) == ("other@1", 0)
    reached = await app.embeddings.renew(limit=3)
    assert reached is not None
    assert (await app.embeddings.progress()).current == 3
    found = await app.recall.search("tea number 5", user_id="ana", limit=10)
    assert {one.memory.text for one in found if not one.memory.is_summary} == {f"tea number {at}" for at in range(7)}
    runtime = running(app)
    assert await renew_all(runtime) == 1
    after = await app.embeddings.progress()
    assert (after.current, after.outdated) == (before.outdated, 0)
    assert await renew_all(runtime) == 0


@pytest.mark.parametrize("error", [ModelUnavailable(), RuntimeError("of another kind")])
async def test_a_tenant_that_fails_keeps_no_other_waiting(parts: Parts, error: Exception) -> None:
    """Whatever the first one fails at, the second is made anew in the same look."""
    apps = [app_over(replace(parts, tenant_id=f"{parts.tenant_id}-{at}")) for at in (1, 2)]
    for app, text in zip(apps, ("a refused text", "green tea"), strict=True):
        await app.memories.add([{"text": text, "user_id": "ana"}])
    failing, other = (renewed_by(app, Picky(error)) for app in apps)
    assert await renew_all(running(failing, other)) == 1
    assert (await failing.embeddings.progress()).outdated == 1
    assert (await other.embeddings.progress()).outdated == 0


async def test_a_refused_text_keeps_no_other_of_its_tenant_waiting(parts: Parts) -> None:
    """Each look goes on where the last one failed, with less at once, until the text is alone and is passed over."""
    texts = [f"tea number {at}" for at in range(30)]
    texts[11] = texts[17] = "a refused text"
    app = app_over(parts)
    await app.memories.add([{"text": text, "user_id": f"u{at}"} for at, text in enumerate(texts)])
    app = renewed_by(app, Picky(ModelUnavailable()))
    renewals: dict[str, Renewal] = {}
    for _ in range(16):
        await renew_all(running(app), renewals)
    assert (await app.embeddings.progress()).outdated == 2


def renewed_by(app: App, embedder: Other) -> App:
    """precis over the same rows with another embedder."""
    return app_over(replace(app.parts, engine=replace(app.parts.engine, embedder=embedder)))


def running(*apps: App) -> Any:
    """What renewal needs of a runtime: the tenants of these, in this order."""
    by_tenant = {app.parts.tenant_id: app for app in apps}

    async def tenants() -> list[str]:
        return list(by_tenant)

    return SimpleNamespace(app=by_tenant.__getitem__, store=SimpleNamespace(tenants=SimpleNamespace(list=tenants)))
