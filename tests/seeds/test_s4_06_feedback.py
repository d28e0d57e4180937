"""S4.6: a person marks a summary or a statement as wrong; it is withdrawn, made anew without it, and stays away."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from archiving import batches_of, old_rows, on_day, remember
from nights import Nights
from steps import ids, rows, summaries_of, tell, the_summary, with_engine
from talks import hold, short
from view_steps import note

from precis.app import App
from precis.bootstrap import Runtime
from precis.engine.drafted import Result
from precis.errors import Conflict, InvalidInput, NotFound
from precis.keys.keyring import Keyring
from precis.keys.vault import Vault
from precis.makers import Draft, Request
from precis.store.feedback import Feedback, NewFeedback
from precis.store.forgotten.scan import Scan
from precis.summary import Summary
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")

FACTS = (
    "Petra keeps bees behind the mill.",
    "Petra sold 14 hives to Ruben.",
    "Petra teaches weaving in Ghent.",
    "Petra repaired the lock of the mill.",
)


async def marked(app: App, text: str, summary: Summary | None = None) -> str:
    """Mark the statement that says this as wrong; answers the feedback's id."""
    summary = summary or await the_summary(app)
    number = [one.text for one in summary.statements].index(text)
    return (await app.feedback.give(summary.id, "wrong", statement=number, text=text)).feedback.id


def lines(summary: Summary) -> list[str]:
    """What it says."""
    return [one.text for one in summary.statements]


async def words_in(runtime: Runtime, tenant: str, word: str) -> set[str]:
    """The sealed and keyed columns in which a word can be found."""
    scan = Scan(runtime.database, Vault(Keyring(runtime.settings.keys_folder)))
    looked = [*await scan.texts(tenant, [word]), *await scan.keyed_words(tenant, [word])]
    return {one.where.partition(",")[0] for one in looked if one.hits}


async def test_a_wrong_statement_leaves_every_read(app: App) -> None:
    """The summary, its memory row, recall and context; the memory it rested on is somebody else's business."""
    model = Quoting()
    quoting = with_engine(app, summarizer=model)
    await tell(quoting, rows(FACTS, key="petra"))
    await marked(quoting, FACTS[1])
    summary = await the_summary(quoting)
    assert [FACTS[0], FACTS[2], FACTS[3]] == lines(summary)
    assert "Ruben" not in str((await app.memories.get(summary.id)).text)
    found = await app.recall.search("Who bought hives from Petra?", user_id="ana", summaries="only")
    assert not any("Ruben" in str(one.memory.text) for one in found)
    context = await app.context.assemble("What does Petra keep?", user_id="ana", token_budget=400)
    assert not any("Ruben" in line.piece.text for line in context.lines if line.piece.tier != "raw")


async def test_it_does_not_come_back(app: App) -> None:
    """Not at a refresh, a forced one, a rebuild, or when a member comes; and the next refresh asks nobody."""
    model = Quoting()
    quoting = with_engine(app, summarizer=model)
    await tell(quoting, rows(FACTS[:3], key="petra"))
    await marked(quoting, FACTS[1])
    summary = await the_summary(quoting)
    for how in ({"force": True}, {"rebuild": True, "force": True}):
        outcome = await quoting.summaries.refresh(summary.id, **how)
        assert Result.COMMITTED == outcome.result
        assert [FACTS[0], FACTS[2]] == lines(await the_summary(quoting))
    calls = len(model.requests)
    assert [Result.UNCHANGED] * 2 == [(await quoting.summaries.refresh(summary.id)).result for _ in range(2)]
    assert len(model.requests) == calls
    await tell(quoting, rows(FACTS[3:], key="petra"))
    assert [FACTS[0], FACTS[2], FACTS[3]] == lines(await the_summary(quoting))


