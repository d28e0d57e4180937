"""What a failed call costs, over real sockets: only what may have reached the provider is spent."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta

import httpx
import pytest

from precis import prompts
from precis.bootstrap import Runtime, open_runtime
from precis.engine.spending import Guards
from precis.errors import DraftFailed
from precis.makers import Item, Request
from precis.models.chat import ChatSummarizer
from precis.models.setbacks import Patience
from precis.models.tokens import Price, Prices
from precis.rest.server import listening
from precis.store.ledger import PostgresLedger
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")

MODEL = "a-model-of-ours"
PRICES = Prices(overrides={MODEL: Price(input_per_million=1.0, output_per_million=2.0)})
ONCE = Patience(attempts=1, attempt_seconds=1.0, deadline_seconds=5.0)
Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def closed_port() -> int:
    """A port nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@asynccontextmanager
async def endpoint(answering: Answering) -> AsyncIterator[int]:
    """A server of raw bytes; its port."""
    connections: set[asyncio.StreamWriter] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.add(writer)
        await answering(reader, writer)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in connections:
            writer.close()


@contextmanager
def full_port() -> Iterator[int]:
    """A port whose queue of new connections is full, so that connecting to it takes for ever."""
    with (
        socket.create_server(("127.0.0.1", 0), backlog=0) as listener,
        socket.create_connection(listener.getsockname()),
    ):
        yield listener.getsockname()[1]


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Close before a byte is read."""
    del reader
    writer.transport.abort()


async def stay_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Read everything and answer nothing."""
    del writer
    await reader.read()


