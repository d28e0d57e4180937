"""The certificate by which the server speaks HTTPS; a renewed one is used from the next connection on."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import structlog

from precis.errors import ConfigurationError
from precis.settings import Settings

_log = structlog.get_logger(__name__)


class Certificate:
    """Two files, read anew whenever one of them was replaced."""

    def __init__(self, certificate: Path, key: Path | None) -> None:
        self._certificate, self._key = certificate, key
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
                _log.info("certificate_renewed")
        except (OSError, ValueError) as error:
            _log.error("certificate_unusable", reason=str(error))
        return self._context

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
