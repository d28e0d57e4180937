"""What a worker counts, told at a port of its own: it has no API that would tell it."""

import hmac
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET6
from threading import Thread

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from precis import __version__
from precis.errors import ConfigurationError
from precis.metrics import COUNTED

#: Seconds a scraper has for its request.
_PATIENCE = 10


def build_info() -> Metric:
    """What runs in this process."""
    gauge = GaugeMetricFamily("precis_build_info", "What serves: always 1.", labels=["version", "python"])
    gauge.add_metric([__version__, platform.python_version()], 1)
    return gauge


class _Worker(Collector):
    """Of a process without an API."""

    def collect(self) -> Iterator[Metric]:
        """What it counted, and what it is."""
        yield build_info()
        yield from COUNTED.collect()


class _Handler(BaseHTTPRequestHandler):
    """Answers scrapers; with ``key`` only those that send it."""

    key: str | None = None
    timeout = _PATIENCE
    server_version, sys_version = "precis", ""

    def do_GET(self) -> None:
        """The figures, wherever they are asked for but at no other path than Prometheus's own."""
        if self.path.partition("?")[0] != "/metrics":
            self._answer(404, b"there is only /metrics here\n")
        elif not self._is_known():
            self._answer(401, b"send that of PRECIS_METRICS_KEY as Authorization: Bearer\n")
        else:
            registry = CollectorRegistry()
            registry.register(_Worker())
            self._answer(200, generate_latest(registry), CONTENT_TYPE_LATEST)

    def _is_known(self) -> bool:
        scheme, _, sent = self.headers.get("Authorization", "").partition(" ")
        return self.key is None or (
            scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode(), self.key.encode())
        )

    def _answer(self, status: int, body: bytes, kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status == 401:
            self.send_header("WWW-Authenticate", 'Bearer realm="precis"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """A scrape is no line of the log."""


@contextmanager
def told_at(host: str, port: int, key: str | None) -> Iterator[None]:
    """Tell the figures there for the length of a block. Raises ConfigurationError."""
    handler = type("_Keyed", (_Handler,), {"key": key})
    server_class = _Server6 if ":" in host else ThreadingHTTPServer
    try:
        server = server_class((host.strip("[]"), port), handler)
    except (OSError, OverflowError) as error:
        raise ConfigurationError(
            f"cannot listen on {host}:{port}: {error}; choose another --metrics-host or --metrics-port"
        ) from error
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server6(ThreadingHTTPServer):
    """Of an IPv6 address."""

    address_family = AF_INET6
