"""HTTP around the routes: a line in the log for each request, a body read strictly, an answer for each error."""

import asyncio
import json
import time
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from precis import errors, ids, metrics
from precis.tracing import Span, received, span, trace_id

_log = structlog.get_logger("precis.rest.access")
#: The first class that fits decides. 402 for the ceiling: trying again does not help before the month turns.
_STATUS: Mapping[int, type[Exception] | tuple[type[Exception], ...]] = {
    422: errors.InvalidInput,
    404: errors.NotFound,
    410: errors.Forgotten,
    412: errors.Changed,
    409: (errors.Conflict, errors.LeaseLost, errors.SourceChanged),
    401: errors.Unauthorized,
    402: errors.BudgetExhausted,
    503: (errors.NoSlot, errors.DraftFailed, errors.StoreUnavailable, errors.Undecryptable, errors.ConfigurationError),
}
#: The header of an answer that says by which id the log has the request.
REQUEST_ID = "X-Request-Id"
_STOPPED = "the server stopped before this was finished; ask again, and what was written already stays as it is"
_UNFORESEEN = 500
#: More digits than a whole number of 64 bits has (Python is slow to read more), and characters of a name in an error.
_DIGITS, _NAME = 25, 60
#: Query parameters that are lists, one value a parameter; and of which route alone, where others read one value.
_REPEATED: Mapping[str, str | None] = {"memory_ids": None, "namespace": "/v1/memories"}
_HEADERS: Mapping[int, Mapping[str, str]] = {
    401: {"WWW-Authenticate": 'Bearer realm="precis"'},
    503: {"Retry-After": "5"},
}


# --- errors: a status and ``{"detail": ...}``, never a text of a memory and never a secret ---


def answer_to(error: Exception, *, request_id: str = "") -> JSONResponse:
    """The response for any error; one that is not foreseen is logged by its type and place only."""
    status = status_of(error)
    if status == _UNFORESEEN:
        # Its message may quote a row, so neither the caller nor the log sees it.
        id_, frames = request_id or ids.new_id(), traceback.extract_tb(error.__traceback__)
        where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        _log.error("internal_error", id=id_, error=type(error).__name__, where=where)
        return JSONResponse({"detail": f"internal error {id_}"}, status_code=status)
    general = error.for_callers if isinstance(error, errors.PrecisError) else None
    if general is not None:
        _log.error("cannot_serve", error=type(error).__name__)
    body: dict[str, Any] = {"detail": general or str(error)}
    if isinstance(error, errors.InvalidInput) and error.field is not None:
        body["field"] = error.field
    return JSONResponse(body, status_code=status, headers=dict(_HEADERS.get(status, {})))


def status_of(error: Exception) -> int:
    """The status of any error; 500 for one that is not foreseen."""
    return next((status for status, kinds in _STATUS.items() if isinstance(error, kinds)), _UNFORESEEN)


def flaw(message: str, *place: str | int, kind: str = "value_error") -> RequestValidationError:
    """What pydantic would say of one place in a request."""
    return RequestValidationError([{"type": kind, "loc": place, "msg": message, "input": None}])


# --- what callers send: ids in paths, queries without surprises, and JSON read strictly ---


class _Anything(Convertor[str]):
    """``{name:anything}``: a part of a path that is an id, which may hold a slash: clients write it as it is."""

    regex = r"[\s\S]+"

    def convert(self, value: str) -> str:
        """As it came."""
        return value

    def to_string(self, value: str) -> str:
        """As it is."""
        return value


register_url_convertor("anything", _Anything())


async def once(request: Request) -> None:
    """Refuse a parameter that would be ignored, since who writes ``DELETE ...?dry_run=true`` means it.

    Either it is given twice where one is read, or it is given to a strict route that reads none at all.
    """
    times = Counter(name for name, _ in request.query_params.multi_items())
    route = request.scope.get("route")
    for name, count in times.items():
        if count > 1 and not (name in _REPEATED and _REPEATED[name] in {None, getattr(route, "path", None)}):
            message = f"query.{name}: it is given more than once; give it once"
            raise errors.InvalidInput(message, field=f"query.{name}")
    if times and isinstance(route, StrictRoute) and not route.dependant.query_params:
        name = next(iter(times))
        raise errors.InvalidInput(f"query.{name}: there is no such parameter here", field=f"query.{name}")


class NotJson(ValueError):
    """The body is no JSON at all; the text of this says why and where."""

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(f"the body is not valid JSON: {reason}")
        #: Characters before it, or bytes.
        self.place = place


def read_json(body: bytes) -> Any:
    """The body as a value. Raises NotJson; and RequestValidationError for a name that an object has twice.

    So it does, naming the place, for numbers that are not finite or longer than 64 bits and half a surrogate pair.
    """
    try:
        value = json.loads(body.decode(), parse_int=_integer, object_pairs_hook=ids.each_once)
    except ids.Doubled as error:
        raise flaw(str(error), "body") from None
    except json.JSONDecodeError as error:
        #: ``msg`` and ``pos`` alone: the whole error holds the body.
        raise NotJson(f"{error.msg} (at character {error.pos})", error.pos) from None
    except UnicodeDecodeError as error:
        raise NotJson(f"it is not UTF-8 (at byte {error.start})", error.start) from None
    except RecursionError:
        raise NotJson("it is nested too deep", 0) from None
    for path, fault in ids.faults_of(value):
        raise flaw(fault, "body", *(part if isinstance(part, int) else part[:_NAME] for part in path))
    return value


