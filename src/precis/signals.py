"""How a process hears that it is to stop, so that it ends in order: above all, without leaving its database behind.

The first signal stops the process. After it SIGTERM and SIGINT end it as if nobody listened; SIGHUP does nothing more,
since a terminal that closes may send it twice. A SIGHUP that is ignored from the start (``nohup``) stays ignored.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds after which a task that goes on is cancelled again: a cancellation can get lost.
_AGAIN_SECONDS = 5.0


@contextmanager
def told_to_stop() -> Iterator[asyncio.Event]:
    """An event set by the first signal."""
    stop = asyncio.Event()
    with _hearing(lambda _: stop.set()):
        yield stop


@contextmanager
def ended_by_signals(heard: list[int]) -> Iterator[None]:
    """For the length of a block the first signal cancels the current task; its number is in the list then."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def cancel() -> None:
        if task is not None and not task.done():
            task.cancel()
            loop.call_later(_AGAIN_SECONDS, cancel)

    def hear(number: int) -> None:
        heard.append(number)
        cancel()

    with _hearing(hear):
        yield


@contextmanager
def _hearing(hear: Callable[[int], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    numbers = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)

    def first(number: int) -> None:
        release()
        if signal.SIGHUP in numbers:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        hear(number)

    def release() -> None:
        for number in numbers:
            loop.remove_signal_handler(number)

    for number in numbers:
        loop.add_signal_handler(number, first, number)
    try:
        yield
    finally:
        release()
