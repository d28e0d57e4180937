"""How long a connection may take for each thing it does, and who gives way where there are too many."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import httpx
import pytest

from precis.bootstrap import Runtime
from precis.rest.callers import MAX_BODY_BYTES
from precis.rest.connections import Watch
from precis.rest.server import listening
from precis.rest.sockets import Limits

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: Short, so that the tests are.
LIMITS = Limits(connections=4, head=1.5, body=1.0, body_rate=1_000.0, rest_of_body=0.5, answer=1.5, quiet=0.3)
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def _connected(url: str, *sent: bytes) -> AsyncIterator[Stream]:
    """A connection that has sent this."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        writer.write(b"".join(sent))
        yield reader, writer
    finally:
        writer.close()
        await asyncio.wait({asyncio.ensure_future(_closed(writer))})


async def _closed(writer: asyncio.StreamWriter) -> None:
    try:
        await writer.wait_closed()
    except OSError:
        return


async def _rest(reader: asyncio.StreamReader) -> bytes:
    """Everything until the server closes."""
    received = b""
    async with asyncio.timeout(20):
        try:
            while piece := await reader.read(65_536):
                received += piece
        except ConnectionResetError:
            return received
    return received


async def _is_dropped(writer: asyncio.StreamWriter) -> bool:
    """Whether what is sent comes back as an error."""
    try:
        for _ in range(20):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.01)
    except OSError:
        return True
    return False


def _head(key: str, length: int | None, path: str = "/v1/recall") -> bytes:
    size = f"Content-Length: {length}" if length is not None else "Transfer-Encoding: chunked"
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"X-API-Key: {key}", "Content-Type: application/json", size]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.mark.parametrize("sent", [b"GET /v1/memories HTTP/1.1\r\nX: ", b"GE"])
async def test_a_head_that_does_not_end_is_told_so(runtime: Runtime, sent: bytes) -> None:
    """After its time 408, also where a byte comes now and then."""
    async with listening(runtime, limits=LIMITS) as url, _connected(url, sent) as (reader, writer):
        started = time.perf_counter()
        reading = asyncio.create_task(_rest(reader))
        while not reading.done():
            if not writer.is_closing():
                writer.write(b"x")
            await asyncio.sleep(0.2)
        assert (await reading).startswith(b"HTTP/1.1 408 ")
        assert time.perf_counter() - started < LIMITS.head + 5


async def test_a_connection_that_says_nothing_is_closed(runtime: Runtime) -> None:
    """Nothing was asked, so nothing is answered."""
    async with listening(runtime, limits=LIMITS) as url, _connected(url) as (reader, _):
        assert await _rest(reader) == b""


@pytest.mark.parametrize("length", [50_000, None], ids=["length", "chunked"])
async def test_a_body_that_trickles_is_told_so(runtime: Runtime, key: str, length: int | None) -> None:
    """408, and no error in the log: nothing went wrong here."""
    async with listening(runtime, limits=LIMITS) as url, _connected(url, _head(key, length)) as (reader, writer):
        reading = asyncio.create_task(_rest(reader))
        while not reading.done():
            if not writer.is_closing():
                writer.write(b" " if length else b"1\r\n \r\n")
            await asyncio.sleep(0.2)
        assert (await reading).startswith(b"HTTP/1.1 408 ")


async def test_a_body_that_comes_steadily_may_take_its_time(runtime: Runtime, key: str) -> None:
    """Longer than the limit for a slow one."""
    body = b'{"query": "coffee", "user_id": "ana"}' + b" " * 20_000
    async with (
        listening(runtime, limits=LIMITS) as url,
        _connected(url, _head(key, len(body))) as (reader, writer),
    ):
        for at in range(0, len(body), 1_500):
            writer.write(body[at : at + 1_500])
            await asyncio.sleep(0.15)
        assert (await reader.readline()).split()[1] == b"200"


