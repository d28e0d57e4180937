"""What was forgotten in words is gone at every door that reads: each is asked before, when many tell it, and after."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import product
from typing import Any

import httpx
import pytest
from page_rooms import browsing

from precis.page.routes import ROUTES

pytestmark = pytest.mark.asyncio(loop_scope="session")
NAME = "Zyxqvort"
TELLING = (
    f"Torvald {NAME} called me about the canoe.", f"Torvald {NAME} is allergic to walnuts.",
    f"Torvald {NAME} lives in Kalmar, and Ulrike lives in Ystad.", f"Torvald {NAME} moved to Lund.",
)  # fmt: skip
OTHERS = ("Ulrike has a grey horse.", "I bake bread every Saturday.")
#: What is asked with a body, and how.
SEARCHES: Sequence[tuple[str, dict[str, Any]]] = (
    ("/v1/recall", {"query": f"Torvald {NAME}", "user_id": "ana", "limit": 50}),
    ("/v1/recall", {"query": "canoe", "user_id": "ana", "summaries": "only", "expand": True}),
    ("/v1/context", {"query": "Torvald canoe", "user_id": "ana"}),
    ("/v1/long-term-memory/search", {"text": f"Torvald {NAME}", "user_id": {"eq": "ana"}}),
    ("/v1/memory/prompt", {
        "query": "Torvald", "session": {"session_id": "w1", "user_id": "ana", "model_name": "gpt-4o"},
        "long_term_search": {"text": "Torvald"},
    }),
)  # fmt: skip


async def test_nothing_of_it_is_left_at_any_door(api: httpx.AsyncClient, url: str, key: str) -> None:
    """REST, the wire and the page; of memories, summaries with their history, a view, conversations and an export."""
    view = await tell_everywhere(api)
    before = [place async for place in telling(api, url, key, await ids_of(api, view))]
    asked = await api.post("/v1/forget", json={"user_id": "ana", "what": f"everything about Torvald {NAME}"})
    receipt = await api.post("/v1/forget", json={"preview_id": asked.json()["preview_id"], "include_doubtful": True})
    assert receipt.status_code == 200, receipt.text
    after = [place async for place in telling(api, url, key, await ids_of(api, view))]
    assert [] == after
    for door in (
        "GET /v1/memories", "GET /v1/memories/{memory_id}", "GET /v1/users/{user_id}/export", "GET /v1/summaries",
        "GET /v1/summaries/{summary_id}/history", "GET /v1/conversations/{session_id}/messages",
        "GET /v1/working-memory/{session_id}", "GET /v1/summary-views/{view_id}/partitions", "POST /v1/recall",
        "POST /v1/context", "POST /v1/long-term-memory/search", "POST /v1/memory/prompt", "GET /page/person",
        "GET /page/search", "GET /page/context", "GET /page/memory", "GET /page/summary",
    ):  # fmt: skip
        assert door in before, sorted(set(before))
    assert "Ulrike lives in Ystad." in (await api.get("/v1/memories", params={"user_id": "ana"})).text


async def tell_everywhere(api: httpx.AsyncClient) -> str:
    """Notes in a week that is summarized, a view, working memory and a conversation; answers the view's id."""
    note = {"user_id": "ana", "memory_type": "episodic", "metadata": {"kind": "note"}}
    days = [f"2026-02-{16 + at}T10:00:00Z" for at in range(len(TELLING + OTHERS))]
    rows = [
        note | {"id": f"m{at}", "text": text, "created_at": day}
        for at, (text, day) in enumerate(zip(TELLING + OTHERS, days, strict=True))
    ]
    assert (await api.post("/v1/memories", json={"memories": rows})).status_code == 201
    written = f"Torvald {NAME} wrote that the paddles are his."
    working = {"user_id": "ana", "messages": [{"role": "user", "content": written}]}
    assert (await api.put("/v1/working-memory/w1", json=working)).status_code == 200
    turn = {"user_id": "ana", "messages": [{"role": "user", "content": f"I met Torvald {NAME} at the harbor."}]}
    assert (await api.post("/v1/conversations/c1/turns", json=turn)).status_code == 201
    fields = {"name": "people", "source": "long_term", "group_by": ["user_id"]}
    view = (await api.post("/v1/summary-views", json=fields)).json()["id"]
    await api.post(f"/v1/summary-views/{view}/partitions/run", json={"group": {"user_id": "ana"}})
    return str(view)


async def ids_of(api: httpx.AsyncClient, view: str) -> Mapping[str, Sequence[str]]:
    """What stands for each name in the path of a route; summaries as they are now."""
    summaries = (await api.get("/v1/summaries", params={"limit": 100})).json()["summaries"]
    return {
        "memory_id": ["m0", "m2"], "summary_id": [summary["id"] for summary in summaries],
        "session_id": ["w1", "c1"], "user_id": ["ana"], "view_id": [view],
    }  # fmt: skip


async def telling(api: httpx.AsyncClient, url: str, key: str, ids: Mapping[str, Sequence[str]]) -> AsyncIterator[str]:
    """The doors that tell the name, one by one."""
    paths = (await api.get("/openapi.json")).json()["paths"]
    for path in (path for path, calls in paths.items() if "get" in calls and path != "/openapi.json"):
        names = [piece.partition("}")[0] for piece in path.split("{")[1:]]
        for values in product(*(ids.get(name, ()) for name in names)):
            answer = await api.get(path.format(**dict(zip(names, values, strict=True))))
            if NAME in answer.text:
                yield f"GET {path}"
    for path, body in SEARCHES:
        # The question comes back in none of them.
        if NAME in (await api.post(path, json=body)).text:
            yield f"POST {path}"
    async with browsing(url, key) as browser:
        for route in (route for route in ROUTES if "GET" in (route.methods or ())):
            if "{" in route.path:
                continue
            for some in (*ids["memory_id"], *ids["summary_id"]):
                answer = await browser.get(route.path, params={"user": "ana", "id": some, "q": "canoe"})
                if NAME in answer.text:
                    yield f"GET {route.path}"
