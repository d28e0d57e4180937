"""Connections: how many there are at once, and how long each may take before its request is there and answered.

uvicorn waits for the head of a first request, for a body and for a reader as long as the other side likes, and takes as
many connections as come; asyncio calls accept() 2,048 times over where no file descriptor is left, with a traceback
each. So precis accepts connections itself, and looks through them twice a second.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import h11
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from precis.rest.certificate import Certificate, begin

_log = structlog.get_logger(__name__)

#: No connection can be had because something of the system's has run out.
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
#: Most connections, and file descriptors that are left to the database, the log and whatever else opens files.
_MOST, _RESERVED = 1_000, 96
#: Connections that are had however few files are left.
_LEAST = 8
#: Seconds before accept() is tried again, and between two lines in the log that say the same.
_BACK_OFF, _SELDOM = 0.25, 60.0
_LOOK_EVERY = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a connection may take, in seconds where nothing else is said."""

    #: At once; one more closes the oldest that no request has come through, or is answered 503.
    connections: int = field(default_factory=lambda: affordable(resource.getrlimit(resource.RLIMIT_NOFILE)[0]))
    #: From the first byte, or from the beginning of the connection, to the end of a request's head.
    head: float = 10.0
    #: For a body that comes slowly, and bytes a second that are not slow.
    body: float = 10.0
    body_rate: float = 1_024.0
    #: A body is still read so long after its request was answered, so that the answer arrives.
    rest_of_body: float = 2.0
    #: For an answer of which nothing is taken.
    answer: float = 30.0
    #: After which a connection without a byte of its body may give way to another one.
    quiet: float = 1.0
    #: Whole seconds for requests under way once the server was told to stop: one that refreshes inline may take ten.
    grace: int = 20


