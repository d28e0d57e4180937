"""Working memory of the wire: over HTTP as its clients expect it, and by its published client."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from agent_memory_client import MemoryAPIClient, MemoryClientConfig
from agent_memory_client.models import ClientMemoryRecord, MemoryMessage, WorkingMemory

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
ROOT = "/v1/working-memory"
START = datetime(2026, 1, 5, 9, tzinfo=UTC)


THINGS = """violin canoe lantern bakery meadow compass sweater garden bicycle telescope kitchen ladder museum orchard
    piano harbor saddle notebook chimney mirror blanket castle ferry hammock kettle lighthouse mandolin observatory
    pottery quilt""".split()


def said(number: int, *, words: int = 8) -> Body:
    """A message of about so many words, on a subject of its own."""
    thing = THINGS[(number - 1) % len(THINGS)]
    text = f"The {thing} of her aunt needs repair" + f" because rain came into the {thing}" * (words // 8 - 1) + "."
    at = (START + timedelta(minutes=number)).isoformat()
    return {"id": f"m{number}", "role": ("assistant", "user")[number % 2], "content": text, "created_at": at}


async def put(api: httpx.AsyncClient, session: str, messages: list[Body], **how: Any) -> httpx.Response:
    """Write a session."""
    params, headers = how.pop("params", {}), how.pop("headers", {})
    return await api.put(f"{ROOT}/{session}", json={"messages": messages} | how, params=params, headers=headers)


async def got(api: httpx.AsyncClient, session: str, **params: Any) -> Body:
    """Read a session that is there."""
    answer = await api.get(f"{ROOT}/{session}", params=params)
    assert answer.status_code == 200, answer.text
    found: Body = answer.json()
    return found


def ids(body: Body) -> list[str]:
    """Which messages are in an answer."""
    return [one["id"] for one in body["messages"]]


async def test_a_session_comes_back_whole(api: httpx.AsyncClient) -> None:
    """Messages in order with their fields, data, strategy, and the figures."""
    strategy = {"strategy": "preferences", "config": {"top": 3}}
    answer = await put(
        api, "s1", [said(1), said(2)], user_id="ana", namespace="app", data={"step": 2}, ttl_seconds=3600,
        long_term_memory_strategy=strategy,
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    body = await got(api, "s1")
    assert ["m1", "m2"] == ids(body)
    assert (body["messages"][0]["role"], body["messages"][0]["content"]) == (
        "user",
        "The violin of her aunt needs repair.",
    )
    assert datetime.fromisoformat(body["messages"][0]["created_at"]) == START + timedelta(minutes=1)
    assert (body["data"], body["ttl_seconds"], body["long_term_memory_strategy"]) == ({"step": 2}, 3600, strategy)
    assert (body["user_id"], body["namespace"], body["context"]) == ("ana", "app", None)
    assert body["tokens"] > 0
    assert (body["context_percentage_total_used"], body["context_percentage_until_summarization"]) == (None, None)


async def test_a_missing_session_is_a_404_with_its_words(api: httpx.AsyncClient) -> None:
    """The client makes an empty one of it."""
    answer = await api.get(f"{ROOT}/nowhere")
    assert (404, {"detail": "Session nowhere not found"}) == (answer.status_code, answer.json())
    assert (await api.delete(f"{ROOT}/nowhere")).json() == {"status": "ok"}


async def test_a_name_is_resolved_when_it_is_the_only_one(api: httpx.AsyncClient) -> None:
    """Two users may have a session of one name; then the user must be told."""
    await put(api, "s1", [said(1)], user_id="ana")
    assert (await got(api, "s1"))["user_id"] == "ana"
    await put(api, "s1", [said(2)], user_id="ben")
    assert (await api.get(f"{ROOT}/s1")).status_code == 404
    assert ["m2"] == ids(await got(api, "s1", user_id="ben"))
    assert ["m1"] == ids(await got(api, "s1", user_id="ana"))
    await api.delete(f"{ROOT}/s1", params={"user_id": "ben"})
    assert ["m1"] == ids(await got(api, "s1"))


async def test_a_session_reads_as_it_was_written(api: httpx.AsyncClient) -> None:
    """What the body leaves out leaves the session, its order is the session's, and a changed text replaces the old."""
    await put(api, "s1", [said(1), said(2), said(3)])
    body = (await put(api, "s1", [said(3), said(4), said(1) | {"content": "Box 1 is empty."}])).json()
    assert ["m3", "m4", "m1"] == ids(body)
    assert "Box 1 is empty." == body["messages"][2]["content"]
    assert ["m3", "m4", "m1"] == ids(await got(api, "s1"))
    assert [] == ids((await put(api, "s1", [])).json())
    assert ["m2"] == ids((await put(api, "s1", [said(2)])).json())


