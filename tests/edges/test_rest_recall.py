"""/v1/recall over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import pytest_asyncio

from precis.recall.ranking import PARTS

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
        assert set(PARTS) == set(one["parts"])
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


async def test_folding_shows_a_summary_and_its_sources_as_one(api: httpx.AsyncClient, summary_id: str) -> None:
    """Every row that was found is there once, at the top or under another; the limit counts all of them."""
    flat = await _recall(api, user_id="ana")
    (one,) = await _recall(api, user_id="ana", fold=True)
    assert one["memory"]["id"] == summary_id
    assert {row["memory"]["id"] for row in flat} == {summary_id, *(row["memory"]["id"] for row in one["folded"])}
    answer = await api.post("/v1/recall", json={"query": "When was the coffee?", "user_id": "ana", "fold": True})
    (detail,) = answer.json()["results"]
    assert not detail["memory"]["is_summary"]
    assert detail["folded"][0]["memory"]["id"] == summary_id


async def test_the_newest_value_first(api: httpx.AsyncClient) -> None:
    """Where somebody lives now, of messages: none of them replaces another."""
    mara = {"user_id": "mara", "memory_type": "message"}
    rows = [
        {"id": "old-home", "text": "Mara lives in Utrecht.", "created_at": "2024-01-01T09:00:00Z"} | mara,
        {"id": "new-home", "text": "Mara lives in Lisbon.", "created_at": "2025-06-01T09:00:00Z"} | mara,
    ]
    for order in (rows, rows[::-1]):
        for row in order:
            await api.post("/v1/memories", json={"memories": [row]})
        body = {"query": "Where does Mara live now?", "user_id": "mara"}
        results = (await api.post("/v1/recall", json=body)).json()["results"]
        assert [one["memory"]["id"] for one in results] == ["new-home", "old-home"]
        assert results[0]["parts"]["newest"] > results[1]["parts"]["newest"] == 0


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("寿司はどこで食べた", ["昨日は寿司を東京駅で食べた", "今日は天気がいい", "犬を散歩に連れて行った"]),
        ("Где живёт Анна", ["Анна живёт в Казани", "Погода сегодня хорошая", "Мы купили новую машину"]),
        ("ماذا تشرب ليلى", ["ليلى تشرب الشاي الأخضر", "الطقس جميل اليوم", "اشترينا سيارة جديدة"]),
        ("الطبيب", ["كَتَبَ الطَّبِيبُ رِسَالَةً", "الطقس جميل اليوم"]),
        ("किताब", ["किताब मेज पर है", "कितना बड़ा तालाब है"]),
        ("茶", ["我每天早上喝绿茶", "今天天气很好"]),
        ("狗叫什么名字", ["我们家养了一只狗，它是小白", "他想换一个工作"]),
        ("犬は?", ["昨日は犬を散歩に連れて行った", "寿司はおいしい"]),
        ("🎂", ["🎉🎉🎂", "👍🏽"]),
    ],
)
async def test_words_carry_what_the_embedder_cannot_read(api: httpx.AsyncClient, query: str, texts: list[str]) -> None:
    """In other scripts the vectors say nothing, and nothing is added for them."""
    rows = [{"id": f"row{at}", "text": text, "user_id": "kim"} for at, text in enumerate(texts)]
    await api.post("/v1/memories", json={"memories": rows})
    results = (await api.post("/v1/recall", json={"query": query, "user_id": "kim"})).json()["results"]
    assert results[0]["memory"]["id"] == "row0"
    assert {one["parts"]["vector"] for one in results} == {0}
