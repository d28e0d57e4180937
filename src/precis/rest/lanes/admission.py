"""Requests wait for a place before their body is read; where there is no room they are told when to come again."""

from __future__ import annotations

import asyncio
import os

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from precis.bootstrap import Runtime
from precis.models.aside import aside, seated
from precis.rest.auth import OPEN_PATHS
from precis.rest.lanes.lane import Full, Lane
from precis.rest.metrics import PATH as METRICS
from precis.rest.origins import READS

_FULL = "more requests wait than can be served soon; nothing was read or written, try again after Retry-After"
#: What is sent with POST and writes nothing.
_READING = frozenset({
    "/v1/recall", "/v1/context", "/v1/long-term-memory/search", "/v1/memory/prompt", "/v1/summarize", "/v1/check",
})  # fmt: skip
_MCP, _STATIC = "/mcp", "/page/static/"
#: Parts of the database's connections for writes and for reads; what is left is the worker's and that of /metrics.
_WRITING_PART, _READING_PART = 2, 4
#: Seconds for which a place is kept for more of a body: who sends nothing for so long stops nobody.
_BODY_SECONDS = 0.05
#: Requests worked on at once for each core: more only take turns.
_WRITES_A_CORE, _READS_A_CORE = 4, 2


class Lanes:
    """Reads and writes apart: neither waits for the other."""

    def __init__(self, runtime: Runtime) -> None:
        settings, connections, cores = runtime.settings, runtime.database.pool.max_size, os.cpu_count() or 1
        writes = settings.writes_at_once or max(1, min(connections // _WRITING_PART, _WRITES_A_CORE * cores))
        reads = settings.reads_at_once or max(1, min(connections // _READING_PART, _READS_A_CORE * cores))
        waiting, seconds = settings.requests_waiting, settings.wait_seconds
        pressure = runtime.pressure
        self.writes = Lane("writes", at_once=writes, waiting=waiting, seconds=seconds, pressure=pressure)
        self.reads = Lane("reads", at_once=reads, waiting=waiting, seconds=seconds, pressure=pressure)

    def of(self, method: str, path: str) -> Lane | None:
        """The lane of a request; None for signs of life, what lies ready, and streams that only wait."""
        if path in OPEN_PATHS or path == METRICS or path.startswith(_STATIC):
            return None
        if path == _MCP and method != "POST":
            return None
        # What a call of MCP does stands in its body.
        return self.reads if method in READS or path.rstrip("/") in _READING else self.writes


class Admission:
    """Lets a request through when it has a place; who it is from is known by now, its body is not read."""

    def __init__(self, app: ASGIApp, *, runtime: Runtime) -> None:
        self._app = app
        self._lanes = Lanes(runtime)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. The place is free when the answer begins: a long one is taken at the caller's own pace."""
        lane = self._lanes.of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if lane is None:
            await self._app(scope, receive, send)
            return
        try:
            place = await lane.enter(scope["state"].get("tenant_id") or "")
        except Full as full:
            headers = {"Retry-After": str(full.retry_after)}
            await JSONResponse({"detail": _FULL}, status_code=503, headers=headers)(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                place.leave()
            await send(message)

        try:
            with seated(place):
                await self._app(scope, _Body(receive).receive, sending)
        finally:
            place.leave()


class _Body:
    """The body of a request that has a place, which others have while nothing of the body comes."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._is_read = False

    async def receive(self) -> Message:
        """The next part; and when all of it was read, what else there is."""
        if self._is_read:
            return await self._receive()
        coming = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait({coming}, timeout=_BODY_SECONDS)
            if not coming.done():
                with aside():
                    await asyncio.wait({coming})
        finally:
            coming.cancel()
        message = coming.result()
        self._is_read = message["type"] != "http.request" or not message.get("more_body", False)
        return message
