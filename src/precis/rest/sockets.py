"""What a connection is given: the certificate by which it is HTTPS, and limits of number, time and bytes.

A renewed certificate is used from the next connection on.

A system that closes a socket with something unread in it resets the connection, and a reset takes away what the other
side has not read yet. So the server says that it sends nothing more, and reads on for a while (RFC 9112, 9.6).
"""

from __future__ import annotations

import asyncio
import resource
import select
import socket
import ssl
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from inspect import CORO_CREATED, getcoroutinestate
from pathlib import Path
from typing import Any

import structlog
from cryptography import x509

from precis.errors import ConfigurationError
from precis.settings import Settings

#: Most connections, and file descriptors that are left to the database, the log and whatever else opens files.
_MOST, _RESERVED = 1_000, 96
#: Connections that are had however few files are left.
LEAST = 8
#: Most connections that are read to their end, and the part of the reserved files that they may take.
_MOST_REFUSED, _REFUSED_PART = 256, 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a connection may take, in seconds where nothing else is said."""

    #: At once; one more closes the oldest that waits for its client, or is answered 503.
    connections: int = field(default_factory=lambda: affordable(_files()))
    #: Besides these, connections that were answered 503 and are read to their end; their files are reserved ones.
    refused: int = field(default_factory=lambda: spare(_files()))
    #: From the first byte, or from the beginning of the connection, to the end of a request's head.
    head: float = 10.0
    #: For a body that comes slowly, and bytes a second that are not slow.
    body: float = 10.0
    body_rate: float = 1_024.0
    #: A body is still read so long after its request was answered, so that the answer arrives.
    rest_of_body: float = 2.0
    #: For an answer of which nothing is taken.
    answer: float = 30.0
    #: After which a connection without a byte of its body may give way to another one, and one whose head has not
    #: come is the first to.
    quiet: float = 1.0
    #: Whole seconds for requests under way once the server was told to stop: one that refreshes inline may take ten.
    grace: int = 20

    @property
    def pause(self) -> float:
        """Seconds without a byte of its body after which a connection gives way, with a 503, where no other can."""
        return self.quiet / 5


def affordable(files: int) -> int:
    """How many connections a process may have that may have so many open files."""
    if files == resource.RLIM_INFINITY:
        return _MOST
    return min(_MOST, max(LEAST, files - max(_RESERVED, files // 4)))


def spare(files: int) -> int:
    """How many more such a process may read to their end after it told them that there is no room."""
    if files == resource.RLIM_INFINITY:
        return _MOST_REFUSED
    return max(1, min(_MOST_REFUSED, (files - affordable(files)) // _REFUSED_PART))


def _files() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


# --- how a connection is closed ---


def refusal(status: bytes, detail: bytes, headers: bytes = b"") -> bytes:
    """A whole answer, after which the connection is closed."""
    body = b'{"detail":"%s"}' % detail
    head = b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-type: application/json\r\n%scontent-length: %d\r\n\r\n"
    return head % (status, headers, len(body)) + body


#: What is sent where there is no room for one more connection.
NO_ROOM = refusal(b"503 Service Unavailable", b"too many connections", b"retry-after: 5\r\n")
#: What is sent to whoever takes too long for a request.
TOO_SLOW = refusal(b"408 Request Timeout", b"the request came too slowly")
#: What is sent to whoever comes while the server stops.
STOPPING = refusal(b"503 Service Unavailable", b"the server is stopping", b"retry-after: 5\r\n")


class Leaving:
    """A transport that stays open for reading when it is closed while the other side still sends."""

    def __init__(self, transport: asyncio.Transport, is_sending: Callable[[], bool]) -> None:
        self._transport, self._is_sending = transport, is_sending
        #: Whether it was closed, and what comes is read and dropped.
        self.lingers = False
        self._unread = 0
        self._unread_since = asyncio.get_running_loop().time()

    def __getattr__(self, name: str) -> Any:
        """Everything but closing is the transport's own."""
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.lingers or self._transport.is_closing()

    def close(self) -> None:
        """Send what was written and an end; read on where the other side still sends."""
        if self.is_closing() or not self._is_sending():
            self._transport.close()
        else:
            self.linger()

    def linger(self) -> None:
        """Send nothing more, and read until the other side ends, or until ``hang_up``."""
        self.lingers = True
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._transport.resume_reading()

    def hang_up(self) -> None:
        """Close; what the kernel does not take at once is dropped."""
        if self._transport.get_write_buffer_size():
            self._transport.abort()
        else:
            self._transport.close()

    def unread_for(self, now: float) -> float:
        """Seconds for which the other side has taken nothing of what waits for it."""
        unread = self._transport.get_write_buffer_size()
        if not unread or unread < self._unread:
            self._unread_since = now
        self._unread = unread
        return now - self._unread_since

    def has_bytes(self) -> bool:
        """Whether something came that was not read yet, be it the end."""
        taken = self._transport.get_extra_info("socket")
        if taken is None or taken.fileno() < 0:
            return True  # it has just ended
        poll = select.poll()
        poll.register(taken.fileno(), select.POLLIN)
        return bool(poll.poll(0))


