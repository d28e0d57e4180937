"""Making one pass at a time: a turn on the timetable, kept while the pass goes on, given back whatever ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from precis.app.leasing import renewing
from precis.app.parts import Parts
from precis.errors import Conflict

#: How long a pass stays its maker's after that died.
LASTS = timedelta(minutes=1)


@asynccontextmanager
async def turn(
    parts: Parts, policy: str, *, after: Callable[[datetime], datetime] | None = None, whole: bool = True
) -> AsyncIterator[datetime]:
    """A pass that somebody asked for, due or not; answers when it began. Raises Conflict while somebody makes one.

    At its end the last run is noted and, with ``after``, the next one; a pass that failed is still due. One that is not
    over the ``whole`` tenant leaves both as they were.
    """
    schedules, clock = parts.store.schedules, parts.engine.clock
    began = clock()
    await schedules.ensure(parts.tenant_id, policy, next_run=began)
    mine = await schedules.claim(parts.tenant_id, policy, now=began, lasts=LASTS, asked=True)
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
            last_run=began if done and whole else None,
            next_run=after(began) if done and whole and after else None,
        )
        await asyncio.shield(ended)
