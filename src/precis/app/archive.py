"""The archive's verbs over precis's own store (app.archive), pools (app.pools) and all of them (app.archiving)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from precis.app.memories import Memories
from precis.app.parts import Parts, Verbs
from precis.app.passes import Pass, claimed
from precis.app.refreshing import refresh_group, retire
from precis.engine.drafted import Outcome, Result
from precis.engine.forgetting import Receipt
from precis.errors import InvalidInput, PrecisError
from precis.policies.archive import Archive
from precis.settings import Settings
from precis.settings_file import OWN_STORE, PoolSettings
from precis.sources import forgetting
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
from precis.sources.own import POLICY, OwnShelf, OwnSource
from precis.sources.pools import PoolSource
from precis.sources.settling import OpenPool, settle
from precis.sources.source import Pool, PoolMemory, Source
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


class ArchiveVerbs(Verbs):
    """Verbs over the archive of one tenant's own store."""

    def __init__(self, parts: Parts, rules: Archive | None = None) -> None:
        super().__init__(parts)
        #: How it is set.
        self.settings = rules or archive_settings(parts.settings)

    async def run(self, *, user_id: str | None = None, progress: Progress | None = None) -> ArchiveRun:
        """Make one pass now, due or not, and move the next one; with a user for that user only, and nothing moves.

        Raises Conflict while somebody makes one.
        """
        async with claimed(self._parts, POLICY, after=self.settings.next_run, whole_tenant=user_id is None) as began:
            return await self.make(began, user_id=user_id, progress=progress)

    async def make(self, now: datetime, *, user_id: str | None = None, progress: Progress | None = None) -> ArchiveRun:
        """Make a pass without claiming it: batch what is old, summarize each batch, then let originals expire."""
        (tally,), _ = await archive(self._source(progress), self.settings, now=now, user_id=user_id)
        _log.info(
            "archived", tenant_id=self._tenant_id, memories=tally.memories, deletions=tally.deletions,
            waiting=tally.waiting, left_out=tally.left_out, failed=tally.failed,
        )  # fmt: skip
        return ArchiveRun.of(tally)

    async def after_growth(self) -> Sequence[str]:
        """A pass for each user with so many new memories since the last one of this kind; answers who."""
        return await _after_growth(self._source(), self.settings, lambda user_id: self.run(user_id=user_id))

    async def preview(self, *, user_id: str | None = None) -> Sequence[ArchivePreview]:
        """What a pass would do now, by user, without a write and without a call."""
        tallies = await preview(self._source(), self.settings, now=self._now(), user_id=user_id)
        return [ArchivePreview.of(tally) for tally in tallies if tally.details or tally.deletions]

    async def schedules(self) -> Mapping[str, Scheduled]:
        """When each policy's pass ran last and is due next; a pass that is switched off is not due."""
        rows = await self._store.schedules.list(self._tenant_id)
        policies = {name: row for name, row in rows.items() if not name.startswith(("pool ", _COUNTING))}
        schedules = {POLICY: Scheduled(last_run=None, next_run=None), **policies}
        if not self.settings.enabled:
            schedules[POLICY] = Scheduled(last_run=schedules[POLICY].last_run, next_run=None)
        return schedules

    def _source(self, progress: Progress | None = None) -> OwnSource:
        engine, store, tenant_id = self._engine, self._store, self._tenant_id

        async def refresh(group_id: str) -> Outcome:
            busy = Outcome(group_id=group_id, result=Result.BUSY, reason="a worker makes it")
            return await refresh_group(engine, tenant_id, group_id) or busy

        async def expire(overdue: Overdue) -> tuple[int, int, int]:
            retired = await retire(engine, store, tenant_id, POLICY, overdue)
            return len(retired.expired), len(retired.waiting), len(retired.left_out)

        return OwnSource(
            tenant_id=tenant_id, store=store, engine=engine, refresh=refresh, expire=expire,
            # One call of a tenant is kept for its writers.
            at_once=self._settings.concurrent_jobs - 1, progress=progress or Progress(),
        )  # fmt: skip


