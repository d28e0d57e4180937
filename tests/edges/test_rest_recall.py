"""/v1/recall over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio(loop_scope="session")
Rows = list[dict[str, Any]]


@pytest_asyncio.fixture(loop_scope="session")
async def summary_id(api: httpx.AsyncClient, coffee: Rows) -> str:
    """Three memories of Ana, one of Ben, and the summary of Ana's."""
    ben = {"id": "of-ben", "text": "I drink coffee at dawn.", "user_id": "ben"}
    answer = await api.post("/v1/memories", json={"memories": [*coffee, ben]})
    return str(answer.json()["summaries"][0])


async def _recall(api: httpx.AsyncClient, **body: Any) -> list[dict[str, Any]]:
    answer = await api.post("/v1/recall", json={"query": "coffee", **body})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["results"])


async def test_recall_mixes_raw_rows_and_summaries(api: httpx.AsyncClient, coffee: Rows, summary_id: str) -> None:
    """All rows of the user and the summary, best first; each score is the sum of its parts."""
    results = await _recall(api, user_id="ana")
    assert {summary_id, *(row["id"] for row in coffee)} == {one["memory"]["id"] for one in results}
    assert sorted((one["score"] for one in results), reverse=True) == [one["score"] for one in results]
    for one in results:
        assert {"keyword", "vector", "importance", "recency"} == set(one["parts"])
        assert one["score"] == pytest.approx(sum(one["parts"].values()))


async def test_a_summary_carries_its_sources(api: httpx.AsyncClient, coffee: Rows, summary_id: str) -> None:
    """Their ids always, the rows when asked to expand."""
    ids = sorted(row["id"] for row in coffee)
    plain = next(one for one in await _recall(api, user_id="ana") if one["memory"]["id"] == summary_id)
    assert ids == sorted(plain["source_ids"])
    assert plain["sources"] is None
    expanded = await _recall(api, user_id="ana", expand=True)
    found = next(one for one in expanded if one["memory"]["id"] == summary_id)
    assert {row["text"] for row in coffee} == {row["text"] for row in found["sources"]}


@pytest.mark.parametrize("how", [{"summaries": "without"}, {"include_summaries": False}])
async def test_summaries_can_be_left_out(api: httpx.AsyncClient, summary_id: str, how: dict[str, Any]) -> None:
    """Two ways to say it."""
    results = await _recall(api, user_id="ana", **how)
    assert len(results) == 3
    assert not any(one["memory"]["is_summary"] for one in results)


async def test_only_summaries_falls_back_to_raw_rows(api: httpx.AsyncClient, summary_id: str) -> None:
    """Where no summary stands (Ben has one memory), the raw row is answered."""
    found = {one["memory"]["id"] for one in await _recall(api, summaries="only")}
    assert {summary_id, "of-ben"} == found


async def test_a_contradiction_is_refused(api: httpx.AsyncClient) -> None:
    """Two words for one setting must agree."""
    body = {"query": "coffee", "summaries": "only", "include_summaries": False}
    answer = await api.post("/v1/recall", json=body)
    assert answer.status_code == 422
    assert "contradict" in answer.json()["detail"][0]["msg"]


async def test_the_filters_and_the_limit_hold(api: httpx.AsyncClient, summary_id: str) -> None:
    """Nobody else's rows, no more rows than asked for."""
    assert [one["memory"]["id"] for one in await _recall(api, user_id="ben")] == ["of-ben"]
    assert await _recall(api, user_id="ana", namespace="elsewhere") == []
    assert len(await _recall(api, user_id="ana", limit=1)) == 1
