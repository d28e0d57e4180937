"""Every endpoint, tried with another tenant's ids: nothing is told and nothing changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from page_rooms import browsing, forms

from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.page.routes import ROUTES
from precis.rest.server import build
from precis.summary import SET_ASIDE

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
Client = Callable[[str | None], AbstractAsyncContextManager[httpx.AsyncClient]]
#: What the tenant under attack remembers: enough for a summary.
COFFEE = (
    "I switched to oat milk in my coffee.",
    "My favorite coffee is a flat white from the corner cafe.",
    "I stopped drinking coffee after noon because it kept me awake.",
)
#: They answer the same to everybody, and take nothing.
OPEN = {("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/openapi.json"), ("GET", "/v1/health")}
#: A key of its own opens it, which is no tenant's: ``tests/edges/test_metrics.py``.
METRICS = {("GET", "/metrics")}
#: Its calls have a protocol of their own: ``tests/doors/test_mcp.py`` tries them as another tenant.
MCP = {("POST", "/mcp"), ("POST", "/mcp/")}
#: They have a session and forms of their own, and a test below.
PAGE = {(method, route.path_format) for route in ROUTES for method in (route.methods or set()) - {"HEAD"}}


@dataclass(frozen=True, kw_only=True)
class Victim:
    """What the tenant under attack has."""

    memory: str
    summary: str
    group: str
    #: What must never appear in an answer to somebody else.
    hidden: tuple[str, ...]
    #: A view with a result, and the task that made it.
    view: str = ""
    task: str = ""
    feedback: str = ""


@dataclass(frozen=True, kw_only=True)
class Try:
    """What a stranger asks of one endpoint, and the answer of a precis that knows nothing of the victim."""

    status: int
    query: Body | None = None
    body: Body | None = None
    #: The whole answer; None where an error of its own wording is enough.
    answer: Body | list[Body] | None = None
    headers: dict[str, str] | None = None


NO_PLAN = {"plans": [], "facts": {"conversations": 0, "messages": 0, "calls": 0, "tokens_in": 0}}


def attempts(victim: Victim) -> dict[tuple[str, str], list[Try]]:
    """For every endpoint, by method and path."""
    nothing_page: dict[str, Any] = {"memories": [], "next_cursor": None}
    query = {"query": "coffee oat milk", "limit": 100}
    return {
        ("POST", "/v1/memories"): [
            # The victim's id is free here: whose id it is elsewhere is not told.
            Try(status=201, body={"memories": [{"id": victim.memory, "text": "Mine.", "user_id": "eve"}]}),
        ],
        ("GET", "/v1/memories"): [
            Try(status=200, answer=nothing_page),
            Try(status=200, query={"user_id": "ana"}, answer=nothing_page),
            Try(status=200, query={"is_summary": "true"}, answer=nothing_page),
        ],
        ("GET", "/v1/memories/{memory_id}"): [Try(status=404)],
        ("PATCH", "/v1/memories/{memory_id}"): [Try(status=404, body={"text": "Eve was here."})],
        ("DELETE", "/v1/memories/{memory_id}"): [Try(status=404)],
        ("POST", "/v1/forget"): [Try(status=404, body={"ids": [victim.memory, victim.summary]})],
        ("GET", "/v1/users"): [Try(status=200, answer={"users": [], "next_cursor": None})],
        ("GET", "/v1/users/{user_id}"): [Try(status=404)],
        ("DELETE", "/v1/users/{user_id}"): [Try(status=404)],
        ("GET", "/v1/users/{user_id}/export"): [Try(status=404)],
        ("POST", "/v1/import"): [
            Try(status=422, body={"memory_id": victim.memory}, headers={"Content-Type": "application/x-ndjson"}),
        ],
        ("GET", "/v1/statements"): [
            Try(status=200, query={"memory_id": victim.memory}, answer={"summaries": []}),
        ],
        ("GET", "/v1/receipts"): [Try(status=200, query=more) for more in ({}, {"user_id": "ana"})],
        ("GET", "/v1/receipts/key"): [Try(status=200)],
        ("GET", "/v1/receipts/{receipt_id}"): [Try(status=404)],
        ("POST", "/v1/verify-forgotten"): [Try(status=200, body={"words": ["oat milk"]})],
        ("POST", "/v1/recall"): [
            Try(status=200, body=query | more, answer={"results": [], "unsure": True, "unknown": None})
            for more in ({}, {"user_id": "ana"}, {"summaries": "only"}, {"expand": True})
        ],
        ("POST", "/v1/context"): [
            Try(
                status=200,
                body={"query": query["query"]} | more,
                answer={
                    "text": "",
                    "tokens": 0,
                    "token_budget": 1000,
                    "lines": [],
                    "left_out": {"insights": 0, "summaries": 0, "memories": 0},
                    "already_said": 0,
                    "unsure": True,
                    "unknown": None,
                },
            )
            for more in ({}, {"user_id": "ana"})
        ],
        ("GET", "/v1/summaries"): [
            Try(status=200, query=more, answer={"summaries": [], "next_cursor": None})
            for more in ({}, {"user_id": "ana"}, {"policy": "clusters"})
        ],
        ("GET", "/v1/summaries/{summary_id}"): [Try(status=404)],
        ("GET", "/v1/summaries/{summary_id}/sources"): [Try(status=404)],
        ("GET", "/v1/summaries/{summary_id}/history"): [Try(status=404)],
        ("POST", "/v1/summaries/{summary_id}/refresh"): [Try(status=404, body={"force": True})],
        ("DELETE", "/v1/summaries/{summary_id}"): [Try(status=404)],
        ("POST", "/v1/summaries/{summary_id}/feedback"): [Try(status=404, body={"verdict": "wrong"})],
        ("POST", "/v1/summaries/{summary_id}/statements/{number}/feedback"): [
            Try(status=404, body={"verdict": "wrong"})
        ],
        ("GET", "/v1/feedback"): [Try(status=200, answer={"feedback": [], "next_cursor": None})],
        ("GET", "/v1/feedback/{feedback_id}"): [Try(status=404)],
        ("DELETE", "/v1/feedback/{feedback_id}"): [Try(status=404)],
        ("PATCH", "/v1/summaries/{summary_id}"): [Try(status=404)],
        ("GET", "/v1/plan"): [Try(status=200, query={"all": "true", "user_id": "ana"}, answer=NO_PLAN)],
        ("GET", "/v1/clusters"): [
            Try(status=200, query=more, answer={"clusters": [], "next_cursor": None})
            for more in ({}, {"user_id": "ana"}, {"key": "coffee"})
        ],
        ("GET", "/v1/clusters/stats"): [
            Try(
                status=200,
                query={"user_id": "ana"},
                answer={
                    "clusters": 0,
                    "sparse": 0,
                    "sparse_ratio": 0.0,
                    "members": 0,
                    "summaries": 0,
                    "stale": 0,
                    "failed": 0,
                    "refreshes_last_hour": {},
                    "churn": 0.0,
                    "tokens_per_summary": 0.0,
                },
            )
        ],
        ("GET", "/v1/jobs"): [
            Try(
                status=200,
                answer={
                    "counts": {"waiting": 0, "running": 0, "scheduled": 0, "retrying": 0, "rejected": 0, "failed": 0},
                    "jobs": [],
                },
            )
        ],
        ("POST", "/v1/jobs/retry"): [Try(status=200, answer={"retried": []})],
        ("POST", "/v1/jobs/{group_id}/retry"): [Try(status=404)],
        ("POST", "/v1/long-term-memory/"): [
            Try(status=200, body={"memories": [{"id": victim.memory, "text": "Mine."}]}, answer={"status": "ok"})
        ],
        ("POST", "/v1/long-term-memory/search"): [
            Try(status=200, body=more, answer={"memories": [], "total": 0, "next_offset": None})
            for more in (
                {"limit": 100, "include_summaries": True},
                {"text": "coffee oat milk", "user_id": {"eq": "ana"}},
                {"text": "coffee oat milk", "search_mode": "keyword"},
                {"text": "coffee oat milk", "search_mode": "hybrid", "user_id": {"startswith": "a"}},
            )
        ],
        ("GET", "/v1/long-term-memory/{memory_id}"): [Try(status=404)],
        ("PATCH", "/v1/long-term-memory/{memory_id}"): [Try(status=404, body={"text": "Eve was here."})],
        ("DELETE", "/v1/long-term-memory"): [
            Try(
                status=200,
                query={"memory_ids": [victim.memory, victim.summary]},
                answer={"status": "ok, deleted 0 memories"},
            )
        ],
        ("POST", "/v1/long-term-memory/forget"): [
            Try(
                status=200,
                query={"dry_run": "false", "user_id": "ana"},
                body={"policy": {"budget": 0}},
                answer={"scanned": 0, "deleted": 0, "deleted_ids": [], "dry_run": False},
            )
        ],
        ("POST", "/v1/long-term-memory/compact"): [
            Try(status=200, answer={"status": "ok, 0 memories remaining after compaction"})
        ],
        ("POST", "/v1/memory/prompt"): [
            Try(status=200, body={"query": "coffee", "session": {"session_id": "s1"}, "long_term_search": True})
        ],
        ("POST", "/v1/summary-views"): [Try(status=200, body={"source": "long_term", "group_by": ["user_id"]})],
        ("GET", "/v1/summary-views"): [Try(status=200)],
        ("GET", "/v1/summary-views/{view_id}"): [Try(status=404)],
        ("PATCH", "/v1/summary-views/{view_id}"): [Try(status=404, body={"filters": {}, "continuous": True})],
        ("DELETE", "/v1/summary-views/{view_id}"): [Try(status=200, answer={"status": "ok"})],
        ("GET", "/v1/summary-views/{view_id}/plan"): [Try(status=404)],
        ("GET", "/v1/summary-views/{view_id}/partitions"): [
            Try(status=404, query=more) for more in ({}, {"user_id": "ana"})
        ],
        ("POST", "/v1/summary-views/{view_id}/partitions/run"): [Try(status=404, body={"group": {"user_id": "ana"}})],
        ("POST", "/v1/summary-views/{view_id}/run"): [Try(status=404, body={"force": True, "task_id": victim.task})],
        ("GET", "/v1/tasks/{task_id}"): [Try(status=404)],
        ("POST", "/v1/summarize"): [Try(status=200, body={"texts": ["Eve likes tea.", "Eve likes green tea."]})],
        ("POST", "/v1/check"): [
            Try(status=200, body={"summary": "Eve likes tea.", "sources": ["Eve likes tea in the morning."]})
        ],
        ("POST", "/memory/summarize"): [
            Try(
                status=200,
                answer={
                    "batches": 0,
                    "memories": 0,
                    "deletions": 0,
                    "waiting": 0,
                    "left_out": 0,
                    "failed": 0,
                    "next_run": None,
                    "counts": {
                        "total": 0,
                        "read": 0,
                        "represented": 0,
                        "set_aside": dict.fromkeys(SET_ASIDE, 0),
                        "left_out": 0,
                        "capped": 0,
                    },
                },
            ),
            Try(
                status=200,
                body={"userId": "ana", "period": "weekly"},
                answer={"summaryId": None, "period": "weekly", "notesConsolidated": 0, "status": "empty"},
            ),
        ],
        ("GET", "/memory/summarize"): [Try(status=200)],
        ("GET", "/memory/summaries"): [
            Try(status=200, query={"period": period, "userId": "ana"}, answer=[])
            for period in ("daily", "weekly", "monthly")
        ],
        ("GET", "/v1/costs"): [Try(status=200, answer={"costs": [], "monthly_ceiling": None})],
        ("GET", "/v1/conversations"): [
            Try(status=200, query=more, answer={"conversations": [], "addresses": [], "total": 0})
            for more in ({}, {"user_id": "ana"})
        ],
        ("POST", "/v1/conversations/{session_id}/turns"): [
            # A conversation of that name is the stranger's own.
            Try(status=201, body={"user_id": "ana", "messages": [{"role": "user", "content": "Mine."}]}),
        ],
        ("GET", "/v1/conversations/{session_id}/context"): [
            Try(status=404),
            Try(status=404, query={"user_id": "ana"}),
        ],
        ("GET", "/v1/conversations/{session_id}/messages"): [Try(status=404)],
        ("DELETE", "/v1/conversations/{session_id}"): [Try(status=404)],
        ("GET", "/v1/working-memory"): [Try(status=307)],
        ("GET", "/v1/working-memory/"): [Try(status=200, answer={"sessions": [], "total": 0})],
        ("GET", "/v1/working-memory/{session_id}"): [Try(status=404), Try(status=404, query={"user_id": "ana"})],
        ("PUT", "/v1/working-memory/{session_id}"): [
            Try(status=200, body={"messages": [{"role": "user", "content": "Mine."}], "user_id": "ana"}),
        ],
        ("DELETE", "/v1/working-memory/{session_id}"): [Try(status=200, answer={"status": "ok"})],
    }


def served(routes: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Every method and path of an API, also those that its OpenAPI document leaves out."""
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from served(included.routes)
        else:
            yield from ((method, getattr(route, "path_format", route.path)) for method in route.methods - {"HEAD"})


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def api(runtime: Runtime, client: Client) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the server as the tenant under attack: one for all tests, since none of them changes anything of it."""
    secret = await runtime.store.tenants.create_key(f"t-{new_id()}", name="victim", now=runtime.engine.clock())
    async with client(secret) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def victim(api: httpx.AsyncClient) -> Victim:
    """Three memories, their summary and its group."""
    coffee = [
        {"id": new_id(), "text": text, "user_id": "ana", "type": "preference", "key": "coffee"} for text in COFFEE
    ]
    written = (await api.post("/v1/memories", json={"memories": coffee})).json()
    group = written["memories"][0]["group_id"]
    body = {"source": "long_term", "name": "Ana's espresso habits", "group_by": ["user_id"]}
    view = (await api.post("/v1/summary-views", json=body)).json()["id"]
    task = (await api.post(f"/v1/summary-views/{view}/run", json={"task_id": "ana-nightly"})).json()["id"]
    while (await api.get(f"/v1/tasks/{task}")).json()["status"] != "success":
        await asyncio.sleep(0.02)
    talk = {"user_id": "ana", "messages": [{"role": "user", "content": "My grinder is called Gloria."}]}
    assert (await api.post("/v1/conversations/ana-talk/turns", json=talk)).status_code == 201
    said = {"verdict": "good", "note": "Gloria it is."}
    feedback = (await api.post(f"/v1/summaries/{written['summaries'][0]}/feedback", json=said)).json()["feedback"]
    return Victim(
        feedback=feedback["id"],
        memory=coffee[0]["id"],
        summary=written["summaries"][0],
        group=group,
        hidden=(group, coffee[1]["id"], "oat milk", "flat white", "after noon", "espresso habits", "Gloria"),
        view=view,
        task=task,
    )


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def before(api: httpx.AsyncClient, victim: Victim) -> list[Any]:
    """All of it before the first stranger came; it is the same after each of them."""
    assert victim
    return await _everything(api)


async def _everything(api: httpx.AsyncClient) -> list[Any]:
    """All that the tenant can read of itself."""
    paths = (
        "/v1/memories", "/v1/summaries", "/v1/plan?all=true", "/v1/clusters/stats", "/v1/costs", "/v1/conversations",
        "/v1/clusters", "/v1/feedback",
        "/v1/conversations/ana-talk/context",
    )  # fmt: skip
    views = (await api.get("/v1/summary-views")).json()
    results = [(await api.get(f"/v1/summary-views/{view['id']}/partitions")).json() for view in views]
    return [*[(await api.get(path)).json() for path in paths], views, results]


async def test_every_endpoint_is_tried(runtime: Runtime) -> None:
    """A new endpoint without a case here fails."""
    nobody = Victim(memory="", summary="", group="", hidden=())
    assert set(attempts(nobody)) | OPEN | METRICS | MCP | PAGE == set(served(build(runtime).routes))


@pytest.mark.parametrize("endpoint", sorted(attempts(Victim(memory="", summary="", group="", hidden=()))), ids=" ".join)
async def test_another_tenants_ids_open_nothing(
    api: httpx.AsyncClient,
    stranger: httpx.AsyncClient,
    victim: Victim,
    before: list[Any],
    endpoint: tuple[str, str],
) -> None:
    """The stranger is answered as if the victim did not exist, and the victim notices nothing."""
    method, template = endpoint
    for asked in attempts(victim)[endpoint]:
        for id_ in (victim.memory, victim.summary, victim.group) if "_id}" in template else ("",):
            path = template.format(
                memory_id=id_, summary_id=id_, group_id=id_, user_id="ana", view_id=victim.view, task_id=victim.task,
                session_id="ana-talk", number=0, feedback_id=victim.feedback,
                    receipt_id=id_,
            )  # fmt: skip
            answer = await stranger.request(method, path, params=asked.query, json=asked.body, headers=asked.headers)
            assert answer.status_code == asked.status, (path, answer.text)
            if asked.answer is not None:
                assert asked.answer == answer.json()
            for hidden in victim.hidden:
                # An error may repeat the id that was asked for, nothing else.
                assert hidden == id_ or hidden not in answer.text
    assert before == await _everything(api)


async def test_no_part_of_the_page_shows_or_changes_anything_of_another_tenant(
    api: httpx.AsyncClient, url: str, runtime: Runtime, victim: Victim, before: list[Any]
) -> None:
    """Every part is asked for with the ids of the victim, by a stranger who is signed in."""
    secret = await runtime.store.tenants.create_key(f"t-{new_id()}", name="other", now=runtime.engine.clock())
    common = {
        "user": "ana", "again": "ana", "q": "coffee oat milk", "what": "everything about coffee", "words": "coffee",
        "task": victim.task, "feedback": victim.feedback, "group": victim.group, "verdict": "wrong", "statement": "0",
        "preview": victim.view, "name": "mine", "zone": "UTC", "sure": "yes", "key": "0" * 16,
    }  # fmt: skip
    async with browsing(url, secret) as stranger:
        token = forms((await stranger.get("/page/")).text)["/page/sign-out"]["csrf"]
        for method, path in sorted(PAGE - {("POST", "/page/sign-out"), ("POST", "/page/sign-in")}):
            id_ = victim.view if "view" in path else victim.summary if "summary" in path else victim.memory
            fields = common | {"id": id_, "csrf": token}
            answer = await stranger.request(
                method, path, params=fields if method == "GET" else None, data=fields if method == "POST" else None
            )
            assert answer.status_code < 500, (path, answer.text)
            for hidden in set(victim.hidden) - {victim.group, "oat milk"}:
                assert hidden not in answer.text, path
    assert before == await _everything(api)


async def test_forgetting_a_user_of_the_same_name_leaves_the_victims_key(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient, victim: Victim
) -> None:
    """Two tenants may both have an Ana; only the own one goes, and the other's texts still open."""
    mine = {"id": "mine", "text": "I like tea.", "user_id": "ana"}
    await stranger.post("/v1/memories", json={"memories": [mine]})
    assert (await stranger.delete("/v1/users/ana")).json()["forgotten"] == ["mine"]
    assert "oat milk" in (await api.get(f"/v1/memories/{victim.memory}")).json()["text"]


async def test_one_id_may_exist_in_two_tenants(
    api: httpx.AsyncClient, stranger: httpx.AsyncClient, victim: Victim
) -> None:
    """Each reads, edits and forgets its own."""
    theirs = {"id": victim.memory, "text": "I like tea.", "user_id": "ana"}
    assert (await stranger.post("/v1/memories", json={"memories": [theirs]})).status_code == 201
    path = f"/v1/memories/{victim.memory}"
    assert (await stranger.get(path)).json()["text"] == "I like tea."
    assert (await stranger.patch(path, json={"text": "I like cocoa."})).status_code == 200
    assert (await stranger.delete(path)).status_code == 200
    assert "oat milk" in (await api.get(path)).json()["text"]
