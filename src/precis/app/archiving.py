"""app.archiving: the archive over precis's own store and the pools of the settings, as one request and as passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from precis.app.archive import COUNTING, POLICY, ArchiveRun, ArchiveVerbs, archive_pass, archive_settings, changed
from precis.app.parts import Parts
from precis.app.passes import Pass
from precis.app.pool_opening import open_pool, pools_of
from precis.app.pool_passes import PoolPass
from precis.app.pools import Pools
from precis.app.progress import Progress
from precis.errors import InvalidInput, PrecisError
from precis.settings import OWN_STORE, PoolSettings, Settings

_log = structlog.get_logger(__name__)
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
        chosen, progress = changed(archive_settings(self._parts.settings), **changes), progress or Progress()
        own = None
        if store in (None, OWN_STORE):
            own = await ArchiveVerbs(self._parts, chosen).run(user_id=user_id, progress=progress)
        pools: dict[str, PoolPass] = {}
        failures: dict[str, str] = {}
        for named in pools_of(self._parts.settings, self._parts.tenant_id):
            if store not in (None, named.name):
                continue
            try:
                done = await Pools(self._parts).archive(
                    open_pool(named, self._parts.settings), keep_in_precis=named.keep_in_precis, user_id=user_id,
                    settings=chosen, progress=progress,
                )  # fmt: skip
            except Exception as error:  # noqa: BLE001 - whatever a library raises, the other stores have their turn
                _log.warning("pool_pass_failed", pool=named.name, error=type(error).__name__)
                failures[named.name] = _reason(error)
                continue
            pools[named.name] = done
            if done.stopped is not None:
                failures[named.name] = done.stopped
        return Archived(own=own, pools=pools, failures=failures)


def archive_passes(settings: Settings) -> Sequence[Pass]:
    """What the archive does on the timetable: precis's own store, each pool, and both by the number of new memories."""
    if not settings.archive_enabled:
        return ()
    passes = [archive_pass(settings), *(_pool_pass(named, settings) for named in settings.archive_pools)]
    if settings.archive_after_memories:
        passes.append(_count_pass())
        passes += [_pool_count_pass(named) for named in settings.archive_pools]
    return passes


def _pool_pass(named: PoolSettings, settings: Settings) -> Pass:
    async def run(parts: Parts, began: datetime) -> object:
        del began
        pool = open_pool(named, parts.settings)
        return await Pools(parts).archive(pool, keep_in_precis=named.keep_in_precis)

    after = archive_settings(settings).next_run
    return Pass(name=f"{POLICY} {named.name}", first=lambda now: now, after=after, run=run, tenant=named.tenant)


def _count_pass() -> Pass:
    async def run(parts: Parts, began: datetime) -> object:
        del began
        return await ArchiveVerbs(parts).after_growth()

    return Pass(name=f"{COUNTING}{OWN_STORE}", first=lambda now: now, after=lambda now: now + _MINUTE, run=run)


def _pool_count_pass(named: PoolSettings) -> Pass:
    async def run(parts: Parts, began: datetime) -> object:
        del began
        return await pool_after_growth(parts, named)

    return Pass(
        name=f"{COUNTING}{named.name}", first=lambda now: now, after=lambda now: now + _HOUR, run=run,
        tenant=named.tenant,
    )  # fmt: skip


async def pool_after_growth(parts: Parts, named: PoolSettings) -> Sequence[str]:
    """A pass for each user of a pool with so many new memories since the last one of this kind; answers who."""
    by, pool, backlog = parts.settings.archive_after_memories, open_pool(named, parts.settings), parts.store.backlog
    counted = await backlog.counts(parts.tenant_id, pool.name)
    grown = []
    for user_id in await pool.users():
        memories, before = len(await pool.list(user_id)), counted.get(user_id, 0)
        if memories - before >= by:
            await Pools(parts).archive(pool, keep_in_precis=named.keep_in_precis, user_id=user_id)
            memories = len(await pool.list(user_id))
            grown.append(user_id)
        elif memories >= before:
            continue
        await backlog.counted(parts.tenant_id, user_id, memories, pool=pool.name)
    return grown


def _reason(error: Exception) -> str:
    """Why a pool failed. What a library raises may quote a memory, so of that only the kind is told."""
    return str(error) if isinstance(error, PrecisError) else type(error).__name__
