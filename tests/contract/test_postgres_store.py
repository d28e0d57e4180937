"""PostgreSQL keeps the same contract as its in-memory twin."""

from __future__ import annotations

from dataclasses import replace

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
from summaries_contract import SummariesContract

from precis.bootstrap import Runtime
from precis.store.forgotten_log import ForgottenLog
from precis.store.ports import Store
from precis.store.postgres import postgres_store
from precis.store.search import PostgresSearch
from precis.store.vault import Vault

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


class TestFilters(OnPostgres, FiltersContract):
    """What a filter lets through."""


class TestFiltersInLargeScopes(FiltersContract):
    """The same where recall takes every scope for a large one."""

    @pytest.fixture
    def store(self, runtime: Runtime) -> Store:
        """The shared database with a search of that kind."""
        search = PostgresSearch(runtime.database, Vault(runtime.store.tenants.keyring), large=0, lasts=0.0)
        return replace(runtime.store, search=search)


class PlacesOnPostgres:
    """The same over the policies of the suites with rules."""

    @pytest.fixture
    def store(self, runtime: Runtime) -> Store:
        """A store with policies of the suite over the shared database."""
        log = ForgottenLog(runtime.settings.forgotten_folder)
        return postgres_store(runtime.database, runtime.store.tenants.keyring, PLACED, log)


class TestPlaces(PlacesOnPostgres, PlacesContract):
    """Groups that follow a rule."""


class TestRetention(PlacesOnPostgres, RetentionContract):
    """Parts, and texts that may go."""


class TestLongTerm(OnPostgres, LongTermContract):
    """Memories as the wire reads them."""


class TestEmbeddings(OnPostgres, EmbeddingsContract):
    """A change of the embedder."""


class TestLargeSearch(SearchContract):
    """The same by the postings, as in a scope too large to read whole."""

    @pytest.fixture
    def store(self, runtime: Runtime) -> Store:
        """Every scope that has a row is a large one."""
        search = PostgresSearch(runtime.database, Vault(runtime.store.search._vault.keyring), large=0, lasts=0.0)
        return replace(runtime.store, search=search)
