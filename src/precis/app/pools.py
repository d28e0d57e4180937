"""The archive's verbs over pools, somebody else's stores (app.pools)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import structlog

from precis.app.memories import Memories
from precis.app.parts import Parts
from precis.app.passes import turn
from precis.engine.forgetting import Receipt
from precis.policies.archive import Archive
from precis.sources import forgetting
from precis.sources.archive import PoolPass, archive, archive_settings, preview
from precis.sources.own import OwnShelf
from precis.sources.pools import PoolSource
from precis.sources.settling import OpenPool, settle
from precis.sources.source import Pool, PoolMemory
from precis.work import Progress

_log = structlog.get_logger(__name__)


class Pools:
    """Verbs over pools, for one tenant."""

    def __init__(self, parts: Parts, rules: Archive | None = None) -> None:
        self._parts = parts
        self._rules = rules or archive_settings(parts.settings)

    async def archive(
        self, pool: Pool, *, keep_in_precis: bool = False, user_id: str | None = None, again: bool = False,
        progress: Progress | None = None,
    ) -> PoolPass:  # fmt: skip
        """Make one pass, of all users or of one; ``again`` tries what was rejected once more.

        Raises Conflict while somebody else makes one, and PoolUnusable before a model is asked where no summary could
        be added. A model that fails ends the pass: what was stored stays, and nothing uncovered is deleted.
        """
        source = pool_source(self._parts, pool, kept=keep_in_precis, again=again, progress=progress)
        async with turn(self._parts, _turn_of(pool)) as began:
            tallies, finished = await archive(source, self._rules, now=began, user_id=user_id)
        return PoolPass.of(pool.name, self._rules, tallies, finished=finished)

    async def preview(self, pool: Pool, *, user_id: str | None = None) -> PoolPass:
        """What a pass would summarize and delete, and why, without a call, a turn or a write."""
        now = self._parts.engine.clock()
        tallies = await preview(pool_source(self._parts, pool), self._rules, now=now, user_id=user_id)
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
            async with turn(self._parts, _turn_of(pool)):
                await settle(_opened(self._parts, pool))
        except Exception as error:  # noqa: BLE001 - whatever it raises, the memories are forgotten and hidden
            _log.warning("pool_pending", pool=pool.name, error=type(error).__name__)


def pool_source(
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
        pool=pool.name,
        read=memories.get_many,
        write=lambda row: memories.add([dict(row)], summarize="deferred"),
        forget=memories.forget,
    )
    return OpenPool(
        pool=pool,
        batches=parts.store.pools.batches(parts.tenant_id, pool.name),
        forgets=parts.store.pools.forgets(parts.tenant_id, pool.name),
        restored=parts.store.pools.restored(parts.tenant_id, pool.name),
        own=shelf,
        clock=parts.engine.clock,
    )


def _turn_of(pool: Pool) -> str:
    """The name of the pool's own turns."""
    return f"pool {pool.name}"
