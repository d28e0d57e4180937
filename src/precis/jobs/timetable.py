"""The timetable: passes of policies over tenants, each made once by whichever worker comes first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import structlog

from precis.app.passes import Pass
from precis.app.refreshing import renewing
from precis.bootstrap import Runtime
from precis.errors import PrecisError
from precis.store.timetables import Turn

_log = structlog.get_logger(__name__)
#: How long after the death of a worker a pass stays reserved for it.
TURN = timedelta(minutes=2)


async def run_due(runtime: Runtime, tenant_id: str, passes: Sequence[Pass] | None = None) -> list[str]:
    """Make every pass of the tenant that is due and that nobody makes; answers the names of those that were made."""
    clock, schedules = runtime.engine.clock, runtime.store.schedules
    names = []
    for due in runtime.passes if passes is None else passes:
        if due.tenant not in (None, tenant_id):
            continue
        await schedules.ensure(tenant_id, due.name, next_run=due.first(clock()))
        turn = await schedules.claim(tenant_id, due.name, now=clock(), lasts=TURN)
        if turn is None:
            continue
        try:
            await make(runtime, turn, due)
            names.append(due.name)
        except PrecisError as error:
            # The turn runs out, and the pass is still due: it goes on where it stopped.
            _log.warning("pass_failed", tenant_id=tenant_id, policy=due.name, error=type(error).__name__)
    return names


async def make(runtime: Runtime, turn: Turn, due: Pass) -> object:
    """Make one pass under its turn; answers what the pass did."""
    clock, schedules = runtime.engine.clock, runtime.store.schedules
    began = clock()
    async with renewing(lambda: schedules.renew(turn, now=clock()), lasts=turn.lasts, what=turn.policy):
        done = await due.run(runtime.app(turn.tenant_id).parts, began)
    await schedules.finish(turn, last_run=began, next_run=due.after(began))
    _log.info("pass", tenant_id=turn.tenant_id, policy=due.name)
    return done
