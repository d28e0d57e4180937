"""PostgreSQL keeps the same contract as its in-memory twin."""

from __future__ import annotations

import pytest
from groups_contract import GroupsContract
from jobs_contract import JobsContract
from memories_contract import MemoriesContract
from search_contract import SearchContract
from summaries_contract import SummariesContract

from precis.bootstrap import Runtime
from precis.store.ports import Store

pytestmark = pytest.mark.asyncio(loop_scope="session")


class OnPostgres:
    """The one fixture a store brings."""

    @pytest.fixture
    def store(self, runtime: Runtime) -> Store:
        """The store of the shared database; every test has a tenant of its own."""
        return runtime.store


class TestMemories(OnPostgres, MemoriesContract):
    """Raw rows."""


class TestGroups(OnPostgres, GroupsContract):
    """Leases, snapshots, commits."""


class TestSummaries(OnPostgres, SummariesContract):
    """Summaries as they are read and deleted."""


class TestSearch(OnPostgres, SearchContract):
    """Both arms of recall."""


class TestJobs(OnPostgres, JobsContract):
    """The work list."""
