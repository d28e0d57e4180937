"""What a context has of a value that changed: the newest beside the old one and before it, whatever the question."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Talk of many that shares the words of the question with none of the values.
BESIDE = (
    "The bus was late again.", "We met a hare on the dam.", "Soup and rye bread for lunch.", "The choir was loud.",
    "My knees ache from the stairs.", "A letter came from the tax office.", "The oven smells of fish.",
)  # fmt: skip


def _rows(talk: list[tuple[str, str]], number: int) -> list[dict[str, Any]]:
    rows = [
        {
            "text": f"{BESIDE[at % len(BESIDE)]} That was walk {at}.", "user_id": "uli", "memory_type": "message",
            "session_id": f"walk {at}", "created_at": f"2026-01-{1 + at % 28:02}T08:00:00Z",
            "metadata": {"speaker": "Kaja"},
        }
        for at in range(number)
    ]  # fmt: skip
    return rows + [
        {
            "text": text, "user_id": "uli", "memory_type": "message", "session_id": day,
            "created_at": f"{day}T09:00:00Z", "metadata": {"speaker": "Uli"},
        }
        for day, text in talk
    ]  # fmt: skip


@pytest.mark.parametrize("number", [10, 150])
@pytest.mark.parametrize(
    ("query", "old", "new"),
    [
        (
            "Which tool keeps our invoices?",
            "We keep the invoices in Ledgerly.",
            "We left Ledgerly, it is all Quittung now.",
        ),
        (
            "Wer ist mein Steuerberater?",
            "Mein Steuerberater ist Herr Ohm.",
            "Ohm ist in Rente, jetzt macht das Frau Wenk.",
        ),
    ],
)
async def test_the_newest_value_is_there_and_first(
    api: httpx.AsyncClient, query: str, old: str, new: str, number: int
) -> None:
    """Also where more rows are like the question than are recalled."""
    rows = _rows([("2026-02-03", old), ("2026-05-06", new)], number)
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    answer = await api.post("/v1/context", json={"query": query, "user_id": "uli", "token_budget": 120})
    text = answer.json()["text"]
    assert new in text
    assert old not in text or text.index(new) < text.index(old)


#: Notes of which an English embedder reads nothing.
NOTES = (
    "Кроватку заказали белую.", "Гараж сдали соседу.", "Завуч просит отчёт.", "Сахар в норме.", "Брат уехал в Пермь.",
    "Чайник на плите.", "Олимпиада прошла.", "Зонт остался в такси.",
)  # fmt: skip


@pytest.mark.parametrize("turns", ["", "turns"])
async def test_what_has_nothing_in_common_with_the_question_takes_no_room(api: httpx.AsyncClient, turns: str) -> None:
    """The first rows stay; beside a turn to an agent stand those of its day, and not all that was ever said there."""
    user = f"timur{turns}"
    fields = {"session_id": user, "memory_type": "message", "metadata": {"role": "user"}} if turns else {}
    rows = [
        {"text": text, "user_id": user, "created_at": f"2026-03-{1 + at:02}T08:00:00Z", **fields}
        for at, text in enumerate(("Наш кот Кельвин опять съел провод.", *NOTES))
    ]
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    asked = {"query": "Кто такой Кельвин?", "user_id": user, "token_budget": 500}
    text = (await api.post("/v1/context", json=asked)).json()["text"]
    assert "Кельвин" in text
    assert sum(other in text for other in NOTES) <= 3


async def test_who_tells_of_themselves_behind_their_name_is_who_is_asked_for(api: httpx.AsyncClient) -> None:
    """A talk of several, each line of which the user sent with a name before it."""
    said = (
        "Kev: So, better you hear it here. I handed in my notice yesterday, last day is 13 February.",
        "Hugh: Thanks for saying it straight Kev.", "Kev: The van is clean.", "Hugh: I fetch the salt on Friday.",
    )  # fmt: skip
    rows = [
        {
            "text": text, "user_id": "yard", "memory_type": "message", "session_id": "thread",
            "created_at": f"2026-01-14T09:{at:02}:00Z", "metadata": {"role": "user"},
        }
        for at, text in enumerate(said)
    ]  # fmt: skip
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    asked = {"query": "When did Kev hand in his notice?", "user_id": "yard"}
    assert not (await api.post("/v1/recall", json=asked)).json()["unsure"]


async def test_notes_that_share_nothing_with_the_question_are_left_out(api: httpx.AsyncClient) -> None:
    """A few that may give a newer value stay, whatever the room."""
    days = (
        "Der Zaun ist jetzt grün.", "Ich esse kein Fleisch mehr.", "Neuer Rasenmäher, 240 Euro.",
        "Der Chor singt jetzt montags.", "Seit heute haben wir Glasfaser.", "Oma ist jetzt 91.",
        "Wir haben das Boot verkauft.", "Die Birne ist gefällt.", "Neue Brille, 310 Euro.",
        "Jetzt fährt der Bus alle 20 Minuten.",
    )  # fmt: skip
    rows = [{"text": "Mein Schwager heißt Edgar.", "user_id": "ole", "created_at": "2026-01-02T09:00:00Z"}]
    rows += [
        {"text": text, "user_id": "ole", "created_at": f"2026-02-{at:02}T09:00:00Z"} for at, text in enumerate(days, 1)
    ]
    await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    asked = {"query": "Wie heißt mein Schwager?", "user_id": "ole", "token_budget": 250}
    text = (await api.post("/v1/context", json=asked)).json()["text"]
    assert "Edgar" in text
    assert sum(day in text for day in days) <= 4
