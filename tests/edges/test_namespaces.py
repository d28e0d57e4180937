"""Memories of one namespace never stand in a summary of another, or of none; a read may name several."""

from __future__ import annotations

from datetime import date
from typing import Any

import httpx
import pytest

from precis.app import App
from precis.app.passes import regroup
from precis.bootstrap import Runtime
from precis.errors import InvalidInput
from precis.memory import Tier

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHARED = ("Tess plays the viola in the orchestra.", "Tess has a solo in the viola concert.", "Tess's viola is new.")
SECRET = ("Tess failed the viola exam.", "Tess retakes the viola exam in June.", "Tess wants to give up the viola.")
LONG_AGO = "2026-03-04T09:00:00Z"


def rows(texts: tuple[str, ...], namespace: str | None, **more: Any) -> list[dict[str, Any]]:
    """Memories on one subject."""
    labels = {"user_id": "brandts", "type": "fact", "key": "viola", **more}
    return [{"id": text.replace(" ", "-"), "text": text, "namespace": namespace, **labels} for text in texts]


async def summaries(app: App) -> dict[str | None, str]:
    """The text of each summary, by its namespace."""
    found = (await app.memories.list(is_summary=True, limit=100)).rows
    texts = {row.namespace: (await app.summaries.get(row.id)).text for row in found}
    assert len(texts) == len(found)
    return texts


def apart(texts: dict[str | None, str]) -> None:
    """The secret stands in the private summary, and in no other."""
    assert {None, "tess"} == set(texts)
    assert all(word in texts["tess"] for word in ("failed", "June"))
    assert not any(word in (texts[None] or "") for word in ("failed", "retakes", "give up"))
    assert "solo" in texts[None]
    assert "solo" not in texts["tess"]


async def test_a_subject_is_of_one_namespace(app: App) -> None:
    """However like the memories are, in one write and in two."""
    await app.memories.add([*rows(SHARED, None), *rows(SECRET[:1], "tess")])
    await app.memories.add(rows(SECRET[1:], "tess"))
    apart(await summaries(app))


async def test_a_memory_moves_with_its_namespace(app: App) -> None:
    """Whoever makes a memory private takes it out of the summary that everybody reads."""
    await app.memories.add([*rows(SHARED, None), *rows(SECRET, None)])
    assert "failed" in (await summaries(app))[None]
    for text in SECRET:
        await app.memories.edit(text.replace(" ", "-"), {"namespace": "tess"})
    await app.summaries.refresh_all(stale_only=True)
    apart(await summaries(app))


async def test_what_was_mixed_is_parted(runtime: Runtime, app: App) -> None:
    """Clusters of an earlier release held every namespace: the next regrouping parts them."""
    await app.memories.add([*rows(SHARED, None), *rows(SECRET, None)])
    async with runtime.database.tenant(app.parts.tenant_id) as connection:
        await connection.execute(
            "UPDATE memories SET namespace = 'tess' WHERE tenant_id = %s AND memory_id = ANY(%s)",
            (app.parts.tenant_id, [row["id"] for row in rows(SECRET, None)]),
        )
    await regroup(app.parts, app.parts.engine.clock())
    await app.summaries.refresh_all(stale_only=True)
    apart(await summaries(app))


async def test_weeks_are_of_one_namespace(app: App) -> None:
    """Notes of a namespace have days and weeks of their own."""
    notes = {"memory_type": "episodic", "metadata": {"kind": "note"}, "created_at": LONG_AGO, "key": None}
    await app.memories.add([*rows(SHARED, None, **notes), *rows(SECRET, "tess", **notes)])
    await app.rollups.summarize("brandts", "weekly", day=date(2026, 3, 4))
    weeks = [row for row in (await app.summaries.list()).rows if row.tier is Tier.WEEK]
    texts = {(await app.memories.get(row.id)).namespace: row.text for row in weeks}
    apart(texts)


async def test_batches_are_of_one_namespace(app: App) -> None:
    """An archive of everything a user said has one batch for each namespace."""
    old = {"created_at": LONG_AGO, "key": None}
    await app.memories.add([*rows(SHARED, None, **old), *rows(SECRET, "tess", **old)])
    await app.archive.run()
    batches = [row for row in (await app.summaries.list()).rows if row.tier is Tier.ARCHIVE]
    apart({(await app.memories.get(row.id)).namespace: row.text for row in batches})


async def test_several_namespaces_are_read_at_once(app: App, api: httpx.AsyncClient) -> None:
    """Python, and each address over HTTP that takes one."""
    await app.memories.add(
        [*rows(SHARED, "shared"), *rows(SECRET, "tess"), *rows(("Tom's viola party is a surprise.",), "tom")]
    )
    names = ["shared", "tess"]
    found = await app.recall.search("viola", user_id="brandts", namespace=names, limit=50)
    assert set(names) == {result.memory.namespace for result in found}
    among: dict[str, Any] = {"user_id": "brandts", "namespace": names}
    read = await app.context.assemble("Who plays the viola?", token_budget=500, min_relevance=0, **among)
    assert "solo" in read.text
    assert "surprise" not in read.text
    body = {"query": "viola", "user_id": "brandts", "limit": 50}
    answer = (await api.post("/v1/recall", json=body | {"namespace": names})).json()
    assert set(names) == {row["memory"]["namespace"] for row in answer["results"]}
    answer = (await api.post("/v1/recall", json=body | {"namespace": "tom"})).json()
    assert {"tom"} == {row["memory"]["namespace"] for row in answer["results"]}
    page = (await api.get("/v1/memories", params={"namespace": names})).json()
    assert "memories" in page, page
    assert set(names) == {row["namespace"] for row in page["memories"]}
    page = (await api.get("/v1/memories", params={"namespace": "tom"})).json()
    assert ["tom"] == [row["namespace"] for row in page["memories"]]
    with pytest.raises(InvalidInput, match="the list is empty"):
        await app.memories.list(namespace=[])
