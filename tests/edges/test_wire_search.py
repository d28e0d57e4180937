"""Search of the wire over HTTP: modes, filters, pages, and what counts as reading."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from wire_rooms import ROOT, Body, create, ids, record, search, three

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


# --- searching ---


async def test_an_empty_text_lists(api: httpx.AsyncClient) -> None:
    """Newest first, with the true total and the next page's place, until there is none."""
    await three(api)
    pages = [await search(api, limit=2, offset=offset) for offset in (0, 2)]
    assert [["trip", "bike"], ["tea"]] == [ids(page) for page in pages]
    assert [(3, 2), (3, None)] == [(page["total"], page["next_offset"]) for page in pages]
    first = (await search(api, text=" "))["memories"][0]
    assert (0.0, None, None) == (first["dist"], first["score"], first["score_type"])
    assert {"memories": [], "total": 3, "next_offset": None} == await search(api, offset=7)


async def test_by_meaning(api: httpx.AsyncClient) -> None:
    """Every memory has a distance, the nearest comes first; a threshold bounds answer and total."""
    await three(api)
    found = await search(api, text="a cup of tea", recency_boost=False)
    assert ("tea", 3) == (ids(found)[0], found["total"])
    distances = [one["dist"] for one in found["memories"]]
    assert distances == sorted(distances)
    assert all(one["score"] == pytest.approx(max(0, 1 - one["dist"])) for one in found["memories"])
    assert {"semantic"} == {one["score_type"] for one in found["memories"]}
    near = await search(api, text="a cup of tea", distance_threshold=(distances[0] + distances[1]) / 2)
    assert (["tea"], 1, None) == (ids(near), near["total"], near["next_offset"])


async def test_by_words(api: httpx.AsyncClient) -> None:
    """Only memories with a word of the query; the best has the score 1."""
    await three(api)
    found = await search(api, text="bicycles and trains", search_mode="keyword", recency_boost=False)
    assert ({"bike", "trip"}, 2) == (set(ids(found)), found["total"])
    best = found["memories"][0]
    assert (1.0, 0.0, "keyword") == (best["score"], best["dist"], best["score_type"])


async def test_by_both(api: httpx.AsyncClient) -> None:
    """alpha 0 is the order of words, alpha 1 that of meaning, and every row counts."""
    await three(api)
    words = await search(api, text="bicycles", search_mode="hybrid", hybrid_alpha=0, recency_boost=False)
    assert ["bike"] == ids(words)
    meaning = await search(api, text="a hot drink", search_mode="hybrid", hybrid_alpha=1, recency_boost=False)
    assert ("tea", 3, "hybrid") == (ids(meaning)[0], meaning["total"], meaning["memories"][0]["score_type"])


@pytest.mark.parametrize(("alpha", "expected"), [(0, 3), (0.5, 9), (1, 8)])
async def test_the_pages_of_a_mix_hold_all_that_is_counted(api: httpx.AsyncClient, alpha: float, expected: int) -> None:
    """A weight of nothing leaves its rows out of the total too: here 3 have the words, and all but one a meaning."""
    others = [record(f"o{n}", f"Ana repaired bicycle {n}") for n in range(6)]
    await create(api, *others, *(record(f"t{n}", f"Ana drank {n} cups of cocoa") for n in range(2)))
    await create(api, record("q", "★"))
    found: list[Any] = []
    offset = 0
    while offset is not None:
        page = await search(
            api, text="cocoa ★", search_mode="hybrid", hybrid_alpha=alpha, limit=2, offset=offset,
            recency_boost=False,
        )  # fmt: skip
        assert page["memories"]
        assert page["total"] == expected
        found, offset = [*found, *ids(page)], page["next_offset"]
    assert (expected, expected) == (len(found), len(set(found)))