@pytest.mark.parametrize(
    "again",
    [
        "PETRA SOLD 14 HIVES TO RUBEN!",
        "Petra has sold 14 hives to Ruben now",
        "To Ruben, Petra sold 14 hives.",
    ],
)
async def test_nor_from_a_model_that_says_it_in_other_clothes(app: App, again: str) -> None:
    """Case, points, inflection, small words, and which phrase comes first make no other statement of it."""
    model = Quoting()
    quoting = with_engine(app, summarizer=model)
    await tell(quoting, rows(FACTS[:3], key="petra"))
    summary, said = await the_summary(quoting), []
    for mark in (False, True):
        if mark:
            model.says = None
            await quoting.summaries.refresh(summary.id, force=True)
            await marked(quoting, FACTS[1])
        model.says = (again, FACTS[0])
        await quoting.summaries.refresh(summary.id, force=True)
        said.append(" ".join(lines(await the_summary(quoting))).casefold())
    assert [True, False] == ["ruben" in text for text in said]


@pytest.mark.parametrize(
    "other",
    ["Petra's sister sold 14 hives to Ruben.", "Petra sold 41 hives to Ruben.", "Petra never sold 14 hives to Ruben.",
     "Ruben sold 14 hives to Petra.", "Petra sold 14 hives to Ruben in May."],
)  # fmt: skip
async def test_another_claim_over_the_same_memory_is_not_barred(app: App, other: str) -> None:
    """Who, how much, whether and which way round: what differs in that is what the person may have missed."""
    model = Quoting()
    quoting = with_engine(app, summarizer=model)
    await tell(quoting, rows(["Petra sold 14 hives to Ruben.", *FACTS[2:]], key="petra"))
    await marked(quoting, "Petra sold 14 hives to Ruben.")
    marks = (await app.parts.store.groups.snapshot(app.parts.tenant_id, (await the_summary(app)).group_id)).marks
    (mark,) = marks.marks
    assert marks.bars("Petra sold 14 hives to Ruben", tuple(mark.sources))
    assert not marks.bars(other, tuple(mark.sources))


async def test_a_new_memory_that_says_the_same_is_news(app: App) -> None:
    """It was not there when the statement was marked: a person says it again, and means it."""
    quoting = with_engine(app, summarizer=Quoting())
    await tell(quoting, rows(FACTS[:3], key="petra"))
    await marked(quoting, FACTS[1])
    await tell(quoting, rows([FACTS[1]], key="petra"))
    assert FACTS[1] in lines(await the_summary(quoting))


async def test_when_all_is_wrong_there_is_no_summary(app: App) -> None:
    """And no loop that makes one again and again; a new member ends it, and so does taking it back."""
    model = Quoting()
    quoting = with_engine(app, summarizer=model)
    await tell(quoting, rows(FACTS[:3], key="petra"))
    summary = await the_summary(quoting)
    given = await quoting.feedback.give(summary.id, "wrong", note="All of this is about another Petra.")
    assert (3, True) == (given.withdrawn, given.feedback.whole)
    assert () == await summaries_of(quoting)
    calls = len(model.requests)
    again = [await quoting.summaries.refresh_group(summary.group_id) for _ in range(2)]
    assert [(Result.UNCHANGED, "a person marked all that it would say as wrong")] * 2 == [
        (one.result, one.reason) for one in again
    ]
    assert len(model.requests) == calls
    await tell(quoting, rows(FACTS[3:], key="petra"))
    assert [FACTS[3]] == lines(await the_summary(quoting))
    await quoting.feedback.take_back(given.feedback.id)
    assert list(FACTS) == lines(await the_summary(quoting))


async def test_it_can_be_listed_and_taken_back(app: App) -> None:
    """With what was marked and the note; afterwards the summary is as if it had never been said."""
    quoting = with_engine(app, summarizer=Quoting())
    await tell(quoting, rows(FACTS[:3], key="petra"))
    before = await the_summary(quoting)
    given = await quoting.feedback.give(before.id, "wrong", statement=1, note="It was Marek.")
    good = await quoting.feedback.give(before.id, "good", statement=0)
    page = await quoting.feedback.list(summary_id=before.id)
    assert [("good", None, FACTS[0]), ("wrong", "It was Marek.", FACTS[1])] == [
        (one.verdict, one.note, one.statements[0].text) for one in page.rows
    ]
    assert (0, ()) == (good.withdrawn, good.outcomes)
    assert [given.feedback] == list((await quoting.feedback.list(verdict="wrong", user_id="ana")).rows)
    await quoting.feedback.take_back(given.feedback.id)
    assert lines(before) == lines(await the_summary(quoting))
    with pytest.raises(NotFound):
        await quoting.feedback.take_back(given.feedback.id)


