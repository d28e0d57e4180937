"""Wake a worker from inside the writer's transaction. A hint may be lost: the group rows are the truth."""

from __future__ import annotations

import random

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued

from precis.database.tx import Tx

#: At most this many ticks of a tenant wait or run at once, unless the settings say otherwise: its share of the workers.
TICKS_PER_TENANT = 3
TICK = "precis.tick"


def tick_lock(tenant_id: str, slot: int) -> str:
    """The lock of one of a tenant's ticks; a worker learns the tenant from it, there is no payload."""
    return f"{tenant_id}:{slot}"


def tenant_of(lock: str) -> str:
    """The tenant a tick is for."""
    return lock.rpartition(":")[0]


class Hints:
    """Defers ticks. The tasks themselves are defined in precis.jobs; here they are known by name."""

    def __init__(self, ticks: int = TICKS_PER_TENANT) -> None:
        self._ticks = ticks
        self._app = App(connector=PsycopgConnector())

    async def hint(self, tx: Tx) -> None:
        """One more tick for the tenant, in the caller's transaction, unless that slot's waits already."""
        lock = tick_lock(tx.tenant_id, random.randrange(self._ticks))  # noqa: S311 - spreads load, guards nothing
        job = self._app.configure_task(TICK, lock=lock, queueing_lock=lock, connection=tx.connection)
        try:
            async with tx.connection.transaction():
                await job.defer_async()
        except AlreadyEnqueued:
            return
