"""A pass: what a policy does on its timetable besides refreshing its groups. The rollups' own lets go of old notes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial

import structlog

from precis import errors, makers, memory
from precis.app.parts import Parts
from precis.app.refreshing import Retired, renewing, retire
from precis.ids import zone_of
from precis.policies import rollups as policies
from precis.policies.rollups import PeriodKind, next_run
from precis.settings import Settings
from precis.store.upkeep.retention import Overdue
from precis.store.upkeep.retuning import Retuned

_log = structlog.get_logger(__name__)
#: The pass of the rollups on the timetable.
NAME = "rollups"
#: Memories that are placed anew in one transaction, and periods whose summaries are read at once.
SLICE = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Pass:
    """One policy's pass over a tenant. Running it again does only what is left to do."""

    #: The policy's name, and the schedule's.
    name: str
    #: When it is due for a tenant that never had one.
    first: Callable[[datetime], datetime]
    #: When it is due next after a run that began at this time.
    after: Callable[[datetime], datetime]
    run: Callable[[Parts, datetime], Awaitable[object]]
    #: The one tenant it is of; None: every tenant has it.
    tenant: str | None = None


#: How long a pass stays claimed after the process that claimed it died.
LASTS = timedelta(minutes=1)


@asynccontextmanager
async def claimed(
    parts: Parts, policy: str, *, after: Callable[[datetime], datetime] | None = None, whole_tenant: bool = True
) -> AsyncIterator[datetime]:
    """Claim a pass that was asked for, due or not, for the length of the block, which gets the time it began.

    Raises Conflict while somebody else makes it. At its end the last run is noted and, with ``after``, the next one; a
    pass that failed is still due. A pass over less than the ``whole_tenant`` changes neither.
    """
    schedules, clock = parts.store.schedules, parts.engine.clock
    began = clock()
    await schedules.ensure(parts.tenant_id, policy, next_run=began)
    mine = await schedules.claim(parts.tenant_id, policy, now=began, lasts=LASTS, requested=True)
    if mine is None:
        raise errors.Conflict("this pass is being made right now; if its process died, try again in a minute")
    done = False
    try:
        async with renewing(lambda: schedules.renew(mine, now=clock()), lasts=LASTS, what=policy):
            yield began
        done = True
    finally:
        ended = schedules.finish(
            mine,
            last_run=began if done and whole_tenant else None,
            next_run=after(began) if done and whole_tenant and after else None,
        )
        await asyncio.shield(ended)


# --- the pass of the clusters: they merge and split as a user's memories grow ---

#: Scopes of more memories stay as their writes grouped them: regrouping takes their square in time. Somebody who waits
#: for it gets it for fewer, and those of a few are looked at soon: whoever begins to write meets few clusters.
_REGROUPED, _REGROUPED_AT_ONCE, _REGROUPED_SOON = 20_000, 4_000, 300
#: When these are looked at the first time, and how often.
_FIRST, _SOON = timedelta(minutes=1), timedelta(minutes=5)
#: The passes on the timetable.
CLUSTERS, CLUSTERS_SOON = "clusters", "clusters_soon"


def clusters_pass(settings: Settings) -> tuple[Pass, ...]:
    """Regrouping every so many hours, and of small scopes every few minutes; none where that is switched off."""
    every = timedelta(hours=settings.regroup_hours)
    if not every:
        return ()
    soon = min(every, _SOON)
    return (
        Pass(name=CLUSTERS, first=lambda now: now + every, after=lambda began: began + every, run=regroup),
        Pass(name=CLUSTERS_SOON, first=lambda now: now + _FIRST, after=lambda began: began + soon, run=regroup_small),
    )


async def regroup(parts: Parts, now: datetime) -> Retuned:
    """Group anew the scopes in which a cluster began since the last time; summaries follow."""
    return await _regroup(parts, now, await _last(parts, CLUSTERS), _REGROUPED)


async def regroup_small(parts: Parts, now: datetime) -> Retuned:
    """The same of scopes of a few memories, of which that takes a fraction of a second."""
    return await _regroup(parts, now, await _last(parts, CLUSTERS_SOON), _REGROUPED_SOON)


async def _last(parts: Parts, name: str) -> datetime | None:
    known = (await parts.store.schedules.list(parts.tenant_id)).get(name)
    return known.last_run if known else None


async def regroup_written(parts: Parts, since: datetime) -> Retuned:
    """The same at once, of what was written since, where it is not switched off."""
    if not parts.settings.regroup_hours:
        return Retuned()
    return await _regroup(parts, parts.engine.clock(), since, _REGROUPED_AT_ONCE)


