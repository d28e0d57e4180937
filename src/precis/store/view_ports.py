"""What the app needs from a store to keep summary views: views, their partitions, and the tasks that run them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from precis.engine.placing import Place
from precis.memory import Memory
from precis.view import View

#: Where a row that a view takes belongs; the row comes without its text.
Rule = Callable[[Memory], Place | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Partition:
    """One group of a view as its row tells it."""

    group_id: str
    labels: Mapping[str, str]
    #: Memories in it now.
    members: int
    #: The result that stands.
    summary_id: str | None
    #: It changed since, or its last draft failed or was rejected.
    stale: bool
    #: No draft of it as it is passed the checks.
    rejected: bool
    #: It was looked at, and no memory in it tells anything.
    empty: bool
    #: Why the last draft failed.
    error: str | None


#: The type of a task that runs a view; other work has names of its own.
VIEW_RUN = "summary_view_full_run"


class Status(StrEnum):
    """Where a task is; the last two are final."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    FAILED = "failed"


#: What a task may become. Becoming what it is already is no change.
NEXT: Mapping[Status, frozenset[Status]] = {
    Status.PENDING: frozenset({Status.RUNNING, Status.FAILED}),
    Status.RUNNING: frozenset({Status.SUCCESS, Status.FAILED}),
    Status.SUCCESS: frozenset(),
    Status.FAILED: frozenset(),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """A request to run a view, or for other work that takes longer than a request should."""

    id: str
    #: The piece of work it follows, named after the task that began it.
    run_id: str
    type: str
    #: The view that is run; of other work, what names it: the same request follows the same work.
    view_id: str
    status: Status
    #: Re-make what is current, too.
    forced: bool
    #: Partitions: how many were looked at, of how many there are to look at.
    done: int
    total: int
    #: Memories the view takes that lack a field it groups by; None before the run has begun.
    ungrouped_count: int | None
    error_message: str | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    #: What it is at now, and what came of it: ids and counts.
    what: str | None = None
    result: Mapping[str, Any] | None = None

    @property
    def ended(self) -> bool:
        """Whether it will not change any more."""
        return not NEXT[self.status]


class Views(Protocol):
    """Views and what of them is in groups."""

    async def create(self, tenant_id: str, view: View, *, place: Rule, now: datetime) -> int:
        """Keep a new view and put every row it takes into its partitions; answers how many there are."""
        ...

    async def get(self, tenant_id: str, view_id: str) -> View:
        """Raises NotFound."""
        ...

    async def list(self, tenant_id: str) -> Sequence[View]:
        """Oldest first."""
        ...

    async def replace(self, tenant_id: str, view: View, *, place: Rule, tick: datetime, now: datetime) -> None:
        """The view is another one from now on: rows move, and what an other prompt or model made is stale.

        ``tick`` is when a view that refreshes by itself does so next. Raises NotFound.
        """
        ...

    async def delete(self, tenant_id: str, view_id: str, *, now: datetime) -> bool:
        """Take it away with its partitions and their results, and end its tasks; False when there is none."""
        ...

    async def partitions(self, tenant_id: str, view_id: str, *, labels: Mapping[str, str]) -> Sequence[Partition]:
        """Those that have these values and a result, or had one and are empty now."""
        ...

    async def partition(self, tenant_id: str, place: Place, *, now: datetime) -> Partition:
        """One of them; one that nobody ever belonged to is kept as empty."""
        ...

    async def stale(self, tenant_id: str, view_id: str, *, forced: bool) -> Sequence[Partition]:
        """What a run has to look at: what changed, or with ``forced`` all that has members."""
        ...

    async def count(self, tenant_id: str, view_id: str) -> int:
        """How many partitions have a member."""
        ...

    async def stand_ins(self, tenant_id: str, view_id: str) -> int:
        """How many results were made without the model they should have been made by."""
        ...

    async def ungrouped(self, tenant_id: str, view: View, *, now: datetime) -> int:
        """How many rows the view takes that lack a field it groups by."""
        ...


class Tasks(Protocol):
    """Requests to run a view, and the pieces of work they follow."""

    async def begin(
        self, tenant_id: str, task_id: str, view_id: str, *, forced: bool, now: datetime, lasts: timedelta,
        type_: str = VIEW_RUN,
    ) -> Task:  # fmt: skip
        """Keep a request. Its run is the one that goes on, or a new one of its own (``run_id == id``).

        Raises Conflict when the id is in use.
        """
        ...

    async def get(self, tenant_id: str, task_id: str, *, now: datetime) -> Task:
        """One task; one whose worker gave no sign of life has failed. Raises NotFound."""
        ...

    async def start(
        self, tenant_id: str, task: Task, *, ungrouped: int | None, now: datetime, lasts: timedelta
    ) -> bool | None:
        """The run begins: whether it is a forced one by now; None when it may not begin any more."""
        ...

    async def progress(
        self, tenant_id: str, run_id: str, *, done: int, total: int, now: datetime, lasts: timedelta,
        what: str | None = None,
    ) -> frozenset[str]:  # fmt: skip
        """Note how far a run is and that it is alive; answers who follows it. Nobody: it was ended from outside."""
        ...

    async def finish(
        self, tenant_id: str, task: Task, *, error: str | None, known: frozenset[str] | None, now: datetime,
        result: Mapping[str, Any] | None = None,
    ) -> bool:  # fmt: skip
        """End a run for all who follow it; False when others than ``known`` do by now, who want another look."""
        ...