async def test_who_saw_an_older_session_changes_nothing(api: httpx.AsyncClient) -> None:
    """412 for the tag of another state, and nothing of the body is there: no message, no data, no memory."""
    await put(api, "s1", [said(1), said(2), said(3)], data={"step": 1})
    tag = (await api.get(f"{ROOT}/s1")).headers["ETag"]
    answer = await put(api, "s1", [said(1), said(3)], data={"step": 2}, headers={"If-Match": tag})
    assert ["m1", "m3"] == ids(answer.json())
    memory = {"id": "k9", "text": "Ana collects stamps of Iceland."}
    for session, header in (("s1", tag), ("s2", tag)):
        late = await put(api, session, [said(4)], data={"step": 9}, memories=[memory], headers={"If-Match": header})
        assert late.status_code == 412
    body = await got(api, "s1")
    assert (["m1", "m3"], {"step": 2}, []) == (ids(body), body["data"], body["memories"])
    assert (await api.get("/v1/long-term-memory/k9")).status_code == 404
    assert (await api.get(f"{ROOT}/s2")).status_code == 404


async def test_over_the_share_of_the_window_the_oldest_are_summarized(api: httpx.AsyncClient) -> None:
    """The answer is what is left: the newest messages last, the others in ``context``; they are not deleted."""
    messages = [said(n) for n in range(1, 31)]
    answer = await put(api, "s1", messages, params={"context_window_max": 400})
    body = answer.json()
    assert body["covered_count"] + len(body["messages"]) == 30
    assert body["messages"][-1]["id"] == "m30"
    assert "violin" in body["context"]
    assert 0 < body["context_percentage_total_used"] <= 100
    assert body["title"]
    again = await put(api, "s1", messages, context=body["context"], params={"context_window_max": 400})
    assert again.json()["covered_count"] >= body["covered_count"]
    kept = (await api.get("/v1/conversations/s1/messages", params={"limit": 100})).json()["messages"]
    assert [f"m{n}" for n in range(1, 31)] == [one["id"] for one in kept]


async def test_the_number_of_messages_alone_is_no_reason(api: httpx.AsyncClient) -> None:
    """Fifty short messages are fewer than 4000 tokens; longer ones are not."""
    body = (await put(api, "s1", [said(n) for n in range(1, 51)])).json()
    assert (body["covered_count"], len(body["messages"])) == (0, 50)
    body = (await put(api, "s2", [said(n, words=200) for n in range(1, 51)])).json()
    assert body["covered_count"] + len(body["messages"]) == 50
    # As many of the newest stay as fit half of the limit, and not one less.
    stored = (await api.get("/v1/conversations/s2/messages", params={"limit": 50})).json()["messages"]
    kept = sum(one["tokens"] for one in stored[-len(body["messages"]) :])
    assert kept <= 2000 < kept + stored[-len(body["messages"]) - 1]["tokens"]


