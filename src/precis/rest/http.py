"""HTTP around the routes: a line in the log for each request, an answer for each error, a limit for each body."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from precis.errors import (
    BudgetExhausted,
    Conflict,
    DraftFailed,
    Forgotten,
    InvalidInput,
    LeaseLost,
    NoSlot,
    NotFound,
    PrecisError,
    SourceChanged,
    StoreUnavailable,
    Unauthorized,
)
from precis.ids import new_id

_log = structlog.get_logger("precis.rest.access")
#: Largest body of a request, in bytes.
MAX_BODY_BYTES = 32 * 2**20
_TOO_LARGE = f"the body is larger than {MAX_BODY_BYTES} bytes; send it in several calls"
#: The first class that fits decides. 402 for the ceiling: trying again does not help before the month turns.
_STATUS: tuple[tuple[type[PrecisError], int], ...] = (
    (InvalidInput, 422),
    (NotFound, 404),
    (Forgotten, 410),
    (Conflict, 409),
    (LeaseLost, 409),
    (SourceChanged, 409),
    (Unauthorized, 401),
    (BudgetExhausted, 402),
    (NoSlot, 503),
    (DraftFailed, 503),
    (StoreUnavailable, 503),
)
_HEADERS: Mapping[int, Mapping[str, str]] = {
    401: {"WWW-Authenticate": 'Bearer realm="precis"'},
    503: {"Retry-After": "5"},
}


# --- errors: a status and ``{"detail": ...}``, never a text of a memory and never a secret ---


def answer_to(error: Exception) -> JSONResponse:
    """The response for any error; one that is not foreseen is logged by its type and place only."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), None)
    if status is None:
        return _unforeseen(error)
    body: dict[str, Any] = {"detail": str(error)}
    if isinstance(error, InvalidInput) and error.field is not None:
        body["field"] = error.field
    return JSONResponse(body, status_code=status, headers=dict(_HEADERS.get(status, {})))


def answer_errors(api: FastAPI) -> None:
    """Answer precis's errors and those of body validation."""

    async def precis_error(request: Request, error: Exception) -> JSONResponse:
        del request
        return answer_to(error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        del request
        flaws = error.errors() if isinstance(error, RequestValidationError) else []
        # Without what was sent: that may be the text of a memory.
        detail = [{"type": flaw["type"], "loc": list(flaw["loc"]), "msg": flaw["msg"]} for flaw in flaws]
        return JSONResponse({"detail": detail}, status_code=422)

    api.add_exception_handler(PrecisError, precis_error)
    api.add_exception_handler(RequestValidationError, invalid)


def flaw(message: str, *place: str | int, kind: str = "value_error") -> RequestValidationError:
    """What pydantic would say of one place in a request."""
    return RequestValidationError([{"type": kind, "loc": place, "msg": message, "input": None}])


def _unforeseen(error: Exception) -> JSONResponse:
    """The message of an unforeseen error may quote a row, so neither the caller nor the log sees it."""
    id_ = new_id()
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    _log.error("internal_error", id=id_, error=type(error).__name__, where=where)
    return JSONResponse({"detail": f"internal error {id_}"}, status_code=500)


# --- the outermost layers ---


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


def _route(scope: Scope) -> str | None:
    """The template that matched, e.g. ``/v1/memories/{memory_id}``; None when nothing did."""
    route: Any = scope.get("route")
    return getattr(route, "path_format", None) or getattr(route, "path", None)


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
