"""S3.5: precis's own store, Chroma and Cognee; what is forgotten in a pool leaves its summaries too."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from archiving import TODAY, chroma_store, embed, fill, ids_in, old_rows, on_day, pool_in, said

from precis.app import App
from precis.bootstrap import open_runtime
from precis.errors import Conflict, NotFound
from precis.policies.archive import MARKER, Archive
from precis.settings import Settings
from precis.sources.chroma import ChromaPool
from precis.sources.cognee import CogneePool
from precis.sources.source import PoolMemory, PoolUnusable
from precis.testing.fakes import FakeCognee, Quoting, hash_vector

pytestmark = pytest.mark.asyncio(loop_scope="session")


def everything(store: Any) -> str:
    """All a collection says."""
    found = store.get(include=["documents", "metadatas"])
    return json.dumps([found["documents"], found["metadatas"]])


# --- a store as its assistant left it ---


async def test_dates_in_every_form(app: App, tmp_path: Path) -> None:
    """ISO with and without an offset, a day, seconds, milliseconds, as number or text; none at all is left alone."""
    store = chroma_store(tmp_path)
    old = TODAY - timedelta(days=30)
    forms: list[Any] = [
        old.isoformat(), old.replace(tzinfo=None).isoformat(), "2026-01-31 12:00:00", "2026-01-31", old.timestamp(),
        int(old.timestamp()), int(old.timestamp() * 1000), str(int(old.timestamp())), "2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00-08:00",
    ]  # fmt: skip
    for at, form in enumerate([*forms, "yesterday", None]):
        fields = {"user_id": "ana"} | ({} if form is None else {"created_at": form})
        store.add(ids=[f"m{at}"], documents=[said(at)], embeddings=await embed([said(at)]), metadatas=[fields])
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path))
    assert (1, len(forms), 2) == (done.batches, done.memories, done.users[0].undated)


async def test_naive_dates_are_utc_at_the_border(app: App, tmp_path: Path) -> None:
    """A week to the second without an offset: younger stays, older goes; nothing is compared that cannot be."""
    store = chroma_store(tmp_path)
    rows = old_rows(2)
    rows[0]["created_at"] = TODAY - timedelta(days=7)
    rows[1]["created_at"] = TODAY - timedelta(days=7, seconds=1)
    fill(store, rows)
    today, _ = on_day(app)
    assert 1 == (await today.pools.archive(pool_in(tmp_path))).memories


async def test_other_spellings_are_read_and_written(app: App, tmp_path: Path) -> None:
    """A store that says userId and createdAt in seconds gets its summary in the same words."""
    store = chroma_store(tmp_path)
    rows = old_rows(5)
    rows[4]["text"] = "Good morning!"
    for at, row in enumerate(rows):
        fields = {"userId": "ana", "agentId": "helper", "createdAt": int(row["created_at"].timestamp())}
        store.add(ids=[f"m{at}"], documents=[row["text"]], embeddings=await embed([row["text"]]), metadatas=[fields])
    # The summarizer of everybody: the one of these tests quotes whatever it reads.
    today, _ = on_day(app, summarizer=app.parts.engine.summarizer)
    done = await today.pools.archive(pool_in(tmp_path))
    counts = done.users[0].batches[0].counts
    assert counts is not None
    assert (5, 4, {"small_talk": 1}) == (counts.total, counts.represented, dict(counts.set_aside))
    fields = store.get(ids=[done.users[0].batches[0].summary_id])["metadatas"][0]
    assert ("ana", "helper", int(TODAY.timestamp())) == (fields["userId"], fields["agentId"], fields["createdAt"])
    assert "user_id" not in fields


async def test_texts_among_the_metadata(app: App, tmp_path: Path) -> None:
    """A store without documents keeps its texts under "data"; so does its summary, for the assistant to find."""
    store = chroma_store(tmp_path)
    for at, row in enumerate(old_rows(4)):
        fields = {
            "data": row["text"], "hash": f"h{at}", "user_id": "ana", "user_name": "Ana",
            "created_at": row["created_at"].astimezone().isoformat(),
        }  # fmt: skip
        store.add(ids=[f"m{at}"], embeddings=await embed([row["text"]]), metadatas=[fields])
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path))
    fields = store.get(ids=[done.users[0].batches[0].summary_id])["metadatas"][0]
    assert said(2) in fields["data"]


async def test_summaries_of_others_count(app: App, tmp_path: Path) -> None:
    """What a summary names that another program made is summarized; it is never deleted on the strength of that."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(10, newest_days=400))
    for at, fields in enumerate(
        (
            {"is_summary": True, "summarized_memory_ids": json.dumps(ids[:2]), "user_id": "ana"},
            {"is_summary": "true", "summarized_memory_ids": ",".join(ids[2:4]), "user_id": "ana"},
        )
    ):
        store.add(ids=[f"s{at}"], documents=["Old."], embeddings=await embed(["Old."]), metadatas=[fields])
    store.add(
        ids=["s2"], documents=[MARKER + "Older."], embeddings=await embed(["Old."]), metadatas=[{"user_id": "ana"}]
    )
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path, marks=Archive().marks))
    assert (1, 6, 6) == (done.batches, done.memories, done.deletions)
    assert {*ids[:4], "s0", "s1", "s2"} < ids_in(store)


