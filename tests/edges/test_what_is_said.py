"""Over HTTP: small talk is empty, a rejected draft is visible, a draft has a length, and what goes was said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from view_rooms import Room, opened

from precis.bootstrap import Runtime
from precis.errors import DraftFailed
from precis.ids import new_id
from precis.policies.views import views

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
#: A Wednesday long ago, so that its day is compacted and its week is over.
LONG_AGO = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=400)
TALK = ("How was the flight?", "Thanks a lot!", "Have a great day!")
GREETINGS = ("Good morning!", "Hello, Ana!", "Guten Morgen!", "おはようございます！", "नमस्ते", "¡Muchas gracias!")
MOVES = [
    f"{name} has moved to {town}."
    for name, town in (("Oskar", "Malmo"), ("Petra", "Turin"), ("Ruth", "Cork"), ("Sven", "Graz"), ("Tilda", "Bergen"))
]


@pytest_asyncio.fixture(loop_scope="session")
async def room(runtime: Runtime, tenant: str, key: str) -> AsyncIterator[Room]:
    """With a model that quotes until it is told otherwise."""
    async with opened(runtime, tenant, key) as made:
        yield made


async def note(api: httpx.AsyncClient, *texts: str) -> list[str]:
    """Daily notes of one person and day; answers their ids."""
    rows = [
        {
            "id": new_id(), "text": text, "user_id": "ana", "memory_type": "episodic", "metadata": {"kind": "note"},
            "created_at": (LONG_AGO + timedelta(minutes=at)).isoformat(),
        }
        for at, text in enumerate(texts)
    ]  # fmt: skip
    answer = await api.post("/v1/memories", json={"memories": rows})
    assert answer.status_code == 201, answer.text
    return [str(row["id"]) for row in rows]


async def summarized(api: httpx.AsyncClient, period: str) -> Body:
    """That person's day, week or month, made now."""
    body = {"userId": "ana", "period": period, "day": LONG_AGO.date().isoformat()}
    answer = await api.post("/memory/summarize", json=body)
    assert answer.status_code == 200, answer.text
    made: Body = answer.json()
    return made


def adds_up(counts: Body) -> bool:
    """Law 7."""
    aside = sum(counts["set_aside"].values())
    return bool(counts["represented"] + aside + counts["left_out"] == counts["total"] >= counts["read"])


async def test_a_memory_that_nobody_can_read_stops_no_summary(api: httpx.AsyncClient) -> None:
    """The others of its subject are summarized; it is counted as left out, and stays."""
    told = ["I keep two goats in the yard.", "I sold the old tractor.", "I planted forty walnut trees."]
    texts = [*told, "q7Zk" * 7000]
    rows = [{"id": new_id(), "text": text, "user_id": "ana", "type": "fact", "key": "farm"} for text in texts]
    answer = await api.post("/v1/memories", json={"memories": rows})
    assert answer.status_code == 201, answer.text
    (summary,) = (await api.get("/v1/summaries", params={"user_id": "ana"})).json()["summaries"]
    assert all(word in summary["text"] for word in ("goats", "tractor", "walnut"))
    assert (summary["counts"]["left_out"], summary["counts"]["total"]) == (1, 4)
    assert adds_up(summary["counts"])
    assert (await api.get(f"/v1/memories/{rows[3]['id']}")).json()["text"] == texts[3]


@pytest.mark.parametrize("texts", [TALK[:1], TALK, GREETINGS])
async def test_a_week_of_small_talk_is_empty(api: httpx.AsyncClient, texts: tuple[str, ...]) -> None:
    """It is no failure, and nothing waits."""
    await note(api, *texts)
    made = await summarized(api, "weekly")
    assert ("empty", None) == (made["status"], made["summaryId"])
    jobs = (await api.get("/v1/jobs", params={"state": "rejected"})).json()
    assert [] == jobs["jobs"]


async def test_a_week_with_small_talk_says_what_is_real(api: httpx.AsyncClient) -> None:
    """Ten times as much small talk as notes."""
    await note(api, *TALK * 15, *MOVES)
    made = await summarized(api, "weekly")
    assert "complete" == made["status"]
    week = (await api.get(f"/v1/summaries/{made['summaryId']}")).json()
    assert "moved to" in week["text"]
    assert not any(text in week["text"] for text in TALK)
    assert adds_up(week["counts"])
    assert {"small_talk": 30, "question": 15} == {name: n for name, n in week["counts"]["set_aside"].items() if n}


