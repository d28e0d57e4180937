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
