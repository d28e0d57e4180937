"""Run refreshes under a lease: inline for a writer within a deadline, until nothing is due, or as a scheduler's run."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

import structlog

from precis.engine.drafted import Outcome, Result
from precis.engine.engine import Engine
from precis.engine.lease import Lease
from precis.engine.pipeline import refresh
from precis.engine.retention import freeze
from precis.errors import PrecisError, StoreUnavailable
from precis.store.postgres import PostgresStore
from precis.store.upkeep.retention import Overdue
from precis.work import alongside, within

_log = structlog.get_logger(__name__)
#: A group that failed this often for a reason that is not the model's absence waits for a person.
MAX_ATTEMPTS = 5


async def refresh_leased(
    engine: Engine, lease: Lease, *, force: bool = False, rebuild: bool = False, again: bool = False
) -> Outcome:
    """A refresh that gives its lease back whatever happens; a group nobody can refresh ends in the failed state.

    ``again``: somebody asks for it, so that a draft that was rejected is tried once more.
    """
    return await _leased(engine, lease, lambda: refresh(engine, lease, force=force, rebuild=rebuild, again=again))


async def refresh_group(
    engine: Engine, tenant_id: str, group_id: str, *, force: bool = False, rebuild: bool = False, again: bool = False
) -> Outcome | None:
    """The same of a group that nobody has leased yet; None while somebody else refreshes it."""
    lease = await engine.claim(tenant_id, group_id)
    if lease is None:
        return None
    return await refresh_leased(engine, lease, force=force, rebuild=rebuild, again=again)


async def freeze_leased(engine: Engine, lease: Lease, ids: Sequence[str], *, saving: bool = False) -> Outcome:
    """Seal members of a leased group in frozen nodes, and give the lease back; ``saving`` as for ``freeze``."""
    return await _leased(engine, lease, lambda: freeze(engine, lease, ids, saving=saving))


async def _leased(engine: Engine, lease: Lease, work: Callable[[], Awaitable[Outcome]]) -> Outcome:
    def renew() -> Awaitable[bool]:
        return engine.groups.renew(lease, now=engine.clock())

    try:
        async with renewing(renew, lasts=lease.lasts, what=lease.group_id):
            return await work()
    except asyncio.CancelledError:
        await asyncio.shield(engine.give_back(lease, retry_at=engine.clock()))
        raise
    except StoreUnavailable as error:
        # An outage says nothing against the group: no attempt is counted, and it is due again at once.
        await engine.give_back(lease, retry_at=engine.clock())
        return Outcome(group_id=lease.group_id, result=Result.FAILED, reason=type(error).__name__)
    except Exception as error:  # noqa: BLE001 - one poisoned group must not stop the others
        # Only the kind of error is kept: its message may hold text of a memory.
        reason = type(error).__name__
        _log.warning("refresh_failed", group_id=lease.group_id, policy=lease.policy, error=reason)
        last = lease.attempts + 1 >= MAX_ATTEMPTS
        retry_at = None if last else engine.clock() + engine.retry_after(lease.attempts)
        await engine.give_back(lease, retry_at=retry_at, error=reason)
        return Outcome(group_id=lease.group_id, result=Result.FAILED, reason=reason)


async def refresh_inline(
    engine: Engine, tenant_id: str, group_ids: Collection[str], *, deadline: float
) -> list[Outcome]:
    """Refresh these groups before the writer is answered, as far as ``deadline`` seconds go.

    A group somebody else refreshes, or whose turn does not come, is still stale: a worker makes it.
    """
    outcomes: list[Outcome] = []

    async def refresh_each() -> None:
        for group_id in group_ids:
            outcome = await refresh_group(engine, tenant_id, group_id)
            if outcome is not None:
                outcomes.append(outcome)

    try:
        await within(deadline, refresh_each())
    except TimeoutError:
        _log.info("inline_deadline", tenant_id=tenant_id, done=len(outcomes), of=len(group_ids))
    except PrecisError as error:
        # The write stands: a summary that could not be made now is made later.
        _log.warning("inline_failed", tenant_id=tenant_id, error=type(error).__name__)
    # A copy: what is being cancelled may still add to the list itself.
    return list(outcomes)


async def work(engine: Engine, tenant_id: str, *, until: datetime) -> list[Outcome]:
    """Refresh what is due, longest waiting first, until nothing is or the time is up."""
    return await _work(engine, partial(engine.claim, tenant_id), until)


class Runs(Protocol):
    """Runs of the scheduler, with their limits."""

    async def claim(self, tenant_id: str, *, now: datetime, lasts: timedelta) -> Lease | None:
        """The next group of the tenant's run; None when there is none or it must wait."""


async def work_run(engine: Engine, runs: Runs, tenant_id: str, *, until: datetime) -> list[Outcome]:
    """The same for the scheduler, within the limits of its runs: what they leave is still due."""

    async def claim() -> Lease | None:
        return await runs.claim(tenant_id, now=engine.clock(), lasts=engine.lease_lasts)

    return await _work(engine, claim, until)