async def test_what_is_no_statement_is_refused(app: App) -> None:
    """A number that is not there, another text than the reader saw, a verdict that is none, a raw memory."""
    written = rows(FACTS[:3], key="petra")
    await tell(app, written)
    summary = await the_summary(app)
    with pytest.raises(NotFound, match="counted from 0"):
        await app.feedback.give(summary.id, "wrong", statement=len(summary.statements))
    with pytest.raises(Conflict, match="something else"):
        await app.feedback.give(summary.id, "wrong", statement=0, text="Petra keeps geese.")
    with pytest.raises(InvalidInput, match="verdict"):
        await app.feedback.give(summary.id, "fine", statement=0)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        await app.feedback.give(written[0]["id"], "wrong")
    assert () == (await app.feedback.list()).rows


async def test_a_draft_in_flight_does_not_bring_it_back(app: App) -> None:
    """It was planned before the mark: its commit is refused, and the next one knows."""
    model = Quoting()
    quoting = with_engine(app, summarizer=model)
    await tell(quoting, rows(FACTS[:3], key="petra"))
    summary = await the_summary(quoting)

    async def mark() -> None:
        wrong = NewFeedback(summary_id=summary.id, verdict="wrong", statement=1)
        await app.parts.store.feedback.give(app.parts.tenant_id, wrong, now=app.parts.engine.clock())

    model.meanwhile = mark
    outcome = await quoting.summaries.refresh(summary.id, force=True)
    assert Result.DISCARDED == outcome.result
    assert FACTS[1] not in lines(await the_summary(quoting))
    await quoting.summaries.refresh_all()
    assert [FACTS[0], FACTS[2]] == lines(await the_summary(quoting))


async def test_a_week_and_the_month_that_rests_on_it(nights: Nights) -> None:
    """What is marked in the week is gone from the month at once, and from both when they are made anew."""
    await nights.week(date(2026, 3, 8))
    await nights.until(datetime(2026, 4, 1, 6, tzinfo=UTC))
    (week,), (month,) = await nights.summaries("week"), await nights.summaries("month")
    text = next(line for line in lines(week) if line in lines(month))
    settled = with_engine(nights.app, summarizer=Quoting())
    settled.parts.engine.summarizer.error = RuntimeError("away")  # type: ignore[attr-defined]
    await marked(settled, text, week)
    for policy in ("week", "month"):
        (summary,) = await nights.summaries(policy)
        assert text not in lines(summary)
        assert text not in str((await nights.app.memories.get(summary.id)).text)
        assert summary.stale
    await nights.app.summaries.refresh_all(stale_only=True)
    for policy in ("week", "month"):
        (summary,) = await nights.summaries(policy)
        assert text not in lines(summary)
        assert not summary.stale


async def test_a_batch_of_the_archive(app: App) -> None:
    """Its metadata stands while it waits, and nothing marked is in it."""
    today, _ = on_day(app, originals="keep")
    written = await remember(today, old_rows(4))
    await today.archive.run()
    (batch,) = await batches_of(today)
    text = lines(batch)[2]
    await marked(today, text, batch)
    (batch,) = await batches_of(today)
    assert text not in lines(batch)
    assert tuple(written) == (await today.memories.get(batch.id)).summarized_memory_ids
    assert (await today.archive.run()).batches == 0


@pytest.mark.parametrize("prompt", [None, "Write two sentences."])
async def test_a_view_and_its_prose(app: App, prompt: str | None) -> None:
    """The partition answers without it, whether it is served as statements or as prose."""
    quoting = with_engine(app, summarizer=Quoting())
    await tell(app, [note(text) for text in FACTS[:3]])
    view = await quoting.views.create(prompt=prompt)
    result = await quoting.views.run_partition(view.id, {})
    assert "Ruben" in result.summary
    await marked(quoting, FACTS[1], await app.summaries.get(str(result.summary_id)))
    (standing,) = await quoting.views.partitions(view.id)
    assert "Ruben" not in standing.summary
    assert "weaving" in standing.summary
    again = await quoting.views.run_partition(view.id, {}, force=True)
    assert "Ruben" not in again.summary


