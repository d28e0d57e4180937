"""How the worker of a server makes room for requests that wait."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from precis.app.parts import Pressure
from precis.app.refreshing import Runs
from precis.engine.commit import Lease

#: While requests wait, a tick pauses so many times as long as a refresh took, at most so many seconds.
_PAUSES, _LONGEST_PAUSE = 4.0, 2.0


class Paced:
    """A run that leaves most of the time to requests that wait for their turn, in this process or in its server's.

    Groups wait the longer, so that one refresh does for more writes; the longest waiting is still the next.
    """

    def __init__(self, runs: Runs, pressure: Pressure) -> None:
        self._runs, self._pressure = runs, pressure
        self._since: float | None = None

    async def claim(self, tenant_id: str, *, now: datetime, lasts: timedelta) -> Lease | None:
        """The next group of the run, after a pause by how long the last one took."""
        loop = asyncio.get_running_loop()
        if self._pressure.waiting and self._since is not None:
            await asyncio.sleep(min(_LONGEST_PAUSE, _PAUSES * (loop.time() - self._since)))
        self._since = loop.time()
        return await self._runs.claim(tenant_id, now=now, lasts=lasts)