async def test_memories_of_nobody(app: App, tmp_path: Path) -> None:
    """Rows without a user are one user's of their own, and are not mixed with anybody's."""
    store = chroma_store(tmp_path)
    for at, row in enumerate(old_rows(3)):
        store.add(
            ids=[f"m{at}"], documents=[row["text"]], embeddings=await embed([row["text"]]),
            metadatas=[{"created_at": row["created_at"].isoformat()}],
        )  # fmt: skip
    fill(store, old_rows(2, user_id="ben"))
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path))
    assert [("", 3), ("ben", 2)] == [(one.user_id, one.batches[0].memories) for one in done.users]


# --- embedding ---


async def test_without_an_embedder_nothing_is_asked_and_written(app: App, tmp_path: Path) -> None:
    """The store does not say how its vectors were made: refused before a model is asked, with what to do."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(5, newest_days=400))
    model = Quoting()
    today, _ = on_day(app, summarizer=model)
    with pytest.raises(PoolUnusable, match=r"--embed-model.*--keep-in-precis"):
        await today.pools.archive(pool_in(tmp_path, embed=None))
    assert ([], set(ids)) == (model.requests, ids_in(store))


async def wide(texts: list[str]) -> list[list[float]]:
    """Of other dimensions."""
    return [[0.0, 1.0] for _ in texts]


async def stranger(texts: list[str]) -> list[list[float]]:
    """Of the same dimensions, by another model."""
    return [[float(x) for x in hash_vector(text[::-1] + " other words")] for text in texts]


async def broken(texts: list[str]) -> list[list[float]]:
    """An endpoint that is down."""
    raise OSError(f"no route for {texts[0]}")


@pytest.mark.parametrize(
    ("embedder", "why"),
    [
        (wide, "64 dimensions, the embedder gives 2"),
        (stranger, "another embedder"),
        (broken, "does not answer .OSError."),
    ],
    ids=["dimensions", "model", "down"],
)
async def test_another_embedder_is_refused(app: App, tmp_path: Path, embedder: Any, why: str) -> None:
    """Before anything is drafted; and no error repeats a memory."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(5, newest_days=400))
    model = Quoting()
    today, _ = on_day(app, summarizer=model)
    with pytest.raises(PoolUnusable, match=why) as refused:
        await today.pools.archive(pool_in(tmp_path, embed=embedder))
    assert "Ana" not in str(refused.value)
    assert ([], set(ids)) == (model.requests, ids_in(store))