async def test_a_body_that_is_too_large_is_refused_unread(runtime: Runtime, key: str) -> None:
    """By its declared length at once, and the connection ends although the rest never comes, or never ends."""
    async with listening(runtime, limits=LIMITS) as url:
        async with _connected(url, _head(key, MAX_BODY_BYTES + 1)) as (reader, _):
            started = time.perf_counter()
            assert (await reader.readline()).split()[1] == b"413"
            await _rest(reader)
            assert time.perf_counter() - started < LIMITS.rest_of_body + 5
        async with _connected(url, _head("sk-none", None)) as (reader, writer):
            assert (await reader.readline()).split()[1] == b"401"
            started = time.perf_counter()
            with contextlib.suppress(OSError):
                async with asyncio.timeout(LIMITS.rest_of_body + 10):
                    while True:
                        writer.write(b"10000\r\n" + b" " * 2**16 + b"\r\n")
                        await writer.drain()
            assert time.perf_counter() - started < LIMITS.rest_of_body + 5


async def test_an_answer_that_nobody_takes_is_dropped(runtime: Runtime, key: str) -> None:
    """The connection is closed, not kept for ever."""
    ask = f"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n".encode() * 400
    async with listening(runtime, limits=LIMITS) as url, _connected(url) as (reader, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(ask)
        await asyncio.sleep(LIMITS.answer + 4)
        writer.transport.resume_reading()  # type: ignore[attr-defined]
        assert (await _rest(reader)).count(b"HTTP/1.1 200") < 400


async def test_the_oldest_that_asks_nothing_gives_way(runtime: Runtime, key: str) -> None:
    """Where as many are connected as may be, one more is served, and who is being served stays."""
    patient = Limits(connections=4, head=60.0, body=60.0, quiet=0.3)
    body = b'{"query": "coffee", "user_id": "ana"}'
    async with listening(runtime, limits=patient) as url, AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(_connected(url, b"GET / HT")) for _ in range(4)]
        await asyncio.sleep(2 * patient.quiet)
        for _ in range(3):
            async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call:
                assert (await call.get("/v1/memories")).status_code == 200
        assert await _rest(silent[0][0]) == b""
        slow = [await stack.enter_async_context(_connected(url, _head(key, len(body)))) for _ in range(4)]
        await asyncio.sleep(2 * patient.quiet)
        slow[3][1].write(body[:10])
        await asyncio.sleep(patient.quiet / 2)
        async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call:
            assert (await call.get("/v1/memories")).status_code == 200
        slow[3][1].write(body[10:])
        assert (await slow[3][0].readline()).split()[1] == b"200"


async def test_a_pause_in_a_body_gives_way_where_nobody_else_can(runtime: Runtime, key: str) -> None:
    """Long before it counts as silent: one more is served, and the one that paused longest is told so with a 503."""
    patient = Limits(connections=2, head=60.0, body=60.0, quiet=5.0)
    async with listening(runtime, limits=patient) as url, AsyncExitStack() as stack:
        paused = [await stack.enter_async_context(_connected(url, _head(key, 1_000), b"{")) for _ in range(2)]
        await asyncio.sleep(1.3 * patient.pause)
        async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call:
            assert (await call.get("/v1/memories")).status_code == 200
        assert (await _rest(paused[0][0])).startswith(b"HTTP/1.1 503 ")


