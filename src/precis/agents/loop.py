"""The event loop that an app was opened in, for whoever calls from another thread or another loop.

A program without an event loop opens precis in a thread of its own::

    with opened(data_dir="notes") as app:
        store = PrecisStore(app)
        graph = builder.compile(store=store)
        graph.invoke(...)
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from anyio.from_thread import start_blocking_portal

import precis
from precis.agents.app_loop import running_loop
from precis.app import App
from precis.settings import Settings

T = TypeVar("T")


class AppLoop:
    """Runs there what is asynchronous, whichever thread or loop asks for it."""

    def __init__(self, app: App) -> None:
        loop = app.parts.background.loop or running_loop()
        if loop is None:
            raise RuntimeError("make it where the app was opened: in that event loop")
        self._loop = loop

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work answers, for a thread that waits for it. Raises RuntimeError where it would wait for itself."""
        if running_loop() is self._loop:
            work.close()
            raise RuntimeError(
                "this is the app's own event loop, which cannot wait for itself: use the asynchronous method "
                "(ainvoke, abatch, aget, aput), or call from another thread (asyncio.to_thread)"
            )
        return self._begun(work).result()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The same for a coroutine, of this loop or another."""
        if running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(self._begun(work))

    def _begun(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        if not self._loop.is_running():
            work.close()
            raise RuntimeError(
                "the event loop that the app was opened in is not running: call from another thread while it runs, "
                "or open the app with precis.agents.loop.opened()"
            )
        return asyncio.run_coroutine_threadsafe(work, self._loop)


@contextmanager
def opened(settings: Settings | None = None, **overrides: Any) -> Iterator[App]:
    """``precis.open()`` for a program without an event loop: one runs in a thread until the block ends."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(
        precis.open(settings, **overrides)
    ) as app:  # fmt: skip
        yield app
