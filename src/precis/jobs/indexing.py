"""Vector indexes over large scopes, made and dropped in the background where the owner of the tables is known."""

from __future__ import annotations

import structlog

from precis.bootstrap import Runtime
from precis.jobs.now_and_then import now_and_then
from precis.store.scope_indexes import Settled

_log = structlog.get_logger(__name__)
#: How often a worker looks which scopes have become large, in seconds.
LOOK_SECONDS = 300.0


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
