"""Whether the database is the one it was: a process notices that another copy took its place, and follows it.

What tells two copies apart is read on every new connection, and once a second on those that stay open: a copy may be
put in place under a server that is started for it, under another name, or table by table. Until the copy is followed
nobody gets a connection. To follow it is what every start does: what was forgotten since it was taken goes again.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Awaitable, Callable
from weakref import WeakSet

import structlog
from psycopg import AsyncCursor, Error, OperationalError

from precis.database.queries import Connection, query
from precis.errors import ConfigurationError, StoreUnavailable

_log = structlog.get_logger(__name__)
#: Seconds for which what was read is believed.
_LOOK_SECONDS = 1.0
#: Whether what runs now follows a copy: it is not held back.
_follows: contextvars.ContextVar[bool] = contextvars.ContextVar("precis_follows_a_copy", default=False)


class Copies:
    """Which copy of the database this process serves."""

    def __init__(self) -> None:
        #: What else the process keeps of the database, and lets go of when the copy is another one.
        self.kept: list[Callable[[], None]] = []
        self._follow: Callable[[], Awaitable[None]] | None = None
        #: The copy that was followed, the one that was read last, and when that was.
        self._followed = self._read = ""
        self._read_at = 0.0
        self._seen: WeakSet[Connection] = WeakSet()
        self._following: asyncio.Task[None] | None = None

    def watch(self, follow: Callable[[], Awaitable[None]]) -> None:
        """From now on every copy is followed before anybody reads it, also the one that is there now."""
        self._follow = follow

    async def is_followed(self, connection: Connection) -> bool:
        """Whether it reaches the copy that was followed. One that is lost shows that at its first statement."""
        if self._follow is None or _follows.get():
            return True
        if connection not in self._seen or time.monotonic() - self._read_at > _LOOK_SECONDS:
            try:
                # Not by the cursor of the pool, which counts statements of somebody.
                row = await (await AsyncCursor(connection).execute(query("which_copy"))).fetchone()
            except OperationalError:
                return True
            self._seen.add(connection)
            self._read_at = time.monotonic()
            self._read = row["copy"] if row else ""
        return self._read == self._followed

    async def follow(self) -> None:
        """Wait until the copy that was read last is followed. Raises what that ended with; the next one tries again."""
        if self._read == self._followed or self._follow is None or _follows.get():
            return
        if self._following is None or self._following.done():
            # Nobody's own: whoever began it may be gone before it ends.
            self._following = asyncio.create_task(self._run(self._follow), context=contextvars.Context())
        await asyncio.shield(self._following)

    async def _run(self, follow: Callable[[], Awaitable[None]]) -> None:
        _follows.set(True)
        copy = self._read
        if self._followed:
            # Also where tables were rewritten in place, so that nothing is wrong.
            _log.info("another_copy_of_the_database")
        for let_go in self.kept:
            let_go()
        try:
            await follow()
        except (Error, ConfigurationError) as error:
            if not self._followed:
                raise
            _log.exception("copy_not_followed")
            raise StoreUnavailable("another copy of the database was put in place, and is not ready yet") from error
        self._followed = copy

    async def end(self) -> None:
        """Before the connections are closed."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
