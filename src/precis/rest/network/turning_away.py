"""Connections for which there is no room are told so: an answer of a few bytes, without a request."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

#: Most connections that are being told so at once; they are files of those that are reserved.
_MOST = 32


def refusal(status: bytes, detail: bytes, headers: bytes = b"") -> bytes:
    """A whole answer, after which the connection is closed."""
    body = b'{"detail":"%s"}' % detail
    head = b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-type: application/json\r\n%scontent-length: %d\r\n\r\n"
    return head % (status, headers, len(body)) + body


class Leaving:
    """Those that are being told."""

    def __init__(self, *, seconds: float) -> None:
        #: For how long what they send is read.
        self._seconds = seconds
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_full(self) -> bool:
        """Whether nobody more can be told now."""
        return len(self._tasks) >= _MOST

    def tell(self, accepted: socket.socket) -> None:
        """Answer 503 and close, in the background."""
        task = asyncio.get_running_loop().create_task(_tell(accepted, self._seconds))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait(self, seconds: float) -> None:
        """Until one of them has left, at most so long."""
        await asyncio.wait(self._tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    def cancel(self) -> None:
        """Close all of them."""
        for task in self._tasks:
            task.cancel()


async def _tell(accepted: socket.socket, seconds: float) -> None:
    """Answer, and read what comes: a connection that is closed with something unread loses its answer."""
    loop = asyncio.get_running_loop()
    with accepted, suppress(OSError, TimeoutError):
        accepted.send(refusal(b"503 Service Unavailable", b"too many connections", b"retry-after: 5\r\n"))
        accepted.shutdown(socket.SHUT_WR)
        async with asyncio.timeout(seconds):
            while await loop.sock_recv(accepted, 65_536):
                pass
