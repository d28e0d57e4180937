"""The event loop of an app, for frameworks that call from loops and threads of their own, and for programs without one.

A program without one has precis in a thread of its own, so a graph is run without await::

with opened(data_dir="notes") as app:
store = PrecisStore(app)
graph = builder.compile(store=store)
graph.invoke(...)
"""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from anyio.from_thread import start_blocking_portal

import precis
from precis.app import App
from precis.errors import WouldBlock, WrongLoop
from precis.settings import Settings


@contextmanager
def opened(settings: Settings | None = None, **overrides: Any) -> Iterator[App]:
    """``precis.open()`` for a program without an event loop: one runs in a thread until the block ends."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(
        precis.open(settings, **overrides)
    ) as app:  # fmt: skip
        yield app


T = TypeVar("T")

_ENDED = (
    "the event loop that the app was opened in is not running, or has ended: call from another thread while it runs, "
    "open precis anew, or open it with precis.agents.loop.opened()"
)


class AppLoop:
    """The connections of an app belong to that loop. Everything here raises WrongLoop."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None, *, patience: float = 30.0) -> None:
        """``loop`` is the app's, where it is known (``app.parts.background.loop``); else the one this is made in."""
        loop = loop or running_loop()
        if loop is None:
            raise WrongLoop("make this in the event loop that the app was opened in: its connections belong there")
        self._loop = loop
        #: Seconds after which a loop that answers nothing counts as blocked.
        self._patience = patience

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result, from whichever loop it is awaited in."""
        if running_loop() is self._loop:
            return await work
        with self._reaching(work):
            await asyncio.wait_for(asyncio.wrap_future(_echo(self._loop)), self._patience)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The result, for a caller that cannot await. Raises WouldBlock in the app's own loop, among others."""
        try:
            with self._reaching(work):
                self.refuse_here()
                _echo(self._loop).result(self._patience)
        except WrongLoop as error:
            raise WouldBlock(str(error)) from error
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def refuse_here(self) -> None:
        """Raise where the caller is in the loop: what blocks it waits for ever."""
        if running_loop() is self._loop:
            raise WrongLoop(
                "this blocks the event loop that the app needs: call the asynchronous method (ainvoke, abatch, aget, "
                "aput), or this one in a thread (await asyncio.to_thread(...))"
            )

    @contextmanager
    def _reaching(self, work: Coroutine[Any, Any, Any]) -> Iterator[None]:
        """Where the loop cannot be reached, the work is never begun, and the error says what to do."""
        try:
            yield
        except TimeoutError:
            work.close()
            raise WrongLoop(
                f"the event loop that the app was opened in has answered nothing for {self._patience:g} seconds: most "
                "likely it waits for this very call. Use the framework's asynchronous methods there, or call it in a "
                "thread (await asyncio.to_thread(...))"
            ) from None
        except BaseException:
            work.close()
            raise


def _echo(loop: asyncio.AbstractEventLoop) -> Future[None]:
    """Done as soon as the loop turns."""
    answered: Future[None] = Future()

    def answer() -> None:
        # Whoever asked may have given up.
        if answered.set_running_or_notify_cancel():
            answered.set_result(None)

    try:
        loop.call_soon_threadsafe(answer)
    except RuntimeError as error:
        raise WrongLoop(_ENDED) from error
    return answered


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread; None where there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
