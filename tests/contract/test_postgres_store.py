"""PostgreSQL keeps the same contract as its in-memory twin."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from embeddings_contract import NEW, EmbeddingsContract, of
from filters_contract import FiltersContract
from groups_contract import GroupsContract
from jobs_contract import JobsContract
from long_term_contract import LongTermContract
from memories_contract import MemoriesContract
from periods_contract import PLACED
from places_contract import PlacesContract
from retention_contract import RetentionContract
from search_contract import SearchContract
from store_contract import POLICY, TEXTS, notes, unit, write
from summaries_contract import SummariesContract

from precis.bootstrap import Runtime
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.vault import Vault
from precis.store.ports import Store
from precis.store.postgres import postgres_store
from precis.store.search import PostgresSearch
from precis.testing.clock import FrozenClock

pytestmark = pytest.mark.asyncio(loop_scope="session")


class OnPostgres:
    """The one fixture a store brings."""

    @pytest.fixture
    def store(self, runtime: Runtime) -> Store:
        """The store of the shared database; every test has a tenant of its own."""
        return runtime.store


class TestMemories(MemoriesContract):
    """Raw rows; the policy lets them go."""

    @pytest.fixture
    def store(self, runtime: Runtime) -> Store:
        """A store that knows the policy, over the shared database."""
        log = ForgottenLog(runtime.settings.forgotten_folder)
        return postgres_store(runtime.database, runtime.store.tenants.keyring, {POLICY.name: POLICY}, log)


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

    async def test_who_joins_meanwhile_counts(
        self, runtime: Runtime, store: Store, tenant: str, clock: FrozenClock
    ) -> None:
        """A member that is committed while the centroid waits for its cluster is in the mean of it."""
        group_id = await write(store, tenant, notes(tenant, clock, TEXTS[:2]), clock())
        other = notes(tenant, clock, ["an old train"], first=5, key="train", vector=unit(0, 1))
        await write(store, tenant, [of(NEW, row) for row in other], clock())
        read = await store.embeddings.outdated(tenant, NEW, after="", limit=10)
        async with runtime.database.tenant(tenant) as connection:
            await connection.execute("UPDATE groups SET members = members + 1 WHERE group_id = %s", [group_id])
            await connection.execute("UPDATE members SET group_id = %s WHERE memory_id = 'n5'", [group_id])
            renewing = asyncio.create_task(store.embeddings.renew(tenant, NEW, [(row, unit(1, 0)) for row in read]))
            await somebody_waits(runtime)
        assert 2 == await renewing
        async with runtime.database.tenant(tenant) as connection:
            found = await connection.execute("SELECT centroid FROM groups WHERE group_id = %s", [group_id])
            (row,) = await found.fetchall()
        assert row["centroid"].to_list()[:2] == pytest.approx([2 / 3, 1 / 3], abs=1e-3)


async def somebody_waits(runtime: Runtime) -> None:
    """Until a transaction waits for another one."""
    async with asyncio.timeout(10):
        while True:
            async with runtime.database.directory() as connection:
                found = await connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
                if await found.fetchone():
                    return
            await asyncio.sleep(0.02)


class TestLargeSearch(SearchContract):
    """The same by the postings, as in a scope too large to read whole."""

    @pytest.fixture
    def store(self, runtime: Runtime) -> Store:
        """Every scope that has a row is a large one."""
        search = PostgresSearch(runtime.database, Vault(runtime.store.search._vault.keyring), large=0, lasts=0.0)
        return replace(runtime.store, search=search)
