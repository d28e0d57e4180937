"""S3.3: originals go by delete, ttl or keep, only where a summary covers them; summaries are kept."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from archiving import (
    TODAY,
    batches_of,
    chroma_store,
    embed,
    fill,
    ids_in,
    old_rows,
    on_day,
    pool_in,
    remember,
    said,
)

from precis.app import App
from precis.errors import ModelUnavailable
from precis.extractive.summarizer import Extractive
from precis.memory import RetentionState
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Drafts that must not stand.
BAD: list[tuple[str, ...]] = [(), ("The moon is made of cheese and Xerxes owns 77 yachts.",)]


async def expired(app: App, ids: list[str]) -> list[str]:
    """Those of these whose text is gone."""
    found = await app.memories.get_many(ids)
    return [id_ for id_ in ids if found[id_].retention_state is RetentionState.EXPIRED]


async def test_ttl_is_the_default(app: App) -> None:
    """After a year an original goes, its summary says what it said, and younger ones stay."""
    today, clock = on_day(app)
    ids = await remember(today, old_rows(10, newest_days=360))
    done = await today.archive.run()
    assert 4 == done.deletions
    assert ids[:4] == await expired(today, ids)
    (summary,) = await batches_of(today)
    assert said(0) in summary.text
    clock.advance(timedelta(days=30))
    assert 6 == (await today.archive.run()).deletions
    assert ids == await expired(today, ids)
    (after,) = await batches_of(today)
    assert [statement.text for statement in summary.statements] == [statement.text for statement in after.statements]
    assert tuple(ids) == after.parent_id


async def test_delete_goes_at_once(app: App) -> None:
    """With ``delete`` the originals of a batch go in the pass that summarized them."""
    today, _ = on_day(app, originals="delete")
    ids = await remember(today, old_rows(10))
    assert 10 == (await today.archive.run()).deletions
    assert ids == await expired(today, ids)
    assert said(3) in (await batches_of(today))[0].text


async def test_keep_never_goes(app: App) -> None:
    """With ``keep`` they stay however old they are."""
    today, clock = on_day(app, originals="keep")
    ids = await remember(today, old_rows(10, newest_days=400))
    await today.archive.run()
    clock.advance(timedelta(days=2000))
    assert 0 == (await today.archive.run()).deletions
    assert [] == await expired(today, ids)


async def test_a_backlog_over_the_time_is_summarized_before_it_goes(app: App) -> None:
    """120 memories, all older than a year: one pass makes three summaries, then all go, and each is in a summary."""
    today, _ = on_day(app)
    ids = await remember(today, old_rows(120, newest_days=400))
    done = await today.archive.run()
    assert (3, 120, 120) == (done.batches, done.memories, done.deletions)
    assert ids == await expired(today, ids)
    text = " ".join(one.text for one in await batches_of(today))
    assert [] == [at for at in range(120) if said(at) not in text]


async def test_what_it_costs_goes_only_with_what_costs_it(app: App) -> None:
    """Of a talk of three, "It's 380" is archived behind the retainer of its own memory, and then the original goes."""
    today, _ = on_day(app, summarizer=Extractive(), originals="delete")
    turns = [
        ("Tess", "Sixteen bars. Please don't film it, Dad."),
        ("Theo", "The dentist was fine. I have no holes. Dr Okafor gave me a shark sticker"),
        ("Liz", "He does need a retainer, though. It's 380, and the next visit is on August 20 at 9 am."),
    ]
    rows = [
        row | {"text": text, "metadata": {"speaker": speaker}, "session_id": "s", "memory_type": "message"}
        for row, (speaker, text) in zip(old_rows(3), turns, strict=True)
    ]
    ids = await remember(today, rows)
    await today.archive.run()
    (summary,) = await batches_of(today)
    retainer = [text for statement in summary.statements if "380" in (text := statement.text)]
    assert retainer
    assert all(text.startswith("Liz: He does need a retainer, though. It's 380") for text in retainer)
    assert ids[2] in await expired(today, ids)


async def test_the_pass_counts_what_its_summaries_say_in_the_end(app: App) -> None:
    """A draft of one memory says the others once they are quoted, before they go, as far as there is room."""
    model = Quoting()
    model.says = (said(0),)
    today, _ = on_day(app, summarizer=model)
    await remember(today, old_rows(10, newest_days=400))
    done = await today.archive.run()
    (summary,) = await batches_of(today)
    assert (9, 1, 9) == (done.counts.represented, done.counts.left_out, done.deletions)
    assert summary.counts == done.counts


async def test_a_model_that_is_down_costs_nothing(app: App) -> None:
    """No original goes on the strength of a stand-in; once the model is back everything is made up."""
    model = Quoting()
    model.error = ModelUnavailable()
    today, clock = on_day(app, summarizer=model, originals="delete")
    ids = await remember(today, old_rows(60, newest_days=400))
    done = await today.archive.run()
    assert 0 == done.deletions
    assert [] == await expired(today, ids)
    model.error = None
    clock.advance(timedelta(days=1))
    assert 60 == (await today.archive.run()).deletions
    assert {"quoting@1"} == {one.made_by for one in await batches_of(today)}


@pytest.mark.parametrize("says", BAD, ids=["empty", "invented"])
async def test_a_rejected_draft_deletes_nothing(app: App, says: tuple[str, ...]) -> None:
    """A stand-in that is marked as one takes its place, and the originals stay."""
    model = Quoting()
    model.says = says
    today, _ = on_day(app, summarizer=model, originals="delete")
    ids = await remember(today, old_rows(10, newest_days=400))
    done = await today.archive.run()
    assert (0, 0, 1) == (done.batches, done.deletions, done.failed)
    assert [] == await expired(today, ids)
    assert [(True, True, True)] == [(one.fallback, one.rejected, one.stale) for one in await batches_of(today)]


async def test_pinned_memories_stay(app: App) -> None:
    """They are in the summary, and they never go."""
    today, _ = on_day(app, originals="delete")
    rows = old_rows(5)
    rows[2]["pinned"] = True
    ids = await remember(today, rows)
    await today.archive.run()
    assert [ids[0], ids[1], ids[3], ids[4]] == await expired(today, ids)


async def test_forgetting_an_original_that_is_gone(app: App) -> None:
    """What was derived from it leaves all the same, at once, and does not come back."""
    today, _ = on_day(app, originals="delete")
    ids = await remember(today, old_rows(10))
    await today.archive.run()
    await today.memories.forget(ids[3])
    (summary,) = await batches_of(today)
    assert (False, True) == (said(3) in summary.text, said(4) in summary.text)
    await today.archive.run()
    (summary,) = await batches_of(today)
    assert (False, True) == (said(3) in summary.text, said(4) in summary.text)


# --- in a pool ---


@pytest.mark.parametrize(("originals", "left"), [("ttl", 6), ("delete", 0), ("keep", 10)])
async def test_in_a_pool(app: App, tmp_path: Path, originals: str, left: int) -> None:
    """The same three, on what lies in the store; the summary stays."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(10, newest_days=360))
    today, _ = on_day(app, originals=originals)
    done = await today.pools.archive(pool_in(tmp_path))
    assert 10 - left == done.deletions
    assert ids[10 - left :] == [id_ for id_ in ids if id_ in ids_in(store)]
    assert left + 1 == store.count()


