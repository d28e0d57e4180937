"""app.views: declare summary views, run them, read their results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

from precis.app.operating import Costs
from precis.app.parts import Verbs
from precis.app.runs import LASTS, refresh_partition, run_view
from precis.engine import drafted, policy, spending
from precis.engine.pipeline import plan
from precis.errors import Conflict, DraftFailed, InvalidInput
from precis.ids import new_ulid
from precis.memory import Memory
from precis.policies.views import VIEWS, place_in, place_of
from precis.store.tasks import Task
from precis.store.views import Partition, Rule
from precis.summary import Counts, Summary
from precis.view import View

LONG_TERM = "long_term"
EMPTY = "no_matching_memories"
#: Of a partition whose memories are small talk and questions.
NOTHING = "nothing_to_summarize"
#: Results whose summaries are read at once.
_AT_ONCE = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class PartitionResult:
    """What a view says of one group."""

    view_id: str
    group: Mapping[str, str]
    #: Free prose where the view has a prompt of its own, else statements as one paragraph.
    summary: str
    #: Memories in the group now, and how many of them the summary has read.
    memory_count: int
    included_count: int
    #: The memories it has read, oldest first.
    source_ids: tuple[str, ...]
    empty: bool
    empty_reason: str | None
    computed_at: datetime
    #: What made it; None for an empty group.
    model: str | None
    #: The group changed since; what it says still rests on living memories only.
    stale: bool
    #: The model gave no draft of it that passes the checks: tried again after 1, 10 and 60 minutes, and when asked.
    rejected: bool
    #: Made offline because the model gave no draft; redone later.
    fallback: bool
    #: Law 7: what became of its memories.
    counts: Counts
    #: The row of the summary; its statements are there.
    summary_id: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedPartition:
    """What a run would do to one stale partition."""

    group: Mapping[str, str]
    memory_count: int
    #: make, nothing or drop.
    action: str
    reason: str
    #: Its last draft was rejected.
    rejected: bool
    estimate: spending.Estimate


@dataclass(frozen=True, kw_only=True, slots=True)
class ViewPlan:
    """What a run would do and take, without a call."""

    view_id: str
    #: Partitions with a memory, and how many a run would look at.
    partitions: int
    stale: int
    #: The first of the stale ones.
    planned: Sequence[PlannedPartition]
    #: Of those.
    estimate: spending.Estimate
    #: Memories the view takes that lack a field it groups by.
    ungrouped_count: int


class Views(Verbs):
    """Verbs over the views of one tenant."""

    async def create(
        self, *, name: str | None = None, source: str = LONG_TERM, group_by: Sequence[str] | None = None,
        filters: Mapping[str, Any] | None = None, time_window_days: int | None = None, continuous: bool = False,
        prompt: str | None = None, model_name: str | None = None,
    ) -> View:  # fmt: skip
        """Declare a view; every memory it takes is in its partition at once. Raises InvalidInput.

        A continuous one is due at once, and at each of its times from then on.
        """
        view = _checked(
            View(
                id=new_ulid(), name=name, source=source, group_by=tuple(group_by or ()), filters=dict(filters or {}),
                window_days=time_window_days, continuous=continuous, prompt=prompt or None, model=model_name or None,
            )
        )  # fmt: skip
        now = self._now()
        rule = self._due_at_once(view, now) if view.continuous else self._rule(view, now)
        await self._store.views.create(self._tenant_id, view, place=rule, now=now)
        return view

    async def get(self, view_id: str) -> View:
        """One view. Raises NotFound."""
        return await self._store.views.get(self._tenant_id, view_id)

    async def list(self) -> Sequence[View]:
        """All of them, oldest first."""
        return await self._store.views.list(self._tenant_id)

    async def update(self, view_id: str, **changes: Any) -> View:
        """Change fields of a view, by the names ``create`` has. Memories move; another prompt makes results stale.

        Raises NotFound, InvalidInput.
        """
        before, now, parts = await self.get(view_id), self._now(), self._parts
        view = _checked(replace(before, **_renamed(changes)))
        if view != before:
            begins = view.continuous and not before.continuous
            tick = now if begins else parts.engine.policies[VIEWS].trigger.tick(now)
            await parts.store.views.replace(parts.tenant_id, view, place=self._rule(view, now), tick=tick, now=now)
        return view

    async def delete(self, view_id: str) -> bool:
        """Take a view away with its partitions and their results; False when there is none."""
        return await self._store.views.delete(self._tenant_id, view_id, now=self._now())

    async def partitions(self, view_id: str, **group: str) -> Sequence[PartitionResult]:
        """The results that stand, of all groups or of those with these values. Raises NotFound."""
        view = await self.get(view_id)
        partitions = await self._store.views.partitions(self._tenant_id, view_id, labels=group)
        results: list[PartitionResult] = []
        for start in range(0, len(partitions), _AT_ONCE):
            results += await self._results(view, partitions[start : start + _AT_ONCE])
        return results

    async def run_partition(self, view_id: str, group: Mapping[str, str], *, force: bool = False) -> PartitionResult:
        """Make one group's result current now; what is current already costs nothing.

        Raises NotFound, InvalidInput (these are not its keys, or its filters exclude them), DraftFailed (what stood
        stays), Conflict (somebody else is at it for long).
        """
        view, now, parts = await self.get(view_id), self._now(), self._parts
        view.check_group(group)
        place = place_of(view, group)
        await parts.store.rule_groups.sweep(parts.tenant_id, now=now)
        partition = await parts.store.views.partition(parts.tenant_id, place, now=now)
        if partition.members or partition.summary_id:
            outcome = await refresh_partition(parts, place.group_id, forced=force)
            if outcome.result is drafted.Result.BUSY:
                raise Conflict(f"this partition cannot be refreshed right now: {outcome.reason}")
            partition = await parts.store.views.partition(parts.tenant_id, place, now=now)
            if outcome.result in (drafted.Result.FAILED, drafted.Result.REJECTED):
                raise DraftFailed(f"the refresh failed ({outcome.reason}): what stood stays")
        return (await self._results(view, [partition]))[0]

    async def run(self, view_id: str, *, task_id: str | None = None, force: bool = False) -> Task:
        """Make every stale partition current, in the background; with ``force`` the others, too.

        Requests that come while a run goes on follow it and end with it. Raises NotFound; Conflict for a task id that
        is in use.
        """
        parts, view = self._parts, await self.get(view_id)
        task = await parts.store.tasks.begin(
            parts.tenant_id, task_id or new_ulid(), view_id, forced=force, now=self._now(), lasts=LASTS
        )
        if task.run_id == task.id:
            parts.background.begin(run_view(parts, view, task))
        return task

    async def plan(self, view_id: str, *, limit: int = 100) -> ViewPlan:
        """Which partitions a run would look at, why, and what it would take. Calls nobody. Raises NotFound."""
        view, parts = await self.get(view_id), self._parts
        await parts.store.rule_groups.sweep(parts.tenant_id, now=self._now())
        stale = await parts.store.views.stale(parts.tenant_id, view_id, forced=False)
        planned = [await self._planned(partition) for partition in stale[:limit]]
        return ViewPlan(
            view_id=view_id,
            partitions=(await parts.store.views.count(parts.tenant_id, view_id)).filled,
            stale=len(stale),
            planned=planned,
            estimate=sum((partition.estimate for partition in planned), start=spending.Estimate()),
            ungrouped_count=await parts.store.views.ungrouped(parts.tenant_id, view, now=self._now()),
        )

    async def _planned(self, partition: Partition) -> PlannedPartition:
        planned = await plan(self._engine, self._tenant_id, partition.group_id, VIEWS)
        estimate = await Costs(self._parts).estimate(planned, VIEWS)
        return PlannedPartition(
            group=partition.labels, memory_count=partition.members, action=planned.action.value,
            reason=planned.reason, rejected=partition.rejected, estimate=estimate,
        )  # fmt: skip

    async def _results(self, view: View, partitions: Sequence[Partition]) -> Sequence[PartitionResult]:
        ids = [partition.summary_id for partition in partitions if partition.summary_id]
        summaries = await self._store.summaries.get(self._tenant_id, ids)
        return [self._result(view, partition, summaries.get(partition.summary_id or "")) for partition in partitions]

    def _result(self, view: View, partition: Partition, summary: Summary | None) -> PartitionResult:
        return PartitionResult(
            view_id=view.id,
            group=partition.labels,
            summary=summary.text if summary else "",
            memory_count=partition.members,
            included_count=len(summary.leaf_source_ids) if summary else 0,
            source_ids=summary.leaf_source_ids if summary else (),
            empty=partition.members == 0 or partition.empty,
            empty_reason=EMPTY if partition.members == 0 else NOTHING if partition.empty else None,
            computed_at=summary.updated_at if summary else self._now(),
            model=summary.made_by if summary else None,
            stale=partition.stale and partition.members > 0,
            rejected=partition.rejected,
            fallback=bool(summary and summary.fallback),
            counts=summary.counts if summary else Counts(left_out=partition.members),
            summary_id=summary.id if summary else None,
        )

    def _rule(self, view: View, now: datetime) -> Rule:
        return lambda memory: place_in(view, memory, now=now, every=self._every)

    def _due_at_once(self, view: View, now: datetime) -> Rule:
        rule = self._rule(view, now)

        def due(memory: Memory) -> policy.Place | None:
            place = rule(memory)
            return replace(place, due_at=now) if place is not None else None

        return due

    @property
    def _every(self) -> timedelta:
        return timedelta(minutes=self._settings.view_refresh_minutes)


#: The fields of a view by the names of the wire.
_NAMES = {"time_window_days": "window_days", "model_name": "model"}
_CHANGEABLE = {field.name for field in fields(View) if field.init} - {"id"}


def _renamed(changes: Mapping[str, Any]) -> dict[str, Any]:
    named = {_NAMES.get(name, name): value for name, value in changes.items()}
    for name in named:
        if name not in _CHANGEABLE:
            raise InvalidInput(f"{name}: a view has no such field", field=name)
    tidy: Mapping[str, Callable[[Any], Any]] = {
        "prompt": lambda value: value or None,
        "model": lambda value: value or None,
        "group_by": lambda value: tuple(value or ()),
        "filters": lambda value: dict(value or {}),
    }
    return {name: tidy.get(name, lambda value: value)(value) for name, value in named.items()}


def _checked(view: View) -> View:
    if view.source != LONG_TERM:
        message = f"SummaryView.source must be 'long_term' for now; {view.source!r} is not supported"
        raise InvalidInput(message, field="source")
    return view
