"""S3.5, forgetting: whatever the pool deleted before, what is forgotten leaves every summary there, and is counted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from archiving import TODAY, chroma_store, embed, fill, ids_in, old_rows, on_day, pool_in, said
from psycopg import sql
from psycopg.types.json import Jsonb

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import NotFound
from precis.sources.chroma import ChromaPool
from precis.testing.fakes import hash_vector

pytestmark = pytest.mark.asyncio(loop_scope="session")


def words_of(store: Any) -> str:
    """Everything that lies in the store."""
    stored = store.get(include=["documents", "metadatas"])
    return str([stored["ids"], stored["documents"], stored["metadatas"]])


def put_summary(store: Any, *, of: list[str], user_id: str = "ana") -> None:
    """A summary that somebody else made."""
    text = "Ana once sold a barrel. She wrote it down."
    store.add(
        ids=["by-hand"], documents=[text], embeddings=[[float(x) for x in hash_vector(text)]],
        metadatas=[{"user_id": user_id, "is_summary": True, "summarized_memory_ids": of}],
    )  # fmt: skip


async def waiting(runtime: Runtime, tenant: str) -> int:
    """How many forgets some pool has not confirmed."""
    async with runtime.database.tenant(tenant) as connection:
        asked = await connection.execute("SELECT count(*) AS n FROM pending_receipts")
        return int((await asked.fetchone() or {"n": -1})["n"])


@pytest.mark.parametrize("keep", [False, True], ids=["in the pool", "in precis"])
async def test_a_user_with_expired_originals(
    runtime: Runtime, tenant: str, app: App, tmp_path: Path, keep: bool
) -> None:
    """All originals of some summaries are gone from the pool: those summaries go, too, and the receipt counts them."""
    store = chroma_store(tmp_path)
    ids = fill(store, [*old_rows(20, newest_days=400), *old_rows(4, newest_days=0)])
    theirs = fill(store, old_rows(3, user_id="ben"))
    today, _ = on_day(app, max_memories_per_batch=8)
    pool = pool_in(tmp_path)
    done = await today.pools.archive(pool, keep_in_precis=keep)
    assert (20, set(ids[:20]) & ids_in(store)) == (done.deletions, set())
    put_summary(store, of=[ids[21]])
    receipt = await today.pools.forget_user(pool, "ana")
    assert set(ids) == set(receipt.forgotten)
    assert ["confirmed"] == [place.state for place in receipt.external]
    # A statement of each original, and the two sentences of somebody else's summary.
    assert 20 + 2 <= receipt.statements_removed == sum(summary.statements_removed for summary in receipt.summaries)
    assert {"deleted"} == {summary.state for summary in receipt.summaries}
    assert all(summary.statements_removed for summary in receipt.summaries)
    kept = (await app.receipts.get(receipt.id)).completed_by or {}
    assert ([{"where": pool.name, "state": "confirmed"}], 0) == (kept["external"], await waiting(runtime, tenant))
    assert receipt.statements_removed == kept["counts"]["statements_removed"]
    remaining = words_of(store) + str([row.text for row in (await today.memories.list(user_id="ana")).rows])
    assert [] == [at for at in range(20) if said(at) in remaining]
    assert "barrel. She" not in remaining
    assert "ana" not in remaining.lower()
    assert set(theirs) <= ids_in(store)
    with pytest.raises(NotFound, match="nothing was forgotten"):
        await today.pools.forget_user(pool, "ana")
    assert 0 == (await today.pools.archive(pool, user_id="ana")).batches


async def test_the_receipt_counts_what_went(app: App, tmp_path: Path) -> None:
    """One expired original and one that is there; the rest of each summary stays as it was."""
    store = chroma_store(tmp_path)
    ids = fill(store, [*old_rows(5, newest_days=400), *old_rows(10, newest_days=30)[5:]])
    today, _ = on_day(app, max_memories_per_batch=5)
    pool = pool_in(tmp_path)
    await today.pools.archive(pool)
    receipt = await today.pools.forget(pool, [ids[3], ids[7], "never"])
    assert ((ids[3], ids[7]), ("never",)) == (receipt.forgotten, receipt.not_found)
    assert [("redacted", 1), ("redacted", 1)] == [
        (summary.state, summary.statements_removed) for summary in receipt.summaries
    ]
    assert (2, "confirmed") == (receipt.statements_removed, receipt.external[0].state)
    assert [3, 7] == [at for at in range(10) if said(at) not in words_of(store)]


async def test_somebody_elses_summary_is_named(app: App, tmp_path: Path) -> None:
    """precis does not know what in it rests on what: it stays, and the receipt says where it is."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(3))
    put_summary(store, of=[ids[0]])
    today, _ = on_day(app)
    receipt = await today.pools.forget(pool_in(tmp_path), [ids[0]])
    where, state = receipt.external[1].where, receipt.external[1].state
    assert ("summary by-hand" in where, state) == (True, "out of reach")
    assert 1 == len((await today.pools.forget(pool_in(tmp_path), [ids[1]])).external)


