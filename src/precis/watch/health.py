"""What keeps this process from serving, or will soon; and figures out of the database, for Prometheus.

Row-level security shows one tenant at a time, so tenants are counted one after the other, for two seconds a scrape at
most: those counted longest ago first. Where tenants are many, the figures of some are of an earlier scrape.
"""

import asyncio
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from precis import __version__
from precis.bootstrap import Runtime
from precis.database.connections import Database, Row, Tx
from precis.database.migrate import refuse_outdated
from precis.database.replicas import ReplicatedDatabase
from precis.engine.spending import month_of
from precis.errors import ConfigurationError, StoreUnavailable
from precis.jobs.worker import HEARTBEAT_SECONDS
from precis.metrics import COUNTED, UNANSWERED
from precis.settings import Settings

#: A worker that was silent for so long counts as dead.
_DEAD_AFTER = timedelta(seconds=3 * HEARTBEAT_SECONDS)
#: Bytes that should be free where precis writes, and the share of the disk.
LEAST_FREE, LEAST_SHARE = 512 * 2**20, 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrong:
    """One thing that is wrong."""

    #: database, migrations, keys, forgotten-log, replica, worker, model or disk.
    part: str
    #: What it is, and what to do.
    message: str
    #: Whether requests cannot be served as long as it lasts.
    stops: bool = True

    def __str__(self) -> str:
        return f"{self.part}: {self.message}"


async def wrongs(runtime: Runtime) -> list[Wrong]:
    """What is wrong now; what stops requests first."""
    faults = await asyncio.to_thread(_outside_database, runtime)
    try:
        await runtime.database.ping()
        async with runtime.database.tx() as tx:
            faults += await _outdated(tx)
            # A worker of this server speaks to it before the database hears of it for the first time.
            begins = runtime.worker_figures.begins(_DEAD_AFTER.total_seconds())
            faults += [] if begins else await _no_worker(tx)
        faults += await _lagging(runtime.database)
        faults += _without_model(runtime)
    except StoreUnavailable as error:
        faults.append(Wrong(part="database", message=str(error)))
    return sorted(faults, key=lambda fault: not fault.stops)


def _outside_database(runtime: Runtime) -> list[Wrong]:
    store = runtime.store
    keys = _unopened("keys", store.tenants.keyring.check, "the key files cannot be opened")
    log = _unopened("forgotten-log", store.restoring.log.check, "it lies where it must not")
    return [*keys, *log, *wrong_disk(runtime.settings)]


def _without_model(runtime: Runtime) -> list[Wrong]:
    """Requests are served all the same: what a model does not make is made offline, or later."""
    if runtime.engine.summarizer not in UNANSWERED and not runtime.worker_figures.misses_a_model:
        return []
    message = "its last call failed, so its work is done offline or waits; the log and `precis doctor --model` say why"
    return [Wrong(part="model", message=message, stops=False)]


async def _lagging(database: Database) -> list[Wrong]:
    if not isinstance(database, ReplicatedDatabase):
        return []
    late = len(database.replicas) - await database.count_current()
    if not late:
        return []
    message = f"{late} of {len(database.replicas)} do not answer or lag, so the primary answers; look at replication"
    return [Wrong(part="replica", message=message, stops=False)]


async def _outdated(tx: Tx) -> list[Wrong]:
    try:
        refuse_outdated(await tx.all("applied"))
    except ConfigurationError as error:
        return [Wrong(part="migrations", message=str(error))]
    return []


async def _no_worker(tx: Tx) -> list[Wrong]:
    beat, now = await tx.one("worker_beat"), await tx.one("moment")
    if beat and now and beat["beat"] is not None and now["began"] - beat["beat"] < _DEAD_AFTER:
        return []
    message = "none is running, so summaries are not kept current; start `precis worker`"
    return [Wrong(part="worker", message=message, stops=False)]


def _unopened(part: str, check: Callable[[], None], misplaced: str) -> list[Wrong]:
    """Whether keys or log answer and may lie where they lie: without them nothing can be read, or forgotten."""
    try:
        check()
    except ConfigurationError:
        return [Wrong(part=part, message=f"{misplaced}; `precis doctor` on the server says why")]
    except StoreUnavailable as error:
        return [Wrong(part=part, message=str(error))]
    return []


def wrong_disk(settings: Settings, *, least: int = LEAST_FREE) -> list[Wrong]:
    """Where precis writes files and hardly anything is free."""
    full = sorted(name for name, folder in written_folders(settings).items() if is_nearly_full(folder, least=least))
    if not full:
        return []
    return [Wrong(part="disk", message=f"nearly full where these lie: {', '.join(full)}; make room", stops=False)]


def written_folders(settings: Settings) -> dict[str, Path]:
    """Where precis writes on this machine, by what it writes."""
    folders = {
        "keys": settings.keys_folder if settings.keys_url is None else None,
        "forgotten-log": settings.forgotten_folder if settings.forgotten_url is None else None,
        "database": settings.data_dir if settings.database_url is None else None,
    }
    return {name: folder for name, folder in folders.items() if folder is not None}


def is_nearly_full(folder: Path, *, least: int = LEAST_FREE) -> bool:
    """Whether less is free there than should be."""
    usage = shutil.disk_usage(standing_at(folder))
    return usage.free < max(least, LEAST_SHARE * usage.total)


def standing_at(folder: Path) -> Path:
    """The folder, or the next one above it that there is: what is not made yet will lie on its disk."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())


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
        version = {"version": __version__, "python": platform.python_version()}
        yield _gauge("precis_build_info", "What serves: always 1.", [(version, 1)])
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