async def test_a_pool_goes_on_by_the_clock(app: App, tmp_path: Path) -> None:
    """The rest goes when its time has come, and the summary is never touched."""
    store = chroma_store(tmp_path)
    fill(store, old_rows(10, newest_days=360))
    today, clock = on_day(app)
    pool = pool_in(tmp_path)
    await today.pools.archive(pool)
    (before,) = await today.pools.list(pool, "ana", summaries=True)
    clock.advance(timedelta(days=30))
    assert 6 == (await today.pools.archive(pool)).deletions
    clock.advance(timedelta(days=5000))
    assert 0 == (await today.pools.archive(pool)).deletions
    assert [before] == list((await today.pools.get(pool, [before.id])).values())


async def test_in_a_pool_a_backlog_over_the_time_loses_nothing(app: App, tmp_path: Path) -> None:
    """120 memories older than a year, one pass: every one is in a summary before it goes."""
    store = chroma_store(tmp_path)
    fill(store, old_rows(120, newest_days=400))
    today, _ = on_day(app)
    pool = pool_in(tmp_path)
    done = await today.pools.archive(pool)
    assert (3, 120, 120) == (done.batches, done.memories, done.deletions)
    text = " ".join(one.text for one in await today.pools.list(pool, "ana", summaries=True))
    assert [] == [at for at in range(120) if said(at) not in text]


async def test_in_a_pool_a_model_that_fails_half_way_deletes_only_what_is_covered(app: App, tmp_path: Path) -> None:
    """The model goes down after the first batch: that one's originals go, the others stay and are made up."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(120, newest_days=400))
    model = Quoting()
    today, _ = on_day(app, summarizer=model)

    async def go_down() -> None:
        async def fail() -> None:
            model.error = ModelUnavailable()

        model.meanwhile = fail

    model.meanwhile = go_down
    done = await today.pools.archive(pool_in(tmp_path))
    assert (1, 50) == (done.batches, done.deletions)
    assert done.stopped is not None
    assert set(ids[50:]) < ids_in(store)
    model.error = None
    done = await today.pools.archive(pool_in(tmp_path))
    assert (2, 70) == (done.batches, done.deletions)


@pytest.mark.parametrize("says", BAD, ids=["empty", "invented"])
async def test_in_a_pool_a_rejected_draft_stores_and_deletes_nothing(
    app: App, tmp_path: Path, says: tuple[str, ...]
) -> None:
    """And it is asked for once: not again until somebody asks or the prompt changes."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(10, newest_days=400))
    model = Quoting()
    model.says = says
    today, _ = on_day(app, summarizer=model, originals="delete")
    done = await today.pools.archive(pool_in(tmp_path))
    assert ["rejected"] == [one.result for one in done.users[0].batches]
    assert set(ids) == ids_in(store)
    model.says = None
    await today.pools.archive(pool_in(tmp_path))
    assert (1, set(ids)) == (len(model.requests), ids_in(store))
    done = await today.pools.archive(pool_in(tmp_path), again=True)
    assert (1, 10) == (done.batches, done.deletions)


