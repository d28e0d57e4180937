"""A pass: what a policy does on its timetable besides refreshing its groups, and the turn of one process to make it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from precis.app.parts import Parts
from precis.app.refreshing import renewing
from precis.errors import Conflict


@dataclass(frozen=True, kw_only=True, slots=True)
class Pass:
    """One policy's pass over a tenant. Running it again does only what is left to do."""

    #: The policy's name, and the schedule's.
    name: str
    #: When it is due for a tenant that never had one.
    first: Callable[[datetime], datetime]
    #: When it is due next after a run that began at this time.
    after: Callable[[datetime], datetime]
    run: Callable[[Parts, datetime], Awaitable[object]]
    #: The one tenant it is of; None: every tenant has it.
    tenant: str | None = None


#: How long a pass stays claimed after the process that claimed it died.
LASTS = timedelta(minutes=1)


@asynccontextmanager
async def turn(
    parts: Parts, policy: str, *, after: Callable[[datetime], datetime] | None = None, whole_tenant: bool = True
) -> AsyncIterator[datetime]:
    """Claim a pass that was asked for, due or not, for the length of the block, which gets the time it began.

    Raises Conflict while somebody else makes it. At its end the last run is noted and, with ``after``, the next one; a
    pass that failed is still due. A pass over less than the ``whole_tenant`` changes neither.
    """
    schedules, clock = parts.store.schedules, parts.engine.clock
    began = clock()
    await schedules.ensure(parts.tenant_id, policy, next_run=began)
    mine = await schedules.claim(parts.tenant_id, policy, now=began, lasts=LASTS, requested=True)
    if mine is None:
        raise Conflict("this pass is being made right now; if its process died, try again in a minute")
    done = False
    try:
        async with renewing(lambda: schedules.renew(mine, now=clock()), lasts=LASTS, what=policy):
            yield began
        done = True
    finally:
        ended = schedules.finish(
            mine,
            last_run=began if done and whole_tenant else None,
            next_run=after(began) if done and whole_tenant and after else None,
        )
        await asyncio.shield(ended)
