"""The Python client over TCP: what people do every day, what goes wrong, and what is sent twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from precis.client import ApiError, AsyncClient, Client, Retries
from precis.client.calls import Call
from precis.client.shapes import MemoryInput, MessageInput

pytestmark = pytest.mark.asyncio(loop_scope="session")
_TEA = (
    "Vera drinks jasmine tea every morning.",
    "Vera keeps her oolong tea in a tin.",
    "Vera buys her tea at the harbor market.",
    "Vera never puts milk into tea.",
)
_AT_ONCE = Retries(first=0.0)


def tea() -> list[MemoryInput]:
    """Four memories on one subject: enough for a summary."""
    return [{"user_id": "vera", "text": text, "type": "preference", "key": "tea"} for text in _TEA]


@pytest_asyncio.fixture(loop_scope="session")
async def precis(url: str, key: str) -> AsyncIterator[AsyncClient]:
    """A client of the test's tenant."""
    async with AsyncClient(url, key=key) as client:
        yield client


async def test_memories_and_what_is_made_of_them(precis: AsyncClient) -> None:
    """Written, read, listed, found, summarized, edited."""
    written = await precis.memories.add(tea())
    ids = [memory["id"] for memory in written["memories"]]
    (summary_id,) = written["summaries"]
    page = await precis.memories.list(user_id="vera", is_summary=False, limit=2)
    assert 2 == len(page["memories"])
    assert set(ids) == {row["id"] async for row in precis.memories.each(user_id="vera", is_summary=False, limit=2)}
    assert _TEA[0] == (await precis.memories.get(ids[0]))["text"]
    assert ids[1] in {
        row["memory"]["id"] for row in (await precis.recall(query="oolong in a tin", user_id="vera"))["results"]
    }
    assert "oolong" in (await precis.context(query="Which tea?", user_id="vera", token_budget=200))["text"]
    summary = await precis.summaries.get(summary_id)
    assert set(ids) == {id_ for statement in summary["statements"] for id_ in statement["source_ids"]}
    assert [summary_id] == [row["id"] async for row in precis.summaries.each(user_id="vera", limit=1)]
    assert set(ids) == {row["id"] for row in (await precis.summaries.sources(summary_id))["memories"]}
    edited = await precis.memories.edit(ids[2], text="Vera buys her tea at the mill.")
    assert "Vera buys her tea at the mill." == edited["memory"]["text"]
    assert "make" in {plan["action"] for plan in (await precis.summaries.plan(user_id="vera"))["plans"]}
    assert "committed" == (await precis.summaries.refresh(summary_id))["result"]
    assert 2 == len((await precis.summaries.history(summary_id))["refreshes"])
    await precis.summaries.delete(summary_id)
    assert [] == (await precis.summaries.list(user_id="vera"))["summaries"]


async def test_forgetting_with_proof(precis: AsyncClient) -> None:
    """In words, shown first; by ids; a whole user; signed receipts, and a search for what is left."""
    memories: list[MemoryInput] = [
        {"user_id": "vera", "text": f"{name} plays the cello."} for name in ("Odile", "Bram")
    ]
    ids = [memory["id"] for memory in (await precis.memories.add([*memories, *tea()]))["memories"]]
    preview = await precis.memories.preview_forget(what="everything about Odile", user_id="vera")
    assert [ids[0]] == [memory["id"] for memory in preview["forget"]]
    receipt = await precis.memories.confirm_forget(preview["preview_id"])
    assert [ids[0]] == receipt["forgotten"]
    proof = await precis.verify_forgotten(["Odile"])
    assert (False, 1) == (proof["found"], proof["words"])
    assert ids[1] == (await precis.memories.forget(ids[1]))["forgotten"][0]
    assert ["none"] == (await precis.memories.forget_many([ids[2], "none"]))["not_found"]
    assert (await precis.memories.forget_user("vera"))["key_destroyed"]
    receipts = await precis.receipts.list(user_id="vera")
    assert receipt["id"] in {row["id"] for row in receipts["receipts"]}
    signed = await precis.receipts.get(receipt["id"])
    assert signed["public_key"] == (await precis.receipts.key())["public_key"]