async def test_a_summary_that_somebody_deleted_deletes_nothing(app: App, tmp_path: Path) -> None:
    """Its originals are free for another batch, which covers them before they go."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(10, newest_days=360))
    today, clock = on_day(app, keep_original_days=400)
    pool = pool_in(tmp_path)
    done = await today.pools.archive(pool)
    store.delete(ids=[done.users[0].batches[0].summary_id])
    clock.advance(timedelta(days=100))
    assert 0 == (await today.pools.archive(pool)).deletions
    assert set(ids) == ids_in(store)
    done = await today.pools.archive(pool)
    assert (1, 10) == (done.batches, done.deletions)


async def test_an_original_that_was_changed_is_not_covered(app: App, tmp_path: Path) -> None:
    """The assistant rewrote a memory after it was summarized: it stays, and is summarized again."""
    store = chroma_store(tmp_path)
    ids = fill(store, old_rows(10, newest_days=360))
    today, clock = on_day(app, keep_original_days=400)
    pool = pool_in(tmp_path)
    await today.pools.archive(pool)
    changed = "Ana sold the kettle number 1000 to Zora."
    store.update(ids=[ids[0]], documents=[changed], embeddings=await embed([changed]))
    clock.advance(timedelta(days=100))
    assert 9 == (await today.pools.archive(pool)).deletions
    done = await today.pools.archive(pool)
    assert (1, 1) == (done.batches, done.deletions)
    assert any(changed in one.text for one in await today.pools.list(pool, "ana", summaries=True))


async def test_a_memory_that_was_read_in_part_stays(app: App, tmp_path: Path) -> None:
    """Longer than a prompt takes of one memory: the summary cannot speak for all of it."""
    store = chroma_store(tmp_path)
    rows = old_rows(3, newest_days=400)
    rows[1]["text"] = " ".join(said(at) for at in range(400))
    ids = fill(store, rows)
    today, _ = on_day(app)
    done = await today.pools.archive(pool_in(tmp_path))
    assert (1, 2) == (done.batches, done.deletions)
    assert ids[1] in ids_in(store)
    assert TODAY > rows[1]["created_at"]


#: Of each two the words are the same and the fact is not; then what names its day in figures, answers itself, or says
#: it by a sign.
ALIKE = (
    "Ilse owes Bo 50 euros.", "Bo owes Ilse 50 euros.", "The ferry from Perth to Dakar is full.",
    "The ferry from Dakar to Perth is full.", "The spare key lies under the mat.", "The spare key lies on the mat.",
    "The cellar is kept at -5 degrees.", "The cellar is kept at 5 degrees.", "Write the driver in C++.",
    "Write the driver in C.", "El perro de Ana muerde a Luis.", "El perro de Luis muerde a Ana.",
    "The red bag holds keys, the blue bag holds coins.", "The red bag holds coins.",
    "Mon: Uma early, Vic late. Tue: Vic early, Uma late.", "Leo was born on 1999-12-31.",
    "How much is the garage? 40 euros.", "\U0001f697 = sold, \U0001f6b2 = kept.",
)  # fmt: skip


async def test_two_facts_of_the_same_words_are_two(app: App) -> None:
    """Each is said before its original goes: a repetition has the same words in the same order."""
    today, _ = on_day(app, summarizer=Extractive(), originals="delete")
    rows = [{**row, "text": text} for row, text in zip(old_rows(len(ALIKE)), ALIKE, strict=True)]
    ids = await remember(today, [{**row, "created_at": TODAY - timedelta(days=30)} for row in rows])
    await today.archive.run()
    assert ids == await expired(today, ids)
    (summary,) = await batches_of(today)
    assert [] == [text for text in ALIKE if text.rstrip(".") not in summary.text]


async def test_words_that_only_summaries_say_still_tell_which_one_answers(app: App) -> None:
    """Of many alike summaries the one that has the word comes first, also beside originals that are left."""
    today, _ = on_day(app, originals="delete", max_memories_per_batch=2)
    await remember(today, old_rows(24))
    await remember(today, old_rows(4, newest_days=1))
    await today.archive.run()
    for at in (5, 13, 20):
        best = (await today.recall.search(f"Who bought number {1000 + at}?", user_id="ana", limit=3))[0].memory
        assert best.is_summary
        assert said(at) in (best.text or "")


async def test_a_preview_deletes_no_more_than_a_pass(app: App) -> None:
    """What is pinned, and notes of a day that still waits for its week, are not counted as going."""
    today, _ = on_day(app, originals="delete")
    note: dict[str, Any] = {"memory_type": "episodic", "metadata": {"kind": "note"}}
    await remember(today, old_rows(5))
    await remember(today, old_rows(7, user_id="mara", **note))
    await remember(today, old_rows(1, user_id="per", pinned=True))
    previewed = {tally.user_id: tally.deletions for tally in await today.archive.preview()}
    assert previewed == {"ana": 5, "mara": 0, "per": 0}
    assert (await today.archive.run()).deletions == 5
