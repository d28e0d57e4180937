"""More requests than the server works on at once: who waits, who is told to come again, who does not notice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.metrics import COUNTED
from precis.rest import lanes
from precis.rest.server import listening

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that has a place keeps it until its body is sent, for as long as a test takes."""
    monkeypatch.setattr(lanes, "_BODY_SECONDS", 60.0)


@dataclass(frozen=True, kw_only=True)
class Unsent:
    """A write of which the head was sent, and not the body."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    body: bytes

    async def send(self) -> None:
        """The body."""
        self.writer.write(self.body)
        await self.writer.drain()

    async def answer(self) -> tuple[int, str, dict[str, Any]]:
        """Status, head, body."""
        async with asyncio.timeout(30):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length: ")[2].split()[0])
            return int(head.split()[1]), head, json.loads(await self.reader.readexactly(length))


@asynccontextmanager
async def _unsent(url: str, key: str, rows: list[dict[str, Any]]) -> AsyncIterator[Unsent]:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    body = json.dumps({"memories": rows}).encode()
    head = f"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode())
    await writer.drain()
    try:
        yield Unsent(reader=reader, writer=writer, body=body)
    finally:
        writer.close()


@asynccontextmanager
async def _server(runtime: Runtime, **limits: float) -> AsyncIterator[tuple[str, Runtime]]:
    settings = runtime.settings.model_copy(update=limits)
    limited = replace(runtime, settings=settings, pressure=type(runtime.pressure)())
    async with listening(limited) as url:
        yield url, limited


async def _waits(runtime: Runtime, number: int) -> None:
    """Until so many requests wait."""
    async with asyncio.timeout(30):
        while runtime.pressure.waiting != number:
            await asyncio.sleep(0.01)


async def _is_at_work(call: httpx.AsyncClient) -> None:
    """Whatever was sent before on other connections has reached the server."""
    for _ in range(3):
        assert (await call.get("/v1/users")).status_code == 200


def _row(subject: str = "boat") -> dict[str, Any]:
    return {"id": new_id(), "user_id": "ana", "type": "fact", "key": subject, "text": f"Ana painted the {subject}."}


async def test_a_full_lane_answers_before_the_body_is_sent(runtime: Runtime, key: str) -> None:
    """503 with a time to come again, counted; who has a place is served."""
    refused = {"lane": "writes"}
    before = COUNTED.get_sample_value("precis_lane_refused_total", refused) or 0
    async with (
        _server(runtime, writes_at_once=1, requests_waiting=0) as (url, _),
        httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call,
        _unsent(url, key, [_row()]) as first,
    ):
        await _is_at_work(call)
        async with _unsent(url, key, [_row()]) as second:
            status, head, body = await second.answer()
        assert (503, "more requests wait") == (status, body["detail"][:18])
        assert "retry-after: 1\r\n" in head
        assert "connection: close\r\n" in head
        await first.send()
        assert (await first.answer())[0] == 201
    assert COUNTED.get_sample_value("precis_lane_refused_total", refused) == before + 1


async def test_a_body_that_does_not_come_keeps_no_place(
    runtime: Runtime, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others are served meanwhile; and when it comes, so is this one."""
    monkeypatch.setattr(lanes, "_BODY_SECONDS", 0.05)
    async with (
        _server(runtime, writes_at_once=1) as (url, _),
        httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call,
        AsyncExitStack() as stack,
    ):
        stalled = [await stack.enter_async_context(_unsent(url, key, [_row()])) for _ in range(20)]
        await _is_at_work(call)
        assert (await call.post("/v1/memories", json={"memories": [_row()]})).status_code == 201
        for write in stalled:
            await write.send()
        assert {201} == {(await write.answer())[0] for write in stalled}


async def test_reads_are_answered_while_writes_wait(runtime: Runtime, key: str) -> None:
    """Each write waits for its turn, and what was acknowledged is there."""
    rows = [_row() for _ in range(4)]
    async with (
        _server(runtime, writes_at_once=1, reads_at_once=2) as (url, limited),
        httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call,
        AsyncExitStack() as stack,
    ):
        writes = [await stack.enter_async_context(_unsent(url, key, [row])) for row in rows]
        await _waits(limited, 3)
        for answer in (
            await call.get("/healthz"),
            await call.get("/v1/memories"),
            await call.post("/v1/recall", json={"query": "boat", "user_id": "ana"}),
            await call.post("/v1/long-term-memory/search", json={"text": "boat"}),
        ):
            assert answer.status_code == 200
        for write in writes:
            await write.send()
        assert [201] * 4 == [(await write.answer())[0] for write in writes]
        stored = (await call.get("/v1/memories", params={"is_summary": False})).json()["memories"]
    assert {row["id"] for row in rows} == {memory["id"] for memory in stored}


async def test_while_others_wait_a_summary_is_left_to_a_worker(runtime: Runtime, key: str) -> None:
    """The answer says so; the last write of a crowd makes the summary of all."""
    async with _server(runtime, writes_at_once=1) as (url, limited), AsyncExitStack() as stack:
        first = await stack.enter_async_context(_unsent(url, key, [_row() for _ in range(3)]))
        last = await stack.enter_async_context(_unsent(url, key, [_row()]))
        await _waits(limited, 1)
        await first.send()
        _, _, written = await first.answer()
        assert ([], 1) == (written["summaries"], len(written["waiting"]))
        await last.send()
        _, _, written = await last.answer()
        assert (1, []) == (len(written["summaries"]), written["waiting"])


async def test_a_tenant_that_floods_keeps_nobody_waiting(runtime: Runtime, key: str) -> None:
    """Another tenant finds a place; where all that may wait are the flood's, its last one gives way."""
    name = f"t-{new_id()}"
    await runtime.store.tenants.create(name, name="other", now=runtime.engine.clock())
    other = await runtime.store.tenants.create_key(name, name="other", now=runtime.engine.clock())
    async with (
        _server(runtime, writes_at_once=3, requests_waiting=3) as (url, limited),
        httpx.AsyncClient(base_url=url, headers={"X-API-Key": other}) as call,
        AsyncExitStack() as stack,
    ):
        flood = []
        for number in range(5):
            flood.append(await stack.enter_async_context(_unsent(url, key, [_row()])))
            await _waits(limited, max(0, number - 1))
            await _is_at_work(call)
        assert (await call.post("/v1/memories", json={"memories": [_row("car")]})).status_code == 201
        first = await stack.enter_async_context(_unsent(url, other, [_row("car")]))
        await _is_at_work(call)
        second = await stack.enter_async_context(_unsent(url, other, [_row("car")]))
        assert (await flood[-1].answer())[0] == 503
        for write in (first, second):
            await write.send()
            assert (await write.answer())[0] == 201
        for write in flood[:-1]:
            await write.send()
            assert (await write.answer())[0] == 201


async def test_many_clients_of_a_tenant_may_begin_at_once(runtime: Runtime, key: str) -> None:
    """A good key is looked up once for all of them: none is told that too many keys were unknown."""
    limits = httpx.Limits(max_connections=60)
    async with (
        _server(runtime) as (url, _),
        httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}, limits=limits, timeout=60) as call,
    ):
        answers = await asyncio.gather(*(call.get("/v1/users") for _ in range(60)))
    assert {answer.status_code for answer in answers} == {200}
