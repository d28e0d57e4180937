"""Vectors of another embedder, made anew through the verb, over the in-memory store."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from precis.app import app_over
from precis.app.parts import Parts
from precis.engine.pipeline import Engine
from precis.jobs.renewing import renew_all
from precis.policies.clusters import clusters
from precis.settings import Settings
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, Quoting, count_words
from precis.testing.memory_store import MemoryStore


class Other(HashEmbedder):
    """Another embedder."""

    version = "other@1"


@pytest.fixture
def parts() -> Parts:
    """precis over an in-memory store."""
    store = MemoryStore()
    policy = clusters()
    engine = Engine(
        groups=store.groups, policies={policy.name: policy}, summarizer=Quoting(), fallback=Quoting(),
        embedder=HashEmbedder(), count=count_words, clock=FrozenClock(),
    )  # fmt: skip
    return Parts(tenant_id="t", store=cast("Any", store), engine=engine, settings=Settings())


async def test_slices_until_nothing_is_left(parts: Parts) -> None:
    """Every tenant in turn; progress is told; recall by vectors comes back with each slice."""
    await app_over(parts).memories.add([{"text": f"tea number {at}", "user_id": "ana"} for at in range(7)])
    changed = replace(parts, engine=replace(parts.engine, embedder=Other()))
    app = app_over(changed)
    before = await app.embeddings.progress()
    assert (before.version, before.current) == ("other@1", 0)
    reached = await app.embeddings.renew(limit=3)
    assert reached is not None
    assert (await app.embeddings.progress()).current == 3
    found = await app.recall.search("tea number 5", user_id="ana", limit=10)
    assert {one.memory.text for one in found if not one.memory.is_summary} == {f"tea number {at}" for at in range(7)}
    runtime = SimpleNamespace(app=lambda _: app, store=SimpleNamespace(tenants=SimpleNamespace(list=_tenants)))
    assert await renew_all(cast("Any", runtime)) == 1
    after = await app.embeddings.progress()
    assert (after.current, after.outdated) == (before.outdated, 0)
    assert await renew_all(cast("Any", runtime)) == 0


async def _tenants() -> list[str]:
    return ["t"]
