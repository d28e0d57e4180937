"""What goes wrong between a client and precis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
