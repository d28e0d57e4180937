"""Work under way: how far it is, when it only waits, and how it ends early: at a limit, or by a signal.

What is cancelled is cancelled again until it has ended. A single cancellation can get lost (``asyncio.wait_for`` of
Python 3.11 drops one that comes together with the result), and giving back what work has taken needs a database that
may be slow. So ``asyncio.timeout``, which cancels once and then waits for the work to end, is not enough: at a limit
the caller goes on, and the work is cancelled until it ends.
"""

import asyncio
import os
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar


@dataclass(kw_only=True, slots=True)
class Progress:
    """Written by whoever works, read by whoever tells."""

    done: int = 0
    total: int = 0
    #: What it is at, in a word or two.
    what: str = ""

    def begin(self, total: int, what: str) -> None:
        """So many more of these are to be done."""
        self.total += total
        self.what = what

    def step(self, by: int = 1) -> None:
        """So many of them are."""
        self.done += by

    def at(self, what: str) -> None:
        """Something that is not counted."""
        self.what = what


class Seat(Protocol):
    """The place of a request among those that are worked on."""

    def step_aside(self) -> None:
        """Another request may be worked on."""

    def come_back(self) -> None:
        """Go on, without waiting once more."""


#: The place in which whatever is done now is done, tasks that it begins included.
SEAT: ContextVar[Seat | None] = ContextVar("seat", default=None)


@contextmanager
def aside() -> Iterator[None]:
    """The place is given back for the length of a block; nothing where there is none, as in a worker."""
    seat = SEAT.get()
    if seat is None:
        yield
        return
    seat.step_aside()
    try:
        yield
    finally:
        seat.come_back()


T = TypeVar("T")
R = TypeVar("R")
#: Seconds a cancelled piece of work has to end, before it is cancelled again.
_AGAIN_SECONDS = 5.0
#: How often the last tasks of a loop are cancelled, and seconds they have to end each time.
_LAST_CANCELS, _LAST_SECONDS = 10, 0.5
#: Cancelled work that has not ended yet: a loop alone would not keep it from being collected.
_ending: set[asyncio.Task[Any]] = set()


def _cancel(task: asyncio.Task[Any]) -> None:
    """Cancel it, and again until it has ended."""
    if not task.done():
        task.cancel()
        asyncio.get_running_loop().call_later(_AGAIN_SECONDS, _cancel, task)


# --- limits ---


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


def _ended(task: asyncio.Task[Any]) -> None:
    _ending.discard(task)
    if not task.cancelled():
        # Nobody waits for it any more: without this look the loop would report it.
        task.exception()


async def ended(seconds: float) -> None:
    """Wait, at most so many seconds, for cancelled work of this loop: to give back what it took it needs a database."""
    loop = asyncio.get_running_loop()
    ours = {task for task in _ending if task.get_loop() is loop}
    if ours:
        await asyncio.wait(ours, timeout=seconds)


@asynccontextmanager
async def alongside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """The work goes on for the length of a block, and ends with it."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def end_tasks() -> None:
    """Cancel whatever else still runs on this loop, more than once: a connection that is being opened may lose one.

    asyncio itself cancels once and then waits for ever.
    """
    for _ in range(_LAST_CANCELS):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_LAST_SECONDS)


# --- signals ---


@contextmanager
def told_to_stop() -> Iterator[asyncio.Event]:
    """An event set by the first signal."""
    stop = asyncio.Event()
    with _listening(lambda _: stop.set()):
        yield stop


@contextmanager
def ended_by_signals(received: list[int]) -> Iterator[None]:
    """For the length of a block the first signal cancels the current task; its number is in the list then."""
    task = asyncio.current_task()

    def end(number: int) -> None:
        received.append(number)
        if task is not None:
            _cancel(task)

    with _listening(end):
        yield


@contextmanager
def _listening(react: Callable[[int], None]) -> Iterator[None]:
    """Have the first signal stop the process in order: above all, without leaving its database behind.

    After it SIGTERM and SIGINT end the process as if nobody listened; SIGHUP does nothing more, since a terminal that
    closes may send it twice. A SIGHUP that is ignored from the start (``nohup``) stays ignored.
    """
    loop = asyncio.get_running_loop()
    numbers = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)

    def first(number: int) -> None:
        release()
        if signal.SIGHUP in numbers:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        react(number)

    def release() -> None:
        for number in numbers:
            loop.remove_signal_handler(number)

    for number in numbers:
        loop.add_signal_handler(number, first, number)
    try:
        yield
    finally:
        release()


@contextmanager
def ended_in_order() -> Iterator[None]:
    """In a program that leaves SIGTERM alone, have it cancel the current task, and end the process behind the block.

    So what the block opened is closed; the process ends by the signal all the same. A second one ends it at once. Where
    somebody listens, beside the main thread and in a forked child nothing is changed.
    """
    task, loop, process = asyncio.current_task(), asyncio.get_running_loop(), os.getpid()
    received: list[int] = []

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        if os.getpid() != process or task is None:
            os.kill(os.getpid(), number)
            return
        received.append(number)
        loop.call_soon_threadsafe(_cancel, task)

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        if received:
            os.kill(process, received[0])
        elif signal.getsignal(signal.SIGTERM) is end:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


async def together(items: Sequence[T], work: Callable[[T], Awaitable[R]], *, at_once: int) -> list[R]:
    """What the work answers for each item, in their order, so many at once; the first that raises ends the others."""
    if at_once <= 1:
        return [await work(item) for item in items]
    results: dict[int, R] = {}
    waiting = iter(enumerate(items))

    async def go_on() -> None:
        for at, item in waiting:
            results[at] = await work(item)

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(min(at_once, len(items))):
                workers.create_task(go_on())
    except* Exception as errors:  # noqa: BLE001 - passed on, out of its group
        raise errors.exceptions[0] from None
    return [results[at] for at in range(len(items))]
