"""What a worker does again and again: passes of the timetable, vectors renewed, indexes settled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import structlog

from precis.app import operating, passes, refreshing
from precis.app.conversing.extracting import FactsRead
from precis.bootstrap import Runtime
from precis.errors import PrecisError
from precis.store.timetables import PassClaim
from precis.store.upkeep.indexes import Settled

_log = structlog.get_logger(__name__)
#: Seconds between two looks for vectors of another embedder; the embedder changes with a restart.
LOOK_SECONDS = 300.0
#: Seconds between two looks for messages that wait to be read for facts.
READ_SECONDS = 5.0
#: Tenants whose messages one worker reads at once.
READERS = 3
#: Seconds between two slices of a tenant: others want the database, too.
PAUSE_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class Renewal:
    """Where the renewal of a tenant's vectors goes on, and by how many rows at once; by 0, the next row is skipped."""

    after: str = ""
    rows: int = operating.SLICE

    def reached(self, row_id: str) -> Renewal:
        """After a slice that was made anew."""
        return Renewal(after=row_id, rows=min(operating.SLICE, 2 * self.rows))

    def failed(self) -> Renewal:
        """After a slice that failed: fewer rows at once, down to the row of which no vector can be made."""
        return Renewal(after=self.after, rows=max(1, self.rows // 8) if self.rows > 1 else 0)


async def renew_forever(runtime: Runtime) -> None:
    """Look now and then for outdated vectors, until cancelled."""
    renewals: dict[str, Renewal] = {}
    await now_and_then("renewal", LOOK_SECONDS, lambda: renew_all(runtime, renewals, pause=PAUSE_SECONDS))


async def renew_all(runtime: Runtime, renewals: dict[str, Renewal] | None = None, *, pause: float = 0.0) -> int:
    """One slice of each tenant in turn until no vector is outdated; answers how many slices it were.

    A tenant whose slice fails waits for the next look, which goes on at its entry in ``renewals``.
    """
    renewals = {} if renewals is None else renewals
    waiting = {tenant_id: renewals.pop(tenant_id, Renewal()) for tenant_id in await runtime.store.tenants.list()}
    slices = 0
    while waiting:
        for tenant_id in list(waiting):
            renewal = waiting.pop(tenant_id)
            renewals[tenant_id] = renewal.failed()
            with going_on("renewal_failed", tenant_id):
                further = await _slice(runtime, tenant_id, renewal)
                del renewals[tenant_id]
                if further is not None:
                    waiting[tenant_id] = further
                    slices += 1
                    await asyncio.sleep(pause)
    return slices


async def _slice(runtime: Runtime, tenant_id: str, renewal: Renewal) -> Renewal | None:
    """Make the vectors of the next rows anew; answers where to go on, None when every row has been looked at."""
    embeddings = runtime.app(tenant_id).embeddings
    if renewal.rows == 0:
        skipped = await embeddings.pass_over(after=renewal.after)
        _log.warning("passed_over", tenant_id=tenant_id)
        return None if skipped is None else Renewal(after=skipped, rows=1)
    row_id = await embeddings.renew(after=renewal.after, limit=renewal.rows)
    if row_id is None:
        return None
    _log.info("renewed", tenant_id=tenant_id)
    return renewal.reached(row_id)


async def now_and_then(
    name: str, seconds: float, work: Callable[[], Awaitable[object]], *, at_once: bool = True
) -> None:
    """Do it again and again, with a pause of so many seconds, until cancelled; ``at_once``, or first after a pause.

    A failure is logged as ``<name>_failed`` with its type only, since its message may quote a memory; the work goes on.
    """
    if not at_once:
        await asyncio.sleep(seconds)
    while True:
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - nobody looks after this task while the worker runs
            _log.warning(f"{name}_failed", error=type(error).__name__)
        await asyncio.sleep(seconds)


@contextmanager
def going_on(event: str, tenant_id: str) -> Iterator[None]:
    """What fails for one tenant is logged and must not end the work for the others."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it was, the next tenant's turn comes
        _log.warning(event, tenant_id=tenant_id, error=type(error).__name__)


async def read_forever(runtime: Runtime) -> None:
    """Look now and then for messages that wait to be read for facts, until cancelled."""
    await now_and_then("facts", READ_SECONDS, lambda: read_all(runtime))


async def read_all(runtime: Runtime) -> FactsRead:
    """Read what waits, of a few tenants at once: a slow model keeps few others waiting; answers what that did."""
    limit = asyncio.Semaphore(READERS)

    async def read(tenant_id: str) -> FactsRead:
        async with limit:
            with going_on("facts_failed", tenant_id):
                return await runtime.app(tenant_id).facts.read()
            return FactsRead()

    return sum(await asyncio.gather(*map(read, await runtime.store.tenants.list())), FactsRead())


async def settle_forever(runtime: Runtime) -> None:
    """Look now and then which scopes have become large, until cancelled; not at once, when much else begins."""

    async def look() -> None:
        settled = await settle(runtime)
        if settled is not None and settled.created + settled.dropped:
            _log.info("indexes_settled", made=len(settled.created), dropped=len(settled.dropped))

    await now_and_then("indexes", LOOK_SECONDS, look, at_once=False)


async def settle(runtime: Runtime) -> Settled | None:
    """Make and drop indexes of all tenants, for the embedder in use; None when another process is at it."""
    tenants = await runtime.store.tenants.list()
    return await runtime.store.scope_indexes.settle(tenants, version=runtime.engine.embedder.version)


#: How long after the death of a worker a pass stays reserved for it.
CLAIM_LASTS = timedelta(minutes=2)


async def run_due(runtime: Runtime, tenant_id: str) -> list[str]:
    """Make every pass of the tenant that is due and that nobody makes; answers the names of those that were made."""
    clock, schedules = runtime.engine.clock, runtime.store.schedules
    names = []
    for due in runtime.passes:
        if due.tenant not in (None, tenant_id):
            continue
        await schedules.ensure(tenant_id, due.name, next_run=due.first(clock()))
        claim = await schedules.claim(tenant_id, due.name, now=clock(), lasts=CLAIM_LASTS)
        if claim is None:
            continue
        try:
            await make(runtime, claim, due)
            names.append(due.name)
        except PrecisError as error:
            # The claim runs out, and the pass is still due: it goes on where it stopped.
            _log.warning("pass_failed", tenant_id=tenant_id, policy=due.name, error=type(error).__name__)
    return names


async def make(runtime: Runtime, claim: PassClaim, due: passes.Pass) -> object:
    """Make one pass under its claim; answers what the pass did."""
    clock, schedules = runtime.engine.clock, runtime.store.schedules
    began = clock()
    async with refreshing.renewing(lambda: schedules.renew(claim, now=clock()), lasts=claim.lasts, what=claim.policy):
        done = await due.run(runtime.app(claim.tenant_id).parts, began)
    await schedules.finish(claim, last_run=began, next_run=due.after(began))
    _log.info("pass", tenant_id=claim.tenant_id, policy=due.name)
    return done