async def test_a_conversation(app: App) -> None:
    """The next extension builds on what is left, and does not read it out of the messages again."""
    quoting = with_engine(app, summarizer=Quoting())
    await hold(quoting, range(1, 8), each=7, limits=short())
    (summary,) = (await quoting.summaries.list(policy="conversations")).rows
    text = lines(summary)[0]
    await marked(quoting, text, summary)
    assert text not in str((await quoting.conversations.context("talk")).summary)
    turned = await hold(quoting, range(8, 13), each=5, limits=short())
    assert turned.summarized
    context = await quoting.conversations.context("talk", limits=short())
    assert text not in str(context.summary)


async def test_it_is_forgotten_with_its_sources(app: App, runtime: Runtime, tenant: str) -> None:
    """Text, note and keyed words of the mark go with the memory; nothing can be found of it."""
    written = rows(FACTS, key="petra")
    quoting = with_engine(app, summarizer=Quoting())
    await tell(quoting, written)
    given = await quoting.feedback.give((await the_summary(quoting)).id, "wrong", statement=1, note="Not to Ruben.")
    before = await words_in(runtime, tenant, "Ruben")
    assert {"feedback.note", "feedback_marks.text", "feedback_marks.terms"} <= before
    await app.memories.forget(ids(written)[1])
    assert set() == {one for one in await words_in(runtime, tenant, "Ruben") if one.startswith("feedback")}
    with pytest.raises(NotFound):
        await quoting.feedback.get(given.feedback.id)
    assert [FACTS[0], FACTS[2], FACTS[3]] == lines(await the_summary(quoting))


class Both(Quoting):
    """Its first statement cites the first two items."""

    async def summarize(self, request: Request) -> Draft:
        """The same words for both of them."""
        draft = await super().summarize(request)
        first, _, *others = draft.statements
        return replace(draft, statements=(replace(first, sources=(0, 1)), *others))


async def test_a_mark_outlives_one_of_two_sources(app: App) -> None:
    """Where the other one holds every word of it, it still may not be said; its text is gone all the same."""
    twice = rows([FACTS[0], f"{FACTS[0]} In winter, too.", *FACTS[1:]], key="petra")
    both = with_engine(app, summarizer=Both())
    await tell(both, twice[:-1])
    given = await both.feedback.give((await the_summary(both)).id, "wrong", statement=0)
    assert 2 == len(given.feedback.statements[0].source_ids)
    await app.memories.forget(twice[1]["id"])
    assert (None, (twice[0]["id"],)) == _only(await app.feedback.get(given.feedback.id))
    await tell(both, twice[-1:])
    assert FACTS[0] not in lines(await the_summary(both))
    await app.memories.forget(twice[0]["id"])
    assert () == (await app.feedback.list()).rows


def _only(feedback: Feedback) -> tuple[str | None, tuple[str, ...]]:
    (mark,) = feedback.statements
    return mark.text, mark.source_ids


async def test_forgetting_the_user_leaves_none(app: App) -> None:
    """Not even that there was any."""
    quoting = with_engine(app, summarizer=Quoting())
    await tell(quoting, rows(FACTS[:3], key="petra"))
    await marked(quoting, FACTS[0])
    await app.memories.forget_user("ana")
    assert () == (await app.feedback.list()).rows


async def test_nothing_is_stored_in_the_clear(app: App, runtime: Runtime, tenant: str) -> None:
    """Neither what was marked nor the note."""
    quoting = with_engine(app, summarizer=Quoting())
    await tell(quoting, rows(FACTS[:3], key="petra"))
    await quoting.feedback.give((await the_summary(quoting)).id, "wrong", statement=1, note="Ruben bought nothing.")
    async with runtime.database.tenant(tenant) as connection:
        for table in ("feedback", "feedback_marks", "feedback_sources"):
            asked = await connection.execute(f"SELECT * FROM {table}")  # noqa: S608
            assert "Ruben" not in str(await asked.fetchall())
