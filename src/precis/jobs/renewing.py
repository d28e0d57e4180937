"""Vectors of another embedder, made anew in the background, a slice of each tenant in turn."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from precis.app.embedding import SLICE
from precis.bootstrap import Runtime
from precis.jobs.now_and_then import going_on, now_and_then

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
