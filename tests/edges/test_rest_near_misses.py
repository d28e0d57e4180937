"""A note that has the words of a question and not its answer is shown as unsure, over REST, and never left out."""

from __future__ import annotations

import httpx
import pytest

from precis.recall.headings import UNSURE

pytestmark = pytest.mark.asyncio(loop_scope="session")
NOTES = [
    "I hate driving at night, the headlights blind me.",
    "We visited Lund in April and stayed with Pelle.",
    "The train from Lund was packed with students.",
    "The heating engineer comes on Friday between 8 and 12.",
    "The gate code at Tarvik is 3308.",
    "I pay 940 euros rent for the flat.",
    "Pelle teaches chemistry at a secondary school.",
]


async def written(api: httpx.AsyncClient, user: str, notes: list[str]) -> None:
    """The notes of a user."""
    for text in notes:
        made = await api.post("/v1/memories", json={"memories": [{"text": text, "user_id": user}]})
        assert made.status_code < 300, made.text


async def test_a_near_miss_is_unsure_and_stays(api: httpx.AsyncClient) -> None:
    """Both verbs say so, and show what is closest."""
    await written(api, "near", NOTES)
    for question in (
        "Which car do I drive?",
        "How far is Lund?",
        "Who is my heating engineer?",
        "What is the gate code at Fenix?",
        "What is the heating engineer called?",
    ):
        asked = {"query": question, "user_id": "near"}
        answer = (await api.post("/v1/recall", json=asked)).json()
        assert answer["unsure"], question
        assert answer["results"]
        context = (await api.post("/v1/context", json={**asked, "token_budget": 300})).json()
        assert context["unsure"], question
        assert context["lines"], question
        assert context["text"].startswith(UNSURE)


async def test_what_is_told_is_not_unsure(api: httpx.AsyncClient) -> None:
    """Though it is in other words, or in a note beside those of near misses."""
    await written(api, "told", NOTES)
    for question, answer in (
        ("What is the gate code at Tarvik?", "3308"),
        ("How much rent do I pay?", "940"),
        ("When does the heating engineer come?", "Friday"),
        ("What does Pelle teach?", "chemistry"),
        ("Who is Pelle?", "Pelle"),
        ("When did we visit Lund?", "Lund"),
    ):
        found = (await api.post("/v1/recall", json={"query": question, "user_id": "told"})).json()
        assert not found["unsure"], question
        assert answer in found["results"][0]["memory"]["text"], question


@pytest.mark.parametrize("car", ["I bought a used Skoda in May.", "Our Volvo needs new tires."])
async def test_the_thing_is_before_the_bare_act(api: httpx.AsyncClient, car: str) -> None:
    """A note with a car, whatever word tells it, before those in which somebody only drives."""
    user = f"car-{len(car)}"
    await written(api, user, [NOTES[0], "I drive to work on Mondays and take the train otherwise.", car, *NOTES[1:]])
    found = (await api.post("/v1/recall", json={"query": "Which car do I drive?", "user_id": user})).json()
    assert car == found["results"][0]["memory"]["text"]
    assert not found["unsure"]


async def test_who_names_it_otherwise_stays_first(api: httpx.AsyncClient) -> None:
    """The car of a relative goes before no other that may be one."""
    notes = ["I drive a Borgward.", "My sister Ines bought a Skoda.", *NOTES[1:]]
    await written(api, "borgward", notes)
    found = (await api.post("/v1/recall", json={"query": "Which car do I drive?", "user_id": "borgward"})).json()
    assert notes[0] == found["results"][0]["memory"]["text"]


CHAT = [
    "Piet: I sold the old boat!", "Hamid: no way. For how much?", "Piet: 2,300, to a teacher from Breskens",
    "Ngozi: my daughter Ada wants to join, is she too young?", "Hamid: how old is she", "Ngozi: nine",
    "Piet: lovely weather out there", "Hamid: the juniors train in the harbor", "Piet: can I watch?",
]  # fmt: skip


async def test_in_a_group_the_turns_around_one_may_tell_it(api: httpx.AsyncClient) -> None:
    """What a turn leaves out another tells: only what none of them can tell is unsure."""
    turns = [
        {
            "text": text, "user_id": "club", "session_id": "club-1", "memory_type": "message",
            "created_at": f"2026-03-02T10:0{at}:00Z", "metadata": {"speaker": speaker},
        }
        for at, (speaker, _, text) in enumerate(turn.partition(": ") for turn in CHAT)
    ]  # fmt: skip
    assert (await api.post("/v1/memories", json={"memories": turns})).status_code < 300
    for question, unsure in (
        ("How much did Piet get for the old boat?", False),
        ("How old is Ngozi's daughter Ada?", False),
        ("What color is the old boat of Piet?", True),
        ("What color are the shirts of the juniors?", True),
    ):
        for limit in (10, 40):
            asked = {"query": question, "user_id": "club", "limit": limit}
            answer = (await api.post("/v1/recall", json=asked)).json()
            assert answer["results"], question
            assert answer["unsure"] is unsure, (question, limit)


async def test_messages_are_read_alike_as_turns_and_as_memories(api: httpx.AsyncClient) -> None:
    """What the user wrote to an agent is theirs, where it came as a memory that has a role and no name."""
    texts = [
        ("user", "Dunya's wife is having a baby so she starts on 11 March."), ("assistant", "Congratulations to them!"),
        ("user", "I ordered the tiles from Calder & Sons."), ("assistant", "They deliver on Thursdays."),
    ]  # fmt: skip
    turns = [
        {
            "text": text, "user_id": "roles", "session_id": "roles-1", "memory_type": "message",
            "created_at": f"2026-03-02T10:0{at}:00Z", "metadata": {"role": role},
        }
        for at, (role, text) in enumerate(texts)
    ]  # fmt: skip
    assert (await api.post("/v1/memories", json={"memories": turns})).status_code < 300
    for question, unsure in (
        ("What is the name of Dunya's baby?", True),
        ("When does Dunya start?", False),
        ("Where did I order the tiles?", False),
    ):
        answer = (await api.post("/v1/recall", json={"query": question, "user_id": "roles"})).json()
        assert answer["unsure"] is unsure, question
