"""Let originals go that a policy no longer needs: freeze what they say, make that current, and only then expire them.

Each step is a transaction of its own and finds by state what is left to do, so a pass that dies is gone on with by the
next one: nothing is lost, and nothing is done twice (laws 5 and 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from precis.app.refreshing import freeze_leased, refresh_leased
from precis.engine.pipeline import Engine
from precis.store.ports import Overdue, Store

#: Originals that are taken up together.
_SLICE = 200
#: A frozen node makes its group stale, a part its whole: so often a group may have to be refreshed for one slice.
_ROUNDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Retired:
    """What a pass let go."""

    #: Ids of the originals whose text is gone.
    expired: tuple[str, ...] = ()
    #: Overdue ones that stay for now: a group that holds them could not be frozen or made current.
    waiting: tuple[str, ...] = ()


async def retire(engine: Engine, store: Store, tenant_id: str, policy: str, chosen: Overdue) -> Retired:
    """Let go of everything overdue under a policy, slice by slice, until nothing more can go."""
    expired: list[str] = []
    # Behind a group that somebody holds, or a draft that failed: the next pass takes these up.
    waiting: list[str] = []
    while ids := await store.retention.overdue(tenant_id, policy, chosen, besides=waiting, limit=_SLICE):
        await _seal(engine, store, tenant_id, ids)
        gone = await store.memories.expire(tenant_id, ids, now=engine.clock())
        expired += gone
        waiting += set(ids).difference(gone)
    return Retired(expired=tuple(expired), waiting=tuple(waiting))


async def _seal(engine: Engine, store: Store, tenant_id: str, ids: Sequence[str]) -> None:
    """Every group with a summary over them speaks for them by a frozen node, and is current."""
    for group_id, mine in (await store.retention.holders(tenant_id, ids)).items():
        await _freeze(engine, tenant_id, group_id, mine)
    for _ in range(_ROUNDS):
        behind = await store.retention.behind(tenant_id, ids)
        if not behind:
            return
        for group_id in behind:
            await _refresh(engine, tenant_id, group_id)


async def _freeze(engine: Engine, tenant_id: str, group_id: str, ids: Sequence[str]) -> None:
    lease = await engine.groups.claim(tenant_id, now=engine.clock(), lasts=engine.lease_lasts, group_id=group_id)
    if lease is not None:
        await freeze_leased(engine, lease, ids)


async def _refresh(engine: Engine, tenant_id: str, group_id: str) -> None:
    lease = await engine.groups.claim(tenant_id, now=engine.clock(), lasts=engine.lease_lasts, group_id=group_id)
    if lease is not None:
        await refresh_leased(engine, lease)
