"""Figures of this process and out of the database, for Prometheus.

Row-level security shows one tenant at a time, so tenants are counted one after the other, for two seconds a scrape at
most: those counted longest ago first. Where tenants are many, the figures of some are of an earlier scrape. What a
worker counts is told at a port of its own: it has no API that would tell it.
"""

import asyncio
import hmac
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET6
from threading import Thread
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from precis import __version__, bootstrap, errors
from precis.database.connections import Row
from precis.engine.spending import month_of
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
        raise errors.ConfigurationError(
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


#: Seconds for which an answer is believed, however many scrape, and that one scrape counts.
BELIEVED, _COUNTS_FOR = 5.0, 2.0
#: Tenants that labels name; all others are "other".
_NAMED = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class _Figures:
    """Of one tenant."""

    waiting: int
    failed: int
    stale: int
    #: When the group that waits longest was due; None where none waits.
    oldest: datetime | None
    #: By policy.
    spent: Sequence[Row]


class Census:
    """Counts the tenants of a database, one scrape at a time."""

    def __init__(self, runtime: bootstrap.Runtime, *, timer: Callable[[], float]) -> None:
        self._runtime = runtime
        self._timer = timer
        self._turn = asyncio.Lock()
        #: Those counted longest ago first; None where a tenant was never counted.
        self._tenants: dict[str, _Figures | None] = {}
        self._is_up = False
        self._until: float | None = None

    async def text(self) -> bytes:
        """Everything there is to scrape, in Prometheus's text format."""
        async with self._turn:
            if self._until is None or self._until <= self._timer():
                await self._count()
                self._until = self._timer() + BELIEVED
        registry = CollectorRegistry()
        counted = self._runtime.worker_figures.added_to(COUNTED.collect())
        registry.register(_Scrape([*counted, *self._of_process(), *self._of_database()]))
        return generate_latest(registry)

    async def _count(self) -> None:
        """Count for a while. Without a database, the figures that were counted before are not told."""
        began = self._timer()
        try:
            known = await self._runtime.store.tenants.list()
            order = [*self._tenants, *known]
            self._tenants = {name: self._tenants.get(name) for name in order if name in set(known)}
            never = [name for name, figures in self._tenants.items() if figures is None]
            for tenant_id in [*never, *(name for name in [*self._tenants] if name not in set(never))]:
                if self._timer() >= began + _COUNTS_FOR:
                    break
                figures = await self._of_tenant(tenant_id)
                del self._tenants[tenant_id]
                self._tenants[tenant_id] = figures
            self._is_up = True
        except errors.StoreUnavailable:
            self._is_up = False

    async def _of_tenant(self, tenant_id: str) -> _Figures:
        now = self._runtime.engine.clock()
        async with self._runtime.database.tx(tenant_id) as tx:
            waiting, failed = await tx.one("waiting_jobs", now=now), await tx.one("failed_jobs")
            stale, spent = await tx.one("stale_summaries"), await tx.all("spent_by_policy", since=month_of(now))
        counts = {**(waiting or {}), **(failed or {}), **(stale or {})}
        return _Figures(**counts, spent=spent)

    def _of_process(self) -> Iterator[Metric]:
        yield build_info()
        pool = self._runtime.database.pool.get_stats()
        yield _gauge("precis_database_connections", "Connections that the pool has open, and may have at most.", [
            ({"state": "open"}, pool.get("pool_size", 0)),
            ({"state": "idle"}, pool.get("pool_available", 0)),
            ({"state": "at_most"}, pool.get("pool_max", 0)),
        ])  # fmt: skip
        waiting = pool.get("requests_waiting", 0)
        yield _gauge("precis_database_connection_waiters", "Who waits for a connection of the pool.", [({}, waiting)])

    def _of_database(self) -> Iterator[Metric]:
        """Figures of the tenants. Where the database is away, only that: an old figure would look like one of now."""
        yield _gauge("precis_database_up", "Whether the database answered.", [({}, int(self._is_up))])
        if not self._is_up:
            return
        counted = {name: figures for name, figures in self._tenants.items() if figures is not None}
        uncounted = len(self._tenants) - len(counted)
        yield _gauge("precis_tenants", "Tenants, and those whose figures are still to be counted.", [
            ({"state": "counted"}, len(counted)), ({"state": "uncounted"}, uncounted),
        ])  # fmt: skip
        by_tenant = self._labeled(counted)
        states = [({**label, "state": "waiting"}, figures.waiting) for label, figures in by_tenant]
        states += [({**label, "state": "failed"}, figures.failed) for label, figures in by_tenant]
        yield _gauge("precis_jobs", "Groups that wait for a worker, and that failed for good.", states)
        stale = [(label, figures.stale) for label, figures in by_tenant]
        yield _gauge("precis_stale_summaries", "Summaries whose sources changed since they were made.", stale)
        now = self._runtime.engine.clock()
        ages = [
            (label, (now - figures.oldest).total_seconds() if figures.oldest else 0) for label, figures in by_tenant
        ]
        yield _gauge("precis_oldest_waiting_job_seconds", "For how long the first of them waits.", ages, of=max)
        yield from _spent(by_tenant)

    def _labeled(self, counted: Mapping[str, _Figures]) -> list[tuple[dict[str, str], _Figures]]:
        if not self._runtime.settings.metrics_by_tenant:
            return [({}, figures) for figures in counted.values()]
        named = set(sorted(counted)[:_NAMED])
        return [({"tenant": name if name in named else "other"}, figures) for name, figures in counted.items()]


def _spent(by_tenant: Sequence[tuple[dict[str, str], _Figures]]) -> Iterator[Metric]:
    rows = [({**label, "policy": str(row["policy"])}, row) for label, figures in by_tenant for row in figures.spent]
    kinds = ("in", "out", "cached")
    tokens = [({**label, "kind": kind}, row[f"tokens_{kind}"]) for label, row in rows for kind in kinds]
    calls, dollars = ([(label, row[name]) for label, row in rows] for name in ("calls", "cost"))
    yield _gauge("precis_model_calls_this_month", "Calls of models since the month began (UTC).", calls)
    yield _gauge("precis_model_tokens_this_month", "What they read and wrote.", tokens)
    yield _gauge("precis_model_dollars_this_month", "What they cost, in US dollars.", dollars)


def _gauge(
    name: str, about: str, samples: Sequence[tuple[Mapping[str, str], Any]],
    *, of: Callable[[Sequence[float]], float] = sum,
) -> Metric:  # fmt: skip
    """A gauge; samples with the same labels are told as one."""
    values: dict[tuple[tuple[str, str], ...], list[float]] = {}
    for labels, value in samples:
        values.setdefault(tuple(labels.items()), []).append(float(value))
    names = [name for name, _ in next(iter(values), ())]
    gauge = GaugeMetricFamily(name, about, labels=names)
    for key, numbers in values.items():
        gauge.add_metric([value for _, value in key], of(numbers))
    return gauge


class _Scrape(Collector):
    """What was gathered before, in the form that the package writes."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Sequence[Metric]:
        """As it was gathered."""
        return self._metrics
