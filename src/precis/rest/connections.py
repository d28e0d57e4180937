"""Connections: how many there are at once, and how long each may take before its request is there and answered.

uvicorn waits for the head of a first request, for a body and for a reader as long as the other side likes, and takes as
many connections as come; asyncio calls accept() 2,048 times over where no file descriptor is left, with a traceback
each. So precis accepts connections itself, and looks through them twice a second.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from precis.rest import sockets

#: No connection can be had because something of the system's has run out.
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
#: Seconds before accept() is tried again, for which there are fewer connections then, and between two looks.
_BACK_OFF, _FEWER, _LOOK_EVERY = 0.25, 60.0, 0.5
#: So many connections that wait are begun together: under load a turn of the loop is long, and many come at once.
_AT_ONCE = 32
#: In which states the other side may send more of a request that was answered.
_SENDING = frozenset({h11.SEND_BODY, h11.ERROR})
#: The ranks of whoever has just come, and of whoever has only paused in a body: the last of all.
_NEW, _PAUSING = 2, 4


class Connection(H11Protocol):
    """An HTTP connection that knows what it waits for, and since when.

    uvicorn's own log of it is quiet: a line for each broken request would fill a disk, and the path it prints may hold
    a key.
    """

    def __init__(self, *args: Any, watch: Watch, is_refused: bool = False, **options: Any) -> None:
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
        #: Whether there was no room for it from the start.
        self.is_refused = is_refused
        self._stops = False
        self.leaving: sockets.Leaving

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Join the connections that are watched."""
        self.leaving = sockets.Leaving(transport, lambda: self.conn.their_state in _SENDING)
        super().connection_made(cast("asyncio.Transport", self.leaving))
        if self.is_refused:
            self.refuse()
        else:
            self._watch.connections[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the connections that are watched."""
        self._watch.drop(self)
        super().connection_lost(exc)

    def refuse(self, answer: bytes = sockets.NO_ROOM) -> None:
        """Say that there is no room; whatever request is on its way is read to its end, so that the answer arrives."""
        self.transport.write(answer)
        self.leaving.linger()
        self._begin()
        self._watch.refuse(self)

    def data_received(self, data: bytes) -> None:
        """Take some bytes, and note when they came."""
        if self.leaving.lingers:
            return
        before = self.conn.their_state
        self.heard = self._now()
        if before is h11.IDLE and not self.received:
            self.since = self.heard
        self.received += len(data)
        super().data_received(data)
        if self._stops and self.cycle is not None:
            self.cycle.keep_alive = False
        if self.conn.their_state is not before:
            self._begin()

    def shutdown(self) -> None:
        """The server stops: a request that is under way, on its way or about to come is answered, if only by 503."""
        self._stops = True
        if self.is_idle and self.leaving.has_bytes():
            return  # it is read next
        if self.is_idle and not (self.is_known or self.received or self.leaving.is_closing()):
            self.refuse(sockets.STOPPING)
        else:
            super().shutdown()

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
    def _waits_for_body(self) -> bool:
        """Whether the other side has to send more of a body."""
        return self.conn.their_state is h11.SEND_BODY

    @property
    def _is_answered(self) -> bool:
        """Whether its last request was answered in full."""
        return self.cycle is not None and self.cycle.response_complete

    def overdue(self, limits: sockets.Limits) -> bool:
        """Whether the other side has taken too long for what it should do now. The watch asks twice a second."""
        now = self._now()
        if self.leaving.unread_for(now) > limits.answer:
            return True
        if self.leaving.lingers:
            return now - self.since > limits.rest_of_body
        if self.is_idle:
            return now - self.since > limits.head
        if not self._waits_for_body:
            return False
        if self._is_answered:
            return now - self.since > limits.rest_of_body
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            self._begin()  # it may not send now, so this time is not its own
        return now - self.since > limits.body and self.received < limits.body_rate * (now - self.since)

    def rank(self, limits: sockets.Limits) -> int | None:
        """How soon it gives way to another connection: 0 first; None where somebody is being served.

        Whoever has just come is not the first: its request may be on its way.
        """
        now = self._now()
        if self.is_idle:
            return 1 if self.is_known else 0 if now - self.since > limits.quiet else _NEW
        if self.leaving.lingers or (self._waits_for_body and self._is_answered):
            return 1
        if not self._waits_for_body or self.flow.read_paused:
            return None
        silence = now - self.heard
        return 3 if silence > limits.quiet else _PAUSING if silence > limits.pause else None

    def close_with(self, answer: bytes) -> None:
        """Close; a request that has begun and was not answered is told this."""
        self._unset_keepalive_if_required()
        is_waiting = bool(self.received) if self.is_idle else not self._is_answered
        has_begun = self._waits_for_body and self.cycle.response_started
        if is_waiting and not has_begun and not self.transport.is_closing():
            self.transport.write(answer)
        self._watch.close(self)


class Watch:
    """Every connection of a server, oldest first: accepted up to a number, looked through, closed when overdue."""

    def __init__(self, limits: sockets.Limits) -> None:
        self.limits = limits
        #: In the order in which they came.
        self.connections: dict[Connection, None] = {}
        #: Those that were answered 503 and are read to their end.
        self._refused: dict[Connection, None] = {}
        self._agreeing = sockets.Agreeing()
        #: At once, as far as is known: fewer than the limit once files have run out.
        self._most = limits.connections
        self._most_until = 0.0
        self._warn = sockets.Seldom()

    async def accept(
        self,
        listener: socket.socket,
        protocol: Callable[..., Connection],
        certificate: sockets.Certificate | None = None,
    ) -> None:
        """Take connections until cancelled; with a certificate only those that speak TLS."""
        listener.settimeout(0.0)
        try:
            while True:
                try:
                    arrived = await sockets.incoming(listener, most=_AT_ONCE)
                except OSError as error:
                    await self._recover(error)
                else:
                    await self._take(arrived, protocol, certificate)
        finally:
            self._agreeing.cancel()

    async def take_last(self, listener: socket.socket, protocol: Callable[..., Connection]) -> None:
        """Take what waits to be accepted, before the listener is closed: it would be reset."""
        await self._take(sockets.waiting_at(listener, most=self.limits.connections), protocol, None)

    async def _take(
        self,
        arrived: Sequence[socket.socket],
        protocol: Callable[..., Connection],
        certificate: sockets.Certificate | None,
    ) -> None:
        """Begin them together: none waits for another one."""
        plain: list[Coroutine[Any, Any, None]] = []
        for accepted in arrived:
            has_room = self._make_room(len(plain))
            if certificate is None:
                plain.append(sockets.begin(accepted, partial(protocol, is_refused=not has_room)))
            elif has_room:
                agreed = sockets.begin(accepted, protocol, certificate.context(), seconds=self.limits.head)
                self._agreeing.begin(accepted, agreed)
            else:
                accepted.close()
        await asyncio.gather(*plain)

    async def look(self) -> None:
        """Close connections that are overdue, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            if asyncio.get_running_loop().time() > self._most_until:
                self._most = self.limits.connections
            for connection in [*self.connections, *self._refused]:
                if connection.overdue(self.limits):
                    connection.close_with(sockets.TOO_SLOW)

    def close(self, connection: Connection) -> None:
        """Close; what the kernel does not take at once is dropped."""
        self.drop(connection)
        connection.leaving.hang_up()

    def drop(self, connection: Connection) -> None:
        """Watch it no more."""
        self.connections.pop(connection, None)
        self._refused.pop(connection, None)

    def refuse(self, connection: Connection) -> None:
        """Read this one to its end, though it has no place any more; of too many, or without files, none is."""
        self.drop(connection)
        self._refused[connection] = None
        most = self.limits.refused if self._most == self.limits.connections else 0
        while len(self._refused) > most:
            self.close(next(iter(self._refused)))

    def _make_room(self, beginning: int = 0) -> bool:
        """Whether one more connection may be had besides those that begin, if need be in place of an older one."""
        if len(self.connections) + len(self._agreeing) + beginning < self._most:
            return True
        self._warn("connections_full", connections=len(self.connections))
        return self._close_one()

    def _close_one(self, *, tells: bool = True) -> bool:
        """Close the one that may give way first; one that has just come is told so. No bytes of it wait to be read."""
        ranked = [(connection.rank(self.limits), connection) for connection in self.connections]
        idle = [(rank, connection.since, connection) for rank, connection in ranked if rank is not None]
        for rank, _, connection in sorted(idle, key=lambda place: place[:2]):
            if rank >= _NEW and self._agreeing.stop_oldest():
                return True
            if not connection.leaving.has_bytes():
                if rank == _PAUSING:
                    connection.close_with(sockets.NO_ROOM)
                elif rank == _NEW and tells:
                    connection.refuse()
                else:
                    self.close(connection)
                return True
        return self._agreeing.stop_oldest()

    async def _recover(self, error: OSError) -> None:
        """Where something has run out, make do with three quarters of the connections for a while."""
        if error.errno not in _EXHAUSTED:
            return
        self._warn("accept_failed", error=errno.errorcode[error.errno or 0], connections=len(self.connections))
        self._most = max(sockets.LEAST, 3 * len(self.connections) // 4)
        self._most_until = asyncio.get_running_loop().time() + _FEWER
        while len(self.connections) > self._most and self._close_one(tells=False):
            pass
        await asyncio.sleep(_BACK_OFF)


_QUIET = logging.getLogger("precis.rest.http")
_QUIET.setLevel(logging.ERROR)
