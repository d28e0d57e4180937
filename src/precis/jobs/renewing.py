"""Vectors of another embedder, made anew in the background, a slice of each tenant in turn."""

from __future__ import annotations

import asyncio

import structlog

from precis.bootstrap import Runtime
from precis.errors import PrecisError

_log = structlog.get_logger(__name__)
#: Seconds between two looks for vectors of another embedder; the embedder changes with a restart.
LOOK_SECONDS = 300.0
#: Seconds between two slices of a tenant: others want the database, too.
PAUSE_SECONDS = 0.2


async def renew_forever(runtime: Runtime) -> None:
    """Look now and then, until cancelled."""
    while True:
        try:
            await renew_all(runtime, pause=PAUSE_SECONDS)
        except PrecisError as error:
            _log.warning("renewal_failed", error=type(error).__name__)
        await asyncio.sleep(LOOK_SECONDS)


async def renew_all(runtime: Runtime, *, pause: float = 0.0) -> int:
    """One slice of each tenant in turn until none is left; answers how many slices it were."""
    waiting = dict.fromkeys(await runtime.store.tenants.list(), "")
    slices = 0
    while waiting:
        for tenant_id, after in list(waiting.items()):
            reached = await runtime.app(tenant_id).embeddings.renew(after=after)
            if reached is None:
                del waiting[tenant_id]
            else:
                waiting[tenant_id] = reached
                slices += 1
                _log.info("renewed", tenant_id=tenant_id)
                await asyncio.sleep(pause)
    return slices