async def test_what_a_compacted_day_lets_go_is_said_by_it(api: httpx.AsyncClient) -> None:
    """Who moved is somewhere: in the day, or still in a note of his own."""
    ids = await note(
        api, *TALK, *MOVES, "Uma pays 740 euros rent from now on.", "Vito pays 910 euros rent from now on."
    )
    for period in ("weekly", "monthly", "daily", "daily"):
        await summarized(api, period)
    page = (await api.get("/v1/summaries", params={"policy": "day"})).json()
    (day,) = page["summaries"]
    assert adds_up(day["counts"])
    rows = [(await api.get(f"/v1/memories/{id_}")).json() for id_ in ids]
    expired = [row for row in rows if row["retention_state"] == "expired"]
    assert expired
    left = " ".join([day["text"], *(row["text"] or "" for row in rows)])
    for word in ("Oskar", "Petra", "Ruth", "Sven", "Tilda", "Uma", "Vito", "740", "910"):
        assert word in left


async def test_summarized_texts_are_counted(api: httpx.AsyncClient) -> None:
    """Also where nothing is stored."""
    texts = [*TALK, *MOVES]
    answer = await api.post("/v1/summarize", json={"texts": texts, "max_words": 12})
    assert answer.status_code == 200, answer.text
    counts = answer.json()["counts"]
    assert adds_up(counts)
    assert counts["total"] == len(texts)
    assert 0 < counts["left_out"] < len(MOVES)


async def test_a_refusal_leaves_a_partition_stale_and_visible(room: Room) -> None:
    """Run after run fails until the model gives a draft; nothing is certified that was not made."""
    await room.tell("Ana drinks green tea.", "Ana plays the cello.")
    view = await room.view()
    await room.run(view)
    await room.tell("Ana sold the cello.")
    room.model.error = DraftFailed("The model gave no usable answer: the model refused.")
    for _ in range(2):
        assert "failed" == (await room.run(view))["status"]
        (found,) = await room.results(view)
        assert (True, True) == (found["stale"], found["rejected"])
    jobs = (await room.api.get("/v1/jobs", params={"state": "rejected"})).json()
    assert (1, 1) == (jobs["counts"]["rejected"], len(jobs["jobs"]))
    planned = (await room.api.get("/v1/plan", params={"policy": "views", "all": True})).json()["plans"]
    assert [True] == [one["rejected"] for one in planned]
    room.model.error = None
    assert "success" == (await room.run(view))["status"]
    (found,) = await room.results(view)
    assert (False, False) == (found["stale"], found["rejected"])


async def test_a_new_cluster_has_a_stand_in(room: Room) -> None:
    """Where nothing stood, an extractive summary does, and the job says that the model's was rejected."""
    room.model.error = DraftFailed("The model gave no usable answer: the model refused.")
    rows = [{"text": f"Ana {what} her coffee black.", "user_id": "ana", "type": "preference", "key": "coffee"}
            for what in ("drinks", "orders", "likes")]  # fmt: skip
    assert (await room.api.post("/v1/memories", json={"memories": rows})).status_code == 201
    (found,) = (await room.api.get("/v1/summaries", params={"policy": "clusters"})).json()["summaries"]
    assert (True, True, True) == (found["fallback"], found["stale"], found["rejected"])
    (job,) = (await room.api.get("/v1/jobs", params={"state": "rejected"})).json()["jobs"]
    assert job["due_at"] is not None


@pytest.mark.parametrize(
    "says",
    [(" ".join(["Ana plays the cello."] * 3000),), ("Ana plays the cello.",) * 3000],
    ids=["one statement", "many statements"],
)
async def test_a_draft_that_repeats_itself_says_it_once(room: Room, says: tuple[str, ...]) -> None:
    """However long it is."""
    await room.tell("Ana plays the cello.", "Ana plays the cello in Ulm.")
    view = await room.view()
    room.model.says = says
    assert "Ana plays the cello." == (await room.one(view, user_id="ana"))["summary"]


async def test_the_limit_of_the_policy_binds(room: Room) -> None:
    """What is true and too long is cut to what is worth most."""
    await room.tell(*(f"Ana bought {number} pears for the cellar of aunt number {number}." for number in range(60)))
    view = await room.view()
    found = await room.one(view, user_id="ana")
    assert room.app.parts.engine.count(found["summary"]) <= views().budget.summary_tokens
    assert adds_up(found["counts"])
    assert found["counts"]["left_out"] > 0
