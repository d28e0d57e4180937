"""For programs without an event loop: precis in a thread of its own.

So a graph is run without await::

with opened(data_dir="notes") as app:
store = PrecisStore(app)
graph = builder.compile(store=store)
graph.invoke(...)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from anyio.from_thread import start_blocking_portal

import precis
from precis.app import App
from precis.settings import Settings


@contextmanager
def opened(settings: Settings | None = None, **overrides: Any) -> Iterator[App]:
    """``precis.open()`` for a program without an event loop: one runs in a thread until the block ends."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(
        precis.open(settings, **overrides)
    ) as app:  # fmt: skip
        yield app