def affordable(files: int) -> int:
    """How many connections a process may have that may have so many open files."""
    if files == resource.RLIM_INFINITY:
        return _MOST
    return min(_MOST, max(_LEAST, files - max(_RESERVED, files // 4)))


class Connection(H11Protocol):
    """An HTTP connection that knows what it waits for, and since when.

    uvicorn's own log of it is quiet: a line for each broken request would fill a disk, and the path it prints may hold
    a key.
    """

    def __init__(self, *args: Any, watch: Watch, **options: Any) -> None:
        super().__init__(*args, **options)
        self.access_log = False
        self.logger = _QUIET
        self._watch = watch
        self._now = self.loop.time
        #: When what it waits for began, and when the last byte came.
        self.since = self.heard = self._now()
        #: Bytes since then.
        self.received = 0
        #: Whether a request of it was ever answered.
        self.is_known = False
        self._unread = 0
        self._unread_since = self.since

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Join the connections that are watched."""
        super().connection_made(transport)
        self._watch.connections[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the connections that are watched."""
        self._watch.connections.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some bytes, and note when they came."""
        before = self.conn.their_state
        self.heard = self._now()
        if before is h11.IDLE and not self.received:
            self.since = self.heard
        self.received += len(data)
        super().data_received(data)
        if self.conn.their_state is not before:
            self._begin()

    def on_response_complete(self) -> None:
        """The answer is out: what comes next is another request, or a body that nobody reads."""
        self.is_known = True
        self._begin()
        super().on_response_complete()

    def _begin(self) -> None:
        self.since, self.received = self._now(), 0

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the head of a request."""
        return self.conn.their_state is h11.IDLE

    @property
    def waits_for_body(self) -> bool:
        """Whether the other side has to send more of a body."""
        return self.conn.their_state is h11.SEND_BODY

    @property
    def is_answered(self) -> bool:
        """Whether its last request was answered in full."""
        return self.cycle is not None and self.cycle.response_complete

    def overdue(self, limits: Limits) -> bool:
        """Whether the other side has taken too long for what it should do now. The watch asks twice a second."""
        now = self._now()
        if self._unread_for(now) > limits.answer:
            return True
        if self.is_idle:
            return now - self.since > limits.head
        if not self.waits_for_body:
            return False
        if self.is_answered:
            return now - self.since > limits.rest_of_body
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            self._begin()  # it may not send now, so this time is not its own
        return now - self.since > limits.body and self.received < limits.body_rate * (now - self.since)

    def _unread_for(self, now: float) -> float:
        """Seconds for which the other side has taken nothing of what waits for it."""
        unread = self.transport.get_write_buffer_size()
        if not unread or unread < self._unread:
            self._unread_since = now
        self._unread = unread
        return now - self._unread_since

    def rank(self, limits: Limits) -> int | None:
        """How soon it gives way to another connection: 0 first; None where somebody is being served."""
        if self.is_idle:
            return 1 if self.is_known else 0
        if not self.waits_for_body:
            return None
        if self.is_answered:
            return 1
        is_quiet = not self.flow.read_paused and self._now() - self.heard > limits.quiet
        return 2 if is_quiet else None

    def end(self) -> None:
        """Close; a request that has begun and was not answered is told that it was too slow."""
        self._unset_keepalive_if_required()
        is_waiting = bool(self.received) if self.is_idle else not self.is_answered
        if is_waiting and not (self.waits_for_body and self.cycle.response_started) and not self.transport.is_closing():
            self.transport.write(_refusal(b"408 Request Timeout", b"the request came too slowly"))
        self._watch.close(self)


class Watch:
    """Every connection of a server, oldest first: accepted up to a number, looked through, closed when overdue."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        #: In the order in which they came.
        self.connections: dict[Connection, None] = {}
        #: Those that have not agreed on a TLS key yet.
        self._agreeing: set[asyncio.Task[None]] = set()
        #: At once, as far as is known: fewer than the limit once files have run out.
        self._most = limits.connections
        self._most_until = 0.0
        self._logged: dict[str, float] = {}

    async def accept(
        self, listener: socket.socket, protocol: Callable[[], Connection], certificate: Certificate | None = None
    ) -> None:
        """Take connections until cancelled; with a certificate only those that speak TLS."""
        loop = asyncio.get_running_loop()
        listener.settimeout(0.0)
        try:
            while True:
                try:
                    accepted, _ = await loop.sock_accept(listener)
                except OSError as error:
                    await self._recover(error)
                    continue
                if not self._make_room():
                    _turn_away(accepted, is_plain=certificate is None)
                    continue
                if certificate is None:
                    await begin(accepted, protocol)
                    continue
                # Whoever is slow to agree on a key keeps nobody waiting.
                agreeing = loop.create_task(begin(accepted, protocol, certificate.context(), seconds=self.limits.head))
                self._agreeing.add(agreeing)
                agreeing.add_done_callback(self._agreeing.discard)
        finally:
            for agreeing in self._agreeing:
                agreeing.cancel()

    async def look(self) -> None:
        """Close connections that are overdue, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            if asyncio.get_running_loop().time() > self._most_until:
                self._most = self.limits.connections
            for connection in list(self.connections):
                if connection.overdue(self.limits):
                    connection.end()

    def close(self, connection: Connection) -> None:
        """Close; what the kernel does not take at once is dropped."""
        self.connections.pop(connection, None)
        if connection.transport.get_write_buffer_size():
            connection.transport.abort()
        else:
            connection.transport.close()

    def _make_room(self) -> bool:
        """Whether one more connection may be had, if need be in place of an older one."""
        if len(self.connections) + len(self._agreeing) < self._most:
            return True
        self._seldom("connections_full", connections=len(self.connections))
        return self._close_one()

    def _close_one(self) -> bool:
        ranked = [(connection.rank(self.limits), connection) for connection in self.connections]
        idle = [(rank, connection.since, connection) for rank, connection in ranked if rank is not None]
        if not idle:
            return False
        self.close(min(idle, key=lambda place: place[:2])[2])
        return True

    async def _recover(self, error: OSError) -> None:
        """Where something has run out, make do with three quarters of the connections for a while."""
        if error.errno not in _EXHAUSTED:
            return
        self._seldom("accept_failed", error=errno.errorcode[error.errno or 0], connections=len(self.connections))
        self._most = max(_LEAST, 3 * len(self.connections) // 4)
        self._most_until = asyncio.get_running_loop().time() + _SELDOM
        while len(self.connections) > self._most and self._close_one():
            pass
        await asyncio.sleep(_BACK_OFF)

    def _seldom(self, event: str, **fields: Any) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._logged.get(event, 0.0):
            self._logged[event] = now + _SELDOM
            _log.warning(event, **fields)


def _turn_away(accepted: socket.socket, *, is_plain: bool) -> None:
    """Everybody who is connected is being served: 503, as far as it can be told without waiting."""
    with accepted:
        if not is_plain:
            return
        try:
            accepted.send(_refusal(b"503 Service Unavailable", b"too many connections", b"retry-after: 5\r\n"))
            accepted.shutdown(socket.SHUT_WR)
        except OSError:
            return


def _refusal(status: bytes, detail: bytes, headers: bytes = b"") -> bytes:
    body = b'{"detail":"%s"}' % detail
    head = b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-type: application/json\r\n%scontent-length: %d\r\n\r\n"
    return head % (status, headers, len(body)) + body


_QUIET = logging.getLogger("precis.rest.http")
_QUIET.setLevel(logging.ERROR)