async def speak_no_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a TLS greeting with something else."""
    await reader.read(1)
    writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()
    writer.close()


def answer_with(status: int, code: str | None = None) -> Answering:
    """Read a request and answer it with a status and no usage."""
    body = json.dumps({"error": {"message": "no", "type": "error", "code": code}}).encode()
    head = f"HTTP/1.1 {status} No\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        await reader.readexactly(int(asked.partition("content-length: ")[2].partition("\r\n")[0]))
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    return answer


def ledger_of(runtime: Runtime) -> PostgresLedger:
    """A ledger of its own over the shared database."""
    guards = Guards(monthly_ceiling=1.0, slot_wait=timedelta(0))
    return PostgresLedger(runtime.database, FrozenClock(), guards=guards, model=MODEL, margin=lambda _: 1.0)


def request_of(tenant: str) -> Request:
    """What is asked."""
    items = (Item(text="Ilse keeps nine bees in a jar.", source_ids=("m1",), created_at=FrozenClock()()),)
    prompt = prompts.load("cluster")
    return Request(
        items=items, max_tokens=300, prompt=prompt, tenant_id=tenant, policy="clusters", group_id="g", kind="segment"
    )


async def spent_on(runtime: Runtime, tenant: str, base_url: str, *, canceled: bool = False) -> float:
    """US dollars in the ledger after one call that failed; one row stands for it either way."""
    ledger = ledger_of(runtime)
    model = ChatSummarizer(model=MODEL, base_url=base_url, meter=ledger, prices=PRICES, patience=ONCE)
    asking = asyncio.create_task(model.summarize(request_of(tenant)))
    try:
        if canceled:
            while not await ledger.spent(tenant):
                await asyncio.sleep(0.02)
            # The reservation stands; now it is connecting, or waiting for the answer.
            await asyncio.sleep(0.6)
            asking.cancel()
        with pytest.raises((DraftFailed, asyncio.CancelledError)):
            await asking
    finally:
        await model.aclose()
    calls = await ledger.calls(tenant, limit=100)
    assert {"settled"} == {call.state for call in calls}
    return await ledger.spent(tenant)


async def test_a_closed_port_spends_nothing(runtime: Runtime, tenant: str) -> None:
    """The connection is refused, so nothing was sent."""
    assert await spent_on(runtime, tenant, f"http://127.0.0.1:{closed_port()}/v1") == 0


async def test_a_name_that_does_not_resolve_spends_nothing(runtime: Runtime, tenant: str) -> None:
    """The domain ``invalid`` has no names (RFC 6761)."""
    assert await spent_on(runtime, tenant, "http://model.invalid/v1") == 0


@pytest.mark.parametrize("answering", [speak_no_tls, hang_up])
async def test_a_failed_handshake_spends_nothing(runtime: Runtime, tenant: str, answering: Answering) -> None:
    """Before TLS stands no byte of the request is written."""
    async with endpoint(answering) as port:
        assert await spent_on(runtime, tenant, f"https://127.0.0.1:{port}/v1") == 0


@pytest.mark.parametrize("canceled", [False, True])
async def test_a_connection_that_never_stands_spends_nothing(runtime: Runtime, tenant: str, canceled: bool) -> None:
    """It takes too long, or the caller gives up meanwhile."""
    with full_port() as port:
        assert await spent_on(runtime, tenant, f"http://127.0.0.1:{port}/v1", canceled=canceled) == 0


@pytest.mark.parametrize("answering", [hang_up, stay_silent])
async def test_what_was_sent_counts(runtime: Runtime, tenant: str, answering: Answering) -> None:
    """A connection that is cut or stays silent: who was connected may have worked for it."""
    async with endpoint(answering) as port:
        assert await spent_on(runtime, tenant, f"http://127.0.0.1:{port}/v1") > 0


async def test_giving_up_on_what_was_sent_counts(runtime: Runtime, tenant: str) -> None:
    """The caller is canceled while the provider works."""
    async with endpoint(stay_silent) as port:
        assert await spent_on(runtime, tenant, f"http://127.0.0.1:{port}/v1", canceled=True) > 0


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 429, 500, 502, 503, 529])
async def test_a_refusal_spends_nothing(runtime: Runtime, tenant: str, status: int) -> None:
    """Providers charge neither for a request they refused nor for a fault of their own."""
    async with endpoint(answer_with(status)) as port:
        assert await spent_on(runtime, tenant, f"http://127.0.0.1:{port}/v1") == 0


@pytest.mark.parametrize(("status", "code"), [(408, None), (504, None), (524, None), (400, "content_filter")])
async def test_an_error_after_the_work_counts(runtime: Runtime, tenant: str, status: int, code: str | None) -> None:
    """A time-out behind a gateway, and a filter that ran over the prompt, come after work that is charged."""
    async with endpoint(answer_with(status, code)) as port:
        assert await spent_on(runtime, tenant, f"http://127.0.0.1:{port}/v1") > 0


async def test_a_tunnel_that_a_proxy_refuses_spends_nothing(
    runtime: Runtime, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy was asked for a connection; the request itself was never written."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async with endpoint(refuse) as port:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("NO_PROXY", "")
        assert await spent_on(runtime, tenant, "https://model.invalid/v1") == 0


async def test_the_ceiling_outlives_a_closed_port(runtime: Runtime, tenant: str, key: str) -> None:
    """Over REST: writes while nobody listens at the model's address leave the month's money where it was."""
    address = f"http://127.0.0.1:{closed_port()}/v1"
    asked = {"model": MODEL, "model_base_url": address, "monthly_ceiling": 0.02, "inline_deadline": 2}
    async with (
        open_runtime(runtime.settings.model_copy(update=asked), follows=False) as other,
        listening(other) as url,
        httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}, timeout=60) as call,
    ):
        for thing in ("garden", "piano", "ladder"):
            texts = (f"The {thing} is new.", f"The {thing} came on Monday.", f"The {thing} cost ninety euros.")
            rows = [{"text": text, "user_id": "ilse", "type": "fact", "key": thing} for text in texts]
            assert (await call.post("/v1/memories", json={"memories": rows})).status_code == 201
        answer = (await call.get("/v1/costs")).json()
    (spend,) = answer["costs"]
    assert spend["calls"] == spend["failed"] > 0
    assert (0, 0, 0) == (spend["cost"], spend["tokens_in"], spend["tokens_out"])
