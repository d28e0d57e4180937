"""S2.2: views are made, read and deleted over HTTP; one group runs at once, all of them as a task that is polled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from view_steps import notes, tell

from precis.app import App
from precis.bootstrap import Runtime
from precis.rest.server import listening

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: The document's own example.
EXAMPLE = {
    "name": "ltm_by_user_30d", "source": "long_term", "group_by": ["user_id"],
    "filters": {"memory_type": "semantic"}, "time_window_days": 30, "continuous": False,
    "prompt": "Summarize key facts and preferences for this user.", "model_name": "gpt-4o-mini",
}  # fmt: skip


@pytest_asyncio.fixture(loop_scope="session")
async def api(runtime: Runtime, tenant: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the test's tenant."""
    key = await runtime.store.tenants.create_key(tenant, name="test", now=runtime.engine.clock())
    async with listening(runtime) as url, httpx.AsyncClient(base_url=f"{url}/t/{key}", timeout=60) as client:
        yield client


async def make(api: httpx.AsyncClient, **fields: Any) -> str:
    """Declare a view; answers its id."""
    answer = await api.post("/v1/summary-views", json={"source": "long_term"} | fields)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


async def polled(api: httpx.AsyncClient, task_id: str) -> dict[str, Any]:
    """The task once it has ended."""
    while True:
        task: dict[str, Any] = (await api.get(f"/v1/tasks/{task_id}")).json()
        if task["status"] in ("success", "failed"):
            return task
        await asyncio.sleep(0.05)


async def test_a_view_is_made_read_listed_and_deleted(api: httpx.AsyncClient) -> None:
    """With the document's bodies; afterwards it is unknown."""
    made = (await api.post("/v1/summary-views", json=EXAMPLE)).json()
    assert made | EXAMPLE == made
    assert made == (await api.get(f"/v1/summary-views/{made['id']}")).json()
    assert [made] == (await api.get("/v1/summary-views")).json()
    assert {"status": "ok"} == (await api.delete(f"/v1/summary-views/{made['id']}")).json()
    assert (await api.get(f"/v1/summary-views/{made['id']}")).status_code == 404
    assert (await api.get("/v1/summary-views")).json() == []


async def test_one_group_runs_at_once(api: httpx.AsyncClient, app: App) -> None:
    """The answer is the result, and it is kept."""
    await tell(app, notes())
    view = await make(api, group_by=["user_id"])
    answer = await api.post(f"/v1/summary-views/{view}/partitions/run", json={"group": {"user_id": "ben"}})
    result = answer.json()
    assert (result["view_id"], result["group"], result["memory_count"]) == (view, {"user_id": "ben"}, 3)
    assert "cello" in result["summary"]
    assert (await api.get(f"/v1/summary-views/{view}/partitions")).json() == [result]


async def test_all_groups_run_as_a_task(api: httpx.AsyncClient, app: App) -> None:
    """Pending first, success in the end, its times in order; the results are listed, by group where asked."""
    await tell(app, notes())
    view = await make(api, group_by=["user_id"])
    begun = (await api.post(f"/v1/summary-views/{view}/run", json={})).json()
    assert (begun["type"], begun["status"], begun["view_id"]) == ("summary_view_full_run", "pending", view)
    task = await polled(api, begun["id"])
    assert (task["status"], task["error_message"], task["done"], task["total"]) == ("success", None, 2, 2)
    assert task["created_at"] <= task["started_at"] <= task["completed_at"]
    listed = (await api.get(f"/v1/summary-views/{view}/partitions", params={"user_id": "ana"})).json()
    assert [one["group"] for one in listed] == [{"user_id": "ana"}]
    assert len((await api.get(f"/v1/summary-views/{view}/partitions")).json()) == 2


async def test_the_caller_may_name_the_task(api: httpx.AsyncClient, app: App) -> None:
    """And polls it under that name."""
    await tell(app, notes())
    view = await make(api)
    begun = (await api.post(f"/v1/summary-views/{view}/run", json={"task_id": "nightly-7"})).json()
    assert begun["id"] == "nightly-7"
    assert (await polled(api, "nightly-7"))["status"] == "success"


async def test_a_run_of_nothing_succeeds(api: httpx.AsyncClient) -> None:
    """A view without a memory has no partition."""
    view = await make(api, group_by=["user_id"])
    task = await polled(api, (await api.post(f"/v1/summary-views/{view}/run", json={})).json()["id"])
    assert (task["status"], task["total"]) == ("success", 0)
    assert (await api.get(f"/v1/summary-views/{view}/partitions")).json() == []


@pytest.mark.parametrize(
    ("name", "filters", "group_by", "groups"),
    [
        ("user_profile_30d", {"memory_type": "semantic"}, ["user_id"], 2),
        ("namespace_digest", {}, ["namespace"], 2),
        ("session_recap", {"memory_type": "episodic"}, ["session_id"], 1),
    ],
)
async def test_the_examples_of_the_document_run(
    api: httpx.AsyncClient, app: App, name: str, filters: dict[str, str], group_by: list[str], groups: int
) -> None:
    """Profiles of users, digests of namespaces, recaps of sessions."""
    await tell(app, notes())
    view = await make(api, name=name, filters=filters, group_by=group_by)
    await polled(api, (await api.post(f"/v1/summary-views/{view}/run", json={})).json()["id"])
    assert len((await api.get(f"/v1/summary-views/{view}/partitions")).json()) == groups