async def test_conversations(precis: AsyncClient) -> None:
    """A turn is written, read as a context and as it was, and forgotten."""
    messages: list[MessageInput] = [
        {"role": "user", "content": "Where is the ferry?"},
        {"role": "assistant", "content": "At pier nine."},
    ]
    turn = await precis.conversations.append("a/b", user_id="vera", messages=messages)
    assert 2 == len(turn["messages"])
    context = await precis.conversations.context("a/b", token_budget=500)
    assert ["Where is the ferry?", "At pier nine."] == [row["message"]["content"] for row in context["messages"]]
    assert 1 == len((await precis.conversations.messages("a/b", limit=1))["messages"])
    assert ["a/b"] == (await precis.conversations.list(user_id="vera"))["conversations"]
    receipt = await precis.conversations.forget("a/b")
    assert receipt is not None
    assert 2 == len(receipt["forgotten"])


async def test_a_user_is_carried_as_lines(precis: AsyncClient) -> None:
    """An export is a text, and an import takes it as it is."""
    await precis.memories.add([{"user_id": "iris", "text": "Iris keeps bees in Ghent."}])
    lines = await precis.send(Call[str](method="GET", path="/v1/users/iris/export"))
    assert "Iris keeps bees" in lines
    into: Call[Any] = Call(method="POST", path="/v1/import", body=lines, repeatable=False)
    for before, status in ((None, 409), (precis.memories.forget_user, 410)):
        if before is not None:
            await before("iris")
        with pytest.raises(ApiError) as caught:
            await precis.send(into)
        assert status == caught.value.status


async def test_texts_that_are_not_stored(precis: AsyncClient) -> None:
    """Summarized, and checked."""
    summary = await precis.summarize(texts=list(_TEA), max_words=12)
    assert {source for statement in summary["statements"] for source in statement["sources"]} <= {0, 1, 2, 3}
    checked = await precis.check(summary="Vera drinks coffee.", sources=list(_TEA))
    assert checked["score"] < 0.5


async def test_without_await(url: str, key: str) -> None:
    """The same client for programs without an event loop."""

    def walk() -> tuple[list[str], str, str]:
        with Client(url, key=key) as client:
            client.memories.add(tea(), summarize="deferred")
            rows = client.memories.each(user_id="vera", is_summary=False, limit=1)
            texts = sorted(row["text"] or "" for row in rows)
            with pytest.raises(ApiError) as caught:
                client.tasks.get("none")
            return (
                texts,
                client.recall(query="harbor", user_id="vera")["results"][0]["memory"]["text"] or "",
                caught.value.code,
            )

    assert (sorted(_TEA), _TEA[2], "not_found") == await asyncio.to_thread(walk)


async def test_a_refusal_says_what_was_wrong(precis: AsyncClient, url: str) -> None:
    """Its status, a name for it, the field, and the request in the log."""
    with pytest.raises(ApiError, match="404: there is no memory 'none'") as missing:
        await precis.memories.get("none")
    assert (404, "not_found") == (missing.value.status, missing.value.code)
    assert missing.value.request_id
    with pytest.raises(ApiError) as invalid:
        await precis.memories.list(limit=0)
    assert (422, "invalid", "query.limit") == (invalid.value.status, invalid.value.code, invalid.value.field)
    async with AsyncClient(url, key="none") as stranger:
        with pytest.raises(ApiError) as refused:
            await stranger.memories.list()
    assert "unauthorized" == refused.value.code
    async with AsyncClient("http://127.0.0.1:1", retries=_AT_ONCE) as nowhere:
        with pytest.raises(ApiError) as unreachable:
            await nowhere.memories.list()
    assert (None, "unreachable") == (unreachable.value.status, unreachable.value.code)


async def test_a_key_in_the_address(url: str, key: str) -> None:
    """As clients use it that cannot send headers."""
    async with AsyncClient(f"{url}/t/{key}/") as client:
        assert [] == (await client.memories.list(user_id="nobody"))["memories"]


