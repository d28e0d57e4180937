"""Where the summary of a pool's batch is put: into the pool, or into precis where the pool cannot embed it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from precis.app.memories import Memories
from precis.errors import NotFound
from precis.memory import POOL_SUMMARY
from precis.sources.source import Pool, PoolMemory


class SummaryPlace(Protocol):
    """Somewhere a summary can be put, found, and taken from again."""

    async def ready(self) -> None:
        """Raise PoolUnusable where nothing could be put, before a model is asked."""
        ...

    async def read(self, summary_id: str) -> str | None:
        """What it says; None where it is gone."""
        ...

    async def find(self, summary: PoolMemory, is_it: Callable[[str], bool]) -> PoolMemory | None:
        """The summary that was being put when a pass ended early, if it got there."""
        ...

    async def put(self, summary: PoolMemory) -> str:
        """Put it there; answers its id. Again changes nothing."""
        ...

    async def remove(self, summary_id: str) -> None:
        """Take it away; one that is gone is no error."""
        ...


class InPool:
    """Beside the originals. See SummaryPlace."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def ready(self) -> None:
        """See SummaryPlace."""
        await self._pool.ready()

    async def read(self, summary_id: str) -> str | None:
        """See SummaryPlace."""
        found = (await self._pool.get([summary_id])).get(summary_id)
        return found.text if found else None

    async def find(self, summary: PoolMemory, is_it: Callable[[str], bool]) -> PoolMemory | None:
        """See SummaryPlace. A pool that chooses ids itself is searched by what the summary says."""
        there = await self._pool.list(summary.user_id, summaries=True)
        return next((one for one in there if is_it(one.text)), None)

    async def put(self, summary: PoolMemory) -> str:
        """See SummaryPlace."""
        return await self._pool.add(summary)

    async def remove(self, summary_id: str) -> None:
        """See SummaryPlace."""
        await self._pool.delete([summary_id])


class InPrecis:
    """An ordinary memory of precis, with what it stands for in its metadata. See SummaryPlace."""

    def __init__(self, memories: Memories, pool_name: str) -> None:
        self._memories = memories
        self._pool_name = pool_name

    async def ready(self) -> None:
        """See SummaryPlace: precis can always keep one."""

    async def read(self, summary_id: str) -> str | None:
        """See SummaryPlace."""
        found = (await self._memories.get_many([summary_id])).get(summary_id)
        return found.text if found else None

    async def find(self, summary: PoolMemory, is_it: Callable[[str], bool]) -> PoolMemory | None:
        """See SummaryPlace."""
        text = await self.read(summary.id)
        return summary if text is not None and is_it(text) else None

    async def put(self, summary: PoolMemory) -> str:
        """See SummaryPlace."""
        until = summary.summarized_until
        metadata = {
            "kind": POOL_SUMMARY,
            "pool": self._pool_name,
            "is_summary": True,
            "summarized_memory_ids": list(summary.summarized_memory_ids),
            "summarized_until": until.isoformat() if until else None,
        }
        if await self.read(summary.id) is None:
            row = {
                "id": summary.id, "text": summary.text, "user_id": summary.user_id, "agent_id": summary.agent_id,
                "run_id": summary.run_id, "created_at": summary.created_at, "type": "summary",
                # A subject of its own, so that no cluster takes it: it is a summary already.
                "key": summary.id, "metadata": metadata, "revive": True,
            }  # fmt: skip
            await self._memories.add([row], summarize="deferred")
        return summary.id

    async def remove(self, summary_id: str) -> None:
        """See SummaryPlace."""
        try:
            await self._memories.forget(summary_id)
        except NotFound:
            return
