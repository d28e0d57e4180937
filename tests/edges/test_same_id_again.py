"""A memory under an id that is there: the same again is no second one, anything else is refused."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")
ROW: dict[str, Any] = {
    "user_id": "ana", "id": "again-1", "text": "I moved to Lisbon.", "project_id": "home", "namespace": "n1",
    "metadata": {"a": [1, 2], "b": {"c": "d"}}, "importance": 0.7, "pinned": True, "topics": ["moving"],
    "event_date": "2026-01-01T00:00:00Z", "session_id": "s1",
}  # fmt: skip


async def write(api: httpx.AsyncClient, *rows: dict[str, Any]) -> httpx.Response:
    """Write these."""
    return await api.post("/v1/memories", json={"memories": list(rows)})


async def test_the_same_again(api: httpx.AsyncClient) -> None:
    """Answered as before, in the same words or another order of them, and with less said."""
    first = await write(api, ROW)
    assert first.status_code == 201, first.text
    less = {name: ROW[name] for name in ("user_id", "id", "text", "project_id")}
    turned = {**ROW, "metadata": {"b": {"c": "d"}, "a": [1, 2]}, "event_date": "2026-01-01T01:00:00+01:00"}
    for again in (ROW, less, turned):
        answer = await write(api, again)
        assert answer.status_code == 201, answer.text
        assert answer.json()["memories"][0]["created"] is False


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"project_id": "work"}, "project_id"),
        ({"environment": "staging"}, "environment"),
        ({"namespace": "n2"}, "namespace"),
        ({"memory_type": "episodic"}, "memory_type"),
        ({"metadata": {"a": [2, 1]}}, "metadata"),
        ({"pinned": False}, "pinned"),
        ({"importance": 0.2}, "importance"),
        ({"event_date": "2026-06-01T00:00:00Z"}, "event_date"),
        ({"topics": ["lisbon"]}, "topics"),
        ({"text": "I moved to Porto."}, "content"),
    ],
)
async def test_other_content_is_refused(api: httpx.AsyncClient, change: dict[str, Any], word: str) -> None:
    """With the field that differs; what stands stays."""
    row = {**ROW, "id": f"other-{word}"}
    assert (await write(api, row)).status_code == 201
    refused = await write(api, {**row, **change})
    assert refused.status_code == 409
    assert word in refused.json()["detail"]


async def test_another_users_id_is_taken(api: httpx.AsyncClient) -> None:
    """Whatever both say; of the other nothing is told."""
    await write(api, {"user_id": "ana", "id": "mine-1", "text": "My safe opens with 1234."})
    for text in ("My safe opens with 1234.", "Hello."):
        refused = await write(api, {"user_id": "bob", "id": "mine-1", "text": text})
        assert refused.status_code == 409
        assert refused.json()["detail"] == "the id 'mine-1' is taken; give another id"


async def test_one_write_with_an_id_twice(api: httpx.AsyncClient) -> None:
    """With two texts it says so; the same twice is one."""
    row = {"user_id": "ana", "id": "twice-1", "text": "I play the viola."}
    refused = await write(api, row, {**row, "text": "I play the cello."})
    assert refused.status_code == 409
    assert "this write has 'twice-1' twice" in refused.json()["detail"]
    assert (await api.get("/v1/memories/twice-1")).status_code == 404
    done = await write(api, row, row)
    assert [added["created"] for added in done.json()["memories"]] == [True, False]
