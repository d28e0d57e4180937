"""The in-memory store keeps the contract."""

from __future__ import annotations

from typing import cast

import pytest
from embeddings_contract import EmbeddingsContract
from filters_contract import FiltersContract
from groups_contract import GroupsContract
from jobs_contract import JobsContract
from long_term_contract import LongTermContract
from memories_contract import MemoriesContract
from periods_contract import PLACED
from places_contract import PlacesContract
from retention_contract import RetentionContract
from search_contract import SearchContract
from store_contract import POLICY
from summaries_contract import SummariesContract

from precis.store.ports import Store
from precis.testing.memory_store import MemoryStore


class InMemory:
    """The one fixture a store brings."""

    @pytest.fixture
    async def store(self) -> Store:
        """An empty store."""
        return cast("Store", MemoryStore())


class TestMemories(MemoriesContract):
    """Raw rows; the policy lets them go."""

    @pytest.fixture
    async def store(self) -> Store:
        """An empty store that knows the policy."""
        return cast("Store", MemoryStore({POLICY.name: POLICY}))


class TestGroups(InMemory, GroupsContract):
    """Leases, snapshots, commits."""


class TestSummaries(InMemory, SummariesContract):
    """Summaries as they are read and deleted."""


class TestSearch(InMemory, SearchContract):
    """Both arms of recall."""


class TestJobs(InMemory, JobsContract):
    """The work list."""


class TestFilters(InMemory, FiltersContract):
    """What a filter lets through."""


class InMemoryPlaces:
    """The same over the policies of the suites with rules."""

    @pytest.fixture
    async def store(self) -> Store:
        """An empty store with the policies of the suite."""
        return cast("Store", MemoryStore(PLACED))


class TestPlaces(InMemoryPlaces, PlacesContract):
    """Groups that follow a rule."""


class TestRetention(InMemoryPlaces, RetentionContract):
    """Parts, and texts that may go."""


class TestLongTerm(InMemory, LongTermContract):
    """Memories as the wire reads them."""


class TestEmbeddings(InMemory, EmbeddingsContract):
    """A change of the embedder."""
