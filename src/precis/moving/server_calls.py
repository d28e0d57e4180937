"""Requests to a Redis Agent Memory Server: what fails in passing is asked again, anything else is an error."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from precis.errors import InvalidInput, StoreUnavailable, Unauthorized

#: Seconds before each further attempt.
WAITS = (0.1, 0.4, 1.5, 5.0)
#: Longest that a server may tell us to wait.
_LONGEST_WAIT = 30.0
_SECONDS = 60.0
_PASSING = frozenset({408, 425, 429})


class Calls:
    """An async context manager over the connections."""

    def __init__(self, url: str, header: str | None, waits: Sequence[float] = WAITS) -> None:
        """Raises InvalidInput."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput("a Redis Agent Memory Server is named by its URL: http://localhost:8000")
        self._host, self._waits = parts.hostname, waits
        # httpx joins paths to the path of the base.
        self._client = httpx.AsyncClient(base_url=url, headers=_headers(header), timeout=_SECONDS)

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def ask(self, method: str, path: str, expected: type = dict, **request: Any) -> Any:
        """The answer, of the expected type; None for 404. Raises StoreUnavailable, Unauthorized, InvalidInput."""
        for wait in (*self._waits, None):
            try:
                answer = await self._client.request(method, path, **request)
                failure, pause = self._failure(answer), _pause(answer)
                if failure is None:
                    value = None if answer.status_code == httpx.codes.NOT_FOUND else answer.json()
                    if value is None or isinstance(value, expected):
                        return value
                    failure = f"answered {type(value).__name__} where {expected.__name__} belongs"
            except (httpx.TransportError, httpx.DecodingError, ValueError) as error:
                failure, pause = type(error).__name__, None
            if wait is None:
                raise StoreUnavailable(
                    f"the server at {self._host} failed {len(self._waits) + 1} times ({method} {path}: {failure}); "
                    "what is moved stays. Run it again to go on"
                )
            await asyncio.sleep(pause or wait)
        return None

    def _failure(self, answer: httpx.Response) -> str | None:
        """What may be otherwise the next time; None for an answer. Raises Unauthorized, InvalidInput."""
        status = answer.status_code
        if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            raise Unauthorized(f"the server at {self._host} answered {status}: give its --header, 'Authorization: …'")
        if status in _PASSING or answer.is_server_error:
            return str(status)
        if not answer.is_success and status != httpx.codes.NOT_FOUND:
            raise InvalidInput(f"the server at {self._host} answered {status}: is it a Redis Agent Memory Server?")
        return None


def _pause(answer: httpx.Response) -> float | None:
    """How long the server tells us to wait."""
    seconds = answer.headers.get("Retry-After", "")
    return min(float(seconds), _LONGEST_WAIT) if seconds.isdecimal() else None


def _headers(header: str | None) -> dict[str, str]:
    if not header:
        return {}
    name, colon, value = header.partition(":")
    if not colon or not name.strip() or not value.strip():
        raise InvalidInput("--header: it should read 'Authorization: Bearer …' or 'X-API-Key: …'")
    return {name.strip(): value.strip()}
