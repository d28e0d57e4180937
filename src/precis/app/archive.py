"""app.archive: old memories in batches, a summary each, and the originals retired; on request or on a timetable."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog

from precis.app.parts import Parts
from precis.app.passes import Pass
from precis.app.progress import Progress
from precis.app.refreshing import refresh_leased
from precis.app.retiring import Retired, retire
from precis.app.together import together
from precis.app.turns import turn
from precis.engine.commit import Outcome, Result
from precis.engine.pipeline import total
from precis.engine.placing import Place
from precis.engine.policy import Originals
from precis.errors import InvalidInput
from precis.lineage import Counts
from precis.makers import Usage
from precis.memory import POOL_SUMMARY
from precis.policies.archive import Archive, Batch, Candidate, GroupBy, Schedule, batches
from precis.settings import Settings
from precis.store.filtering import Filter
from precis.store.retention import Overdue
from precis.store.timetables import OldMemory
from precis.store.timetables import Schedule as Scheduled

_log = structlog.get_logger(__name__)
POLICY = "archive"
#: How the passes are named that a number of new memories begins.
COUNTING = "count of "
#: Batches that are noted in one transaction.
_SLICE = 20
#: Groups listed at once; a pass goes on until none is left.
_GROUPS = 100_000
#: Seconds between two looks at a batch that a worker makes.
_PAUSE = 0.05
#: How a refresh ends whose batch has its summary: by us, or by the worker that was at it.
_MADE = frozenset({Result.COMMITTED, Result.UNCHANGED})
#: How a refresh ends that leaves its batch without a summary.
_FAILURES = frozenset({Result.FAILED, Result.REJECTED, Result.DISCARDED, Result.BUSY})


def archive_settings(settings: Settings) -> Archive:
    """What the deployment set, as the policy takes it."""
    return Archive(
        enabled=settings.archive_enabled,
        schedule=Schedule(settings.archive_schedule),
        interval_days=settings.archive_interval_days,
        keep_original_days=settings.archive_keep_original_days,
        min_age_days=settings.archive_min_age_days,
        max_memories_per_batch=settings.archive_max_memories_per_batch,
        originals=Originals(settings.archive_originals),
        group_by=GroupBy(settings.archive_group_by),
        marker=settings.archive_marker,
        after_memories=settings.archive_after_memories,
    )


def archive_pass(settings: Settings) -> Pass:
    """The pass for the timetable. A tenant that never had one has it at once."""
    chosen = archive_settings(settings)

    async def run(parts: Parts, began: datetime) -> object:
        return await ArchiveVerbs(parts).make(began)

    return Pass(name=POLICY, first=lambda now: now, after=chosen.next_run, run=run)


def changed(chosen: Archive, **changes: Any) -> Archive:
    """The settings with these in place of their own, for one pass. Raises InvalidInput."""
    kinds = {"originals": Originals, "group_by": GroupBy}
    read = dict(changes)
    for name in kinds.keys() & changes.keys():
        try:
            read[name] = kinds[name](changes[name])
        except ValueError as error:
            raise InvalidInput(f"{name}: {changes[name]!r} is none of its values", field=name) from error
    for name in ("min_age_days", "keep_original_days", "max_memories_per_batch"):
        least = int(name == "max_memories_per_batch")
        if name in read and (type(read[name]) is not int or not least <= read[name] <= 36_500):
            raise InvalidInput(f"{name}: {read[name]!r} is not within {least} to 36500", field=name)
    return replace(chosen, **read)


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveRun:
    """What a pass did."""

    #: Summaries made.
    batches: int
    #: Memories that joined a batch.
    memories: int
    #: Originals whose text is gone.
    deletions: int
    #: Originals that are old enough and stay for now: what they say is not safely kept.
    waiting: int = 0
    #: Of those, the ones that no summary says in full.
    left_out: int = 0
    #: Law 7: what became of the memories of the summaries that were made.
    counts: Counts = Counts()  # noqa: RUF009 - frozen
    #: Batches that got no summary this time.
    failed: int = 0
    usage: Usage = Usage()  # noqa: RUF009 - frozen


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivePreview:
    """What a pass would do for one user."""

    user_id: str
    batches: int
    memories: int
    #: Of the originals' texts.
    tokens: int
    #: Created_at of the oldest and the newest; None without any.
    first: datetime | None
    last: datetime | None
    #: Originals that would go: the ones covered already, and those the new summaries would cover.
    deletions: int


class ArchiveVerbs:
    """Verbs over the archive of one tenant."""

    def __init__(self, parts: Parts, chosen: Archive | None = None) -> None:
        self._parts = parts
        self._chosen = chosen or archive_settings(parts.settings)

    @property
    def settings(self) -> Archive:
        """How it is set."""
        return self._chosen

    async def run(self, *, user_id: str | None = None, progress: Progress | None = None) -> ArchiveRun:
        """Make one pass now, due or not, and move the next one; with a user for that user only, and nothing moves.

        Raises Conflict while somebody makes one.
        """
        async with turn(self._parts, POLICY, after=self._chosen.next_run, whole=user_id is None) as began:
            return await self.make(began, user_id=user_id, progress=progress)

    async def make(self, now: datetime, *, user_id: str | None = None, progress: Progress | None = None) -> ArchiveRun:
        """A pass without a turn of its own: the whole backlog into batches, a summary each, then the originals."""
        progress = progress or Progress()
        joined = await self._assign(now, user_id)
        outcomes = await self._refresh(user_id, progress)
        progress.at("letting originals go")
        retired = await self._retire(now, user_id)
        deletions = len(retired.expired)
        failed = sum(1 for outcome in outcomes if outcome.result in _FAILURES)
        _log.info(
            "archived", tenant_id=self._parts.tenant_id, memories=joined, deletions=deletions,
            waiting=len(retired.waiting), left_out=len(retired.left_out), failed=failed,
        )  # fmt: skip
        return ArchiveRun(
            batches=sum(1 for outcome in outcomes if outcome.result in _MADE and outcome.summary_id),
            memories=joined,
            deletions=deletions,
            waiting=len(retired.waiting),
            left_out=len(retired.left_out),
            counts=await self._counts(outcomes),
            failed=failed,
            usage=total([outcome.usage for outcome in outcomes]),
        )

    async def after_growth(self) -> Sequence[str]:
        """A pass for each user with so many new memories since the last one of this kind; answers who."""
        if not self._chosen.after_memories:
            return ()
        backlog, tenant_id = self._parts.store.backlog, self._parts.tenant_id
        users = await backlog.grown(tenant_id, by=self._chosen.after_memories, without_kinds=self._without())
        for user_id, memories in users:
            await self.run(user_id=user_id)
            await backlog.counted(tenant_id, user_id, memories)
        return [user_id for user_id, _ in users]

    async def preview(self, *, user_id: str | None = None) -> Sequence[ArchivePreview]:
        """What a pass would do now, by user, without a write and without a call."""
        now = self._parts.engine.clock()
        before = self._chosen.retired_before(now)
        store, tenant_id = self._parts.store, self._parts.tenant_id
        covered = dict(await store.backlog.overdue(tenant_id, before=before, user_id=user_id)) if before else {}
        found = await self._backlog(now, user_id)
        users = sorted({*covered, *(row.user_id for row in found)})
        return [
            _preview(user, [row for row in found if row.user_id == user], self._chosen, before, covered.get(user, 0))
            for user in users
        ]

    async def schedules(self) -> Mapping[str, Scheduled]:
        """When each policy's pass ran last and is due next; a pass that is switched off is not due."""
        found = await self._parts.store.schedules.list(self._parts.tenant_id)
        known = {POLICY: Scheduled(last_run=None, next_run=None)}
        known |= {name: one for name, one in found.items() if not name.startswith(("pool ", COUNTING))}
        if not self._chosen.enabled:
            known[POLICY] = Scheduled(last_run=known[POLICY].last_run, next_run=None)
        return known

    def _without(self) -> list[str]:
        return [*self._parts.engine.policies[POLICY].select.without_kinds, POOL_SUMMARY]

    async def _backlog(self, now: datetime, user_id: str | None = None) -> Sequence[OldMemory]:
        return await self._parts.store.backlog.list(
            self._parts.tenant_id, before=self._chosen.archived_before(now), without_kinds=self._without(),
            user_id=user_id,
        )  # fmt: skip

    async def _assign(self, now: datetime, user_id: str | None) -> int:
        """Note the batches of the whole backlog; answers how many memories joined one."""
        cut = batches([_candidate(row) for row in await self._backlog(now, user_id)], self._chosen)
        joined = 0
        for at in range(0, len(cut), _SLICE):
            pairs = [(member.id, _place(batch, now)) for batch in cut[at : at + _SLICE] for member in batch.members]
            joined += await self._parts.store.places.put(self._parts.tenant_id, pairs, now=now)
        return joined

    async def _refresh(self, user_id: str | None, progress: Progress) -> list[Outcome]:
        """Every batch that wants a summary, those of earlier passes included, by us or by a worker that came first."""
        outcomes, busy = [], list(await self._due(user_id))
        progress.begin(len(busy), "batches")
        loop = asyncio.get_running_loop()
        patience = loop.time() + self._parts.engine.lease_lasts.total_seconds()
        while busy:
            found = await together(busy, lambda id_: self._refresh_one(id_, progress), settings=self._parts.settings)
            outcomes += [outcome for outcome in found if outcome.result is not Result.BUSY]
            waits = [outcome for outcome in found if outcome.result is Result.BUSY]
            if loop.time() > patience:
                return [*outcomes, *waits]
            busy = [outcome.group_id for outcome in waits]
            if busy:
                await asyncio.sleep(_PAUSE)
        return outcomes

    async def _due(self, user_id: str | None) -> Sequence[str]:
        groups = await self._parts.store.summaries.groups(
            self._parts.tenant_id, Filter(user_id=user_id), policy=POLICY, stale_only=True, limit=_GROUPS
        )
        return [group_id for group_id, _ in groups]

    async def _refresh_one(self, group_id: str, progress: Progress) -> Outcome:
        """By us; where a worker had it, a refresh that finds nothing left to do tells that it stands."""
        engine, tenant_id = self._parts.engine, self._parts.tenant_id
        lease = await engine.groups.claim(tenant_id, now=engine.clock(), lasts=engine.lease_lasts, group_id=group_id)
        if lease is None:
            return Outcome(group_id=group_id, result=Result.BUSY, reason="a worker makes it")
        outcome = await refresh_leased(engine, lease)
        progress.step(by=outcome.result is not Result.BUSY)
        return outcome

    async def _counts(self, outcomes: Sequence[Outcome]) -> Counts:
        ids = [one.summary_id for one in outcomes if one.result in _MADE and one.summary_id]
        found = await self._parts.store.summaries.get(self._parts.tenant_id, ids)
        return sum((summary.counts for summary in found.values()), start=Counts())

    async def _retire(self, now: datetime, user_id: str | None) -> Retired:
        before = self._chosen.retired_before(now)
        if before is None:
            return Retired()
        return await retire(
            self._parts.engine,
            self._parts.store,
            self._parts.tenant_id,
            POLICY,
            Overdue(before=before, user_id=user_id),
        )


def _candidate(row: OldMemory) -> Candidate:
    return Candidate(
        id=row.id, created_at=row.created_at, user_id=row.user_id, project_id=row.project_id,
        environment=row.environment, agent_id=row.agent_id, run_id=row.run_id,
    )  # fmt: skip


def _place(batch: Batch, now: datetime) -> Place:
    """The group of a batch; it is due at once, and never grows."""
    first = batch.members[0]
    return Place(
        policy=POLICY, name=batch.id, user_id=first.user_id, project_id=first.project_id,
        environment=first.environment, starts_on=first.created_at.date(), ends_on=batch.until.date(), due_at=now,
    )  # fmt: skip


def _preview(
    user_id: str, found: Sequence[OldMemory], chosen: Archive, before: datetime | None, covered: int
) -> ArchivePreview:
    more = sum(1 for row in found if before is not None and row.created_at < before)
    return ArchivePreview(
        user_id=user_id,
        batches=len(batches([_candidate(row) for row in found], chosen)),
        memories=len(found),
        tokens=sum(row.tokens for row in found),
        first=found[0].created_at if found else None,
        last=found[-1].created_at if found else None,
        deletions=covered + more,
    )
