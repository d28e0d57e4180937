"""Conversations over HTTP: turns, contexts, originals."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
ROOT = "/v1/conversations"
THINGS = """violin canoe lantern bakery meadow compass sweater garden bicycle telescope kitchen ladder museum orchard
    piano harbor saddle notebook chimney mirror blanket castle""".split()


def said(number: int) -> Body:
    """A message."""
    text = f"The {THINGS[number % len(THINGS)]} of her aunt needs repair."
    return {"id": f"m{number}", "role": ("assistant", "user")[number % 2], "content": text}


async def turn(api: httpx.AsyncClient, messages: list[Body], *, name: str = "talk", **fields: Any) -> httpx.Response:
    """Write a turn."""
    return await api.post(f"{ROOT}/{name}/turns", json={"user_id": "ana", "messages": messages} | fields)


async def test_a_turn_and_the_context_after_it(api: httpx.AsyncClient) -> None:
    """Over twenty messages the answer says that the summary was made, and the context has it."""
    answer = await turn(api, [said(n) for n in range(1, 21)])
    assert (answer.status_code, answer.json()["summarized"]) == (201, False)
    body = (await turn(api, [said(21)])).json()
    assert (body["summarized"], body["degraded"], body["reason"]) == (True, False, "21 messages, over 20 messages")
    context = (await api.get(f"{ROOT}/talk/context")).json()
    assert (context["covered"], context["total"], context["version"]) == (16, 21, 2)
    assert [f"m{n}" for n in range(17, 22)] == [one["id"] for one in context["messages"]]
    assert context["statements"][0]["source_ids"]
    source = (await api.get(f"/v1/memories/{context['statements'][0]['source_ids'][0]}")).json()
    assert source["memory_type"] == "message"
    assert context["title"] == body["title"]


async def test_a_budget(api: httpx.AsyncClient) -> None:
    """Kept; what is missing is counted."""
    await turn(api, [said(n) for n in range(1, 11)])
    body = (await api.get(f"{ROOT}/talk/context", params={"token_budget": 80})).json()
    assert body["tokens"] <= 80
    assert (body["degraded"], body["messages_left"]) == (True, 10 - len(body["messages"]))
    assert (await api.get(f"{ROOT}/talk/context", params={"token_budget": 0})).status_code == 422


async def test_calls_come_back_as_they_went_in(api: httpx.AsyncClient) -> None:
    """With the names a chat API has for them."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    given: list[dict[str, Any]] = [
        {"id": "a", "role": "assistant", "content": "", "tool_calls": [call]},
        {"id": "b", "role": "tool", "content": "7 apples", "tool_call_id": "c1"},
    ]
    await turn(api, given)
    body = (await api.get(f"{ROOT}/talk/context")).json()
    assert given == [one["message"] for one in body["messages"]]


async def test_what_a_memory_tool_showed_is_no_memory(api: httpx.AsyncClient) -> None:
    """It stays in the conversation; recall answers the memory, and neither the call nor what the tool copied of it."""
    call = {"id": "c1", "type": "function", "function": {"name": "mcp__precis__recall", "arguments": '{"query": "it"}'}}
    sent: list[dict[str, Any]] = [
        {"id": "a", "role": "user", "content": "Where does the owl sleep?"},
        {"id": "b", "role": "assistant", "content": "", "tool_calls": [call]},
        {"id": "c", "role": "tool", "tool_call_id": "c1",
         "content": "[m1] 2026-03-14 clerk: The owl sleeps in the barn. (relevance 0.41)"},
        {"id": "d", "role": "assistant", "content": "The owl is a bird.", "is_recalled": False},
    ]  # fmt: skip
    await turn(api, sent, recall=True)
    rows = (await api.post("/v1/recall", json={"query": "Where does the owl sleep?", "user_id": "ana"})).json()
    assert [row["memory"]["text"] for row in rows["results"]] == ["Where does the owl sleep?"]
    page = (await api.get(f"{ROOT}/talk/messages")).json()["messages"]
    assert [row["id"] for row in page] == ["a", "b", "c", "d"]


async def test_the_originals_in_pages(api: httpx.AsyncClient) -> None:
    """The latest first page, then the one before it."""
    await turn(api, [said(n) for n in range(1, 22)])
    page = (await api.get(f"{ROOT}/talk/messages", params={"limit": 5})).json()["messages"]
    assert [one["seq"] for one in page] == [17, 18, 19, 20, 21]
    page = (await api.get(f"{ROOT}/talk/messages", params={"limit": 100, "before": page[0]["seq"]})).json()["messages"]
    assert [one["id"] for one in page] == [f"m{n}" for n in range(1, 17)]


