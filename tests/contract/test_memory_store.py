"""The in-memory store keeps the contract."""

from __future__ import annotations

import pytest
from groups_contract import GroupsContract
from jobs_contract import JobsContract
from memories_contract import MemoriesContract
from search_contract import SearchContract
from summaries_contract import SummariesContract

from precis.store.ports import Store
from precis.testing.memory_store import MemoryStore


class InMemory:
    """The one fixture a store brings."""

    @pytest.fixture
    async def store(self) -> Store:
        """An empty store."""
        return MemoryStore()


class TestMemories(InMemory, MemoriesContract):
    """Raw rows."""


class TestGroups(InMemory, GroupsContract):
    """Leases, snapshots, commits."""


class TestSummaries(InMemory, SummariesContract):
    """Summaries as they are read and deleted."""


class TestSearch(InMemory, SearchContract):
    """Both arms of recall."""


class TestJobs(InMemory, JobsContract):
    """The work list."""