async def test_where_everybody_is_being_served_one_more_is_told_so(runtime: Runtime, key: str) -> None:
    """503 with a time to come back, not a connection that hangs."""
    busy = Limits(connections=2, head=60.0, body=60.0, quiet=60.0)
    async with listening(runtime, limits=busy) as url, AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(_connected(url, _head(key, 1_000), b"{"))
        await asyncio.sleep(0.5)
        async with _connected(url, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") as (reader, _):
            answer = await _rest(reader)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 5" in answer


class _Silent(asyncio.Protocol):
    """A connection that only says that it was made."""

    def __init__(self, begun: list[_Silent], *, is_refused: bool = False) -> None:
        self._begun, self.is_refused = begun, is_refused

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be counted."""
        self.transport = transport
        self._begun.append(self)


async def test_who_waits_to_connect_is_begun_with_others() -> None:
    """Under load a turn of the loop is long: two hundred connections that wait take far fewer turns than that."""
    begun: list[_Silent] = []
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=256))
        for _ in range(200):
            stack.enter_context(socket.create_connection(listener.getsockname()))
        accepting = asyncio.create_task(Watch(Limits()).accept(listener, partial(_Silent, begun)))  # type: ignore[arg-type]
        turns = 0
        while len(begun) < 200 and turns < 1_000:
            await asyncio.sleep(0)
            turns += 1
        accepting.cancel()
        for connection in begun:
            connection.transport.abort()  # type: ignore[attr-defined]
        await asyncio.wait({accepting})
    assert turns < 100


async def test_at_ten_times_the_connections_everybody_is_answered(runtime: Runtime, key: str) -> None:
    """Beside connections that say nothing each client gets a whole answer, 200 or 503, and none a reset."""
    few = Limits(connections=6, refused=64, head=60.0, quiet=60.0)
    body = b'{"query": "coffee", "user_id": "ana"}' + b" " * 300_000

    async def ask(url: str) -> bytes:
        async with _connected(url) as (reader, writer):
            writer.write(_head(key, len(body)) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            return head

    async with listening(runtime, limits=few) as url, AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(_connected(url, b"GET / HT")) for _ in range(12)]
        heads = await asyncio.gather(*(ask(url) for _ in range(60)))
        refused = [head for head in heads if head.startswith(b"HTTP/1.1 503 ")]
        assert all(head.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 ")) for head in heads)
        assert len(refused) < len(heads)
        assert all(b"retry-after: " in head and b"connection: close" in head for head in refused)
        # Whoever had just come when it gave way was told why.
        assert (await _rest(silent[0][0])).startswith(b"HTTP/1.1 503 ")


@pytest.mark.parametrize("sent", [b"Connection: close\r\n", b""], ids=["asked to close", "kept"])
async def test_who_is_refused_early_may_send_on(runtime: Runtime, sent: bytes) -> None:
    """An answer before the body arrives although the rest of the body comes after it."""
    head = _head("sk-none", 4_000_000).removesuffix(b"\r\n") + sent + b"\r\n"
    # Until the body is there, however busy the computer is.
    async with (
        listening(runtime, limits=replace(LIMITS, rest_of_body=30.0)) as url,
        _connected(url, head) as (reader, writer),
    ):
        await asyncio.sleep(0.2)
        for _ in range(4):
            writer.write(b" " * 1_000_000)
            await writer.drain()
        assert (await reader.readline()).split()[1] == b"401"
        await _rest(reader)


async def test_those_that_are_told_are_not_kept(runtime: Runtime, key: str) -> None:
    """Whoever is answered 503 and says nothing is closed after a while, or for the next that is told so."""
    busy = Limits(connections=2, refused=3, head=60.0, body=60.0, quiet=60.0, rest_of_body=1.0)
    async with listening(runtime, limits=busy) as url, AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(_connected(url, _head(key, 1_000), b"{"))
        await asyncio.sleep(0.2)
        told = [await stack.enter_async_context(_connected(url)) for _ in range(9)]
        for reader, _ in told:
            assert (await _rest(reader)).startswith(b"HTTP/1.1 503 ")
        await asyncio.sleep(busy.rest_of_body + 1.0)
        assert [True] * 9 == [await _is_dropped(writer) for _, writer in told]


async def test_a_pause_between_requests_is_no_offence(runtime: Runtime, key: str) -> None:
    """A client that keeps its connection is served on it again and again."""
    limits = Limits(connections=4, head=1.0)
    async with (
        listening(runtime, limits=limits) as url,
        httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as call,
    ):
        for _ in range(4):
            assert (await call.get("/v1/memories")).status_code == 200
            await asyncio.sleep(0.6)
