"""S1.5: POST /memory/summarize makes a period now, GET /memory/summaries lists them; in the document's names."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from nights import NOTES, SUNDAY, Nights, Scoring

from precis.errors import Conflict, DraftFailed, InvalidInput, ModelUnavailable
from precis.rest.server import listening
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")
NEXT_WEDNESDAY = datetime(2026, 2, 25, 12, tzinfo=UTC)


@pytest_asyncio.fixture(loop_scope="session")
async def api(nights: Nights) -> AsyncIterator[httpx.AsyncClient]:
    """Calls a server whose time stands still, as the tenant."""
    key = await nights.runtime.store.tenants.create_key(nights.tenant, name="test", now=nights.clock())
    async with (
        listening(nights.runtime) as url,
        httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as client,
    ):
        yield client


async def test_the_document_s_call(nights: Nights, api: httpx.AsyncClient) -> None:
    """Its body, and an answer with its four names and no other."""
    await nights.week()
    nights.clock.now = NEXT_WEDNESDAY
    body = {"userId": "mara", "period": "weekly", "force": True}
    answer = await api.post("/memory/summarize", json=body)
    assert 200 == answer.status_code, answer.text
    (week,) = await nights.summaries("week")
    made = {"summaryId": week.id, "period": "weekly", "notesConsolidated": 7, "status": "complete"}
    assert made == answer.json()


async def test_the_document_s_list(nights: Nights, api: httpx.AsyncClient) -> None:
    """Its six names for one user, and the counts of law 7; with whose it is for everybody; newest first."""
    await nights.week()
    await nights.week(date(2026, 2, 22))
    await nights.until(datetime(2026, 3, 1, 5, tzinfo=UTC))
    rows = (await api.get("/memory/summaries", params={"period": "weekly", "userId": "mara"})).json()
    names = {"summaryId", "period", "startDate", "endDate", "keyInsights", "notesConsolidated", "counts"}
    assert [names, names] == [set(row) for row in rows]
    assert ["2026-02-22", "2026-02-15"] == [row["startDate"] for row in rows]
    assert ["2026-02-28", "2026-02-21"] == [row["endDate"] for row in rows]
    assert [7, 7] == [row["notesConsolidated"] for row in rows]
    for counts in (row["counts"] for row in rows):
        assert 7 == counts["total"] == counts["represented"] + sum(counts["set_aside"].values()) + counts["left_out"]
    everybody = (await api.get("/memory/summaries", params={"period": "monthly"})).json()
    assert [("mara", "2026-02-01", "2026-02-28", 14)] == [
        (row["userId"], row["startDate"], row["endDate"], row["notesConsolidated"]) for row in everybody
    ]
    assert [] == (await api.get("/memory/summaries", params={"period": "daily"})).json()


async def test_pages(nights: Nights, api: httpx.AsyncClient) -> None:
    """A list that goes on says where, in a header, and the pages together are the list."""
    for step in range(5):
        await nights.note(NOTES[0], SUNDAY + timedelta(days=step))
        await nights.app.rollups.summarize("mara", "daily", day=SUNDAY + timedelta(days=step))
    seen: list[str] = []
    query = {"period": "daily", "limit": "2"}
    while True:
        answer = await api.get("/memory/summaries", params=query)
        seen += [row["startDate"] for row in answer.json()]
        if "x-next-cursor" not in answer.headers:
            break
        query["cursor"] = answer.headers["x-next-cursor"]
    assert [(SUNDAY + timedelta(days=step)).isoformat() for step in (4, 3, 2, 1, 0)] == seen


@pytest.mark.parametrize(
    ("method", "path", "given"),
    [
        ("POST", "/memory/summarize", {"userId": "mara", "period": "yearly"}),
        ("POST", "/memory/summarize", {"period": "weekly"}),
        ("POST", "/memory/summarize", {"userId": "mara", "period": "weekly", "forced": True}),
        ("POST", "/memory/summarize", {"userId": "mara", "period": "weekly", "day": "yesterday"}),
        ("POST", "/memory/summarize", {"userId": "mara", "period": "weekly", "day": "9999-12-31"}),
        ("POST", "/memory/summarize", {"userId": "mara", "period": "weekly", "day": "0001-01-01"}),
        ("POST", "/memory/summarize", {"userId": "mara", "period": "monthly", "day": "9999-12-31"}),
        ("GET", "/memory/summaries", {}),
        ("GET", "/memory/summaries", {"period": "hourly"}),
        ("GET", "/memory/summaries", {"period": "weekly", "user": "mara"}),
        ("GET", "/memory/summaries", {"period": "weekly", "limit": 0}),
        ("GET", "/memory/summaries", {"period": "weekly", "cursor": "garbage"}),
        ("GET", "/memory/summaries", {"period": "weekly", "cursor": "WyIyMDI2LTAyLTE1Iiwge31d"}),
    ],
)
async def test_what_makes_no_sense_is_refused(
    api: httpx.AsyncClient, method: str, path: str, given: dict[str, object]
) -> None:
    """With what is wrong."""
    send: dict[str, Any] = {"json": given} if method == "POST" else {"params": given}
    answer = await api.request(method, path, **send)
    assert 422 == answer.status_code
    assert answer.json()["detail"]


async def test_asked_twice_it_is_unchanged_and_forced_it_is_made_anew(nights: Nights) -> None:
    """Without force no second call of the model; with force one more, into the same row."""
    model = Scoring({})
    asked = nights.but(summarizer=model)
    await asked.week()
    nights.clock.now = NEXT_WEDNESDAY
    first = await asked.app.rollups.summarize("mara", "weekly")
    calls = len(model.requests)
    again = await asked.app.rollups.summarize("mara", "weekly")
    assert ("complete", "unchanged") == (first.status, again.status)
    assert (calls, first.summary_id, 7) == (len(model.requests), again.summary_id, again.notes_consolidated)
    forced = await asked.app.rollups.summarize("mara", "weekly", force=True)
    assert ("complete", first.summary_id) == (forced.status, forced.summary_id)
    assert calls + 1 == len(model.requests)


async def test_the_last_week_that_is_over_is_meant(nights: Nights) -> None:
    """Not the running one, also where it has notes; that is made when nothing was noted before, or by a day of it."""
    await nights.week()
    running = await nights.note("Mara ordered jars.", date(2026, 2, 24))
    nights.clock.now = NEXT_WEDNESDAY
    made = await nights.app.rollups.summarize("mara", "weekly")
    (week,) = await nights.summaries("week")
    assert (made.summary_id, SUNDAY) == (week.id, week.starts_on)
    by_day = await nights.app.rollups.summarize("mara", "weekly", day=date(2026, 2, 26))
    assert 1 == by_day.notes_consolidated
    (_, this_week) = await nights.summaries("week")
    assert (running,) == this_week.leaf_source_ids


async def test_somebody_new_gets_the_running_week(nights: Nights) -> None:
    """Nothing was noted before this week: it is summarized up to now, and once more on Sunday with what came since."""
    await nights.note(NOTES[0], date(2026, 2, 17))
    nights.clock.now = datetime(2026, 2, 18, 12, tzinfo=UTC)
    made = await nights.app.rollups.summarize("mara", "weekly")
    assert ("complete", 1) == (made.status, made.notes_consolidated)
    await nights.note(NOTES[1], date(2026, 2, 20))
    assert [] == await nights.until(datetime(2026, 2, 20, 20, tzinfo=UTC))
    await nights.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    (week,) = await nights.summaries("week")
    assert (made.summary_id, 2) == (week.id, len(week.leaf_source_ids))


async def test_monthly_makes_its_weeks_first(nights: Nights) -> None:
    """Nobody made the weeks of March: the month reads them all the same, as weeks."""
    model = Scoring({})
    asked = nights.but(summarizer=model)
    await asked.week(date(2026, 3, 1))
    await asked.week(date(2026, 3, 8))
    nights.clock.now = datetime(2026, 4, 2, 12, tzinfo=UTC)
    made = await asked.app.rollups.summarize("mara", "monthly")
    weeks = await asked.summaries("week")
    (month,) = await asked.summaries("month")
    assert tuple(week.id for week in weeks) == month.parent_id
    assert ("complete", 14) == (made.status, made.notes_consolidated)
    assert "unchanged" == (await asked.app.rollups.summarize("mara", "monthly")).status
    await asked.work()
    assert ["week", "week", "month"] == [r.policy for r in model.requests if r.policy in ("week", "month")]


async def test_a_month_does_without_a_week_that_was_deleted(nights: Nights) -> None:
    """Its notes are told by themselves; and days at the ends of the calendar have none."""
    ids = await nights.week(date(2026, 3, 1))
    nights.clock.now = datetime(2026, 4, 2, 12, tzinfo=UTC)
    week = await nights.app.rollups.summarize("mara", "weekly", day=date(2026, 3, 2))
    assert week.summary_id
    await nights.app.summaries.delete(week.summary_id)
    made = await nights.app.rollups.summarize("mara", "monthly")
    (month,) = await nights.summaries("month")
    assert ("complete", tuple(ids)) == (made.status, month.parent_id)
    for day in (date.min, date.max):
        assert "empty" == (await nights.app.rollups.summarize("mara", "daily", day=day)).status


async def test_daily_compacts_what_is_old_enough(nights: Nights) -> None:
    """All such days at once, and their notes go; the second time there is nothing left to do."""
    for hour, text in enumerate((*NOTES, *NOTES)):
        await nights.note(text, datetime(2026, 2, 15, 8, hour, tzinfo=UTC))
        await nights.note(text, datetime(2026, 2, 16, 8, hour, tzinfo=UTC))
    await nights.until(datetime(2026, 3, 18, 2, tzinfo=UTC))
    made = await nights.app.rollups.summarize("mara", "daily")
    (day,) = await nights.summaries("day")
    assert ("complete", 14, day.id) == (made.status, made.notes_consolidated, made.summary_id)
    rows = await nights.app.memories.get_many(day.leaf_source_ids)
    assert {None} == {row.text for row in rows.values()}
    again = await nights.app.rollups.summarize("mara", "daily")
    assert ("unchanged", 14, day.id) == (again.status, again.notes_consolidated, again.summary_id)


async def test_without_notes_it_is_empty(nights: Nights) -> None:
    """Of nobody, and of a day on which nothing was noted."""
    for period in ("daily", "weekly", "monthly"):
        made = await nights.app.rollups.summarize("nobody", period)
        assert (None, 0, "empty") == (made.summary_id, made.notes_consolidated, made.status)
    await nights.week()
    assert "empty" == (await nights.app.rollups.summarize("mara", "weekly", day=date(2025, 5, 5))).status


async def test_every_project_of_the_user_is_made(nights: Nights) -> None:
    """The answer counts them together."""
    await nights.note(NOTES[0], SUNDAY)
    await nights.note(NOTES[1], SUNDAY, project_id="orchard")
    nights.clock.now = NEXT_WEDNESDAY
    made = await nights.app.rollups.summarize("mara", "weekly")
    assert 2 == made.notes_consolidated == len(await nights.summaries("week"))


@pytest.mark.parametrize("error", [ModelUnavailable(), DraftFailed("no usable answer")])
async def test_failure_is_a_5xx_and_nothing_is_replaced(
    nights: Nights, api: httpx.AsyncClient, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is down: 503 with what happened, and what stood stands."""
    await nights.week()
    nights.clock.now = NEXT_WEDNESDAY
    await nights.app.rollups.summarize("mara", "weekly")
    (before,) = await nights.summaries("week")
    await nights.note("Mara ordered jars.", date(2026, 2, 18))
    model = Scoring({})
    model.error = error
    # The server holds the engine: only its summarizer is exchanged.
    monkeypatch.setitem(vars(nights.runtime.engine), "summarizer", model)
    answer = await api.post("/memory/summarize", json={"userId": "mara", "period": "weekly", "force": True})
    assert 503 == answer.status_code
    assert "what stood stays" in answer.json()["detail"]
    (after,) = await nights.summaries("week")
    assert (before.text, before.leaf_source_ids) == (after.text, after.leaf_source_ids)