async def test_a_context_from_elsewhere_is_taken_over(api: httpx.AsyncClient) -> None:
    """A session that moves in brings its summary, which can be read, replaced and left out like a message."""
    body = (await put(api, "s1", [said(1)], context="Ana moved to Lisbon in March.")).json()
    assert (body["context"], ids(body)) == ("Ana moved to Lisbon in March.", ["m1"])
    body = (await put(api, "s1", [said(1), said(2)], context=body["context"])).json()
    assert (body["context"], ids(body)) == ("Ana moved to Lisbon in March.", ["m1", "m2"])
    body = (await put(api, "s1", [said(1)], context="Ana moved to Porto in May.")).json()
    assert (body["context"], ids(body)) == ("Ana moved to Porto in May.", ["m1"])
    assert (await put(api, "s1", [said(1)])).json()["context"] is None
    assert (await put(api, "s1", [said(1)], context="Ana moved on.")).json()["context"] == "Ana moved on."


async def test_an_echo_of_our_own_summary_is_no_context(api: httpx.AsyncClient) -> None:
    """Nor is an older one, which may say what a person forgot since."""
    messages = [said(n) for n in range(1, 31)]
    first = (await put(api, "s1", messages, params={"context_window_max": 400})).json()
    assert "violin" in first["context"]
    violin = next(
        one for one in (await api.get("/v1/conversations/s1/messages")).json()["messages"] if one["id"] == "m1"
    )
    assert (await api.delete(f"/v1/memories/{violin['memory_id']}")).status_code == 200
    later = (await put(api, "s1", messages[-3:], context=first["context"], params={"context_window_max": 400})).json()
    assert "violin" not in (later["context"] or "")
    assert ["m28", "m29", "m30"] == ids(later)


async def test_structured_memories_are_long_term_memories(api: httpx.AsyncClient) -> None:
    """They are answered with the session, found by search, and stay when it goes."""
    memory = {"id": "k1", "text": "Ana drinks green tea."}
    body = (await put(api, "s1", [], memories=[memory], user_id="ana")).json()
    assert ["k1"] == [one["id"] for one in body["memories"]]
    assert body["memories"][0]["session_id"] == "s1"
    await api.delete(f"{ROOT}/s1")
    assert (await api.get("/v1/long-term-memory/k1")).json()["text"] == "Ana drinks green tea."


async def test_messages_are_found_in_long_term_memory(api: httpx.AsyncClient) -> None:
    """By their type and session, and over /v1."""
    written = await put(api, "s1", [said(1)], user_id="ana")
    (message,) = written.json()["messages"]
    search = {"text": "violin of her aunt", "memory_type": {"eq": "message"}, "session_id": {"eq": "s1"}}
    found = (await api.post("/v1/long-term-memory/search", json=search)).json()
    assert [message["memory_id"]] == [row["id"] for row in found["memories"]]
    found = (await api.post("/v1/recall", json={"query": "violin of her aunt"})).json()
    assert [message["memory_id"]] == [row["memory"]["id"] for row in found["results"]]


async def test_deleting_a_session_forgets_it(api: httpx.AsyncClient, app: App) -> None:
    """Messages, summary and title."""
    await put(api, "s1", [said(n) for n in range(1, 31)], params={"context_window_max": 400})
    assert (await app.memories.list()).rows
    assert (await api.delete(f"{ROOT}/s1")).json() == {"status": "ok"}
    assert (await api.get(f"{ROOT}/s1")).status_code == 404
    assert (await app.memories.list()).rows == ()


async def test_reading_with_a_window_leaves_out_the_oldest(api: httpx.AsyncClient) -> None:
    """In the answer only."""
    await put(api, "s1", [said(n) for n in range(1, 21)])
    assert ids(await got(api, "s1", context_window_max=100))[-1] == "m20"
    assert len(ids(await got(api, "s1", context_window_max=100))) < 20
    assert ["m19", "m20"] == ids(await got(api, "s1", recent_messages_limit=2))
    assert len(ids(await got(api, "s1"))) == 20
    known = await got(api, "s1", model_name="gpt-4o")
    assert 0 < known["context_percentage_total_used"] < 1


