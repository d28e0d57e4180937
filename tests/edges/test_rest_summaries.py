"""/v1/summaries, /v1/plan, /v1/clusters/stats and /v1/costs over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from precis.bootstrap import Runtime
from precis.makers import Request, Usage

pytestmark = pytest.mark.asyncio(loop_scope="session")
Rows = list[dict[str, Any]]


@pytest_asyncio.fixture(loop_scope="session")
async def summary_id(api: httpx.AsyncClient, coffee: Rows) -> str:
    """The summary of three memories."""
    answer = await api.post("/v1/memories", json={"memories": coffee})
    return str(answer.json()["summaries"][0])


async def test_a_summary_reads_with_its_statements(api: httpx.AsyncClient, coffee: Rows, summary_id: str) -> None:
    """Text, lineage and figures; every statement rests on memories that were written."""
    found = (await api.get(f"/v1/summaries/{summary_id}")).json()
    ids = {row["id"] for row in coffee}
    assert ids == set(found["parent_id"]) == set(found["leaf_source_ids"])
    assert found["text"] == " ".join(one["text"] for one in found["statements"])
    for one in found["statements"]:
        assert set(one) == {"text", "importance", "source_ids", "source_class"}
        assert one["source_ids"]
        assert set(one["source_ids"]) <= ids
    shown = {name: found[name] for name in ("id", "user_id", "tier", "extracted_type", "extracted_key", "policy")}
    assert shown == {
        "id": summary_id, "user_id": "ana", "tier": "cluster", "extracted_type": "preference",
        "extracted_key": "coffee", "policy": "clusters",
    }  # fmt: skip
    assert (found["included"], found["total"]) == (3, 3)
    assert (found["stale"], found["fallback"]) == (False, False)
    assert 0 < found["quality"] <= 1
    assert found["made_by"].startswith("extractive")


async def test_the_list_filters_and_pages(api: httpx.AsyncClient, summary_id: str) -> None:
    """By policy, user and the scope; an unknown policy is refused by name."""
    queries: tuple[dict[str, Any], ...] = (
        {},
        {"policy": "clusters", "user_id": "ana"},
        {"extracted_type": "preference", "limit": 1},
    )
    for query in queries:
        page = (await api.get("/v1/summaries", params=query)).json()
        assert [summary_id] == [one["id"] for one in page["summaries"]], query
        assert page["next_cursor"] is None
    assert (await api.get("/v1/summaries", params={"user_id": "ben"})).json()["summaries"] == []
    refused = await api.get("/v1/summaries", params={"policy": "weather"})
    assert refused.status_code == 422
    assert refused.json()["field"] == "policy"


async def test_the_sources_are_one_read_away(api: httpx.AsyncClient, coffee: Rows, summary_id: str) -> None:
    """The rows themselves, with their texts."""
    found = (await api.get(f"/v1/summaries/{summary_id}/sources")).json()["memories"]
    assert {row["text"] for row in coffee} == {row["text"] for row in found}


async def test_a_refresh_says_what_it_did(api: httpx.AsyncClient, summary_id: str) -> None:
    """Nothing when it is current, with or without a body; made anew when forced, under the same id."""
    bodies: tuple[dict[str, Any], ...] = ({}, {"json": {}}, {"json": {"force": False}})
    for sent in bodies:
        outcome = (await api.post(f"/v1/summaries/{summary_id}/refresh", **sent)).json()
        assert outcome["result"] == "unchanged"
    forced = (await api.post(f"/v1/summaries/{summary_id}/refresh", json={"force": True})).json()
    assert ("committed", summary_id) == (forced["result"], forced["summary_id"])
    assert {"calls", "tokens_in", "tokens_out", "tokens_cached", "cost"} == set(forced["usage"])


async def test_a_refresh_under_way_is_a_conflict(
    api: httpx.AsyncClient, runtime: Runtime, tenant: str, summary_id: str
) -> None:
    """Somebody holds the lease: 409, not a second refresh."""
    groups, now = runtime.engine.groups, runtime.engine.clock()
    group_id = (await api.get(f"/v1/summaries/{summary_id}")).json()["group_id"]
    lease = await groups.claim(tenant, now=now, lasts=timedelta(minutes=2), group_id=group_id)
    assert lease is not None
    answer = await api.post(f"/v1/summaries/{summary_id}/refresh")
    assert answer.status_code == 409
    await groups.release(lease, retry_at=None, error=None, now=now)


async def test_a_deleted_summary_stays_away(api: httpx.AsyncClient, coffee: Rows, summary_id: str) -> None:
    """Its sources stay, and a look at the plan finds nothing to make of them."""
    deleted = await api.delete(f"/v1/summaries/{summary_id}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert (await api.get(f"/v1/summaries/{summary_id}")).status_code == 404
    assert len((await api.get("/v1/memories", params={"is_summary": "false"})).json()["memories"]) == 3
    assert (await api.get("/v1/summaries")).json()["summaries"] == []
    (planned,) = (await api.get("/v1/plan", params={"all": "true"})).json()["plans"]
    assert (planned["action"], planned["reason"]) == ("nothing", "its summary was deleted by request")


async def test_a_summary_cannot_be_patched(api: httpx.AsyncClient, summary_id: str) -> None:
    """409, whatever the body says."""
    bodies: tuple[dict[str, Any], ...] = ({}, {"json": {"text": "Tea."}})
    for sent in bodies:
        answer = await api.patch(f"/v1/summaries/{summary_id}", **sent)
        assert answer.status_code == 409
        assert "derived" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/summaries/nothing"),
        ("GET", "/v1/summaries/nothing/sources"),
        ("POST", "/v1/summaries/nothing/refresh"),
        ("DELETE", "/v1/summaries/nothing"),
        ("PATCH", "/v1/summaries/nothing"),
    ],
)
async def test_an_unknown_summary_is_a_404(api: httpx.AsyncClient, method: str, path: str) -> None:
    """For each verb; a raw memory is no summary either."""
    await api.post("/v1/memories", json={"memories": [{"id": "raw", "text": "I live in Oslo.", "user_id": "ana"}]})
    for tried in (path, path.replace("nothing", "raw")):
        answer = await api.request(method, tried)
        assert answer.status_code == 404, tried
        assert isinstance(answer.json()["detail"], str)


async def test_the_plan_says_what_would_be_made_and_why(api: httpx.AsyncClient, coffee: Rows) -> None:
    """A stale group with its steps, sources and estimate; once current it is in the plan of all groups only."""
    written = (await api.post("/v1/memories", json={"memories": coffee, "summarize": "deferred"})).json()
    (planned,) = (await api.get("/v1/plan", params={"user_id": "ana"})).json()["plans"]
    assert written["waiting"] == [planned["group_id"]]
    assert (planned["policy"], planned["action"], planned["summary_id"]) == ("clusters", "make", None)
    assert {row["id"] for row in coffee} == set(planned["steps"][-1]["sources"])
    assert planned["steps"][-1]["kind"] == "root"
    assert planned["reason"]
    assert planned["estimate"]["calls"] == len(planned["steps"])
    assert planned["estimate"]["tokens_in"] > 0
    assert (await api.get("/v1/plan", params={"user_id": "ben"})).json()["plans"] == []


async def test_the_plan_of_all_groups_has_the_current_ones(api: httpx.AsyncClient, summary_id: str) -> None:
    """Nothing to do, and the reason."""
    assert (await api.get("/v1/plan")).json()["plans"] == []
    (planned,) = (await api.get("/v1/plan", params={"all": "true", "policy": "clusters"})).json()["plans"]
    assert ("nothing", "current", summary_id) == (planned["action"], planned["reason"], planned["summary_id"])
    assert planned["steps"] == []


async def test_the_figures_for_tuning_are_served(api: httpx.AsyncClient, summary_id: str) -> None:
    """One cluster with a summary, one sparse one; churn counts the refresh just made."""
    alone = {"text": "I adopted a cat called Miso.", "user_id": "ana", "type": "fact", "key": "cat"}
    await api.post("/v1/memories", json={"memories": [alone]})
    group_id = (await api.get(f"/v1/summaries/{summary_id}")).json()["group_id"]
    assert (await api.get("/v1/clusters/stats", params={"user_id": "ana"})).json() == {
        "clusters": 2, "sparse": 1, "sparse_ratio": 0.5, "members": 4, "summaries": 1, "stale": 0, "failed": 0,
        "refreshes_last_hour": {group_id: 1}, "churn": 1.0, "tokens_per_summary": 0.0,
    }  # fmt: skip
    assert (await api.get("/v1/clusters/stats", params={"user_id": "ben"})).json()["clusters"] == 0


async def test_costs_are_told_by_month_and_policy(api: httpx.AsyncClient, runtime: Runtime, tenant: str) -> None:
    """Nothing at first; then one call that ended and one that has not."""
    assert (await api.get("/v1/costs")).json() == {"costs": [], "monthly_ceiling": None}
    request = Request(items=(), max_tokens=10, prompt="", tenant_id=tenant, policy="clusters", group_id="g")
    usage = Usage(calls=1, tokens_in=100, tokens_out=20, cost=0.5)
    settled = await runtime.ledger.reserve(request, usage)
    await runtime.ledger.settle(settled, usage, "ok", 0.1)
    await runtime.ledger.reserve(request, usage)
    (cost,) = (await api.get("/v1/costs")).json()["costs"]
    month = runtime.engine.clock().strftime("%Y-%m-01")
    assert ("clusters", month, 2, 1.0) == (cost["policy"], cost["month"], cost["calls"], cost["cost"])
    assert (cost["tokens_in"], cost["tokens_out"]) == (100, 20)


async def test_clusters_are_listed_with_what_tuning_acts_upon(
    api: httpx.AsyncClient, coffee: Rows, summary_id: str
) -> None:
    """By key in any spelling; each with size, churn, sparseness and last refresh; an unknown filter is refused."""
    (cluster,) = (await api.get("/v1/clusters", params={"key": "Coffees", "user_id": "ana"})).json()["clusters"]
    assert ("coffee", 3, False, 1, summary_id, False) == tuple(
        cluster[name] for name in ("extracted_key", "size", "sparse", "churn", "summary_id", "stale")
    )
    assert cluster["last_refresh"] == (await api.get(f"/v1/summaries/{summary_id}")).json()["updated_at"]
    assert [] == (await api.get("/v1/clusters", params={"sparse": "true"})).json()["clusters"]
    assert 422 == (await api.get("/v1/clusters", params={"size": 3})).status_code


async def test_the_stamp_of_the_embedder_is_on_rows_and_summaries(
    api: httpx.AsyncClient, runtime: Runtime, coffee: Rows, summary_id: str
) -> None:
    """One and the same, since one pipeline reads both."""
    for path in (f"/v1/memories/{coffee[0]['id']}", f"/v1/memories/{summary_id}", f"/v1/summaries/{summary_id}"):
        assert runtime.engine.embedder.version == (await api.get(path)).json()["embedding_version"]
