"""Figures of this process and out of the database, for Prometheus.

Row-level security shows one tenant at a time, so tenants are counted one after the other, for two seconds a scrape at
most: those counted longest ago first. Where tenants are many, the figures of some are of an earlier scrape.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from precis.bootstrap import Runtime
from precis.database.connections import Row
from precis.engine.spending import month_of
from precis.errors import StoreUnavailable
from precis.metrics import COUNTED
from precis.watch.worker_metrics import build_info

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

    def __init__(self, runtime: Runtime, *, timer: Callable[[], float]) -> None:
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
        except StoreUnavailable:
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
