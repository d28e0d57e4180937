"""The in-memory store: every port of ``precis.store.ports`` over plain dicts, for tests and for trying things out.

It is PostgreSQL's twin: one contract suite holds for both. Nothing is encrypted and nothing outlives the process.
"""

from __future__ import annotations

from collections.abc import Mapping

from precis.engine.policy import Policy
from precis.testing.memory_embeddings import MemoryEmbeddings
from precis.testing.memory_groups import MemoryGroups
from precis.testing.memory_jobs import MemoryJobs
from precis.testing.memory_long_term import MemoryLongTerm
from precis.testing.memory_memories import MemoryMemories
from precis.testing.memory_places import MemoryPlaces
from precis.testing.memory_retention import MemoryRetention
from precis.testing.memory_rows import Rows
from precis.testing.memory_search import MemorySearch
from precis.testing.memory_summaries import MemorySummaries
from precis.testing.memory_timetables import MemorySchedules, MemoryZones


class MemoryStore:
    """A store that is gone when the process is; ``policies`` with rules place what is written in their groups."""

    def __init__(self, policies: Mapping[str, Policy] | None = None) -> None:
        rows = Rows(policies=policies or {})
        self.memories = MemoryMemories(rows)
        self.summaries = MemorySummaries(rows)
        self.groups = MemoryGroups(rows)
        self.search = MemorySearch(rows)
        self.embeddings = MemoryEmbeddings(rows)
        self.jobs = MemoryJobs(rows)
        self.places = MemoryPlaces(rows)
        self.zones = MemoryZones(rows)
        self.schedules = MemorySchedules(rows)
        self.retention = MemoryRetention(rows)
        self.long_term = MemoryLongTerm(rows)
