"""The vectors of two embedders: what is counted, renewed and compared."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from store_steps import EVERYTHING, POLICY, TEXTS, make, notes, seeing, unit, write

from precis.bootstrap import Runtime
from precis.engine.engine import Engine
from precis.engine.grouping import Vector
from precis.recall.question import Pool, read_question
from precis.store.postgres import PostgresStore
from precis.store.rows import NewMemory
from precis.store.search import Asked
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder

OLD, NEW = HashEmbedder.version, "other@1"
#: Of another length than that of the old embedder.
VECTOR = np.asarray([1.0, 0.0, 0.0], dtype=np.float32)
#: What an embedder makes of a text that it cannot read.
NOTHING = np.zeros(64, dtype=np.float32)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_vectors_are_counted_by_embedder(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """Summaries too, and rows of which it could make no vector; one that it was never to read counts for none."""
    rows = notes(tenant, clock, TEXTS)
    rows[0] = replace(rows[0], vector=NOTHING)
    rows[1] = replace(rows[1], vector=NOTHING, memory=replace(rows[1].memory, embedding_version=None))
    await make(engine, tenant, await write(store, tenant, rows, clock()))
    assert {OLD: 5} == dict(await store.embeddings.versions(tenant))
    assert 5 == len(await store.embeddings.outdated(tenant, NEW, after="", limit=10))
    assert [] == list(await store.embeddings.outdated(tenant, OLD, after="", limit=10))


async def test_slice_by_slice(store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine) -> None:
    """By id, from where it stopped, until all are of the new one; texts come as they are read."""
    made = await make(engine, tenant, await write(store, tenant, notes(tenant, clock, TEXTS), clock()))
    first = await store.embeddings.outdated(tenant, NEW, after="", limit=4)
    assert 4 == await store.embeddings.renew(tenant, NEW, [(row, VECTOR) for row in first])
    assert {OLD: 2, NEW: 4} == dict(await store.embeddings.versions(tenant))
    rest = await store.embeddings.outdated(tenant, NEW, after=first[-1].id, limit=10)
    assert {made.summary_id, *(f"n{at}" for at in range(5))} == {row.id for row in (*first, *rest)}
    texts = {row.id: row.text for row in (*first, *rest)}
    assert TEXTS[1] == texts["n1"]
    assert TEXTS[1] in texts[made.summary_id]
    await store.embeddings.renew(tenant, NEW, [(row, VECTOR) for row in rest])
    assert {NEW: 6} == dict(await store.embeddings.versions(tenant))


async def test_what_the_old_one_could_not_read(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """It gets a vector of the new one, and is found by it; what that one cannot read either is not tried again."""
    rows = [replace(row, vector=NOTHING) for row in notes(tenant, clock, ["绿茶", "红茶", "白茶"])]
    await write(store, tenant, rows, clock())
    read = await store.embeddings.outdated(tenant, NEW, after="", limit=10)
    assert ["绿茶", "红茶", "白茶"] == [row.text for row in read]
    vectors = [VECTOR, VECTOR, np.zeros_like(VECTOR)]
    assert 3 == await store.embeddings.renew(tenant, NEW, list(zip(read, vectors, strict=True)))
    assert {NEW: 3} == dict(await store.embeddings.versions(tenant))
    assert [] == list(await store.embeddings.outdated(tenant, NEW, after="", limit=10))
    hits = await store.search.search(tenant, EVERYTHING, query="", vector=VECTOR, embedding_version=NEW, limit=5)
    assert {"n0", "n1"} == {hit.memory.id for hit in hits if hit.similarity}


async def test_a_row_that_changed_meanwhile_is_left_alone(
    store: PostgresStore, tenant: str, clock: FrozenClock
) -> None:
    """An edit, a forget: the vector of what is no longer there is never put in place."""
    await write(store, tenant, notes(tenant, clock, TEXTS[:3]), clock())
    read = await store.embeddings.outdated(tenant, NEW, after="", limit=10)
    await store.memories.forget(tenant, ["n0"], now=clock())
    clock.advance(timedelta(seconds=5))
    (changed,) = notes(tenant, clock, ["white tea"], first=1)
    await store.memories.edit(tenant, changed, policy=POLICY, now=clock())
    assert 1 == await store.embeddings.renew(tenant, NEW, [(row, VECTOR) for row in read])
    assert {OLD: 1, NEW: 1} == dict(await store.embeddings.versions(tenant))


async def test_recall_goes_on_meanwhile(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Words find every row; the vector of a question is compared with those of its own embedder alone."""
    await write(store, tenant, notes(tenant, clock, ["green tea", "black tea"]), clock())
    read = await store.embeddings.outdated(tenant, NEW, after="", limit=1)
    await store.embeddings.renew(tenant, NEW, [(row, VECTOR) for row in read])
    seen: list[Pool] = []
    for version, vector in ((NEW, VECTOR), (OLD, unit(1, 0))):
        asked = Asked(question=read_question("tea"), vector=vector, embedding_version=version, breadth=5)
        await store.search.read(tenant, EVERYTHING, asked, seeing(seen))
    compared = [{id_: row.similarity is not None for id_, row in pool.rows.items()} for pool in seen]
    assert compared == [{"n0": True, "n1": False}, {"n0": False, "n1": True}]


