"""Keeping what was leased while somebody works on it, however long a model takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import structlog

from precis.errors import PrecisError

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def renewing(renew: Callable[[], Awaitable[bool]], *, lasts: timedelta, what: str) -> AsyncIterator[None]:
    """Call ``renew`` three times while a lease lasts, in real time, until the block ends or it answers that it is lost.

    A call that fails is made again at the next moment; ``what`` says in the log what could not be kept.
    """

    async def go_on() -> None:
        while True:
            await asyncio.sleep(lasts.total_seconds() / 3)
            try:
                if not await renew():
                    return
            except PrecisError as error:
                _log.warning("renewal_failed", what=what, error=type(error).__name__)

    going_on = asyncio.create_task(go_on())
    try:
        yield
    finally:
        going_on.cancel()
        with suppress(asyncio.CancelledError):
            await going_on
