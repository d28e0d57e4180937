"""What a worker does again and again beside its ticks: timetables renewed, indexes settled. One failure ends none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

from precis.app.embedding import SLICE
from precis.bootstrap import Runtime
from precis.store.upkeep.indexes import Settled

_log = structlog.get_logger(__name__)
#: Seconds between two looks for vectors of another embedder; the embedder changes with a restart.
LOOK_SECONDS = 300.0
#: Seconds between two slices of a tenant: others want the database, too.
PAUSE_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a tenant's renewal goes on, and by how many rows at once; none: the next row is passed over."""

    after: str = ""
    rows: int = SLICE

    def reached(self, row_id: str) -> Place:
        """After a slice that was made anew."""
        return Place(after=row_id, rows=min(SLICE, 2 * self.rows))

    def failed(self) -> Place:
        """After one that was not: less at once, until the row is found that nothing can be made of."""
        return Place(after=self.after, rows=max(1, self.rows // 8) if self.rows > 1 else 0)


async def renew_forever(runtime: Runtime) -> None:
    """Look now and then, until cancelled."""
    places: dict[str, Place] = {}
    await now_and_then("renewal", LOOK_SECONDS, lambda: renew_all(runtime, places, pause=PAUSE_SECONDS))


async def renew_all(runtime: Runtime, places: dict[str, Place] | None = None, *, pause: float = 0.0) -> int:
    """One slice of each tenant in turn until none is left; answers how many slices it were.

    A tenant whose slice fails waits for the next look, which goes on at its entry in ``places``.
    """
    places = {} if places is None else places
    waiting = {tenant_id: places.pop(tenant_id, Place()) for tenant_id in await runtime.store.tenants.list()}
    slices = 0
    while waiting:
        for tenant_id in list(waiting):
            place = waiting.pop(tenant_id)
            places[tenant_id] = place.failed()
            with going_on("renewal_failed", tenant_id):
                further = await _slice(runtime, tenant_id, place)
                del places[tenant_id]
                if further is not None:
                    waiting[tenant_id] = further
                    slices += 1
                    await asyncio.sleep(pause)
    return slices


async def _slice(runtime: Runtime, tenant_id: str, place: Place) -> Place | None:
    """Make the next rows of a tenant anew; answers where to go on, None when nothing is left."""
    embeddings = runtime.app(tenant_id).embeddings
    if place.rows == 0:
        passed = await embeddings.pass_over(after=place.after)
        _log.warning("passed_over", tenant_id=tenant_id)
        return None if passed is None else Place(after=passed, rows=1)
    reached = await embeddings.renew(after=place.after, limit=place.rows)
    if reached is None:
        return None
    _log.info("renewed", tenant_id=tenant_id)
    return place.reached(reached)


async def now_and_then(
    name: str, seconds: float, work: Callable[[], Awaitable[object]], *, at_once: bool = True
) -> None:
    """Do it with so many seconds between two turns, until cancelled; ``at_once``, or first after such a pause.

    A failure is logged by its kind, as ``<name>_failed``, and the next turn comes: what it says may quote a memory.
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


#: How often a worker looks which scopes have become large, in seconds.


async def settle_forever(runtime: Runtime) -> None:
    """Look now and then, until cancelled; first when others that begin with a worker have had their turn."""

    async def look() -> None:
        settled = await settle(runtime)
        if settled is not None and settled.made + settled.dropped:
            _log.info("indexes_settled", made=len(settled.made), dropped=len(settled.dropped))

    if runtime.store.scope_indexes.can_make:
        await now_and_then("indexes", LOOK_SECONDS, look, at_once=False)


async def settle(runtime: Runtime) -> Settled | None:
    """Those of all tenants, for the embedder in use; None when another process is at it."""
    embedder = runtime.engine.embedder
    return await runtime.store.scope_indexes.settle(
        await runtime.store.tenants.list(), version=embedder.version, dimensions=embedder.dimensions
    )
