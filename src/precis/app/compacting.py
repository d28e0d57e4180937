"""The pass of the rollups: notes of compacted days go, and what the settings made due, or not due, is put right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime, time, timedelta, tzinfo

import structlog

from precis.app.memories import RENDERED
from precis.app.parts import Parts
from precis.app.passes import Pass
from precis.app.refreshing import Retired, retire
from precis.engine.policy import Placing
from precis.policies import rollups as policies
from precis.policies.rollups import PeriodKind, next_run
from precis.settings import Settings
from precis.store.upkeep.retention import Overdue

_log = structlog.get_logger(__name__)
#: The pass on the timetable.
NAME = "rollups"


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
    placing = Placing(now=now, zones=await store.zones.list(tenant_id))
    zones = {policies.zone_of(placing, user_id) for user_id in {"", *placing.zones}}
    if not await _anything_new(parts, rollups, zones, kinds, now):
        return Retired()
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
    return Overdue(ends_before=date.fromordinal(until.toordinal() + 1), saving=True, rendered=RENDERED)
