"""app.pools: the archive over other people's stores.

A pass finishes what an earlier one left, makes the summaries of the whole backlog, and lets go what is old enough. Each
step is noted before and after it, so that a process that dies between two of them loses nothing and repeats nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import structlog

from precis.app.archive import archive_settings
from precis.app.memories import Memories
from precis.app.parts import Parts
from precis.app.pool_forgetting import PoolForgetting
from precis.app.pool_passes import PoolPass
from precis.app.pool_passing import Passing
from precis.app.pool_settling import Settling
from precis.app.progress import Progress
from precis.app.turns import turn
from precis.engine.forgetting import Receipt
from precis.engine.pipeline import total
from precis.policies.archive import Archive
from precis.sources.source import Pool, PoolMemory

_log = structlog.get_logger(__name__)


class Pools:
    """Verbs over pools, for one tenant. Nothing of a pool's texts stays in precis, unless it is asked to keep some."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._chosen = archive_settings(parts.settings)

    async def archive(
        self, pool: Pool, *, keep_in_precis: bool = False, user_id: str | None = None, again: bool = False,
        settings: Archive | None = None, progress: Progress | None = None,
    ) -> PoolPass:  # fmt: skip
        """Make one pass, of all users or of one; ``again`` tries what was rejected once more.

        Raises Conflict while somebody else makes one, and PoolUnusable before a model is asked where no summary could
        be added. A model that fails ends the pass: what was stored stays, and nothing uncovered is deleted.
        """
        engine, tenant_id = self._parts.engine, self._parts.tenant_id
        passing = self._passing(pool, kept=keep_in_precis, chosen=settings)
        progress = progress or Progress()
        async with turn(self._parts, _policy(pool)):
            finished = await passing.settling.all()
            await passing.settling.place_of(kept=keep_in_precis).ready()
            await self._parts.store.pools.release(
                tenant_id, pool.name, definition=engine.definition_of(engine.policies["archive"]), everything=again
            )
            users, names = [], await pool.users() if user_id is None else [user_id]
            progress.begin(len(names), f"users of {pool.name}")
            for name in names:
                users.append(await passing.user(name))
                progress.step()
                if passing.stopped is not None:
                    break
            await passing.settling.all()
        return PoolPass(
            pool=pool.name, dry_run=False, users=tuple(users), finished=finished, usage=total(passing.usage),
            stopped=passing.stopped,
        )  # fmt: skip

    async def preview(self, pool: Pool, *, user_id: str | None = None) -> PoolPass:
        """What a pass would summarize and delete, and why, without a call, a turn or a write."""
        passing = self._passing(pool)
        names = await pool.users() if user_id is None else [user_id]
        users = tuple([await passing.preview(name) for name in names])
        return PoolPass(pool=pool.name, dry_run=True, users=users)

    async def list(
        self, pool: Pool, user_id: str, *, before: datetime | None = None, limit: int | None = None,
        agent_id: str | None = None, run_id: str | None = None, summaries: bool = False,
    ) -> Sequence[PoolMemory]:  # fmt: skip
        """Memories of a user as the pool lists them, without what was forgotten."""
        rows = await pool.list(user_id, before=before, agent_id=agent_id, run_id=run_id, summaries=summaries)
        return (await self._shown(pool, rows))[:limit]

    async def get(self, pool: Pool, ids: Sequence[str]) -> Mapping[str, PoolMemory]:
        """Memories by id, without what was forgotten."""
        found = await pool.get(ids)
        return {row.id: row for row in await self._shown(pool, list(found.values()))}

    async def forget(self, pool: Pool, ids: Sequence[str]) -> Receipt:
        """Forget memories of a pool: hidden at once, then taken out of summaries and deleted there.

        The receipt says ``confirmed`` when the pool has done it and shows nothing of it any more, else ``pending``: the
        next pass goes on with it. Raises NotFound when none of them is or was there, and Conflict for a summary.
        """
        return await self._forgetting(pool).memories(ids)

    async def forget_user(self, pool: Pool, user_id: str) -> Receipt:
        """Everything of a user: memories that are there, what is known of expired ones, and every summary of them.

        Raises NotFound where there is nothing of the user.
        """
        return await self._forgetting(pool).user(user_id)

    def _forgetting(self, pool: Pool) -> PoolForgetting:
        return PoolForgetting(settling=self._settling(pool), settle=lambda: self._settle_quietly(pool))

    async def _settle_quietly(self, pool: Pool) -> None:
        """As far as it goes: what a pool does not do now is noted, and the next pass goes on with it."""
        try:
            async with turn(self._parts, _policy(pool)):
                await self._settling(pool).all()
        except Exception as error:  # noqa: BLE001 - whatever it raises, the memories are forgotten and hidden
            _log.warning("pool_pending", pool=pool.name, error=type(error).__name__)

    async def _shown(self, pool: Pool, rows: Sequence[PoolMemory]) -> Sequence[PoolMemory]:
        states, tenant_id = self._parts.store.pools, self._parts.tenant_id
        gone = await states.forgotten(tenant_id, pool.name, [row.id for row in rows])
        hidden = await states.hidden(tenant_id, pool.name)
        return [
            row for row in rows
            if row.id not in gone and row.id not in hidden.ids
            and not (row.is_summary and states.digest(tenant_id, row.text) in hidden.digests)
        ]  # fmt: skip

    def _passing(self, pool: Pool, *, kept: bool = False, chosen: Archive | None = None) -> Passing:
        return Passing(
            settling=self._settling(pool), engine=self._parts.engine, settings=chosen or self._chosen, kept=kept
        )

    def _settling(self, pool: Pool) -> Settling:
        return Settling(
            tenant_id=self._parts.tenant_id, pool=pool, states=self._parts.store.pools,
            memories=Memories(self._parts), clock=self._parts.engine.clock,
        )  # fmt: skip


def _policy(pool: Pool) -> str:
    """The name of the pool's own turns."""
    return f"pool {pool.name}"
