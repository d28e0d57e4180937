"""A text whose dates cannot be read, and a summary that cannot be made, over HTTP: what was written is there."""

from __future__ import annotations

from datetime import date
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from precis.language.dating.abroad import Abroad
from precis.metrics import DATES_UNREAD, TURNS_DEGRADED

pytestmark = pytest.mark.asyncio(loop_scope="session")
RENT = "Le loyer de Gargilesse est de 700 euros à partir du 1er juillet."


def counted(counter: Any, kind: str) -> float:
    """How often, so far."""
    return float(counter.labels(kind)._value.get())


def unread(language: Abroad, text: str, today: date) -> list[Any]:
    """Fails as a reading may that nobody foresaw, with the text in its message."""
    raise TypeError(f"{text} of {today} has no number")


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """No date of another language than English can be read."""
    monkeypatch.setattr(Abroad, "places_in", unread)


@pytest.mark.usefixtures("fails")
async def test_recall_and_context_serve_a_text_whose_dates_cannot_be_read(api: httpx.AsyncClient) -> None:
    """As it was written; the log names the kind of error and where it was, and nothing of the text."""
    row = {"text": RENT, "user_id": "camille", "created_at": "2026-06-25T18:28:00Z"}
    before = counted(DATES_UNREAD, "TypeError")
    with capture_logs() as logged:
        assert (await api.post("/v1/memories", json={"memories": [row]})).status_code == 201
        recalled = await api.post("/v1/recall", json={"query": "loyer", "user_id": "camille"})
        context = await api.post("/v1/context", json={"query": "loyer", "user_id": "camille"})
    assert (recalled.status_code, context.status_code) == (200, 200)
    (result, *_) = recalled.json()["results"]
    assert (result["memory"]["text"], result["dated_text"]) == (RENT, None)
    assert RENT in context.json()["text"]
    told = [line for line in logged if line["event"] == "dates_unread"]
    assert {(line["error"], line["where"].split(":")[0]) for line in told} == {("TypeError", "test_unread_dates.py")}
    assert "Gargilesse" not in str(logged)
    assert counted(DATES_UNREAD, "TypeError") > before


@pytest.mark.usefixtures("fails")
async def test_a_conversation_and_a_week_go_on_with_it(api: httpx.AsyncClient) -> None:
    """Its summary is made, without that date, and so is that of the week."""
    texts = [f"Je range la boîte numéro {n} de la cave de tante Zoé." for n in range(29)]
    messages = [{"id": f"m{n}", "role": "user", "content": text} for n, text in enumerate([RENT, *texts])]
    for start in range(0, 30, 10):
        body = {"user_id": "camille", "messages": messages[start : start + 10]}
        answer = await api.post("/v1/conversations/cave/turns", json=body)
        assert answer.status_code == 201
        assert not answer.json()["degraded"]
    context = (await api.get("/v1/conversations/cave/context")).json()
    assert (context["total"], context["covered"] > 0) == (30, True)
    row = {
        "text": RENT, "user_id": "noe", "memory_type": "episodic", "metadata": {"kind": "note"},
        "created_at": "2026-06-25T18:28:00Z",
    }  # fmt: skip
    assert (await api.post("/v1/memories", json={"memories": [row], "summarize": "deferred"})).status_code == 201
    asks: dict[str, Any] = {"userId": "noe", "period": "weekly", "force": True, "day": "2026-06-24"}
    week = await api.post("/memory/summarize", json=asks)
    assert week.status_code == 200
    summary = await api.get(f"/v1/memories/{week.json()['summaryId']}")
    assert "700 euros" in summary.json()["text"]


async def test_a_turn_is_written_whatever_keeps_its_summary_from_being_made(
    api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and the next one makes the summary; neither the answer nor the log has a word of a message."""

    async def fails(*_: Any, **__: Any) -> None:
        raise TypeError("Gargilesse is no number")

    texts = [f"The cellar of aunt Zoe has a box of number {n} in row {n % 3}." for n in range(22)]
    messages = [{"id": f"m{n}", "role": "user", "content": text} for n, text in enumerate(texts)]
    before = counted(TURNS_DEGRADED, "TypeError")
    with monkeypatch.context() as broken, capture_logs() as logged:
        broken.setattr("precis.app.conversing.turns.draft", fails)
        answer = await api.post("/v1/conversations/box/turns", json={"user_id": "zoe", "messages": messages[:21]})
    assert answer.status_code == 201
    assert answer.json()["degraded"]
    assert (await api.get("/v1/conversations/box/context")).json()["total"] == 21
    assert answer.json()["reason"] == "the summary could not be made: TypeError"
    assert {"conversation_degraded"} <= {line["event"] for line in logged if line.get("error") == "TypeError"}
    assert "Gargilesse" not in str(logged)
    assert counted(TURNS_DEGRADED, "TypeError") == before + 1
    after = await api.post("/v1/conversations/box/turns", json={"user_id": "zoe", "messages": messages[21:]})
    assert (after.json()["degraded"], after.json()["summarized"]) == (False, True)