async def test_the_librarys_default_embedder_is_never_fetched(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A collection made with it: without its model on this computer precis refuses, and nothing asks the network."""
    from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2  # noqa: PLC0415 - heavy

    fetched: list[str] = []
    monkeypatch.setattr(ONNXMiniLM_L6_V2, "DOWNLOAD_PATH", tmp_path / "nothing")
    monkeypatch.setattr(ONNXMiniLM_L6_V2, "_download", lambda *args, **options: fetched.append("asked"))
    chroma_store(tmp_path)  # makes the folder
    import chromadb  # noqa: PLC0415 - heavy

    client = chromadb.PersistentClient(
        path=str(tmp_path), settings=chromadb.config.Settings(anonymized_telemetry=False)
    )
    store = client.get_or_create_collection("default-embedded")
    fill(store, old_rows(5))
    today, _ = on_day(app)
    with pytest.raises(PoolUnusable, match="not at hand"):
        await today.pools.archive(pool_in(tmp_path, collection="default-embedded", embed=None))
    assert [] == fetched


async def test_the_librarys_default_embedder_is_used_where_its_model_lies(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all its files on this computer the collection needs no other; with one less it is refused."""
    from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2  # noqa: PLC0415 - heavy

    files = tmp_path / "model" / "onnx"
    files.mkdir(parents=True)
    for name in ("config.json", "model.onnx", "special_tokens_map.json", "tokenizer_config.json", "tokenizer.json"):
        (files / name).touch()
    monkeypatch.setattr(ONNXMiniLM_L6_V2, "DOWNLOAD_PATH", tmp_path / "model")
    monkeypatch.setattr(ONNXMiniLM_L6_V2, "__call__", lambda self, input: [hash_vector(text) for text in input])  # noqa: A006
    import chromadb  # noqa: PLC0415 - heavy

    client = chromadb.PersistentClient(
        path=str(tmp_path), settings=chromadb.config.Settings(anonymized_telemetry=False)
    )
    store = client.get_or_create_collection("default-embedded")
    fill(store, old_rows(5))
    today, _ = on_day(app)
    with pytest.raises(PoolUnusable, match="not at hand"):
        await today.pools.archive(pool_in(tmp_path, embed=None))
    (files / "vocab.txt").touch()
    assert 1 == (await today.pools.archive(pool_in(tmp_path, embed=None))).batches


async def test_kept_in_precis_when_asked(app: App, tmp_path: Path) -> None:
    """The summary is a memory here, with what it stands for; the originals in the pool retire all the same."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(5, newest_days=400))
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path, embed=None), keep_in_precis=True)
    assert (1, 5, set()) == (done.batches, done.deletions, ids_in(store))
    (kept,) = (await today.memories.list(user_id="ana")).rows
    assert (ids, True) == (kept.metadata["summarized_memory_ids"], kept.metadata["is_summary"])
    assert said(3) in (kept.text or "")
    assert kept.id in [one.memory.id for one in await today.recall.search("What was bought in Kyoto?", user_id="ana")]
    later, _ = on_day(app, TODAY + timedelta(days=3000))
    assert 0 == (await later.archive.run()).memories


# --- forgetting ---


@pytest.mark.parametrize("keep", [False, True], ids=["in the pool", "in precis"])
async def test_forgetting_one_takes_it_out_of_the_summary(app: App, tmp_path: Path, keep: bool) -> None:
    """Of a live original and of one that is gone: nothing says it, and the rest stays as it was."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(10, newest_days=360))
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    await today.pools.archive(pool, keep_in_precis=keep)
    receipt = await today.pools.forget(pool, [ids[1], ids[7]])
    assert ["confirmed"] == [place.state for place in receipt.external]
    text = everything(store) + " ".join(one.text or "" for one in (await today.memories.list()).rows)
    assert [1, 7] == [at for at in range(10) if said(at) not in text]
    assert ids[1] not in text
    assert ids[7] not in text
    done = await today.pools.archive(pool)
    assert (0, 0) == (done.batches, done.deletions)


async def test_forgetting_all_of_a_batch_takes_its_summary(app: App, tmp_path: Path) -> None:
    """Nothing is left in the store."""
    store = chroma_store(tmp_path)
    fill(store, old_rows(3))
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    await today.pools.archive(pool)
    await today.pools.forget_user(pool, "ana")
    assert set() == ids_in(store)


async def test_a_forgotten_user_may_still_be_in_a_pool(app: App, tmp_path: Path) -> None:
    """precis was not handed the pool: the receipt names it, as long as something of the user was summarized there."""
    fill(chroma_store(tmp_path), old_rows(3))
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    await today.pools.archive(pool)
    receipt = await today.memories.forget_user("ana")
    assert [(pool.name, "out of reach")] == [(place.where, place.state) for place in receipt.external]
    assert not receipt.key_destroyed
    await today.pools.forget_user(pool, "ana")
    for user_id in ("ana", "ben"):
        with pytest.raises(NotFound, match="no key was destroyed"):
            await today.memories.forget_user(user_id)


async def test_a_summary_cannot_be_forgotten(app: App, tmp_path: Path) -> None:
    """It is derived."""
    fill(chroma_store(tmp_path), old_rows(3))
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    done = await today.pools.archive(pool)
    with pytest.raises(Conflict, match="forget its sources"):
        await today.pools.forget(pool, [done.users[0].batches[0].summary_id or ""])


class Deaf(ChromaPool):
    """A pool that does not take deletions for a while."""

    deaf = False

    async def delete(self, ids: Any) -> None:
        """Not now."""
        if self.deaf:
            raise OSError("the store is locked")
        await super().delete(ids)


async def test_pending_until_the_pool_confirms(app: App, tmp_path: Path) -> None:
    """Hidden from every read of precis at once; the next pass makes it true in the pool."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(5))
    today, _ = on_day(app)
    pool = Deaf(store, embed=embed)
    await today.pools.archive(pool)
    (summary,) = await today.pools.list(pool, "ana", summaries=True)
    pool.deaf = True
    receipt = await today.pools.forget(pool, [ids[2]])
    assert [(pool.name, "pending")] == [(place.where, place.state) for place in receipt.external]
    assert ids[2] in ids_in(store)
    shown = [*await today.pools.list(pool, "ana"), *await today.pools.list(pool, "ana", summaries=True)]
    assert said(2) not in json.dumps([one.text for one in shown])
    assert {} == await today.pools.get(pool, [ids[2], summary.id])
    pool.deaf = False
    await today.pools.archive(pool)
    assert (False, False) == (ids[2] in ids_in(store), said(2) in everything(store))


async def test_a_restored_copy_forgets_again_in_a_pool(rooms_folder: Path, tmp_path: Path) -> None:
    """Also what no summary covers, and what the pool had not deleted: hidden at once, deleted by the next pass."""
    data, copy = rooms_folder / "restored-pool", rooms_folder / "pool-backup"
    settings = Settings(data_dir=data)
    store = chroma_store(tmp_path)
    old, young = fill(store, old_rows(5)), fill(store, old_rows(3, newest_days=0))
    async with open_runtime(settings) as runtime:
        await on_day(runtime.app("default"))[0].pools.archive(pool_in(tmp_path))
    subprocess.run(["cp", "-a", data / "db", copy], check=True)
    async with open_runtime(settings) as runtime:
        deaf = Deaf(store, embed=embed)
        deaf.deaf = True
        receipt = await on_day(runtime.app("default"))[0].pools.forget(deaf, [old[2], young[1]])
        assert ["pending"] == [place.state for place in receipt.external]
    shutil.rmtree(data / "db")
    subprocess.run(["cp", "-a", copy, data / "db"], check=True)
    async with open_runtime(settings) as runtime:
        today, _ = on_day(runtime.app("default"))
        pool = pool_in(tmp_path)
        assert {old[2], young[1]} <= ids_in(store)
        assert {*old, *young} - {old[2], young[1]} == {row.id for row in await today.pools.list(pool, "ana")}
        assert not any(said(2) in one.text for one in await today.pools.list(pool, "ana", summaries=True))
        await today.pools.archive(pool)
        assert {old[2], young[1]}.isdisjoint(ids_in(store))
        (summary,) = await today.pools.list(pool, "ana", summaries=True)
        assert [said(at) in summary.text for at in range(5)] == [True, True, False, True, True]


async def test_forgetting_while_it_is_drafted(app: App, tmp_path: Path) -> None:
    """The draft in flight is thrown away; the batch is made without it."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(5))
    model = Quoting()
    today, _ = on_day(app, summarizer=model)
    pool = pool_in(tmp_path)
    states: list[str] = []

    async def meanwhile() -> None:
        states.extend(place.state for place in (await today.pools.forget(pool, [ids[2]])).external)

    model.meanwhile = meanwhile
    done = await today.pools.archive(pool)
    assert (["pending"], ["changed"]) == (states, [one.result for one in done.users[0].batches])
    assert 1 == (await today.pools.archive(pool)).batches
    assert (False, True) == (said(2) in everything(store), said(3) in everything(store))


# --- Cognee ---


def cognee(library: FakeCognee) -> CogneePool:
    """The pool over it, with the marker of the document."""
    return CogneePool(library, marker=MARKER, marks=Archive().marks, read_text=library.read)


async def test_cognee(app: App) -> None:
    """Data sets, composite ids, no metadata: the summary is marked in its text, and originals go by their time."""
    library = FakeCognee()
    for row in old_rows(10, newest_days=360):
        library.put("memory_ana_helper", row["text"], row["created_at"])
    today, clock = on_day(app)
    done = await today.pools.archive(cognee(library))
    assert (1, 10, 4) == (done.batches, done.memories, done.deletions)
    (summary,) = [text for text in library.texts("memory_ana_helper") if text.startswith(MARKER)]
    assert said(0) in summary
    assert 7 == len(library.texts("memory_ana_helper"))
    clock.advance(timedelta(days=30))
    assert 6 == (await today.pools.archive(cognee(library))).deletions
    assert [summary] == library.texts("memory_ana_helper")
    assert ["memory_ana_helper"] == library.indexed


async def test_forgetting_in_cognee(app: App) -> None:
    """The summary is added anew without it, and the old one goes."""
    library = FakeCognee()
    for row in old_rows(4):
        library.put("memory_ana_helper", row["text"], row["created_at"])
    today, _ = on_day(app)
    pool = cognee(library)
    await today.pools.archive(pool)
    rows = await today.pools.list(pool, "memory_ana_helper")
    (wanted,) = [row.id for row in rows if row.text == said(2)]
    await today.pools.forget(pool, [wanted])
    assert said(2) not in " ".join(library.texts("memory_ana_helper"))
    assert 4 == len(library.texts("memory_ana_helper"))


async def test_a_pool_without_dates_is_left_alone(app: App) -> None:
    """Nobody knows what is old there."""
    library = FakeCognee()
    library.put("memory_ana_helper", said(1), None)
    today, _ = on_day(app)
    done = await today.pools.archive(cognee(library))
    assert (0, 1) == (done.batches, done.users[0].undated)


async def test_a_memory_without_a_date_has_no_place() -> None:
    """Asking for it is a mistake of ours."""
    with pytest.raises(ValueError, match="no place"):
        assert PoolMemory(id="a", text="b", user_id="c").order
