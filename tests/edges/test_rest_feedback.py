"""Feedback on summaries over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio(loop_scope="session")
Rows = list[dict[str, Any]]


@pytest_asyncio.fixture(loop_scope="session")
async def summary(api: httpx.AsyncClient, coffee: Rows) -> dict[str, Any]:
    """The summary of three memories."""
    written = (await api.post("/v1/memories", json={"memories": coffee})).json()
    found: dict[str, Any] = (await api.get(f"/v1/summaries/{written['summaries'][0]}")).json()
    assert len(found["statements"]) > 1
    return found


async def test_a_wrong_statement_is_withdrawn_and_stays_away(api: httpx.AsyncClient, summary: dict[str, Any]) -> None:
    """In the answer already; and after a forced refresh."""
    path, text = f"/v1/summaries/{summary['id']}", summary["statements"][1]["text"]
    body = {"verdict": "wrong", "note": "Not any more.", "text": text}
    answer = await api.post(f"{path}/statements/1/feedback", json=body)
    assert 201 == answer.status_code, answer.text
    given = answer.json()
    assert (1, [summary["id"]], "wrong", False, text) == (
        given["withdrawn"], given["summary_ids"], given["feedback"]["verdict"], given["feedback"]["whole"],
        given["feedback"]["statements"][0]["text"],
    )  # fmt: skip
    for _ in range(2):
        now = (await api.get(path)).json()
        assert text not in [one["text"] for one in now["statements"]]
        assert text not in (await api.get(f"/v1/memories/{summary['id']}")).json()["text"]
        assert 200 == (await api.post(f"{path}/refresh", json={"force": True})).status_code
    assert text not in str(
        (await api.post("/v1/recall", json={"query": text, "summaries": "only"})).json()["results"][0]
    )


async def test_it_is_listed_read_and_taken_back(api: httpx.AsyncClient, summary: dict[str, Any]) -> None:
    """By summary and verdict; then the summary is what it was."""
    path = f"/v1/summaries/{summary['id']}"
    given = (await api.post(f"{path}/statements/0/feedback", json={"verdict": "wrong"})).json()["feedback"]
    await api.post(f"{path}/feedback", json={"verdict": "good"})
    page = (await api.get("/v1/feedback", params={"summary_id": summary["id"]})).json()
    assert ["good", "wrong"] == [one["verdict"] for one in page["feedback"]]
    assert [given] == (await api.get("/v1/feedback", params={"verdict": "wrong"})).json()["feedback"]
    assert given == (await api.get(f"/v1/feedback/{given['id']}")).json()
    taken = await api.delete(f"/v1/feedback/{given['id']}")
    assert (200, given["id"]) == (taken.status_code, taken.json()["id"])
    again = (await api.get(path)).json()["statements"]
    assert [one["text"] for one in summary["statements"]] == [one["text"] for one in again]
    assert 404 == (await api.delete(f"/v1/feedback/{given['id']}")).status_code


async def test_a_summary_that_is_wrong_as_a_whole_is_gone(api: httpx.AsyncClient, summary: dict[str, Any]) -> None:
    """Nothing else can be said of these memories, so none is made of them; they are there as before."""
    answer = await api.post(f"/v1/summaries/{summary['id']}/feedback", json={"verdict": "wrong"})
    assert (201, len(summary["statements"])) == (answer.status_code, answer.json()["withdrawn"])
    (outcome,) = answer.json()["outcomes"]
    assert "marked" in outcome["reason"]
    assert [] == (await api.get("/v1/summaries")).json()["summaries"]
    assert 3 == len((await api.get("/v1/memories")).json()["memories"])


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("statements/99/feedback", {"verdict": "wrong"}, 404),
        ("statements/-1/feedback", {"verdict": "wrong"}, 422),
        ("statements/0/feedback", {"verdict": "bad"}, 422),
        ("statements/0/feedback", {"verdict": "wrong", "text": "Something else."}, 409),
        ("statements/0/feedback", {"verdict": "wrong", "reason": "x"}, 422),
        ("feedback", {"verdict": "wrong", "note": "x" * 2_001}, 422),
        ("feedback", {}, 422),
    ],
)
async def test_what_cannot_be_meant_is_refused(
    api: httpx.AsyncClient, summary: dict[str, Any], path: str, body: dict[str, Any], status: int
) -> None:
    """And nothing is noted."""
    assert status == (await api.post(f"/v1/summaries/{summary['id']}/{path}", json=body)).status_code
    assert [] == (await api.get("/v1/feedback")).json()["feedback"]
    assert summary["statements"] == (await api.get(f"/v1/summaries/{summary['id']}")).json()["statements"]
