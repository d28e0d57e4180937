"""app.rollups: days, weeks and months on demand, as a list, and in the zone of a user."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from typing import Literal

import structlog

from precis.app import inputs, passes, refreshing
from precis.app.parts import Parts, Verbs, zone_of
from precis.engine.drafted import Outcome, Result
from precis.errors import Conflict, DraftFailed, InvalidInput
from precis.ids import zone_named
from precis.policies import rollups as policies
from precis.policies.rollups import Period, PeriodKind, last_whole, period_of
from precis.store.filtering import Page
from precis.store.timetables import PeriodRow
from precis.summary import Counts, Summary
from precis.work import Progress, together

_log = structlog.get_logger(__name__)
PeriodName = Literal["daily", "weekly", "monthly"]
#: How often a group that somebody else refreshes is asked for again, in seconds, and how often a draft whose sources
#: changed meanwhile is made anew.
_PAUSE, _TRIES = 0.05, 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """What summarizing a period did."""

    #: None when there was nothing to summarize.
    summary_id: str | None
    period: PeriodName
    #: Raw notes the summary rests on, through every level.
    notes_consolidated: int
    #: ``complete``: made or refreshed; ``unchanged``: it was current; ``empty``: there are no notes, or none that tells
    #: anything.
    status: Literal["complete", "unchanged", "empty"]
    #: Days whose notes stay because the compacted form is not shorter.
    days_kept: tuple[date, ...] = ()
    #: Notes that stay because no compacted day says all that they say.
    notes_kept: int = 0
    #: Law 7: what became of the notes of these summaries.
    counts: Counts | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Rollup:
    """One summary of a period in a list."""

    summary_id: str
    user_id: str
    period: PeriodName
    start_date: date
    end_date: date
    #: The most important statements, best first.
    key_insights: tuple[str, ...]
    notes_consolidated: int
    #: Law 7: what became of the notes.
    counts: Counts


class Rollups(Verbs):
    """Verbs over the days, weeks and months of one tenant."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._rollups = passes.rollup_settings(parts.settings)

    async def summarize(
        self, user_id: str, period: PeriodName, *, force: bool = False, day: date | None = None,
        progress: Progress | None = None,
    ) -> Made:  # fmt: skip
        """Make a user's summary of a period now, without waiting for the night.

        ``weekly`` and ``monthly`` make the last period that is over or, when nothing was noted in it, the running one
        up to now; ``daily`` compacts every day older than ``retain_days``. ``day`` names another period by any of its
        days. With ``force`` it is made anew although it is current. Raises DraftFailed (what stood stays), Conflict
        while somebody else makes it.
        """
        kind, progress = _kind(period), progress or Progress()
        zone = await zone_of(self._parts, user_id)
        if kind is PeriodKind.DAY:
            return await self._compact(user_id, zone, progress, force=force, day=day)
        await passes.take_up(self._parts, self._rollups, user_id=user_id)
        rows = await self._requested(user_id, kind, zone, day)
        if kind is PeriodKind.MONTH:
            for row in rows:
                await self._make_weeks(row, zone, progress)
        progress.begin(len(rows), f"{kind.value}s")
        return await self._answer(period, await self._make(rows, progress, force=force))

    async def _requested(self, user_id: str, kind: PeriodKind, zone: tzinfo, day: date | None) -> Sequence[PeriodRow]:
        """The groups of the period that is meant, one for each project and environment with notes."""
        now = self._now()
        if day is not None:
            try:
                return await self._find(user_id, period_of(kind, day))
            except OverflowError as error:
                raise InvalidInput(f"day: {day} is at the end of the calendar", field="day") from error
        last = await self._find(user_id, last_whole(kind, now, zone))
        return last or await self._find(user_id, period_of(kind, now.astimezone(zone).date()))

    async def _find(self, user_id: str, period: Period) -> Sequence[PeriodRow]:
        return await self._store.rollups.find(
            self._tenant_id, period.kind, user_id=user_id, first=period.ends_on, last=period.ends_on
        )

    async def _make_weeks(self, month: PeriodRow, zone: tzinfo, progress: Progress) -> None:
        """Weekly before monthly: the weeks that ended in it are made first."""
        over = last_whole(PeriodKind.WEEK, self._now(), zone).ends_on
        weeks = await self._store.rollups.find(
            self._tenant_id, PeriodKind.WEEK, user_id=month.user_id, first=month.starts_on,
            last=min(month.ends_on, over),
        )  # fmt: skip
        same = (month.project_id, month.environment)
        mine = [week for week in weeks if (week.project_id, week.environment) == same]
        progress.begin(len(mine), "weeks")
        # A week that was rejected or deleted is told by its notes.
        _raise_failures(mine, await self._refresh_all(mine, progress, force=False))

    async def _refresh_all(self, rows: Sequence[PeriodRow], progress: Progress, *, force: bool) -> list[Outcome]:
        async def make(row: PeriodRow) -> Outcome:
            outcome = await self._refresh(row.group_id, force=force)
            progress.step()
            return outcome

        return await together(rows, make, at_once=self._settings.concurrent_jobs - 1)

    async def _make(self, rows: Sequence[PeriodRow], progress: Progress, *, force: bool) -> list[Outcome]:
        outcomes = await self._refresh_all(rows, progress, force=force)
        _raise_failures(rows, outcomes, rejected=True)
        if rows and all(outcome.summary_id is None and outcome.result is not Result.EMPTY for outcome in outcomes):
            message = f"no summary is made of these notes: {outcomes[0].reason}; force=true makes it all the same"
            raise Conflict(message)
        return outcomes

    async def _refresh(self, group_id: str, *, force: bool) -> Outcome:
        """Refresh one group, or wait for whoever refreshes it already."""
        loop, tries = asyncio.get_running_loop(), 0
        until = loop.time() + self._settings.inline_deadline
        while True:
            outcome = await refreshing.refresh_group(self._engine, self._tenant_id, group_id, force=force, again=True)
            if outcome is not None:
                tries += 1
                if outcome.result not in (Result.BUSY, Result.DISCARDED) or tries == _TRIES:
                    return outcome
            elif loop.time() > until:
                raise Conflict("somebody else makes this summary right now; read it in a moment")
            await asyncio.sleep(_PAUSE)

    async def _answer(self, period: PeriodName, outcomes: Sequence[Outcome]) -> Made:
        """The newest summary, and what all of them rest on."""
        ids = [outcome.summary_id for outcome in outcomes if outcome.summary_id is not None]
        summaries = await self._store.summaries.get(self._tenant_id, ids)
        if not summaries:
            return Made(summary_id=None, period=period, notes_consolidated=0, status="empty")
        done = any(outcome.result is Result.COMMITTED for outcome in outcomes)
        return Made(
            summary_id=next(id_ for id_ in reversed(ids) if id_ in summaries),
            period=period,
            notes_consolidated=sum(len(summary.leaf_source_ids) for summary in summaries.values()),
            counts=sum((summary.counts for summary in summaries.values()), start=Counts()),
            status="complete" if done else "unchanged",
        )

    async def _compact(self, user_id: str, zone: tzinfo, progress: Progress, *, force: bool, day: date | None) -> Made:
        """Compact the days that are old enough, or the one named; notes go only where their day is old enough."""
        tenant_id, store = self._tenant_id, self._store
        until = self._rollups.told_until(PeriodKind.DAY, self._now().astimezone(zone).date())
        rows = await store.rollups.find(
            tenant_id, PeriodKind.DAY, user_id=user_id, first=day or date.min, last=day or until, only_open=day is None
        )
        progress.begin(len(rows), "days")
        outcomes = await self._refresh_all(rows, progress, force=force)
        progress.at("letting notes go")
        changed = [outcome for outcome in outcomes if outcome.result is Result.COMMITTED]
        overdue = replace(passes.overdue_notes(until), user_id=user_id)
        retired = await refreshing.retire(self._engine, store, tenant_id, PeriodKind.DAY, overdue)
        answer = await self._answer("daily", changed or outcomes[-1:] or await self._newest_day(user_id))
        _log.info("compacted", tenant_id=tenant_id, days=len(changed), notes=len(retired.expired))
        _raise_failures(rows, outcomes)
        not_saving = await store.retention.not_saving(tenant_id, PeriodKind.DAY, overdue)
        kept = {date.fromisoformat(place) for _, place in not_saving}
        # Nothing of these passed the checks.
        kept |= {row.starts_on for row, outcome in zip(rows, outcomes, strict=True) if outcome.summary_id is None}
        return replace(answer, days_kept=tuple(sorted(kept)), notes_kept=len(retired.left_out))

    async def _newest_day(self, user_id: str) -> Sequence[Outcome]:
        """The day that was compacted last, unchanged."""
        page = await self._store.rollups.list(self._tenant_id, PeriodKind.DAY, user_id=user_id, limit=1, cursor=None)
        return [Outcome(group_id=row.group_id, result=Result.UNCHANGED, summary_id=row.summary_id) for row in page.rows]

    async def list(
        self, period: PeriodName, *, user_id: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> Page[Rollup]:
        """Summaries of a period, newest first; of everybody without a user. ``limit`` is 1 to 1000."""
        inputs.checked_limit(limit)
        tenant_id, store = self._tenant_id, self._store
        page = await store.rollups.list(tenant_id, _kind(period), user_id=user_id, limit=limit, cursor=cursor)
        ids = [row.summary_id for row in page.rows if row.summary_id is not None]
        summaries: dict[str, Summary] = {}
        for at in range(0, len(ids), passes.SLICE):
            summaries |= await store.summaries.get(tenant_id, ids[at : at + passes.SLICE])
        rows = [
            self._rollup(period, row, summaries[row.summary_id]) for row in page.rows if row.summary_id in summaries
        ]
        return Page(rows=tuple(rows), next_cursor=page.next_cursor)

    def _rollup(self, period: PeriodName, row: PeriodRow, summary: Summary) -> Rollup:
        return Rollup(
            summary_id=summary.id,
            user_id=row.user_id,
            period=period,
            start_date=row.starts_on,
            end_date=row.ends_on,
            key_insights=self._rollups.key_insights(summary.statements),
            notes_consolidated=len(summary.leaf_source_ids),
            counts=summary.counts,
        )

    async def zones(self) -> dict[str, str]:
        """The zones that are set, by user; the tenant's own under the empty name."""
        return dict(await self._store.zones.list(self._tenant_id))

    async def set_zone(self, zone: str | None, *, user_id: str = "") -> int:
        """Set the time zone of a user or, without one, of everybody who has none; None unsets it.

        Notes move to the days, weeks and months of the new zone, which are made anew in the next night; those of days
        that are compacted already stay. Answers how many moved. Raises InvalidInput.
        """
        if zone is not None:
            try:
                zone_named(zone)
            except ValueError as error:
                raise InvalidInput(f"zone: {error}", field="zone") from error
        tenant_id, store, now = self._tenant_id, self._store, self._now()
        kinds = [kind.value for kind in PeriodKind]
        ids = await store.zones.put(tenant_id, user_id, zone, policies=kinds)
        moved = 0
        for at in range(0, len(ids), passes.SLICE):
            moved += await store.rollups.move(tenant_id, ids[at : at + passes.SLICE], kinds, now=now)
        return moved


def _kind(period: str) -> PeriodKind:
    if period not in policies.PERIODS:
        raise InvalidInput(f"period: {period!r} is not daily, weekly or monthly", field="period")
    return policies.PERIODS[period]


def _raise_failures(rows: Sequence[PeriodRow], outcomes: Sequence[Outcome], *, rejected: bool = False) -> None:
    """Raises DraftFailed where a period could not be made. A day whose draft is rejected keeps its notes instead."""
    bad = {Result.FAILED, Result.DISCARDED, Result.BUSY} | ({Result.REJECTED} if rejected else set())
    for row, outcome in zip(rows, outcomes, strict=True):
        if outcome.result in bad:
            message = f"{row.starts_on} to {row.ends_on} could not be summarized, what stood stays: "
            raise DraftFailed(message + (outcome.reason or outcome.result))