class Pools(Verbs):
    """Verbs over pools, for one tenant."""

    def __init__(self, parts: Parts, rules: Archive | None = None) -> None:
        super().__init__(parts)
        self._rules = rules or archive_settings(parts.settings)

    async def archive(
        self, pool: Pool, *, keep_in_precis: bool = False, user_id: str | None = None, again: bool = False,
        progress: Progress | None = None,
    ) -> PoolPass:  # fmt: skip
        """Make one pass, of all users or of one; ``again`` tries what was rejected once more.

        Raises Conflict while somebody else makes one, and PoolUnusable before a model is asked where no summary could
        be added. A model that fails ends the pass: what was stored stays, and nothing uncovered is deleted.
        """
        source = _pool_source(self._parts, pool, kept=keep_in_precis, again=again, progress=progress)
        async with claimed(self._parts, f"pool {pool.name}") as began:
            tallies, finished = await archive(source, self._rules, now=began, user_id=user_id)
        return PoolPass.of(pool.name, self._rules, tallies, finished=finished)

    async def preview(self, pool: Pool, *, user_id: str | None = None) -> PoolPass:
        """What a pass would summarize and delete, and why, without a call, a claim or a write."""
        source = _pool_source(self._parts, pool)
        tallies = await preview(source, self._rules, now=self._now(), user_id=user_id)
        return PoolPass.of(pool.name, self._rules, tallies, dry_run=True)

    async def list(
        self, pool: Pool, user_id: str, *, before: datetime | None = None, limit: int | None = None,
        agent_id: str | None = None, run_id: str | None = None, summaries: bool = False,
    ) -> Sequence[PoolMemory]:  # fmt: skip
        """Memories of a user as the pool lists them, without what was forgotten."""
        rows = await pool.list(user_id, before=before, agent_id=agent_id, run_id=run_id, summaries=summaries)
        return (await forgetting.shown(_opened(self._parts, pool), rows))[:limit]

    async def get(self, pool: Pool, ids: Sequence[str]) -> Mapping[str, PoolMemory]:
        """Memories by id, without what was forgotten."""
        rows = await pool.get(ids)
        return {row.id: row for row in await forgetting.shown(_opened(self._parts, pool), list(rows.values()))}

    async def forget(self, pool: Pool, ids: Sequence[str]) -> Receipt:
        """Forget memories of a pool: hidden at once, then taken out of summaries and deleted there.

        The receipt says ``confirmed`` when the pool has done it and shows nothing of it any more, else ``pending``: the
        next pass goes on with it. Raises NotFound when none of them is or was there, and Conflict for a summary.
        """
        return await forgetting.forget(_opened(self._parts, pool), ids, lambda: self._settle_quietly(pool))

    async def forget_user(self, pool: Pool, user_id: str) -> Receipt:
        """Everything of a user: memories that are there, what is known of expired ones, and every summary of them.

        Raises NotFound where there is nothing of the user.
        """
        return await forgetting.forget_user(_opened(self._parts, pool), user_id, lambda: self._settle_quietly(pool))

    async def _settle_quietly(self, pool: Pool) -> None:
        """Do in the pool what was noted, as far as the pool answers; the next pass does the rest."""
        try:
            async with claimed(self._parts, f"pool {pool.name}"):
                await settle(_opened(self._parts, pool))
        except Exception as error:  # noqa: BLE001 - whatever it raises, the memories are forgotten and hidden
            _log.warning("pool_pending", pool=pool.name, error=type(error).__name__)


def _pool_source(
    parts: Parts, pool: Pool, *, kept: bool = False, again: bool = False, progress: Progress | None = None
) -> PoolSource:
    """A pool as a pass reads and writes it; ``kept`` puts the summaries into precis, ``again`` tries rejected ones."""
    return PoolSource(
        opened=_opened(parts, pool), engine=parts.engine, counts=parts.store.backlog, kept=kept, again=again,
        progress=progress or Progress(),
    )  # fmt: skip


def _opened(parts: Parts, pool: Pool) -> OpenPool:
    memories = Memories(parts)
    shelf = OwnShelf(
        pool=pool.name, read=memories.get_many, forget=memories.forget,
        write=lambda row: memories.add([dict(row)], summarize="deferred"),
    )  # fmt: skip
    pools, names = parts.store.pools, (parts.tenant_id, pool.name)
    return OpenPool(
        pool=pool, batches=pools.batches(*names), forgets=pools.forgets(*names), restored=pools.restored(*names),
        own=shelf, clock=parts.engine.clock,
    )  # fmt: skip


class Archiving(Verbs):
    """The archive over every store of one tenant."""

    @property
    def stores(self) -> Sequence[str]:
        """What a request may name: precis's own store, and the pools."""
        return [OWN_STORE, *(pool.name for pool in pools_of(self._settings, self._tenant_id))]

    async def run(
        self, *, store: str | None = None, user_id: str | None = None, progress: Progress | None = None, **changes: Any
    ) -> Archived:
        """One pass now over every store, or over the one named; of all users or of one.

        ``changes`` are settings for this pass only. A pool that fails stands among the failures, and the others are
        made. Raises InvalidInput, and Conflict while somebody else makes the pass of precis's own store.
        """
        if store is not None and store not in self.stores:
            raise InvalidInput(f"store: {store!r} is none of {', '.join(self.stores)}", field="store")
        rules, own = changed(archive_settings(self._settings), **changes), None
        # One for all of them: it adds up.
        progress = progress or Progress()
        if store in (None, OWN_STORE):
            own = await ArchiveVerbs(self._parts, rules).run(user_id=user_id, progress=progress)
        pools: dict[str, PoolPass] = {}
        failures: dict[str, str] = {}
        for named in pools_of(self._settings, self._tenant_id):
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

    async def run(parts: Parts, _: datetime) -> object:
        if named is None:
            return await ArchiveVerbs(parts).after_growth()
        source, rules = (
            _pool_source(parts, open_pool(named, parts.settings)),
            archive_settings(parts.settings),
        )
        return await _after_growth(source, rules, lambda user_id: _archive_named(parts, named, user_id=user_id))

    name, tenant, pause = (OWN_STORE, None, _MINUTE) if named is None else (named.name, named.tenant, _HOUR)
    return Pass(name=f"{_COUNTING}{name}", first=lambda now: now, after=lambda now: now + pause, run=run, tenant=tenant)


async def _after_growth(source: Source, rules: Archive, run: Callable[[str], Awaitable[object]]) -> Sequence[str]:
    grown = await source.grown(rules.after_memories) if rules.after_memories else ()
    for user_id, memories in grown:
        await run(user_id)
        await source.counted(user_id, memories)
    return [user_id for user_id, _ in grown]


async def _archive_named(
    parts: Parts, named: PoolSettings, rules: Archive | None = None, *, user_id: str | None = None,
    progress: Progress | None = None,
) -> PoolPass:  # fmt: skip
    """A pass over a pool of the settings."""
    pool, kept = open_pool(named, parts.settings), named.keep_in_precis
    return await Pools(parts, rules).archive(pool, keep_in_precis=kept, user_id=user_id, progress=progress)
