"""/v1/context over HTTP."""

from __future__ import annotations

from datetime import date
from typing import Any

import httpx
import pytest
import pytest_asyncio

from precis.app import App
from precis.language.dates import in_words

pytestmark = pytest.mark.asyncio(loop_scope="session")
Rows = list[dict[str, Any]]


@pytest_asyncio.fixture(loop_scope="session")
async def summary_id(api: httpx.AsyncClient, coffee: Rows) -> str:
    """Three memories of Ana and their summary, and much that is about something else."""
    other = [{"text": f"The train to city {at} leaves from track {at}.", "user_id": "ana"} for at in range(20)]
    await api.post("/v1/memories", json={"memories": other, "summarize": "deferred"})
    answer = await api.post("/v1/memories", json={"memories": coffee})
    return str(answer.json()["summaries"][0])


async def _context(api: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await api.post("/v1/context", json={"query": "Which coffee does Ana like?", "user_id": "ana", **body})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_what_matters_is_there_with_its_citation(
    api: httpx.AsyncClient, app: App, coffee: Rows, summary_id: str
) -> None:
    """Each line has a number that stands in the text, a date, and the memories it rests on."""
    made = await _context(api, token_budget=300)
    assert {row["id"] for row in coffee} <= {id_ for line in made["lines"] for id_ in line["source_ids"]}
    for line in made["lines"]:
        assert f"[{line['number']}] " in made["text"]
        assert " ".join(line["text"].split()) in made["text"]
        day, _, year = in_words(date.fromisoformat(line["date"][:10])).rpartition(" ")
        assert {day, year} <= set(made["text"].splitlines()) or f"{day} {year}: " in made["text"]
        assert line["section"] in {"summaries", "memories"}
    assert made["tokens"] == app.parts.engine.count(made["text"]) <= 300


@pytest.mark.parametrize("budget", [50, 80, 150])
async def test_it_fits_and_says_what_it_leaves_out(api: httpx.AsyncClient, summary_id: str, budget: int) -> None:
    """The best first; the rest is counted."""
    made = await _context(api, token_budget=budget)
    assert 0 < made["tokens"] <= budget == made["token_budget"]
    assert made["left_out"]["memories"] > 0
    assert "coffee" in made["text"]


async def test_quotas(api: httpx.AsyncClient, summary_id: str) -> None:
    """A part whose share is nothing is not there."""
    made = await _context(api, quotas={"summaries": 0})
    assert {line["section"] for line in made["lines"]} == {"memories"}
    none = await _context(api, quotas={"memories": 0, "summaries": 0})
    assert (none["text"], none["lines"]) == ("", [])


@pytest.mark.parametrize(
    "wrong",
    [
        {"token_budget": 10},
        {"query": ""},
        {"quotas": {"summaries": 2}},
        {"quotas": {"summary": 1}},
        {"quotas": {"tiers": {"year": 1}}},
        {"k": 3},
    ],
)
async def test_bad_input_is_refused(api: httpx.AsyncClient, wrong: dict[str, Any]) -> None:
    """With the field that is wrong."""
    answer = await api.post("/v1/context", json={"query": "coffee", "user_id": "ana", **wrong})
    assert answer.status_code == 422


async def test_the_scope_holds(api: httpx.AsyncClient, summary_id: str) -> None:
    """Nothing of another user."""
    assert (await _context(api, user_id="ben"))["lines"] == []


async def test_a_conversation_speaks_through_its_summary(api: httpx.AsyncClient) -> None:
    """Where recall does not look at turns, that none was found says nothing about what rests on them."""
    said = [
        f"The {thing} of her aunt needs repair." for thing in "kettle harp ladder canoe anvil quilt lantern".split()
    ]
    messages = [{"role": "user", "content": said[at % len(said)] + f" Number {at}."} for at in range(40)]
    body = {"user_id": "ana", "messages": messages, "recall": False}
    await api.post("/v1/conversations/talk/turns", json=body)
    answer = await api.post("/v1/conversations/talk/turns", json={"user_id": "ana", "messages": messages[:1]})
    assert answer.status_code == 201
    made = await _context(api, query="Does the canoe of her aunt need repair?")
    assert {line["section"] for line in made["lines"]} == {"summaries"}
    assert "canoe" in made["text"]


async def test_a_forgotten_memory_is_in_no_context(api: httpx.AsyncClient, coffee: Rows, summary_id: str) -> None:
    """Law 4, by this door too."""
    await api.delete(f"/v1/memories/{coffee[0]['id']}")
    made = await _context(api)
    assert "oat" not in made["text"]
    assert coffee[0]["id"] not in {id_ for line in made["lines"] for id_ in line["source_ids"]}


def _talked(*said: tuple[str, str], key: str) -> Rows:
    return [
        {
            "id": f"talk-{at}", "text": text, "user_id": "ana", "memory_type": "message", "session_id": f"s{at // 4}",
            "created_at": f"2026-03-{at + 1:02}T09:00:00Z", "metadata": {key: by},
        }
        for at, (by, text) in enumerate(said)
    ]  # fmt: skip


STANDING = (
    ("user", "Hi! Let me begin with a rule: always give me metric units, please."), ("assistant", "Will do."),
    ("user", "And please do not use the word journey."), ("assistant", "I won't."),
    ("user", "I am taking the night train to Tartu in May."), ("assistant", "Tartu is lovely in May."),
    ("user", "Translate this letter into German for me."), ("assistant", "Here is the letter."),
)  # fmt: skip


@pytest.mark.parametrize("user", ["user", "human"])
async def test_what_holds_of_every_answer_is_in_every_context(api: httpx.AsyncClient, user: str) -> None:
    """As far as a user told it to an assistant for good; what a newer instruction took the place of is not."""
    talk = [(user if by == "user" else by, text) for by, text in STANDING]
    await api.post("/v1/memories", json={"memories": _talked(*talk, key="role"), "summarize": "deferred"})
    made = await _context(api, query="How far is Tartu?", token_budget=600)
    standing = [line["text"] for line in made["lines"] if line["section"] == "insights"]
    assert standing == ["And please do not use the word journey.", "always give me metric units, please."]
    assert "night train to Tartu" in made["text"]
    small = await _context(api, query="How far is Tartu?", token_budget=250)
    assert small["text"].splitlines()[2:4] == [f"[{at}] {text}" for at, text in enumerate(standing, start=1)]
    assert "night train to Tartu" in small["text"]
    nothing = await _context(api, query="xyzzy qwfp", token_budget=250)
    assert nothing["unsure"]
    assert [line["text"] for line in nothing["lines"]] == standing
    assert not (await _context(api, query="xyzzy qwfp", token_budget=250, min_relevance=0.5))["lines"]
    later = [*talk, (user, "From now on always give me imperial units, please."), ("assistant", "Fine.")]
    await api.post("/v1/memories", json={"memories": _talked(*later, key="role")[-2:], "summarize": "deferred"})
    made = await _context(api, query="How far is Tartu?", token_budget=600)
    standing = [line["text"] for line in made["lines"] if line["section"] == "insights"]
    assert standing[0] == "From now on always give me imperial units, please."
    assert not any("metric" in text for text in standing)


async def test_what_people_ask_of_each_other_holds_of_no_answer(api: httpx.AsyncClient) -> None:
    """Where somebody by name says it to another."""
    people = [("Ana" if by == "user" else "Bo", text) for by, text in STANDING]
    await api.post("/v1/memories", json={"memories": _talked(*people, key="speaker"), "summarize": "deferred"})
    made = await _context(api, query="How far is Tartu?", token_budget=600)
    assert {line["section"] for line in made["lines"]} == {"memories"}


RULES = (
    ("user", "For all reports you write: put names in italics. And quantities always without units."),
    ("assistant", "ok"),
    ("user", "From now on answer me in short bullet points, I read this on a ladder."), ("assistant", "ok"),
    ("user", "Never suggest plywood to me again."), ("assistant", "ok"),
    ("user", "Always quote lengths without the frame."), ("assistant", "ok"),
    ("user", "The oak door costs 790 euros. Wenzel wants it from May."), ("assistant", "ok"),
)  # fmt: skip


async def test_what_was_told_for_good_has_the_room_that_is_left(api: httpx.AsyncClient) -> None:
    """Each of four instructions, though none has a word of the task and recall puts two of them far behind."""
    rows = [row | {"session_id": f"r{at // 2}"} for at, row in enumerate(_talked(*RULES, key="role"))]
    for row in rows:
        row["metadata"] |= {"speaker": "Ana"} if row["metadata"]["role"] == "user" else {}
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    made = await _context(api, query="Draft an email to Wenzel about the price of the oak door.", token_budget=1000)
    assert [text for by, text in RULES if by == "user" and text not in made["text"]] == []
    assert made["tokens"] < 250


@pytest.mark.parametrize("least", [0.05, 0.07, 0.3])
async def test_a_bound_leaves_no_stale_value_alone(api: httpx.AsyncClient, least: float) -> None:
    """What recall puts first as the newer value has hardly a word of the question; it stays with the older one."""
    notes = {
        "2026-06-10": "Our chat tool is Slack.", "2026-07-01": "The offsite was good.",
        "2026-07-02": "The rent is 1,850 euros a month.", "2026-10-06": "We switched from Slack to Zulip last week.",
    }  # fmt: skip
    rows = [{"text": text, "user_id": "ana", "created_at": f"{day}T10:00:00Z"} for day, text in notes.items()]
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    asked = {"query": "Which chat tool do we use?", "user_id": "ana", "min_relevance": least}
    found = (await api.post("/v1/recall", json=asked)).json()["results"]
    assert [row["memory"]["text"] for row in found] == [notes["2026-10-06"], notes["2026-06-10"]]
    made = await _context(api, token_budget=250, query=asked["query"], min_relevance=least)
    assert [line["text"].split(" [")[0] for line in made["lines"]] == [
        "We switched from Slack to Zulip last week",
        "Our chat tool is Slack.",
    ]


PLAYED = (
    ("user", "My first cello lesson was on Monday, my fingers hurt."), ("assistant", "That sounds like fun."),
    ("user", "The neighbors have a new dog."), ("assistant", "I see."),
    ("user", "I rented a harp for a month and gave it back."), ("assistant", "What a pity."),
    ("user", "Which instruments are easy to learn?"), ("assistant", "The ukulele is easy to learn."),
    ("user", "I had a go at the bassoon, it was far too loud."), ("assistant", "Poor neighbors."),
    ("user", "The rent goes up in June."), ("assistant", "That is annoying."),
    ("user", "Tried the tuba in the town band, my back said no."), ("assistant", "Noted."),
)  # fmt: skip


async def test_a_list_is_whole_beside_an_agent(api: httpx.AsyncClient) -> None:
    """What hardly has a word of the question may be one of the things that it asks for."""
    rows = [row | {"session_id": f"p{at // 2}"} for at, row in enumerate(_talked(*PLAYED, key="role"))]
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    made = await _context(api, query="Which instruments have I tried?", token_budget=500)
    assert [word for word in ("cello", "harp", "bassoon", "tuba") if word not in made["text"]] == []


WORKING = (
    ("user", "Is the glaze of the blue vase lead-free?"), ("assistant", "[calls read_sheet {}]"),
    ("tool", "glaze;lead;vase 4471;0;blue"), ("assistant", "Yes, the glaze of the blue vase has no lead."),
    ("user", "The kiln is heated to 1,220 degrees."), ("assistant", "Noted, 1,220 degrees."),
    ("user", "My sister opens the shop on Mondays at 9."), ("assistant", "Noted, Mondays at 9."),
    ("user", "The market at Lund costs 80 euros a day."), ("assistant", "Noted, 80 euros."),
    ("user", "Ines packs the parcels on Thursdays."), ("assistant", "Noted, Ines on Thursdays."),
)  # fmt: skip


@pytest.mark.parametrize("name", [None, "Ana"])
async def test_a_bare_call_takes_no_room(api: httpx.AsyncClient, name: str | None) -> None:
    """Of a talk with an agent, whose user may have a name: what a tool answered stays."""
    rows = _talked(*WORKING, key="role")
    for row in rows:
        if name and row["metadata"]["role"] == "user":
            row["metadata"]["speaker"] = name
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    made = await _context(api, query="Does the glaze of the blue vase have lead?", token_budget=1000)
    assert "has no lead" in made["text"]
    assert "[calls" not in made["text"]
    assert "vase 4471;0;blue" in made["text"]


@pytest.mark.parametrize(
    ("language", "told", "filler", "question"),
    [
        (
            "it",
            "Ho affittato una casa a Matera, 540 al mese.",
            "Complimenti, che bella, davvero bellissima!",
            "Quanto costa la casa a Matera?",
        ),
        ("zh", "我在无锡租了房子，每月两千六。", "太好了！", "无锡的房子多少钱？"),
        (
            "pl",
            "Wynajęłam mieszkanie w Ełku, 1800 miesięcznie.",
            "Super, bardzo się cieszę, gratulacje dla was!",
            "Ile kosztuje mieszkanie w Ełku?",
        ),
        (
            "de",
            "Ich habe eine Wohnung in Aurich gemietet, 610 warm.",
            "Wow, das ist wirklich großartig, Glückwunsch!",
            "Was kostet die Wohnung in Aurich?",
        ),
    ],
)
async def test_what_only_cheers_takes_no_room_in_another_language(
    api: httpx.AsyncClient, language: str, told: str, filler: str, question: str
) -> None:
    """There is room for it, and it tells nothing."""
    rows = [
        {"text": text, "user_id": language, "session_id": "s", "metadata": {"speaker": speaker},
         "created_at": f"2026-03-02T09:0{at}:00Z"}
        for at, (speaker, text) in enumerate([("Ada", told), ("Bo", filler)])
    ]  # fmt: skip
    assert (await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})).status_code == 201
    answer = await api.post("/v1/context", json={"query": question, "user_id": language, "token_budget": 300})
    assert told in answer.json()["text"]
    assert filler not in answer.json()["text"]
