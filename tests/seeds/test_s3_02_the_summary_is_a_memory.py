"""S3.2: a summary of the archive is an ordinary memory that says what it stands for."""

from __future__ import annotations

from pathlib import Path

import pytest
from archiving import TODAY, batches_of, chroma_store, fill, old_rows, on_day, pool_in, remember

from precis.app import App
from precis.rest.answers import MemoryBody
from precis.rest.summary_answers import SummaryBody

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_it_is_a_memory(app: App) -> None:
    """It is read, listed and recalled like any other, and found by what its batch said."""
    today, _ = on_day(app)
    ids = await remember(today, old_rows(5))
    await today.archive.run()
    (summary,) = await batches_of(today)
    memory = await today.memories.get(summary.id)
    assert (True, "ana", tuple(ids)) == (memory.is_summary, memory.scope.user_id, memory.parent_id)
    assert memory.embedding_version is not None
    found = await today.recall.search("What did Ana buy in Kyoto?", user_id="ana", summaries="only")
    assert summary.id in [one.memory.id for one in found]


async def test_it_names_its_originals_and_their_last_day(app: App) -> None:
    """In every answer, under the names of the document."""
    today, _ = on_day(app)
    rows = old_rows(4, agent_id="helper", run_id="r1")
    ids = await remember(today, rows)
    await today.archive.run()
    (summary,) = await batches_of(today)
    body = SummaryBody.of(summary)
    assert (tuple(ids), rows[-1]["created_at"].date()) == (body.summarized_memory_ids, body.summarized_until)
    row = await today.memories.get(summary.id)
    assert (tuple(ids), rows[-1]["created_at"]) == (row.summarized_memory_ids, row.summarized_until)
    memory = MemoryBody.of(row)
    assert rows[-1]["created_at"].date() == memory.summarized_until
    assert (tuple(ids), "helper", "r1") == (memory.summarized_memory_ids, memory.agent_id, memory.run_id)


async def test_other_rows_do_not(app: App) -> None:
    """A raw memory and a cluster's summary stand for no batch."""
    today, _ = on_day(app)
    rows = [row | {"key": "things"} for row in old_rows(4)]
    ids = await remember(today, rows)
    await today.summaries.refresh_all(policy="clusters")
    (summary,) = (await today.summaries.list(policy="clusters")).rows
    assert (None, None) == (SummaryBody.of(summary).summarized_memory_ids, SummaryBody.of(summary).summarized_until)
    for id_ in (ids[0], summary.id):
        row = await today.memories.get(id_)
        assert (None, None) == (row.summarized_memory_ids, row.summarized_until)


async def test_several_agents_are_none(app: App) -> None:
    """Where the originals had different agents the summary names none of them."""
    today, _ = on_day(app)
    rows = old_rows(4, run_id="r1")
    for row, agent in zip(rows, "aabb", strict=True):
        row["agent_id"] = agent
    await remember(today, rows)
    await today.archive.run()
    (summary,) = await batches_of(today)
    memory = await today.memories.get(summary.id)
    assert (None, "r1") == (memory.agent_id, memory.run_id)


async def test_in_a_pool_it_has_the_metadata(app: App, tmp_path: Path) -> None:
    """is_summary, summarized_memory_ids, summarized_until, and user, agent and run of the originals."""
    store = chroma_store(tmp_path)
    rows = old_rows(5, agent_id="helper", run_id="r1")
    ids = fill(store, rows)
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path))
    (made,) = done.users[0].batches
    row = store.get(ids=[made.summary_id], include=["metadatas", "documents", "embeddings"])
    assert {
        "is_summary": True, "summarized_memory_ids": ids, "summarized_until": rows[-1]["created_at"].isoformat(),
        "user_id": "ana", "agent_id": "helper", "run_id": "r1", "created_at": TODAY.isoformat(),
    } == row["metadatas"][0]  # fmt: skip
    for original in rows:
        assert original["text"] in row["documents"][0]
    assert len(row["embeddings"][0]) == len(store.get(limit=1, include=["embeddings"])["embeddings"][0])