async def test_recency_reorders(api: httpx.AsyncClient) -> None:
    """On by default with the original's weights; distances stay what they are."""
    now = datetime.now(UTC)
    for id_, days in (("old", 300), ("new", 0)):
        at = (now - timedelta(days=days)).isoformat()
        await create(api, record(id_, f"Ana likes tea ({id_})", created_at=at, last_accessed=at))
    plain = await search(api, text="Ana likes tea (old)", recency_boost=False)
    boosted = await search(api, text="Ana likes tea (old)", recency_semantic_weight=0.1, recency_recency_weight=0.9)
    assert (["old", "new"], ["new", "old"]) == (ids(plain), ids(boosted))
    assert {one["id"]: one["dist"] for one in plain["memories"]} == {
        one["id"]: one["dist"] for one in boosted["memories"]
    }


async def test_pages_of_one_search_never_overlap(api: httpx.AsyncClient) -> None:
    """Recency reorders within blocks, so that each row is on one page; the total is the same on each."""
    await create(api, *(record(f"n{n}", f"Ana drank {n} cups of tea") for n in range(130)))
    pages, offset = [], 0
    while offset is not None:
        page = await search(api, text="tea", limit=50, offset=offset)
        pages.append(page)
        offset = page["next_offset"]
    assert [50, 50, 30] == [len(page["memories"]) for page in pages]
    assert {130} == {page["total"] for page in pages}
    assert 130 == len({id_ for page in pages for id_ in ids(page)})


async def test_another_namespace_is_never_answered(api: httpx.AsyncClient) -> None:
    """Where nothing is found the original drops the namespace and tries again."""
    await create(api, record("tea", namespace="mine", topics=["tea"], memory_type="semantic"))
    for filters in ({"namespace": {"eq": "yours"}}, {"topics": {"any": ["cars"]}}, {"memory_type": {"eq": "episodic"}}):
        for mode in ("semantic", "keyword", "hybrid"):
            found = await search(api, text="green tea", search_mode=mode, **filters)
            assert {"memories": [], "total": 0, "next_offset": None} == found


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"user_id": {"eq": "ana"}}, "ab"),
        ({"user_id": {"ne": "ana"}}, "c"),
        ({"user_id": {"any": ["ana", "ben"]}}, "abc"),
        ({"user_id": {"all": ["ben"]}}, "c"),
        ({"user_id": {"startswith": "b"}}, "c"),
        ({"user_id": {"in_": ["ben"]}}, "c"),
        ({"user_id": {"not_eq": "ben"}}, "ab"),
        ({"user_id": {"not_in": ["ben", "eve"]}}, "ab"),
        ({"user_id": "ana"}, "ab"),
        ({"namespace": {"eq": "app"}}, "a"),
        ({"namespace": {"ne": "app"}}, "bc"),
        ({"session_id": {"in_": ["s1"]}}, "a"),
        ({"memory_type": {"eq": "episodic"}}, "c"),
        ({"memory_type": {"not_eq": "episodic"}}, "ab"),
        ({"memory_type": {"any": ["semantic", "message"]}}, "ab"),
        ({"topics": {"any": ["food", "cars"]}}, "ab"),
        ({"topics": {"all": ["food", "travel"]}}, "a"),
        ({"topics": {"none": ["travel"]}}, "bc"),
        ({"topics": {"eq": "travel"}}, "a"),
        ({"topics": {"ne": "travel"}}, "bc"),
        ({"topics": {"startswith": "tra"}}, "a"),
        ({"topics": ["travel", "food"]}, "ab"),
        ({"entities": {"any": ["bruges"]}}, "c"),
        ({"extraction_strategy": {"eq": "discrete"}}, "ab"),
        ({"created_at": {"gte": "2026-01-02T00:00:00Z"}}, "bc"),
        ({"created_at": {"gt": "2026-01-02T00:00:00Z"}}, "c"),
        ({"created_at": {"lt": "2026-01-02T00:00:00"}}, "a"),
        ({"created_at": {"lte": "2026-01-02T01:00:00+01:00"}}, "ab"),
        ({"created_at": {"eq": "2026-01-02T00:00:00Z"}}, "b"),
        ({"created_at": {"ne": "2026-01-02T00:00:00Z"}}, "ac"),
        ({"created_at": {"between": ["2026-01-01T12:00:00Z", "2026-01-03T00:00:00Z"]}}, "bc"),
        ({"event_date": {"eq": "2025-05-05T00:00:00Z"}}, "c"),
        ({"user_id": {"eq": "ana", "any": ["ben"]}}, ""),
        ({"user_id": {"eq": "ana"}, "topics": {"any": ["travel"]}, "unknown": {"eq": "x"}}, "a"),
    ],
)
async def test_filters(api: httpx.AsyncClient, filters: Body, expected: str) -> None:
    """The server's words and the client's, alone and together, in a list and in every kind of search."""
    rows = {
        "a": {"user_id": "ana", "namespace": "app", "session_id": "s1", "topics": ["food", "Travel"]},
        "b": {"user_id": "ana", "topics": ["food"], "memory_type": "message"},
        "c": {"user_id": "ben", "memory_type": "episodic", "entities": ["Bruges"], "extraction_strategy": "summary",
              "event_date": "2025-05-05T00:00:00Z"},
    }  # fmt: skip
    for day, (id_, fields) in enumerate(rows.items(), start=1):
        at = f"2026-01-0{day}T00:00:00Z"
        await create(api, record(id_, f"tea {id_}", created_at=at, last_accessed=at, **fields))
    assert expected == "".join(sorted(ids(await search(api, **filters))))
    for mode in ("semantic", "keyword", "hybrid"):
        found = await search(api, text="tea", search_mode=mode, **filters)
        assert (expected, len(expected)) == ("".join(sorted(ids(found))), found["total"])


