"""The memory prompt and the health of the wire over HTTP."""

from __future__ import annotations

import httpx
import pytest
from wire_rooms import TEXTS, Body, create, record, three

from precis.app import App
from precis.bootstrap import Runtime

pytestmark = pytest.mark.asyncio(loop_scope="session")


# --- the prompt ---


async def test_a_prompt_of_what_is_remembered(api: httpx.AsyncClient) -> None:
    """The memories as a system message, then the question; the rows come along."""
    await three(api)
    body = {"query": "What does Ana drink?", "long_term_search": {"limit": 1, "user_id": {"eq": "ana"}}}
    answer = (await api.post("/v1/memory/prompt", json=body)).json()
    memories = f"## Long term memories related to the user's query\n - {TEXTS['tea']} (ID: tea)"
    assert [("system", memories), ("user", "What does Ana drink?")] == said(answer)
    assert ["tea"] == [one["id"] for one in answer["long_term_memories"]]
    assert {"type": "text", "text": memories} == answer["messages"][0]["content"]


async def test_a_prompt_without_memories_says_so(api: httpx.AsyncClient) -> None:
    """And has null for the rows."""
    answer = (await api.post("/v1/memory/prompt", json={"query": "Who?", "long_term_search": True})).json()
    none = "## Long term memories related to the user's query\n No relevant long-term memories found."
    assert [("system", none), ("user", "Who?")] == said(answer)
    assert answer["long_term_memories"] is None


async def test_a_prompt_needs_somewhere_to_look(api: httpx.AsyncClient) -> None:
    """400 in the words of the original; a session nobody has begun is no error."""
    for body in ({"query": "Who?"}, {"query": "Who?", "long_term_search": False}):
        answer = await api.post("/v1/memory/prompt", json=body)
        expected = {"detail": "Either session or long_term_search must be provided"}
        assert (400, expected) == (answer.status_code, answer.json())
    answer = await api.post("/v1/memory/prompt", json={"query": "Who?", "session": {"session_id": "none"}})
    assert (200, [("user", "Who?")]) == (answer.status_code, said(answer.json()))


async def test_a_prompt_of_a_session(api: httpx.AsyncClient, app: App) -> None:
    """What was said in it comes before what is remembered; ``true`` looks at the user's other memories only."""
    turn = [{"role": "user", "content": "I like tea."}, {"role": "assistant", "content": "Noted."}]
    await app.conversations.turn("s1", turn, user_id="ana")
    await create(api, record("tea"), record("here", "Ana is in session one", session_id="s1"))
    await create(api, record("ben", "Ben likes green tea", user_id="ben"))
    session = {"session_id": "s1", "user_id": "ana", "context_window_max": "4000", "model_name": "any"}
    body = {"query": "What do I drink?", "session": session, "long_term_search": True}
    answer = (await api.post("/v1/memory/prompt", json=body)).json()
    assert ["user", "assistant", "system", "user"] == [role for role, _ in said(answer)]
    assert ["I like tea.", "Noted."] == [text for _, text in said(answer)][:2]
    assert ["tea"] == [one["id"] for one in answer["long_term_memories"]]
    body["long_term_search"] = {}
    answer = (await api.post("/v1/memory/prompt", json=body)).json()
    assert {"ana"} == {one["user_id"] for one in answer["long_term_memories"]}


def said(answer: Body) -> list[tuple[str, str]]:
    """Role and text of each message."""
    return [(one["role"], one["content"]["text"]) for one in answer["messages"]]


# --- health ---


async def test_health_is_open(url: str, runtime: Runtime) -> None:
    """The time in milliseconds, for anybody."""
    async with httpx.AsyncClient(base_url=url) as anybody:
        answer = await anybody.get("/v1/health")
    assert 200 == answer.status_code
    now = runtime.engine.clock().timestamp() * 1000
    assert now - 60_000 < answer.json()["now"] <= now