class Losing(httpx.AsyncHTTPTransport):
    """The answers to the first requests are lost on their way; what was asked has been done."""

    def __init__(self, lost: int) -> None:
        super().__init__()
        self.lost = lost
        self.sent = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Lost, or as it came."""
        answer = await super().handle_async_request(request)
        self.sent += 1
        if self.sent <= self.lost:
            await answer.aread()
            await answer.aclose()
            raise httpx.ReadError("the connection was lost", request=request)
        return answer


async def test_a_write_whose_answer_is_lost_is_written_once(url: str, key: str) -> None:
    """The client names the memories before it sends them."""
    async with AsyncClient(url, key=key, transport=Losing(2), retries=_AT_ONCE) as client:
        written = await client.memories.add([{"user_id": "vera", "text": "Vera sails on Sundays."}])
        assert [False] == [memory["created"] for memory in written["memories"]]
        assert 1 == len((await client.memories.list(user_id="vera"))["memories"])
        turn = await client.conversations.append("s", user_id="vera", messages=[{"role": "user", "content": "Ahoy!"}])
        assert 1 == len(turn["messages"])


async def test_a_forget_whose_answer_is_lost_is_not_sent_again(url: str, key: str, precis: AsyncClient) -> None:
    """It would be answered with 404, as if there had been nothing."""
    (memory,) = (await precis.memories.add([{"user_id": "vera", "text": "Vera sails on Mondays."}]))["memories"]
    losing = Losing(1)
    async with AsyncClient(url, key=key, transport=losing, retries=_AT_ONCE) as client:
        with pytest.raises(ApiError, match="no answer came"):
            await client.memories.forget(memory["id"])
    assert 1 == losing.sent


class Scripted(httpx.AsyncBaseTransport):
    """Answers what it is told to, and says when it was asked."""

    def __init__(self, *answers: tuple[int, str]) -> None:
        self.answers = list(answers)
        self.times: list[float] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The next one."""
        del request
        self.times.append(asyncio.get_running_loop().time())
        status, after = self.answers.pop(0)
        return httpx.Response(status, json={"detail": "not now"}, headers={"Retry-After": after} if after else {})


@pytest.mark.parametrize(
    ("answers", "call", "sent", "status"),
    [
        ([(503, "1"), (200, "")], ("memories", "list"), 2, None),
        ([(503, "0"), (503, ""), (429, "0"), (200, "")], ("memories", "list"), 4, None),
        ([(503, "0")] * 4, ("memories", "list"), 4, 503),
        ([(503, "3600")], ("memories", "list"), 1, 503),
        ([(500, "")], ("memories", "list"), 1, 500),
        ([(503, "0")], ("memories", "forget"), 1, 503),
        ([(429, "0"), (200, "")], ("memories", "forget"), 2, None),
    ],
)
async def test_what_is_sent_again(
    answers: list[tuple[int, str]], call: tuple[str, str], sent: int, status: int | None
) -> None:
    """As long after as the server says; not what asks for more patience, nor what may have been done."""
    transport = Scripted(*answers)
    async with AsyncClient("http://precis", transport=transport, retries=_AT_ONCE) as client:
        method: Any = getattr(getattr(client, call[0]), call[1])
        try:
            await method(*(["m1"] if call[1] == "forget" else []))
            refusal = None
        except ApiError as error:
            refusal = error.status
    assert (sent, status) == (len(transport.times), refusal)
    if answers[0] == (503, "1"):
        assert transport.times[1] - transport.times[0] >= 0.99


async def test_a_refusal_that_is_not_from_precis() -> None:
    """Something between answered in its place, and not in JSON."""
    transport = httpx.MockTransport(lambda _request: httpx.Response(502, text="<html>Bad Gateway</html>"))
    async with AsyncClient("http://precis", transport=transport) as client:
        with pytest.raises(ApiError, match="502: Bad Gateway") as caught:
            await client.memories.list()
    assert "failed" == caught.value.code
    transport = httpx.MockTransport(lambda _request: httpx.Response(200, html="<html>Welcome</html>"))
    async with AsyncClient("http://precis", transport=transport) as client:
        with pytest.raises(ApiError, match="is not JSON") as caught:
            await client.memories.list()
    assert "unreachable" == caught.value.code


async def test_a_task_that_fails_or_lasts_is_an_error() -> None:
    """A failure is never data."""
    states = iter(["running", "failed", "running", "running"])

    def answer(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"status": next(states), "error_message": "the model was away"})

    async with AsyncClient("http://precis", transport=httpx.MockTransport(answer)) as client:
        with pytest.raises(ApiError, match="the model was away") as caught:
            await client.tasks.wait("t1", interval=0.01)
        assert "task_failed" == caught.value.code
        with pytest.raises(TimeoutError, match="goes on after"):
            await client.tasks.wait("t1", within=0.02, interval=0.01)