async def test_sessions_are_listed(api: httpx.AsyncClient) -> None:
    """By user and namespace, in pages, with the true total."""
    for number in range(3):
        await put(api, f"s{number}", [said(1)], user_id="ana", namespace="app")
    await put(api, "other", [said(1)], user_id="ben")
    assert (await api.get(f"{ROOT}/")).json()["total"] == 4
    page = (await api.get(f"{ROOT}/", params={"user_id": "ana", "limit": 2})).json()
    assert (page["sessions"], page["total"]) == (["s2", "s1"], 3)
    page = (await api.get(f"{ROOT}/", params={"namespace": "app", "limit": 2, "offset": 2})).json()
    assert (page["sessions"], page["total"]) == (["s0"], 3)
    assert (await api.get(f"{ROOT}/", params={"limit": 0})).status_code == 422


async def test_what_is_wrong_is_said_as_the_client_expects(api: httpx.AsyncClient) -> None:
    """Statuses and details of the wire."""
    answer = await put(api, "s1", [said(1) | {"content": " "}])
    assert (400, {"detail": "Message content cannot be empty (message ID: m1)"}) == (answer.status_code, answer.json())
    late = (datetime.now(UTC) + timedelta(minutes=10)).isoformat()
    assert (await put(api, "s1", [said(1) | {"created_at": late}])).status_code == 422
    assert (await put(api, "s1", [said(1)], params={"model_name": "nobody-knows-it"})).status_code == 422
    assert (await put(api, "s1", [], memories=[{"text": "No id."}])).status_code == 422
    undated = {"role": "user", "content": "Hello"}
    answer = await put(api, "s1", [undated])
    assert (answer.status_code, "X-Deprecation-Warning" in answer.headers) == (200, True)


# The client calls its own deprecated method.
@pytest.mark.filterwarnings("ignore:get_working_memory is deprecated:DeprecationWarning")
async def test_the_published_client(url: str, key: str) -> None:
    """Get or create, append, set data, delete: with a base URL alone."""
    async with MemoryAPIClient(MemoryClientConfig(base_url=f"{url}/t/{key}", default_namespace="app")) as client:
        created, session = await client.get_or_create_working_memory("talk", user_id="ana")
        assert (created, session.messages) == (True, [])
        for number in range(1, 4):
            message = MemoryMessage(role="user", content=f"Box {number} holds {number * 7} apples.")
            await client.append_messages_to_working_memory("talk", [message], user_id="ana")
        await client.set_working_memory_data("talk", {"step": 3})
        memory = ClientMemoryRecord(text="Ana counts apples.", user_id="ana")
        await client.add_memories_to_working_memory("talk", [memory])
        created, session = await client.get_or_create_working_memory("talk", user_id="ana")
        assert (created, session.data) == (False, {"step": 3})
        assert [f"Box {n} holds {n * 7} apples." for n in range(1, 4)] == [one.content for one in session.messages]
        assert ["Ana counts apples."] == [one.text for one in session.memories]
        assert (await client.list_sessions(user_id="ana")).sessions == ["talk"]
        long = [MemoryMessage(role="user", content=said(n)["content"]) for n in range(1, 31)]
        whole = WorkingMemory(session_id="long", messages=long)
        answered = await client.put_working_memory("long", whole, context_window_max=400)
        assert answered.context
        await client.delete_working_memory("talk", user_id="ana")
        assert (await client.list_sessions(user_id="ana")).sessions == []


async def test_whoever_writes_over_anything_needs_something_there(api: httpx.AsyncClient) -> None:
    """``If-Match: *`` (RFC 9110) is any session that exists."""
    anything = {"If-Match": "*"}
    assert (await put(api, "star", [said(1)], headers=anything)).status_code == 412
    assert (await api.get(f"{ROOT}/star")).status_code == 404
    await put(api, "star", [said(1)])
    answer = await put(api, "star", [said(1), said(2)], headers=anything)
    assert (answer.status_code, ids(answer.json())) == (200, ["m1", "m2"])
