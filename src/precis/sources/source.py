"""What the archive asks of a pool: somebody else's store of memories, which precis reads, adds to and deletes from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from precis.errors import ConfigurationError


class PoolUnusable(ConfigurationError):
    """This pool cannot be used as it is: nothing was read or written."""


#: The embedder of a pool: one vector a text, in order, as long as the vectors that lie there.
PoolEmbedder = Callable[[list[str]], Awaitable[list[list[float]]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolMemory:
    """One memory of a pool."""

    #: Empty for one that is to be added: pools may choose ids themselves.
    id: str
    #: Without the marker of a summary.
    text: str
    user_id: str
    agent_id: str | None = None
    run_id: str | None = None
    #: Aware; None where the pool does not know.
    created_at: datetime | None = None
    is_summary: bool = False
    #: Of a summary.
    summarized_memory_ids: tuple[str, ...] = ()
    summarized_until: datetime | None = None

    @property
    def order(self) -> tuple[datetime, bytes]:
        """Oldest first; ties by the bytes of the id. Only for one that has a date."""
        if self.created_at is None:
            raise ValueError("a memory without a date has no place in time")
        return (self.created_at, self.id.encode())


class Pool(Protocol):
    """A store of memories, small enough to be written for any. Errors of the store itself pass through."""

    @property
    def name(self) -> str:
        """Names the pool in what precis keeps about it: the same store has the same name, whoever opens it."""
        ...

    async def users(self) -> Sequence[str]:
        """Everybody who has a memory here, in order."""
        ...

    async def list(
        self,
        user_id: str,
        *,
        before: datetime | None = None,
        limit: int | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        summaries: bool = False,
    ) -> Sequence[PoolMemory]:
        """Raw memories of a user made before a moment, oldest first; or, with ``summaries``, what is a summary.

        With ``before`` a memory without a date is not among them: nobody knows how old it is.
        """
        ...

    async def get(self, ids: Sequence[str]) -> Mapping[str, PoolMemory]:
        """Those that exist, by id."""
        ...

    async def ready(self) -> None:
        """Raise PoolUnusable where no summary could be added, before a model is asked to write one."""
        ...

    async def add(self, memory: PoolMemory) -> str:
        """Add a summary; answers its id. The same summary again is the one that is there."""
        ...

    async def delete(self, ids: Sequence[str]) -> None:
        """Delete these for good. What is gone already is no error."""
        ...
