"""The archive's verbs over precis's own store (app.archive) and over every store (app.archiving); its timetable.

Each is one pass of precis.sources.archive over a source, under a turn, on request or on a timetable.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from precis.app.parts import Parts
from precis.app.passes import Pass, turn
from precis.app.pools import Pools, pool_source
from precis.app.refreshing import refresh_leased, retire
from precis.engine.commit import Outcome, Result
from precis.errors import InvalidInput, PrecisError
from precis.policies.archive import Archive
from precis.settings import OWN_STORE, PoolSettings, Settings
from precis.sources.archive import (
    ArchivePreview,
    ArchiveRun,
    PoolPass,
    archive,
    archive_settings,
    changed,
    open_pool,
    pools_of,
    preview,
)
from precis.sources.own import POLICY, OwnSource
from precis.sources.source import Source
from precis.store.timetables import Schedule as Scheduled
from precis.store.upkeep.retention import Overdue
from precis.work import Progress

_log = structlog.get_logger(__name__)
#: How the passes are named that a number of new memories begins.
_COUNTING = "count of "
#: How often memories are counted: those of precis, and those of a pool, which has to be read for it.
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Archived:
    """What a request did, over every store it was of."""

    #: None where precis's own store was not asked for.
    own: ArchiveRun | None
    #: By the names of the settings.
    pools: Mapping[str, PoolPass] = field(default_factory=dict)
    #: Why a pool could not be archived, or not to its end.
    failures: Mapping[str, str] = field(default_factory=dict)


class ArchiveVerbs:
    """Verbs over the archive of one tenant's own store."""

    def __init__(self, parts: Parts, rules: Archive | None = None) -> None:
        self._parts = parts
        self._rules = rules or archive_settings(parts.settings)

    @property
    def settings(self) -> Archive:
        """How it is set."""
        return self._rules

    async def run(self, *, user_id: str | None = None, progress: Progress | None = None) -> ArchiveRun:
        """Make one pass now, due or not, and move the next one; with a user for that user only, and nothing moves.

        Raises Conflict while somebody makes one.
        """
        async with turn(self._parts, POLICY, after=self._rules.next_run, whole_tenant=user_id is None) as began:
            return await self.make(began, user_id=user_id, progress=progress)

    async def make(self, now: datetime, *, user_id: str | None = None, progress: Progress | None = None) -> ArchiveRun:
        """Make a pass without claiming it: batch what is old, summarize each batch, then let originals expire."""
        (tally,), _ = await archive(self._source(progress), self._rules, now=now, user_id=user_id)
        _log.info(
            "archived", tenant_id=self._parts.tenant_id, memories=tally.memories, deletions=tally.deletions,
            waiting=tally.waiting, left_out=tally.left_out, failed=tally.failed,
        )  # fmt: skip
        return ArchiveRun.of(tally)

    async def after_growth(self) -> Sequence[str]:
        """A pass for each user with so many new memories since the last one of this kind; answers who."""
        return await _after_growth(self._source(), self._rules, lambda user_id: self.run(user_id=user_id))

    async def preview(self, *, user_id: str | None = None) -> Sequence[ArchivePreview]:
        """What a pass would do now, by user, without a write and without a call."""
        now = self._parts.engine.clock()
        tallies = await preview(self._source(), self._rules, now=now, user_id=user_id)
        return [ArchivePreview.of(tally) for tally in tallies if tally.details or tally.deletions]

    async def schedules(self) -> Mapping[str, Scheduled]:
        """When each policy's pass ran last and is due next; a pass that is switched off is not due."""
        rows = await self._parts.store.schedules.list(self._parts.tenant_id)
        policies = {name: row for name, row in rows.items() if not name.startswith(("pool ", _COUNTING))}
        schedules = {POLICY: Scheduled(last_run=None, next_run=None), **policies}
        if not self._rules.enabled:
            schedules[POLICY] = Scheduled(last_run=schedules[POLICY].last_run, next_run=None)
        return schedules

    def _source(self, progress: Progress | None = None) -> OwnSource:
        parts = self._parts
        engine, store, tenant_id = parts.engine, parts.store, parts.tenant_id

        async def refresh(group_id: str) -> Outcome:
            lease = await engine.claim(tenant_id, group_id)
            if lease is None:
                return Outcome(group_id=group_id, result=Result.BUSY, reason="a worker makes it")
            return await refresh_leased(engine, lease)

        async def expire(overdue: Overdue) -> tuple[int, int, int]:
            retired = await retire(engine, store, tenant_id, POLICY, overdue)
            return len(retired.expired), len(retired.waiting), len(retired.left_out)

        return OwnSource(
            tenant_id=tenant_id, store=store, engine=engine, refresh=refresh, expire=expire,
            # One call of a tenant is kept for its writers.
            at_once=parts.settings.concurrent_jobs - 1, progress=progress or Progress(),
        )  # fmt: skip


