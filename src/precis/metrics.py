"""What this process counts for Prometheus. No label holds a text, a user or an id, and the values of each are few."""

import time
from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakSet

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import Metric
from prometheus_client.samples import Sample

#: Of this process alone, and of nothing else in it that uses the package.
COUNTED = CollectorRegistry()
#: Methods that a label names; any other word that a caller sends in their place is "other".
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
#: Upper ends of buckets, in seconds.
_QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

ProcessCollector(registry=COUNTED)
REQUESTS = Counter(
    "precis_http_requests", "Requests that were answered.", ("route", "method", "status"), registry=COUNTED
)
REQUEST_SECONDS = Histogram(
    "precis_http_request_seconds", "From the first byte of a request to the end of its answer.", ("route", "method"),
    buckets=_SLOW, registry=COUNTED,
)  # fmt: skip
REFRESHES = Counter(
    "precis_refreshes", "Refreshes of groups, by how they ended.", ("policy", "outcome"), registry=COUNTED
)
SUMMARIES_MADE = Counter(
    "precis_summaries_made", "Summaries that were committed, by who made them.", ("policy", "made_by"),
    registry=COUNTED,
)  # fmt: skip
TURNS_DEGRADED = Counter(
    "precis_turns_degraded", "Turns that were written without the summary that was due, by why it was not made.",
    ("error",), registry=COUNTED,
)  # fmt: skip
DATES_UNREAD = Counter(
    "precis_dates_unread", "Texts whose dates could not be read, and that are served without: an error of precis.",
    ("error",), registry=COUNTED,
)  # fmt: skip
#: ``with STATEMENT_SECONDS.time():`` around one.
STATEMENT_SECONDS = Histogram(
    "precis_database_statement_seconds", "One statement, until the database has answered.", buckets=_QUICK,
    registry=COUNTED,
)  # fmt: skip
EMBEDDING_SECONDS = Histogram(
    "precis_embedding_seconds", "The vectors of one call to the embedder.", buckets=_QUICK, registry=COUNTED
)
LANE_REFUSED = Counter(
    "precis_lane_refused", "Requests that were answered 503 unread, because too many waited.", ("lane",),
    registry=COUNTED,
)  # fmt: skip
LANE_WAIT_SECONDS = Histogram(
    "precis_lane_wait_seconds", "For how long requests waited until they were worked on.", ("lane",), buckets=_SLOW,
    registry=COUNTED,
)  # fmt: skip


#: Who asks a model whose last call failed: of a server, its requests and its worker.
UNANSWERED: WeakSet[object] = WeakSet()
#: What a worker tells of that: no figure, and added to none.
_IS_AWAY = "a model is away"


# --- what the worker counts that is a process of its own beside a server ---

#: Name of the metric, name of the sample, labels, value.
Figure = tuple[str, str, dict[str, str], float]
_Series = tuple[str, str, tuple[tuple[str, str], ...]]


def figures() -> Sequence[Figure]:
    """What this process counted, as far as it adds up with what another counts."""
    return [
        (metric.name, sample.name, sample.labels, sample.value)
        for metric in COUNTED.collect() if metric.type in {"counter", "histogram"} and _adds_up(metric.name)
        for sample in metric.samples if not sample.name.endswith("_created")
    ] + [(_IS_AWAY, "", {}, 1.0) for _ in UNANSWERED]  # fmt: skip


def _adds_up(name: str) -> bool:
    return not name.startswith("process_")


class WorkerFigures:
    """What the workers of a server counted, one after the other: those that ended stay in the sums, which only grow."""

    def __init__(self) -> None:
        self._ended: dict[_Series, float] = {}
        self._latest: dict[_Series, float] = {}
        #: Whether the first worker was started and has not said anything yet.
        self.awaited = False
        #: When the worker that is alive first said something.
        self._began: float | None = None

    def hear(self, rows: Iterable[Any]) -> None:
        """The figures of the worker that is alive, from its beginning."""
        self.awaited = False
        self._began = time.monotonic() if self._began is None else self._began
        self._latest = {(metric, name, tuple(labels.items())): value for metric, name, labels, value in rows}

    def end(self) -> None:
        """That worker has ended."""
        self.awaited = False
        self._began = None
        self._ended, self._latest = {key: value for key, value in self._sums().items() if key[0] != _IS_AWAY}, {}

    def begins(self, seconds: float) -> bool:
        """Whether the worker has yet to speak, or first did so less than so many seconds ago."""
        return self.awaited or (self._began is not None and time.monotonic() - self._began < seconds)

    @property
    def misses_a_model(self) -> bool:
        """Whether the last call of a model that the worker made failed."""
        return (_IS_AWAY, "", ()) in self._latest

    def added_to(self, metrics: Iterable[Metric]) -> Sequence[Metric]:
        """The metrics of this process with these in them."""
        sums = self._sums()
        return [self._added(metric, sums) for metric in metrics]

    def _sums(self) -> dict[_Series, float]:
        series = {**self._ended, **self._latest}
        return {key: self._ended.get(key, 0) + self._latest.get(key, 0) for key in series}

    @staticmethod
    def _added(metric: Metric, sums: dict[_Series, float]) -> Metric:
        own = {(sample.name, tuple(sample.labels.items())): sample for sample in metric.samples}
        for (name, sample_name, labels), value in sums.items():
            if name == metric.name:
                before = own.get((sample_name, labels))
                own[sample_name, labels] = Sample(sample_name, dict(labels), value + (before.value if before else 0))
        metric.samples = list(own.values())
        return metric
