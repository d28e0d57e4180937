"""Let originals go that a policy no longer needs: freeze what they say, make that current, and only then expire them.

Each step is a transaction of its own and finds by state what is left to do, so a pass that dies is gone on with by the
next one: nothing is lost, and nothing is done twice (laws 5 and 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from precis.app.refreshing import freeze_leased, refresh_leased
from precis.engine.pipeline import Engine
from precis.store.postgres import PostgresStore
from precis.store.retention import Overdue

#: Originals that are taken up together.
_SLICE = 200
#: A frozen node makes its group stale, a part its whole: so often a group may have to be refreshed for one slice.
_ROUNDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Retired:
    """What a pass let go."""

    #: Ids of the originals whose text is gone.
    expired: tuple[str, ...] = ()
    #: Overdue ones that stay for now.
    waiting: tuple[str, ...] = ()
    #: Of those, the ones that no summary which is current says in full. The others wait for a group that could not be
    #: frozen or made current, or save nothing.
    left_out: tuple[str, ...] = ()


async def retire(engine: Engine, store: PostgresStore, tenant_id: str, policy: str, chosen: Overdue) -> Retired:
    """Let go of everything overdue under a policy, slice by slice, until nothing more can go."""
    expired: list[str] = []
    # What is not said in full, or behind a group that somebody holds or a draft that failed: the next pass tries anew.
    waiting: list[str] = []
    left_out: list[str] = []
    while ids := await store.retention.overdue(tenant_id, policy, chosen, besides=waiting, limit=_SLICE):
        await _seal_own(engine, store, tenant_id, policy, ids)
        said = await store.retention.said(tenant_id, policy, ids)
        # What says more is longer: it may save nothing any more.
        still = await store.retention.overdue(tenant_id, policy, chosen, besides=waiting, limit=_SLICE)
        going = sorted(set(ids).intersection(said, still))
        if going:
            await _seal_others(engine, store, tenant_id, going)
        gone = await store.memories.expire(tenant_id, going, now=engine.clock()) if going else ()
        expired += gone
        waiting += sorted(set(ids).difference(gone))
        left_out += sorted(set(ids).intersection(still).difference(said))
    return Retired(expired=tuple(expired), waiting=tuple(waiting), left_out=tuple(left_out))


async def _seal_own(engine: Engine, store: PostgresStore, tenant_id: str, policy: str, ids: Sequence[str]) -> None:
    """The policy's own groups speak by frozen nodes for what they say in full, and are current."""
    for holder in await store.retention.holders(tenant_id, ids):
        if holder.policy == policy:
            await _freeze(engine, tenant_id, holder.group_id, holder.ids)
    await _make_current(engine, store, tenant_id, ids)


async def _seal_others(engine: Engine, store: PostgresStore, tenant_id: str, ids: Sequence[str]) -> None:
    """Every other group with a summary over them speaks for them by a frozen node, and is current."""
    for holder in await store.retention.holders(tenant_id, ids):
        await _freeze(engine, tenant_id, holder.group_id, holder.ids)
    await _make_current(engine, store, tenant_id, ids)


async def _make_current(engine: Engine, store: PostgresStore, tenant_id: str, ids: Sequence[str]) -> None:
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
