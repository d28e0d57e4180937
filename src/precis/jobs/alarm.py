"""Tenants that cool down between two runs, and when each may run again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime

from precis.engine.ports import Clock


class Alarm:
    """Kept by one worker process; the sweep of any other finds the same tenants by their state."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ready: dict[str, datetime] = {}
        self._changed = asyncio.Event()

    def set(self, tenant_id: str, at: datetime) -> None:
        """Ring for this tenant then."""
        self._ready[tenant_id] = at
        self._changed.set()

    async def rung(self, seconds: float) -> list[str]:
        """The tenants whose time has come, as soon as there is one; none when so many seconds have passed."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + seconds
        while (left := give_up - loop.time()) > 0:
            now = self._clock()
            ready = [tenant_id for tenant_id, at in self._ready.items() if at <= now]
            if ready:
                for tenant_id in ready:
                    del self._ready[tenant_id]
                return ready
            soonest = min(((at - now).total_seconds() for at in self._ready.values()), default=left)
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), min(left, soonest))
        return []
