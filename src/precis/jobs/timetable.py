"""The timetable: passes of policies over tenants, each made once by whichever worker comes first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import structlog

from precis.app.leasing import renewing
from precis.app.passes import Pass
from precis.bootstrap import Runtime
from precis.errors import PrecisError
from precis.store.timetables import Turn

_log = structlog.get_logger(__name__)
#: How long a pass stays its maker's after that died.
TURN = timedelta(minutes=2)


async def run_due(runtime: Runtime, tenant_id: str, passes: Sequence[Pass] | None = None) -> list[str]:
    """Make every pass of the tenant that is due and that nobody makes; answers which."""
    clock = runtime.engine.clock
    made = []
    for one in runtime.passes if passes is None else passes:
        if one.tenant not in (None, tenant_id):
            continue
        schedules = runtime.store.schedules
        await schedules.ensure(tenant_id, one.name, next_run=one.first(clock()))
        turn = await schedules.claim(tenant_id, one.name, now=clock(), lasts=TURN)
        if turn is None:
            continue
        try:
            await make(runtime, turn, one)
            made.append(one.name)
        except PrecisError as error:
            # The turn runs out, and the pass is still due: it goes on where it stopped.
            _log.warning("pass_failed", tenant_id=tenant_id, policy=one.name, error=type(error).__name__)
    return made


async def make(runtime: Runtime, turn: Turn, one: Pass) -> object:
    """One pass under its turn; what it did."""
    clock, schedules = runtime.engine.clock, runtime.store.schedules
    began = clock()
    async with renewing(lambda: schedules.renew(turn, now=clock()), lasts=turn.lasts, what=turn.policy):
        done = await one.run(runtime.app(turn.tenant_id).parts, began)
    await schedules.finish(turn, last_run=began, next_run=one.after(began))
    _log.info("pass", tenant_id=turn.tenant_id, policy=one.name)
    return done