async def _regroup(parts: Parts, now: datetime, since: datetime | None, most: int) -> Retuned:
    policy = parts.engine.policies["clusters"]
    reading = partial(makers.about, parts.engine.embedder)
    return await parts.store.retuning.apply(
        parts.tenant_id, policy=policy, grouping=policy.group, now=now, reading=reading, since=since, most=most
    )


# --- the pass of the rollups: old notes go, and what the settings made due, or not due, is put right ---


def rollup_settings(settings: Settings) -> policies.Rollups:
    """What the deployment set, as the policies take it."""
    hour, minute = settings.rollups_schedule_time.split(":")
    return policies.Rollups(
        enabled=settings.rollups_enabled,
        schedule_time=time(int(hour), int(minute)),
        retain_days=settings.rollups_retain_days,
        model=settings.rollups_model,
        min_importance=settings.rollups_min_importance,
        max_insights=settings.rollups_max_insights,
        note_kinds=tuple(settings.rollups_note_kinds),
        messages=settings.rollups_messages,
    )


def rollups_pass() -> Pass:
    """Every hour at half past: by then what was due at five is made."""
    return Pass(name=NAME, first=lambda now: now, after=_half_past, run=pass_over)


def _half_past(now: datetime) -> datetime:
    half = now.replace(minute=30, second=0, microsecond=0)
    return half if half > now else half + timedelta(hours=1)


async def pass_over(parts: Parts, now: datetime) -> Retired:
    """One pass over a tenant. Doing it again does only what is left to do."""
    rollups, store, tenant_id = rollup_settings(parts.settings), parts.store, parts.tenant_id
    kinds = [kind.value for kind in PeriodKind]
    if not rollups.enabled:
        await store.rollups.rest(tenant_id, kinds)
        return Retired()
    names = await store.zones.list(tenant_id)
    zones = {zone_of(names, user_id) for user_id in {"", *names}}
    if not await _anything_new(parts, rollups, zones, kinds, now):
        return Retired()
    await take_up(parts, rollups)
    runs = {zone: next_run(now, zone, rollups.schedule_time) for zone in zones}
    for kind in PeriodKind:
        last = min(rollups.told_until(kind, run.astimezone(zone).date()) for zone, run in runs.items())
        await store.rollups.schedule(tenant_id, kind, last=last, next_run=max(runs.values()))
    # The days that are old enough in every zone; their groups become due in each zone by themselves.
    until = min(rollups.told_until(PeriodKind.DAY, now.astimezone(zone).date()) for zone in zones)
    overdue = overdue_notes(until)
    retired = await retire(parts.engine, store, tenant_id, PeriodKind.DAY, overdue)
    kept = await store.retention.not_saving(tenant_id, PeriodKind.DAY, overdue)
    if retired.expired or retired.waiting or kept:
        _log.info(
            "compaction", tenant_id=tenant_id, notes=len(retired.expired), waiting=len(retired.waiting),
            left_out=len(retired.left_out), days_kept=len(kept),
        )  # fmt: skip
    return retired


async def take_up(parts: Parts, rollups: policies.Rollups, *, user_id: str | None = None) -> int:
    """What users said before their weeks and months read it joins them; of one user or of all. Answers how much did.

    Nothing where messages are not read. A message that is written meanwhile joins with its turn.
    """
    if not rollups.messages:
        return 0
    store, tenant_id, now = parts.store, parts.tenant_id, parts.engine.clock()
    kinds, taken_up = [kind.value for kind in PeriodKind], 0
    ids = await store.rollups.unread_messages(tenant_id, PeriodKind.WEEK, user_id=user_id)
    for at in range(0, len(ids), SLICE):
        taken_up += await store.rollups.move(tenant_id, ids[at : at + SLICE], kinds, now=now)
    return taken_up


async def _anything_new(
    parts: Parts, rollups: policies.Rollups, zones: Collection[tzinfo], kinds: Sequence[str], now: datetime
) -> bool:
    """Whether a nightly run was due, or a summary of a period was made, since the last pass.

    Only then does a pass look through every day of every user.
    """
    known = (await parts.store.schedules.list(parts.tenant_id)).get(NAME)
    since = known.last_run if known else None
    if since is None or any(next_run(since, zone, rollups.schedule_time) <= now for zone in zones):
        return True
    return await parts.store.rollups.made_since(parts.tenant_id, kinds, since)


def overdue_notes(until: date) -> Overdue:
    """The notes of days up to this one, where the compacted form is shorter."""
    return Overdue(ends_before=date.fromordinal(until.toordinal() + 1), saving=True, rendered=memory.RENDERED)
