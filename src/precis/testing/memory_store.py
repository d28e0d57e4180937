"""The in-memory store: every port of ``precis.store.ports`` over plain dicts, for tests and for trying things out.

It is PostgreSQL's twin: one contract suite holds for both. Nothing is encrypted and nothing outlives the process.
"""

from __future__ import annotations

from precis.testing.memory_groups import MemoryGroups
from precis.testing.memory_jobs import MemoryJobs
from precis.testing.memory_memories import MemoryMemories
from precis.testing.memory_rows import Rows
from precis.testing.memory_search import MemorySearch
from precis.testing.memory_summaries import MemorySummaries


class MemoryStore:
    """A store that is gone when the process is."""

    def __init__(self) -> None:
        rows = Rows()
        self.memories = MemoryMemories(rows)
        self.summaries = MemorySummaries(rows)
        self.groups = MemoryGroups(rows)
        self.search = MemorySearch(rows)
        self.jobs = MemoryJobs(rows)