async def test_repeating_and_contradicting(api: httpx.AsyncClient) -> None:
    """The same again is known; the same id with other words is a conflict; a forgotten one is gone."""
    await turn(api, [said(1), said(2)])
    body = (await turn(api, [said(1), said(2)])).json()
    assert body["version"] == 2
    assert (await turn(api, [said(1) | {"content": "Else."}])).status_code == 409
    memory = body["messages"][0]["memory_id"]
    assert (await api.delete(f"/v1/memories/{memory}")).status_code == 200
    assert (await turn(api, [said(1)])).status_code == 410


async def test_a_whole_history_is_sent_again_after_a_forget(api: httpx.AsyncClient) -> None:
    """What was forgotten is left out and named; the others are known or taken, and none of it comes back."""
    body = (await turn(api, [said(n) for n in range(1, 4)])).json()
    assert [] == body["forgotten"]
    await api.delete(f"/v1/memories/{body['messages'][1]['memory_id']}")
    answer = await turn(api, [said(n) for n in range(1, 6)])
    assert answer.status_code == 201, answer.text
    assert ["m2"] == answer.json()["forgotten"]
    page = (await api.get(f"{ROOT}/talk/messages")).json()["messages"]
    assert ["m1", "m3", "m4", "m5"] == [message["id"] for message in page]


async def test_deleting_a_conversation(api: httpx.AsyncClient) -> None:
    """A receipt; then it is not there, nor are its messages."""
    await turn(api, [said(n) for n in range(1, 22)])
    address = {"session_id": "talk", "user_id": "ana", "namespace": "", "project_id": ""}
    listed = (await api.get(ROOT)).json()
    assert listed == {
        "conversations": ["talk"], "addresses": [address | {"environment": "production"}], "total": 1
    }  # fmt: skip
    receipt = (await api.delete(f"{ROOT}/talk")).json()
    assert len(receipt["forgotten"]) == 21
    assert (await api.get(f"{ROOT}/talk/context")).status_code == 404
    assert (await api.get(ROOT)).json() == {"conversations": [], "addresses": [], "total": 0}
    assert (await api.get("/v1/memories", params={"user_id": "ana"})).json()["memories"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "user", "content": "Hello"}]},
        {"user_id": "ana", "messages": []},
        {"user_id": "ana", "messages": [{"role": "user", "content": " "}]},
        {"user_id": "ana", "messages": [{"content": "Hello"}]},
        {"user_id": "ana", "messages": [{"role": "user", "content": "Hello", "mood": "good"}]},
        {"user_id": "ana", "messages": [{"role": "user", "content": "Hello", "created_at": "2199-01-01T00:00:00Z"}]},
        {"user_id": "ana", "messages": [{"role": "user", "content": "Hel\u0000lo"}]},
    ],
)
async def test_what_is_wrong_is_refused(api: httpx.AsyncClient, body: Body) -> None:
    """Unknown, empty and impossible things; nothing is written."""
    assert (await api.post(f"{ROOT}/talk/turns", json=body)).status_code == 422
    assert (await api.get(f"{ROOT}/talk/context")).status_code == 404


async def test_two_conversations_of_one_name_are_told_apart(api: httpx.AsyncClient) -> None:
    """The name alone is a 409; each address of the list leads to its own."""
    for owner in ({"user_id": "ana"}, {"user_id": "bo"}, {"user_id": "bo", "namespace": "n", "project_id": "p"}):
        assert (await turn(api, [said(1) | {"id": "-".join(owner.values())}], **owner)).status_code == 201
    assert (await api.get(f"{ROOT}/talk/context")).status_code == 409
    listed = (await api.get(ROOT)).json()
    assert listed["conversations"] == ["talk"] * 3
    read = []
    for address in listed["addresses"]:
        name = address.pop("session_id")
        assert (await api.get(f"{ROOT}/{name}/context", params=address)).status_code == 200
        read += (await api.get(f"{ROOT}/{name}/messages", params=address)).json()["messages"]
    assert sorted(message["id"] for message in read) == ["ana", "bo", "bo-n-p"]
    assert (await api.delete(f"{ROOT}/talk", params={"user_id": "bo", "namespace": ""})).status_code == 200
    assert (await api.delete(f"{ROOT}/talk", params={"user_id": ""})).status_code == 422
    assert [address["namespace"] for address in (await api.get(ROOT)).json()["addresses"]] == ["n", ""]