async def test_writing_and_forgetting_go_on_meanwhile(
    store: PostgresStore, tenant: str, clock: FrozenClock, engine: Engine
) -> None:
    """A group whose members have vectors of two lengths still takes members and lets them go."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS), clock())
    read = await store.embeddings.outdated(tenant, NEW, after="", limit=3)
    await store.embeddings.renew(tenant, NEW, [(row, VECTOR) for row in read])
    await store.memories.forget(tenant, ["n0", "n4"], now=clock())
    await write(store, tenant, notes(tenant, clock, ["white tea"], first=7), clock())
    assert (await make(engine, tenant, group_id)).summary_id


async def test_a_row_joins_no_cluster_of_another_embedder(
    store: PostgresStore, tenant: str, clock: FrozenClock
) -> None:
    """However near the figures are, where both have one length; a key still brings them together."""
    first = await write(store, tenant, lone(tenant, clock, OLD, unit(1, 0), unit(1, 0)), clock())
    (stranger,) = lone(tenant, clock, NEW, unit(1, 0), first=5)
    assert first != await write(store, tenant, [stranger], clock())
    named = notes(tenant, clock, ["green tea"], first=7)
    by_key = await write(store, tenant, named, clock())
    (also,) = notes(tenant, clock, ["green tea"], first=8)
    assert by_key == await write(store, tenant, [of(NEW, also)], clock())


async def test_a_centroid_is_of_one_embedder(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """Of two whose vectors have one length: before a member leaves and after, until all are made anew."""
    old = notes(tenant, clock, TEXTS, vector=unit(1, 0))
    new = [of(NEW, row) for row in notes(tenant, clock, ["green tea"], first=7, vector=unit(0, 1))]
    group_id = await write(store, tenant, old, clock())
    assert group_id == await write(store, tenant, new, clock())
    near = lone(tenant, clock, NEW, *[unit(0.05, 1)] * 3, first=10)
    assert group_id == await write(store, tenant, near[:1], clock())
    await store.memories.forget(tenant, ["n0"], now=clock())
    assert group_id == await write(store, tenant, near[1:2], clock())
    read = await store.embeddings.outdated(tenant, NEW, after="", limit=10)
    await store.embeddings.renew(tenant, NEW, [(row, unit(0, 1)) for row in read])
    assert group_id == await write(store, tenant, near[2:], clock())


async def test_a_cluster_that_nothing_was_read_of(store: PostgresStore, tenant: str, clock: FrozenClock) -> None:
    """It is found by nearness once the new embedder has read its members."""
    unread = [replace(row, vector=NOTHING) for row in notes(tenant, clock, ["绿茶", "红茶"])]
    group_id = await write(store, tenant, unread, clock())
    read = await store.embeddings.outdated(tenant, NEW, after="", limit=10)
    await store.embeddings.renew(tenant, NEW, [(row, unit(1, 0)) for row in read])
    assert group_id == await write(store, tenant, lone(tenant, clock, NEW, unit(1, 0), first=5), clock())


def lone(tenant: str, clock: FrozenClock, version: str, *vectors: Vector, first: int = 0) -> list[NewMemory]:
    """Rows without a subject: only nearness places them."""
    texts = [f"note {at}" for at in range(len(vectors))]
    rows = notes(tenant, clock, texts, first=first, key=None)
    return [of(version, replace(row, vector=vector)) for row, vector in zip(rows, vectors, strict=True)]


def of(version: str, row: NewMemory) -> NewMemory:
    """The same row as another embedder's."""
    return replace(row, memory=replace(row.memory, embedding_version=version))


async def test_who_joins_meanwhile_counts(
    runtime: Runtime, store: PostgresStore, tenant: str, clock: FrozenClock
) -> None:
    """A member that is committed while the centroid waits for its cluster is in the mean of it."""
    group_id = await write(store, tenant, notes(tenant, clock, TEXTS[:2]), clock())
    other = notes(tenant, clock, ["an old train"], first=5, key="train", vector=unit(0, 1))
    await write(store, tenant, [of(NEW, row) for row in other], clock())
    read = await store.embeddings.outdated(tenant, NEW, after="", limit=10)
    async with runtime.database.tenant(tenant) as connection:
        await connection.execute("UPDATE groups SET members = members + 1 WHERE group_id = %s", [group_id])
        await connection.execute("UPDATE members SET group_id = %s WHERE memory_id = 'n5'", [group_id])
        renewing = asyncio.create_task(store.embeddings.renew(tenant, NEW, [(row, unit(1, 0)) for row in read]))
        await somebody_waits(runtime)
    assert 2 == await renewing
    async with runtime.database.tenant(tenant) as connection:
        found = await connection.execute("SELECT centroid FROM groups WHERE group_id = %s", [group_id])
        (row,) = await found.fetchall()
    assert row["centroid"].to_list()[:2] == pytest.approx([2 / 3, 1 / 3], abs=1e-3)


async def somebody_waits(runtime: Runtime) -> None:
    """Until a transaction waits for another one."""
    async with asyncio.timeout(10):
        while True:
            async with runtime.database.directory() as connection:
                found = await connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
                if await found.fetchone():
                    return
            await asyncio.sleep(0.02)