class Archiving:
    """The archive over every store of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def stores(self) -> Sequence[str]:
        """What a request may name: precis's own store, and the pools."""
        return [OWN_STORE, *(pool.name for pool in pools_of(self._parts.settings, self._parts.tenant_id))]

    async def run(
        self, *, store: str | None = None, user_id: str | None = None, progress: Progress | None = None, **changes: Any
    ) -> Archived:
        """One pass now over every store, or over the one named; of all users or of one.

        ``changes`` are settings for this pass only. A pool that fails stands among the failures, and the others are
        made. Raises InvalidInput, and Conflict while somebody else makes the pass of precis's own store.
        """
        if store is not None and store not in self.stores:
            raise InvalidInput(f"store: {store!r} is none of {', '.join(self.stores)}", field="store")
        rules, own = changed(archive_settings(self._parts.settings), **changes), None
        # One for all of them: it adds up.
        progress = progress or Progress()
        if store in (None, OWN_STORE):
            own = await ArchiveVerbs(self._parts, rules).run(user_id=user_id, progress=progress)
        pools: dict[str, PoolPass] = {}
        failures: dict[str, str] = {}
        for named in pools_of(self._parts.settings, self._parts.tenant_id):
            if store not in (None, named.name):
                continue
            try:
                passed = await _archive_named(self._parts, named, rules, user_id=user_id, progress=progress)
            except Exception as error:  # noqa: BLE001 - whatever a library raises, the other stores have their turn
                _log.warning("pool_pass_failed", pool=named.name, error=type(error).__name__)
                # What a library raises may quote a memory, so of that only the kind is told.
                failures[named.name] = str(error) if isinstance(error, PrecisError) else type(error).__name__
                continue
            pools[named.name] = passed
            if passed.stopped is not None:
                failures[named.name] = passed.stopped
        return Archived(own=own, pools=pools, failures=failures)


def archive_passes(settings: Settings) -> Sequence[Pass]:
    """What the archive does on the timetable: precis's own store, each pool, and both by the number of new memories."""
    if not settings.archive_enabled:
        return ()
    stores = (None, *settings.archive_pools)
    counting = [_counting(named) for named in stores] if settings.archive_after_memories else []
    return [*(archive_pass(settings, named) for named in stores), *counting]


def archive_pass(settings: Settings, named: PoolSettings | None = None) -> Pass:
    """The pass over a pool, or over precis's own store. A tenant that never had one has it at once."""

    async def run(parts: Parts, began: datetime) -> object:
        return await (ArchiveVerbs(parts).make(began) if named is None else _archive_named(parts, named))

    name, tenant = (POLICY, None) if named is None else (f"{POLICY} {named.name}", named.tenant)
    return Pass(name=name, first=lambda now: now, after=archive_settings(settings).next_run, run=run, tenant=tenant)


def _counting(named: PoolSettings | None) -> Pass:
    """The pass that counts new memories and archives for the users who have enough of them."""

    async def run(parts: Parts, began: datetime) -> object:
        del began
        return await (ArchiveVerbs(parts).after_growth() if named is None else _pool_after_growth(parts, named))

    name, tenant, pause = (OWN_STORE, None, _MINUTE) if named is None else (named.name, named.tenant, _HOUR)
    return Pass(name=f"{_COUNTING}{name}", first=lambda now: now, after=lambda now: now + pause, run=run, tenant=tenant)


async def _after_growth(source: Source, rules: Archive, run: Callable[[str], Awaitable[object]]) -> Sequence[str]:
    grown = await source.grown(rules.after_memories) if rules.after_memories else ()
    for user_id, memories in grown:
        await run(user_id)
        await source.counted(user_id, memories)
    return [user_id for user_id, _ in grown]


async def _pool_after_growth(parts: Parts, named: PoolSettings) -> Sequence[str]:
    source = pool_source(parts, open_pool(named, parts.settings))
    return await _after_growth(
        source, archive_settings(parts.settings), lambda user_id: _archive_named(parts, named, user_id=user_id)
    )


async def _archive_named(
    parts: Parts, named: PoolSettings, rules: Archive | None = None, *, user_id: str | None = None,
    progress: Progress | None = None,
) -> PoolPass:  # fmt: skip
    """A pass over a pool of the settings."""
    pool = open_pool(named, parts.settings)
    keep = named.keep_in_precis
    return await Pools(parts, rules).archive(pool, keep_in_precis=keep, user_id=user_id, progress=progress)