def _integer(digits: str) -> int:
    """The number, or some number of more than 64 bits where it has too many digits: it is refused in any case."""
    return int(digits) if len(digits) <= _DIGITS else 2**64


class _CheckedRequest(Request):
    """Reads its body once, as JSON that can be stored."""

    async def json(self) -> Any:
        """The body as a value."""
        if not hasattr(self, "_value"):
            self._value = read_json(await self.body())
        return self._value


class JsonRoute(APIRoute):
    """A route of the wire: what is not JSON is a 422, as its clients expect."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, on a request that was read."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            checked = _CheckedRequest(request.scope, request.receive)
            if self.body_field is not None and await checked.body():
                # Here, for the usual handler takes any error in a body for one of its form.
                await self.read(checked)
            return await handle(checked)

        return strictly

    async def read(self, request: Request) -> None:
        """Read the body of a request that has one. Raises RequestValidationError."""
        if _is_json(request):
            try:
                await request.json()
            except NotJson as error:
                raise flaw(str(error), "body", error.place, kind="json_invalid") from None


class StrictRoute(JsonRoute):
    """A route that takes JSON, declared as such, which a page of another site cannot send without asking first."""

    async def read(self, request: Request) -> None:
        """The same. Raises HTTPException for a body that is declared as something else, or is no JSON at all."""
        if not _is_json(request):
            detail = "the body must be JSON: send it with the header Content-Type: application/json"
            raise HTTPException(status_code=415, detail=detail)
        try:
            await request.json()
        except NotJson as error:
            raise HTTPException(status_code=400, detail=str(error)) from None


def declared_type(request: Request) -> str:
    """What its body is said to be."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_json(request: Request) -> bool:
    declared = declared_type(request)
    return declared == "application/json" or (declared.startswith("application/") and declared.endswith("+json"))


# --- the outermost layer ---


@dataclass(kw_only=True, slots=True)
class _Sent:
    """What of the answer went out; it carries the id of the request."""

    send: Send
    request_id: str
    status: int | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            MutableHeaders(scope=message)[REQUEST_ID] = self.request_id
        await self.send(message)


class Access:
    """Gives each request an id, and logs it. Neither path nor query: a path may hold a key or a user's name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, whatever becomes of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        #: A copy that the layers below change in place: the server's own must keep the path it was asked for.
        scope = {**scope, "state": dict(scope.get("state", {}))}
        sent = _Sent(send=send, request_id=ids.new_id())
        with received(scope["headers"]), span("HTTP", kind="server") as tracing, _bound(sent.request_id):
            try:
                await self._serve(scope, receive, sent)
            finally:
                _tell(tracing, scope, sent)

    async def _serve(self, scope: Scope, receive: Receive, sent: _Sent) -> None:
        started = time.perf_counter()
        try:
            await self._app(scope, receive, sent)
        except asyncio.CancelledError:
            if sent.status is None:  # the server stops, and its grace is over
                await answer_to(errors.StoreUnavailable(_STOPPED))(scope, receive, sent)
            raise
        except ClientDisconnect:
            pass  # nobody is left to answer, and nothing went wrong here
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer and the log no text
            answer = answer_to(error, request_id=sent.request_id)
            if sent.status is None:
                await answer(scope, receive, sent)
        finally:
            route, method, seconds = _route(scope), scope["method"], time.perf_counter() - started
            labels = (route or "none", method if method in metrics.METHODS else "other")
            # Without a status nobody waited for the answer.
            metrics.REQUESTS.labels(*labels, str(sent.status or "none")).inc()
            metrics.REQUEST_SECONDS.labels(*labels).observe(seconds)
            _log.info(
                "request", id=sent.request_id, method=method, route=route, status=sent.status,
                tenant_id=scope["state"].get("tenant_id"), ms=round(seconds * 1000, 1),
            )  # fmt: skip


def _tell(tracing: Span, scope: Scope, sent: _Sent) -> None:
    """What a span tells of a request: its template, never its address; a method that is none is not repeated."""
    route, method = _route(scope), scope["method"] if scope["method"] in metrics.METHODS else "HTTP"
    traits = {
        "http.request.method": method, "http.route": route, "http.response.status_code": sent.status,
        "precis.request_id": sent.request_id,
    }  # fmt: skip
    tracing.note(traits, name=f"{method} {route}" if route else method)
    if sent.status is not None and sent.status >= _UNFORESEEN:
        tracing.failed(str(sent.status))


def _bound(request_id: str) -> AbstractContextManager[None]:
    """Whatever is logged on account of the request names it, and its trace where there is one."""
    trace = trace_id()
    return bound_contextvars(request_id=request_id, **({"trace_id": trace} if trace else {}))


def _route(scope: Scope) -> str | None:
    """The template that matched, e.g. ``/v1/memories/{memory_id}``; None when nothing did."""
    route: Any = scope.get("route")
    return getattr(route, "path_format", None) or getattr(route, "path", None)