async def test_the_model_is_down_and_no_note_is_lost(nights: Nights) -> None:
    """Compaction by a stand-in replaces nothing: the notes stay until the model has made the day."""
    model = Scoring({})
    model.error = ModelUnavailable()
    down = nights.but(summarizer=model, retry_after=lambda attempts: timedelta(minutes=15))
    ids = [await down.note(text, datetime(2026, 2, 15, 8, at, tzinfo=UTC)) for at, text in enumerate((*NOTES, *NOTES))]
    await down.nightly(date(2026, 3, 18), 3)
    assert all(row.text for row in (await down.app.memories.get_many(ids)).values())
    assert [True] == [day.fallback for day in await down.summaries("day")]


async def test_what_is_not_made_is_said(nights: Nights) -> None:
    """A draft that was rejected is a failure; neither it nor a summary that was deleted is made again but by force."""
    model = Scoring({})
    asked = nights.but(summarizer=model)
    await asked.week()
    nights.clock.now = NEXT_WEDNESDAY
    made = await asked.app.rollups.summarize("mara", "weekly")
    assert made.summary_id
    await asked.app.summaries.delete(made.summary_id)
    with pytest.raises(Conflict, match="deleted by request"):
        await asked.app.rollups.summarize("mara", "weekly")
    quoting = Quoting()
    quoting.says = ("Zarquon bought 17 submarines in Reykjavik.",)
    inventing = nights.but(summarizer=quoting)
    with pytest.raises(DraftFailed, match="checks"):
        await inventing.app.rollups.summarize("mara", "weekly", force=True)
    forced = await asked.app.rollups.summarize("mara", "weekly", force=True)
    assert "complete" == forced.status


async def test_two_requests_at_once_make_it_once(nights: Nights) -> None:
    """One makes it, the other answers what was made."""
    model = Scoring({})
    asked = nights.but(summarizer=model)
    await asked.week()
    nights.clock.now = NEXT_WEDNESDAY
    made = await asyncio.gather(*(asked.app.rollups.summarize("mara", "weekly") for _ in range(3)))
    assert ["complete", "unchanged", "unchanged"] == sorted(one.status for one in made)
    assert 1 == len({one.summary_id for one in made})
    assert 1 == len([request for request in model.requests if request.policy == "week"])


async def test_unknown_periods_are_refused(nights: Nights) -> None:
    """Also in Python."""
    with pytest.raises(InvalidInput, match="yearly"):
        await nights.app.rollups.summarize("mara", "yearly")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="limit"):
        await nights.app.rollups.list("weekly", limit=0)
