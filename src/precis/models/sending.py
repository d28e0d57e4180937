"""Whether an attempt's request left this process: only what may have reached the provider counts as spent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Sending:
    """One attempt: connecting and TLS come first, then its request is written."""

    def __init__(self) -> None:
        #: Set before the first byte is written, so that in doubt it counts.
        self.begun = False

    async def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Called by the HTTP client at each of its steps, such as ``http11.send_request_headers.started``."""
        if event.endswith(".send_request_headers.started") and not _opens_a_tunnel(details):
            self.begun = True


#: The attempt that this task makes.
_CURRENT: ContextVar[Sending | None] = ContextVar("sending", default=None)


@contextmanager
def watched(sending: Sending) -> Iterator[None]:
    """Let the requests of a block tell ``sending`` how far they come."""
    token = _CURRENT.set(sending)
    try:
        yield
    finally:
        _CURRENT.reset(token)


async def watch(request: Any) -> None:
    """For the request hooks of an httpx client."""
    sending = _CURRENT.get()
    if sending is not None:
        request.extensions["trace"] = sending.trace


def _opens_a_tunnel(details: Mapping[str, Any]) -> bool:
    """A proxy is asked for a connection to the endpoint; the endpoint has seen nothing yet."""
    return getattr(details.get("request"), "method", None) == b"CONNECT"
