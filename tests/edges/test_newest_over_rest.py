"""What several people told stands in every summary over HTTP, and a changed value once: drafts, rollups, archives."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")
MOVERS = ["Kuno has moved to Lisbon.", "Greta has moved to Ghent.", "Hugo has moved to Porto."]
FIVE = [
    "Kuno's rent is 700 euros from now on.", "Greta now works for Bosch.", "Hugo has moved to Porto.",
    "Mbali has moved to Dakar.", "Zoë's rent is 815 euros from now on.",
]  # fmt: skip


async def drafted(api: httpx.AsyncClient, texts: list[Any]) -> str:
    """The summary of texts that are not stored."""
    answer = await api.post("/v1/summarize", json={"texts": texts, "max_words": 120})
    assert 200 == answer.status_code
    return str(answer.json()["text"])


@pytest.mark.parametrize(
    "texts",
    [
        MOVERS, FIVE,
        [f"{name}'s rent is {rent} euros from now on." for name, rent in (("Ana", 700), ("Ben", 800), ("Cem", 900))],
        ["The rent of the Oak Street flat is 900 euros.", "The rent of the Elm Street flat is 950 euros now."],
        ["Room 12 is blue now.", "Room 14 is green now."],
        ["Kuno likes Ghent.", "Greta likes Porto.", "Kuno likes Porto."],
        ["Will lives in Rome.", "May lives in Rome."],
        ["Ana works at Bosch and lives in Oslo.", "Ana moved to Rome."],
    ],
)  # fmt: skip
async def test_nobodys_fact_vanishes_from_a_draft(api: httpx.AsyncClient, texts: list[str]) -> None:
    """Words of change in one person's sentence say nothing of another's."""
    summary = await drafted(api, texts)
    for text in texts:
        assert text.rstrip(".") in summary


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I am allergic to penicillin.", "I am not allergic to penicillin after all."),
        ("Ana works at Siemens.", "Ana quit Siemens."),
        ("I'm vegetarian.", "I started eating fish and meat again."),
        ("Greta lives in Oslo.", "Greta has moved to Ghent."),
        ("Hugo is dating Tess.", "Hugo broke up with Tess."),
    ],
)
async def test_a_changed_value_is_told_once(api: httpx.AsyncClient, older: str, newer: str) -> None:
    """The newest, beside what others told."""
    summary = await drafted(api, [older, "Kuno has moved to Lisbon.", newer])
    assert older.rstrip(".") not in summary
    assert newer.rstrip(".") in summary
    assert "Kuno has moved to Lisbon" in summary


@pytest.mark.parametrize("period", ["daily", "weekly", "monthly"])
async def test_two_movers_rolled_up(api: httpx.AsyncClient, period: str) -> None:
    """Both are in the summary of the day, the week and the month."""
    rows = [
        {
            "id": new_id(), "text": text, "user_id": "mara", "memory_type": "episodic", "metadata": {"kind": "note"},
            "created_at": f"2024-05-0{7 + at}T10:00:00Z" if period != "daily" else f"2024-05-07T1{at}:00:00Z",
        }
        for at, text in enumerate(MOVERS[:2])
    ]  # fmt: skip
    answer = await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    assert 201 == answer.status_code
    periods = ["weekly", "monthly"] if period == "monthly" else [period]
    for step in periods:
        body = {"userId": "mara", "period": step, "force": True}
        body |= {"day": {"daily": "2024-05-07", "weekly": "2024-05-08", "monthly": "2024-05-15"}[step]}
        answer = await api.post("/memory/summarize", json=body)
        assert 200 == answer.status_code, answer.text
    summary = (await api.get(f"/v1/memories/{answer.json()['summaryId']}")).json()
    assert "Lisbon" in summary["text"]
    assert "Ghent" in summary["text"]


async def test_an_archive_of_five(api: httpx.AsyncClient) -> None:
    """Five facts of five people: what stays of the originals tells all of them."""
    rows = [
        {"id": new_id(), "text": text, "user_id": "mara", "created_at": f"2020-03-0{at + 1}T10:00:00Z"}
        for at, text in enumerate(FIVE)
    ]
    answer = await api.post("/v1/memories", json={"memories": rows, "summarize": "deferred"})
    assert 201 == answer.status_code
    assert 5 == (await api.post("/memory/summarize")).json()["memories"]
    (summary,) = (await api.get("/v1/summaries", params={"policy": "archive"})).json()["summaries"]
    text = (await api.get(f"/v1/memories/{summary['id']}")).json()["text"]
    for fact in FIVE:
        assert fact.rstrip(".") in text