_log = structlog.get_logger(__name__)
#: Seconds between two lines in the log that say the same.
_SELDOM = 60.0


class Seldom:
    """Warnings that would fill a log: each event is told once a minute."""

    def __init__(self) -> None:
        self._again: dict[str, float] = {}

    def __call__(self, event: str, **fields: Any) -> None:
        """One line, unless the same was told a moment ago."""
        now = asyncio.get_running_loop().time()
        if now >= self._again.get(event, 0.0):
            self._again[event] = now + _SELDOM
            _log.warning(event, **fields)


class Certificate:
    """Two files, read anew whenever one of them was replaced."""

    def __init__(self, certificate: Path, key: Path | None) -> None:
        self._certificate, self._key = certificate, key
        #: What kept the files from being used when it was told last.
        self._fault = ""
        self._stamp = self._now()
        self._context = self._load()

    @classmethod
    def of(cls, settings: Settings) -> Certificate | None:
        """That of the settings, if any. Raises ConfigurationError where it cannot be used."""
        if settings.tls_certificate is None:
            return None
        try:
            return cls(settings.tls_certificate, settings.tls_key)
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
            message = (
                f"PRECIS_TLS_CERTIFICATE and PRECIS_TLS_KEY are no certificate with its key ({error}): "
                "name PEM files, the key without a passphrase"
            )
            raise ConfigurationError(message) from error

    def context(self) -> ssl.SSLContext:
        """For the next connection. Files that cannot be used leave what was read before."""
        try:
            stamp = self._now()
            if stamp != self._stamp:
                self._stamp = stamp
                self._context = self._load()
                self._fault = ""
                _log.info("certificate_renewed")
        except (OSError, ValueError) as error:
            if self._fault != str(error):
                self._fault = str(error)
                _log.error("certificate_unusable", certificate=str(self._certificate), reason=self._fault)
        return self._context

    def ends_at(self) -> datetime:
        """Until when clients accept it. Raises ValueError."""
        return x509.load_pem_x509_certificates(self._certificate.read_bytes())[0].not_valid_after_utc

    def _now(self) -> list[tuple[int, int, int]]:
        files = [path.stat() for path in (self._certificate, self._key) if path is not None]
        return [(file.st_ino, file.st_size, file.st_mtime_ns) for file in files]

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        # A passphrase would be asked for at a terminal.
        context.load_cert_chain(self._certificate, self._key, password="")
        return context


async def incoming(listener: socket.socket, *, most: int) -> list[socket.socket]:
    """The connections that wait, at most so many; where none does, the next that comes."""
    first, _ = await asyncio.get_running_loop().sock_accept(listener)
    return [first, *waiting_at(listener, most=most - 1)]


def waiting_at(listener: socket.socket, *, most: int) -> list[socket.socket]:
    """The connections that wait, at most so many."""
    arrived: list[socket.socket] = []
    # A listener without more of them raises too; any other error comes again with the next call.
    with suppress(OSError):
        while len(arrived) < most:
            accepted, _ = listener.accept()
            accepted.settimeout(0.0)
            arrived.append(accepted)
    return arrived


async def begin(
    accepted: socket.socket, protocol: Callable[[], asyncio.Protocol], tls: ssl.SSLContext | None = None,
    *, seconds: float | None = None,
) -> None:  # fmt: skip
    """Serve a connection that was accepted; over TLS once both agree on a key, for which there are so many seconds."""
    try:
        await asyncio.get_running_loop().connect_accepted_socket(
            protocol, accepted, ssl=tls, ssl_handshake_timeout=seconds, ssl_shutdown_timeout=seconds
        )
    except OSError:
        accepted.close()  # gone before it was served, or it speaks no TLS


class Agreeing:
    """Connections that have not agreed on a TLS key yet: whoever is slow to do so keeps nobody waiting."""

    def __init__(self) -> None:
        self._sockets: dict[asyncio.Task[None], socket.socket] = {}

    def __len__(self) -> int:
        return len(self._sockets)

    def begin(self, accepted: socket.socket, agreeing: Coroutine[Any, Any, None]) -> None:
        """Let one agree on a key."""
        task = asyncio.get_running_loop().create_task(agreeing)
        self._sockets[task] = accepted
        task.add_done_callback(lambda done: self._sockets.pop(done, None))

    def stop_oldest(self) -> bool:
        """Close the oldest, if there is one."""
        oldest = next(iter(self._sockets), None)
        if oldest is None:
            return False
        accepted = self._sockets.pop(oldest)
        if getcoroutinestate(oldest.get_coro()) == CORO_CREATED:  # type: ignore[arg-type]
            accepted.close()  # nothing of it has run, so it will not close its socket itself
        return oldest.cancel()

    def cancel(self) -> None:
        """Close them all."""
        for task in self._sockets:
            task.cancel()