async def test_a_filter_by_when_it_was_read(api: httpx.AsyncClient) -> None:
    """Being found is being read, so that the next search of the same finds it no more."""
    for id_, at in (("tea", "2026-01-01T00:00:00Z"), ("bike", "2026-01-03T00:00:00Z")):
        await create(api, record(id_, created_at=at, last_accessed=at))
    old = {"last_accessed": {"lt": "2026-01-02T00:00:00Z"}}
    assert [["tea"], []] == [ids(await search(api, text="Ana", **old)) for _ in range(2)]


@pytest.mark.parametrize("nothing", [{}, {"eq": None}, {"equals": "ana"}, {"any": "ana"}, {"eq": ["ana"]}, 7])
async def test_a_filter_that_says_nothing_is_refused(api: httpx.AsyncClient, nothing: Any) -> None:
    """It would widen the answer; the original answers 500."""
    answer = await api.post(f"{ROOT}/search", json={"text": "tea", "user_id": nothing})
    assert 422 == answer.status_code
    assert "user_id" in answer.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0}, {"limit": 101}, {"offset": -1}, {"search_mode": "fuzzy"}, {"hybrid_alpha": 2},
        {"distance_threshold": -1}, {"created_at": {"gte": "soon"}}, {"created_at": {"between": ["2026-01-01"]}},
        {"text": "null\x00"},
    ],
)  # fmt: skip
async def test_a_bad_search_is_refused(api: httpx.AsyncClient, wrong: Body) -> None:
    """422."""
    assert 422 == (await api.post(f"{ROOT}/search", json={"text": "tea"} | wrong)).status_code


async def test_a_threshold_is_for_meaning_only(api: httpx.AsyncClient) -> None:
    """400 in the words of the original."""
    body = {"text": "tea", "search_mode": "keyword", "distance_threshold": 0.5}
    answer = await api.post(f"{ROOT}/search", json=body)
    expected = {"detail": "distance_threshold is only supported for semantic search mode"}
    assert (400, expected) == (answer.status_code, answer.json())


async def test_reading_is_counted(api: httpx.AsyncClient, app: App) -> None:
    """Once in a quarter of an hour, by search or by id; nothing becomes stale or newer by it."""
    then = "2026-01-05T09:00:00Z"
    await create(
        api, *(record(f"t{n}", f"Ana drinks green tea at {n}", created_at=then, last_accessed=then) for n in range(4))
    )
    await app.summaries.refresh_all()
    before = (await api.get("/v1/memories/t0")).json()
    await search(api, text="green tea")
    for _ in range(2):
        found = (await api.get(f"{ROOT}/t0")).json()
    assert (1, True) == (found["access_count"], found["last_accessed"] > "2026-01-06")
    assert before["updated_at"] == found["updated_at"]
    assert not any(one.stale for one in (await app.summaries.list()).rows)
