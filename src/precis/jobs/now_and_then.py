"""Work that a worker does again and again beside its ticks, whatever one turn of it fails at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import structlog

_log = structlog.get_logger(__name__)


async def now_and_then(
    name: str, seconds: float, work: Callable[[], Awaitable[object]], *, at_once: bool = True
) -> None:
    """Do it with so many seconds between two turns, until cancelled; ``at_once``, or first after such a pause.

    A failure is logged by its kind, as ``<name>_failed``, and the next turn comes: what it says may quote a memory.
    """
    if not at_once:
        await asyncio.sleep(seconds)
    while True:
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - nobody looks after this task while the worker runs
            _log.warning(f"{name}_failed", error=type(error).__name__)
        await asyncio.sleep(seconds)


@contextmanager
def going_on(event: str, tenant_id: str) -> Iterator[None]:
    """What fails for one tenant is logged and must not end the work for the others."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it was, the next tenant's turn comes
        _log.warning(event, tenant_id=tenant_id, error=type(error).__name__)
