"""Reading from a replica, which may lag: only where it has all that the primary has acknowledged.

Before each such read the primary says how far its log goes. A replica is asked where it has replayed as much: then
whatever was forgotten, edited or written before the question is so there, too. In doubt, and after a short wait, the
primary is asked.
"""

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

import structlog
from psycopg import Error

from precis.database.connections import Database, First, Row, Tx, open_database
from precis.errors import ConfigurationError, StoreUnavailable

P = ParamSpec("P")
R = TypeVar("R")
_log = structlog.get_logger(__name__)
#: Whether what runs now may be answered by a replica.
_may_lag: ContextVar[bool] = ContextVar("precis_may_ask_replicas", default=False)
#: Seconds between two looks at how far a replica is, and those for which one that failed is left alone.
_LOOK, _PAUSE = 0.005, 5.0
#: Seconds after which one that says nothing has failed.
_SILENT = 1.0


class ReplicaFailed(StoreUnavailable):
    """The replica did not answer to the end: ask the primary."""


class Replica:
    """One of them, with connections of its own."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._is_checked = False
        #: Until when it is left alone, by the clock of the machine.
        self._away_until = 0.0

    @property
    def is_away(self) -> bool:
        """Whether it failed a moment ago."""
        return time.monotonic() < self._away_until

    def failed(self, error: BaseException) -> None:
        """Leave it alone for a while."""
        self._away_until = time.monotonic() + _PAUSE
        _log.warning("replica_failed", error=type(error).__name__)

    async def is_current(self, position: Row, *, wait: float) -> bool:
        """Whether it has replayed the log of this primary up to this position, within so many seconds."""
        until = time.monotonic() + wait
        if not self._is_checked:
            await self.database.check_role()
            self._is_checked = True
        while True:
            row = await self.database.ask("has_replayed", **position)
            if row is None or not row["is_replica"]:
                return False
            if row["is_current"]:
                return True
            if time.monotonic() >= until:
                return False
            await asyncio.sleep(_LOOK)


class ReplicatedDatabase(Database):
    """A primary; reads that say so are answered by a replica that is as new."""

    def __init__(self, primary: Database, replicas: Sequence[Replica], *, wait: float) -> None:
        super().__init__(primary.pool)
        self.copies = primary.copies
        self.replicas = tuple(replicas)
        self._wait = wait
        self._turn = 0

    @asynccontextmanager
    async def tx(
        self, tenant_id: str = "", *, one_moment: bool = False, generic_plans: bool = False, steady: bool = False,
        first: Sequence[First] = (), ends: bool = False,
    ) -> AsyncIterator[Tx]:  # fmt: skip
        """See Database."""
        may_lag = one_moment and tenant_id and _may_lag.get()
        replica = await self.current() if may_lag else None
        if replica is None:
            async with super().tx(
                tenant_id, one_moment=one_moment, generic_plans=generic_plans, steady=steady, first=first, ends=ends
            ) as tx:
                yield tx
            return
        try:
            async with replica.database.tx(
                tenant_id, one_moment=True, generic_plans=generic_plans, first=first, ends=ends
            ) as tx:
                yield tx
        except (StoreUnavailable, Error) as error:
            replica.failed(error)
            raise ReplicaFailed from error

    async def current(self) -> Replica | None:
        """The next replica that has all that the primary has acknowledged until now; None where none has in time."""
        present = [replica for replica in self.replicas if not replica.is_away]
        if not present:
            return None
        self._turn += 1
        replica = present[self._turn % len(present)]
        try:
            position = await self.ask("log_position")
        except StoreUnavailable:
            return None  # whoever asks the primary next sees whether it is away
        return replica if await self._has(replica, position) else None

    async def count_current(self) -> int:
        """How many replicas have all that the primary has acknowledged, or have it in time."""
        position = await self.ask("log_position")
        return sum([await self._has(replica, position) for replica in self.replicas])

    async def _has(self, replica: Replica, position: Row | None) -> bool:
        if position is None:
            return False
        try:
            async with asyncio.timeout(_SILENT + self._wait):
                return await replica.is_current(position, wait=self._wait)
        except (StoreUnavailable, ConfigurationError, Error, TimeoutError) as error:
            replica.failed(error)
            return False


def from_replicas(method: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Let a read be answered by a replica; where that one fails in the middle, the primary answers."""

    @functools.wraps(method)
    async def attempt(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _may_lag.set(True)
        try:
            return await method(*args, **kwargs)
        except ReplicaFailed:
            pass
        finally:
            _may_lag.reset(token)
        return await method(*args, **kwargs)

    return attempt


@asynccontextmanager
async def with_replicas(primary: Database, urls: Sequence[str], *, wait: float) -> AsyncIterator[Database]:
    """The database with these replicas of it; without any, itself."""
    if not urls:
        yield primary
        return
    async with AsyncExitStack() as stack:
        databases = [await stack.enter_async_context(open_database(url, min_size=0)) for url in urls]
        yield ReplicatedDatabase(primary, [Replica(database) for database in databases], wait=wait)
