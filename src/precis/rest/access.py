"""The outermost layer: a line in the log for each request, an answer for each error, a limit for each body."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from precis.rest.errors import answer_to

_log = structlog.get_logger("precis.rest.access")
#: Largest body of a request, in bytes.
MAX_BODY_BYTES = 32 * 2**20
_TOO_LARGE = f"the body is larger than {MAX_BODY_BYTES} bytes; send it in several calls"


@dataclass(kw_only=True, slots=True)
class _Sent:
    """What of the answer went out."""

    send: Send
    status: int | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self.send(message)


class Access:
    """Logs method, route, status and duration. Neither path nor query: a path may hold a key or a user's name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, whatever becomes of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        #: A copy that the layers below change in place: the server's own must keep the path it was asked for.
        scope = {**scope, "state": dict(scope.get("state", {}))}
        sent, started = _Sent(send=send), time.perf_counter()
        try:
            await self._app(scope, receive, sent)
        except ClientDisconnect:
            pass  # nobody is left to answer, and nothing went wrong here
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer and the log no text
            answer = answer_to(error)
            if sent.status is None:
                await answer(scope, receive, sent)
        finally:
            _log.info(
                "request",
                method=scope["method"],
                route=_route(scope),
                status=sent.status,
                tenant_id=scope["state"].get("tenant_id"),
                ms=round((time.perf_counter() - started) * 1000, 1),
            )


@dataclass(kw_only=True, slots=True)
class _Counted:
    """The body as it comes in; an error once it is larger than it may be."""

    receive: Receive
    seen: int = field(default=0)

    async def __call__(self) -> Message:
        message = await self.receive()
        self.seen += len(message.get("body", b""))
        if self.seen > MAX_BODY_BYTES:
            raise HTTPException(status_code=413, detail=_TOO_LARGE)
        return message


class BodyLimit:
    """Refuses a body that is too large: at once where its length is declared, else while it is read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http" and _declared(scope) > MAX_BODY_BYTES:
            await JSONResponse({"detail": _TOO_LARGE}, status_code=413)(scope, receive, send)
            return
        await self._app(scope, _Counted(receive=receive), send)


def _declared(scope: Scope) -> int:
    value = dict(scope["headers"]).get(b"content-length", b"0")
    return int(value) if value.isdigit() else 0


def _route(scope: Scope) -> str | None:
    """The template that matched, e.g. ``/v1/memories/{memory_id}``; None when nothing did."""
    route: Any = scope.get("route")
    return getattr(route, "path_format", None) or getattr(route, "path", None)
