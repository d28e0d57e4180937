"""A limit that binds whatever the work does with its cancellation."""

from __future__ import annotations

import asyncio
import time

import pytest

from precis.work import ended, within


async def _stubborn(ends: asyncio.Event) -> None:
    """Loses its first cancellation, as a library may."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        await ends.wait()


async def test_what_is_done_in_time_is_answered() -> None:
    """Its result, or its error."""
    assert await within(5, asyncio.sleep(0, "done")) == "done"

    async def fail() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await within(5, fail())


async def test_a_lost_cancellation_does_not_hold_the_caller_up() -> None:
    """The caller goes on at the limit; the work is waited for when the process closes."""
    ends, began = asyncio.Event(), time.monotonic()
    with pytest.raises(TimeoutError):
        await within(0.1, _stubborn(ends))
    assert time.monotonic() - began < 2
    asyncio.get_running_loop().call_later(0.2, ends.set)
    await ended(5)
    assert ends.is_set()


async def test_work_that_never_ends_is_left_at_the_end() -> None:
    """Closing has a limit of its own."""
    ends = asyncio.Event()
    with pytest.raises(TimeoutError):
        await within(0.05, _stubborn(ends))
    began = time.monotonic()
    await ended(0.2)
    assert time.monotonic() - began < 2
    ends.set()


async def test_a_cancelled_caller_takes_its_work_along() -> None:
    """Nobody would want its result."""
    stopped = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    caller = asyncio.create_task(within(30, work()))
    await asyncio.sleep(0.05)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await asyncio.wait_for(stopped.wait(), 2)