async def test_what_is_not_there_is_refused(runtime: Runtime, tenant: str, app: App, tmp_path: Path) -> None:
    """Unknown ids and users, and what was forgotten before: no receipt is written, nothing changes."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(3))
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    await today.pools.forget(pool, [ids[0]])
    async with runtime.database.tenant(tenant) as connection:
        before = await (await connection.execute("SELECT count(*) AS n FROM receipts")).fetchone()
    for unknown in (["never"], [ids[0]]):
        with pytest.raises(NotFound):
            await today.pools.forget(pool, unknown)
    with pytest.raises(NotFound):
        await today.pools.forget_user(pool, "nobody")
    async with runtime.database.tenant(tenant) as connection:
        assert before == await (await connection.execute("SELECT count(*) AS n FROM receipts")).fetchone()
    assert set(ids[1:]) == ids_in(store)


async def test_one_that_comes_back_is_deleted_again(app: App, tmp_path: Path) -> None:
    """The assistant writes a forgotten id once more and it is forgotten once more: gone before it is confirmed."""
    store = chroma_store(tmp_path)
    rows = old_rows(3)
    ids = fill(store, rows)
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    for _ in range(2):
        receipt = await today.pools.forget(pool, [ids[1]])
        assert ("confirmed", {ids[0], ids[2]}) == (receipt.external[0].state, ids_in(store))
        fill(store, [rows[1]])


class Deaf(ChromaPool):
    """A pool that deletes nothing for a while."""

    deaf = False

    async def delete(self, ids: Any) -> None:
        """Not now."""
        if self.deaf:
            raise OSError("the store is locked")
        await super().delete(ids)


async def test_what_a_pool_does_not_do_now_the_next_pass_does(
    runtime: Runtime, tenant: str, app: App, tmp_path: Path
) -> None:
    """A user goes while the pool deletes nothing: hidden at once, pending, and gone with the next pass, foreign too.

    The receipt is completed then, by a second one, and no row names the ids any more.
    """
    store = chroma_store(tmp_path)
    ids = fill(store, [*old_rows(10, newest_days=400), *old_rows(3, newest_days=0)])
    today, clock = on_day(app, max_memories_per_batch=5)
    pool = Deaf(store, embed=embed)
    await today.pools.archive(pool)
    put_summary(store, of=[ids[11]])
    pool.deaf = True
    receipt = await today.pools.forget_user(pool, "ana")
    assert ("pending", 13) == (receipt.external[0].state, len(receipt.forgotten))
    assert receipt.statements_removed >= 10 + 2
    for summaries in (False, True):
        assert [] == await today.pools.list(pool, "ana", summaries=summaries)
    first = await app.receipts.get(receipt.id)
    assert ([{"where": pool.name, "state": "pending"}], None) == (first.receipt["external"], first.completed_by)
    assert 1 == await waiting(runtime, tenant)
    pool.deaf = False
    clock.advance(timedelta(minutes=2))
    await today.pools.archive(pool)
    assert set() == ids_in(store)
    completion = (await app.receipts.get(receipt.id)).completed_by or {}
    assert (receipt.id, "completed") == (completion["completes"], completion["kind"])
    assert ([{"where": pool.name, "state": "confirmed"}], 0) == (completion["external"], await waiting(runtime, tenant))
    assert (await app.receipts.list(memory_id=ids[0])).receipts == (first.receipt,)
    assert (await app.receipts.verify()).holds


#: What an older copy of the database has of a pool and of receipts; rows of the later ones name the earlier ones.
_OF_POOLS = (
    "pool_batches", "pool_sources", "pool_statements", "pool_tombstones", "receipts", "receipt_heads",
    "pending_receipts",
)  # fmt: skip


async def rows_of(runtime: Runtime, tenant: str) -> dict[str, list[Any]]:
    """A copy of them."""
    async with runtime.database.tenant(tenant) as connection:
        copies = {}
        for table in _OF_POOLS:
            statement = sql.SQL("SELECT to_jsonb(t) AS row FROM {} t").format(sql.Identifier(table))
            copies[table] = [row["row"] for row in await (await connection.execute(statement)).fetchall()]
        return copies


async def put_back(runtime: Runtime, tenant: str, copies: dict[str, list[Any]]) -> None:
    """Restore the copy."""
    async with runtime.database.tenant(tenant) as connection:
        for table in reversed(_OF_POOLS):
            await connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
        for table in _OF_POOLS:
            statement = sql.SQL("INSERT INTO {0} SELECT * FROM jsonb_populate_recordset(NULL::{0}, %s)")
            await connection.execute(statement.format(sql.Identifier(table)), [Jsonb(copies[table])])


@pytest.mark.parametrize("whom", ["a user", "one memory"])
async def test_a_pool_confirms_after_a_restore(
    runtime: Runtime, tenant: str, app: App, tmp_path: Path, whom: str
) -> None:
    """Pending when the copy was taken away: the next pass deletes what is there, looks for it, and completes it."""
    store = chroma_store(tmp_path)
    ids = fill(store, [*old_rows(10, newest_days=400), *old_rows(3, newest_days=0)])
    fill(store, old_rows(2, user_id="ben"))
    today, clock = on_day(app, max_memories_per_batch=5)
    pool = Deaf(store, embed=embed)
    await today.pools.archive(pool)
    copies = await rows_of(runtime, tenant)
    pool.deaf = True
    receipt = await (today.pools.forget_user(pool, "ana") if whom == "a user" else today.pools.forget(pool, [ids[11]]))
    assert "pending" == receipt.external[0].state
    await put_back(runtime, tenant, copies)
    await runtime.forget_again(tenant)
    assert (1, None) == (await waiting(runtime, tenant), (await app.receipts.get(receipt.id)).completed_by)
    with pytest.raises(OSError, match="locked"):
        await today.pools.archive(pool)
    assert (await app.receipts.get(receipt.id)).completed_by is None
    pool.deaf = False
    clock.advance(timedelta(minutes=2))
    await today.pools.archive(pool)
    assert set(receipt.forgotten).isdisjoint(ids_in(store))
    first = await app.receipts.get(receipt.id)
    completion = first.completed_by or {}
    assert ([{"where": pool.name, "state": "confirmed"}], []) == (completion["external"], completion["memories"])
    assert first.receipt["counts"] == completion["counts"]
    assert 0 == await waiting(runtime, tenant)
    assert (await app.receipts.verify()).holds
    assert 2 == len(await today.pools.list(pool, "ben"))


class Mute(ChromaPool):
    """A pool that adds nothing for a while."""

    mute = False

    async def add(self, memory: Any) -> str:
        """Not now."""
        if self.mute:
            raise OSError("the embedder rests")
        return await super().add(memory)


async def test_a_batch_that_waits_keeps_nobody_waiting(app: App, tmp_path: Path) -> None:
    """Ben's summary cannot be written anew now; Ana, for whom nothing need be added, goes all the same."""
    store = chroma_store(tmp_path)
    ids, theirs = fill(store, old_rows(4, newest_days=400)), fill(store, old_rows(3, user_id="ben"))
    today, clock = on_day(app, TODAY)
    pool = Mute(store, embed=embed)
    await today.pools.archive(pool)
    pool.mute = True
    assert "pending" == (await today.pools.forget(pool, [theirs[1]])).external[0].state
    receipt = await today.pools.forget_user(pool, "ana")
    assert ("confirmed", set(ids)) == (receipt.external[0].state, set(receipt.forgotten))
    assert "Ana" not in words_of(store)
    # What only the forgotten one said is read from it when the summary is written: until then it stays, and is hidden.
    assert theirs[1] in ids_in(store)
    assert [] == await today.pools.list(pool, "ben", summaries=True)
    pool.mute = False
    clock.advance(timedelta(minutes=2))
    await today.pools.archive(pool)
    assert theirs[1] not in ids_in(store)
    assert [False, True] == [said(at, who="Ben") in words_of(store) for at in (1, 2)]


async def test_what_two_memories_say_is_said_again_for_the_other(app: App, tmp_path: Path) -> None:
    """A statement on both goes with the one that is forgotten, at once; the next pass summarizes the other again."""
    store = chroma_store(tmp_path)
    rows = old_rows(4)
    rows[1]["text"] = rows[0]["text"]
    ids = fill(store, rows)
    today, clock = on_day(app)
    pool = pool_in(tmp_path)
    await today.pools.archive(pool)
    receipt = await today.pools.forget(pool, [ids[0]])
    assert ("confirmed", 1) == (receipt.external[0].state, receipt.statements_removed)
    (summary,) = await today.pools.list(pool, "ana", summaries=True)
    assert ([False, True, True], tuple(ids[2:])) == (
        [said(at) in summary.text for at in (0, 2, 3)],
        summary.summarized_memory_ids,
    )
    clock.advance(timedelta(minutes=2))
    done = await today.pools.archive(pool)
    assert (1, 1) == (done.batches, done.memories)
    assert {ids[1], ids[2], ids[3]} < ids_in(store)