async def _work(engine: Engine, claim: Callable[[], Awaitable[Lease | None]], until: datetime) -> list[Outcome]:
    outcomes: list[Outcome] = []
    while engine.clock() < until:
        lease = await claim()
        if lease is None:
            break
        outcomes.append(await refresh_leased(engine, lease))
    return outcomes


@asynccontextmanager
async def renewing(renew: Callable[[], Awaitable[bool]], *, lasts: timedelta, what: str) -> AsyncIterator[None]:
    """Call ``renew`` three times while a lease lasts, in real time, until the block ends or it answers that it is lost.

    A call that fails is made again at the next moment; ``what`` says in the log what could not be kept.
    """

    async def go_on() -> None:
        while True:
            await asyncio.sleep(lasts.total_seconds() / 3)
            try:
                if not await renew():
                    return
            except PrecisError as error:
                _log.warning("renewal_failed", what=what, error=type(error).__name__)

    async with alongside(go_on()):
        yield


#: Originals that are taken up together.
_SLICE = 200
#: How often the groups over one slice are refreshed: freezing a node makes its group stale, and a day that is made anew
#: makes its week stale.
_ROUNDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Retired:
    """What a pass let go."""

    #: Ids of the originals whose text is gone.
    expired: tuple[str, ...] = ()
    #: Overdue ones that stay for now.
    waiting: tuple[str, ...] = ()
    #: Those of them that no current summary says in full. The others wait because their group could not be frozen or
    #: made current, or because letting them go would save nothing.
    left_out: tuple[str, ...] = ()


async def retire(engine: Engine, store: PostgresStore, tenant_id: str, policy: str, overdue: Overdue) -> Retired:
    """Let go of everything overdue under a policy, until nothing more can go: another pass finds nothing to do.

    Once some of a day have gone, what is left of it may be said in less, too: so it is looked at again.
    """
    expired: list[str] = []
    while True:
        last = await _retire_once(engine, store, tenant_id, policy, overdue)
        expired += last.expired
        if not last.expired:
            return replace(last, expired=tuple(expired))


async def _retire_once(engine: Engine, store: PostgresStore, tenant_id: str, policy: str, overdue: Overdue) -> Retired:
    """Slice by slice, each original once."""
    expired: list[str] = []
    # No summary says these in full, somebody else holds their group, or its draft failed: the next pass tries again.
    waiting: list[str] = []
    left_out: list[str] = []
    while ids := await store.retention.overdue(tenant_id, policy, overdue, besides=waiting, limit=_SLICE):
        await _seal_own(engine, store, tenant_id, policy, ids, saving=overdue.saving)
        said_in_full = await store.retention.said(tenant_id, policy, ids)
        # A summary that says more by now is longer: letting its originals go may save nothing any more.
        still = await store.retention.overdue(tenant_id, policy, overdue, besides=waiting, limit=_SLICE)
        going = sorted(set(ids).intersection(said_in_full, still))
        if going:
            await _seal_others(engine, store, tenant_id, going)
        let_go = await store.retention.expire(tenant_id, going, now=engine.clock()) if going else ()
        expired += let_go
        waiting += sorted(set(ids).difference(let_go))
        left_out += sorted(set(ids).intersection(still).difference(said_in_full))
    return Retired(expired=tuple(expired), waiting=tuple(waiting), left_out=tuple(left_out))


async def _seal_own(
    engine: Engine, store: PostgresStore, tenant_id: str, policy: str, ids: Sequence[str], *, saving: bool
) -> None:
    """Freeze, in the policy's own groups, nodes over what they say in full of these originals, and refresh them."""
    for holder in await store.retention.holders(tenant_id, ids):
        if holder.policy == policy:
            await _freeze(engine, tenant_id, holder.group_id, holder.ids, saving=saving)
    await _make_current(engine, store, tenant_id, ids)


async def _seal_others(engine: Engine, store: PostgresStore, tenant_id: str, ids: Sequence[str]) -> None:
    """Freeze, in every other group with a summary over these originals, a node over them, and refresh the groups."""
    for holder in await store.retention.holders(tenant_id, ids):
        await _freeze(engine, tenant_id, holder.group_id, holder.ids)
    await _make_current(engine, store, tenant_id, ids)


async def _make_current(engine: Engine, store: PostgresStore, tenant_id: str, ids: Sequence[str]) -> None:
    for _ in range(_ROUNDS):
        behind = await store.retention.behind(tenant_id, ids)
        if not behind:
            return
        for group_id in behind:
            await refresh_group(engine, tenant_id, group_id)


async def _freeze(engine: Engine, tenant_id: str, group_id: str, ids: Sequence[str], *, saving: bool = False) -> None:
    lease = await engine.claim(tenant_id, group_id)
    if lease is not None:
        await freeze_leased(engine, lease, ids, saving=saving)
