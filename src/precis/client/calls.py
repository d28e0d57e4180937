"""What both clients ask, what they do with an answer, and the errors they raise."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx

#: What a status is called; another one is ``refused`` or, from 500 on, ``failed``.
CODES: Mapping[int, str] = {
    400: "bad_request",
    401: "unauthorized",
    402: "over_ceiling",
    403: "foreign_page",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    409: "conflict",
    410: "forgotten",
    412: "changed",
    413: "too_large",
    415: "not_json",
    421: "foreign_host",
    422: "invalid",
    429: "too_many_attempts",
    503: "unavailable",
}


class ApiError(Exception):
    """precis refused a request or could not be reached.

    ``status`` is that of HTTP, or None where no answer came (``code`` is ``unreachable``) or a task failed
    (``task_failed``). ``request_id`` names the request in the server's log. ``field`` is what was wrong of the request,
    and ``flaws`` has all of it, where the server says so. ``retry_after`` is in seconds.
    """

    def __init__(
        self, message: str, *, code: str, status: int | None = None, request_id: str | None = None,
        field: str | None = None, flaws: list[dict[str, Any]] | None = None, retry_after: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.field = field
        self.flaws = flaws or []
        self.retry_after = retry_after

    def __str__(self) -> str:
        where = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.status or self.code}: {self.message}{where}"


T = TypeVar("T")
#: Nothing was sent: it may be sent again, whatever it is.
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
#: An export and an import are lines of JSON: a text here.
_LINES = "application/x-ndjson"


@dataclass(frozen=True, kw_only=True)
class Call(Generic[T]):
    """A request, whose answer is a T."""

    method: str
    path: str
    params: Mapping[str, Any] | None = None
    #: What is sent as JSON; a text is lines of JSON already.
    body: Mapping[str, Any] | str | None = None
    #: Whether sending it twice does what sending it once does, and answers the same.
    repeatable: bool = True

    def of(self, http: Requests) -> httpx.Request:
        """As httpx sends it: None is left out of a query, dates are written as texts."""
        params = {name: _written(value) for name, value in (self.params or {}).items() if value is not None}
        body, kind = (self.body, _LINES) if isinstance(self.body, str) else (self._json(), "application/json")
        headers = {} if body is None else {"Content-Type": kind}
        return http.build_request(self.method, self.path, params=params, content=body, headers=headers)

    def _json(self) -> str | None:
        return None if self.body is None else json.dumps(self.body, default=_written)


Requests = httpx.Client | httpx.AsyncClient


def _written(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def place(template: str, *names: object) -> str:
    """A path with ids in it, which may hold any character."""
    return template.format(*(quote(str(name), safe="") for name in names))


def named(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each with an id, so that a write that is sent twice is written once."""
    return [{**row, "id": row.get("id") or str(uuid4())} for row in rows]


@dataclass(frozen=True, kw_only=True, slots=True)
class Retries:
    """How often a request is sent again, and after how long: as long as the server says, or twice as long each time."""

    times: int = 3
    #: Seconds.
    first: float = 0.5
    #: Where the server asks for more patience, its refusal is raised instead.
    longest: float = 30.0

    def before_next(self, call: Call[T], attempt: int, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Seconds until the same is sent again; None where it is not, or need not be."""
        if attempt >= self.times or not _may_be_sent_again(call, outcome):
            return None
        after = None if isinstance(outcome, httpx.TransportError) else _retry_after(outcome)
        if after is not None:
            return after if after <= self.longest else None
        return min(self.first * 2.0**attempt, self.longest)


def _may_be_sent_again(call: Call[T], outcome: httpx.Response | httpx.TransportError) -> bool:
    if isinstance(outcome, httpx.TransportError):
        return call.repeatable or isinstance(outcome, _NOT_SENT)
    # 429 is answered at the door, before anything is done.
    return outcome.status_code == 429 or (outcome.status_code == 503 and call.repeatable)


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() else None


def answer_of(response: httpx.Response) -> Any:
    """What was answered; None for no content, a text for lines of JSON. Raises ApiError."""
    if not response.is_success:
        raise _refusal(response)
    kind = response.headers.get("content-type", "no content type")
    if not response.content or kind.startswith(_LINES):
        return response.text or None
    try:
        return response.json()
    except ValueError as error:
        message = f"the answer of {response.url} is not JSON ({kind}): is this the address of precis?"
        raise ApiError(message, code="unreachable") from error


def _refusal(response: httpx.Response) -> ApiError:
    status, body = response.status_code, _json(response)
    detail = body.get("detail", response.reason_phrase)
    flaws = detail if isinstance(detail, list) else []
    places = [".".join(str(part) for part in flaw["loc"]) for flaw in flaws]
    message = "; ".join(f"{name}: {flaw['msg']}" for name, flaw in zip(places, flaws, strict=True)) or str(detail)
    return ApiError(
        message, code=CODES.get(status, "refused" if status < 500 else "failed"), status=status,
        request_id=response.headers.get("x-request-id"), field=body.get("field") or next(iter(places), None),
        flaws=flaws, retry_after=_retry_after(response),
    )  # fmt: skip


def _json(response: httpx.Response) -> dict[str, Any]:
    """The body of a refusal; something between may have answered in precis's place."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def unreachable(error: httpx.TransportError) -> ApiError:
    """No answer came."""
    return ApiError(f"no answer came: {error or type(error).__name__}", code="unreachable")
