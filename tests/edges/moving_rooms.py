"""What the tests of moving in share: a proxy before a server that misbehaves on request, and a move."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from precis.app import App
from precis.ids import system_clock
from precis.moving.arrivals import MoveOptions, Origin, Report
from precis.moving.mover import Mover

#: What happens to the n-th request: "pass", "cut", "html", or a status.
Behavior = Callable[[int], str]


@asynccontextmanager
async def behind_proxy(url: str, behavior: Behavior) -> AsyncIterator[str]:
    """The address of a proxy before this server, one request a connection."""
    target = urlsplit(url)
    count = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        request = await _request(reader)
        if request:
            count += 1
            answer = await _answer(behavior(count), request)
            writer.write(answer)
            await writer.drain()
        writer.close()

    async def _answer(how: str, request: bytes) -> bytes:
        if how == "cut":
            return b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n{"
        if how == "html":
            page = b"<html>Just a moment</html>"
            return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(page), page)
        if how != "pass":
            return f"HTTP/1.1 {how} No\r\nContent-Length: 0\r\nRetry-After: 0\r\nConnection: close\r\n\r\n".encode()
        head, _, body = request.partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith((b"connection:", b"host:"))]
        lines += [b"Connection: close", f"Host: {target.netloc}".encode()]
        back, out = await asyncio.open_connection(target.hostname, target.port)
        out.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        answer = await back.read()
        out.close()
        return answer

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _request(reader: asyncio.StreamReader) -> bytes:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
    )
    return head + (await reader.readexactly(length) if length else b"")


def options(**wishes: object) -> MoveOptions:
    """Pages of three rows."""
    return MoveOptions(**{"now": system_clock(), "page": 3, **wishes})  # type: ignore[arg-type]


async def move(app: App, origin: Origin, *, dry_run: bool = False, batch: int = 4) -> Report:
    """Move it in."""
    return await Mover(app, batch=batch, dry_run=dry_run, progress=None).move(origin)


def reasons(report: Report) -> dict[str, int]:
    """How much was left out, by reason."""
    return {entry.reason: entry.count for entry in report.reasons.values()}
