"""A limit that binds whatever the work does with its cancellation.

``asyncio.timeout`` cancels once and then waits for the work to end. A cancellation can get lost (``asyncio.wait_for``
of Python 3.11 drops one that comes together with the result), and giving back what was held takes a database that may
be slow. Here the caller goes on at the limit, and the work is cancelled until it has ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
#: Seconds a cancelled piece of work has to end, before it is cancelled again.
_AGAIN_SECONDS = 5.0
#: Cancelled work that has not ended yet: a loop alone would not keep it from being collected.
_ending: set[asyncio.Task[Any]] = set()


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """The result of the work. Raises TimeoutError at the limit; also where the caller is cancelled the work ends."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            _end(task)
    if task in _ending or task.cancelled():
        raise TimeoutError
    return task.result()


def _end(task: asyncio.Task[Any]) -> None:
    _ending.add(task)
    task.add_done_callback(_ended)
    _cancel(task)


def _cancel(task: asyncio.Task[Any]) -> None:
    if not task.done():
        task.cancel()
        asyncio.get_running_loop().call_later(_AGAIN_SECONDS, _cancel, task)


def _ended(task: asyncio.Task[Any]) -> None:
    _ending.discard(task)
    if not task.cancelled():
        # Nobody waits for it any more: without this look the loop would report it.
        task.exception()


async def ended(seconds: float) -> None:
    """Wait for cancelled work of this loop, so that what it gives back finds a database; at most so long."""
    loop = asyncio.get_running_loop()
    ours = {task for task in _ending if task.get_loop() is loop}
    if ours:
        await asyncio.wait(ours, timeout=seconds)
